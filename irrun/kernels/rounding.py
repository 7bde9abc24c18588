"""Rounding once: from the wide type a result was computed in to the type it has."""

from __future__ import annotations

import ml_dtypes
import numpy as np

TIE = 0x8000  # the lower half of an f32 that lies between two bf16


def narrow(exact: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Round f64 to `dtype` once, to nearest even; finite values too large become infinite (or what `dtype` has).

    NumPy signals an overflow as the caller's errstate says; that a tiny result loses digits is no news.
    """
    if dtype == np.float64:
        return exact
    with np.errstate(under="ignore"):
        if dtype.kind == "f" and dtype.itemsize >= 2:
            return exact.astype(dtype)
        if dtype == ml_dtypes.bfloat16:
            single = np.asarray(exact.astype(np.float32))
            # bf16 is f32's upper half: where no lower half is a tie, rounding twice is rounding once.
            if not ((single.view(np.uint32) & 0xFFFF) == TIE).any():
                return single.astype(dtype)
        return to_odd(exact).astype(dtype)


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
