"""Sums of floats whose error does not grow with their length.

A box is summed in two levels: short runs in a type at least as wide as the data's, and what the runs give in f64. Both
by BLAS where it can, as measured faster than any ufunc: runs of the innermost axis as a matrix times a vector of ones,
rows of any other axis as a row of ones times 32 of them, of which BLAS adds 4 or 8 at a time.

OpenBLAS divides a product between its own threads, and so adds in another order, from 460,800 elements of f32 and some
9,000 of f64 on: all of these stay below.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from irrun.kernels.layout import alternates, merge, reduced_axes

RUN = 96  # the longest run summed in f32 by BLAS: at most 2.7 ulp off, for the worst data
SHORTEST = 32  # a run that divides the axis evenly is worth this much shortness
EINSUM_RUN = 128  # the longest run summed by einsum, in 16 streams: at most 2.2 ulp off
LONG = 1 << 15  # from this length on innermost axes are folded into rows
ROWS = 32  # rows summed at once: at most 2 ulp off
FOUR = 4  # BLAS takes columns, and runs, four by four; what is left over it adds with fewer streams, 8 or 4 ulp off
WIDEST = 4096  # elements of such a row
WIDE = 1024  # narrower rows are put side by side up to about this
PRODUCT = 1 << 17  # elements of a matrix times a vector of ones
EXACT_PRODUCT = 1 << 13  # the same in f64

Widen = Callable[[np.ndarray], np.ndarray]


def add_up(partials: list[np.ndarray]) -> np.ndarray:
    """Add partial sums in f64, in their order."""
    return np.asarray(np.add.reduce(np.stack(partials), axis=0))


@dataclass(frozen=True, slots=True)
class FloatBox:
    """Sums a box of f32, or of what `widen` makes f32 of, to f64.

    widen: a box of any layout -> a contiguous f32 array of its shape, or None where the box is f32 already.
    run: the longest run summed in f32 by BLAS, a multiple of 8. far: whether boxes come from beyond every cache, where
    einsum is as fast, and its runs may be longer.
    """

    widen: Widen | None = None
    run: int = RUN
    far: bool = False

    def __call__(self, box: np.ndarray, kept: tuple[bool, ...]) -> np.ndarray:
        """Sum the axes of `box` that are not kept."""
        if self.widen is not None:
            box, kept = merge(self.widen(box), kept)
        elif not _straight(box, kept):
            box, kept = merge(np.array(box, dtype=np.float32, order="C"), kept)
        if all(kept):
            return box.astype(np.float64)
        if kept[-1]:
            sums, left = self._rows(box), kept[:-2] + kept[-1:]
        else:
            sums, left = self._runs(box), kept[:-1]
        rest = reduced_axes(left)
        return np.add.reduce(sums, axis=rest) if rest else sums

    def _runs(self, box: np.ndarray) -> np.ndarray:
        """Sum the last axis: [..., n] -> [...]."""
        length = box.shape[-1]
        if length <= self.run:
            return times_ones(box).astype(np.float64)
        if length >= LONG:
            whole = length // LONG * LONG
            folded = box[..., :whole].reshape(*box.shape[:-1], whole // WIDE, WIDE)
            sums = np.add.reduce(self._rows(folded), axis=-1)
            return np.asarray(sums if whole == length else sums + self._runs(box[..., whole:]))
        run = self.run_of(length)
        if run and box.flags.c_contiguous:  # all runs lie one after the other: a tall matrix
            parts = np.empty((*box.shape[:-1], length // run), np.float32)
            self.sum_runs(box.reshape(-1, run), parts.reshape(-1))
            return times_ones(parts.astype(np.float64), product=EXACT_PRODUCT)
        run = max(EINSUM_RUN, self.run)
        whole = length // run * run
        sums = np.zeros(box.shape[:-1])
        if whole:
            parts = np.einsum("...i->...", box[..., :whole].reshape(*box.shape[:-1], length // run, run))
            sums = times_ones(parts.astype(np.float64), product=EXACT_PRODUCT)
        return sums if whole == length else sums + np.einsum("...i->...", box[..., whole:])

    def run_of(self, length: int) -> int:
        """Return how long runs are that divide so many elements evenly, or 0."""
        if length <= self.run:
            return length
        return (self.far and divisor_of(length, EINSUM_RUN, self.run, 16)) or divisor_of(length, self.run, SHORTEST, 8)

    def sum_runs(self, matrix: np.ndarray, out: np.ndarray) -> None:
        """Sum runs that lie one after the other, [n, run] -> [n], by what is as exact for so long ones."""
        if matrix.shape[-1] <= self.run:
            times_ones(matrix, out)
        else:
            np.einsum("ij->i", matrix, out=out)

    def _rows(self, box: np.ndarray) -> np.ndarray:
        """Sum the last axis but one: [..., n, width] -> [..., width]."""
        *outer, length, width = box.shape
        beside = min(WIDE // width, length)
        if width % FOUR and width <= WIDE:
            beside = min(-(-beside // FOUR) * FOUR, length)
        if beside <= 1:
            return _rows_of_ones(box)
        if box.strides[-2] != width * box.itemsize:
            box = np.ascontiguousarray(box)
        whole = length // beside * beside
        wide = box[..., :whole, :].reshape(*outer, length // beside, beside * width)
        sums = np.add.reduce(_rows_of_ones(wide).reshape(*outer, beside, width), axis=-2)
        return sums if whole == length else sums + np.add.reduce(box[..., whole:, :], axis=-2, dtype=np.float64)


def _straight(box: np.ndarray, kept: tuple[bool, ...]) -> bool:
    """Tell whether BLAS and einsum can work on the box as it lies."""
    unit = box.strides[-1] == box.itemsize
    native = box.dtype == np.float32 and box.dtype.isnative
    return native and unit and box.flags.aligned and alternates(kept)


@lru_cache(maxsize=256)
def divisor_of(length: int, most: int, least: int, step: int) -> int:
    """Return the largest divisor of `length` among `most`, `most - step` and so on down to `least`, or 0."""
    return next((run for run in range(most, least - 1, -step) if length % run == 0), 0)


@lru_cache(maxsize=256)
def row_of_ones(count: int, dtype: np.dtype) -> np.ndarray:
    """Return so many ones, made once."""
    ones = np.ones(count, dtype)
    ones.flags.writeable = False
    return ones


def times_ones(box: np.ndarray, out: np.ndarray | None = None, *, product: int = PRODUCT) -> np.ndarray:
    """Sum a short last axis, [..., n, short] -> [..., n], as matrices times a vector of ones.

    A matrix has `product` elements at most: of f32 PRODUCT, of f64 EXACT_PRODUCT.
    """
    *outer, length, short = box.shape
    ones = row_of_ones(short, box.dtype)
    rows = max(FOUR, product // short // FOUR * FOUR)
    whole, even = length // rows * rows, length // FOUR * FOUR
    sums = np.empty((*outer, length), box.dtype) if out is None else out
    if whole:
        many = box[..., :whole, :].reshape(*outer, length // rows, rows, short)
        np.matmul(many, ones, out=sums[..., :whole].reshape(*outer, length // rows, rows))
    if whole < even:
        np.matmul(box[..., whole:even, :], ones, out=sums[..., whole:even])
    if even < length:
        np.einsum("...i->...", box[..., even:, :], out=sums[..., even:])
    return sums


def _rows_of_ones(box: np.ndarray) -> np.ndarray:
    """Sum the last axis but one, [..., n, width] -> [..., width] in f64, as rows of ones times blocks of rows."""
    *outer, length, width = box.shape
    whole, even = length // ROWS, width // FOUR * FOUR
    odd = length - length % FOUR
    sums = np.zeros((*outer, width))
    if whole and even:
        blocks = box[..., : whole * ROWS, :even].reshape(*outer, whole, ROWS, even)
        np.add.reduce(ones_times(blocks), axis=-2, dtype=np.float64, out=sums[..., :even])
    for rest in (slice(whole * ROWS, odd), slice(odd, length)):
        if rest.start < rest.stop and even:
            sums[..., :even] += ones_times(box[..., rest, :even])
    if even < width:
        np.add.reduce(box[..., even:], axis=-2, dtype=np.float64, out=sums[..., even:])
    return sums


def ones_times(blocks: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """Sum the last axis but one, [..., few, width] -> [..., width], as a row of ones times blocks of columns."""
    *outer, rows, width = blocks.shape
    ones = row_of_ones(rows, np.dtype(np.float32))[np.newaxis]
    sums = np.empty((*outer, width), np.float32) if out is None else out
    whole = width // WIDEST
    if whole:
        split = blocks[..., : whole * WIDEST].reshape(*outer, rows, whole, WIDEST).swapaxes(-2, -3)
        np.matmul(ones, split, out=sums[..., : whole * WIDEST].reshape(*outer, whole, 1, WIDEST))
    if whole * WIDEST < width:
        np.matmul(ones, blocks[..., whole * WIDEST :], out=sums[..., np.newaxis, whole * WIDEST :])
    return sums
