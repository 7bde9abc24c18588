"""From one element type to another, exactly rounded: to nearest even, once; integers wrap, and say so."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from irrun.kernels.halves import halves_of_single, single_of_halves
from irrun.kernels.notice import notice
from irrun.kernels.rounding import to_odd

_BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


def is_float(dtype: np.dtype) -> bool:
    """Whether an array of `dtype` holds floating-point numbers, ml_dtypes' types included."""
    return dtype.kind == "f" or (
        dtype.kind == "V" and dtype.names is None and dtype.name.startswith(("bfloat", "float"))
    )


def is_extension(dtype: np.dtype) -> bool:
    """Whether the type is not NumPy's own but ml_dtypes', whose arithmetic goes through f32."""
    return dtype.isbuiltin == 2


def to_float(data: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """`data` rounded once to a floating-point dtype; a finite value may become infinite, and a notice says so."""
    if data.dtype == dtype:
        return data
    if data.dtype == np.float16 and dtype == np.float32:
        return single_of_halves(data)
    if data.dtype == np.float32 and dtype == np.float16 and (halves := halves_of_single(data)) is not None:
        return halves
    with np.errstate(all="ignore"):
        direct = dtype.kind == "f" or data.dtype.kind == "b"  # NumPy rounds to its own types once
        result = (data if direct else _odd(data)).astype(dtype)
        _say_overflow(data, result)
    return result


def _odd(data: np.ndarray) -> np.ndarray:
    """`data` in f32, rounded to odd: rounding that once more, to a narrower type, gives what rounding once would have
    given.
    """
    if data.dtype.kind in "iu" and data.dtype.itemsize == 8:
        sticky = (data & 0x7FF) != 0
        data = np.where(np.abs(data.astype(np.float64)) >= 2.0**53, ((data >> 11) | sticky) << 11, data).astype(
            np.float64
        )
    if not ((data.dtype.kind, data.itemsize) == ("f", 8) or (data.dtype.kind in "iu" and data.itemsize >= 4)):
        return data.astype(np.float32)
    return to_odd(data.astype(np.float64))


def _say_overflow(data: np.ndarray, result: np.ndarray) -> None:
    lost = ~np.isfinite(result)
    if lost.any():
        if is_float(data.dtype):
            lost &= np.isfinite(data)
        count = int(np.count_nonzero(lost))
        if count:
            notice(f"{count} finite {_values(count)} beyond the range of {result.dtype.name} became infinite or NaN")


def to_integer(data: np.ndarray, dtype: np.dtype, bits: int) -> np.ndarray:
    """`data` truncated toward zero and wrapped to an integer type of `bits` bits; NaN and infinities become 0.

    What was out of range, or no number, is said in a notice.
    """
    if is_float(data.dtype):
        if bits == dtype.itemsize * 8 and _in_range(data, dtype):
            return data.astype(dtype)  # which truncates
        data = _integral(data)
    if data.dtype == dtype and bits == dtype.itemsize * 8:
        return data
    with np.errstate(all="ignore"):
        result = data.astype(dtype)
    if bits < 8:
        result = _wrapped(result, bits)
    if data.dtype.kind != "b":
        count = int(np.count_nonzero(result != data))
        if count:
            kind = "u" if dtype.kind == "u" else "i"
            notice(f"{count} {_values(count)} beyond the range of {kind}{bits} wrapped")
    return result


def _in_range(data: np.ndarray, dtype: np.dtype) -> bool:
    """Whether there are floats, and each, truncated, fits an integer dtype; NaN does not."""
    limits = np.iinfo(dtype)
    return data.size > 0 and limits.min - 1 < float(data.min()) and float(data.max()) < limits.max + 1


def _integral(data: np.ndarray) -> np.ndarray:
    """Floating-point values as int64: truncated, wrapped modulo 2^64, NaN and infinities 0."""
    wide = data.astype(np.float64)
    numbers = np.isfinite(wide)
    if not numbers.all():
        count = int(numbers.size - np.count_nonzero(numbers))
        notice(f"{count} {_values(count)} that {'is' if count == 1 else 'are'} infinite or NaN became 0")
    whole = np.trunc(np.where(numbers, wide, 0.0))
    beyond = np.abs(whole) >= 2.0**63
    if beyond.any():
        count = int(np.count_nonzero(beyond))
        notice(f"{count} {_values(count)} beyond the range of 64-bit integers wrapped")
        whole = np.fmod(whole, 2.0**64)
        whole = np.where(whole >= 2.0**63, whole - 2.0**64, np.where(whole < -(2.0**63), whole + 2.0**64, whole))
    return whole.astype(np.int64)


def _wrapped(data: np.ndarray, bits: int) -> np.ndarray:
    """The low `bits` bits of each element, sign-extended where the dtype is signed."""
    mask = data.dtype.type((1 << bits) - 1)
    low = data & mask
    if data.dtype.kind == "u":
        return low
    sign = data.dtype.type(1 << (bits - 1))
    return (low ^ sign) - sign


def _values(count: int) -> str:
    return "value" if count == 1 else "values"
