"""Data movement: copies with updates where indices say.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/movement/scatter-elements-update-12.html
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from irrun.kernels import scatter
from irrun.kernels.indexing import along
from irrun.kernels.scatter import Scatter
from irrun.ops.attributes import boolean, one_of
from irrun.ops.axes import expect_scalar, only_axis
from irrun.ops.declare import Attribute, Input, Kernel, OpError, Rule
from irrun.ops.indices import Negative, places_in
from irrun.ops.movement import DATA, movement, steering
from irrun.types.dim import UNKNOWN
from irrun.types.element import BOOLEAN, INDEX, INTEGER, STRING, TypeSet
from irrun.types.fact import Fact
from irrun.types.shape import Shape

_K = TypeVar("_K", bound=Kernel)

UPDATES = Input("updates", "T")
HOW: Mapping[str, Scatter] = {
    "sum": scatter.SUM,
    "sub": scatter.SUB,
    "prod": scatter.PROD,
    "min": scatter.MIN,
    "max": scatter.MAX,
    "mean": scatter.MEAN,
}
"""What `reduction` is, beside `none`, which replaces."""


def scattering(
    name: str, *inputs: Input, indices: TypeSet, shape: Rule, attributes: Sequence[Attribute] = ()
) -> Callable[[_K], _K]:
    """Declare an operation that copies data and updates it where the indices say."""
    given = (DATA, Input("indices", indices), UPDATES, *inputs)
    return movement(name, *given, attributes=attributes, shape=shape, computes=bool(attributes))


def _reduction(*words: str) -> Attribute:
    return Attribute("reduction", one_of("none", *words), default="none")


def _check_reduction(data: Fact, reduction: str) -> None:
    """Raise OpError where elements of this type cannot be brought together so."""
    if reduction == "none":
        return
    if data.type.is_storage:
        message = f"data is {data.type}, a type for storing, and reduction is {reduction}"
        raise OpError(message, at="data", against="reduction", hint="Convert first", kind="storage")
    if data.type is STRING or (data.type is BOOLEAN and reduction == "mean"):
        raise OpError(f"data is {data.type}, which has no {reduction}", at="data", against="reduction", kind="listed")


def _expect_updates(updates: Fact, wanted: Shape, why: str) -> None:
    if updates.shape.meet(wanted) is None:
        message = f"updates is {updates.shape}, but {wanted} is expected: {why}"
        raise OpError(message, at="updates", against="indices", kind="dims")


def _apply(result: np.ndarray, places: np.ndarray, updates: np.ndarray, reduction: str, *, keep: bool = True) -> None:
    """Update rows of a copy, the last update of a place being the one that stays."""
    if reduction == "none":
        result[places] = updates
    else:
        scatter.scatter(result, places, updates, HOW[reduction], keep=keep)


# ScatterUpdate


def _slices_updated(data: Fact, indices: Fact, updates: Fact, axis: Fact) -> Shape:
    expect_scalar(axis, "axis", or_1d=True)
    if data.dims is not None and indices.dims is not None:
        place = None if axis.value is None else only_axis(axis.value, len(data.dims))
        wanted = Shape.unknown(len(data.dims) + len(indices.dims) - 1)
        if place is not None:
            wanted = Shape((*data.dims[:place], *indices.dims, *data.dims[place + 1 :]))
        _expect_updates(updates, wanted, "the dims of indices in place of the axis of data")
    return data.shape


@scattering("ScatterUpdate-3", steering("axis"), indices=INTEGER, shape=_slices_updated)
def scatter_update(data: np.ndarray, indices: np.ndarray, updates: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """A copy of the data with other slices at the indices along the axis.

    >>> scatter_update(np.zeros(3), np.array([2]), np.array([5.0]), np.array(0))
    array([0., 0., 5.])
    """
    place = only_axis(axis, data.ndim)
    result = data.copy()
    result[(slice(None),) * place + (places_in(indices, data.shape[place], Negative.REFUSED, place),)] = updates
    return result


# ScatterElementsUpdate


def _elements_updated(data: Fact, indices: Fact, updates: Fact, axis: Fact) -> Shape:
    expect_scalar(axis, "axis", or_1d=True)
    for name, fact in (("indices", indices), ("updates", updates)):
        if data.rank is not None and fact.rank is not None and fact.rank != data.rank:
            message = f"{name} is {fact.shape}, but data is {data.shape}: their ranks are equal"
            raise OpError(message, at=name, against="data", kind="rank")
    _expect_updates(updates, indices.shape, "the shape of indices")
    if data.dims is None:
        return data.shape
    place = None if axis.value is None else only_axis(axis.value, len(data.dims))
    longer = [
        at
        for at, (dim, count) in enumerate(zip(data.dims, indices.dims or (), strict=False))
        if at != place and dim.high is not None and count.low > dim.high
    ]
    if len(longer) > (place is None):  # of an axis that is not known, one may be longer
        message = f"indices is {indices.shape}, but data is {data.shape}: only along the axis it may be longer"
        raise OpError(message, at="indices", against="data", kind="dims")
    return data.shape


def _elements_reduced(
    data: Fact, indices: Fact, updates: Fact, axis: Fact, reduction: str, use_init_val: bool
) -> Shape:
    _check_reduction(data, reduction)
    return _elements_updated(data, indices, updates, axis)


def _update_elements(
    data: np.ndarray,
    indices: np.ndarray,
    updates: np.ndarray,
    axis: np.ndarray,
    negative: Negative,
    reduction: str = "none",
    *,
    keep: bool = True,
) -> np.ndarray:
    place = only_axis(axis, data.ndim)
    places = places_in(indices, data.shape[place], negative, place)
    result = data.copy()
    flat = _flat(along(places, place), data.shape)
    _apply(result.reshape(-1), flat.reshape(-1), updates.reshape(-1), reduction, keep=keep)
    return result


def _flat(index: Sequence[np.ndarray], extents: Sequence[int]) -> np.ndarray:
    """Where, in row-major order, the positions of an index stand."""
    flat = np.zeros((), np.int64)
    for places, extent in zip(index, extents, strict=True):
        flat = flat * extent + places
    return flat


@scattering("ScatterElementsUpdate-3", steering("axis"), indices=INTEGER, shape=_elements_updated)
def scatter_elements_update_3(
    data: np.ndarray, indices: np.ndarray, updates: np.ndarray, axis: np.ndarray
) -> np.ndarray:
    """A copy of the data with other elements: at an update's index on the axis, at its own place on the others.

    The page forbids negative indices; they count from the end, as OpenVINO has them, which is said.
    """
    return _update_elements(data, indices, updates, axis, Negative.SAID)


@scattering(
    "ScatterElementsUpdate-12",
    steering("axis"),
    indices=INTEGER,
    attributes=[
        _reduction("sum", "prod", "min", "max", "mean"),
        Attribute("use_init_val", boolean, default=True),
    ],
    shape=_elements_reduced,
)
def scatter_elements_update(
    data: np.ndarray,
    indices: np.ndarray,
    updates: np.ndarray,
    axis: np.ndarray,
    reduction: str = "none",
    use_init_val: bool = True,
) -> np.ndarray:
    """A copy of the data with other elements: at an update's index on the axis, at its own place on the others; the
    updates of one element are brought together as `reduction` says, and with the element itself if `use_init_val`.

    >>> scatter_elements_update(np.array([2, 3]), np.array([1, 1]), np.array([10, 20]), np.array(0), "sum")
    array([ 2, 33])
    """
    return _update_elements(data, indices, updates, axis, Negative.COUNTS, reduction, keep=use_init_val)


# ScatterNDUpdate


def _tuples_updated(data: Fact, indices: Fact, updates: Fact) -> Shape:
    for name, fact in (("data", data), ("indices", indices)):
        if fact.rank == 0:
            raise OpError(f"{name} is a scalar; rank 1 or more is expected", at=name, kind="rank")
    length = indices.dims[-1] if indices.dims is not None else UNKNOWN
    if data.dims is None or indices.dims is None:
        return data.shape
    if length.low > len(data.dims):
        message = f"indices is {indices.shape}, of tuples of {length}, but data is {data.shape}"
        raise OpError(message, at="indices", against="data", kind="dims")
    if length.is_static:
        wanted = Shape((*indices.dims[:-1], *data.dims[length.low :]))
        if wanted.dims or not updates.shape.elements.admits(1):
            _expect_updates(updates, wanted, "one slice of data for each tuple")
    return data.shape


def _tuples_reduced(data: Fact, indices: Fact, updates: Fact, reduction: str) -> Shape:
    _check_reduction(data, reduction)
    return _tuples_updated(data, indices, updates)


def _update_tuples(
    data: np.ndarray, indices: np.ndarray, updates: np.ndarray, negative: Negative, reduction: str = "none"
) -> np.ndarray:
    length = indices.shape[-1]
    extents, row = data.shape[:length], data.shape[length:]
    index = [places_in(indices[..., at], extent, negative, at) for at, extent in enumerate(extents)]
    places = np.broadcast_to(_flat(index, extents), indices.shape[:-1]).reshape(-1)
    result = data.copy()
    rows = result.reshape(math.prod(extents), *row)
    _apply(rows, places, updates.reshape(len(places), *row), reduction)
    return result


@scattering("ScatterNDUpdate-3", indices=INDEX, shape=_tuples_updated)
def scatter_nd_update_3(data: np.ndarray, indices: np.ndarray, updates: np.ndarray) -> np.ndarray:
    """A copy of the data with other slices where the tuples in the last axis of `indices` say.

    The page has no negative indices; they count from the end, as OpenVINO has them, which is said.
    """
    return _update_tuples(data, indices, updates, Negative.SAID)


@scattering(
    "ScatterNDUpdate-15",
    indices=INDEX,
    attributes=[_reduction("sum", "sub", "prod", "min", "max")],
    shape=_tuples_reduced,
)
def scatter_nd_update(
    data: np.ndarray, indices: np.ndarray, updates: np.ndarray, reduction: str = "none"
) -> np.ndarray:
    """A copy of the data with other slices where the tuples in the last axis of `indices` say; the updates of one slice
    are brought together with it as `reduction` says.

    >>> scatter_nd_update(np.array([1, 2, 3]), np.array([[0], [-1], [0]]), np.array([5, 6, 7]), "sum")
    array([13,  2,  9])
    """
    return _update_tuples(data, indices, updates, Negative.COUNTS, reduction)
