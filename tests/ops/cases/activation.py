"""Cases of activations: values by hand and from Python's math module."""

from __future__ import annotations

import math

import numpy as np

from tests.ops.case import OpCase
from tests.ops.elementwise import BF16, F8, INF, NAN, function, one, refused

POINTS = [-12.5, -3, -1, -0.25, 0, 1e-4, 0.5, 1, 3.5, 20]
EXPONENTS = [-2.5, -1, -1e-5, 0, 0.3, 1, 2]
I32 = np.int32


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def softplus(x: float) -> float:
    return max(x, 0) + math.log1p(math.exp(-abs(x)))


def gelu(x: float) -> float:
    return 0.5 * x * math.erfc(-x / math.sqrt(2))


def gelu_by_tanh(x: float) -> float:
    return x * sigmoid(math.sqrt(8 / math.pi) * (x + 0.044715 * x**3))


def hard_sigmoid(x: float) -> float:
    return min(max(x + 3, 0), 6) / 6


def elu(x: float, alpha: float) -> float:
    return x if x >= 0 else alpha * math.expm1(x)


def softmax(row) -> np.ndarray:
    powers = np.exp(np.array(row, np.float64) - np.max(row))
    return powers / powers.sum()


def clamp(data, low, high, wanted, dtype=np.float32, *, note) -> OpCase:
    return one("Clamp-1", data, wanted, dtype, attributes={"min": str(low), "max": str(high)}, note=note)


def several(op, *inputs, wanted, dtype=np.float32, note, **more) -> OpCase:
    return OpCase(op, [np.array(each, dtype) for each in inputs], [np.array(wanted, dtype)], note=note, **more)


PLAIN = [
    one("Identity-16", [[1.5, NAN]], [[1.5, NAN]], note="f32"),
    one("Identity-16", ["a", ""], ["a", ""], np.dtypes.StringDType(), note="strings"),
    one("Identity-16", [-8, 7], [-8, 7], np.int8, note="i4", types=["i4"], output_types=["i4"]),
    one("ReLU-1", [[-1.5, 2], [NAN, INF]], [[0, 2], [NAN, INF]], note="f32"),
    one("ReLU-1", [-(2**40), 2**53 + 1], [0, 2**53 + 1], np.int64, note="i64"),
    one("ReLU-1", [0, 255], [0, 255], np.uint8, note="u8"),
    one("ReLU-1", [-2, 3, NAN], [0, 3, NAN], BF16, note="bf16"),
    one("ReLU-1", -2.5, 0, np.float16, note="scalar"),
    *function("Exp-1", math.exp, EXPONENTS, of_integers=(-1, 0, 1, 2, 9)),
    one("Exp-1", [INF, -INF, NAN, -200], [INF, 0, NAN, 0], note="far"),
    *function("Sigmoid-1", sigmoid, POINTS, of_integers=(-3, 0, 1)),
    one("Sigmoid-1", [1000, -1000, NAN], [1, 0, NAN], note="far"),
    *function("SoftPlus-4", softplus, POINTS),
    one("SoftPlus-4", [1e30, -1e30, INF, -INF, NAN], [1e30, 0, INF, 0, NAN], note="far"),
    *function("SoftSign-9", lambda x: x / (1 + abs(x)), POINTS),
    *function("Mish-4", lambda x: x * math.tanh(softplus(x)), POINTS),
    one("Mish-4", [1e30, -100, NAN], [1e30, 0, NAN], note="far", atol=1e-38),
    *function("HSigmoid-5", hard_sigmoid, POINTS, of_integers=(-3, 0, 1)),
    one("HSigmoid-5", [INF, -INF, NAN], [1, 0, NAN], note="far"),
    *function("HSwish-4", lambda x: x * hard_sigmoid(x), POINTS, of_integers=(-1, 0, 2)),
    *function("Gelu-2", gelu, POINTS, f64=1e-13),
    one("Gelu-2", [1e30, -40, NAN], [1e30, 0, NAN], note="far"),
    one("Gelu-2", np.zeros((0, 2)), np.zeros((0, 2)), note="no elements"),
    one("Gelu-7", [-2, 0.5], [gelu(-2), gelu(0.5)], note="erf by default"),
    *(
        one("Gelu-7", POINTS, list(map(of, POINTS)), attributes={"approximation_mode": mode}, note=mode, rtol=1.2e-7)
        for mode, of in [("erf", gelu), ("TANH", gelu_by_tanh)]
    ),
    one("Gelu-7", [1e30, -1e30], [1e30, 0], attributes={"approximation_mode": "tanh"}, note="far"),
    *(
        one(
            "Elu-1",
            POINTS,
            [elu(x, a) for x in POINTS],
            np.float64,
            attributes={"alpha": str(a)},
            note=f"{a}",
            rtol=1e-15,
        )
        for a in (0.3, 2)
    ),
    one("Elu-1", [-INF, INF, NAN, -1], [-1, INF, NAN, math.expm1(-1)], attributes={"alpha": "1"}, note="far"),
    one("Elu-1", [-0.5, 2], [0.25 * math.expm1(-0.5), 2], BF16, attributes={"alpha": "0.25"}, note="bf16"),
    clamp([-3, 0.25, 3, NAN, INF], -1, 1.5, [-1, 0.25, 1.5, NAN, 1.5], note="f32"),
    clamp([-3, -1, 0, 2, 3], -0.5, 2.5, [0, 0, 0, 2, 2], I32, note="integers between"),
    clamp([0, 255], -5, "1e30", [0, 255], np.uint8, note="limits beyond the type"),
    clamp([2**62 + 1], 0, "inf", [2**62 + 1], np.int64, note="i64 exact"),
    clamp([-3, 60000], "-1e39", "inf", [-3, 60000], np.float16, note="no limits for f16"),
    clamp([-3, 0.5], 0, 1, [0, 0.5], F8, note="f8"),
    refused(
        "Clamp-1", "min is 2.0, and max is 1.0", np.float32([1]), note="order", attributes={"min": "2", "max": "1"}
    ),
]

WITH_PARAMETERS = [
    several(
        "Selu-1", [-1, 0, 2], [1.67326], [1.0507], wanted=[1.0507 * 1.67326 * math.expm1(-1), 0, 2.1014], note="f32"
    ),
    several("Selu-1", [[-1, 2]], 2, 3, wanted=[[6 * math.expm1(-1), 6]], dtype=np.float64, note="scalars", rtol=1e-15),
    several("Selu-1", [-INF, NAN], [2], [3], wanted=[-6, NAN], dtype=np.float16, note="far"),
    refused(
        "Selu-1", r"alpha is \[2\]; one element is expected", *map(np.float32, ([1], [1, 2], [1])), note="two alphas"
    ),
    several("HardSigmoid-1", [-9, -1, 0, 9], 0.2, 0.5, wanted=[0, 0.3, 0.5, 1], note="f32"),
    several("HardSigmoid-1", [[-1, NAN]], 0.25, 0.5, wanted=[[0.25, NAN]], dtype=BF16, note="bf16"),
    refused(
        "HardSigmoid-1", r"alpha is \[1\]; a scalar is expected", *map(np.float32, ([1], [1], 1)), note="1-D alpha"
    ),
    several("Swish-4", POINTS, wanted=[x * sigmoid(x) for x in POINTS], note="no beta", rtol=1.2e-7),
    several("Swish-4", POINTS, -0.5, wanted=[x * sigmoid(-0.5 * x) for x in POINTS], note="beta", rtol=1.2e-7),
    several("Swish-4", [1.5], 2, wanted=[1.5 * sigmoid(3)], dtype=np.float16, note="f16", rtol=0),
    refused("Swish-4", r"beta is \[1\]; a scalar is expected", *map(np.float32, ([1], [1])), note="1-D beta"),
    several("PReLU-1", [[[-1], [-2], [3]]], [1, 10, 100], wanted=[[[-1], [-20], [3]]], note="channels"),
    several(
        "PReLU-1",
        np.full((2, 3, 3), -1),
        [1, 10, 100],
        wanted=np.full((2, 3, 3), [[-1], [-10], [-100]]),
        note="channels first",
    ),
    several(
        "PReLU-1", np.full((2, 2, 3), -1), [1, 10, 100], wanted=np.full((2, 2, 3), [-1, -10, -100]), note="last axis"
    ),
    several("PReLU-1", [[-1, 2]], [[0.5]], wanted=[[-0.5, 2]], note="matrix slope"),
    several("PReLU-1", [-1, 2, NAN, -INF], [0.25], wanted=[-0.25, 2, NAN, -INF], note="one slope"),
    several("PReLU-1", [-3, 3e38], [0.1, 100], wanted=[-0.3, 3e38], note="what is not negative does not overflow"),
    several("PReLU-1", [-3, 5], [0.25], wanted=[-0.75, 5], dtype=np.float16, note="f16"),
    refused("PReLU-1", r"slope is \[5\]", np.zeros((2, 3, 4), np.float32), np.zeros(5, np.float32), note="no channel"),
    several("PReLU-1", -2, [[0.5]], wanted=-1, note="scalar"),
    refused("PReLU-1", r"slope is \[2,1\]", np.zeros(4, np.float32), np.zeros((2, 1), np.float32), note="larger rank"),
]

ROWS = [[1, 2, 3], [0, -1000, 1000], [0.5, 0.5, 0.5]]


def along(op, data, axis, wanted, dtype=np.float32, *, note, **more) -> OpCase:
    return one(op, data, wanted, dtype, attributes={} if axis is None else {"axis": str(axis)}, note=note, **more)


SOFT = [softmax(row) for row in ROWS]
COLUMNS = np.transpose(ROWS)
LONG = np.linspace(-5, 5, 40000)

ALONG = [
    along("SoftMax-1", ROWS, None, SOFT, note="axis 1 by default", rtol=1.2e-7),
    along("SoftMax-1", COLUMNS, 0, np.transpose(SOFT), note="axis 0", rtol=1.2e-7),
    refused("SoftMax-1", "takes no negative ones", np.float32(ROWS), note="negative axis", attributes={"axis": "-1"}),
    refused(
        "SoftMax-1", r"axis 2 is outside \[-2, 1\]", np.float32(ROWS), note="axis too large", attributes={"axis": "2"}
    ),
    along("SoftMax-8", ROWS, -1, SOFT, note="last axis", rtol=1.2e-7),
    along("SoftMax-8", COLUMNS[None, :, :, None], 1, np.transpose(SOFT)[None, :, :, None], note="rank 4", rtol=1.2e-7),
    along("SoftMax-8", ROWS, 1, SOFT, np.float64, note="f64", rtol=1e-15),
    along("SoftMax-8", ROWS[:1], 1, SOFT[:1], BF16, note="bf16 rounds once"),
    along("SoftMax-8", [LONG], 1, [softmax(LONG.astype(np.float32))], note="a long row", rtol=1.2e-7),
    along(
        "SoftMax-8",
        [LONG.reshape(2, -1).T],
        1,
        [np.stack([softmax(row) for row in LONG.reshape(2, -1).astype(np.float32)], 1)],
        note="long columns",
        rtol=1.2e-7,
    ),
    along("SoftMax-8", [[1, NAN], [-INF, 2]], 1, [[NAN, NAN], [0, 1]], note="NaN and infinity"),
    along("SoftMax-8", np.zeros((2, 0)), 1, np.zeros((2, 0)), note="no elements"),
    along("SoftMax-8", 3, 0, 1, note="scalar"),
    refused("SoftMax-8", r"axis 1 is outside \[-1, 0\]", np.float32([1]), note="vector"),
    along(
        "LogSoftmax-5",
        ROWS,
        None,
        [np.log(SOFT[0]), [-1000, -2000, 0], np.log(SOFT[2])],
        note="axis 1 by default",
    ),
    along(
        "LogSoftmax-5",
        [[0, 0], [1, 1]],
        -2,
        np.log([[sigmoid(-1)] * 2, [sigmoid(1)] * 2]),
        note="first axis",
        rtol=1.2e-7,
    ),
    along("LogSoftmax-5", [1, 1], 0, [-math.log(2)] * 2, np.float16, note="f16 rounds once", rtol=0),
    refused(
        "LogSoftmax-5",
        r"axis -3 is outside \[-2, 1\]",
        np.float32(ROWS),
        note="axis too small",
        attributes={"axis": "-3"},
    ),
]

CASES = [*PLAIN, *WITH_PARAMETERS, *ALONG]
