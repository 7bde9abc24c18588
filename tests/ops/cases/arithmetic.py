"""Cases of arithmetic: values by hand, from Python's integers and from its math module."""

from __future__ import annotations

import math

import numpy as np

from tests.ops.case import OpCase
from tests.ops.elementwise import AXIS, BF16, F8, INF, NAN, function, one, refused, two

A, B = np.arange(24, dtype=np.float32).reshape(2, 3, 4), np.array([10, 20, 30], np.float32)
PDPD = {"auto_broadcast": "pdpd", AXIS: "1"}
I8, U8, I32, I64 = np.int8, np.uint8, np.int32, np.int64

SUMS = [
    two("Add-1", [[1, 2], [3, 4]], [10, 20], [[11, 22], [13, 24]], note="broadcast"),
    two("Add-1", [[1], [2]], [[10, 20]], [[11, 21], [12, 22]], note="both ways"),
    two("Add-1", 1.5, 2, 3.5, note="scalars"),
    two("Add-1", np.zeros((0, 3)), [1, 2, 3], np.zeros((0, 3)), note="no elements"),
    two("Add-1", A, B, A + B[:, None], attributes=PDPD, note="pdpd axis 1"),
    two(
        "Add-1",
        A,
        [[10], [20], [30]],
        A + B[:, None],
        attributes={"auto_broadcast": "pdpd", "axis": "1"},
        note="pdpd trailing 1",
    ),
    two("Add-1", A, np.ones((3, 4)), A + 1, attributes={"auto_broadcast": "pdpd", AXIS: "-1"}, note="pdpd last dims"),
    two("Add-1", [1, 2], [3, 4], [4, 6], attributes={"auto_broadcast": "none"}, note="none"),
    two("Add-1", [1, 2], [3, 4], [4, 6], attributes={"auto_broadcast": "explicit"}, note="explicit is none"),
    two("Add-1", [100, -100], [100, -100], [-56, 56], I8, note="i8 wraps"),
    two("Add-1", [2**63 - 1, 5 * 10**9], [1, 3 * 10**9], [-(2**63), 8 * 10**9], I64, note="i64"),
    two("Add-1", [2**64 - 1], [2], [1], np.uint64, note="u64"),
    two("Add-1", [2048], [1.5], [2050], np.float16, note="f16 to even"),
    two("Add-1", [256], [1.5], [258], BF16, note="bf16"),
    two("Add-1", [16], [1], [16], F8, note="f8 to even"),
    two("Add-1", [INF, NAN, -0.0], [-1, 1, -0.0], [INF, NAN, -0.0], note="infinity and NaN"),
    refused("Add-1", r"b is \[2\], but a is \[2,3\]: dims 3 and 2 differ", A[:, :, 0], B[:2], note="no common shape"),
    refused("Add-1", "the shapes are equal", A[0], A[0, :1], note="none", attributes={"auto_broadcast": "none"}),
    refused("Add-1", "4 is neither 3 nor 1", A, A[0, 0], note="pdpd", attributes=PDPD),
    two("Subtract-1", [[1, 2], [3, 4]], [10, 20], [[-9, -18], [-7, -16]], note="broadcast"),
    two("Subtract-1", [0, 5], [1, 7], [255, 254], U8, note="u8 wraps"),
    two("Multiply-1", [[1, 2], [3, 4]], [10, 20], [[10, 40], [30, 80]], note="broadcast"),
    two("Multiply-1", [2**20, -3], [2**20, 7], [0, -21], I32, note="i32 wraps"),
    two("Multiply-1", [3e38, 0], [INF, NAN], [INF, NAN], note="infinity and NaN"),
    two("SquaredDifference-1", [[1, 2], [3, 4]], [3, 1], [[4, 1], [0, 9]], note="broadcast"),
    two("SquaredDifference-1", [2, 200], [3, 100], [1, 16], U8, note="u8 wraps"),
    two("SquaredDifference-1", [300], [55.75], [59648], np.float16, note="f16 rounds once"),
    two("SquaredDifference-1", [257], [0], [65536], BF16, note="bf16 rounds once"),
    two("Maximum-1", [[1, -2], [3, 4]], [2, -3], [[2, -2], [3, 4]], note="broadcast"),
    two("Maximum-1", [NAN, 0, INF], [0, NAN, 1], [NAN, NAN, INF], note="NaN wins", notice="NaN beside a number"),
    two("Maximum-1", [NAN, 0], [NAN, 1], [NAN, 1], note="NaN beside NaN"),
    two("Maximum-1", [2**53 + 1], [2**53], [2**53 + 1], I64, note="i64 exact"),
    two("Minimum-1", [[1, -2], [3, 4]], [2, -3], [[1, -3], [2, -3]], note="broadcast"),
    two("Minimum-1", [NAN, 0], [0, NAN], [NAN, NAN], note="NaN wins", notice="NaN beside a number"),
    two("Minimum-1", [NAN, 0], 1, [NAN, 0], BF16, note="NaN of bf16", notice="NaN beside a number"),
    two("Minimum-1", [1.5, -2], [2, -1], [1.5, -2], BF16, note="bf16"),
]

QUOTIENTS = [
    two("Divide-1", [[1, 2], [3, 4]], [2, 4], [[0.5, 0.5], [1.5, 1]], note="broadcast"),
    two("Divide-1", [INF, NAN, 1, -6], [2, 1, INF, 4], [INF, NAN, 0, -1.5], note="infinity and NaN"),
    two("Divide-1", [-5, 5, -6], [2, -2, 3], [-3, -3, -2], I32, note="integers floor"),
    two(
        "Divide-1",
        [-5, 5, -6, 7],
        [2, -2, 3, 2],
        [-2, -2, -2, 3],
        I32,
        attributes={"m_pythondiv": "false"},
        note="integers truncate",
    ),
    two("Divide-1", [777777777, 2**62 + 1], [11, 1], [70707070, 2**62 + 1], I64, note="i64 exact"),
    two(
        "Divide-1",
        [-(2**63), 2**63 - 1],
        [2, -2],
        [-(2**62), -(2**62) + 1],
        I64,
        attributes={"m_pythondiv": "false"},
        note="i64 limits",
    ),
    two("Divide-1", [200, 7], [3, 2], [66, 3], U8, note="u8"),
    two("Divide-1", A, B, A / B[:, None], attributes=PDPD, note="pdpd"),
    two("Divide-1", [1], [3], [0.3333], np.float16, note="f16"),
    refused("Divide-1", r"b is 0 at \[1\]", np.array([[1, 2]]), np.array([1, 0]), note="by 0"),
    two("Mod-1", [-7, 7, -7, 7], [3, -3, -3, 3], [-1, 1, -1, 1], I32, note="sign of a"),
    two("Mod-1", [-7.5, 7.5, 5], [2, -2, INF], [-1.5, 1.5, 5], note="floats"),
    two("Mod-1", [-7.5], [2], [-1.5], BF16, note="bf16"),
    two("Mod-1", [2**62 + 1], [2], [1], I64, note="i64 exact"),
    refused("Mod-1", r"b is 0 at \[0\]", np.array([1]), np.array([0]), note="by 0"),
    two("FloorMod-1", [-7, 7, -7, 7], [3, -3, -3, 3], [2, -2, -1, 1], I32, note="sign of b"),
    two("FloorMod-1", [-7.5, 7.5, 5], [2, -2, 3], [0.5, -0.5, 2], note="floats"),
    two("FloorMod-1", [-7.5], [2], [0.5], np.float16, note="f16"),
    refused("FloorMod-1", r"b is 0 at \[0\]", np.array([1]), np.array([0]), note="by 0"),
    two("Power-1", [[2, 3], [4, 9]], [3, 0.5], [[8, math.sqrt(3)], [64, 3]], note="broadcast"),
    two("Power-1", [2, -3, 1.5], 2, [4, 9, 2.25], note="squares"),
    two("Power-1", [2, 4], -0.5, [math.sqrt(0.5), 0.5], np.float64, note="roots", rtol=1e-15),
    two("Power-1", [1.1], [100.5], [1.1**100.5], np.float64, note="f64", rtol=1e-15),
    two("Power-1", [1.5, 3], [3, 2.5], [3.375, 15.5625], BF16, note="bf16 rounds once"),
    two("Power-1", [0, NAN, 2], [0, 0, NAN], [1, 1, NAN], note="NaN"),
    two(
        "Power-1",
        [2, 3, -2, 0, 10],
        [10, 0, 3, 0, 11],
        [1024, 1, -8, 1, 10**11 - 23 * 2**32],
        I32,
        note="integers wrap",
    ),
    two("Power-1", [3], [39], [3**39], I64, note="i64 exact"),
    two("Power-1", [2, -1, 1, -1], [-1, -3, -5, -2], [0, -1, 1, 1], I32, note="negative powers truncate"),
    refused("Power-1", "0 has no negative power", np.array([0]), np.array([-1]), note="0 to -1"),
]

EXACT = [
    one("Abs-1", [[-1.5, 2], [-0.0, INF]], [[1.5, 2], [0, INF]], note="f32"),
    one("Abs-1", [-128, 5], [128 - 256, 5], I8, note="i8 wraps"),
    one("Abs-1", [-(2**62) - 1], [2**62 + 1], I64, note="i64"),
    one("Negative-1", [1.5, -2, NAN], [-1.5, 2, NAN], note="f32"),
    one("Negative-1", [-128, 5], [-128, -5], I8, note="i8 wraps"),
    one("Negative-1", [0, 1], [0, 255], U8, note="u8 wraps"),
    one("Sign-1", [-2.5, 0, 3, NAN], [-1, 0, 1, NAN], note="f32"),
    one("Sign-1", [-7, 0, 2**40], [-1, 0, 1], I64, note="i64"),
    one("Ceiling-1", [-2.5, 0.1, 2, INF, NAN], [-2, 1, 2, INF, NAN], note="f32"),
    one("Ceiling-1", [2**53 + 1], [2**53 + 1], I64, note="i64"),
    one("Ceiling-1", [-0.5, 1.25], [0, 2], BF16, note="bf16"),
    one("Floor-1", [-2.5, 0.9, 2, INF, NAN], [-3, 0, 2, INF, NAN], note="f32"),
    one("Floor-1", [2**53 + 1], [2**53 + 1], I64, note="i64"),
    one("Floor-1", np.zeros((0, 2)), np.zeros((0, 2)), np.float16, note="no elements"),
    one("Round-5", [0.5, 1.5, -2.5, -0.7, NAN], [0, 2, -2, -1, NAN], note="to even"),
    *(
        one("Round-5", data, wanted, dtype, attributes={"mode": "half_away_from_zero"}, note=note)
        for data, wanted, dtype, note in [
            (
                [0.5, 1.5, -0.5, -2.5, 0.49999997, 8388609, INF],
                [1, 2, -1, -3, 0, 8388609, INF],
                np.float32,
                "away from 0",
            ),
            ([0.5, -3.5], [1, -4], np.float16, "f16 away from 0"),
            ([3, -7], [3, -7], I32, "integers"),
        ]
    ),
    one("Sqrt-1", [[4, 2], [0, INF]], [[2, math.sqrt(2)], [0, INF]], note="f32", rtol=1.2e-7),
    one("Sqrt-1", [0, 2, 3, 10, 2**40], [0, 1, 2, 3, 2**20], I64, note="i64 to the nearest"),
    one("Sqrt-1", 2.25, 1.5, BF16, note="scalar bf16"),
]

SMALL, UNIT, ABOVE_1 = [-2.5, -1, -1e-5, 0, 0.3, 1, 2], [-0.9, -0.25, 0, 1e-4, 0.5, 0.75], [1, 1.0001, 1.5, 10, 1e4]

FUNCTIONS = [
    *function("Sin-1", math.sin, SMALL, of_integers=(-3, 0, 1, 2)),
    *function("Cos-1", math.cos, SMALL, of_integers=(-3, 0, 1, 2)),
    *function("Tan-1", math.tan, SMALL, of_integers=(-1, 0, 1, 2)),
    *function("Asin-1", math.asin, UNIT, of_integers=(-1, 0, 1)),
    *function("Acos-1", math.acos, UNIT, of_integers=(-1, 0, 1)),
    *function("Atan-1", math.atan, SMALL, of_integers=(-1, 0, 2)),
    *function("Sinh-1", math.sinh, SMALL, of_integers=(-3, 0, 2)),
    *function("Cosh-1", math.cosh, SMALL, of_integers=(-3, 0, 2)),
    *function("Tanh-1", math.tanh, SMALL, of_integers=(-1, 0, 2)),
    *function("Asinh-3", math.asinh, SMALL, of_integers=(-3, 0, 10)),
    *function("Acosh-3", math.acosh, ABOVE_1, of_integers=(1, 2, 10)),
    *function("Atanh-3", math.atanh, UNIT),
    *function("Log-1", math.log, ABOVE_1, of_integers=(1, 2, 10)),
    *function("Erf-1", math.erf, [-6, -2.5, -0.7, -0.4, 0, 1e-6, 0.3, 0.5, 1, 3], of_integers=(-1, 0, 2)),
    one(
        "Sin-1",
        np.linspace(-9, 9, 20000),
        np.sin(np.linspace(-9, 9, 20000).astype(np.float32).astype(float)),
        note="blocks",
        rtol=1e-7,
    ),
    one("Erf-1", [INF, -INF, NAN, 40], [1, -1, NAN, 1], note="far"),
    one("Log-1", np.zeros((0, 3)), np.zeros((0, 3)), note="no elements"),
    one("Tanh-1", [INF, -INF, NAN], [1, -1, NAN], BF16, note="bf16 far"),
]

COUNT = [[1, 2, 3], [4, 5, 6]]


def sums(data, axis, wanted, dtype=np.float32, *, note="", attributes=None, **more) -> OpCase:
    inputs = [np.array(data, dtype), *([] if axis is None else [np.asarray(axis)])]
    return OpCase("CumSum-3", inputs, [np.array(wanted, dtype)], attributes or {}, note, **more)


CUMULATIVE = [
    sums(COUNT, np.int32(1), [[1, 3, 6], [4, 9, 15]], note="last axis"),
    sums(COUNT, np.int64(-2), [[1, 2, 3], [5, 7, 9]], note="first axis from the end"),
    sums(COUNT, None, [[1, 2, 3], [5, 7, 9]], note="axis 0 by default"),
    sums([1, 2, 3, 4], np.array([0]), [10, 9, 7, 4], note="reverse", attributes={"reverse": "true"}),
    sums([1, 2, 3, 4], np.int64(0), [0, 1, 3, 6], note="exclusive", attributes={"exclusive": "true"}),
    sums([1, 2, 3], np.int64(0), [5, 3, 0], I32, note="both", attributes={"exclusive": "true", "reverse": "true"}),
    sums(np.zeros((2, 0)), np.int64(1), np.zeros((2, 0)), note="no elements", attributes={"exclusive": "true"}),
    sums([2**24, 1, 1], np.int64(0), [2**24, 2**24, 2**24 + 2], note="f32 sums in f64", rtol=0),
    sums([2048, 1, 1], np.int64(0), [2048, 2048, 2050], np.float16, note="f16 sums in f64", rtol=0),
    sums([100, 100], np.int64(0), [100, -56], I8, note="i8 wraps", notice="does not fit int8 and wraps"),
    sums(
        [2**62, 2**62, -(2**63)], np.int64(0), [2**62, -(2**63), 0], I64, note="i64 wraps", notice="does not fit int64"
    ),
    refused(
        "CumSum-3",
        r"axis 2 is outside \[-2, 1\] for data of rank 2",
        np.array(COUNT),
        np.int64(2),
        note="axis too large",
    ),
    refused("CumSum-3", "data is a scalar", np.float32(1), np.int64(0), note="scalar"),
    refused("CumSum-3", r"axis is \[2\]; a scalar", np.array(COUNT), np.array([0, 1]), note="two axes"),
]

CASES = [*SUMS, *QUOTIENTS, *EXACT, *FUNCTIONS, *CUMULATIVE]
