"""A function of f64 over arrays of any numeric type: block by block, and rounded once to the array's own type.

NumPy's functions of f32 are off by up to four units in the last place and differ between processors; those of f64,
rounded to f32, are right but for a few in a billion.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from irrun.kernels.cast import to_integer
from irrun.kernels.parallel import share_ranges
from irrun.kernels.rounding import narrow

Function = Callable[[np.ndarray], np.ndarray]

BLOCK = 1 << 16  # elements: each call takes long enough that threads do not wait for one another's Python


def pointwise(function: Function, data: np.ndarray, nanoseconds: float = 10.0) -> np.ndarray:
    """`function`, of 1-D f64 arrays, of each element; what it takes for one is about `nanoseconds`.

    Integers are rounded to the nearest, ties to even; what does not fit wraps, and NaN becomes 0, with a notice.
    """
    flat = np.ascontiguousarray(data).reshape(-1)
    of = _of_integers if data.dtype.kind in "iu" else _of_floats
    if flat.size <= BLOCK:
        return of(function, flat).reshape(data.shape)
    result = np.empty(flat.size, data.dtype)

    def work(block: slice) -> None:
        result[block] = of(function, flat[block])

    share_ranges(work, flat.size, BLOCK, flat.size * nanoseconds * 1e-9)
    return result.reshape(data.shape)


def _of_floats(function: Function, data: np.ndarray) -> np.ndarray:
    return narrow(function(data.astype(np.float64, copy=False)), data.dtype)


def _of_integers(function: Function, data: np.ndarray) -> np.ndarray:
    return to_integer(np.rint(function(data.astype(np.float64))), data.dtype, data.dtype.itemsize * 8)
