"""Making f32 of narrower floats, and contiguous f32 or f64 of any layout, in the thread's scratch memory."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from irrun.kernels.scratch import scratch

Term = Callable[[np.ndarray], None]

# A half's bits, moved to where f32 has them, are its value times this: the exponents' biases differ by 112.
HALF_SCALE = 2.0**-112
HALF_SHIFT = 13
HALF_BITS = np.int32(-0x7000_2000)  # 0x8FFF_E000: sign, 5 bits of exponent, 10 of mantissa
HALF_INFINITY = 0x7C00
HALF_MINUS_INFINITY = 0xFC00


def copied(dtype: type[np.floating], term: Term | None = None) -> Callable[[np.ndarray], np.ndarray]:
    """Return what copies a box to contiguous `dtype`, there changed by `term`."""

    def widen(box: np.ndarray) -> np.ndarray:
        wide = scratch(box.shape, dtype)
        np.copyto(wide, box, casting="unsafe")
        if term is not None:
            term(wide)
        return wide

    return widen


def widen_half(box: np.ndarray) -> np.ndarray:
    """Return a box of f16 times 2^-112 in contiguous f32, exactly and with a few cheap passes.

    NumPy's own conversion is ten times slower. Boxes that hold an infinity or a NaN, told by their bits, go through it.
    """
    wide = scratch(box.shape, np.float32)
    bits = box.view(np.int16)
    moved = wide.view(np.int32)
    greatest = box.view(np.uint16).max()
    if greatest < HALF_INFINITY:  # no sign is set, and nothing is infinite
        np.copyto(moved, bits)
        np.left_shift(moved, HALF_SHIFT, out=moved)
    elif greatest < HALF_MINUS_INFINITY and bits.max() < HALF_INFINITY:
        np.copyto(moved, bits)
        np.left_shift(moved, HALF_SHIFT, out=moved)
        np.bitwise_and(moved, HALF_BITS, out=moved)
    else:
        np.copyto(wide, box)
        wide *= np.float32(HALF_SCALE)
    return wide
