"""Activation functions.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/activation/relu-1.html

They are computed in f64 and rounded once. Where a page lists floating-point types alone but OpenVINO's reader takes
integers too (Exp, Sigmoid, HSigmoid, HSwish), so does irrun; integer results are rounded to the nearest.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np

from irrun.kernels import special
from irrun.kernels.cast import is_extension, is_float
from irrun.kernels.pointwise import pointwise
from irrun.kernels.softmax import softmax
from irrun.ops.attributes import integer, number, one_of
from irrun.ops.axes import axis_in, expect_scalar
from irrun.ops.declare import Attribute, Input, Kernel, OpError, Output, op
from irrun.ops.elementwise import unary
from irrun.types.dim import static
from irrun.types.element import ANY, FLOAT
from irrun.types.fact import Fact
from irrun.types.shape import Shape

_K = TypeVar("_K", bound=Kernel)
Array = np.ndarray

# one input


@unary("Identity-16", ANY, monotone="+")
def identity(data: Array) -> Array:
    """The input as it is."""
    return data


@unary("ReLU-1", monotone="+")
def relu(data: Array) -> Array:
    """The elements above 0, and 0 for the others; NaN for NaN.

    >>> relu(np.array([-1.5, 2.0]))
    array([0., 2.])
    """
    data = np.asarray(data)
    if is_extension(data.dtype):
        return pointwise(lambda x: np.maximum(x, 0), data)  # one of these types has no zero
    return np.maximum(data, data.dtype.type(0))


@unary("Exp-1")
def exp(data: Array) -> Array:
    """The exponentials."""
    return pointwise(np.exp, data)


@unary("Sigmoid-1")
def sigmoid(data: Array) -> Array:
    """1 / (1 + exp(-x))."""
    return pointwise(special.sigmoid, data)


@unary("HSigmoid-5")
def h_sigmoid(data: Array) -> Array:
    """The straight line (x + 3) / 6, between 0 and 1."""
    return pointwise(_hard_sigmoid, data)


def _hard_sigmoid(x: Array) -> Array:
    return np.clip(x + 3, 0, 6) / 6


@unary("HSwish-4")
def h_swish(data: Array) -> Array:
    """X times HSigmoid of x."""
    return pointwise(lambda x: x * _hard_sigmoid(x), data)


@unary("Mish-4", FLOAT)
def mish(data: Array) -> Array:
    """X times tanh of SoftPlus of x."""
    return pointwise(special.mish, data)


@unary("SoftPlus-4", FLOAT)
def soft_plus(data: Array) -> Array:
    """log(1 + exp(x))."""
    return pointwise(special.softplus, data)


@unary("SoftSign-9", FLOAT)
def soft_sign(data: Array) -> Array:
    """X / (1 + |x|)."""
    return pointwise(lambda x: x / (1 + np.abs(x)), data)


@unary("Gelu-2", FLOAT)
def gelu(data: Array) -> Array:
    """X times the normal distribution's share below x."""
    return pointwise(special.gelu, data, nanoseconds=40)


@unary("Gelu-7", FLOAT, attributes=[Attribute("approximation_mode", one_of("erf", "tanh"), default="erf")])
def gelu_by_mode(data: Array, approximation_mode: str = "erf") -> Array:
    """X times the normal distribution's share below x, as it is or approximated by tanh."""
    function = {"erf": special.gelu, "tanh": special.gelu_by_tanh}[approximation_mode]
    return pointwise(function, data, nanoseconds=40)


@unary("Elu-1", FLOAT, attributes=[Attribute("alpha", number)])
def elu(data: Array, alpha: float) -> Array:
    """X where it is not negative, and alpha (exp(x) - 1) where it is."""
    return pointwise(partial(special.exponential_below_0, alpha=alpha), data)


def _in_order(data: Fact, min: float, max: float) -> Shape:
    if not min <= max:
        raise OpError(f"min is {min}, and max is {max}; min is not greater than max", at="min", against="max")
    return data.shape


@unary("Clamp-1", attributes=[Attribute("min", number), Attribute("max", number)], shape=_in_order, monotone="+")
def clamp(data: Array, min: float, max: float) -> Array:
    """The elements, none less than `min` and none greater than `max`; of integers, the integers between them.

    >>> clamp(np.array([-3, 0, 9]), min=-0.5, max=2.5)
    array([0, 0, 2])
    """
    data = np.asarray(data)
    if is_extension(data.dtype):
        return pointwise(lambda x: np.clip(x, min, max), data)
    if not is_float(data.dtype):
        return np.clip(data, *_integers_between(min, max, np.iinfo(data.dtype)))
    with np.errstate(over="ignore"):  # a limit beyond the type's range is none
        low, high = np.array([min, max]).astype(data.dtype)
    return np.clip(data, low, high)


def _integers_between(low: float, high: float, limits: np.iinfo) -> tuple[int, int]:
    least = limits.min if low <= limits.min else limits.max if low > limits.max else math.ceil(low)
    greatest = limits.max if high >= limits.max else limits.min if high < limits.min else math.floor(high)
    return least, greatest


# with parameters as inputs


def _single(data: Fact, *others: tuple[str, Fact | None]) -> Shape:
    for name, fact in others:
        if fact is not None and not fact.shape.elements.admits(1):
            raise OpError(f"{name} is {fact.shape}; one element is expected", at=name, kind="rank")
    return data.shape


def _selu_shape(data: Fact, alpha: Fact, lambda_: Fact) -> Shape:
    return _single(data, ("alpha", alpha), ("lambda", lambda_))


@op(
    "Selu-1",
    types={"T": FLOAT},
    inputs=[Input("data", "T"), Input("alpha", "T"), Input("lambda", "T", parameter="lambda_")],
    outputs=[Output("T")],
    shape=_selu_shape,
)
def selu(data: Array, alpha: Array, lambda_: Array) -> Array:
    """Lambda times x where it is not negative, and lambda alpha (exp(x) - 1) where it is."""
    factor, scale = _number(alpha), _number(lambda_)
    return pointwise(lambda x: scale * special.exponential_below_0(x, factor), data)


def _number(tensor: Array) -> float:
    return float(np.asarray(tensor).reshape(()))


def _scalars(data: Fact, alpha: Fact, beta: Fact) -> Shape:
    expect_scalar(alpha, "alpha")
    expect_scalar(beta, "beta")
    return data.shape


@op(
    "HardSigmoid-1",
    types={"T": FLOAT},
    inputs=[Input("data", "T"), Input("alpha", "T"), Input("beta", "T")],
    outputs=[Output("T")],
    shape=_scalars,
)
def hard_sigmoid(data: Array, alpha: Array, beta: Array) -> Array:
    """The straight line alpha x + beta, between 0 and 1."""
    slope, height = _number(alpha), _number(beta)
    return pointwise(lambda x: np.clip(slope * x + height, 0, 1), data)


def _swish_shape(data: Fact, beta: Fact | None) -> Shape:
    if beta is not None:
        expect_scalar(beta, "beta")
    return data.shape


@op(
    "Swish-4",
    types={"T": FLOAT},
    inputs=[Input("data", "T"), Input("beta", "T", optional=True)],
    outputs=[Output("T")],
    shape=_swish_shape,
)
def swish(data: Array, beta: Array | None = None) -> Array:
    """X times Sigmoid of beta x; beta is 1 where it is not given."""
    factor = 1.0 if beta is None else _number(beta)
    return pointwise(lambda x: x * special.sigmoid(factor * x), data)


def _prelu_shape(data: Fact, slope: Fact) -> Shape:
    """The shape of data; `slope` is one number a channel, or broadcast to data as NumPy does."""
    if data.dims is None or slope.dims is None:
        return data.shape
    if len(slope.dims) == 1 and len(data.dims) > 1 and data.dims[1].meet(slope.dims[0]) is not None:
        return data.shape
    aligned = (static(1),) * (len(slope.dims) - len(data.dims)) + data.dims
    if any(
        not b.admits(1) and a.meet(b) is None for a, b in zip(reversed(aligned), reversed(slope.dims), strict=False)
    ):
        message = f"slope is {slope.shape}, which is neither one number a channel of {data.shape} nor broadcast to it"
        raise OpError(message, at="slope", against="data", kind="dims")
    return data.shape


@op(
    "PReLU-1",
    types={"T": FLOAT},
    inputs=[Input("data", "T"), Input("slope", "T")],
    outputs=[Output("T")],
    shape=_prelu_shape,
)
def prelu(data: Array, slope: Array) -> Array:
    """The elements, the negative ones times `slope`, which has one number a channel or is broadcast.

    >>> prelu(np.array([[-1.0, -1.0, 1.0]]), np.array([1.0, 2.0, 3.0]))
    array([[-1., -2.,  1.]])
    """
    data, slope = np.asarray(data), np.asarray(slope)
    if slope.ndim == 1 and data.ndim > 1 and len(slope) == data.shape[1]:
        slope = slope.reshape(-1, *(1,) * (data.ndim - 2))
    slope = slope.reshape(slope.shape[max(slope.ndim - data.ndim, 0) :])  # dims beyond data's are 1
    return np.where(data < 0, np.minimum(data, data.dtype.type(0)) * slope, data)


# along an axis


def softmax_family(name: str, *, negative: bool) -> Callable[[_K], _K]:
    """Declare a function along `axis`, which may be negative or not."""

    def same_shape(data: Fact, axis: int) -> Shape:
        if axis < 0 and not negative:
            raise OpError(f"axis is {axis}; {name} takes no negative ones", at="axis")
        if data.rank is not None:
            axis_in(axis, max(data.rank, 1))  # OpenVINO takes a scalar for a tensor of rank 1
        return data.shape

    return op(
        name,
        types={"T": FLOAT},
        attributes=[Attribute("axis", integer, default=1)],
        inputs=[Input("data", "T")],
        outputs=[Output("T")],
        shape=same_shape,
    )


@softmax_family("SoftMax-8", negative=True)
@softmax_family("SoftMax-1", negative=False)
def soft_max(data: Array, axis: int = 1) -> Array:
    """exp(x) over the sum of exp(x) along the axis.

    >>> soft_max(np.array([[0.0, 0.0]]))
    array([[0.5, 0.5]])
    """
    return _along(data, axis, log=False)


@softmax_family("LogSoftmax-5", negative=True)
def log_softmax(data: Array, axis: int = 1) -> Array:
    """The logarithm of SoftMax along the axis."""
    return _along(data, axis, log=True)


def _along(data: Array, axis: int, *, log: bool) -> Array:
    data = np.asarray(data)
    rows = np.atleast_1d(data)
    return softmax(rows, axis_in(axis, rows.ndim), log=log).reshape(data.shape)
