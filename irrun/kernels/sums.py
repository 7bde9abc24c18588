"""Sums of floats whose error does not grow with their length.

A box is summed in two levels: short runs in a type at least as wide as the data's, and what the runs give in f64. Which
NumPy primitive sums a run was chosen by measurement:

- a long innermost axis: einsum over runs of at most 128, which SSE adds in 16 streams;
- a short innermost axis: a matrix times a vector of ones, in products of at most 8,192 elements;
- any other axis: a row of ones times 32 rows of at most 4,096 elements, which BLAS adds 4 or 8 rows at a time.

OpenBLAS divides a product between its own threads, and so adds in another order, from 9,216 elements (double)
or 460,800 (single) on: all of these stay below.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from irrun.kernels.layout import alternates, merge

SHORT = 48  # innermost axes below this are summed by BLAS
LONG = 1 << 15  # and from this length on they are folded into rows
RUN = 128  # the longest run summed in f32: at most 2 ulp off, for the worst data
ROWS = 32  # rows summed at once: at most 2 ulp off
FOUR = 4  # BLAS adds 8 rows at once in columns taken four by four; what is left over it would add one by one
WIDEST = 4096  # elements of such a row
WIDE = 1024  # narrower rows are put side by side up to about this
PRODUCT = 8192  # elements of a matrix times a vector of ones
EXACT_PRODUCT = 4096  # the same in f64

Widen = Callable[[np.ndarray], np.ndarray]


def add_up(partials: list[np.ndarray]) -> np.ndarray:
    """Add partial sums in f64, in their order."""
    return np.asarray(np.add.reduce(np.stack(partials), axis=0))


@dataclass(frozen=True, slots=True)
class FloatBox:
    """Sums a box of f32, or of what `widen` makes f32 of, to f64.

    widen: a box of any layout -> a contiguous f32 array of its shape, or None where the box is f32 already.
    run: the longest run summed in f32, a multiple of 16.
    """

    widen: Widen | None = None
    run: int = RUN

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
        rest = tuple(axis for axis, keep in enumerate(left) if not keep)
        return np.add.reduce(sums, axis=rest) if rest else sums

    def _runs(self, box: np.ndarray) -> np.ndarray:
        """Sum the last axis: [..., n] -> [...]."""
        length = box.shape[-1]
        if length < SHORT:
            return _times_ones(box, np.float32, PRODUCT).astype(np.float64)
        if length >= LONG:
            whole = length // LONG * LONG
            folded = box[..., :whole].reshape(*box.shape[:-1], whole // WIDE, WIDE)
            sums = np.add.reduce(self._rows(folded), axis=-1)
            return sums if whole == length else sums + self._runs(box[..., whole:])
        run = _run_length(length, self.run)
        whole = length // run * run
        parts = _sum_runs(box[..., :whole], run)
        sums = parts[..., 0].astype(np.float64)
        if whole > run:
            sums = _times_ones(parts.astype(np.float64), np.float64, EXACT_PRODUCT)
        return sums if whole == length else sums + np.einsum("...i->...", box[..., whole:])

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


def _run_length(length: int, longest: int) -> int:
    """Return the largest divisor of `length` that is a good run, else 128."""
    for step, shortest in ((16, 64), (4, 96)):
        for run in range(longest - longest % step, shortest - 1, -step):
            if length % run == 0:
                return run
    return min(128, length)


def _times_ones(box: np.ndarray, dtype: type[np.floating], product: int) -> np.ndarray:
    """Sum a short last axis, [..., n, short] -> [..., n], as a matrix times a vector of ones."""
    ones = np.ones(box.shape[-1], dtype)
    *outer, length, short = box.shape
    rows = max(1, product // short)
    if length <= rows:
        return np.matmul(box, ones)
    whole = length // rows * rows
    sums = np.empty((*outer, length), dtype)
    many = box[..., :whole, :].reshape(*outer, length // rows, rows, short)
    np.matmul(many, ones, out=sums[..., :whole].reshape(*outer, length // rows, rows))
    if whole < length:
        np.matmul(box[..., whole:, :], ones, out=sums[..., whole:])
    return sums


def _sum_runs(box: np.ndarray, run: int) -> np.ndarray:
    """Sum every `run` elements of the last axis: [..., n * run] -> [..., n]."""
    shape = (*box.shape[:-1], box.shape[-1] // run)
    if box.flags.c_contiguous:  # with two axes einsum spends less time between runs
        return np.einsum("ij->i", box.reshape(-1, run)).reshape(shape)
    return np.asarray(np.einsum("...i->...", box.reshape(*shape, run)))


def _rows_of_ones(box: np.ndarray) -> np.ndarray:
    """Sum the last axis but one, [..., n, width] -> [..., width] in f64, as rows of ones times blocks of rows."""
    *outer, length, width = box.shape
    whole, rest, even = length // ROWS, length % ROWS, width // FOUR * FOUR
    sums = np.zeros((*outer, width))
    if whole and even:
        blocks = box[..., : whole * ROWS, :even].reshape(*outer, whole, ROWS, even)
        np.add.reduce(_ones_times(blocks), axis=-2, dtype=np.float64, out=sums[..., :even])
    if rest and even:
        sums[..., :even] += _ones_times(box[..., whole * ROWS :, :even])
    if even < width:
        np.add.reduce(box[..., even:], axis=-2, dtype=np.float64, out=sums[..., even:])
    return sums


def _ones_times(blocks: np.ndarray) -> np.ndarray:
    """Sum the last axis but one, [..., few, width] -> [..., width], as a row of ones times blocks of columns."""
    *outer, rows, width = blocks.shape
    ones = np.ones((1, rows), np.float32)
    sums = np.empty((*outer, width), np.float32)
    whole = width // WIDEST
    if whole:
        split = blocks[..., : whole * WIDEST].reshape(*outer, rows, whole, WIDEST).swapaxes(-2, -3)
        np.matmul(ones, split, out=sums[..., : whole * WIDEST].reshape(*outer, whole, 1, WIDEST))
    if whole * WIDEST < width:
        np.matmul(ones, blocks[..., whole * WIDEST :], out=sums[..., np.newaxis, whole * WIDEST :])
    return sums
