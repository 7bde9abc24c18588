"""How the gathered rows of some bags are summed, for each kind of element.

Floats up to 32 bits are multiplied with their weights and added by BLAS in runs of at most 64 rows, the runs in f64;
f64 in pairs that carry what they lose; integers exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import ml_dtypes
import numpy as np

from irrun.kernels import integers
from irrun.kernels.doubles import PLAIN_LEVELS, divide_doubles, sum_pairs, two_sum
from irrun.kernels.rounding import narrow
from irrun.kernels.scratch import scratch
from irrun.kernels.sums import FOUR
from irrun.kernels.widen import HALF_SCALE, copied, widen_half

SINGLE = 64  # a bag of so many rows is summed in f32 at once: at most 3.7 ulp off, for the worst data
RUN = 32  # longer ones in runs of this many, each at most 2 ulp off
RUN_OF_MEANS = 8  # means, whose last place may be half as large as their sum's, in still shorter ones
# OpenBLAS divides products of 460,800 elements and more between its own threads; SINGLE times this stays below.
COLUMNS = 4096
GATHERED = 1 << 19  # elements gathered at once
SMALLER = 2.0**-64

Weights = np.ndarray | None


@dataclass(frozen=True, slots=True)
class BagKind:
    """How bags of one element type are summed.

    total: rows [bags, per_bag, width] as gathered, weights [bags, per_bag] or None -> partial sums [bags, width].
    combine: partial sums of the same bags, in order -> one. finish: (sums, divisor) -> values of the table's type.
    settled: which sums can be finished; the others are done with `again`. elements: how many are gathered at once.
    """

    total: Callable[[np.ndarray, Weights], np.ndarray]
    combine: Callable[[list[np.ndarray]], np.ndarray]
    finish: Callable[[np.ndarray, int], np.ndarray]
    elements: int
    again: BagKind | None = None
    settled: Callable[[np.ndarray], np.ndarray] = np.isfinite


@lru_cache(maxsize=64)
def kind_of(dtype: np.dtype, mean: bool = False) -> BagKind:
    """Choose how bags of native `dtype` are summed, for a mean or not."""
    if dtype.kind in "iu":
        return _integer_kind(dtype)
    carrying = _carrying_kind(dtype, 1.0)
    if dtype == np.float64:
        return replace(carrying, again=_carrying_kind(dtype, SMALLER))
    how = straight_of(dtype) or Straight(copied(np.float32), 1.0, threads=1)
    elements = GATHERED if how.widen is None else GATHERED // 2
    return BagKind(
        _blas_total(how.widen, RUN_OF_MEANS if mean else RUN), _add, _finish(dtype, how.scale), elements, carrying
    )


@dataclass(frozen=True, slots=True)
class Straight:
    """How short bags of floats of at most 32 bits are summed.

    widen: gathered rows -> f32, or None where they are; scale: what that multiplies them with. threads: how many take
    part at most: what each gathers at once, and makes of it, is 2 MiB, or 3 where it is widened.
    """

    widen: Callable[[np.ndarray], np.ndarray] | None
    scale: float
    threads: int


def straight_of(dtype: np.dtype) -> Straight | None:
    """Choose how short bags of native `dtype` are summed; None where f32 cannot hold its elements."""
    return _STRAIGHT.get(dtype)


_STRAIGHT = {
    np.dtype(np.float32): Straight(None, 1.0, threads=3),
    np.dtype(np.float16): Straight(widen_half, HALF_SCALE, threads=2),
    np.dtype(ml_dtypes.bfloat16): Straight(copied(np.float32), 1.0, threads=2),
}


def _blas_total(
    widen: Callable[[np.ndarray], np.ndarray] | None, run: int
) -> Callable[[np.ndarray, Weights], np.ndarray]:
    def total(rows: np.ndarray, weights: Weights) -> np.ndarray:
        wide = rows if widen is None else widen(rows)
        bags, per_bag, width = wide.shape
        factors = np.ones((1, per_bag), np.float32) if weights is None else weights.astype(np.float32)
        sums = np.empty((bags, width))
        even = width // FOUR * FOUR
        for start in range(0, even, COLUMNS):
            columns = slice(start, min(start + COLUMNS, even))
            sums[:, columns] = sum_runs(wide[..., columns], factors, run)
        if even < width:
            np.add.reduce(wide[..., even:] * factors[..., np.newaxis].astype(np.float64), axis=1, out=sums[:, even:])
        return sums

    return total


def sum_short(wide: np.ndarray, factors: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """Add factors [bags or 1, per_bag] times rows [bags, per_bag, width] to f32 [bags, width]."""
    return np.matmul(factors[:, np.newaxis], wide, out=None if out is None else out[:, np.newaxis])[:, 0]


def sum_runs(wide: np.ndarray, factors: np.ndarray, run: int = RUN) -> np.ndarray:
    """Add factors [bags or 1, per_bag] times rows [bags, per_bag, width] in runs, to f64 [bags, width]."""
    bags, per_bag, width = wide.shape
    if per_bag <= run:
        return sum_short(wide, factors).astype(np.float64)
    runs = per_bag // run
    whole = runs * run
    split = wide[:, :whole].reshape(bags, runs, run, width)
    parts = np.matmul(factors[:, :whole].reshape(-1, runs, 1, run), split)[:, :, 0]
    sums = np.asarray(np.add.reduce(parts, axis=1, dtype=np.float64))
    if whole < per_bag:
        sums += sum_short(wide[:, whole:], factors[:, whole:])
    return sums


def _add(partials: list[np.ndarray]) -> np.ndarray:
    return np.asarray(sum(partials[1:], start=partials[0]))


def _finish(dtype: np.dtype, scale: float) -> Callable[[np.ndarray, int], np.ndarray]:
    def finish(sums: np.ndarray, divisor: int) -> np.ndarray:
        by = divisor * scale
        return narrow(sums if by == 1 else sums / by, dtype)

    return finish


def _carrying_kind(dtype: np.dtype, scale: float) -> BagKind:
    """Return the sum in f64, of rows times `scale`, as sums and what they have lost: [2, bags, width]."""

    def total(rows: np.ndarray, weights: Weights) -> np.ndarray:
        wide = scratch(rows.shape, np.float64)
        np.copyto(wide, rows, casting="unsafe")
        if scale != 1:
            wide *= scale
        if weights is not None:
            wide *= weights.astype(np.float64)[..., np.newaxis]
        sums = sum_pairs(wide, 1, PLAIN_LEVELS)
        return np.stack([sums, np.zeros_like(sums)])

    def finish(carried: np.ndarray, divisor: int) -> np.ndarray:
        sums, losses = carried
        exact = np.where(np.isfinite(sums), sums + losses, sums)
        return narrow(divide_doubles(exact, divisor * scale, mean=divisor > 1), dtype)

    return BagKind(total, _combine_carried, finish, 1 << 17, settled=lambda carried: np.isfinite(carried[0]))


def _combine_carried(partials: list[np.ndarray]) -> np.ndarray:
    sums, losses = partials[0]
    for more, more_losses in partials[1:]:
        sums, error = two_sum(sums, more)
        losses = losses + more_losses + error
    return np.stack([sums, losses])


def _integer_kind(dtype: np.dtype) -> BagKind:
    def finish(sums: np.ndarray, divisor: int) -> np.ndarray:
        return integers.fit(integers.divide(sums, divisor) if divisor != 1 else sums, dtype, "a bag's sum")

    return BagKind(_integer_total, integers.combine_integers, finish, 1 << 17)


def _integer_total(rows: np.ndarray, weights: Weights) -> np.ndarray:
    if weights is None:
        return integers.sum_box(rows, (True, False, True))
    factors = weights[..., np.newaxis]
    if integers.largest(rows) * integers.largest(weights) * rows.shape[1] <= integers.WORD.max:
        products = rows.astype(np.int64) * factors.astype(np.int64)
        return np.asarray(np.add.reduce(products, axis=1))
    return np.asarray(np.add.reduce(rows.astype(object) * factors.astype(object), axis=1))
