"""Makers of elementwise operations: unary, binary with broadcasting, activations, comparisons, logic, bits."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from irrun.types.element import BOOLEAN, BY_NAME, INTEGER, ElementType, Kind
from tests.graphs.reducing import floating, numeric
from tests.graphs.wiring import Tensor, Unfit, Wiring, makes

Elementwise = Callable[..., np.ndarray]

_erf = np.vectorize(math.erf, otypes=[np.float64])


def signed(type: ElementType) -> bool:
    return type.is_float or type.kind.value == "signed integer"


def integer(type: ElementType) -> bool:
    return type in INTEGER


def boolean(type: ElementType) -> bool:
    return type is BOOLEAN


def convertible(type: ElementType) -> bool:
    return type.kind is not Kind.STRING


def bounded(limit: float) -> Callable[[Tensor], bool]:
    """Whether all elements are numbers of at most this magnitude."""

    def fits(tensor: Tensor) -> bool:
        wide = tensor.value.astype(np.float64)
        return bool(np.isfinite(wide).all() and (np.abs(wide) <= limit).all())

    return fits


# unary

EXACT: dict[str, tuple[Elementwise, Callable[[ElementType], bool]]] = {
    "Abs-1": (np.abs, signed),
    "Negative-1": (np.negative, signed),
    "ReLU-1": (lambda x: np.maximum(x, x.dtype.type(0)), signed),
    "LogicalNot-1": (np.logical_not, boolean),
    "BitwiseNot-13": (np.invert, lambda kind: integer(kind) or boolean(kind)),
}

JUMPS: dict[str, Elementwise] = {
    "Sign-1": np.sign,
    "Ceiling-1": np.ceil,
    "Floor-1": np.floor,
    "IsNaN-10": np.isnan,
    "IsFinite-10": np.isfinite,
    "IsInf-10": np.isinf,
}

SMOOTH: dict[str, tuple[Elementwise, float]] = {
    "Exp-1": (np.exp, 20),
    "Sin-1": (np.sin, 1e3),
    "Cos-1": (np.cos, 1e3),
    "Tanh-1": (np.tanh, 1e3),
    "Sinh-1": (np.sinh, 20),
    "Cosh-1": (np.cosh, 20),
    "Atan-1": (np.arctan, 1e6),
    "Asinh-3": (np.arcsinh, 1e6),
    "Erf-1": (_erf, 1e3),
    "Sigmoid-1": (lambda x: 1 / (1 + np.exp(-x)), 50),
    "SoftPlus-4": (lambda x: np.logaddexp(0, x), 50),
    "SoftSign-9": (lambda x: x / (1 + np.abs(x)), 1e6),
    "Mish-4": (lambda x: x * np.tanh(np.logaddexp(0, x)), 50),
    "HSwish-4": (lambda x: x * np.clip(x + 3, 0, 6) / 6, 1e3),
    "HSigmoid-5": (lambda x: np.clip(x + 3, 0, 6) / 6, 1e3),
    "Gelu-2": (lambda x: 0.5 * x * (1 + _erf(x / math.sqrt(2))), 50),
}


@makes(*EXACT)
def exact(wiring: Wiring, name: str) -> None:
    function, types = EXACT[name]
    wiring.layer(name, [wiring.of(types)], function, tolerance=0)


@makes(*JUMPS)
def jumps(wiring: Wiring, name: str) -> None:
    types = [BOOLEAN] if name.startswith("Is") else None
    wiring.layer(name, [wiring.of(floating)], JUMPS[name], types=types, jumps=True, tolerance=0)


@makes(*SMOOTH)
def smooth(wiring: Wiring, name: str) -> None:
    function, limit = SMOOTH[name]
    wiring.layer(name, [wiring.of(floating, where=bounded(limit))], function, rough=True, tolerance=8)


@makes("Round-5")
def round_(wiring: Wiring, name: str) -> None:
    mode = wiring.choice(["half_to_even", "half_away_from_zero"])

    def reference(x: np.ndarray) -> np.ndarray:
        return np.rint(x) if mode == "half_to_even" else np.copysign(np.floor(np.abs(x) + 0.5), x)

    wiring.layer(name, [wiring.of(floating, where=bounded(1e6))], reference, {"mode": mode}, jumps=True, tolerance=0)


WITHIN: dict[str, tuple[Elementwise, float, float]] = {
    "Sqrt-1": (np.sqrt, 0.125, 8),
    "Log-1": (np.log, 0.125, 8),
    "Acos-1": (np.arccos, -1, 1),
    "Asin-1": (np.arcsin, -1, 1),
    "Acosh-3": (np.arccosh, 1, 8),
    "Atanh-3": (np.arctanh, -0.875, 0.875),
    "Tan-1": (np.tan, -1.25, 1.25),
}
"""Functions with the range that their operands are drawn from."""


@makes(*WITHIN)
def within(wiring: Wiring, name: str) -> None:
    function, low, high = WITHIN[name]

    def fits(tensor: Tensor) -> bool:
        if not tensor.type.is_float:
            return False
        wide = tensor.value.astype(np.float64)
        return bool(((wide >= low) & (wide <= high)).all())

    def make() -> Tensor:
        type = wiring.choice([type for type in wiring.types if type.is_float])
        eighths = wiring.random.integers(int(low * 8), int(high * 8) + 1, wiring.shape())
        return wiring.parameter(type, (eighths / 8).astype(type.dtype))

    wiring.layer(name, [wiring.tensor(fits, make)], function, rough=True, tolerance=8)


@makes("Clamp-1")
def clamp(wiring: Wiring, name: str) -> None:
    data = wiring.of(numeric)
    low = wiring.integer(-3 if signed(data.type) else 0, 1)
    high = low + wiring.integer(1, 5)
    wiring.layer(
        name, [data], lambda x: np.clip(x, low, high), {"min": low, "max": high}, rough=data.rough, tolerance=0
    )


@makes("Elu-1")
def elu(wiring: Wiring, name: str) -> None:
    alpha = wiring.choice([0.5, 1.0, 2.0])
    data = wiring.of(floating, where=bounded(50))
    wiring.layer(
        name,
        [data],
        lambda x: np.where(x < 0, alpha * np.expm1(np.minimum(x, 0)), x),
        {"alpha": alpha},
        rough=True,
        tolerance=8,
    )


@makes("Gelu-7")
def gelu(wiring: Wiring, name: str) -> None:
    mode = wiring.choice(["ERF", "TANH"])

    def reference(x: np.ndarray) -> np.ndarray:
        if mode == "ERF":
            return 0.5 * x * (1 + _erf(x / math.sqrt(2)))
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))

    data = wiring.of(floating, where=bounded(20))
    wiring.layer(name, [data], reference, {"approximation_mode": mode}, rough=True, tolerance=64)


@makes("PReLU-1")
def prelu(wiring: Wiring, name: str) -> None:
    data = wiring.of(floating)
    channels = data.rank > 1 and wiring.coin()
    slope = wiring.source(data.type, [data.shape[1]] if channels else [1])

    def reference(x: np.ndarray, slope: np.ndarray) -> np.ndarray:
        if channels:
            slope = slope.reshape(-1, *[1] * (x.ndim - 2))
        return np.where(x < 0, x * slope, x).reshape(x.shape)

    wiring.layer(name, [data, slope], reference, tolerance=1, rough=True, products=True)


@makes("Selu-1")
def selu(wiring: Wiring, name: str) -> None:
    data = wiring.of(floating, where=bounded(20))
    alpha, scale = (wiring.constant(np.array(each).astype(data.type.dtype), data.type) for each in (1.5, 1.25))
    wiring.layer(
        name,
        [data, alpha, scale],
        lambda x, a, s: s * np.where(x > 0, x, a * np.expm1(np.minimum(x, 0))),
        rough=True,
        tolerance=8,
    )


@makes("HardSigmoid-1")
def hard_sigmoid(wiring: Wiring, name: str) -> None:
    data = wiring.of(floating, where=bounded(1e3))
    alpha, beta = (wiring.constant(np.array(each).astype(data.type.dtype), data.type) for each in (0.25, 0.5))
    wiring.layer(
        name, [data, alpha, beta], lambda x, a, b: np.clip(a * x + b, 0, 1), rough=True, tolerance=8, products=True
    )


@makes("Swish-4")
def swish(wiring: Wiring, name: str) -> None:
    data = wiring.of(floating, where=bounded(20))
    inputs, beta = [data], 1.0
    if wiring.coin():
        beta = wiring.choice([0.5, 2.0])
        inputs.append(wiring.constant(np.array(beta).astype(data.type.dtype), data.type))
    wiring.layer(name, inputs, lambda x, *_: x / (1 + np.exp(-beta * x)), rough=True, tolerance=8)


@makes("SoftMax-1", "SoftMax-8", "LogSoftmax-5")
def softmax(wiring: Wiring, name: str) -> None:
    data = wiring.of(floating, 1, where=bounded(50))
    axis = wiring.integer(0 if name == "SoftMax-1" else -data.rank, data.rank - 1)

    def reference(x: np.ndarray) -> np.ndarray:
        if x.size == 0:
            return x
        shifted = x - x.max(axis, keepdims=True)
        total = np.exp(shifted).sum(axis, keepdims=True)
        return shifted - np.log(total) if name.startswith("Log") else np.exp(shifted) / total

    wiring.layer(name, [data], reference, {"axis": axis}, rough=True, tolerance=64)


@makes("CumSum-3")
def cumulative(wiring: Wiring, name: str) -> None:
    data = wiring.of(numeric, 1)
    axis = wiring.integer(0, data.rank - 1)
    exclusive, reverse = wiring.coin(), wiring.coin()

    def reference(x: np.ndarray, axis: np.ndarray) -> np.ndarray:
        at = int(axis) % x.ndim
        ordered = np.flip(x, at) if reverse else x
        sums = np.cumsum(ordered, at, dtype=x.dtype)
        if exclusive:
            none = np.zeros([dim if place != at else 1 for place, dim in enumerate(x.shape)], x.dtype)
            sums = np.concatenate([none, sums], at).take(range(x.shape[at]), at)
        return np.flip(sums, at) if reverse else sums

    axis_at = wiring.indices(axis - data.rank if wiring.coin() else axis)
    wiring.layer(
        name, [data, axis_at], reference, {"exclusive": exclusive, "reverse": reverse}, rough=True, tolerance=16
    )


# binary

ARITHMETIC: dict[str, Elementwise] = {
    "Add-1": np.add,
    "Subtract-1": np.subtract,
    "Multiply-1": np.multiply,
    "Maximum-1": np.maximum,
    "Minimum-1": np.minimum,
    "SquaredDifference-1": lambda a, b: (a - b) * (a - b),
}

COMPARISONS: dict[str, Elementwise] = {
    "Equal-1": np.equal,
    "NotEqual-1": np.not_equal,
    "Less-1": np.less,
    "LessEqual-1": np.less_equal,
    "Greater-1": np.greater,
    "GreaterEqual-1": np.greater_equal,
}

LOGIC: dict[str, Elementwise] = {
    "LogicalAnd-1": np.logical_and,
    "LogicalOr-1": np.logical_or,
    "LogicalXor-1": np.logical_xor,
    "Xor-1": np.logical_xor,
}

BITS: dict[str, Elementwise] = {
    "BitwiseAnd-13": np.bitwise_and,
    "BitwiseOr-13": np.bitwise_or,
    "BitwiseXor-13": np.bitwise_xor,
}


def _numbers(tensor: Tensor) -> bool:
    """NaN goes its own ways through extremes and comparisons."""
    return not np.isnan(tensor.value.astype(np.float64)).any()


def _broadcast(
    wiring: Wiring,
    name: str,
    a: Tensor,
    function: Elementwise,
    attributes: Mapping[str, object] | None = None,
    **how: Any,
) -> None:
    """Wire an operation of `a` and another tensor, brought together by one of the three rules."""
    rule = wiring.choice(["", "", "numpy", "pdpd", "none"])
    written = dict(attributes or {}) | ({"auto_broadcast": rule} if rule else {})
    if rule not in ("pdpd", "none"):
        b = wiring.broadcastable(a)
        inputs = [b, a] if wiring.coin() else [a, b]
        if how.pop("numbers", False) and not _numbers(b):
            raise Unfit
        wiring.layer(name, inputs, function, written, **how)
        return
    how.pop("numbers", None)
    if rule == "none":
        b = wiring.tensor(
            lambda t: t.type is a.type and t.shape == a.shape and _numbers(t), lambda: wiring.source(a.type, a.shape)
        )
        # OpenVINO takes the second operand's dims where they say less than the first one's.
        wiring.layer(name, [a, b], function, written, **how)
        return
    if name not in ARITHMETIC or name == "Subtract-1":
        wiring.smooth = False  # OpenVINO refuses the axis, or aligns the last dims where that is possible too
    start = wiring.integer(0, a.rank)
    stop = wiring.integer(start, a.rank)
    dims = [1 if wiring.integer(0, 2) == 0 else dim for dim in a.shape[start:stop]]
    b = wiring.source(a.type, dims)
    written["auto_broadcast.auto_broadcast_axis"] = -1 if stop == a.rank and wiring.coin() else start

    def reference(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return function(x, y.reshape((*y.shape, *[1] * (x.ndim - stop))))

    wiring.layer(name, [a, b], reference, written, **how)


@makes(*ARITHMETIC)
def arithmetic(wiring: Wiring, name: str) -> None:
    a = wiring.of(numeric, where=_numbers)
    products = name in ("Multiply-1", "SquaredDifference-1")
    _broadcast(wiring, name, a, ARITHMETIC[name], rough=True, tolerance=4, products=products, numbers=True)


@makes(*COMPARISONS)
def comparison(wiring: Wiring, name: str) -> None:
    a = wiring.of(numeric)
    _broadcast(wiring, name, a, COMPARISONS[name], types=[BOOLEAN], jumps=True, tolerance=0)


@makes(*LOGIC)
def logic(wiring: Wiring, name: str) -> None:
    _broadcast(wiring, name, wiring.of(boolean), LOGIC[name], tolerance=0)


@makes(*BITS)
def bits(wiring: Wiring, name: str) -> None:
    a = wiring.of(lambda kind: integer(kind) or boolean(kind))
    _broadcast(wiring, name, a, BITS[name], tolerance=0)


@makes("BitwiseLeftShift-15", "BitwiseRightShift-15")
def shift(wiring: Wiring, name: str) -> None:
    a = wiring.of(integer, where=lambda t: bool((t.value >= 0).all()))
    b = wiring.constant(wiring.values(a.type, [dim if wiring.coin() else 1 for dim in a.shape], 0, 4), a.type)
    wiring.layer(name, [a, b], np.left_shift if "Left" in name else np.right_shift, tolerance=0)


def _divisor(wiring: Wiring, a: Tensor) -> Tensor:
    """A Const without zeros, and without the one quotient that does not fit."""
    value = wiring.values(a.type, [1 if wiring.coin() else dim for dim in a.shape], 1, 5)
    if signed(a.type):
        value = value * wiring.random.choice([1, -2], value.shape).astype(value.dtype)
    return wiring.constant(value, a.type)


@makes("Divide-1", "Mod-1", "FloorMod-1")
def division(wiring: Wiring, name: str) -> None:
    a = wiring.of(numeric, where=bounded(1e6))
    if integer(a.type) and signed(a.type) and a.value.size and a.value.min() == np.iinfo(a.type.dtype).min:
        raise Unfit  # by -1 it has no quotient
    b = _divisor(wiring, a)
    floors = name != "Divide-1" or wiring.coin()
    quotients = a.value.astype(np.float64) / b.value.astype(np.float64)
    if name == "Divide-1" and integer(a.type) and floors and (quotients < 0).any():
        wiring.smooth = False  # the page floors, OpenVINO's CPU plugin truncates

    def reference(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        if name == "Divide-1" and a.dtype.kind == "f":
            return a / b
        if name == "Divide-1":
            return (a if floors else a - np.fmod(a, b)) // b
        return np.fmod(a, b) if name == "Mod-1" else np.mod(a, b)

    jumps = name != "Divide-1" or integer(a.type)
    attributes = {} if floors else {"m_pythondiv": False}
    wiring.layer(name, [a, b], reference, attributes, rough=not jumps, jumps=jumps, tolerance=2)


@makes("Power-1")
def power(wiring: Wiring, name: str) -> None:
    a = wiring.of(numeric, where=bounded(50))
    b = wiring.constant(wiring.values(a.type, [], 0, 4), a.type)
    wiring.layer(name, [a, b], np.power, rough=True, tolerance=8)


@makes("Select-1")
def select(wiring: Wiring, name: str) -> None:
    then = wiring.of(lambda kind: True)
    other = wiring.broadcastable(then)
    shape = np.broadcast_shapes(then.shape, other.shape)
    mask = wiring.source(BOOLEAN, [1 if wiring.integer(0, 2) == 0 else dim for dim in shape])
    rough = then.rough or other.rough
    if then.shape == other.shape == mask.shape and wiring.coin():
        wiring.layer(
            name, [mask, then, other], np.where, {"auto_broadcast": "none"}, types=[then.type], rough=rough, tolerance=0
        )
        return
    wiring.layer(name, [mask, then, other], np.where, types=[then.type], rough=rough, tolerance=0)


# types


@makes("Convert-1")
def convert(wiring: Wiring, name: str) -> None:
    data = wiring.of(convertible, where=bounded(100))
    target = wiring.choice([type for type in wiring.types if convertible(type)])

    def reference(x: np.ndarray) -> Any:
        if target is BOOLEAN:
            return x != 0
        return np.trunc(x).astype(np.int64) if target in INTEGER and x.dtype.kind == "f" else x

    wiring.layer(
        name, [data], reference, {"destination_type": target}, types=[target], jumps=not target.is_float, tolerance=0
    )


@makes("ConvertLike-1")
def convert_like(wiring: Wiring, name: str) -> None:
    data = wiring.of(numeric, where=bounded(100))
    like = wiring.of(lambda kind: kind.is_float)
    wiring.layer(name, [data, like], lambda x, _: x, types=[like.type], tolerance=0)


RANKS = ("boolean", "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f16", "bf16", "f32", "f64")
WIDER = {("u8", "i8"): "i16", ("u8", "i16"): "i16", ("u16", "i32"): "i32", ("u8", "i32"): "i32", ("u16", "i16"): "i32",
         ("u32", "i32"): "i64", ("u16", "i8"): "i32", ("u32", "i8"): "i64", ("u32", "i16"): "i64", ("f16", "bf16"): "f32",
         ("u64", "i8"): "f32", ("u64", "i16"): "f32", ("u64", "i32"): "f32", ("u64", "i64"): "f32"}  # fmt: skip
"""What two types become together that neither of them holds, or where the later of `RANKS` is not it."""


@makes("ConvertPromoteTypes-14")
def promote(wiring: Wiring, name: str) -> None:
    a = wiring.of(convertible, where=bounded(100))
    b = wiring.of(convertible, where=bounded(100))
    low, high = sorted([a.type.name, b.type.name], key=RANKS.index)
    together = BY_NAME[WIDER.get((low, high)) or WIDER.get((high, low)) or high]
    rough = a.rough or b.rough
    wiring.layer(
        name,
        [a, b],
        lambda x, y: (x, y),
        {"promote_unsafe": True},
        types=[together] * 2,
        rough=rough,
        tolerance=0,
    )
