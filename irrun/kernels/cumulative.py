"""Cumulative sums: floats in f64, rounded once; integers wrapped in their type, with a notice."""

from __future__ import annotations

import numpy as np

from irrun.kernels.cast import is_float
from irrun.kernels.integers import WORD, fit
from irrun.kernels.rounding import narrow


def cumulative_sum(data: np.ndarray, axis: int, *, exclusive: bool = False, reverse: bool = False) -> np.ndarray:
    """Each element's sum with those before it on the axis; `reverse`: from the end, `exclusive`: without itself."""
    ahead = np.flip(data, axis) if reverse else data
    if exclusive:
        ahead = _delayed(ahead, axis)
    sums = _sums(ahead, axis)
    return np.flip(sums, axis) if reverse else sums


def _delayed(data: np.ndarray, axis: int) -> np.ndarray:
    """The elements one place later on the axis, with a zero at its start and without the last one."""
    delayed = np.zeros(data.shape, data.dtype)
    rows, later = np.moveaxis(data, axis, 0), np.moveaxis(delayed, axis, 0)
    later[1:] = rows[:-1]
    return delayed


def _sums(data: np.ndarray, axis: int) -> np.ndarray:
    if is_float(data.dtype):
        return narrow(np.add.accumulate(data.astype(np.float64, copy=False), axis=axis), data.dtype)
    if data.dtype.itemsize < WORD.dtype.itemsize:
        return fit(np.add.accumulate(data, axis=axis, dtype=np.int64), data.dtype, "a cumulative sum")
    largest = max(int(data.max()), -int(data.min())) if data.size else 0
    if largest * data.shape[axis] <= WORD.max:
        return np.add.accumulate(data, axis=axis)
    return fit(np.add.accumulate(data.astype(object), axis=axis), data.dtype, "a cumulative sum")
