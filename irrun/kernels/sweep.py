"""Sums of floats of a few million elements in two levels, each over the whole array.

The short runs of the first level are what threads share; the second, a thirtieth of the data at most, is one call of
the caller's. Nothing else happens in between, where an array of 10 MiB is summed in a quarter of a millisecond.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from irrun.kernels.blocks import Blocks, for_two
from irrun.kernels.layout import Layout
from irrun.kernels.parallel import WORTH_SHARING, share
from irrun.kernels.scratch import scratch
from irrun.kernels.sums import (
    EXACT_PRODUCT,
    FOUR,
    LONG,
    ROWS,
    WIDE,
    WIDEST,
    FloatBox,
    Widen,
    ones_times,
    row_of_ones,
    run_length,
    times_ones,
)

MOST = 1 << 24  # elements: what the first level gives of more takes too much memory
FEW_ROWS = 8  # rows in a block, below which the first level leaves too much to the second
COPIED_PARTS = 1 << 18  # so many partial sums are copied to f64 and summed by BLAS


@dataclass(frozen=True, slots=True)
class Sweep:
    """How an array is summed so.

    matrix: the shape that the first level sees, of which it sums the last axis or, of three, the last but one.
    parts: the shape that the second level sees, of which it sums that axis. pieces: slices of the matrix.
    finish: totals in f64 -> the values asked for.
    """

    matrix: tuple[int, ...]
    parts: tuple[int, ...]
    pieces: tuple[slice, ...]
    widen: Widen | None
    finish: Callable[[np.ndarray], np.ndarray]
    seconds: float
    threads: int

    def __call__(self, view: np.ndarray) -> np.ndarray | None:
        """Sum a contiguous array as the layout has it; None where a total is not finite."""
        matrix = view.reshape(self.matrix)
        rows = len(self.matrix) == 3
        parts = scratch((self.matrix[0], self.matrix[-1]) if rows else self.matrix[:1], np.float32, "parts")

        def sum_piece(piece: int) -> None:
            which = self.pieces[piece]
            box = matrix[which] if self.widen is None else self.widen(matrix[which])
            if rows:
                ones_times(box, parts[which])
            else:
                times_ones(box, parts[which])

        with np.errstate(all="ignore"):
            share(sum_piece, len(self.pieces), self.seconds, self.threads)
            totals = self._sum_parts(parts.reshape(self.parts))
            finite = math.isfinite(np.add.reduce(totals, axis=None))
        return self.finish(totals) if finite else None

    def _sum_parts(self, parts: np.ndarray) -> np.ndarray:
        rows = len(self.parts) == 3
        if rows and (parts.size > COPIED_PARTS or math.prod(self.parts[1:]) > EXACT_PRODUCT):
            return np.asarray(np.add.reduce(parts, axis=-2, dtype=np.float64))
        wide = scratch(parts.shape, np.float64, "wide_parts")
        np.copyto(wide, parts)
        if rows:
            return np.matmul(row_of_ones(self.parts[1], wide.dtype), wide)
        return times_ones(wide, product=EXACT_PRODUCT)


def sweep_of(layout: Layout, how: Blocks) -> Sweep | None:
    """Plan a sweep that gives what `how`, whose blocks are FloatBoxes, gives block by block.

    None where the array has gaps or is too large, or its result is, or where runs or blocks of rows do not divide it.
    """
    box = how.per_block
    assert isinstance(box, FloatBox)
    size = math.prod(layout.shape)
    shapes = _rows(layout) if layout.kept[-1] else _runs(layout, box.run)
    if size > MOST or math.prod(layout.result_shape) > how.outputs or not layout.contiguous or shapes is None:
        return None
    matrix, parts = shapes
    seconds = size * how.nanoseconds * 1e-9
    most = for_two(size, how.elements) if seconds >= WORTH_SHARING else how.elements
    step = max(FOUR, most * matrix[0] // size // FOUR * FOUR)
    pieces = tuple(slice(start, min(start + step, matrix[0])) for start in range(0, matrix[0], step))
    return Sweep(matrix, parts, pieces, box.widen, how.finish, seconds, how.threads)


def _runs(layout: Layout, longest: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    if layout.kept != (True, False) or layout.shape[1] >= LONG:
        return None
    kept, length = layout.shape
    run = length if length <= longest else run_length(length, longest)
    return ((kept * length // run, run), (kept, length // run)) if run else None


def _rows(layout: Layout) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    if layout.kept not in {(True, False, True), (False, True)}:
        return None
    outer, length, width = (1, *layout.shape)[-3:]
    beside = min(max(1, WIDE // width), length)
    blocks = length // beside
    rows = next((rows for rows in range(min(ROWS, blocks), FEW_ROWS - 1, -1) if blocks % rows == 0), 0)
    if length % beside or not rows or width % FOUR or beside * width > WIDEST:
        return None
    return (outer * blocks // rows, rows, beside * width), (outer, blocks // rows * beside, width)
