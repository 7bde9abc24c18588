"""Rounding once: from the wide type a result was computed in to the type it has."""

from __future__ import annotations

import ml_dtypes
import numpy as np

TIE = 0x8000  # the lower half of an f32 that lies between two bf16
BEYOND_SINGLE = 2**29 - 1  # the digits that f64 has and f32 has not
MANY = 1 << 10
# As bits of f32: the least normal half, and the least number that rounds to an infinite one.
LEAST_HALF, BEYOND_HALF = 0x3880_0000, 0x477F_F000


def narrow(exact: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Round f64 to `dtype` once, to nearest even; finite values too large become infinite (or what `dtype` has).

    NumPy signals an overflow as the caller's errstate says; that a tiny result loses digits is no news.
    """
    if dtype == np.float64:
        return exact
    with np.errstate(under="ignore"):
        if dtype == np.float16 and exact.size >= MANY and (halves := _usual_halves(exact)) is not None:
            return halves
        if dtype.kind == "f" and dtype.itemsize >= 2:
            return exact.astype(dtype)
        if dtype == ml_dtypes.bfloat16:
            single = np.asarray(exact.astype(np.float32))
            # bf16 is f32's upper half: where no lower half is a tie, rounding twice is rounding once.
            if not ((single.view(np.uint32) & 0xFFFF) == TIE).any():
                return single.astype(dtype)
        return to_odd(exact).astype(dtype)


def _usual_halves(exact: np.ndarray) -> np.ndarray | None:
    """Round to f16 by integer arithmetic, in less than half the time NumPy takes.

    None unless all are exact in f32, as sums of halves mostly are, and become normal, finite halves.
    """
    if not exact.flags.c_contiguous or int(np.bitwise_or.reduce(exact.view(np.int64), axis=None)) & BEYOND_SINGLE:
        return None
    bits = exact.astype(np.float32).view(np.int32)
    sizes = bits & 0x7FFF_FFFF
    if sizes.min() < LEAST_HALF or sizes.max() >= BEYOND_HALF:
        return None
    sizes += (sizes >> 13) & 1  # to nearest, and from a tie to even: half a digit more, less a little where even
    sizes += 0xFFF - (112 << 23)  # the exponents' biases differ by 112
    sizes >>= 13
    bits >>= 16
    bits &= 0x8000
    sizes |= bits
    return sizes.astype(np.uint16).view(np.float16)


def to_odd(exact: np.ndarray) -> np.ndarray:
    """Round f64 to f32 so that a second rounding, to 22 bits or fewer, is as good as one.

    What is inexact gets an odd last bit, so it never lies on a tie it was not on: ml_dtypes goes through f32.
    """
    single = np.array(exact.astype(np.float32))
    bits = single.view(np.int32)
    inexact = (single != exact) & np.isfinite(exact) & np.isfinite(single)
    away = inexact & (np.abs(single) > np.abs(exact))
    bits -= away.astype(np.int32)
    bits |= inexact.astype(np.int32)
    return single
