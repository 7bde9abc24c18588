"""Conversions between element types.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/type/convert-1.html
"""

from __future__ import annotations

import numpy as np

from irrun.kernels.cast import is_float, to_float, to_integer
from irrun.kernels.notice import notice
from irrun.ops.attributes import boolean, element_type
from irrun.ops.declare import Attribute, Input, OpError, Output, op
from irrun.types.dim import LIMIT
from irrun.types.element import (
    ANY,
    BOOLEAN,
    BY_NAME,
    DYNAMIC,
    F16,
    F32,
    INTEGER,
    STRING,
    ElementType,
    Kind,
    TypeSet,
    element_type_of,
)
from irrun.types.fact import Fact
from irrun.types.packing import NF4_LEVELS
from irrun.types.shape import Shape

CONVERTIBLE = TypeSet("any type but string", ANY - {STRING})


def converted(array: np.ndarray, destination_type: ElementType) -> np.ndarray:
    """The array's values in another element type: floats rounded once to nearest even, integers truncated and
    wrapped.
    """
    if destination_type is BOOLEAN:
        if is_float(array.dtype) and np.isnan(array).any():
            notice("NaN became true")
        return array != np.zeros((), array.dtype)
    if destination_type.is_integer:
        return to_integer(array, destination_type.dtype, destination_type.bits)
    if destination_type.name == "nf4":
        return _nearest_level(to_float(array, np.dtype(np.float32)))
    return to_float(array, destination_type.dtype)


def _nearest_level(array: np.ndarray) -> np.ndarray:
    """The nf4 level nearest to each value; a value half way between two takes the lower one."""
    middles = (NF4_LEVELS[1:].astype(np.float64) + NF4_LEVELS[:-1]) / 2
    return NF4_LEVELS[np.searchsorted(middles, array.astype(np.float64))]


def _same_elements(data: Fact, destination_type: ElementType) -> Fact:
    fits = data.bounds is not None and destination_type.is_integer and _fit(*data.bounds, destination_type)
    return Fact(destination_type, data.shape, None, data.bounds if fits else None)


def _fit(low: np.ndarray, high: np.ndarray, type: ElementType) -> bool:
    """Whether no element wraps; an open upper end is a dim's, and one that does not fit 32 bits does not fit memory."""
    least, greatest = type.limits
    return bool((low >= least).all() and ((high <= greatest) | ((high == LIMIT) & (type.bits >= 32))).all())


@op(
    "Convert-1",
    types={"T": CONVERTIBLE},
    attributes=[Attribute("destination_type", element_type)],
    inputs=[Input("data", "T")],
    outputs=[Output("destination_type")],
    shape=_same_elements,
)
def convert(data: np.ndarray, destination_type: ElementType) -> np.ndarray:
    """The elements of `data` in another type.

    >>> from irrun.types.element import I32
    >>> convert(np.array([1.9, -1.9]), I32)
    array([ 1, -1], dtype=int32)
    """
    return converted(data, destination_type)


# ConvertLike


def _like(data: Fact, like: Fact) -> Fact:
    return _same_elements(data, like.type)


@op(
    "ConvertLike-1",
    types={"T1": CONVERTIBLE, "T2": CONVERTIBLE},
    inputs=[Input("data", "T1"), Input("like", "T2", type_only=True)],
    outputs=[Output("T2")],
    shape=_like,
)
def convert_like(data: np.ndarray, like: ElementType) -> np.ndarray:
    """The elements of `data` in another type.

    >>> convert_like(np.array([1.9, -1.9]), BY_NAME["i64"])
    array([ 1, -1])
    """
    return converted(data, like)


# ConvertPromoteTypes


def _type_of(array: np.ndarray) -> ElementType:
    type = element_type_of(array.dtype)
    assert type is not None, "arrays are of element types"
    return type


_PRIORITY = {Kind.BOOLEAN: 0, Kind.SIGNED: 1, Kind.UNSIGNED: 1, Kind.FLOAT: 2}
_FLOATS = TypeSet("floating-point", (BY_NAME[name] for name in ("f8e4m3", "f8e5m2", "f16", "bf16", "f32", "f64")))
PROMOTABLE = TypeSet("boolean, any integer type, f8e4m3, f8e5m2, f16, bf16, f32 or f64", {BOOLEAN} | INTEGER | _FLOATS)


def _common_type(
    input_0: Fact,
    input_1: Fact,
    promote_unsafe: bool,
    pytorch_scalar_promotion: bool,
    u64_integer_promotion_target: ElementType,
) -> ElementType:
    """The type that both inputs are converted to; raises OpError for one that is not safe, unless that is allowed."""
    a, b = input_0.type, input_1.type
    if a is b or DYNAMIC in (a, b):
        return a if a is b else DYNAMIC
    if _PRIORITY[a.kind] != _PRIORITY[b.kind]:
        result, other = (a, b) if _PRIORITY[a.kind] > _PRIORITY[b.kind] else (b, a)
        safe = not (result.is_float and other.is_integer and result.bits < 2 * other.bits)
    elif pytorch_scalar_promotion and None in (input_0.rank, input_1.rank):
        return DYNAMIC
    elif pytorch_scalar_promotion and (input_0.rank == 0) != (input_1.rank == 0):
        result, scalar = (b, a) if input_0.rank == 0 else (a, b)
        safe = _holds(result, scalar)
    else:
        result = _wider(a, b) or u64_integer_promotion_target
        safe = result in (a, b)
    if safe or promote_unsafe:
        return result
    message = f"input_0 is {a} and input_1 is {b}, which {result} does not hold both, and promote_unsafe is false"
    raise OpError(message, at="input_1", against="input_0")


def _wider(a: ElementType, b: ElementType) -> ElementType | None:
    """The narrowest type that holds the values of both; None for u64 beside signed integers."""
    if a.is_float:
        if a.bits != b.bits:
            return a if a.bits > b.bits else b
        return F16 if a.bits == 8 else F32
    if a.kind is b.kind:
        return a if a.bits > b.bits else b
    signed, unsigned = (a, b) if a.kind is Kind.SIGNED else (b, a)
    return BY_NAME.get(f"i{max(signed.bits, 2 * unsigned.bits)}")


def _holds(type: ElementType, other: ElementType) -> bool:
    if type.is_float:
        return type.bits >= other.bits
    return type.limits[0] <= other.limits[0] and other.limits[1] <= type.limits[1]


def _both_shapes(
    input_0: Fact,
    input_1: Fact,
    promote_unsafe: bool,
    pytorch_scalar_promotion: bool,
    u64_integer_promotion_target: ElementType,
) -> list[Shape]:
    return [input_0.shape, input_1.shape]


@op(
    "ConvertPromoteTypes-14",
    types={"T1": PROMOTABLE, "T2": PROMOTABLE},
    attributes=[
        Attribute("promote_unsafe", boolean, default=False),
        Attribute("pytorch_scalar_promotion", boolean, default=False),
        Attribute("u64_integer_promotion_target", element_type, default=F32),
    ],
    inputs=[Input("input_0", "T1"), Input("input_1", "T2")],
    outputs=[Output(_common_type), Output(_common_type)],
    shape=_both_shapes,
)
def convert_promote_types(
    input_0: np.ndarray,
    input_1: np.ndarray,
    promote_unsafe: bool = False,
    pytorch_scalar_promotion: bool = False,
    u64_integer_promotion_target: ElementType = F32,
) -> tuple[np.ndarray, np.ndarray]:
    """Both inputs in one type: that of floats before integers before booleans, wide enough for both.

    >>> for each in convert_promote_types(np.array([1], np.int16), np.array(2, np.uint8)):
    ...     print(each, each.dtype)
    [1] int16
    2 int16
    """
    facts = (Fact.of(_type_of(input_0), input_0), Fact.of(_type_of(input_1), input_1))
    type = _common_type(*facts, promote_unsafe, pytorch_scalar_promotion, u64_integer_promotion_target)
    return converted(input_0, type), converted(input_1, type)
