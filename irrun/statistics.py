"""What a person wants to know of a tensor at a glance: its range, its mean, and what in it is no finite number."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from irrun.kernels.cast import is_float

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Statistics:
    """Least, greatest and mean of the finite values, None where there are none, and how many are not finite.

    Integers are exact; a boolean counts as 0 or 1.
    """

    count: int
    least: int | float | None
    greatest: int | float | None
    mean: float | None
    nans: int = 0
    infinities: int = 0


def statistics(array: np.ndarray) -> Statistics | None:
    """The statistics of an array of numbers, in blocks, so that they need hardly any memory; None for strings."""
    if array.dtype.kind in "iub":
        return _of_integers(array)
    return _of_floats(array) if is_float(array.dtype) else None


def blocks(array: np.ndarray) -> Iterator[np.ndarray]:
    """The elements in order, as 1-D arrays of at most a million."""
    if array.flags.c_contiguous:
        flat = array.reshape(-1)
        for start in range(0, flat.size, _BLOCK):
            yield flat[start : start + _BLOCK]
    else:
        for start in range(0, array.size, _BLOCK):
            yield array.flat[start : start + _BLOCK]


def _of_integers(array: np.ndarray) -> Statistics:
    least: int | None = None
    greatest: int | None = None
    total = 0
    for block in blocks(array):
        part = block.view(np.uint8) if block.dtype.kind == "b" else block
        low, high = int(part.min()), int(part.max())
        least, greatest = low if least is None else min(least, low), high if greatest is None else max(greatest, high)
        if part.dtype.itemsize == 8:
            total += (int((part >> 32).sum()) << 32) + int((part & 0xFFFFFFFF).sum())
        else:
            total += int(part.sum(dtype=np.int64))
    return Statistics(array.size, least, greatest, total / array.size if array.size else None)


def _of_floats(array: np.ndarray) -> Statistics:
    least, greatest, total, finite, nans = math.inf, -math.inf, 0.0, 0, 0
    for block in blocks(array):
        wide = block.astype(np.float64)
        good = np.isfinite(wide)
        if not good.all():
            nans += int(np.count_nonzero(np.isnan(wide)))
            wide = wide[good]
        if wide.size:
            finite += wide.size
            least, greatest = min(least, float(wide.min())), max(greatest, float(wide.max()))
            total += _sum(wide)
    if not finite:
        return Statistics(array.size, None, None, None, nans, array.size - nans)
    mean = total / finite if math.isfinite(total) else _mean_scaled(array, finite)
    return Statistics(array.size, least, greatest, mean, nans, array.size - nans - finite)


def _sum(values: np.ndarray) -> float:
    with np.errstate(over="ignore"):
        return float(values.sum())


def _mean_scaled(array: np.ndarray, finite: int) -> float:
    """The mean of finite values whose sum is beyond f64."""
    total = 0.0
    for block in blocks(array):
        wide = block.astype(np.float64) * 2.0**-64
        total += _sum(wide[np.isfinite(wide)])
    return total / finite * 2.0**64
