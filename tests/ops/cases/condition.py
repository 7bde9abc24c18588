"""Cases of Select."""

from __future__ import annotations

import numpy as np

from tests.ops.case import OpCase
from tests.ops.elementwise import AXIS, BF16, NAN

T, F = True, False


def select(cond, then, other, wanted, dtype=np.float32, *, note, **more) -> OpCase:
    inputs = [np.array(cond, bool), np.array(then, dtype), np.array(other, dtype)]
    return OpCase("Select-1", inputs, [np.array(wanted, dtype)], note=note, **more)


def refused(error, cond, then, other, *, note, **more) -> OpCase:
    return OpCase("Select-1", [np.array(cond), np.array(then), np.array(other)], error=error, note=note, **more)


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
]
