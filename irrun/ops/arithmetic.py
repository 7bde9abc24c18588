"""Arithmetic, element by element.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/arithmetic/add-1.html

Addition, subtraction and multiplication of integers wrap. Of integers, a function whose results are not whole gives the
nearest one.
"""

from __future__ import annotations

import numpy as np

from irrun.kernels.cast import is_float
from irrun.kernels.cumulative import cumulative_sum
from irrun.kernels.halves import of_halves
from irrun.kernels.notice import notice
from irrun.kernels.pointwise import pointwise
from irrun.kernels.powers import power as to_the_power
from irrun.kernels.rounding import narrow
from irrun.kernels.special import erf as error_function
from irrun.ops.attributes import boolean, one_of
from irrun.ops.axes import expect_scalar, only_axis
from irrun.ops.declare import Attribute, Input, OpError, Output, op
from irrun.ops.elementwise import binary, unary
from irrun.types.element import INDEX, NUMERIC
from irrun.types.fact import Fact
from irrun.types.shape import Shape

Array = np.ndarray

# two inputs


@binary("Add-1", monotone="++")
def add(a: Array, b: Array) -> Array:
    """The sums.

    >>> add(np.array([[1, 2], [3, 4]]), np.array([10, 20]))
    array([[11, 22],
           [13, 24]])
    """
    return of_halves(np.add, a, b)


@binary("Subtract-1", monotone="+-")
def subtract(a: Array, b: Array) -> Array:
    """The differences a - b."""
    return of_halves(np.subtract, a, b)


@binary("Multiply-1", monotone="**")
def multiply(a: Array, b: Array) -> Array:
    """The products."""
    return of_halves(np.multiply, a, b)


@binary("Divide-1", attributes=[Attribute("m_pythondiv", boolean, default=True)], monotone="*=")
def divide(a: Array, b: Array, m_pythondiv: bool = True) -> Array:
    """The quotients a / b; of integers the floor, or, where `m_pythondiv` is false, what truncation toward zero leaves.

    >>> divide(np.array([-5, 5]), np.array(2))
    array([-3,  2])
    """
    if is_float(np.asarray(a).dtype):
        return of_halves(np.divide, a, b)
    _check_divisor(b)
    return np.floor_divide(a if m_pythondiv else np.subtract(a, np.fmod(a, b)), b)


def _check_divisor(b: np.ndarray) -> None:
    if not np.asarray(b).all():
        position = ", ".join(map(str, np.argwhere(np.asarray(b) == 0)[0].tolist()))
        raise OpError(f"b is 0 at [{position}]; integers have no quotient by 0", at="b")


@binary("Mod-1")
def mod(a: Array, b: Array) -> Array:
    """The remainders of division that truncates toward zero; they have the sign of `a`."""
    if not is_float(np.asarray(a).dtype):
        _check_divisor(b)
    return np.fmod(a, b)


@binary("FloorMod-1")
def floor_mod(a: Array, b: Array) -> Array:
    """The remainders of division that floors; they have the sign of `b`."""
    if not is_float(np.asarray(a).dtype):
        _check_divisor(b)
    return np.remainder(a, b)


@binary("Power-1")
def power(a: Array, b: Array) -> Array:
    """`a` to the power of `b`; integer powers wrap, and those below 1 are truncated toward zero."""
    try:
        return to_the_power(np.asarray(a), np.asarray(b))
    except ZeroDivisionError as error:
        raise OpError(str(error), at="b", against="a") from None


@binary("Maximum-1", monotone="++")
def maximum(a: Array, b: Array) -> Array:
    """The greater of the two; NaN where either is."""
    return _told_of_nan(np.maximum(a, b), a, b)


@binary("Minimum-1", monotone="++")
def minimum(a: Array, b: Array) -> Array:
    """The lesser of the two; NaN where either is."""
    return _told_of_nan(np.minimum(a, b), a, b)


def _told_of_nan(result: Array, a: Array, b: Array) -> Array:
    """The result; a notice says where it is NaN and one of the two is a number."""
    if is_float(result.dtype) and result.size and np.isnan(result.max()) and (np.isnan(a) != np.isnan(b)).any():
        notice("NaN beside a number gives NaN; what OpenVINO gives depends on which of them comes first")
    return result


@binary("SquaredDifference-1")
def squared_difference(a: Array, b: Array) -> Array:
    """The squares of the differences."""
    a, b = np.asarray(a), np.asarray(b)
    if is_float(a.dtype) and a.dtype.itemsize < 4:
        return narrow(np.square(a.astype(np.float64) - b.astype(np.float64)), a.dtype)
    return np.square(np.subtract(a, b))


# one input, exact


@unary("Abs-1")
def abs(data: Array) -> Array:
    """The absolute values; the least integer, which has none in its type, stays."""
    return np.abs(data)


@unary("Negative-1", monotone="-")  # the page lists signed types alone; OpenVINO's reader takes unsigned ones too
def negative(data: Array) -> Array:
    """The values with the other sign; unsigned integers wrap."""
    return np.negative(data)


@unary("Sign-1", monotone="+")
def sign(data: Array) -> Array:
    """-1, 0 or 1; NaN for NaN."""
    return np.sign(data)


@unary("Ceiling-1", monotone="+")
def ceiling(data: Array) -> Array:
    """The least integers that are not less."""
    return np.ceil(data) if is_float(np.asarray(data).dtype) else data


@unary("Floor-1", monotone="+")
def floor(data: Array) -> Array:
    """The greatest integers that are not greater."""
    return np.floor(data) if is_float(np.asarray(data).dtype) else data


@unary(
    "Round-5",
    attributes=[Attribute("mode", one_of("half_to_even", "half_away_from_zero"), default="half_to_even")],
    monotone="+",
)
def round(data: Array, mode: str = "half_to_even") -> Array:
    """The nearest integers; of two that are as near, the even one or the one farther from zero."""
    if not is_float(np.asarray(data).dtype):
        return data
    return np.rint(data) if mode == "half_to_even" else pointwise(_half_away_from_zero, data)


def _half_away_from_zero(data: np.ndarray) -> np.ndarray:
    whole = np.trunc(data)
    halves = np.abs(data - np.where(np.isinf(data), 0, whole)) >= 0.5
    return np.where(halves, whole + np.copysign(1, data), whole)


@unary("Sqrt-1")
def sqrt(data: Array) -> Array:
    """The square roots."""
    return np.sqrt(data) if is_float(np.asarray(data).dtype) else pointwise(np.sqrt, data)


# one input, rounded once


@unary("Log-1")
def log(data: Array) -> Array:
    """The natural logarithms."""
    return pointwise(np.log, data)


@unary("Sin-1")
def sin(data: Array) -> Array:
    """The sines of angles in radians."""
    return pointwise(np.sin, data)


@unary("Cos-1")
def cos(data: Array) -> Array:
    """The cosines of angles in radians."""
    return pointwise(np.cos, data)


@unary("Tan-1")
def tan(data: Array) -> Array:
    """The tangents of angles in radians."""
    return pointwise(np.tan, data)


@unary("Asin-1")
def asin(data: Array) -> Array:
    """The angles, in radians, of these sines."""
    return pointwise(np.arcsin, data)


@unary("Acos-1")
def acos(data: Array) -> Array:
    """The angles, in radians, of these cosines."""
    return pointwise(np.arccos, data)


@unary("Atan-1")
def atan(data: Array) -> Array:
    """The angles, in radians, of these tangents."""
    return pointwise(np.arctan, data)


@unary("Sinh-1")
def sinh(data: Array) -> Array:
    """The hyperbolic sines."""
    return pointwise(np.sinh, data)


@unary("Cosh-1")
def cosh(data: Array) -> Array:
    """The hyperbolic cosines."""
    return pointwise(np.cosh, data)


@unary("Tanh-1")
def tanh(data: Array) -> Array:
    """The hyperbolic tangents."""
    return pointwise(np.tanh, data)


@unary("Asinh-3")
def asinh(data: Array) -> Array:
    """The inverse hyperbolic sines."""
    return pointwise(np.arcsinh, data)


@unary("Acosh-3")
def acosh(data: Array) -> Array:
    """The inverse hyperbolic cosines."""
    return pointwise(np.arccosh, data)


@unary("Atanh-3")
def atanh(data: Array) -> Array:
    """The inverse hyperbolic tangents."""
    return pointwise(np.arctanh, data)


@unary("Erf-1")
def erf(data: Array) -> Array:
    """The error function."""
    return pointwise(error_function, data)


# along an axis


def _same_shape(data: Fact, axis: Fact | None, exclusive: bool, reverse: bool) -> Shape:
    if data.rank == 0:
        raise OpError("data is a scalar; rank 1 or more is expected", at="data", kind="rank")
    if axis is not None:
        expect_scalar(axis, "axis", or_1d=True)
        if axis.value is not None and data.rank is not None:
            only_axis(axis.value, data.rank)
    return data.shape


@op(
    "CumSum-3",
    types={"T": NUMERIC, "T_AXIS": INDEX},
    attributes=[Attribute("exclusive", boolean, default=False), Attribute("reverse", boolean, default=False)],
    inputs=[Input("data", "T"), Input("axis", "T_AXIS", optional=True)],
    outputs=[Output("T")],
    shape=_same_shape,
    monotone="+=",
)
def cum_sum(data: Array, axis: Array | None = None, exclusive: bool = False, reverse: bool = False) -> Array:
    """The sums of each element and those before it on the axis, which is 0 where it is not given.

    >>> cum_sum(np.array([1, 2, 3]))
    array([1, 3, 6])
    """
    data = np.asarray(data)
    place = 0 if axis is None else only_axis(np.asarray(axis), data.ndim)
    return cumulative_sum(data, place, exclusive=exclusive, reverse=reverse)
