"""Operations on conditions: choosing by one, and finding where it holds.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/condition/select-1.html
"""

from __future__ import annotations

import numpy as np

from irrun.ops.attributes import element_type_in
from irrun.ops.broadcasting import AUTO_BROADCAST, NUMPY, PDPD, aligned, broadcast
from irrun.ops.declare import Attribute, Input, Output, op
from irrun.types.dim import Dim
from irrun.types.element import ANY, BOOLEANS, I64, INDEX, ElementType
from irrun.types.fact import Fact
from irrun.types.shape import Shape


def _all_together(cond: Fact, then: Fact, else_: Fact, auto_broadcast: str, broadcast_axis: int | None) -> Shape:
    """The shape of the three; under PaddlePaddle's rule the others are brought to `then`."""
    values = broadcast(("then", then), ("else", else_), auto_broadcast, broadcast_axis)
    if auto_broadcast != PDPD:
        for name, one in (("then", then), ("else", else_)):
            broadcast(
                (name, one), ("cond", cond), auto_broadcast, broadcast_axis
            )  # so that a message names what disagrees
    return broadcast(("then", Fact(then.type, values)), ("cond", cond), auto_broadcast, broadcast_axis)


@op(
    "Select-1",
    types={
        "T_COND": BOOLEANS,
        "T": ANY,
    },  # the page lists numeric types; it moves elements, and OpenVINO's reader takes any
    attributes=AUTO_BROADCAST,
    inputs=[Input("cond", "T_COND"), Input("then", "T"), Input("else", "T", parameter="else_")],
    outputs=[Output("T")],
    shape=_all_together,
    monotone="=++",
)
def select(
    cond: np.ndarray,
    then: np.ndarray,
    else_: np.ndarray,
    auto_broadcast: str = NUMPY,
    broadcast_axis: int | None = None,
) -> np.ndarray:
    """The elements of `then` where `cond` is true, and of `else` where it is not.

    >>> select(np.array([True, False]), np.array([[1, 2], [3, 4]]), np.array(0))
    array([[1, 0],
           [3, 0]])
    """
    if auto_broadcast == PDPD:
        then = np.asarray(then)
        else_, cond = (aligned(then, np.asarray(each), auto_broadcast, broadcast_axis) for each in (else_, cond))
    return np.where(cond, then, else_)


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
