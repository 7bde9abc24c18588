"""Sums of floats in two levels, each over the whole array.

The short runs of the first level are what threads share, a long call for each piece; the second, a thirtieth of the
data at most, is one call of the caller's. A thread that makes short calls in between would wait for the others' Python.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from irrun.kernels.blocks import Blocks, for_two
from irrun.kernels.layout import Layout
from irrun.kernels.parallel import WORTH_SHARING, share
from irrun.kernels.quiet import quietly
from irrun.kernels.scratch import scratch
from irrun.kernels.sums import (
    EXACT_PRODUCT,
    FOUR,
    LONG,
    ROWS,
    WIDE,
    WIDEST,
    FloatBox,
    ones_times,
    row_of_ones,
    times_ones,
)

MOST_PARTS = 1 << 19  # sums of the first level, which take 6 MiB
FEW_ROWS = 8  # rows in a block, below which the first level leaves too much to the second
COPIED_PARTS = 1 << 18  # so many partial sums are copied to f64 and summed by BLAS


@dataclass(frozen=True, slots=True)
class Sweep:
    """How an array is summed so.

    matrix: the shape that the first level sees, of which it sums the last axis or, of three, the last but one.
    parts: the shape that the second level sees, of which it sums that axis. folds: how many of its totals, one after
    another along the outermost axis, make one. pieces: slices of the matrix. finish: totals in f64 -> the values asked
    for.
    """

    matrix: tuple[int, ...]
    parts: tuple[int, ...]
    folds: int
    pieces: tuple[slice, ...]
    box: FloatBox
    finish: Callable[[np.ndarray], np.ndarray]
    seconds: float
    threads: int

    def __call__(self, view: np.ndarray) -> np.ndarray | None:
        """Sum a contiguous array as the layout has it; None where a total is not finite."""
        totals = quietly(self._sum, view)
        return None if totals is None else self.finish(totals)

    def _sum(self, view: np.ndarray) -> np.ndarray | None:
        matrix = view.reshape(self.matrix)
        rows = len(self.matrix) == 3
        parts = scratch((self.matrix[0], self.matrix[-1]) if rows else self.matrix[:1], np.float32, "parts")

        def sum_piece(piece: int) -> None:
            which = self.pieces[piece]
            some = matrix[which] if self.box.widen is None else self.box.widen(matrix[which])
            if rows:
                ones_times(some, parts[which])
            else:
                self.box.sum_runs(some, parts[which])

        share(sum_piece, len(self.pieces), self.seconds, self.threads)
        totals = self._sum_parts(parts.reshape(self.parts))
        if self.folds > 1:
            totals = np.add.reduce(totals.reshape(self.folds, -1), axis=0)
        return totals if math.isfinite(np.add.reduce(totals, axis=None)) else None

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
    shapes = _rows(layout) if layout.kept[-1] else _runs(layout, box)
    if shapes is None or not layout.contiguous or math.prod(layout.result_shape) > how.outputs:
        return None
    matrix, parts, folds = shapes
    if math.prod(parts) > MOST_PARTS:
        return None
    size = math.prod(layout.shape)
    seconds = size * how.nanoseconds * 1e-9
    most = for_two(size, how.elements) if seconds >= WORTH_SHARING else how.elements
    step = max(FOUR, most * matrix[0] // size // FOUR * FOUR)
    pieces = tuple(slice(start, min(start + step, matrix[0])) for start in range(0, matrix[0], step))
    return Sweep(matrix, parts, folds, pieces, box, how.finish, seconds, how.threads)


_Shapes = tuple[tuple[int, ...], tuple[int, ...], int]  # matrix, parts and folds


def _runs(layout: Layout, box: FloatBox) -> _Shapes | None:
    if layout.kept not in {(True, False), (False, True, False)} or layout.shape[-1] >= LONG:
        return None
    folds, kept, length = (1, *layout.shape)[-3:]
    run = box.run_of(length)
    if not run:
        return None
    rows = folds * kept
    return (rows * length // run, run), (rows, length // run), folds


def _rows(layout: Layout) -> _Shapes | None:
    if layout.kept not in {(True, False, True), (False, True)}:
        return None
    outer, length, width = (1, *layout.shape)[-3:]
    beside = min(max(1, WIDE // width), length)
    blocks = length // beside
    rows = next((rows for rows in range(ROWS, FEW_ROWS - 1, -FOUR) if blocks % rows == 0), 0)
    if length % beside or not rows or width % FOUR or beside * width > WIDEST:
        return None
    return (outer * blocks // rows, rows, beside * width), (outer, blocks // rows * beside, width), 1
