"""Data movement: joining, splitting and reordering the elements of tensors of any type.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/movement/concat-1.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce as fold
from typing import TypeVar

import numpy as np

from irrun.kernels.order import equal_rows
from irrun.ops.attributes import boolean, element_type_in, integer, one_of
from irrun.ops.axes import Shapes, axes_in, axis_in, expect_1d, expect_scalar, only_axis, over_axes
from irrun.ops.declare import Attribute, Input, Kernel, OpError, Output, Rule, op
from irrun.types.dim import UNKNOWN, Dim, static
from irrun.types.element import ANY, BOOLEAN, BOOLEANS, DYNAMIC, I64, INDEX, INTEGER, ElementType, TypeSet
from irrun.types.fact import VALUE_LIMIT, Fact
from irrun.types.shape import Shape

Dims = tuple[Dim, ...]
_K = TypeVar("_K", bound=Kernel)

DATA = Input("data", "T")


def steering(name: str, type: str | TypeSet = INTEGER, dims: str | None = None, *, optional: bool = False) -> Input:
    """An input that says what moves where: axes, pads, a shape."""
    return Input(name, type, dims, optional=optional, steers=True)


def movement(
    name: str,
    *inputs: Input,
    shape: Rule,
    attributes: Iterable[Attribute] = (),
    outputs: Iterable[Output] = (Output("T"),),
    types: Mapping[str, TypeSet] | None = None,
    computes: bool = False,
) -> Callable[[_K], _K]:
    """Declare an operation that moves elements of any type, T, as its other inputs and its attributes say.

    What is known of the elements moves with them, where all that says how they move is known, unless it `computes`
    new ones, or what it does depends on what they are.
    """
    monotone = None if computes else "".join("+" if declared.type == "T" else "=" for declared in inputs)
    types = {"T": ANY, **(types or {})}
    return op(name, types=types, attributes=attributes, inputs=inputs, outputs=outputs, shape=shape, monotone=monotone)


# joining and splitting


def _joined(*inputs: Fact, axis: int) -> Shape:
    ranked = [(f"inputs {place}", fact, fact.dims) for place, fact in enumerate(inputs) if fact.dims is not None]
    if not inputs:
        raise OpError("there is nothing to join: the layer has no inputs", kind="rank")
    if not ranked:
        return Shape()
    name, first, dims = ranked[0]
    along = axis_in(axis, len(dims), against=name)
    for other_name, other, other_dims in ranked[1:]:
        if len(other_dims) != len(dims):
            message = f"{other_name} is {other.shape}, of rank {len(other_dims)}, but {name} is {first.shape}"
            raise OpError(message, at=other_name, against=name, kind="rank")
        met = Shape(_without(dims, along)).meet(Shape(_without(other_dims, along)))
        if met is None or met.dims is None:
            message = f"{other_name} is {other.shape}, but {name} is {first.shape}: only dim {along} may differ"
            raise OpError(message, at=other_name, against=name, kind="dims")
        dims = _with(met.dims, along, UNKNOWN)
    lengths = [fact.dims[along] if fact.dims is not None else UNKNOWN for fact in inputs]
    return Shape(_with(_without(dims, along), along, fold(Dim.__add__, lengths)))


def _without(dims: Dims, place: int) -> Dims:
    return dims[:place] + dims[place + 1 :]


def _with(dims: Dims, place: int, dim: Dim) -> Dims:
    return (*dims[:place], dim, *dims[place:])


def _replaced(dims: Dims, place: int, dim: Dim) -> Shape:
    return Shape((*dims[:place], dim, *dims[place + 1 :]))


@movement("Concat-1", Input("inputs", "T", variadic=True), attributes=[Attribute("axis", integer)], shape=_joined)
def concat(*inputs: np.ndarray, axis: int) -> np.ndarray:
    """The inputs, one after the other along the axis.

    >>> concat(np.array([[1], [2]]), np.array([[3], [4]]), axis=1)
    array([[1, 3],
           [2, 4]])
    """
    return inputs[0] if len(inputs) == 1 else np.concatenate(inputs, axis)


def _split_evenly(data: Fact, axis: Fact, num_splits: int) -> Shapes:
    if num_splits < 1:
        raise OpError(f"num_splits is {num_splits}; 1 or more is expected", at="num_splits")
    if data.dims is None:
        return [Shape()] * num_splits
    dims = data.dims

    def parts(place: int) -> Shapes:
        part = dims[place].divided(num_splits)
        if part is None:
            message = f"dim {place} of data is {dims[place]}, which is no multiple of num_splits, {num_splits}"
            raise OpError(message, at="data", kind="dims")
        return [_replaced(dims, place, part)] * num_splits

    return over_axes(axis, len(dims), parts)


def _parts(data: np.ndarray, axis: int, lengths: Sequence[int]) -> list[np.ndarray]:
    """Views of `data`, one after the other along an axis."""
    before, start, parts = (slice(None),) * axis, 0, []
    for length in lengths:
        parts.append(data[(*before, slice(start, start + length))])
        start += length
    return parts


@movement(
    "Split-1",
    DATA,
    steering("axis", dims=""),
    attributes=[Attribute("num_splits", integer)],
    outputs=[Output("T", variadic=True)],
    shape=_split_evenly,
)
def split(data: np.ndarray, axis: np.ndarray, num_splits: int) -> list[np.ndarray]:
    """Views of `num_splits` parts of equal length along the axis."""
    along = only_axis(axis, data.ndim)
    return _parts(data, along, [data.shape[along] // num_splits] * num_splits)


def _split_by_lengths(data: Fact, axis: Fact, split_lengths: Fact) -> Shapes | Shape:
    expect_scalar(axis, "axis", or_1d=True)
    lengths = _lengths(split_lengths)
    if data.dims is None:
        return Shape() if lengths is None else [Shape()] * len(lengths)
    dims = data.dims

    def parts(place: int) -> Shapes:
        each = [Dim(0, dims[place].high)] if lengths is None else _part_dims(dims[place], lengths)
        return [_replaced(dims, place, part) for part in each]

    shapes = over_axes(axis, len(dims), parts)
    return shapes[0] if lengths is None else shapes


def _lengths(split_lengths: Fact) -> list[Dim | None] | None:
    """Each length as a dim, None for a -1, which takes the rest; None where not even their number is known."""
    if split_lengths.interval is None:
        count = None if split_lengths.dims is None else split_lengths.dims[0]
        # Any of them may be the -1: of none is anything certain.
        few = count is not None and count.is_static and count.low <= VALUE_LIMIT
        return [UNKNOWN] * count.low if count is not None and few else None
    low, high = (end.tolist() for end in split_lengths.interval)
    for place, greatest in enumerate(high):
        if greatest < -1:
            raise OpError(f"split_lengths has {greatest} at {place}; -1 or more is expected", at="split_lengths")
    rest = [place for place, greatest in enumerate(high) if greatest == -1]
    if len(rest) > 1:
        message = f"split_lengths has -1 at {rest[0]} and at {rest[1]}; one part takes the rest"
        raise OpError(message, at="split_lengths")
    dims = zip(split_lengths.extents or (), low, high, strict=True)
    return [None if most == -1 else dim if least >= 0 else UNKNOWN for dim, least, most in dims]


def _part_dims(dim: Dim, lengths: list[Dim | None]) -> list[Dim]:
    """The dims of the parts of a dim; raises OpError where the lengths do not add up to it."""
    total = fold(Dim.__add__, [length for length in lengths if length is not None], static(0))
    if (Dim(total.low, None) if None in lengths else total).meet(dim) is None:
        counted = f"{total} and a rest" if None in lengths else str(total)
        message = f"split_lengths add up to {counted}, but the dim that is split is {dim}"
        raise OpError(message, at="split_lengths", against="data", kind="dims")
    if None in lengths:
        return [dim - total if length is None else length for length in lengths]
    # An unknown length is what the others leave, be it a -1 or not.
    return [_met(length, dim, lengths[:place] + lengths[place + 1 :]) for place, length in enumerate(lengths)]


def _met(length: Dim | None, dim: Dim, others: list[Dim | None]) -> Dim:
    left = dim - fold(Dim.__add__, [other for other in others if other is not None], static(0))
    return left if length is None else length.meet(left) or length


@movement(
    "VariadicSplit-1",
    DATA,
    steering("axis"),
    steering("split_lengths", dims="splits"),
    outputs=[Output("T", variadic=True)],
    shape=_split_by_lengths,
)
def variadic_split(data: np.ndarray, axis: np.ndarray, split_lengths: np.ndarray) -> list[np.ndarray]:
    """Views of parts of these lengths along the axis; a length of -1 is what the others leave."""
    along = only_axis(axis, data.ndim)
    lengths = split_lengths.tolist()
    if -1 in lengths:
        lengths[lengths.index(-1)] = data.shape[along] - sum(lengths) - 1
    return _parts(data, along, lengths)


# reordering


def _order(input_order: list[int], rank: int) -> list[int]:
    """The permutation that an order means; raises OpError where it is none."""
    if not input_order:
        return list(range(rank))[::-1]
    if sorted(input_order) != list(range(rank)):
        message = f"input_order is {input_order}, which is no permutation of the {rank} axes of arg"
        raise OpError(message, at="input_order", against="arg")
    return input_order


def _transposed(arg: Fact, input_order: Fact) -> Shape:
    count = UNKNOWN if input_order.dims is None else input_order.dims[0]
    if arg.dims is not None and not (count.admits(len(arg.dims)) or count.admits(0)):
        message = f"input_order is {input_order.shape}, but arg is {arg.shape}: it lists every axis or none"
        raise OpError(message, at="input_order", against="arg", kind="dims")
    if input_order.value is not None or count == static(0):
        order = [] if input_order.value is None else input_order.value.tolist()
        if arg.dims is None:
            return Shape.unknown(len(_order(order, len(order))) if order else None)
        return Shape(tuple([arg.dims[axis] for axis in _order(order, len(arg.dims))]))
    if arg.dims is None:
        return Shape.unknown(count.low if count.is_static else None)
    return Shape((fold(Dim.join, arg.dims),) * len(arg.dims) if arg.dims else ())


@movement("Transpose-1", Input("arg", "T"), steering("input_order", dims="axes"), shape=_transposed)
def transpose(arg: np.ndarray, input_order: np.ndarray) -> np.ndarray:
    """A view with the axes in another order; an empty order turns them round.

    >>> transpose(np.array([[1, 2], [3, 4]]), np.array([1, 0]))
    array([[1, 3],
           [2, 4]])
    """
    return arg.transpose(_order(input_order.tolist(), arg.ndim))


def _reversed(data: Fact, axis: Fact, mode: str) -> Shape:
    if axis.type is not DYNAMIC and (axis.type is BOOLEAN) != (mode == "mask"):
        message = f"axis is {axis.type}; where mode is {mode}, {BOOLEANS if mode == 'mask' else INTEGER} is expected"
        raise OpError(message, at="axis", against="mode", kind="listed")
    if mode == "mask" and data.dims is not None and axis.dims is not None and not axis.dims[0].admits(len(data.dims)):
        message = f"axis is {axis.shape}, but data is {data.shape}: a mask has one element for each axis"
        raise OpError(message, at="axis", against="data", kind="dims")
    if mode == "index" and axis.value is not None and data.dims is not None:
        axes_in(axis.value, len(data.dims), at="axis")
    return data.shape


@movement(
    "Reverse-1",
    DATA,
    steering("axis", TypeSet("any integer type or boolean", INTEGER | BOOLEANS), dims="axes"),
    attributes=[Attribute("mode", one_of("index", "mask"))],
    shape=_reversed,
)
def reverse(data: np.ndarray, axis: np.ndarray, mode: str) -> np.ndarray:
    """A view that runs backwards along the axes that `axis` lists or, as a mask, marks."""
    axes = axes_in(axis, data.ndim, at="axis") if mode == "index" else np.flatnonzero(axis).tolist()
    return np.flip(data, tuple(set(axes)))


def _rolled(data: Fact, shift: Fact, axes: Fact) -> Shape:
    expect_1d(shift, "shift", or_scalar=True)
    expect_1d(axes, "axes", or_scalar=True)
    if shift.rank == 1 and axes.dims is not None and shift.shape.meet(axes.shape) is None:
        message = f"shift is {shift.shape}, but axes is {axes.shape}: a shift that is no scalar has one element an axis"
        raise OpError(message, at="shift", against="axes", kind="dims")
    if axes.value is not None and data.dims is not None:
        axes_in(axes.value, len(data.dims))
    return data.shape


@movement("Roll-7", DATA, steering("shift", INDEX), steering("axes", INDEX), shape=_rolled)
def roll(data: np.ndarray, shift: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """The elements moved along the axes, those that leave at one end coming in at the other; shifts of one axis add up.

    >>> roll(np.array([1, 2, 3, 4]), np.array(1), np.array([0]))
    array([4, 1, 2, 3])
    """
    along = axes_in(axes, data.ndim)
    return np.roll(data, shift.tolist() if shift.ndim else [int(shift)] * len(along), along)


# telling apart


def _unique(
    data: Fact, axis: Fact | None, sorted: bool, index_element_type: ElementType, count_element_type: ElementType
) -> Shapes:
    def counted(dim: Dim) -> Dim:
        return Dim(min(dim.low, 1), dim.high)

    if axis is None:
        count = data.shape.elements
        return [Shape.of(counted(count)), Shape.of(counted(count)), Shape.of(count), Shape.of(counted(count))]
    expect_scalar(axis, "axis", or_1d=True)
    if data.dims is None:
        return [Shape(), *[Shape.unknown(1)] * 3]
    dims = data.dims

    def along(place: int) -> Shapes:
        some = counted(dims[place])
        return [_replaced(dims, place, some), Shape.of(some), Shape.of(dims[place]), Shape.of(some)]

    return over_axes(axis, len(dims), along)


_INDEX_TYPE = element_type_in(INDEX)


@movement(
    "Unique-10",
    DATA,
    steering("axis", INDEX, optional=True),
    attributes=[
        Attribute("sorted", boolean, default=True),
        Attribute("index_element_type", _INDEX_TYPE, default=I64),
        Attribute("count_element_type", _INDEX_TYPE, default=I64),
    ],
    outputs=[Output("T"), Output("index_element_type"), Output("index_element_type"), Output("count_element_type")],
    shape=_unique,
    computes=True,
)
def unique(
    data: np.ndarray,
    axis: np.ndarray | None,
    sorted: bool,
    index_element_type: ElementType,
    count_element_type: ElementType,
) -> tuple[np.ndarray, ...]:
    """The elements, or slices along the axis, each once; where each first stands, where each one of the input went, how
    often each occurs. NaN is equal to nothing, not to another NaN either.
    """
    along = None if axis is None else only_axis(axis, data.ndim)
    apart = data.reshape(-1, 1) if along is None else np.moveaxis(data, along, 0)
    rows = apart.reshape(len(apart), int(np.prod(apart.shape[1:])))
    groups = equal_rows(rows, ascending=sorted)
    values = data.reshape(-1)[groups.first] if along is None else np.take(data, groups.first, along)
    return values, groups.first, groups.group, groups.counts
