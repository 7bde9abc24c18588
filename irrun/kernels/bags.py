"""Sums of gathered table rows, bag by bag, without the tensor of all gathered rows.

Rows are gathered some bags at a time into memory that stays in cache; bags of one length are summed together, and a bag
that is too long for one gathering is summed in several. What is gathered together depends on the shapes and offsets
alone, so the number of threads never shows in the result.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from irrun.kernels.bag_kinds import COLUMNS, GATHERED, SINGLE, BagKind, Straight, kind_of, straight_of
from irrun.kernels.parallel import share
from irrun.kernels.rounding import narrow
from irrun.kernels.scratch import scratch
from irrun.kernels.sums import FOUR

# Each thread gathers up to 2 MiB; so many of them stay within 8 MiB.
MOST_THREADS = 3
WIDEST = 1 << 14  # columns gathered at once: wider rows are summed in parts
MOST_ROWS = 1 << 14  # rows gathered at once: their indices and positions take memory too
MOST_RESULTS = 1 << 15  # results summed at once, in f64
SMALL = 1 << 14  # up to this many elements are gathered at once and added in f64
FEW = 32  # up to this many indices Python finds the least sooner than NumPy
NANOSECONDS_PER_BYTE = 0.15
CHECKED = 1 << 20  # indices looked at together when one of them is known to be wrong


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
    _check_indices(table.shape[0], indices)
    batch = len(offsets) - 1
    work = _Work(table, batch, mean)
    pieces = list(_cut(offsets, work.rows_at_once)) if work.width else []

    def fill(piece: int) -> None:
        start, stop = pieces[piece]
        starts = offsets[start : stop + 1].astype(np.int64)
        for group, chosen in _of_one_length(starts, indices, weights):
            work.fill(group, start + chosen)

    share(fill, len(pieces), _seconds(indices.size * work.width, table.dtype), MOST_THREADS)
    return work.result.reshape(batch, *table.shape[1:])


def packed(
    table: np.ndarray, indices: np.ndarray, weights: np.ndarray | None = None, *, mean: bool = False
) -> np.ndarray:
    """Sum, or average, the table rows `indices[b]` of each bag b.

    table [rows, *dims], indices [batch, per_bag], weights [batch, per_bag] of the table's type or None ->
    [batch, *dims] of the table's type. BagIndexError for the first index outside the table.
    """
    width = table.size // (len(table) or 1)
    takes = _takes(table)
    if 0 < indices.size * width <= SMALL and table.itemsize < 8 and table.dtype.kind not in "iu" and takes:
        return _small(table, indices, weights, mean)
    _check_indices(len(table), indices)
    batch, per_bag = indices.shape
    if takes and 0 < per_bag <= SINGLE and 0 < width <= COLUMNS and width % FOUR == 0:
        straight = straight_of(table.dtype)
        if straight is not None and (result := _straight(table, indices, weights, mean, straight)) is not None:
            return result
    work = _Work(table, batch, mean)
    at_once = max(1, work.rows_at_once // max(1, per_bag))
    pieces = -(-batch // at_once) if work.width and per_bag else 0

    def fill(piece: int) -> None:
        these = slice(piece * at_once, min((piece + 1) * at_once, batch))
        work.fill(_Group(indices[these], None if weights is None else weights[these]), these)

    share(fill, pieces, _seconds(indices.size * width, table.dtype), MOST_THREADS)
    return work.result.reshape(batch, *table.shape[1:])


def _seconds(elements: int, dtype: np.dtype) -> float:
    """Estimate what gathering and summing so many elements takes on one thread."""
    return elements * dtype.itemsize * NANOSECONDS_PER_BYTE * 1e-9


def _takes(table: np.ndarray) -> bool:
    """Tell whether `take` works on the table as it lies: it copies a whole other one, where indexing copies rows."""
    flags = table.flags
    return flags.c_contiguous and flags.aligned and table.dtype.isnative


def _small(table: np.ndarray, indices: np.ndarray, weights: np.ndarray | None, mean: bool) -> np.ndarray:
    """Sum a few rows of floats of at most 32 bits, all gathered at once, in f64, which no sum of them overflows.

    Entering an errstate would take a fifth of the time: NumPy tells here of infinities that cancel, as it always does.
    """
    least = min(indices.ravel().tolist()) if indices.size <= FEW else int(indices.min())
    if least < 0 or indices.dtype.kind == "u":  # take counts from the end, and wraps what is beyond i64
        _check_indices(len(table), indices)
    try:  # at the others it looks itself
        rows = table.take(indices, 0)
    except IndexError:
        _check_indices(len(table), indices)
        raise
    if table.dtype.kind == "V":
        rows = rows.astype(np.float32)
        weights = None if weights is None else weights.astype(np.float32)
    if weights is None:
        sums = np.add.reduce(rows, 1, np.float64)
    else:
        sums = np.einsum("bk,bk...->b...", weights, rows, dtype=np.float64)
    if mean:
        sums = sums / indices.shape[1]
    return sums.astype(table.dtype) if table.dtype.kind == "f" and table.itemsize > 1 else narrow(sums, table.dtype)


def _straight(
    table: np.ndarray, indices: np.ndarray, weights: np.ndarray | None, mean: bool, how: Straight
) -> np.ndarray | None:
    """Sum short bags of floats of at most 32 bits by BLAS, one product a bag, and round the sums into the result.

    None where a sum is not finite: it may be one that f32 did not hold on the way.
    """
    batch, per_bag = indices.shape
    width = table.size // len(table)
    rows_of = table.reshape(len(table), width)
    result = np.empty((batch, 1, width), table.dtype)
    ones = np.ones((1, 1, per_bag), np.float32)
    divisor = how.scale * (per_bag if mean else 1)
    at_once = max(1, GATHERED // (width * per_bag))
    unsettled: list[int] = []

    def fill(piece: int) -> None:
        these = slice(piece * at_once, min((piece + 1) * at_once, batch))
        chosen = indices[these].reshape(-1)
        rows = scratch((chosen.size, width), table.dtype, "rows")
        rows_of.take(chosen, axis=0, out=rows, mode="clip")
        wide = (rows if how.widen is None else how.widen(rows)).reshape(-1, per_bag, width)
        factors = ones if weights is None else weights[these, np.newaxis].astype(np.float32, copy=False)
        into = result[these]
        sums = into if how.widen is None else np.empty(into.shape, np.float32)
        with np.errstate(all="ignore"):
            np.matmul(factors, wide, out=sums)
        if not np.isfinite(sums).all():
            unsettled.append(piece)
        elif mean:
            into[...] = narrow(sums / np.float64(divisor), table.dtype)
        elif divisor != 1:
            np.divide(sums, np.float32(divisor), out=sums)  # by a power of two
            into[...] = sums
        elif sums is not into:
            into[...] = sums

    share(fill, -(-batch // at_once), _seconds(indices.size * width, table.dtype), how.threads)
    return None if unsettled else result.reshape(batch, *table.shape[1:])


def _check_indices(rows: int, indices: np.ndarray) -> None:
    """Raise BagIndexError for the first index that is not 0 <= index < rows."""
    unsigned = indices.view(indices.dtype.str.replace("i", "u"))  # negative ones are the largest now
    if not indices.size or int(unsigned.max()) < rows:
        return
    flat = indices.reshape(-1)
    for start in range(0, flat.size, CHECKED):
        some = flat[start : start + CHECKED]
        wrong = (some < 0) | (some >= rows)
        if wrong.any():
            at = start + int(np.argmax(wrong))
            position = tuple(int(place) for place in np.unravel_index(at, indices.shape))
            raise BagIndexError(position, int(flat[at]), rows)


def _cut(offsets: np.ndarray, rows: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of bags that hold at most `rows` indices together, or are one bag."""
    start, batch = 0, len(offsets) - 1
    while start < batch:
        most = np.searchsorted(offsets[start : start + MOST_ROWS + 1], int(offsets[start]) + rows, side="right")
        stop = min(batch, max(start + 1, start + int(most) - 1))
        yield start, stop
        start = stop


@dataclass(frozen=True, slots=True)
class _Group:
    """Bags of one length: indices and weights [bags, per_bag]."""

    indices: np.ndarray
    weights: np.ndarray | None

    def part(self, chosen: slice, steps: slice = slice(None)) -> _Group:
        """Take some of the bags, and of these some steps."""
        weights = None if self.weights is None else self.weights[chosen, steps]
        return _Group(self.indices[chosen, steps], weights)


def _of_one_length(
    offsets: np.ndarray, indices: np.ndarray, weights: np.ndarray | None
) -> Iterator[tuple[_Group, np.ndarray]]:
    """Yield bags grouped by their length, with their numbers; empty bags are left out."""
    lengths = np.diff(offsets)
    for length in np.unique(lengths[lengths > 0]).tolist():
        chosen = np.flatnonzero(lengths == length)
        starts = offsets[chosen]
        if int(starts[-1] - starts[0]) == length * (len(starts) - 1):  # one after the other: no need to look them up
            where: slice | np.ndarray = slice(int(starts[0]), int(starts[-1]) + length)
        else:
            where = (starts[:, np.newaxis] + np.arange(length)).reshape(-1)
        shape = (len(chosen), length)
        yield _Group(indices[where].reshape(shape), None if weights is None else weights[where].reshape(shape)), chosen


class _Work:
    """One call: the table, and the results so far."""

    def __init__(self, table: np.ndarray, batch: int, mean: bool) -> None:
        self.dtype = table.dtype if table.dtype.isnative else table.dtype.newbyteorder("=")
        self.width = math.prod(table.shape[1:])
        self.kind = kind_of(self.dtype)
        self.mean = mean
        self.result = np.zeros((batch, self.width), self.dtype)
        self.rows_at_once = max(1, min(self.kind.elements // max(1, min(self.width, WIDEST)), MOST_ROWS))
        self._takes = _takes(table)
        self._table = table.reshape(table.shape[0], self.width) if self._takes else table

    def fill(self, group: _Group, into: slice | np.ndarray) -> None:
        """Write the results of a group of bags."""
        bags, per_bag = group.indices.shape
        result = self.result[into] if isinstance(into, slice) else np.empty((bags, self.width), self.dtype)
        for left in range(0, self.width, WIDEST):
            columns = slice(left, min(left + WIDEST, self.width))
            width = columns.stop - left
            at_once = max(1, min(self.kind.elements // (width * per_bag), MOST_RESULTS // width))
            for first in range(0, bags, at_once):
                some = slice(first, first + at_once)
                result[some, columns] = self._values(self.kind, group.part(some), columns)
        if not isinstance(into, slice):
            self.result[into] = result

    def _values(self, kind: BagKind, group: _Group, columns: slice) -> np.ndarray:
        """Sum or average some bags over some columns: [bags, columns]."""
        with np.errstate(all="ignore"):
            sums = self._sums(kind, group, columns)
        values = kind.finish(sums, group.indices.shape[1] if self.mean else 1)
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
            sums = kind.total(rows, part.weights)
            total = sums if total is None else kind.combine([total, sums])
        assert total is not None  # groups of empty bags do not come here
        return total

    def _gather(self, indices: np.ndarray, columns: slice) -> np.ndarray:
        """Copy the rows of `indices` [bags, steps] into scratch memory: [bags, steps, columns]."""
        flat = indices.reshape(-1).astype(np.intp, copy=False)
        width = columns.stop - columns.start
        rows = scratch((flat.size, width), self.dtype, "rows")
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
