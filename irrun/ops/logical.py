"""Logic, element by element.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/logical/logical-and-1.html
"""

from __future__ import annotations

import numpy as np

from irrun.ops.elementwise import binary, unary
from irrun.types.element import BOOLEANS

Array = np.ndarray


@binary("LogicalAnd-1", BOOLEANS)
def logical_and(a: Array, b: Array) -> Array:
    """Whether both are true."""
    return np.logical_and(a, b)


@binary("LogicalOr-1", BOOLEANS)
def logical_or(a: Array, b: Array) -> Array:
    """Whether one or both are true."""
    return np.logical_or(a, b)


@binary("LogicalXor-1", BOOLEANS)
def logical_xor(a: Array, b: Array) -> Array:
    """Whether one of them is true, and the other is not."""
    return np.logical_xor(a, b)


@binary("Xor-1", BOOLEANS)
def xor(a: Array, b: Array) -> Array:
    """LogicalXor, as opset1 names it."""
    return np.logical_xor(a, b)


@unary("LogicalNot-1", BOOLEANS)
def logical_not(data: Array) -> Array:
    """Whether it is not true."""
    return np.logical_not(data)
