"""Rows of an array replaced, or brought together with updates: exactly for integers, in f64 for narrower floats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from irrun.kernels.cast import is_float
from irrun.kernels.notice import notice
from irrun.kernels.rounding import narrow


@dataclass(frozen=True, slots=True)
class Scatter:
    """How an update is brought together with what stands there.

    `start` is what no updates come to; for the least or the greatest of them it is the other end of the type's range.
    """

    name: str
    numbers: np.ufunc
    booleans: np.ufunc
    start: int | None
    mean: bool = False


SUM = Scatter("sum", np.add, np.logical_or, 0)
SUB = Scatter("difference", np.subtract, np.logical_xor, 0)
PROD = Scatter("product", np.multiply, np.logical_and, 1)
MIN = Scatter("least", np.minimum, np.logical_and, None)
MAX = Scatter("greatest", np.maximum, np.logical_or, None)
MEAN = Scatter("mean", np.add, np.logical_or, 0, mean=True)


def scatter(rows: np.ndarray, places: np.ndarray, updates: np.ndarray, how: Scatter, *, keep: bool = True) -> None:
    """Bring updates together with the rows at their places, those of one place in their order.

    Without `keep` the rows themselves do not count; rows that no update names stay as they are.

    rows [n, *row], places [m], updates [m, *row]
    """
    touched, which = np.unique(places, return_inverse=True)
    wide = _wide_type(rows.dtype, how)
    standing = rows[touched].astype(wide)
    if not keep:
        standing[...] = _start(rows.dtype, how)
    combine = how.booleans if rows.dtype.kind == "b" else how.numbers
    with np.errstate(invalid="ignore"):  # NaN and infinities that meet are no news
        combine.at(standing, which, updates.astype(wide))
    if how.mean:
        counts = np.bincount(which, minlength=len(touched)) + keep
        standing = _divided(standing, counts.reshape(-1, *[1] * (rows.ndim - 1)))
    rows[touched] = _narrowed(standing, rows.dtype, how)


def _wide_type(dtype: np.dtype, how: Scatter) -> np.dtype:
    if dtype.kind == "b":
        return dtype
    if is_float(dtype):
        return np.dtype(np.float64)
    if dtype.itemsize == 8:
        return np.dtype(object) if how.mean else dtype
    return np.dtype(np.int64)


def _start(dtype: np.dtype, how: Scatter) -> Any:
    if how.start is not None:
        return how.start
    least = how is MIN
    if dtype.kind == "b":
        return least
    if is_float(dtype):
        return np.inf if least else -np.inf
    return np.iinfo(dtype).max if least else np.iinfo(dtype).min


def _divided(totals: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The means, those of integers rounded down."""
    return totals / counts if totals.dtype.kind == "f" else totals // counts


def _narrowed(values: np.ndarray, dtype: np.dtype, how: Scatter) -> np.ndarray:
    if is_float(dtype):
        return narrow(values, dtype)
    narrowed = values.astype(dtype)
    if values.dtype != dtype and not np.array_equal(narrowed, values):
        notice(f"a {how.name} does not fit {dtype.name} and wraps")
    return narrowed
