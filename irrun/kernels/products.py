"""Sums of products: floats in a wide type and rounded once, integers exactly and wrapped into their type."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from irrun.kernels.cast import is_float
from irrun.kernels.notice import notice
from irrun.kernels.rounding import narrow

EXACT = 2.0**53
"""Up to this magnitude every integer is an f64, and so is every sum of such products on the way to it."""


def sum_of_products(
    product: Callable[..., np.ndarray], arrays: Sequence[np.ndarray], terms: int, accumulator: type = np.float64
) -> np.ndarray:
    """`product` of arrays of one dtype, in that dtype.

    product: arrays -> an array whose elements are sums of `terms` products, in the arrays' own arithmetic.
    Floats narrower than `accumulator` are summed in it. What overflows or wraps is said in a notice.
    """
    dtype = arrays[0].dtype
    if not is_float(dtype):
        return _integers(product, arrays, terms)
    narrower = dtype.itemsize < np.dtype(accumulator).itemsize
    with np.errstate(all="ignore"):
        wide = [array.astype(accumulator) for array in arrays] if narrower else arrays
        exact = np.asarray(product(*wide))
        result = exact if exact.dtype == dtype else narrow(exact, dtype)
        if not np.isfinite(result).all() and all(np.isfinite(array).all() for array in arrays):
            notice("a sum of products of finite values is not finite")
    return result


def _integers(product: Callable[..., np.ndarray], arrays: Sequence[np.ndarray], terms: int) -> np.ndarray:
    """By BLAS in f64 where every sum fits it, else in the integers' own wrapping arithmetic."""
    dtype = arrays[0].dtype
    with np.errstate(all="ignore"):
        wide = [array.astype(np.float64) for array in arrays]
        sums = np.asarray(product(*wide))
        bound = math.prod(float(np.abs(array).max(initial=0)) for array in wide) * terms
        result = sums.astype(np.int64).astype(dtype) if bound < EXACT else np.asarray(product(*arrays))
    # Beyond 2^53 a sum at the very edge of the type may be rounded out of it: only what is clearly outside is said.
    limits = np.iinfo(dtype)
    slack = 0.0 if bound < EXACT else bound * 2.0**-50
    if bound > limits.max and ((sums > limits.max + slack) | (sums < limits.min - slack)).any():
        notice(f"a sum of products does not fit {dtype.name} and wraps")
    return result
