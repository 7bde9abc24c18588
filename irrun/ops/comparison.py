"""Comparisons, element by element, and what kind of number an element is.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/comparison/equal-1.html
"""

from __future__ import annotations

from functools import partial

import numpy as np

from irrun.ops.attributes import boolean
from irrun.ops.declare import Attribute
from irrun.ops.elementwise import binary, unary
from irrun.types.dim import LIMIT
from irrun.types.element import ANY, BOOLEAN, ELEMENT_TYPES, FLOAT, TypeSet
from irrun.types.fact import VALUE_LIMIT, Fact

Array = np.ndarray
COMPARABLE = TypeSet("any type of a byte or more", ANY - {row for row in ELEMENT_TYPES if row.is_storage})

comparison = partial(binary, types=COMPARABLE, output=BOOLEAN)


def _meet(a: Fact, b: Fact) -> Array | None:
    """Whether elements of which bounds are known are equal, where that is certain of all of them."""
    known = a.value is not None and b.value is not None  # then the kernel decides
    if known or not (_is_small(a) and _is_small(b)) or a.interval is None or b.interval is None:
        return None
    (a_low, a_high), (b_low, b_high) = a.interval, b.interval
    apart = (a_high < b_low) | (b_high < a_low)
    same = (a_low == a_high) & (b_low == b_high) & (a_low == b_low) & (a_low < LIMIT)
    return same if (apart | same).all() else None


def _is_small(fact: Fact) -> bool:
    most = fact.shape.most_elements
    return most is not None and most <= VALUE_LIMIT


def _part(a: Fact, b: Fact) -> Array | None:
    met = _meet(a, b)
    return None if met is None else ~met


@comparison("Equal-1", decided=_meet)
def equal(a: Array, b: Array) -> Array:
    """Whether the elements are equal; NaN is equal to nothing.

    >>> equal(np.array([1, 2, 3]), np.array(2))
    array([False,  True, False])
    """
    return np.equal(a, b)


@comparison("NotEqual-1", decided=_part)
def not_equal(a: Array, b: Array) -> Array:
    """Whether the elements are unequal."""
    return np.not_equal(a, b)


@comparison("Less-1", monotone="-+")
def less(a: Array, b: Array) -> Array:
    """Whether a < b."""
    return np.less(a, b)


@comparison("LessEqual-1", monotone="-+")
def less_equal(a: Array, b: Array) -> Array:
    """Whether a <= b."""
    return np.less_equal(a, b)


@comparison("Greater-1", monotone="+-")
def greater(a: Array, b: Array) -> Array:
    """Whether a > b."""
    return np.greater(a, b)


@comparison("GreaterEqual-1", monotone="+-")
def greater_equal(a: Array, b: Array) -> Array:
    """Whether a >= b."""
    return np.greater_equal(a, b)


@unary("IsFinite-10", FLOAT, output=BOOLEAN)
def is_finite(data: Array) -> Array:
    """Whether the elements are neither infinite nor NaN."""
    return np.isfinite(data)


@unary(
    "IsInf-10",
    FLOAT,
    attributes=[
        Attribute("detect_negative", boolean, default=True),
        Attribute("detect_positive", boolean, default=True),
    ],
    output=BOOLEAN,
)
def is_inf(data: Array, detect_negative: bool = True, detect_positive: bool = True) -> Array:
    """Whether the elements are infinite, with a sign that is to be detected."""
    infinite = np.isinf(data)
    if not detect_negative:
        infinite &= ~np.signbit(data)
    if not detect_positive:
        infinite &= np.signbit(data)
    return infinite


@unary("IsNaN-10", FLOAT, output=BOOLEAN)
def is_nan(data: Array) -> Array:
    """Whether the elements are NaN."""
    return np.isnan(data)
