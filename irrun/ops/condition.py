"""Conditions: where elements are not zero.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/condition/non-zero-3.html
"""

from __future__ import annotations

import numpy as np

from irrun.ops.attributes import element_type_in
from irrun.ops.declare import Attribute, Input, Output, op
from irrun.types.dim import Dim
from irrun.types.element import ANY, I64, INDEX, ElementType
from irrun.types.fact import Fact
from irrun.types.shape import Shape


def _places(data: Fact, output_type: ElementType) -> Shape:
    if data.dims is None:
        return Shape.unknown(2)
    # A scalar counts as 1-D, as OpenVINO and NumPy once had it; by the page its result would have no rows.
    return Shape.of(max(len(data.dims), 1), Dim(0, data.shape.elements.high))


@op(
    "NonZero-3",
    types={"T": ANY},
    attributes=[Attribute("output_type", element_type_in(INDEX), default=I64)],
    inputs=[Input("data", "T")],
    outputs=[Output("output_type")],
    shape=_places,
)
def non_zero(data: np.ndarray, output_type: ElementType) -> np.ndarray:
    """Where the elements that are not zero stand, in row-major order: a row for each axis, a column for each element.

    >>> non_zero(np.array([[0, 3], [5, 0]]), I64)
    array([[0, 1],
           [1, 0]])
    """
    return np.array(np.nonzero(np.atleast_1d(data)), output_type.dtype)
