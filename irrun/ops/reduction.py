"""Reductions over axes.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/reduction/reduce-mean-1.html
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from irrun.kernels.notice import notice
from irrun.kernels.reduce import ALL, ANY, L1, L2, MAX, MEAN, MIN, PROD, SUM, Reduction, reduce
from irrun.ops.attributes import boolean
from irrun.ops.axes import axes_in, expect_1d
from irrun.ops.declare import Attribute, Input, Kernel, Output, Rule, op
from irrun.types.dim import LIMIT, Dim, static
from irrun.types.element import BOOLEANS, INTEGER, NUMERIC, TypeSet
from irrun.types.fact import Fact
from irrun.types.shape import Shape

_K = TypeVar("_K", bound=Kernel)


def reduced_shape(data: Fact, axes: Fact, keep_dims: bool) -> Shape:
    """The shape of a reduction: reduced dims become 1 or fall away, the others stay.

    With axes that are not known, a dim that may be reduced is joined with 1 (or, where dims fall away, with its
    neighbour). Raises OpError where axes are out of range or of rank 2 and more.
    """
    expect_1d(axes, "axes", or_scalar=True)
    if axes.value is not None and data.rank is not None:
        return _by_known_axes(data.shape, axes.value, keep_dims)
    count = axes.shape.elements
    if count == static(0) or data.dims is None:
        return data.shape
    if keep_dims:
        return Shape(tuple(dim.join(static(1)) for dim in data.dims))
    if count == static(1):
        return Shape(tuple(map(Dim.join, data.dims[:-1], data.dims[1:])))
    return Shape()


def _by_known_axes(shape: Shape, axes: np.ndarray, keep_dims: bool) -> Shape:
    dims = shape.dims or ()
    listed = axes_in(axes, len(dims))
    reduced = set(listed)
    if len(reduced) < len(listed):
        written = ", ".join(str(axis) for axis in axes.reshape(-1))
        notice(f"axes [{written}] name an axis twice; the specification asks for unique ones, they are taken as a set")
    if keep_dims:
        return Shape(tuple(static(1) if axis in reduced else dim for axis, dim in enumerate(dims)))
    return Shape(tuple(dim for axis, dim in enumerate(dims) if axis not in reduced))


def reduced_product(data: Fact, axes: Fact, keep_dims: bool) -> Fact:
    """The shape of a product, and its bounds where the elements have bounds that are not negative, as dims have."""
    shape = reduced_shape(data, axes, keep_dims)
    if data.bounds is None or axes.value is None or (data.bounds[0] < 0).any():
        return Fact(data.type, shape)
    unique = tuple(set(axes_in(axes.value, data.bounds[0].ndim)))
    low, high = (_up_to_limit(np.prod(bound.astype(object), axis=unique, keepdims=keep_dims)) for bound in data.bounds)
    return Fact(data.type, shape, None, (low, high))


def _up_to_limit(exact: object) -> np.ndarray:
    """Python's integers as int64, what is beyond it as unbounded."""
    values = np.asarray(exact, object)
    return np.array([min(value, LIMIT) for value in values.ravel().tolist()], np.int64).reshape(values.shape)


def reduction(
    name: str, numeric: TypeSet, *, shape: Rule = reduced_shape, monotone: str | None = None
) -> Callable[[_K], _K]:
    """Declare a reduction: data and axes in, the data's type out."""
    return op(
        name,
        types={"T": numeric, "T_IND": INTEGER},
        attributes=[Attribute("keep_dims", boolean, default=False)],
        inputs=[Input("data", "T"), Input("axes", "T_IND")],
        outputs=[Output("T")],
        shape=shape,
        monotone=monotone,
    )


def _reduce(data: np.ndarray, axes: np.ndarray, keep_dims: bool, how: Reduction) -> np.ndarray:
    data = np.asarray(data)
    unique = tuple(dict.fromkeys(axes_in(np.asarray(axes), data.ndim)))
    if not unique:
        return data  # the page calls this the identity, of norms too
    return reduce(data, unique, how, keep_dims=keep_dims)


@reduction("ReduceMean-1", NUMERIC, monotone="+=")
def reduce_mean(data: np.ndarray, axes: np.ndarray, keep_dims: bool = False) -> np.ndarray:
    """The arithmetic mean over the axes; integer means are exact and truncate toward zero.

    >>> reduce_mean([[1.0, 2.0], [3.0, 5.0]], [1])
    array([1.5, 4. ])
    """
    return _reduce(data, axes, keep_dims, MEAN)


@reduction("ReduceSum-1", NUMERIC, monotone="+=")
def reduce_sum(data: np.ndarray, axes: np.ndarray, keep_dims: bool = False) -> np.ndarray:
    """The sum over the axes; an integer sum that does not fit its type wraps."""
    return _reduce(data, axes, keep_dims, SUM)


@reduction("ReduceProd-1", NUMERIC, shape=reduced_product)
def reduce_prod(data: np.ndarray, axes: np.ndarray, keep_dims: bool = False) -> np.ndarray:
    """The product over the axes, 1 over no elements; an integer product that does not fit its type wraps."""
    return _reduce(data, axes, keep_dims, PROD)


@reduction("ReduceMax-1", NUMERIC, monotone="+=")
def reduce_max(data: np.ndarray, axes: np.ndarray, keep_dims: bool = False) -> np.ndarray:
    """The greatest element over the axes, NaN passed over; over no elements the type's lowest finite value."""
    return _reduce(data, axes, keep_dims, MAX)


@reduction("ReduceMin-1", NUMERIC, monotone="+=")
def reduce_min(data: np.ndarray, axes: np.ndarray, keep_dims: bool = False) -> np.ndarray:
    """The least element over the axes, NaN passed over; over no elements the type's highest finite value."""
    return _reduce(data, axes, keep_dims, MIN)


@reduction("ReduceL1-4", NUMERIC)
def reduce_l1(data: np.ndarray, axes: np.ndarray, keep_dims: bool = False) -> np.ndarray:
    """The sum of magnitudes over the axes."""
    return _reduce(data, axes, keep_dims, L1)


@reduction("ReduceL2-4", NUMERIC)
def reduce_l2(data: np.ndarray, axes: np.ndarray, keep_dims: bool = False) -> np.ndarray:
    """The root of the sum of squares over the axes; of integers it is exact and truncated."""
    return _reduce(data, axes, keep_dims, L2)


@reduction("ReduceLogicalAnd-1", BOOLEANS)
def reduce_logical_and(data: np.ndarray, axes: np.ndarray, keep_dims: bool = False) -> np.ndarray:
    """Whether all elements over the axes are true; true over no elements."""
    return _reduce(data, axes, keep_dims, ALL)


@reduction("ReduceLogicalOr-1", BOOLEANS)
def reduce_logical_or(data: np.ndarray, axes: np.ndarray, keep_dims: bool = False) -> np.ndarray:
    """Whether any element over the axes is true; false over no elements."""
    return _reduce(data, axes, keep_dims, ANY)
