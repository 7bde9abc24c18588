"""Shape manipulation: the same elements under other dims, and the dims themselves.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/shape/reshape-1.html
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce as fold
from typing import TypeVar

import numpy as np

from irrun.kernels.notice import notice
from irrun.ops.attributes import boolean, element_type_in
from irrun.ops.axes import axes_in, expect_1d
from irrun.ops.declare import Attribute, Kernel, OpError, Output, op
from irrun.ops.movement import DATA, Dims, movement, steering
from irrun.types.dim import UNKNOWN, Dim, static
from irrun.types.element import ANY, I64, INDEX, ElementType
from irrun.types.fact import Fact, dims_bounds
from irrun.types.shape import MOST_DIMS, Shape, extents_text

_D = TypeVar("_D")
_K = TypeVar("_K", bound=Kernel)

REST = -1
"""What a pattern of Reshape has where the number of elements decides."""


# Reshape


def _extents(extents: Sequence[int], pattern: Sequence[int], special_zero: bool) -> list[int]:
    """The extents that a pattern means for an array; raises OpError where it fits none."""
    copied = [place for place, each in enumerate(pattern) if each == 0] if special_zero else []
    _check_pattern(pattern, copied, len(extents))
    result = [extents[place] if place in copied else each for place, each in enumerate(pattern)]
    if REST in pattern:
        # What is copied counts on neither side, so that a rest is certain where it is 0.
        left = math.prod([extent for place, extent in enumerate(extents) if place not in copied])
        given = math.prod([each for each in pattern if each != REST and not (special_zero and each == 0)])
        result[pattern.index(REST)] = _rest(left, given, extents, pattern)
    elif math.prod(result) != math.prod(extents):
        raise _misfit(pattern, extents_text(extents), f"{math.prod(result)} elements, not {math.prod(extents)}")
    return result


def _check_pattern(pattern: Sequence[int], copied: Sequence[int], rank: int) -> None:
    for place, each in enumerate(pattern):
        if each < REST:
            raise OpError(f"shape has {each} at {place}; -1 or more is expected", at="shape")
    rests = [place for place, each in enumerate(pattern) if each == REST]
    if len(rests) > 1:
        raise OpError(f"shape has -1 at {rests[0]} and at {rests[1]}; one dim takes the rest", at="shape")
    if copied and copied[-1] >= rank:
        message = f"shape has 0 at {copied[-1]}, which copies a dim of data, but data is of rank {rank}"
        raise OpError(message, at="shape", against="data")


def _rest(left: int, given: int, extents: Sequence[int], pattern: Sequence[int]) -> int:
    if given == 0:
        if left:
            raise _misfit(pattern, extents_text(extents), f"no elements, not {left}")
        return 1  # as good as any other: there are no elements
    if left % given:
        raise _misfit(pattern, extents_text(extents), f"a multiple of {given} elements, not {left}")
    return left // given


def _misfit(pattern: Sequence[int], data: str, why: str) -> OpError:
    return OpError(
        f"shape is {list(pattern)}, but data is {data}: it takes {why}", at="shape", against="data", kind="dims"
    )


def _reshaped(data: Fact, shape: Fact, special_zero: bool) -> Shape:
    extents, pattern = data.shape.extents, None if shape.value is None else shape.value.tolist()
    if pattern is not None and not special_zero and REST in pattern and 0 in pattern:
        notice("shape has a 0, so its -1 could be any dim; it is taken for 1")
    if pattern is not None and extents is not None:
        return Shape.of(*_extents(extents, pattern, special_zero))
    low, high = _pattern_ends(shape)
    if low is None or high is None:
        return Shape()
    exact = [least if least == most else None for least, most in zip(low, high, strict=True)]
    copied = [place for place, each in enumerate(exact) if each == 0] if special_zero else []
    known = [each if each is not None else 1 for each in exact]
    _check_pattern(known, copied if data.dims is not None else (), len(data.dims or ()))
    dims = [
        _dim_of(place, least, most, data.dims, special_zero)
        for place, (least, most) in enumerate(zip(low, high, strict=True))
    ]
    if REST in exact:
        place = exact.index(REST)
        dims[place] = _rest_dim(data.dims, dims, place, copied, known)
    met = _by_count(data.shape.elements, dims)
    if met is None:
        raise _misfit(known, str(data.shape), f"{Shape(tuple(dims)).elements} elements, not {data.shape.elements}")
    return Shape(tuple(met))


def _pattern_ends(shape: Fact) -> tuple[list[int], list[int]] | tuple[None, None]:
    """The least and the greatest of each element of a pattern, or None where not even their number is known, or where
    they are more than any array has dims.
    """
    count = shape.dims[0] if shape.dims is not None else UNKNOWN
    if count.low > MOST_DIMS:
        return None, None
    if shape.interval is not None:
        low, high = shape.interval
        return low.tolist(), high.tolist()
    return ([REST] * count.low, [np.iinfo(np.int64).max] * count.low) if count.is_static else (None, None)


def _dim_of(place: int, least: int, most: int, dims: Dims | None, special_zero: bool) -> Dim:
    """The dim that an element of a pattern between `least` and `most` stands for, as far as it alone says."""
    if least < 0:
        return UNKNOWN
    high = None if most >= np.iinfo(np.int64).max else most
    if least > 0 or not special_zero:
        return Dim(least, high)
    copied = UNKNOWN if dims is None else dims[place] if place < len(dims) else None
    if most == 0:
        return copied or UNKNOWN
    given = Dim(1, high)
    return given if copied is None else given.join(copied)


def _rest_dim(data: Dims | None, dims: list[Dim], place: int, copied: Sequence[int], pattern: Sequence[int]) -> Dim:
    """What a -1 stands for: the elements that are not copied, divided by the other dims."""
    if data is None:
        return UNKNOWN
    left = Shape(tuple([dim for axis, dim in enumerate(data) if axis not in copied])).elements
    given = Shape(tuple([dim for axis, dim in enumerate(dims) if axis != place and axis not in copied])).elements
    if given == static(0):
        if left.low:
            raise _misfit(pattern, str(Shape(data)), f"no elements, not {left}")
        return static(1)
    if given.is_static:
        quotient = left.divided(given.low)
        if quotient is None:
            raise _misfit(pattern, str(Shape(data)), f"a multiple of {given} elements, not {left}")
        return quotient
    if given.low == 0:
        return UNKNOWN  # where the others have no elements it is 1, whatever is left
    return Dim(
        0 if given.high is None else -(-left.low // given.high), None if left.high is None else left.high // given.low
    )


def _by_count(count: Dim, dims: list[Dim]) -> list[Dim] | None:
    """The dims as far as the number of elements settles them; None where they cannot have so many."""
    if Shape(tuple(dims)).elements.meet(count) is None:
        return None
    settled = [dim.meet(Dim(1)) or dim for dim in dims] if count.low else list(dims)
    for place, dim in enumerate(dims):
        if dim.is_static:
            continue
        others = Shape(tuple(settled[:place] + settled[place + 1 :])).elements
        low = 0 if count.low == 0 else 1 if others.high is None else -(-count.low // max(others.high, 1))
        high = None if count.high is None or others.low == 0 else count.high // others.low
        met = dim.meet(Dim(low, high)) if high is None or low <= high else None
        if met is None:
            return None
        settled[place] = met
    return settled


@movement(
    "Reshape-1",
    DATA,
    steering("shape", dims="rank"),
    attributes=[Attribute("special_zero", boolean)],
    shape=_reshaped,
)
def reshape(data: np.ndarray, shape: np.ndarray, special_zero: bool) -> np.ndarray:
    """The elements, in their order, under other dims: a view where memory allows it.

    >>> reshape(np.zeros((2, 3, 4)), np.array([0, -1]), special_zero=True).shape
    (2, 12)
    """
    return data.reshape(_extents(data.shape, shape.tolist(), special_zero))


# Squeeze and Unsqueeze


def _squeezed(data: Fact, axes: Fact | None, allow_axis_skip: bool = False) -> Shape:
    """The shape without the dims of 1 that are named, or without all of them.

    As the page has it, a dim that an axis names and that may be 1 counts as 1, unless `allow_axis_skip`; should it not
    be 1 when the model runs, it stays.
    """
    if axes is not None:
        expect_1d(axes, "axes", or_scalar=True)
    if data.dims is None:
        return Shape()
    named = _named_axes(axes, len(data.dims))
    if named is None:
        return _one_squeezed(data) if axes is not None and axes.shape.elements == static(1) else Shape()
    places = named or tuple(range(len(data.dims)))
    doubtful = [place for place in places if data.dims[place].admits(1) and not data.dims[place].is_static]
    if doubtful and (allow_axis_skip or not named):
        return Shape()
    return Shape(tuple([dim for place, dim in enumerate(data.dims) if place not in places or not dim.admits(1)]))


def _named_axes(axes: Fact | None, rank: int) -> tuple[int, ...] | None:
    """The axes that are named, () for none; None where they are not known."""
    if axes is None or axes.shape.elements == static(0):
        return ()
    return None if axes.value is None else axes_in(axes.value, rank)


def _one_squeezed(data: Fact) -> Shape:
    """The shape without one dim that may be 1, whichever it is."""
    dims = data.dims or ()
    shapes = [Shape(dims[:place] + dims[place + 1 :]) for place, dim in enumerate(dims) if dim.admits(1)]
    return fold(Shape.join, shapes) if shapes else data.shape


def _squeezed_1(data: Fact, axes: Fact | None) -> Shape:
    return _squeezed(data, axes)


def _squeeze(data: np.ndarray, axes: np.ndarray | None) -> np.ndarray:
    named = axes_in(axes, data.ndim) if axes is not None and axes.size else range(data.ndim)
    return data.squeeze(tuple({axis for axis in named if data.shape[axis] == 1}))


@movement("Squeeze-1", DATA, steering("axes", optional=True), shape=_squeezed_1)
def squeeze_1(data: np.ndarray, axes: np.ndarray | None = None) -> np.ndarray:
    """A view without the dims of 1 that the axes name, or without all of them; a named dim that is not 1 stays.

    >>> squeeze_1(np.zeros((1, 3, 1)), np.array([0])).shape
    (3, 1)
    """
    return _squeeze(data, axes)


@movement(
    "Squeeze-15",
    DATA,
    steering("axes", optional=True),
    attributes=[Attribute("allow_axis_skip", boolean, default=False)],
    shape=_squeezed,
)
def squeeze(data: np.ndarray, axes: np.ndarray | None = None, allow_axis_skip: bool = False) -> np.ndarray:
    """A view without the dims of 1 that the axes name, or without all of them; a named dim that is not 1 stays.

    `allow_axis_skip` changes what is said of the shape before the dims are known, and no result.
    """
    return _squeeze(data, axes)


def _with_ones(dims: Sequence[_D], axes: np.ndarray, one: _D) -> list[_D]:
    """The dims with ones where the axes, which count in the result, say; an axis that is named twice is one."""
    if axes.size == 0:
        raise OpError("axes is empty; at least one axis is expected", at="axes")
    result = list(dims)
    for place in sorted(set(axes_in(axes, len(dims) + len(set(axes.reshape(-1).tolist())), against=None))):
        result.insert(place, one)
    return result


def _unsqueezed(data: Fact, axes: Fact) -> Shape:
    expect_1d(axes, "axes", or_scalar=True)
    if data.dims is None:
        return Shape()
    if axes.value is not None:
        dims = _with_ones(data.dims, axes.value, static(1))
        if len(dims) < len(data.dims) + axes.value.size:
            notice(f"axes {axes.value.tolist()} name an axis twice; they are taken as a set")
        return Shape(tuple(dims))
    if axes.shape.elements != static(1):
        return Shape()  # two axes may be one
    sides = zip((static(1), *data.dims), (*data.dims, static(1)), strict=True)
    return Shape(tuple([left.join(right).join(static(1)) for left, right in sides]))


@movement("Unsqueeze-1", DATA, steering("axes"), shape=_unsqueezed)
def unsqueeze(data: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """A view with dims of 1 where the axes, which count in the result, say.

    >>> unsqueeze(np.zeros((2, 3)), np.array([0, -1])).shape
    (1, 2, 3, 1)
    """
    return data.reshape(_with_ones(data.shape, axes, 1))


# ShapeOf


def _shape_of(name: str, attributes: Sequence[Attribute], type: str | ElementType, rule: Kernel) -> Callable[[_K], _K]:
    """Declare an operation that gives the dims of its input, of which bounds are known before the input is."""
    return op(name, types={"T": ANY}, attributes=attributes, inputs=[DATA], outputs=[Output(type)], shape=rule)


def _dims_known(data: Fact, output_type: ElementType = I64) -> Fact:
    return Fact(output_type, Shape.unknown(1)) if data.dims is None else dims_bounds(data.dims, output_type)


def _dims_known_1(data: Fact) -> Fact:
    return _dims_known(data)


@_shape_of("ShapeOf-1", [], I64, _dims_known_1)
def shape_of_1(data: np.ndarray) -> np.ndarray:
    """The dims of a tensor, as i64."""
    return np.array(data.shape, np.int64)


@_shape_of("ShapeOf-3", [Attribute("output_type", element_type_in(INDEX), default=I64)], "output_type", _dims_known)
def shape_of(data: np.ndarray, output_type: ElementType) -> np.ndarray:
    """The dims of a tensor.

    >>> shape_of(np.zeros((2, 3)), I64)
    array([2, 3])
    """
    return np.array(data.shape, output_type.dtype)
