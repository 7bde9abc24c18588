"""Cases of the operations on conditions."""

from __future__ import annotations

import numpy as np

from tests.ops.case import OpCase
from tests.ops.cases.movement import EMPTY, TRUTH, WORDS
from tests.ops.elementwise import AXIS, BF16, NAN

T, F = True, False


def select(cond, then, other, wanted, dtype=np.float32, *, note, **more) -> OpCase:
    inputs = [np.array(cond, bool), np.array(then, dtype), np.array(other, dtype)]
    return OpCase("Select-1", inputs, [np.array(wanted, dtype)], note=note, **more)


def refused(error, cond, then, other, *, note, **more) -> OpCase:
    return OpCase("Select-1", [np.array(cond), np.array(then), np.array(other)], error=error, note=note, **more)


def places(data, wanted, *, wide: bool = True, note: str) -> OpCase:
    outputs = [np.array(wanted, np.int64 if wide else np.int32)]
    return OpCase("NonZero-3", [data], outputs, {"output_type": "i64" if wide else "i32"}, note, data_dependent=True)


PDPD = {"auto_broadcast": "pdpd", AXIS: "0"}

CASES = [
    select([[T], [F]], [1, 2, 3], 0, [[1, 2, 3], [0, 0, 0]], note="broadcast three ways"),
    select([T, F, T], [[1, 2, 3]], [[4], [5]], [[1, 4, 3], [1, 5, 3]], note="condition is the smallest"),
    select(F, [1, NAN], [NAN, 4], [NAN, 4], note="NaN"),
    select([T, F], [2**62, 1], [0, -(2**62)], [2**62, -(2**62)], np.int64, note="i64"),
    select([T, F], [T, T], [F, F], [T, F], bool, note="booleans"),
    select([T, F], ["a", "b"], ["", "ü"], ["a", "ü"], np.dtypes.StringDType(), note="strings"),
    select([T, F], [1.5, 2], [-1, -2], [1.5, -2], BF16, note="bf16"),
    select([T, F], [1, 2], [-1, -2], [1, -2], np.int8, note="i4", types=["boolean", "i4", "i4"], output_types=["i4"]),
    select([T, F], np.zeros((0, 2)), 1, np.zeros((0, 2)), note="no elements"),
    select([T, F], [[1, 2], [3, 4]], [[0, 0], [9, 9]], [[1, 2], [9, 9]], note="pdpd", attributes=PDPD),
    select([T, F], [1, 2], [3, 4], [1, 4], note="none", attributes={"auto_broadcast": "none"}),
    refused(r"else is \[2\], but then is \[3\]", [T, F, T], [1, 2, 3], [1, 2], note="values"),
    refused(r"cond is \[2\], but else is \[3\]", [T, F], 1, [1, 2, 3], note="condition"),
    refused("the shapes are equal", [T, F], 1, 2, note="none", attributes={"auto_broadcast": "none"}),
    refused(r"cond is \[1,2\], but then is \[2\]", [[T, F]], [1, 2], [1, 2], note="pdpd", attributes=PDPD),
    places(np.array([[0, 3], [5, 0]], np.int8), [[0, 1], [1, 0]], note="matrix"),
    places(np.array([np.nan, -0.0, 1], np.float32), [[0, 2]], note="NaN is not zero"),
    places(TRUTH, [[0, 0, 1], [0, 2, 2]], wide=False, note="booleans"),
    places(WORDS[0], [[0, 1]], note="strings"),
    places(np.float32(3), [[0]], note="scalar"),
    places(np.float32(0), np.zeros((1, 0)), note="scalar zero"),
    places(EMPTY, np.zeros((2, 0)), note="no elements"),
]
