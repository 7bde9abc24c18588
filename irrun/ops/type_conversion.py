"""Conversions between element types.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/type/convert-1.html
"""

from __future__ import annotations

import numpy as np

from irrun.kernels.cast import is_float, to_float, to_integer
from irrun.kernels.notice import notice
from irrun.ops.attributes import element_type
from irrun.ops.declare import Attribute, Input, Output, op
from irrun.types.dim import LIMIT
from irrun.types.element import ANY, BOOLEAN, STRING, ElementType, TypeSet
from irrun.types.fact import Fact
from irrun.types.packing import NF4_LEVELS

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
