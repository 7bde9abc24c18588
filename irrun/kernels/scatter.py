"""Rows of an array brought together with updates: exactly for integers, in f64 for narrower floats."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irrun.kernels.cast import is_float
from irrun.kernels.notice import notice
from irrun.kernels.rounding import narrow


@dataclass(frozen=True, slots=True)
class Scatter:
    """How the updates of one row are brought together, and how that is with the row itself: the same way, or `onto`."""

    name: str
    numbers: np.ufunc
    booleans: np.ufunc
    onto: np.ufunc | None = None
    mean: bool = False


SUM = Scatter("sum", np.add, np.logical_or)
SUB = Scatter("difference", np.add, np.logical_xor, np.subtract)
PROD = Scatter("product", np.multiply, np.logical_and)
MIN = Scatter("least", np.minimum, np.logical_and)
MAX = Scatter("greatest", np.maximum, np.logical_or)
MEAN = Scatter("mean", np.add, np.logical_or, mean=True)


def scatter(rows: np.ndarray, places: np.ndarray, updates: np.ndarray, how: Scatter, *, keep: bool = True) -> None:
    """Bring updates together with the rows at their places, those of one place in their order.

    Without `keep` the rows themselves do not count; rows that no update names stay as they are.

    rows [n, *row], places [m], updates [m, *row]
    """
    if places.size == 0:
        return
    order = np.argsort(places, kind="stable")
    ordered = places[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    touched = ordered[starts]
    wide = _wide_type(rows.dtype, how)
    combine = how.booleans if rows.dtype.kind == "b" else how.numbers
    onto = combine if how.onto is None or rows.dtype.kind == "b" else how.onto
    with np.errstate(invalid="ignore"):  # NaN and infinities that meet are no news
        result = combine.reduceat(updates[order].astype(wide), starts, axis=0)
        if keep:
            result = onto(rows[touched].astype(wide), result)
    if how.mean:
        counts = np.diff(starts, append=len(places)) + keep
        result = _divided(result, counts.reshape(-1, *[1] * (rows.ndim - 1)))
    rows[touched] = _narrowed(result, rows.dtype, how)


def _wide_type(dtype: np.dtype, how: Scatter) -> np.dtype:
    if dtype.kind == "b":
        return dtype
    if is_float(dtype):
        return np.dtype(np.float64)
    if dtype.itemsize == 8:
        return np.dtype(object) if how.mean else dtype
    return np.dtype(np.int64)


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
