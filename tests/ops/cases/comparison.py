"""Cases of comparisons and of kinds of numbers."""

from __future__ import annotations

import numpy as np

from tests.ops.case import OpCase
from tests.ops.elementwise import AXIS, BF16, F8, INF, NAN, one, refused, two

T, F = True, False
A, B = [[1, 2, 3], [2, 2, NAN]], [2, 2, 3]
I64 = np.int64


def compared(op, a, b, wanted, dtype=np.float32, *, note="", **more) -> OpCase:
    return two(op, a, b, wanted, dtype, output=bool, note=note, **more)


PAIRS = {
    "Equal-1": ([[F, T, T], [T, T, F]], [F, T]),
    "NotEqual-1": ([[T, F, F], [F, F, T]], [T, F]),
    "Less-1": ([[T, F, F], [F, F, F]], [F, F]),
    "LessEqual-1": ([[T, T, T], [T, T, F]], [F, T]),
    "Greater-1": ([[F, F, F], [F, F, F]], [T, F]),
    "GreaterEqual-1": ([[F, T, T], [T, T, F]], [T, T]),
}
LARGE = ([2**53 + 1, 2**34], [2**53, 2**34])

CASES = [
    *(compared(op, A, B, wanted, note="broadcast and NaN") for op, (wanted, _) in PAIRS.items()),
    *(compared(op, *LARGE, wanted, I64, note="i64 exact") for op, (_, wanted) in PAIRS.items()),
    compared("Less-1", [F, F, T, T], [F, T, F, T], [F, T, F, F], bool, note="booleans"),
    compared("LessEqual-1", [F, F, T, T], [F, T, F, T], [T, T, F, T], bool, note="booleans"),
    compared("Equal-1", ["a", "bc", "ü"], "bc", [F, T, F], np.dtypes.StringDType(), note="strings"),
    compared("Greater-1", [2**64 - 1], [2**63], [T], np.uint64, note="u64"),
    compared("GreaterEqual-1", [1.5, -2], [1.5, -1], [T, F], BF16, note="bf16"),
    compared("NotEqual-1", [1.5, -2], [1.5, 2], [F, T], F8, note="f8"),
    compared("Equal-1", [INF, -0.0], [INF, 0.0], [T, T], np.float16, note="infinity and zeros"),
    compared("Greater-1", np.zeros((0, 3)), [1, 2, 3], np.zeros((0, 3)), note="no elements"),
    compared("Less-1", 1, 2, T, note="scalars"),
    compared(
        "Less-1",
        [[[1, 2], [3, 4]]],
        [2, 4],
        [[[T, F], [T, F]]],
        attributes={"auto_broadcast": "pdpd", AXIS: "1"},
        note="pdpd",
    ),
    refused("Equal-1", "dims 3 and 2 differ", np.float32([1, 2, 3]), np.float32([1, 2]), note="no common shape"),
    one("IsFinite-10", [[1, INF], [NAN, -INF]], [[T, F], [F, F]], note="f32", output=bool),
    one("IsFinite-10", [1, INF, NAN], [T, F, F], BF16, note="bf16", output=bool),
    one("IsNaN-10", [[1, INF], [NAN, -INF]], [[F, F], [T, F]], note="f32", output=bool),
    one("IsNaN-10", [1, NAN], [F, T], F8, note="f8", output=bool),
    one("IsInf-10", [1, INF, NAN, -INF], [F, T, F, T], note="f32", output=bool),
    *(
        one("IsInf-10", [INF, NAN, -INF, -1], wanted, np.float16, note=name, attributes={name: "false"}, output=bool)
        for name, wanted in [("detect_negative", [T, F, F, F]), ("detect_positive", [F, F, T, F])]
    ),
    one(
        "IsInf-10",
        [INF, -INF],
        [F, F],
        note="neither sign",
        attributes={"detect_negative": "0", "detect_positive": "0"},
        output=bool,
    ),
]
