"""Reductions and bags in exact rational arithmetic, slow and obvious: what the kernels are held against."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import ml_dtypes
import numpy as np

FLOATS = [
    np.dtype(kind)
    for kind in (np.float32, np.float64, np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2)
]
INTEGERS = [np.dtype(kind) for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")]
TYPES = FLOATS + INTEGERS
ULPS = 4


def numbers(values: np.ndarray) -> list[Fraction]:
    """The elements, exactly."""
    flat = np.asarray(values).ravel()
    return [Fraction(value) for value in (flat if flat.dtype.kind in "iu" else flat.astype(np.float64)).tolist()]


def rows(data: np.ndarray, axes: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], list[Fraction]]]:
    """Yield each index of the kept axes with the numbers that are reduced there."""
    kept = [axis for axis in range(data.ndim) if axis not in axes]
    moved = data.transpose(kept + list(axes))
    for at in itertools.product(*(range(size) for size in moved.shape[: len(kept)])):
        yield at, numbers(moved[at])


def ulp(magnitude: Fraction, dtype: np.dtype) -> Fraction:
    """The distance between neighbours of `dtype` at a magnitude."""
    about = ml_dtypes.finfo(dtype)
    exponent = max(about.minexp, math.frexp(magnitude)[1] - 1) if magnitude else about.minexp
    return Fraction(2) ** (exponent - about.nmant)


def fits(result: object, exact: Fraction, magnitude: Fraction, dtype: np.dtype) -> bool:
    """Whether a float result is within 4 ulp of the magnitude, or infinite where the exact one is too large."""
    got = float(result)
    if not math.isfinite(got):
        return abs(exact) > Fraction(float(ml_dtypes.finfo(dtype).max))
    return abs(Fraction(got) - exact) <= ULPS * ulp(magnitude, dtype)


def wrapped(number: int, dtype: np.dtype) -> int:
    """The number as `dtype` holds it."""
    bits = dtype.itemsize * 8
    low = number % 2**bits
    return low - 2**bits if dtype.kind == "i" and low >= 2 ** (bits - 1) else low
