"""Element types by the names they have in IR, and distances in units in the last place."""

from __future__ import annotations

import ml_dtypes
import numpy as np

DTYPES = {
    "f32": np.dtype(np.float32),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "u8": np.dtype(np.uint8),
}


def worst_error(result: np.ndarray, exact: np.ndarray, magnitude: np.ndarray, element: str) -> float:
    """Return the largest distance of a result from the exact one, in ulp of the magnitude; of integers, in units."""
    dtype = DTYPES[element]
    got = np.asarray(result).astype(np.float64).reshape(exact.shape)
    if dtype.kind in "iu":
        return float(np.abs(got - exact).max(initial=0))
    about = ml_dtypes.finfo(dtype)  # type: ignore[no-untyped-call]
    exponent = np.maximum(np.frexp(magnitude)[1] - 1, about.minexp)
    return float((np.abs(got - exact) / np.ldexp(1.0, exponent - about.nmant)).max(initial=0))


def random_values(generator: np.random.Generator, shape: tuple[int, ...], element: str) -> np.ndarray:
    """Return floats in [0, 1), signed integers in [-100, 100), bytes in [0, 256)."""
    dtype = DTYPES[element]
    if element == "u8":
        return generator.integers(0, 256, shape, dtype=np.uint8)
    if dtype.kind == "i":
        return generator.integers(-100, 100, shape, dtype=dtype)
    return generator.random(shape, dtype=np.float32).astype(dtype)
