"""Memory that a thread uses again and again: fresh pages cost more than the arithmetic that would be done in them."""

from __future__ import annotations

import math
import threading

import numpy as np

KEPT_BYTES = 1 << 22

_local = threading.local()


def scratch(shape: tuple[int, ...], dtype: np.dtype | type[np.generic]) -> np.ndarray:
    """Return an uninitialised array, in this thread's own memory where it fits 4 MiB: the next call hands it out again.

    Whoever asks is done with it before it asks again or returns, and never hands it to a caller.
    """
    kind = np.dtype(dtype)
    bytes_needed = math.prod(shape) * kind.itemsize
    if bytes_needed > KEPT_BYTES:
        return np.empty(shape, kind)
    memory: np.ndarray | None = getattr(_local, "memory", None)
    if memory is None:
        memory = np.empty(KEPT_BYTES, np.uint8)
        _local.memory = memory
    return memory[:bytes_needed].view(kind).reshape(shape)
