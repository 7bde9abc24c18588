"""Data movement: elements and slices taken from where indices say.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/movement/gather-8.html
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce as fold
from typing import TypeVar

import numpy as np

from irrun.kernels.indexing import as_places, over_result, take, tuples
from irrun.kernels.notice import notice
from irrun.ops.attributes import integer
from irrun.ops.axes import axis_in, expect_scalar, only_axis, over_axes
from irrun.ops.declare import Attribute, Input, Kernel, OpError, Rule
from irrun.ops.indices import Negative, places_in, say_counted
from irrun.ops.movement import DATA, Dims, movement, steering
from irrun.types.element import INDEX, INTEGER
from irrun.types.fact import Fact
from irrun.types.shape import Shape

_SHOWN = 4
_K = TypeVar("_K", bound=Kernel)

INDICES = Input("indices", INTEGER)
BATCH_DIMS = Attribute("batch_dims", integer, default=0)


def _batch(data: Fact, indices: Fact, batch: int) -> Dims:
    """The dims that data and indices share; raises OpError where they differ."""
    assert data.dims is not None, "the ranks are known"
    assert indices.dims is not None, "the ranks are known"
    met = Shape(data.dims[:batch]).meet(Shape(indices.dims[:batch]))
    if met is None or met.dims is None:
        message = (
            f"indices is {indices.shape}, but data is {data.shape}: with batch_dims {batch} their first dims are equal"
        )
        raise OpError(message, at="indices", against="data", kind="dims")
    return met.dims


# Gather


def _gathered(data: Fact, indices: Fact, axis: Fact, batch_dims: int) -> Shape:
    expect_scalar(axis, "axis", or_1d=True)
    if data.dims is None or indices.dims is None:
        return Shape()
    dims, rest, rank = data.dims, indices.dims, min(len(data.dims), len(indices.dims))
    batch = batch_dims + len(rest) if batch_dims < 0 else batch_dims
    if not 0 <= batch <= rank:
        message = f"batch_dims is {batch_dims}, but data is {data.shape} and indices is {indices.shape}"
        raise OpError(message, at="batch_dims", against="indices")
    shared = _batch(data, indices, batch)

    def taken(place: int) -> list[Shape]:
        if place < batch:
            message = f"axis is {place}, but batch_dims is {batch}: the first {batch} axes are the batch's"
            raise OpError(message, at="axis", against="batch_dims")
        return [Shape((*shared, *dims[batch:place], *rest[batch:], *dims[place + 1 :]))]

    return over_axes(axis, len(dims), taken)[0]


def _gathered_1(data: Fact, indices: Fact, axis: Fact) -> Shape:
    return _gathered(data, indices, axis, 0)


SHOWN = 3
"""How many indices outside an axis are listed."""


def gathering(name: str, shape: Rule, *attributes: Attribute) -> Callable[[_K], _K]:
    """Declare an operation that takes slices along an axis."""
    return movement(name, DATA, INDICES, steering("axis"), attributes=attributes, shape=shape)


def _gather(data: np.ndarray, indices: np.ndarray, axis: np.ndarray, batch_dims: int, negative: Negative) -> np.ndarray:
    place = only_axis(axis, data.ndim)
    batch = batch_dims + indices.ndim if batch_dims < 0 else batch_dims
    extent = data.shape[place]
    places = as_places(indices)
    if negative is Negative.COUNTS or not (places.size and places.min() < 0):
        try:
            return take(data, places, place, batch)
        except IndexError:  # NumPy counts negative indices from the end, too, and checks them on its way
            pass
    outside = (places < -extent) | (places >= extent)
    if negative is Negative.SAID and ((places < 0) & ~outside).any():
        say_counted(np.where(outside, 0, places))
    counted = np.where(places < 0, places + extent, places)
    if not outside.any():
        return take(data, counted, place, batch)
    notice(f"{_listed(indices, outside)} outside axis {place} of {extent} elements: zeros are given")
    zero = np.zeros((), data.dtype)
    if extent == 0:
        shape = data.shape[:place] + indices.shape[batch:] + data.shape[place + 1 :]
        return np.full(shape, zero, data.dtype)
    taken = take(data, np.where(outside, 0, counted), place, batch)
    return np.where(over_result(outside, place, batch, data.ndim), zero, taken)


def _listed(indices: np.ndarray, outside: np.ndarray) -> str:
    """The first few indices that lie outside, with their positions: `index 4 at [1] is`."""
    positions = np.argwhere(outside)
    shown = ", ".join(f"{indices[tuple(position)]} at {position.tolist()}" for position in positions[:_SHOWN])
    if len(positions) == 1:
        return f"index {shown} is"
    more = f" and {len(positions) - _SHOWN} more" if len(positions) > _SHOWN else ""
    return f"indices {shown}{more} are"


@gathering("Gather-1", _gathered_1)
def gather_1(data: np.ndarray, indices: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """The slices at the indices along the axis; zeros for an index outside it.

    The page leaves negative indices open: they count from the end, which is said.
    """
    return _gather(data, indices, axis, 0, Negative.SAID)


@gathering("Gather-7", _gathered, BATCH_DIMS)
def gather_7(data: np.ndarray, indices: np.ndarray, axis: np.ndarray, batch_dims: int = 0) -> np.ndarray:
    """The slices at the indices along the axis, each batch of the leading dims with its own indices; zeros for an index
    outside the axis.
    """
    return _gather(data, indices, axis, batch_dims, Negative.SAID)


@gathering("Gather-8", _gathered, BATCH_DIMS)
def gather(data: np.ndarray, indices: np.ndarray, axis: np.ndarray, batch_dims: int = 0) -> np.ndarray:
    """The slices at the indices along the axis, each batch of the leading dims with its own indices, which count from
    the end where they are negative; zeros for an index outside the axis.

    >>> gather(np.array([1, 2, 3, 4, 5]), np.array([3, -2, 0]), np.array(0))
    array([4, 4, 1])
    """
    return _gather(data, indices, axis, batch_dims, Negative.COUNTS)


# GatherElements


def _elements_gathered(data: Fact, indices: Fact, axis: int) -> Shape:
    for name, fact in (("data", data), ("indices", indices)):
        if fact.rank == 0:
            raise OpError(f"{name} is a scalar; rank 1 or more is expected", at=name, kind="rank")
    ranks = [fact.rank for fact in (data, indices) if fact.rank is not None]
    if not ranks:
        return Shape()
    if len(set(ranks)) > 1:
        message = f"indices is {indices.shape}, but data is {data.shape}: their ranks are equal"
        raise OpError(message, at="indices", against="data", kind="rank")
    place = axis_in(axis, ranks[0], against="data" if data.rank is not None else "indices")
    taken = (indices.dims or Shape.unknown(ranks[0]).dims or ())[place]
    if data.dims is None:
        return indices.shape
    wanted = Shape((*data.dims[:place], taken, *data.dims[place + 1 :]))
    met = wanted.meet(indices.shape)
    if met is None:
        message = f"indices is {indices.shape}, but data is {data.shape}: only dim {place} may differ"
        raise OpError(message, at="indices", against="data", kind="dims")
    return met


@movement(
    "GatherElements-6",
    DATA,
    Input("indices", INDEX),
    attributes=[Attribute("axis", integer)],
    shape=_elements_gathered,
)
def gather_elements(data: np.ndarray, indices: np.ndarray, axis: int) -> np.ndarray:
    """For each index the element that stands there on the axis, and where the index stands on the others.

    >>> gather_elements(np.array([[1, 2], [3, 4]]), np.array([[0, 0], [1, 0]]), axis=1)
    array([[1, 1],
           [4, 3]])
    """
    place = axis_in(axis, data.ndim)
    return np.take_along_axis(data, places_in(indices, data.shape[place], Negative.SAID, place), place)


# GatherND


def _tuples_gathered(data: Fact, indices: Fact, batch_dims: int) -> Shape:
    for name, fact in (("data", data), ("indices", indices)):
        if fact.rank == 0:
            raise OpError(f"{name} is a scalar; rank 1 or more is expected", at=name, kind="rank")
        if batch_dims < 0 or (fact.rank is not None and batch_dims >= fact.rank):
            raise OpError(f"batch_dims is {batch_dims}, but {name} is {fact.shape}", at="batch_dims", against=name)
    if data.dims is None or indices.dims is None:
        return Shape()
    shared = _batch(data, indices, batch_dims)
    length, longest = indices.dims[-1], len(data.dims) - batch_dims
    if length.low > longest:
        message = f"indices is {indices.shape}, of tuples of {length}, but data is {data.shape}"
        hint = f"a tuple has at most {longest} indices" + (" beside the batch's" if batch_dims else "")
        raise OpError(message, at="indices", against="data", kind="dims", hint=hint)
    most = longest if length.high is None else min(length.high, longest)
    before = (*shared, *indices.dims[batch_dims:-1])
    return fold(Shape.join, [Shape(before + data.dims[batch_dims + each :]) for each in range(length.low, most + 1)])


def _tuples_gathered_5(data: Fact, indices: Fact, batch_dims: int) -> Shape:
    """The same with the batch's dims as one."""
    shape = _tuples_gathered(data, indices, batch_dims)
    if shape.dims is None or batch_dims < 2:
        return shape
    return Shape((Shape(shape.dims[:batch_dims]).elements, *shape.dims[batch_dims:]))


@movement("GatherND-8", DATA, INDICES, attributes=[BATCH_DIMS], shape=_tuples_gathered)
def gather_nd(data: np.ndarray, indices: np.ndarray, batch_dims: int = 0) -> np.ndarray:
    """The slices that the tuples in the last axis of `indices` name.

    >>> gather_nd(np.array([[1, 2], [3, 4]]), np.array([[1, 0], [0, 1]]))
    array([3, 2])
    """
    length = indices.shape[-1]
    extents = data.shape[batch_dims : batch_dims + length]
    places = [places_in(indices[..., at], extent, Negative.SAID, batch_dims + at) for at, extent in enumerate(extents)]
    result = data[tuples(np.stack(places, -1) if places else indices, batch_dims)]
    shape = indices.shape[:-1] + data.shape[batch_dims + length :]
    return result if result.shape == shape else np.broadcast_to(result, shape)


@movement("GatherND-5", DATA, INDICES, attributes=[BATCH_DIMS], shape=_tuples_gathered_5)
def gather_nd_5(data: np.ndarray, indices: np.ndarray, batch_dims: int = 0) -> np.ndarray:
    """The slices that the tuples in the last axis of `indices` name, with the batch's dims as one."""
    result = gather_nd(data, indices, batch_dims)
    return result.reshape(math.prod(result.shape[:batch_dims]), *result.shape[batch_dims:]) if batch_dims else result
