"""Reductions in exact rational arithmetic, slow and obvious: what the kernels are held against."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import ml_dtypes
import numpy as np

Row = list[Fraction]

FLOATS = [
    np.dtype(kind)
    for kind in (np.float32, np.float64, np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2)
]
INTEGERS = [np.dtype(kind) for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")]


def rows(data: np.ndarray, axes: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Row]]:
    """Yield each index of the kept axes with the numbers that are reduced there."""
    kept = [axis for axis in range(data.ndim) if axis not in axes]
    moved = data.transpose(kept + list(axes))
    for at in itertools.product(*(range(size) for size in moved.shape[: len(kept)])):
        values = np.atleast_1d(moved[at]).ravel()
        exact = values.tolist() if data.dtype.kind in "iu" else values.astype(np.float64).tolist()
        yield at, [Fraction(value) for value in exact]


def ulp(magnitude: Fraction, dtype: np.dtype) -> Fraction:
    """The distance between neighbours of `dtype` at a magnitude."""
    about = ml_dtypes.finfo(dtype)
    exponent = about.minexp
    if magnitude:
        exponent = max(exponent, math.frexp(magnitude)[1] - 1)
    return Fraction(2) ** (exponent - about.nmant)


def truncated(number: Fraction) -> int:
    """The whole part, toward zero."""
    return math.trunc(number)


def wrapped(number: int, dtype: np.dtype) -> int:
    """The number as `dtype` holds it."""
    bits = dtype.itemsize * 8
    low = number % 2**bits
    return low - 2**bits if dtype.kind == "i" and low >= 2 ** (bits - 1) else low
