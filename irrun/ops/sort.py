"""Sorting and maximization.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/sort/top-k-11.html
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from irrun.kernels.order import leading
from irrun.ops.attributes import boolean, element_type_in, integer, one_of
from irrun.ops.axes import axis_in
from irrun.ops.declare import Attribute, Input, Kernel, OpError, Output, Rule, op
from irrun.types.dim import LIMIT, Dim
from irrun.types.element import I32, INDEX, INTEGER, NUMERIC, ElementType, TypeSet, types
from irrun.types.fact import Fact
from irrun.types.shape import Shape

_K = TypeVar("_K", bound=Kernel)


def _selected(
    data: Fact, k: Fact, axis: int, mode: str, sort: str, index_element_type: ElementType, stable: bool = False
) -> list[Shape]:
    low, high = (1, LIMIT) if k.interval is None else (int(end) for end in k.interval)
    if high < 1:
        raise OpError(f"k is {high}; 1 or more is expected", at="k")
    if data.dims is None:
        return [Shape()] * 2
    place = axis_in(axis, len(data.dims))
    extent = data.dims[place]
    if extent.high is not None and low > extent.high:
        message = f"k is {low}, but dim {place} of data, of which they are taken, is {extent}"
        raise OpError(message, at="k", against="data", kind="dims")
    most = min([end for end in (high, extent.high) if end is not None and end < LIMIT], default=None)
    shape = Shape((*data.dims[:place], Dim(max(low, 1), most), *data.dims[place + 1 :]))
    return [shape, shape]


def _selected_3(data: Fact, k: Fact, axis: int, mode: str, sort: str, index_element_type: ElementType) -> list[Shape]:
    return _selected(data, k, axis, mode, sort, index_element_type)


def selection(name: str, k: TypeSet, shape: Rule, *attributes: Attribute) -> Callable[[_K], _K]:
    """Declare an operation that takes the first elements of an order, and where they stand."""
    own = [
        Attribute("axis", integer),
        Attribute("mode", one_of("max", "min")),
        Attribute("sort", one_of("value", "index", "none")),
        Attribute("index_element_type", element_type_in(INDEX), default=I32),
        *attributes,
    ]
    inputs = [Input("data", "T"), Input("k", k, dims="", steers=True)]
    outputs = [Output("T"), Output("index_element_type")]
    return op(name, types={"T": NUMERIC}, attributes=own, inputs=inputs, outputs=outputs, shape=shape)


@selection("TopK-1", types("i8, i32 or i64", "i8", "i32", "i64"), _selected_3)
@selection("TopK-3", INTEGER, _selected_3)
def top_k_3(
    data: np.ndarray, k: np.ndarray, axis: int, mode: str, sort: str, index_element_type: ElementType
) -> tuple[np.ndarray, np.ndarray]:
    """The k largest or smallest elements along the axis, and where they stand.

    Of equal elements the first ones are taken, and stand first; NaN counts as larger than every number.
    """
    place = axis_in(axis, data.ndim)
    places = leading(data, int(k), place, largest=mode == "max")
    if sort == "index":
        places = np.sort(places, axis=place)
    return np.take_along_axis(data, places, place), places


@selection("TopK-11", INTEGER, _selected, Attribute("stable", boolean, default=False))
def top_k(
    data: np.ndarray,
    k: np.ndarray,
    axis: int,
    mode: str,
    sort: str,
    index_element_type: ElementType,
    stable: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """The k largest or smallest elements along the axis, and where they stand; stable whether or not it has to be.

    >>> values, places = top_k(np.array([5, 3, 5]), np.array(2), 0, "max", "value", I32)
    >>> values, places
    (array([5, 5]), array([0, 2]))
    """
    return top_k_3(data, k, axis, mode, sort, index_element_type)
