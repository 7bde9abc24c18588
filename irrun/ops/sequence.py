"""Sequence processing: OneHot.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/sequence/one-hot-16.html
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from irrun.kernels.indexing import as_places, first_of
from irrun.kernels.notice import notice
from irrun.ops.attributes import integer, one_of
from irrun.ops.axes import axis_in
from irrun.ops.declare import Attribute, Input, Kernel, OpError, Output, Rule, op
from irrun.types.dim import UNKNOWN
from irrun.types.element import ANY, INTEGER
from irrun.types.fact import Fact
from irrun.types.shape import Shape

_K = TypeVar("_K", bound=Kernel)


def _one_hot(
    indices: Fact,
    depth: Fact,
    on_value: Fact,
    off_value: Fact,
    axis: int,
    negative_indices_mode: str = "ignore_negative",
) -> Shape:
    if depth.value is not None and int(depth.value) < 0:
        raise OpError(f"depth is {int(depth.value)}; 0 or more is expected", at="depth")
    if indices.dims is None:
        return Shape()
    place = axis_in(axis, len(indices.dims) + 1, against=None)
    classes = depth.extents[0] if depth.interval is not None and depth.extents else UNKNOWN
    return Shape((*indices.dims[:place], classes, *indices.dims[place:]))


def _one_hot_1(indices: Fact, depth: Fact, on_value: Fact, off_value: Fact, axis: int) -> Shape:
    return _one_hot(indices, depth, on_value, off_value, axis)


def one_hot_family(name: str, shape: Rule, *attributes: Attribute) -> Callable[[_K], _K]:
    """Declare an operation that marks classes along a new axis."""
    inputs = [
        # OpenVINO takes every integer type, the page i32 and i64.
        Input("indices", INTEGER),
        Input("depth", INTEGER, dims="", steers=True),
        Input("on_value", "T2", dims=""),
        Input("off_value", "T2", dims=""),
    ]
    own = [Attribute("axis", integer), *attributes]
    return op(name, types={"T2": ANY}, attributes=own, inputs=inputs, outputs=[Output("T2")], shape=shape)


def _marked(
    places: np.ndarray, depth: np.ndarray, on_value: np.ndarray, off_value: np.ndarray, axis: int
) -> np.ndarray:
    place, count = axis_in(axis, places.ndim + 1), int(depth)
    result = np.full((*places.shape[:place], count, *places.shape[place:]), off_value, off_value.dtype)
    inside = (places >= 0) & (places < count)
    index = tuple(np.argwhere(inside).T)
    result[(*index[:place], places[inside], *index[place:])] = on_value
    return result


@one_hot_family("OneHot-1", _one_hot_1)
def one_hot_1(
    indices: np.ndarray, depth: np.ndarray, on_value: np.ndarray, off_value: np.ndarray, axis: int
) -> np.ndarray:
    """`off_value` with `on_value` at each index along a new axis; an index outside `depth` marks nothing."""
    places = as_places(indices)
    if (places < 0).any():
        position = first_of(places < 0)
        notice(f"index {places[position]} at {list(position)} marks nothing; the page leaves negative indices open")
    return _marked(places, depth, on_value, off_value, axis)


@one_hot_family(
    "OneHot-16",
    _one_hot,
    # The page writes ignore-negative, which OpenVINO does not read.
    Attribute("negative_indices_mode", one_of("ignore_negative", "normalize"), default="ignore_negative"),
)
def one_hot(
    indices: np.ndarray,
    depth: np.ndarray,
    on_value: np.ndarray,
    off_value: np.ndarray,
    axis: int,
    negative_indices_mode: str = "ignore_negative",
) -> np.ndarray:
    """`off_value` with `on_value` at each index along a new axis; an index outside `depth` marks nothing, and with
    `normalize` negative ones count from the end.

    >>> one_hot(np.array([0, -1, 5]), np.array(2), np.array(1), np.array(0), -1, "normalize")
    array([[1, 0],
           [0, 1],
           [0, 0]])
    """
    places = as_places(indices)
    if negative_indices_mode == "normalize":
        places = np.where(places < 0, places + int(depth), places)
    return _marked(places, depth, on_value, off_value, axis)
