"""Reductions of an array over axes: blocks in a type that holds them, combined so that the error does not grow."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import ml_dtypes
import numpy as np

from irrun.kernels.notice import notice

Rows = np.ndarray  # [kept, count], one row per result


@dataclass(frozen=True, slots=True)
class Reduction:
    """How a reduction treats a row of floats, a row of integers, and a row of no elements."""

    name: str
    floats: Callable[[Rows], np.ndarray]
    integers: Callable[[Rows], np.ndarray]
    empty: Callable[[np.dtype], object]
    single: Callable[[np.ndarray], np.ndarray] = np.positive


def reduce(data: np.ndarray, axes: tuple[int, ...], how: Reduction, *, keep_dims: bool = False) -> np.ndarray:
    """Reduce `data` over `axes` (0 <= axis < rank, each once, in any order), keeping its element type."""
    native = data.dtype.newbyteorder("=")
    kept_axes = [axis for axis in range(data.ndim) if axis not in axes]
    shape = tuple(data.shape[axis] for axis in kept_axes)
    count = math.prod(data.shape[axis] for axis in axes)
    final = tuple(1 if axis in axes else data.shape[axis] for axis in range(data.ndim)) if keep_dims else shape
    if count == 0:
        if how is MEAN and math.prod(shape):
            notice("mean over no elements is 0")
        return np.full(final, how.empty(native), dtype=native)
    rows = data.transpose(kept_axes + list(axes)).astype(native).reshape(math.prod(shape), count)
    with np.errstate(all="ignore"):
        if count == 1:
            result = rows[:, 0] if how.single is np.positive else how.single(rows[:, 0])
        elif native.kind in "iub":
            result = how.integers(rows)
        else:
            result = how.floats(rows)
    return np.array(result, dtype=native).reshape(final)


def _narrow(exact: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Round f64 once, to nearest even: through an f32 rounded to odd, because ml_dtypes would round twice."""
    if dtype in (np.float64, np.float32, np.float16):
        return exact.astype(dtype)
    single = np.atleast_1d(exact.astype(np.float32))
    bits = single.view(np.int32)
    inexact = np.isfinite(exact) & (single != exact)
    bits -= (inexact & (np.abs(single) > np.abs(exact))).astype(np.int32)
    bits |= inexact
    return single.reshape(exact.shape).astype(dtype)


def _sum_f64(rows: np.ndarray) -> np.ndarray:
    """Add rows of f64 pairwise, carrying what each addition rounds off."""
    lost = np.zeros(rows.shape[0])
    while rows.shape[1] > 1:
        if rows.shape[1] % 2:
            rows = np.concatenate([rows, np.zeros((rows.shape[0], 1))], axis=1)
        left, right = rows[:, 0::2], rows[:, 1::2]
        rows = left + right
        back = rows - left
        lost += ((left - (rows - back)) + (right - back)).sum(axis=1)
    total = rows[:, 0]
    return np.where(np.isfinite(total), total + lost, total)


def _mean_floats(rows: np.ndarray) -> np.ndarray:
    wide = rows.astype(np.float64)
    count = rows.shape[1]
    total = _sum_f64(wide)
    mean = total / count
    again = ~np.isfinite(total)
    if again.any():
        mean[again] = _sum_f64(wide[again] * 2.0**-64) / count * 2.0**64
    return _narrow(mean, rows.dtype)


def _sum_floats(rows: np.ndarray) -> np.ndarray:
    wide = rows.astype(np.float64)
    total = _sum_f64(wide)
    again = ~np.isfinite(total)
    if again.any():
        total[again] = _sum_f64(wide[again] * 2.0**-64) * 2.0**64
    return _narrow(total, rows.dtype)


def _l1_floats(rows: np.ndarray) -> np.ndarray:
    return _narrow(_sum_f64(np.abs(rows.astype(np.float64))), rows.dtype)


def _l2_floats(rows: np.ndarray) -> np.ndarray:
    wide = np.abs(rows.astype(np.float64))
    _, exponent = np.frexp(wide.max(axis=1))
    scaled = np.ldexp(wide, -exponent[:, None])
    return _narrow(np.ldexp(np.sqrt(_sum_f64(scaled * scaled)), exponent), rows.dtype)


def _prod_floats(rows: np.ndarray) -> np.ndarray:
    return _narrow(np.multiply.reduce(rows.astype(np.float64), axis=1), rows.dtype)


def _exact(rows: np.ndarray) -> list[int]:
    return [sum(row) for row in rows.tolist()]


def _mean_integers(rows: np.ndarray) -> np.ndarray:
    count = rows.shape[1]
    means = [total // count if total >= 0 else -(-total // count) for total in _exact(rows)]
    return np.array(means, dtype=rows.dtype)


def _wrap(exact: list[int], dtype: np.dtype, what: str) -> np.ndarray:
    limits = np.iinfo(dtype)
    if any(not limits.min <= value <= limits.max for value in exact):
        notice(f"{what} wraps: it does not fit {dtype.name}")
    low = [value % 2**64 for value in exact]
    return np.array(low, dtype=np.uint64).astype(dtype)


def _sum_integers(rows: np.ndarray) -> np.ndarray:
    return _wrap(_exact(rows), rows.dtype, "a sum")


def _l1_integers(rows: np.ndarray) -> np.ndarray:
    return _wrap([sum(map(abs, row)) for row in rows.tolist()], rows.dtype, "a sum of magnitudes")


def _l2_integers(rows: np.ndarray) -> np.ndarray:
    roots = [math.isqrt(sum(value * value for value in row)) for row in rows.tolist()]
    return _wrap(roots, rows.dtype, "a root of a sum of squares")


def _prod_integers(rows: np.ndarray) -> np.ndarray:
    return _wrap([math.prod(row) for row in rows.tolist()], rows.dtype, "a product")


def _extreme_floats(choose: np.ufunc) -> Callable[[Rows], np.ndarray]:
    def extreme(rows: np.ndarray) -> np.ndarray:
        wide = rows if rows.dtype == np.float64 else rows.astype(np.float32)
        return np.asarray(choose.reduce(wide, axis=1))

    return extreme


def _limits(dtype: np.dtype) -> np.iinfo | ml_dtypes.finfo:  # type: ignore[type-arg]
    return np.iinfo(dtype) if dtype.kind in "iu" else ml_dtypes.finfo(dtype)


def _with(fold: np.ufunc) -> Callable[[Rows], np.ndarray]:
    return lambda rows: np.asarray(fold.reduce(rows, axis=1))


MEAN = Reduction("mean", _mean_floats, _mean_integers, lambda dtype: 0)
SUM = Reduction("sum", _sum_floats, _sum_integers, lambda dtype: 0)
L1 = Reduction("L1 norm", _l1_floats, _l1_integers, lambda dtype: 0, np.abs)
L2 = Reduction("L2 norm", _l2_floats, _l2_integers, lambda dtype: 0, np.abs)
PROD = Reduction("product", _prod_floats, _prod_integers, lambda dtype: 1)
MAX = Reduction("maximum", _extreme_floats(np.maximum), _with(np.maximum), lambda dtype: _limits(dtype).min)
MIN = Reduction("minimum", _extreme_floats(np.minimum), _with(np.minimum), lambda dtype: _limits(dtype).max)
ALL = Reduction("all", _with(np.logical_and), _with(np.logical_and), lambda dtype: True)
ANY = Reduction("any", _with(np.logical_or), _with(np.logical_or), lambda dtype: False)
