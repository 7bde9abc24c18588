"""Infrastructure operations: what stands at the edges of a model.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/infrastructure/parameter-1.html
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from irrun.kernels.notice import notice
from irrun.ops.attributes import element_type as read_element_type
from irrun.ops.attributes import extents, integer, partial_shape
from irrun.ops.declare import Attribute, Input, Output, op
from irrun.types.element import ANY, BOOLEAN, STRING, ElementType
from irrun.types.fact import VALUE_LIMIT, Fact
from irrun.types.shape import Shape


def _declared(shape: Shape, element_type: ElementType) -> Fact:
    return Fact(element_type, shape)


@op(
    "Parameter-1",
    attributes=[Attribute("shape", partial_shape), Attribute("element_type", read_element_type)],
    outputs=[Output("element_type")],
    shape=_declared,
    foldable=False,
)
def parameter(shape, element_type):
    """A model input; a run gives its value."""
    raise AssertionError("a run gives the value of a Parameter")


def _stored(element_type: ElementType, shape: tuple[int, ...], offset: int, size: int, value: Any) -> Fact:
    """`value` has an `array`, known at once, but for strings: these may be packed wrongly, which the kernel says."""
    known = math.prod(shape) <= VALUE_LIMIT and element_type is not STRING
    return Fact(element_type, Shape.of(*shape), value.array if known else None)


@op(
    "Constant-1",
    attributes=[
        Attribute("element_type", read_element_type),
        Attribute("shape", extents),
        Attribute("offset", integer),
        Attribute("size", integer),
        Attribute("value"),
    ],
    outputs=[Output("element_type")],
    shape=_stored,
)
def constant(element_type, shape, offset, size, value):
    """A tensor from the .bin; `value` is where its bytes lie."""
    if element_type is BOOLEAN and (count := value.odd_bytes):
        notice(f"{count} of its bytes are neither 0 nor 1; they are taken as true")
    return value.array


def _same(input: Fact) -> Fact:
    return input


@op(
    "Result-1",
    types={"T": ANY},
    inputs=[Input("input", "T")],
    outputs=[Output("T")],
    shape=_same,
)
def result(input: np.ndarray) -> np.ndarray:
    """A model output: its input as it is."""
    return input
