"""Cases of OneHot."""

from __future__ import annotations

import numpy as np

from tests.ops.case import OpCase
from tests.ops.cases.movement import i64, refused, scalar

ON, OFF = np.float32(5), np.float32(2)
STRINGS = np.dtypes.StringDType()


def marked(
    indices, depth, axis, wanted, *, on=ON, off=OFF, op: str = "OneHot-1", mode: str = "", note: str, **more
) -> OpCase:
    attributes = {"axis": str(axis)} | ({"negative_indices_mode": mode} if mode else {})
    return OpCase(
        op, [np.asarray(indices), depth, on, off], [np.asarray(wanted, np.asarray(on).dtype)], attributes, note, **more
    )


HOW = {"axis": "0"}
CASES = [
    marked(i64(0, 2), scalar(3), -1, [[5, 2, 2], [2, 2, 5]], note="last axis"),
    marked(i64(0, 2), scalar(3), 0, [[5, 2], [2, 2], [2, 5]], note="first axis"),
    marked(np.array([[1, 3]], np.int32), np.int32(2), 1, [[[2, 2], [5, 2]]], note="beyond the depth"),
    marked(i64(-1, 1), scalar(2), 1, [[2, 2], [2, 5]], note="negative", notice="leaves negative indices open"),
    marked(scalar(1), scalar(2), 0, [2, 5], note="scalar"),
    marked(i64(1), scalar(0), 1, np.zeros((1, 0)), note="no classes"),
    marked(i64(1), scalar(2), 0, [[False], [True]], on=np.array(True), off=np.array(False), note="booleans"),
    marked(i64(0), scalar(2), 1, [["y", "n"]], on=np.array("y", STRINGS), off=np.array("n", STRINGS), note="strings"),
    marked(i64(-1, 1), scalar(2), 1, [[2, 2], [2, 5]], op="OneHot-16", mode="ignore_negative", note="ignores"),
    marked(
        i64(0, -5, -2, 2),
        scalar(3),
        -1,
        [[5, 2, 2], [2] * 3, [2, 5, 2], [2, 2, 5]],
        op="OneHot-16",
        mode="normalize",
        note="from the end",
    ),
    marked(np.zeros((0, 2), np.int64), scalar(3), 0, np.zeros((3, 0, 2)), op="OneHot-16", note="no indices"),
    refused("OneHot-1", r"axis 2 is outside \[-2, 1\]", i64(0), scalar(2), ON, OFF, note="axis out of range", axis="2"),
    refused("OneHot-1", "depth is -1", i64(0), scalar(-1), ON, OFF, note="negative depth", **HOW),
    refused("OneHot-16", "depth is .1., of rank 1", i64(0), i64(2), ON, OFF, note="1-D depth", **HOW),
]
