"""Cases of TopK."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from tests.ops.case import OpCase
from tests.ops.cases.movement import CUBE, i64, refused, scalar

SIX = np.array([5, 3, 1, 2, 5, 5], np.float32)
ODD = np.array([3, np.nan, 1, np.inf, -np.inf], np.float32)


def top(
    data, k, values, places, *, op: str = "TopK-3", axis=0, mode="max", sort="value", wide=False, note: str
) -> OpCase:
    data, name, dtype = np.asarray(data), *(("i64", np.int64) if wide else ("i32", np.int32))
    attributes = {"axis": str(axis), "mode": mode, "sort": sort, "index_element_type": name}
    outputs = [np.asarray(values, data.dtype), np.asarray(places, dtype)]
    return OpCase(op, [data, k], outputs, attributes, f"{mode} by {sort} {note}")


HOW = {"axis": "0", "mode": "max", "sort": "value"}
CASES = [
    top(SIX, scalar(4), [5, 5, 5, 3], [0, 4, 5, 1], op="TopK-1", note="ties"),
    top(SIX, np.int8(4), [1, 2, 3, 5], [2, 3, 1, 0], op="TopK-1", mode="min", note="ties"),
    top(SIX, scalar(4), [5, 3, 5, 5], [0, 1, 4, 5], sort="index", note="ties"),
    top(SIX, np.uint8(4), [5, 3, 1, 2], [0, 1, 2, 3], mode="min", sort="index", wide=True, note="ties"),
    top(SIX, scalar(1), [5], [0], op="TopK-11", sort="none", note="one"),
    top(CUBE, scalar(2), CUBE[:, [2, 1]], np.broadcast_to([[[2], [1]]], (2, 2, 4)), op="TopK-11", axis=-2, note="axis"),
    top(ODD, scalar(3), [np.nan, np.inf, 3], [1, 3, 0], op="TopK-11", note="NaN is largest"),
    top(ODD, scalar(5), [-np.inf, 1, 3, np.inf, np.nan], [4, 2, 0, 3, 1], op="TopK-11", mode="min", note="NaN is last"),
    top(ODD.astype(ml_dtypes.bfloat16), scalar(2), [np.nan, np.inf], [1, 3], note="bf16"),
    top(np.array([1, 2**64 - 1], np.uint64), scalar(1), [2**64 - 1], [1], note="u64"),
    top(i64(3, -(2**63), 3), scalar(2), [-(2**63), 3], [1, 0], mode="min", note="i64"),
    top(np.zeros((0, 2), np.float32), scalar(1), np.zeros((0, 1)), np.zeros((0, 1)), axis=1, note="no rows"),
    refused("TopK-3", "k is 7, but dim 0 of data", SIX, scalar(7), note="too many", **HOW),
    refused("TopK-3", "k is 0; 1 or more", SIX, scalar(0), note="none", **HOW),
    refused("TopK-1", "k is .1., of rank 1", SIX, i64(1), note="1-D k", **HOW),
    refused("TopK-11", "axis 1 is outside", SIX, scalar(1), note="axis out of range", **{**HOW, "axis": "1"}),
]
