"""Powers: of integers exactly, modulo two to the width of their type; of floats in f64, rounded once."""

from __future__ import annotations

import numpy as np

from irrun.kernels.cast import is_extension, is_float
from irrun.kernels.pointwise import pointwise
from irrun.kernels.rounding import narrow


def power(base: np.ndarray, exponent: np.ndarray) -> np.ndarray:
    """`base` to the power of `exponent`, broadcast as NumPy does.

    Negative powers of integers are truncated toward zero; ZeroDivisionError for those of 0.
    """
    if not is_float(base.dtype):
        return _of_integers(base, exponent)
    if exponent.size == 1 and exponent.ndim <= base.ndim:
        single = np.float64(exponent.reshape(())[()])
        return np.square(base) if single == 2 else pointwise(lambda x: np.power(x, single), base, nanoseconds=30)
    if is_extension(base.dtype):
        return narrow(np.power(base.astype(np.float64), exponent.astype(np.float64)), base.dtype)
    result = np.empty(np.broadcast_shapes(base.shape, exponent.shape), base.dtype)
    return np.power(base, exponent, out=result, dtype=np.float64, casting="same_kind")


def _of_integers(base: np.ndarray, exponent: np.ndarray) -> np.ndarray:
    below = exponent < 0
    if not below.any():
        return np.power(base, exponent)
    if (below & (base == 0)).any():
        raise ZeroDivisionError("0 has no negative power")
    whole = np.power(base, np.where(below, 0, exponent))
    sign = 1 - 2 * (exponent & 1)
    return np.where(below, np.where(base == 1, 1, np.where(base == -1, sign, 0)), whole).astype(base.dtype)
