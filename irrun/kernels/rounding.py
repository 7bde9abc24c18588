"""Rounding once: from the wide type a result was computed in to the type it has."""

from __future__ import annotations

import ml_dtypes
import numpy as np

TIE = 0x8000  # the lower half of an f32 that lies between two bf16
BEYOND_SINGLE = 2**29 - 1  # the digits that f64 has and f32 has not
MANY = 1 << 10
# As bits of f32: the least normal half, and the least number that rounds to an infinite one.
LEAST_HALF, BEYOND_HALF = 0x3880_0000, 0x477F_F000
LEAST_NORMAL = np.float32(2.0**-14)
ONE_HALF = 0x3F00_0000  # the bits of 0.5


def narrow(exact: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Round f64 to `dtype` once, to nearest even; finite values too large become infinite (or what `dtype` has).

    NumPy signals an overflow as the caller's errstate says; that a tiny result loses digits is no news.
    """
    if dtype == np.float64:
        return exact
    with np.errstate(under="ignore"):
        if dtype == np.float16 and exact.size >= MANY and _fits_single(exact):
            single = exact.astype(np.float32)
            halves = half_of_single(single)
            return single.astype(dtype) if halves is None else halves
        if dtype.kind == "f" and dtype.itemsize >= 2:
            return exact.astype(dtype)
        if dtype == ml_dtypes.bfloat16:
            single = np.array(exact, np.float32)
            # bf16 is f32's upper half: where the lower half is no tie, rounding twice is rounding once.
            ties = (single.view(np.uint32) & 0xFFFF) == TIE
            if np.count_nonzero(ties):
                single[ties] = to_odd(exact[ties])
            return single.astype(dtype)
        return to_odd(exact).astype(dtype)


def _fits_single(exact: np.ndarray) -> bool:
    """Tell whether f32 has all the digits of these f64, as of sums of halves it mostly has."""
    return not int(np.bitwise_or.reduce(exact.view(np.int64), axis=None)) & BEYOND_SINGLE


def half_of_single(single: np.ndarray) -> np.ndarray | None:
    """Round f32 to f16 by integer arithmetic, in less than half the time NumPy takes.

    None where one is no number, or becomes infinite: of that NumPy tells.
    """
    bits = single.view(np.int32)
    sizes = np.bitwise_and(bits, 0x7FFF_FFFF)
    if sizes.size and sizes.max() >= BEYOND_HALF:
        return None
    codes = np.right_shift(sizes, 13)
    codes &= 1
    codes += sizes  # to nearest, and from a tie to even: half a digit more, less a little where even
    codes += 0xFFF - (112 << 23)  # the exponents' biases differ by 112
    codes >>= 13
    if sizes.size and sizes.min() < LEAST_HALF:
        small = np.minimum(sizes.view(np.float32), LEAST_NORMAL)
        small += np.float32(0.5)  # beside which an f32 has the digits that a subnormal half has
        np.maximum(codes, np.subtract(small.view(np.int32), ONE_HALF, out=sizes), out=codes)
    np.right_shift(bits, 16, out=sizes)
    sizes &= 0x8000
    codes |= sizes
    return codes.astype(np.uint16).view(np.float16)


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
