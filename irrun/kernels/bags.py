"""Sums of gathered table rows, bag by bag, without the tensor of all gathered rows.

Rows are gathered some bags at a time into memory that stays in cache. Bags of about one length are summed together, the
shorter ones filled up with zeros, and a bag that is too long for one gathering is summed in several. What is gathered
together depends on the shapes and offsets alone, so the number of threads never shows in the result.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from irrun.kernels.bag_kinds import (
    COLUMNS,
    GATHERED,
    RUN_OF_MEANS,
    SINGLE,
    BagKind,
    kind_of,
    straight_of,
    sum_runs,
    sum_short,
)
from irrun.kernels.parallel import share, share_ranges
from irrun.kernels.quiet import quietly
from irrun.kernels.rounding import half_of_single, narrow
from irrun.kernels.scratch import scratch
from irrun.kernels.sums import FOUR, row_of_ones

# What each thread gathers, and makes of it, takes up to 2 MiB; so many of them stay within 8 MiB.
MOST_THREADS = 3
WIDEST = 1 << 14  # columns gathered at once: wider rows are summed in parts
MOST_ROWS = 1 << 15  # rows gathered at once: their indices and positions take memory too
MOST_RESULTS = 1 << 15  # results summed at once, in f64
MOST_BAGS = 1 << 16  # bags sorted by their length at once
SLACK = 4  # where bags of several lengths are gathered, one row for so many may be gathered in vain
IN_VAIN = 1 << 17  # or so many elements, where BLAS adds them: less than another gathering costs
SMALL = 1 << 14  # up to this many elements are gathered at once and added in f64
FEW = 32  # up to this many indices Python finds the least sooner than NumPy
NANOSECONDS_PER_BYTE = 0.15
UNSIGNED: dict[np.dtype, np.dtype] = {np.dtype(np.int32): np.dtype(np.uint32), np.dtype(np.int64): np.dtype(np.uint64)}
CHECKED = 1 << 20  # indices looked at together when one of them is known to be wrong, or results that may be


class BagIndexError(IndexError):
    """Raised for the first index, in order, that is outside the table's rows."""

    def __init__(self, position: tuple[int, ...], index: int, rows: int) -> None:
        super().__init__(f"index {index} at {list(position)} is outside the table's {rows} rows")
        self.position = position
        self.index = index
        self.rows = rows


def bags(
    table: np.ndarray,
    indices: np.ndarray,
    offsets: np.ndarray,
    weights: np.ndarray | None = None,
    *,
    mean: bool = False,
) -> np.ndarray:
    """Sum, or average, the table rows `indices[offsets[b]:offsets[b + 1]]` of each bag b.

    table [rows, *dims], indices [n], offsets [batch + 1] that do not fall, weights [n] of the table's type or None ->
    [batch, *dims] of the table's type. An empty bag is zeros. BagIndexError for the first index outside the table.
    """
    _check_indices(len(table), indices)
    indices = _signed(indices)
    batch = len(offsets) - 1
    lengths = offsets[1:] - offsets[:-1]
    if batch and lengths.min() == lengths.max():
        these, shape = slice(int(offsets[0]), int(offsets[-1])), (batch, int(lengths[0]))
        return _packed(
            table, indices[these].reshape(shape), None if weights is None else weights[these].reshape(shape), mean
        )
    if _is_small(table, indices):
        return _small_bags(table, indices, offsets, weights, mean)
    work = _Work(table, np.zeros((batch, _width(table)), _native(table.dtype)), mean)
    for first in range(0, batch if work.width else 0, MOST_BAGS):
        some = _Sorted(first, offsets[first : first + MOST_BAGS + 1], indices, weights)
        pieces = list(some.cut(min(work.rows_at_once, MOST_ROWS), 0 if mean else work.rows_in_vain))

        def fill(piece: int, some: _Sorted = some, pieces: list[slice] = pieces) -> None:
            work.fill(some.group(pieces[piece]))

        share(fill, len(pieces), _seconds(some.count * work.width, table.dtype), work.threads)
    return work.result.reshape(batch, *table.shape[1:])


def packed(
    table: np.ndarray, indices: np.ndarray, weights: np.ndarray | None = None, *, mean: bool = False
) -> np.ndarray:
    """Sum, or average, the table rows `indices[b]` of each bag b.

    table [rows, *dims], indices [batch, per_bag], weights [batch, per_bag] of the table's type or None ->
    [batch, *dims] of the table's type. BagIndexError for the first index outside the table.
    """
    if _is_small(table, indices) and indices.dtype.kind == "i":
        return _small(table, indices, weights, mean)
    _check_indices(len(table), indices)
    return _packed(table, _signed(indices), weights, mean)


def _packed(table: np.ndarray, indices: np.ndarray, weights: np.ndarray | None, mean: bool) -> np.ndarray:
    batch, per_bag = indices.shape
    shape, dtype = (batch, _width(table)), _native(table.dtype)
    if not indices.size or not shape[1]:
        return np.zeros((batch, *table.shape[1:]), dtype)
    work = _Work(table, np.empty(shape, dtype), mean)
    at_once = max(1, work.rows_at_once // per_bag)
    seconds = _seconds(indices.size * work.width, table.dtype)

    def group(these: slice | np.ndarray) -> _Group:
        return _Group(indices[these], None if weights is None else weights[these], None, these)

    if work.adds_singles(per_bag):
        work.add_singles(indices, weights, at_once, seconds)
        for left in work.unsettled():
            for first in range(0, len(left), at_once):
                work.fill_carefully(group(left[first : first + at_once]))
    else:
        share_ranges(lambda these: work.fill(group(these)), batch, at_once, seconds, work.threads)
    return work.result.reshape(batch, *table.shape[1:])


def _width(table: np.ndarray) -> int:
    return math.prod(table.shape[1:])


def _native(dtype: np.dtype) -> np.dtype:
    return dtype if dtype.isnative else dtype.newbyteorder("=")


def _signed(indices: np.ndarray) -> np.ndarray:
    """Return indices in range so that every NumPy takes them: some refuse u64."""
    return indices.astype(np.int64) if indices.dtype.kind == "u" else indices


def _seconds(elements: int, dtype: np.dtype) -> float:
    """Estimate what gathering and summing so many elements takes on one thread."""
    return elements * dtype.itemsize * NANOSECONDS_PER_BYTE * 1e-9


def _takes(table: np.ndarray) -> bool:
    """Tell whether `take` works on the table as it lies: it copies a whole other one, where indexing copies rows."""
    flags = table.flags
    return flags.c_contiguous and flags.aligned and table.dtype.isnative


def _is_small(table: np.ndarray, indices: np.ndarray) -> bool:
    """Tell whether few floats of at most 32 bits are gathered."""
    few = 0 < indices.size * table.size <= SMALL * len(table)
    return few and table.itemsize < 8 and table.dtype.kind not in "iu" and _takes(table)


def _small(table: np.ndarray, indices: np.ndarray, weights: np.ndarray | None, mean: bool) -> np.ndarray:
    """Sum a few rows of floats of at most 32 bits, all gathered at once, in f64, which no sum of them overflows.

    Entering an errstate would take a fifth of the time: NumPy tells here of infinities that cancel, as it always does.
    """
    least = min(indices.ravel().tolist()) if indices.size <= FEW else int(indices.min())
    if least < 0:  # take counts from the end
        _check_indices(len(table), indices)
    try:  # at the others it looks itself
        rows = table.take(indices, 0)
    except IndexError:
        _check_indices(len(table), indices)
        raise
    dtype = table.dtype
    if dtype.kind == "V":
        rows = rows.astype(np.float32)
        weights = None if weights is None else weights.astype(np.float32)
    if weights is None:
        sums = np.add.reduce(rows, 1, np.float64)
    else:
        sums = np.einsum("bk,bk...->b...", weights, rows, dtype=np.float64)
    if mean:
        sums = sums / indices.shape[1]
    return sums.astype(dtype) if dtype.char in "ef" else narrow(sums, dtype)


def _small_bags(
    table: np.ndarray, indices: np.ndarray, offsets: np.ndarray, weights: np.ndarray | None, mean: bool
) -> np.ndarray:
    """Do the same with bags of any length; the indices are known to be in range."""
    these = slice(int(offsets[0]), int(offsets[-1]))
    starts = offsets.astype(np.int64) - these.start
    lengths = starts[1:] - starts[:-1]
    full = lengths > 0
    single = table.take(indices[these], 0).reshape(-1, _width(table)).astype(np.float32, copy=False)
    rows = single.astype(np.float64)
    if weights is not None:
        rows *= weights[these, np.newaxis].astype(np.float32)
    sums = np.zeros((len(lengths), rows.shape[1]))
    sums[full] = np.add.reduceat(rows, starts[:-1][full], axis=0)
    if mean:
        sums /= np.maximum(lengths, 1)[:, np.newaxis]
    return narrow(sums, table.dtype).reshape(-1, *table.shape[1:])


def _check_indices(rows: int, indices: np.ndarray) -> None:
    """Raise BagIndexError for the first index that is not 0 <= index < rows."""
    unsigned = UNSIGNED.get(indices.dtype, indices.dtype)
    most = int(np.maximum.reduce(indices.view(unsigned), axis=None, initial=0))  # negative ones are the largest there
    if indices.size == 0 or (most < rows and (unsigned != indices.dtype or int(indices.min()) >= 0)):
        return
    flat = indices.reshape(-1)
    for start in range(0, flat.size, CHECKED):
        some = flat[start : start + CHECKED]
        wrong = (some < 0) | (some >= rows)
        if wrong.any():
            at = start + int(np.argmax(wrong))
            position = tuple(int(place) for place in np.unravel_index(at, indices.shape))
            raise BagIndexError(position, int(flat[at]), rows)


@dataclass(frozen=True, slots=True)
class _Group:
    """Bags that are summed together: indices and weights [bags, steps], and which results they are.

    absent: where bags are shorter than others, which of their steps they do not have, whose weights are 0; else None.
    """

    indices: np.ndarray
    weights: np.ndarray | None
    absent: np.ndarray | None
    into: slice | np.ndarray

    def part(self, chosen: slice, steps: slice = slice(None)) -> _Group:
        """Take some of the bags, and of these some steps."""
        weights, absent = (None if each is None else each[chosen, steps] for each in (self.weights, self.absent))
        return _Group(self.indices[chosen, steps], weights, absent, self.into)


class _Sorted:
    """Bags from `first` on, in the order of their lengths."""

    def __init__(self, first: int, offsets: np.ndarray, indices: np.ndarray, weights: np.ndarray | None) -> None:
        starts = offsets.astype(np.int64)
        lengths = starts[1:] - starts[:-1]
        short = lengths.astype(np.uint16) if lengths.max() < 1 << 16 else lengths  # NumPy sorts 16 bits in no time
        order = np.argsort(short, kind="stable")
        self.count = int(starts[-1] - starts[0])
        self._numbers = order + first
        self._starts = starts[order]
        self._lengths = lengths[order]
        self._indices = indices
        self._weights = weights

    def cut(self, rows: int, vain: int) -> Iterator[slice]:
        """Yield ranges of bags that gather about `rows` rows together, of these up to `vain` or a few in vain.

        Without any in vain, bags are of one length.
        """
        start = int(np.searchsorted(self._lengths, 1))
        lasts = np.flatnonzero(np.diff(self._lengths[start:], append=-1)) + start  # of the bags of each length
        ends, lengths = (lasts + 1).tolist(), self._lengths[lasts].tolist()
        totals = np.cumsum(self._lengths)[lasts].tolist()
        first, before = 0, 0  # the next of the ends, and how many rows the bags before `start` have
        while start < len(self._lengths):
            length, last = lengths[first], first
            for at in range(first, len(ends)):
                gathered = (ends[at] - start) * lengths[at]
                own = totals[at] - before
                if gathered - own <= (max(own // SLACK, vain) if vain else 0):
                    length, last = lengths[at], at
                if not vain or gathered > rows:
                    break
            stop = min(ends[last], start + max(1, rows // length))
            yield slice(start, stop)
            first = bisect_right(ends, stop)
            before = totals[first] - (ends[first] - stop) * lengths[first] if first < len(ends) else 0
            start = stop

    def group(self, which: slice) -> _Group:
        """Look up the indices of such a range, for the shorter bags their last ones again."""
        lengths, starts = self._lengths[which, np.newaxis], self._starts[which, np.newaxis]
        steps = np.arange(int(lengths[-1, 0]))
        positions = starts + np.minimum(steps, lengths - 1)
        weights = None if self._weights is None else self._weights[positions]
        absent = None
        if lengths[0, 0] < lengths[-1, 0]:
            absent = steps >= lengths
            if weights is not None:
                weights[absent] = 0
        return _Group(self._indices.take(positions), weights, absent, self._numbers[which])


class _Work:
    """One call: the table, and the results so far."""

    def __init__(self, table: np.ndarray, result: np.ndarray, mean: bool) -> None:
        self.result = result
        self.width = result.shape[1]
        self._dtype = result.dtype
        self._kind = kind_of(result.dtype, mean)
        self._mean = mean
        self._takes = _takes(table)
        self._table = table.reshape(len(table), self.width) if self._takes else table
        straight = self._takes and 0 < self.width <= COLUMNS and self.width % FOUR == 0
        self._straight = straight_of(result.dtype) if straight else None
        if self._straight is not None:
            self.threads, self.rows_at_once = self._straight.threads, GATHERED // self.width
            self.rows_in_vain = max(1, IN_VAIN // self.width)
        else:
            self.threads, self.rows_in_vain = MOST_THREADS, 1
            self.rows_at_once = max(1, min(self._kind.elements // max(1, min(self.width, WIDEST)), MOST_ROWS))

    def adds_singles(self, per_bag: int) -> bool:
        """Tell whether bags of so many rows are sums of f32 that BLAS writes where they belong."""
        return self._straight is not None and self._straight.widen is None and per_bag <= SINGLE and not self._mean

    def add_singles(self, indices: np.ndarray, weights: np.ndarray | None, at_once: int, seconds: float) -> None:
        """Write such sums, some bags by two calls; those that are not finite are `unsettled`.

        There is no more to it than that: threads that run Python or short calls wait for one another.
        """
        batch, per_bag = indices.shape
        ones = row_of_ones(per_bag, self._dtype)[np.newaxis]
        pieces = 2 * math.ceil(batch / (2 * at_once)) if batch > at_once else 1  # a pair for two threads

        def add(these: slice) -> None:
            factors = ones if weights is None else weights[these].astype(self._dtype, copy=False)
            sum_short(self._gather(indices[these], slice(0, self.width)), factors, out=self.result[these])

        quietly(share_ranges, add, batch, math.ceil(batch / pieces), seconds, self.threads)

    def unsettled(self) -> Iterator[np.ndarray]:
        """Yield which bags have a sum that is not finite, and so may be one that f32 did not hold on the way."""
        step = max(1, CHECKED // self.width)
        for first in range(0, len(self.result), step):
            finite = np.isfinite(self.result[first : first + step])
            if not finite.all():
                yield first + np.flatnonzero(~finite.all(axis=1))

    def fill(self, group: _Group) -> None:
        """Write the results of a group of bags."""
        if group.indices.size > self.rows_at_once or not self._fill_straight(group):
            self.fill_carefully(group)

    def fill_carefully(self, group: _Group) -> None:
        """Write the results of a group of any size and kind, in a wider type where they need it."""
        bags, per_bag = group.indices.shape
        into = group.into
        result = self.result[into] if isinstance(into, slice) else np.empty((bags, self.width), self._dtype)
        for left in range(0, self.width, WIDEST):
            columns = slice(left, min(left + WIDEST, self.width))
            width = columns.stop - left
            at_once = max(1, min(self._kind.elements // (width * per_bag), MOST_RESULTS // width))
            for first in range(0, bags, at_once):
                some = slice(first, first + at_once)
                result[some, columns] = self._values(self._kind, group.part(some), columns)
        if not isinstance(into, slice):
            self.result[into] = result

    def _fill_straight(self, group: _Group) -> bool:
        """Sum floats of at most 32 bits by BLAS, short bags by one product each, and round the sums into the result.

        Not where one is not finite: it may be one that f32 did not hold on the way.
        """
        how = self._straight
        if how is None:
            return False
        bags, steps = group.indices.shape
        rows = self._gather(group.indices, slice(0, self.width))
        wide = rows if how.widen is None else how.widen(rows)
        if group.weights is not None:
            factors = group.weights.astype(np.float32, copy=False)
        elif group.absent is not None:
            factors = np.logical_not(group.absent).astype(np.float32)
        else:
            factors = row_of_ones(steps, wide.dtype)[np.newaxis]
        if self._mean:
            sums = quietly(sum_runs, wide, factors, RUN_OF_MEANS)
        else:
            sums = quietly(sum_short if steps <= SINGLE else sum_runs, wide, factors)
        if not np.isfinite(sums).all():
            return False
        divisor = how.scale * (steps if self._mean else 1)
        if self._mean or sums.dtype == np.float64:
            self.result[group.into] = narrow(sums / np.float64(divisor), self._dtype)
        elif divisor != 1:  # halves, which were widened times a power of two
            np.divide(sums, np.float32(divisor), out=sums)
            # By short calls, which take memory, and would stand in another thread's way.
            few = bags == len(self.result) and sums.size <= MOST_RESULTS
            rounded = half_of_single(sums) if few else None
            self.result[group.into] = sums if rounded is None else rounded
        else:
            self.result[group.into] = sums
        return True

    def _values(self, kind: BagKind, group: _Group, columns: slice) -> np.ndarray:
        """Sum or average some bags over some columns: [bags, columns]."""
        sums = quietly(self._sums, kind, group, columns)
        values = kind.finish(sums, group.indices.shape[1] if self._mean else 1)
        if kind.again is None:
            return values
        settled = kind.settled(sums)
        if settled.all():
            return values
        return np.where(settled, values, self._values(kind.again, group, columns))

    def _sums(self, kind: BagKind, group: _Group, columns: slice) -> np.ndarray:
        """Gather and sum some bags: at once if that is little enough, else in several steps."""
        bags, per_bag = group.indices.shape
        steps = min(MOST_ROWS, max(1, kind.elements // ((columns.stop - columns.start) * bags)))
        total: np.ndarray | None = None
        for first in range(0, per_bag, steps):
            part = group.part(slice(None), slice(first, first + steps))
            rows = self._gather(part.indices, columns)
            if part.absent is not None:
                rows[part.absent] = 0
            sums = kind.total(rows, part.weights)
            total = sums if total is None else kind.combine([total, sums])
        assert total is not None  # groups of empty bags do not come here
        return total

    def _gather(self, indices: np.ndarray, columns: slice) -> np.ndarray:
        """Copy rows into scratch memory: indices [bags, steps] -> [bags, steps, columns]."""
        flat = indices.reshape(-1)
        width = columns.stop - columns.start
        rows = scratch((flat.size, width), self._dtype, "rows")
        if self._takes and width == self.width:
            # The indices are known to be in range: "clip" spares a second look, and the copy that "raise" makes.
            self._table.take(flat, axis=0, out=rows, mode="clip")
        elif width == self.width:
            rows[...] = self._table[flat].reshape(rows.shape)
        elif self._takes:
            rows[...] = self._table[flat, columns]
        else:
            for row, index in zip(rows, flat.tolist(), strict=True):
                row[...] = self._table[index].reshape(-1)[columns]
        return rows.reshape(*indices.shape, width)
