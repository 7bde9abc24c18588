"""Data movement: elements repeated, and others put around them.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/movement/pad-12.html
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from irrun.kernels.notice import notice
from irrun.ops.attributes import one_of
from irrun.ops.axes import expect_1d
from irrun.ops.broadcasting import broadcast_dims
from irrun.ops.declare import Attribute, Input, Kernel, OpError, Rule
from irrun.ops.movement import DATA, Dims, movement, steering
from irrun.types.dim import LIMIT, Dim, static
from irrun.types.fact import Fact
from irrun.types.shape import Shape

_K = TypeVar("_K", bound=Kernel)

ONE = static(1)


# Tile


def _tiled(data: Fact, repeats: Fact) -> Shape:
    times = repeats.extents
    if data.dims is None or times is None:
        return Shape()
    if repeats.value is not None and (repeats.value < 0).any():
        notice(f"repeats is {repeats.value.tolist()}: a negative one counts as 0")
    rank = max(len(data.dims), len(times))
    dims, each = (_filled(given, rank) for given in (data.dims, times))
    return Shape(tuple([dim * count for dim, count in zip(dims, each, strict=True)]))


def _filled(dims: Dims, rank: int) -> Dims:
    return (ONE,) * (rank - len(dims)) + dims


@movement("Tile-1", DATA, steering("repeats", dims="axes"), shape=_tiled)
def tile(data: np.ndarray, repeats: np.ndarray) -> np.ndarray:
    """The data as many times after itself along each axis as `repeats` says; the shorter of both is filled with ones.

    >>> tile(np.array([1, 2]), np.array([2, 2]))
    array([[1, 2, 1, 2],
           [1, 2, 1, 2]])
    """
    return np.tile(data, [max(each, 0) for each in repeats.tolist()])


# Broadcast


def _numpy_dims(data: Dims, target: Dims) -> Dims:
    """The target's dims, each of which data's dim is, or is 1."""
    if len(data) > len(target):
        message = f"target_shape has {len(target)} elements, but data is {Shape(data)}, of rank {len(data)}"
        raise OpError(message, at="target_shape", against="data", kind="dims")
    start = len(target) - len(data)
    return _mapped_dims(data, target, range(start, len(target)))


def _mapped_dims(data: Dims, target: Dims, axes: Sequence[int]) -> Dims:
    dims = list(target)
    for dim, axis in zip(data, axes, strict=True):
        met = dim.meet(dims[axis])
        if met is None and not dim.admits(1):
            message = (
                f"target_shape has {dims[axis]} at {axis}, but data is {Shape(data)}: its dim {dim} cannot become it"
            )
            raise OpError(message, at="target_shape", against="data", kind="dims")
        if met is not None and not dim.admits(1):
            dims[axis] = met
    return tuple(dims)


def _bidirectional_dims(data: Dims, target: Dims) -> Dims:
    """What NumPy makes of both."""
    dims = broadcast_dims(data, target)
    if dims is None:
        message = f"target_shape is {Shape(target)}, but data is {Shape(data)}: dims that differ, of which neither is 1"
        raise OpError(message, at="target_shape", against="data", kind="dims")
    return dims


def _explicit_dims(data: Dims, target: Dims, axes_mapping: Fact) -> Dims:
    """The target's dims, where data's are on the axes that the mapping lists."""
    expect_1d(axes_mapping, "axes_mapping")
    if axes_mapping.dims is not None and not axes_mapping.dims[0].admits(len(data)):
        message = f"axes_mapping is {axes_mapping.shape}, but data is {Shape(data)}: it has one axis for each dim"
        raise OpError(message, at="axes_mapping", against="data", kind="dims")
    if axes_mapping.value is None:
        return target
    return _mapped_dims(data, target, _mapping(axes_mapping.value.tolist(), len(target)))


def _mapping(axes: list[int], rank: int) -> list[int]:
    for axis in axes:
        if not 0 <= axis < rank:
            message = f"axes_mapping has {axis}; target_shape has axes from 0 to {rank - 1}"
            raise OpError(message, at="axes_mapping", against="target_shape")
    if sorted(set(axes)) != axes:
        raise OpError(f"axes_mapping is {axes}; its axes rise", at="axes_mapping")
    return axes


def _broadcast(data: Fact, target_shape: Fact, axes_mapping: Fact | None, mode: str) -> Shape:
    if (axes_mapping is not None) != (mode == "explicit"):
        expected = "axes_mapping is expected" if mode == "explicit" else "there is no axes_mapping"
        raise OpError(f"where mode is {mode}, {expected}", at="axes_mapping", against="mode", kind="rank")
    if target_shape.value is not None and (target_shape.value < 0).any():
        message = f"target_shape is {target_shape.value.tolist()}; dims of 0 or more are expected"
        raise OpError(message, at="target_shape")
    target = target_shape.extents
    if target is None:
        return Shape()
    if data.dims is None:
        return Shape() if mode == "bidirectional" else Shape(target)
    if mode == "explicit":
        assert axes_mapping is not None, "checked above"
        return Shape(_explicit_dims(data.dims, target, axes_mapping))
    return Shape((_numpy_dims if mode == "numpy" else _bidirectional_dims)(data.dims, target))


def _broadcast_1(data: Fact, target_shape: Fact, axes_mapping: Fact | None, mode: str) -> Shape:
    # OpenVINO writes a mapping, a scalar, where the mode has no use for it.
    return _broadcast(data, target_shape, axes_mapping if mode == "explicit" else None, mode)


def broadcasting(name: str, shape: Rule, *modes: str) -> Callable[[_K], _K]:
    """Declare an operation that repeats data to a shape."""
    return movement(
        name,
        DATA,
        steering("target_shape", dims="rank"),
        steering("axes_mapping", optional=True),
        attributes=[Attribute("mode", one_of("numpy", "explicit", *modes), default="numpy")],
        shape=shape,
    )


@broadcasting("Broadcast-1", _broadcast_1)
@broadcasting("Broadcast-3", _broadcast, "bidirectional")
def broadcast(
    data: np.ndarray, target_shape: np.ndarray, axes_mapping: np.ndarray | None = None, mode: str = "numpy"
) -> np.ndarray:
    """A view of the data that repeats it to the target shape.

    >>> broadcast(np.array([1, 2]), np.array([2, 3]), np.array([0]), "explicit")
    array([[1, 1, 1],
           [2, 2, 2]])
    """
    target = tuple(target_shape.tolist())
    if mode == "explicit" and axes_mapping is not None:
        extents = [1] * len(target)
        for axis, extent in zip(_mapping(axes_mapping.tolist(), len(target)), data.shape, strict=True):
            extents[axis] = extent
        data = data.reshape(extents)
    elif mode == "bidirectional":
        target = np.broadcast_shapes(data.shape, target)
    return np.broadcast_to(data, target)


# Pad


def _furthest(extent: int, mode: str) -> int | None:
    """How far a mode can pad an axis; None for any distance."""
    return {"constant": None, "edge": None if extent else 0, "reflect": max(extent - 1, 0), "symmetric": extent}[mode]


def _pad_ends(fact: Fact, rank: int) -> list[tuple[int, int]]:
    """The least and the greatest of each pad."""
    if fact.interval is None:
        return [(-LIMIT, LIMIT)] * rank
    low, high = fact.interval
    return list(zip(low.tolist(), high.tolist(), strict=True))


def _padded(data: Fact, pads_begin: Fact, pads_end: Fact, pad_value: Fact | None, pad_mode: str) -> Shape:
    counts = [fact.dims[0] for fact in (pads_begin, pads_end) if fact.dims is not None]
    count = next((dim.low for dim in counts if dim.is_static), None)
    if data.dims is not None and count not in (None, len(data.dims)):
        message = f"pads_begin has {count} elements, but data is {data.shape}: there is one for each dim"
        raise OpError(message, at="pads_begin", against="data", kind="dims")
    dims = data.dims if data.dims is not None else Shape.unknown(count).dims
    if dims is None:
        return Shape()
    pads = zip(_pad_ends(pads_begin, len(dims)), _pad_ends(pads_end, len(dims)), strict=True)
    return Shape(tuple([_padded_dim(axis, dims[axis], *ends, pad_mode) for axis, ends in enumerate(pads)]))


def _padded_dim(axis: int, dim: Dim, begin: tuple[int, int], end: tuple[int, int], mode: str) -> Dim:
    furthest = None if dim.high is None else _furthest(dim.high, mode)
    for name, pad in (("pads_begin", begin), ("pads_end", end)):
        if furthest is not None and pad[0] > furthest:
            message = f"{name} has {pad[0]} at {axis}, where data has {dim}: {mode} padding takes at most {furthest}"
            raise OpError(message, at=name, against="data", kind="dims")
    low = max(dim.low + begin[0] + end[0], 0)
    high = None if dim.high is None or LIMIT in (begin[1], end[1]) else max(dim.high + begin[1] + end[1], 0)
    return Dim(low, high)


def _padded_1(data: Fact, pads_begin: Fact, pads_end: Fact, pad_value: Fact | None, pad_mode: str) -> Shape:
    for name, pads in (("pads_begin", pads_begin), ("pads_end", pads_end)):
        if pads.value is not None and (pads.value < 0).any():
            notice(f"{name} is {pads.value.tolist()}; the page has no negative pads before Pad-12, they crop")
    return _padded(data, pads_begin, pads_end, pad_value, pad_mode)


def padding(name: str, shape: Rule) -> Callable[[_K], _K]:
    """Declare an operation that puts elements around the data."""
    return movement(
        name,
        DATA,
        steering("pads_begin", dims="rank"),
        steering("pads_end", dims="rank"),
        Input("pad_value", "T", dims="", optional=True),
        attributes=[Attribute("pad_mode", one_of("constant", "edge", "reflect", "symmetric"))],
        shape=shape,
    )


@padding("Pad-1", _padded_1)
@padding("Pad-12", _padded)
def pad(
    data: np.ndarray,
    pads_begin: np.ndarray,
    pads_end: np.ndarray,
    pad_value: np.ndarray | None = None,
    pad_mode: str = "constant",
) -> np.ndarray:
    """The data with elements around it; a negative pad takes as many away.

    >>> pad(np.array([1, 2, 3]), np.array([2]), np.array([-1]), pad_mode="reflect")
    array([3, 2, 1, 2])
    """
    begins, ends = pads_begin.tolist(), pads_end.tolist()
    if pad_mode == "constant":
        return pad_with(data, begins, ends, np.zeros((), data.dtype) if pad_value is None else pad_value)
    if min(begins + ends, default=0) >= 0:
        return np.pad(data, list(zip(begins, ends, strict=True)), pad_mode)  # type: ignore[call-overload]  # its names
    for axis, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        data = _pad_axis(data, axis, begin, end, pad_mode)
    return data


def pad_with(data: np.ndarray, begins: Sequence[int], ends: Sequence[int], value: np.ndarray) -> np.ndarray:
    """The data with a value around it; a view where there is only taken away."""
    shape = [max(sum(each), 0) for each in zip(data.shape, begins, ends, strict=True)]
    starts = [max(-begin, 0) for begin in begins]
    stops = [
        max(min(extent, size - begin), start)
        for extent, size, begin, start in zip(data.shape, shape, begins, starts, strict=True)
    ]
    kept = data[tuple(map(slice, starts, stops))]
    if list(kept.shape) == shape:
        return kept
    result = np.full(shape, value, data.dtype)
    into = (slice(start + begin, stop + begin) for start, stop, begin in zip(starts, stops, begins, strict=True))
    result[tuple(into)] = kept
    return result


def _pad_axis(data: np.ndarray, axis: int, begin: int, end: int, mode: str) -> np.ndarray:
    """The data with its own elements beyond the ends of an axis: the last one, or those before it on the way back."""
    extent = data.shape[axis]
    if begin <= 0 and end <= 0:
        return data[(*(slice(None),) * axis, slice(-begin, max(extent + end, 0)))]
    places = np.arange(-begin, extent + end)
    if mode == "edge":
        return np.take(data, places.clip(0, extent - 1), axis)
    again = 1 if mode == "symmetric" else 0
    places = np.where(places < 0, -again - places, places)
    return np.take(data, np.where(places >= extent, 2 * (extent - 1) + again - places, places), axis)
