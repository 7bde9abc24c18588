"""Data movement: views of the elements between two positions.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/movement/slice-8.html
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

import numpy as np

from irrun.kernels.slices import BEYOND, Ends, clamped, length_ends
from irrun.ops.attributes import integers
from irrun.ops.axes import axes_in
from irrun.ops.declare import Attribute, OpError
from irrun.ops.movement import DATA, movement, steering
from irrun.types.dim import Dim, static
from irrun.types.fact import Fact
from irrun.types.shape import Shape


def _ends(fact: Fact | None, place: int, absent: Ends = (1, 1)) -> Ends:
    """The least and the greatest that an element of a start, stop or step may be."""
    if fact is None:
        return absent
    if fact.interval is None:
        return -BEYOND, BEYOND
    low, high = fact.interval
    return int(low[place]), int(high[place])


def _sliced_dim(dim: Dim, start: Ends | None, stop: Ends | None, step: Ends, at: str, *, clamp: bool = False) -> Dim:
    """How many elements a slice takes of a dim."""
    if step == (0, 0):
        raise _no_step(at)
    extent = dim.low, dim.high
    if step[0] == step[1]:
        return Dim(*length_ends(extent, start, stop, step[0], clamp=clamp))
    # Of an unknown step it is certain that it skips elements or none.
    directions = [way for way in (1, -1) if way * step[0] > 0 or way * step[1] > 0]
    most = [length_ends(extent, start, stop, way, clamp=clamp)[1] for way in directions]
    return Dim(0, None if None in most else max(each for each in most if each is not None))


def _slice(start: int | None, stop: int | None, step: int, at: str) -> slice:
    if step == 0:
        raise _no_step(at)
    return slice(start, stop, step)


def _no_step(at: str) -> OpError:
    return OpError(f"{at} has a 0; a step goes forwards or backwards", at=at)


# Slice


def _slice_axes(axes: np.ndarray | None, count: int, rank: int) -> tuple[int, ...]:
    """The axes that are sliced, the first ones by default."""
    if axes is None:
        if count > rank:
            raise OpError(
                f"start has {count} elements, but data is of rank {rank}", at="start", against="data", kind="dims"
            )
        return tuple(range(count))
    named = axes_in(axes, rank)
    if len(set(named)) < len(named):
        raise OpError(f"axes {axes.tolist()} name an axis twice", at="axes")
    return named


def _sliced(data: Fact, start: Fact, stop: Fact, step: Fact, axes: Fact | None) -> Shape:
    if data.dims is None:
        return Shape()
    if not data.dims:
        raise OpError("data is a scalar; rank 1 or more is expected", at="data", kind="rank")
    lengths = [fact.dims[0] for fact in (start, stop, step, axes) if fact is not None and fact.dims is not None]
    count = next((dim.low for dim in lengths if dim.is_static), None)
    if count is None or (axes is not None and axes.value is None and count):
        return Shape(tuple([Dim(0, dim.high) for dim in data.dims]))
    dims = list(data.dims)
    for place, axis in enumerate(_slice_axes(None if axes is None else axes.value, count, len(dims))):
        first, last, every = (_ends(fact, place) for fact in (start, stop, step))
        dims[axis] = _sliced_dim(dims[axis], first, last, every, "step")
    return Shape(tuple(dims))


@movement(
    "Slice-8",
    DATA,
    steering("start", dims="slices"),
    steering("stop", dims="slices"),
    steering("step", dims="slices"),
    steering("axes", dims="slices", optional=True),
    shape=_sliced,
)
def slice_axes(
    data: np.ndarray, start: np.ndarray, stop: np.ndarray, step: np.ndarray, axes: np.ndarray | None = None
) -> np.ndarray:
    """A view of the elements from start to stop, without stop, on each of the axes, as Python slices.

    >>> slice_axes(np.arange(10), np.array([8]), np.array([0]), np.array([-3]))
    array([8, 5, 2])
    """
    index = [slice(None)] * data.ndim
    named = _slice_axes(axes, len(start), data.ndim)
    for axis, first, last, every in zip(named, start.tolist(), stop.tolist(), step.tolist(), strict=True):
        index[axis] = _slice(first, last, every, at="step")
    return data[tuple(index)]


# StridedSlice


class Masks(NamedTuple):
    """The five masks of a strided slice."""

    begin: Sequence[int]
    end: Sequence[int]
    new_axis: Sequence[int]
    shrink_axis: Sequence[int]
    ellipsis: Sequence[int]


class Way(Enum):
    """What an element of begin, end and stride does."""

    KEEP = "leaves a dim as it is"
    NEW = "inserts a dim of 1"
    TAKE = "takes one position and drops the dim"
    SLICE = "slices a dim"


Steps = list[tuple[Way, int]]


def _set(mask: Sequence[int], place: int) -> bool:
    return place < len(mask) and mask[place] == 1


def _steps(count: int, rank: int, masks: Masks) -> Steps:
    """What is done dim after dim, with its place in begin; an ellipsis comes before a new axis before a shrunk one."""
    if count > rank + len(masks.new_axis) + 1:
        message = f"begin has {count} elements, but data is of rank {rank}"
        raise OpError(message, at="begin", against="data", kind="dims")
    ellipses = [place for place in range(count) if _set(masks.ellipsis, place)]
    if len(ellipses) > 1:
        message = f"ellipsis_mask is set at {ellipses[0]} and at {ellipses[1]}; one ellipsis is allowed"
        raise OpError(message, at="ellipsis_mask")
    new = [place for place in range(count) if _set(masks.new_axis, place) and place not in ellipses]
    skipped = rank - (count - len(new) - len(ellipses))
    if skipped < 0:
        message = f"begin is for {rank - skipped} axes, but data is of rank {rank}"
        raise OpError(message, at="begin", against="data", kind="dims")
    steps: Steps = []
    for place in range(count):
        if place in ellipses:
            steps += [(Way.KEEP, place)] * skipped
        elif place in new:
            steps.append((Way.NEW, place))
        else:
            steps.append((Way.TAKE if _set(masks.shrink_axis, place) else Way.SLICE, place))
    return steps if ellipses else steps + [(Way.KEEP, count)] * skipped


def _strided(
    data: Fact,
    begin: Fact,
    end: Fact,
    stride: Fact | None,
    begin_mask: Sequence[int],
    end_mask: Sequence[int],
    new_axis_mask: Sequence[int],
    shrink_axis_mask: Sequence[int],
    ellipsis_mask: Sequence[int],
) -> Shape:
    masks = Masks(begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask)
    if data.dims is None:
        return Shape()
    lengths = [fact.dims[0] for fact in (begin, end, stride) if fact is not None and fact.dims is not None]
    count = next((dim.low for dim in lengths if dim.is_static), None)
    if count is None:
        changes_rank = 1 in (*new_axis_mask, *shrink_axis_mask, *ellipsis_mask)
        return Shape() if changes_rank else Shape(tuple([Dim(0, dim.high) for dim in data.dims]))
    dims: list[Dim] = []
    rest = iter(data.dims)
    for way, place in _steps(count, len(data.dims), masks):
        if way is Way.NEW:
            dims.append(static(1))
            continue
        dim = next(rest)
        first = None if way is Way.KEEP or _set(begin_mask, place) else _ends(begin, place)
        if way is Way.KEEP:
            dims.append(dim)
        elif way is Way.TAKE:
            _check_taken(dim, first)
        else:
            last = None if _set(end_mask, place) else _ends(end, place)
            dims.append(_sliced_dim(dim, first, last, _ends(stride, place), "stride", clamp=True))
    return Shape(tuple(dims))


def _check_taken(dim: Dim, position: Ends | None) -> None:
    """Raise OpError where a dim cannot have the one position that is taken of it."""
    low, high = (0, 0) if position is None else position
    if dim.high is not None and (low >= dim.high or high < -dim.high):
        raise OpError(f"begin takes position {low} of a dim of {dim}", at="begin", against="data")


def _bits(text: str) -> tuple[int, ...]:
    """A list of 0 and 1."""
    values = integers(text)
    if any(value not in (0, 1) for value in values):
        raise ValueError("expected a list of 0 and 1")
    return values


_bits.__name__ = "list of 0 and 1"


@movement(
    "StridedSlice-1",
    DATA,
    steering("begin", dims="slices"),
    steering("end", dims="slices"),
    steering("stride", dims="slices", optional=True),
    attributes=[
        Attribute("begin_mask", _bits),
        Attribute("end_mask", _bits),
        Attribute("new_axis_mask", _bits, default=()),
        Attribute("shrink_axis_mask", _bits, default=()),
        Attribute("ellipsis_mask", _bits, default=()),
    ],
    shape=_strided,
)
def strided_slice(
    data: np.ndarray,
    begin: np.ndarray,
    end: np.ndarray,
    stride: np.ndarray | None = None,
    begin_mask: Sequence[int] = (),
    end_mask: Sequence[int] = (),
    new_axis_mask: Sequence[int] = (),
    shrink_axis_mask: Sequence[int] = (),
    ellipsis_mask: Sequence[int] = (),
) -> np.ndarray:
    """A view as NumPy's own index would give it, but for a begin before the first element, which is that one both ways.

    Where begin is end nothing is taken, unless the axis is shrunk.

    >>> strided_slice(np.arange(6).reshape(2, 3), np.array([0, 1]), np.array([0, 3]), shrink_axis_mask=[1])
    array([1, 2])
    """
    masks = Masks(begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask)
    first, last = begin.tolist(), end.tolist()
    strides = [1] * len(first) if stride is None else stride.tolist()
    index: list[slice | int | None] = []
    extents = iter(data.shape)
    for way, place in _steps(len(first), data.ndim, masks):
        if way is Way.NEW:
            index.append(None)
            continue
        extent = next(extents)
        start = None if way is Way.KEEP or _set(begin_mask, place) else first[place]
        if way is Way.TAKE:
            _check_taken(static(extent), (start or 0, start or 0))
            index.append(start or 0)
        else:
            stop = None if way is Way.KEEP or _set(end_mask, place) else last[place]
            step = 1 if way is Way.KEEP else strides[place]
            index.append(_slice(clamped(start, extent, step), stop, step, at="stride"))
    return data[(*index, ...)]
