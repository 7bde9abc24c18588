"""Data movement: elements regrouped between a dim and blocks of others.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/movement/depth-to-space-1.html
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce as fold
from typing import TypeVar

import numpy as np

from irrun.ops.attributes import integer, one_of
from irrun.ops.axes import axis_in
from irrun.ops.declare import Attribute, Kernel, OpError, Rule
from irrun.ops.enlarging import pad_with
from irrun.ops.movement import DATA, Dims, movement, steering
from irrun.types.dim import UNKNOWN, Dim, static
from irrun.types.element import INTEGER
from irrun.types.fact import Fact
from irrun.types.shape import MOST_DIMS, Shape

_K = TypeVar("_K", bound=Kernel)


def _divided(dim: Dim, divisor: int, axis: int, by: str) -> Dim:
    """The dim divided; raises OpError where it is no multiple."""
    quotient = dim.divided(divisor)
    if quotient is None:
        message = f"dim {axis} of data is {dim}, which is no multiple of {divisor}, as {by} has it"
        raise OpError(message, at="data", against=by, kind="dims")
    return quotient


# ShuffleChannels


def _shuffled(data: Fact, axis: int, group: int) -> Shape:
    if group < 1:
        raise OpError(f"group is {group}; 1 or more is expected", at="group")
    if data.dims is not None:
        place = axis_in(axis, len(data.dims))
        _divided(data.dims[place], group, place, "group")
    return data.shape


@movement(
    "ShuffleChannels-1",
    DATA,
    attributes=[Attribute("axis", integer, default=1), Attribute("group", integer, default=1)],
    shape=_shuffled,
)
def shuffle_channels(data: np.ndarray, axis: int, group: int) -> np.ndarray:
    """The channels of the groups in turn: the first of each group, then the second of each, and so on.

    >>> shuffle_channels(np.arange(6), axis=0, group=2)
    array([0, 3, 1, 4, 2, 5])
    """
    place = axis_in(axis, data.ndim)
    before, count, after = data.shape[:place], data.shape[place], data.shape[place + 1 :]
    return data.reshape(*before, group, count // group, *after).swapaxes(place, place + 1).reshape(data.shape)


# DepthToSpace and SpaceToDepth


def depth_and_space(name: str, shape: Rule) -> Callable[[_K], _K]:
    """Declare an operation that regroups depth, dim 1, and blocks of the spatial dims after it."""
    modes = Attribute("mode", one_of("blocks_first", "depth_first"))
    return movement(name, DATA, attributes=[Attribute("block_size", integer, default=1), modes], shape=shape)


def _spatial(data: Fact, block_size: int) -> Dims | None:
    """The dims of the data; raises OpError where none of them are spatial."""
    if block_size < 1:
        raise OpError(f"block_size is {block_size}; 1 or more is expected", at="block_size")
    if data.dims is not None and len(data.dims) < 3:
        raise OpError(f"data is {data.shape}; rank 3 or more is expected", at="data", kind="rank")
    return data.dims


def _to_space(data: Fact, block_size: int, mode: str) -> Shape:
    dims = _spatial(data, block_size)
    if dims is None:
        return Shape()
    depth = _divided(dims[1], block_size ** (len(dims) - 2), 1, "block_size")
    return Shape((dims[0], depth, *[dim * block_size for dim in dims[2:]]))


def _to_depth(data: Fact, block_size: int, mode: str) -> Shape:
    dims = _spatial(data, block_size)
    if dims is None:
        return Shape()
    spatial = [_divided(dim, block_size, axis, "block_size") for axis, dim in enumerate(dims[2:], 2)]
    return Shape((dims[0], dims[1] * block_size ** len(spatial), *spatial))


@depth_and_space("DepthToSpace-1", _to_space)
def depth_to_space(data: np.ndarray, block_size: int, mode: str) -> np.ndarray:
    """Depth laid out as blocks of `block_size` in each spatial dim; the blocks come before the new depth, or after."""
    count = data.ndim - 2
    batch, depth, *spatial = data.shape
    blocks = [block_size] * count
    new_depth = depth // block_size**count
    split = [*blocks, new_depth] if mode == "blocks_first" else [new_depth, *blocks]
    first_block, depth_axis = (1, 1 + count) if mode == "blocks_first" else (2, 1)
    pairs = [axis for place in range(count) for axis in (2 + count + place, first_block + place)]
    moved = data.reshape(batch, *split, *spatial).transpose(0, depth_axis, *pairs)
    return moved.reshape(batch, new_depth, *[extent * block_size for extent in spatial])


@depth_and_space("SpaceToDepth-1", _to_depth)
def space_to_depth(data: np.ndarray, block_size: int, mode: str) -> np.ndarray:
    """Blocks of `block_size` in each spatial dim laid into the depth, before the old depth or after it."""
    count = data.ndim - 2
    batch, depth, *spatial = data.shape
    smaller = [extent // block_size for extent in spatial]
    split = [each for extent in smaller for each in (extent, block_size)]
    places = [2 + 2 * place for place in range(count)]
    blocks = [3 + 2 * place for place in range(count)]
    order = [*blocks, 1] if mode == "blocks_first" else [1, *blocks]
    moved = data.reshape(batch, depth, *split).transpose(0, *order, *places)
    return moved.reshape(batch, depth * block_size**count, *smaller)


# BatchToSpace and SpaceToBatch


def batch_and_space(name: str, begin: str, end: str, shape: Rule) -> Callable[[_K], _K]:
    """Declare an operation that regroups the batch, dim 0, and blocks of the spatial dims after it."""
    given = [steering(each, "T_INT", "rank") for each in ("block_shape", begin, end)]
    return movement(name, DATA, *given, types={"T_INT": INTEGER}, shape=shape)


def _known_dims(data: Fact, block_shape: Fact, begin: Fact, end: Fact) -> Dims | None:
    """The dims of the data as far as they, or the length of another input, tell the rank."""
    counts = [fact.dims[0] for fact in (block_shape, begin, end) if fact.dims is not None]
    count = next((dim.low for dim in counts if dim.is_static), None)
    if data.dims is None:
        return None if count is None or count > MOST_DIMS else (UNKNOWN,) * count
    if len(data.dims) < 2:
        raise OpError(f"data is {data.shape}; rank 2 or more is expected", at="data", kind="rank")
    if count not in (None, len(data.dims)):
        message = f"block_shape has {count} elements, but data is {data.shape}: there is one for each dim"
        raise OpError(message, at="block_shape", against="data", kind="dims")
    return data.dims


def _amounts(fact: Fact, name: str, least: int, rank: int) -> list[Dim]:
    """How far each element of a block shape, of crops or of pads is known; raises OpError where one is not allowed."""
    if fact.interval is None:
        return [static(least), *[Dim(least)] * (rank - 1)]
    for place, (low, high) in enumerate(zip(*(end.tolist() for end in fact.interval), strict=True)):
        if high < least or (place == 0 and low > least):
            expected = f"{least}" if place == 0 else f"{least} or more"
            message = f"{name} has {low if place == 0 else high} at {place}; {expected} is expected"
            raise OpError(message, at=name)
    dims = fact.extents or ()
    return [static(least), *[dim.meet(Dim(least)) or Dim(least) for dim in dims[1:]]]


def _space_from_batch(data: Fact, block_shape: Fact, crops_begin: Fact, crops_end: Fact) -> Shape:
    dims = _known_dims(data, block_shape, crops_begin, crops_end)
    if dims is None:
        return Shape()
    blocks = _amounts(block_shape, "block_shape", 1, len(dims))
    begins = _amounts(crops_begin, "crops_begin", 0, len(dims))
    ends = _amounts(crops_end, "crops_end", 0, len(dims))
    count = fold(Dim.__mul__, blocks)
    batch = (
        _divided(dims[0], count.low, 0, "block_shape") if count.is_static else Dim(min(dims[0].low, 1), dims[0].high)
    )
    spatial = []
    for axis, (dim, block, begin, end) in enumerate(zip(dims, blocks, begins, ends, strict=True)):
        whole, cropped = dim * block, begin + end
        if whole.high is not None and cropped.low > whole.high:
            message = f"the crops of axis {axis} are {cropped}, but there are {whole} elements to crop"
            raise OpError(message, at="crops_begin", against="data", kind="dims")
        spatial.append(whole - cropped)
    return Shape((batch, *spatial[1:]))


def _batch_from_space(data: Fact, block_shape: Fact, pads_begin: Fact, pads_end: Fact) -> Shape:
    dims = _known_dims(data, block_shape, pads_begin, pads_end)
    if dims is None:
        return Shape()
    blocks = _amounts(block_shape, "block_shape", 1, len(dims))
    begins = _amounts(pads_begin, "pads_begin", 0, len(dims))
    ends = _amounts(pads_end, "pads_end", 0, len(dims))
    spatial = []
    for axis, (dim, block, begin, end) in enumerate(zip(dims, blocks, begins, ends, strict=True)):
        whole = dim + begin + end
        if block.is_static:
            spatial.append(_divided(whole, block.low, axis, "block_shape"))
        else:
            spatial.append(Dim(min(whole.low, 1), None if whole.high is None else whole.high // block.low))
    return Shape((dims[0] * fold(Dim.__mul__, blocks), *spatial[1:]))


@batch_and_space("BatchToSpace-2", "crops_begin", "crops_end", _space_from_batch)
def batch_to_space(
    data: np.ndarray, block_shape: np.ndarray, crops_begin: np.ndarray, crops_end: np.ndarray
) -> np.ndarray:
    """Parts of the batch laid out as blocks in the spatial dims, which are then cropped.

    >>> batch_to_space(np.array([[1], [2], [3]]), np.array([1, 3]), np.array([0, 1]), np.array([0, 0]))
    array([[2, 3]])
    """
    blocks = block_shape.tolist()[1:]
    count, (batch, *spatial) = len(blocks), data.shape
    fewer = batch // math.prod(blocks)
    order = [count, *[axis for place in range(count) for axis in (count + 1 + place, place)]]
    moved = data.reshape(*blocks, fewer, *spatial).transpose(order)
    whole = moved.reshape(fewer, *[extent * block for extent, block in zip(spatial, blocks, strict=True)])
    ends = [extent - end for extent, end in zip(whole.shape, crops_end.tolist(), strict=True)]
    return whole[tuple([slice(begin, end) for begin, end in zip(crops_begin.tolist(), ends, strict=True)])]


@batch_and_space("SpaceToBatch-2", "pads_begin", "pads_end", _batch_from_space)
def space_to_batch(
    data: np.ndarray, block_shape: np.ndarray, pads_begin: np.ndarray, pads_end: np.ndarray
) -> np.ndarray:
    """The spatial dims, padded with zeros, with the elements at each place in a block as another part of the batch.

    >>> space_to_batch(np.array([[2, 3]]), np.array([1, 3]), np.array([0, 1]), np.array([0, 0]))
    array([[0],
           [2],
           [3]])
    """
    blocks = block_shape.tolist()[1:]
    count = len(blocks)
    padded = pad_with(data, pads_begin.tolist(), pads_end.tolist(), np.zeros((), data.dtype))
    batch, *spatial = padded.shape
    smaller = [extent // block for extent, block in zip(spatial, blocks, strict=True)]
    split = [each for pair in zip(smaller, blocks, strict=True) for each in pair]
    order = [*[2 + 2 * place for place in range(count)], 0, *[1 + 2 * place for place in range(count)]]
    return padded.reshape(batch, *split).transpose(order).reshape(batch * math.prod(blocks), *smaller)
