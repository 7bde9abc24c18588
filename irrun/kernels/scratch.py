"""Memory that a thread uses again and again: fresh pages cost more than the arithmetic that would be done in them."""

from __future__ import annotations

import math
import threading

import numpy as np

KEPT_BYTES = 1 << 22

_local = threading.local()


def scratch(shape: tuple[int, ...], dtype: np.dtype | type[np.generic], use: str = "wide") -> np.ndarray:
    """Return an uninitialised array, in this thread's own memory for that `use` where it fits 4 MiB.

    The next call for the same use hands it out again: whoever asks is done with it before it asks again or returns, and
    never hands it to a caller.
    """
    kind = np.dtype(dtype)
    needed = math.prod(shape) * kind.itemsize
    if needed > KEPT_BYTES:
        return np.empty(shape, kind)
    memory: np.ndarray | None = getattr(_local, use, None)
    if memory is None or memory.size < needed:
        memory = np.empty(1 << max(16, (needed - 1).bit_length()), np.uint8)
        setattr(_local, use, memory)
    return memory[:needed].view(kind).reshape(shape)
