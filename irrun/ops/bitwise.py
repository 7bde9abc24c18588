"""Operations on the bits of integers, and on booleans as on one bit.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/bitwise/bitwise-and-13.html
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from irrun.kernels.notice import notice
from irrun.ops.elementwise import binary, unary
from irrun.types.element import BOOLEANS, INTEGER, TypeSet

Array = np.ndarray
BITS = TypeSet("any integer type or boolean", INTEGER | BOOLEANS)


@binary("BitwiseAnd-13", BITS)
def bitwise_and(a: Array, b: Array) -> Array:
    """The bits that both have."""
    return np.bitwise_and(a, b)


@binary("BitwiseOr-13", BITS)
def bitwise_or(a: Array, b: Array) -> Array:
    """The bits that one or both have."""
    return np.bitwise_or(a, b)


@binary("BitwiseXor-13", BITS)
def bitwise_xor(a: Array, b: Array) -> Array:
    """The bits that one of them has, and the other has not."""
    return np.bitwise_xor(a, b)


@unary("BitwiseNot-13", BITS)
def bitwise_not(data: Array) -> Array:
    """The bits that it has not."""
    return np.invert(data)


@binary("BitwiseLeftShift-15", INTEGER)
def bitwise_left_shift(a: Array, b: Array) -> Array:
    """The bits of `a`, `b` places higher; beyond the width of the type, or for a negative count, all are shifted out.

    >>> bitwise_left_shift(np.array([1, 3]), np.array([4, 1]))
    array([16,  6])
    """
    return _shifted(np.left_shift, a, b)


@binary("BitwiseRightShift-15", INTEGER)
def bitwise_right_shift(a: Array, b: Array) -> Array:
    """The bits of `a`, `b` places lower, its sign kept; beyond the width, or for a negative count, its sign is left."""
    return _shifted(np.right_shift, a, b)


def _shifted(shift: Callable[[Array, Array], Array], a: Array, b: Array) -> Array:
    counts = np.asarray(b)
    width = counts.dtype.itemsize * 8
    beyond = (counts < 0) | (counts >= width)
    if beyond.any():
        count = int(np.count_nonzero(beyond))
        notice(f"b has {count} shift count{'s' * (count > 1)} outside [0, {width - 1}]; all bits are shifted out")
        counts = np.where(beyond, counts.dtype.type(width), counts)  # what NumPy does then is defined
    return shift(a, counts)
