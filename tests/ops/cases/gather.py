"""Cases of the Gather operations."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from tests.ops.case import OpCase
from tests.ops.cases.movement import CUBE, EMPTY, F32, TRUTH, WORDS, i64, refused, scalar

FIVE = np.array([1, 2, 3, 4, 5], np.float32)


def gathered(op: str, data, indices, axis, wanted, *, batch: int | None = None, note: str, **more) -> OpCase:
    attributes = {} if batch is None else {"batch_dims": str(batch)}
    return OpCase(op, [data, np.asarray(indices), axis], [wanted], attributes, note, **more)


ROWS = np.array([[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]], np.float32)
GATHER = [
    gathered("Gather-1", CUBE, i64(2, 0), scalar(1), CUBE[:, [2, 0]], note="middle axis"),
    gathered("Gather-1", FIVE, [[0, 4], [1, 1]], scalar(0), np.array([[1, 5], [2, 2]], np.float32), note="2-D indices"),
    gathered("Gather-1", FIVE, np.int32(-1), i64(0), np.float32(5), note="negative", notice="the page has no negative"),
    gathered("Gather-1", FIVE, [0, 7], scalar(-1), np.array([1, 0], np.float32), note="outside", notice="gives 0"),
    gathered(
        "Gather-7",
        ROWS,
        [[0, 0, 4], [4, 0, 0]],
        scalar(1),
        np.array([[1, 1, 5], [10, 6, 6]], np.float32),
        batch=1,
        note="batch",
    ),
    gathered("Gather-7", F32, i64(-2), scalar(0), F32[:1], batch=0, note="negative", notice="the page has no negative"),
    gathered("Gather-8", FIVE, [0, -2, -1], scalar(0), np.array([1, 4, 5], np.float32), note="from the end"),
    gathered(
        "Gather-8", FIVE, [3, 10, -20], scalar(0), np.array([4, 0, 0], np.float32), note="outside", notice="-20 at [2]"
    ),
    gathered("Gather-8", F32, scalar(1), scalar(0), F32[1], note="one slice"),
    gathered(
        "Gather-8", CUBE, np.array([1], np.uint8), np.array(2, np.int16), CUBE[:, :, [1]], note="small index types"
    ),
    gathered(
        "Gather-8",
        np.arange(1, 41, dtype=np.int32).reshape(2, 1, 5, 4),
        [[1, 2, 4], [4, 3, 2]],
        scalar(2),
        np.array(
            [[[range(5, 9), range(9, 13), range(17, 21)]], [[range(37, 41), range(33, 37), range(29, 33)]]], np.int32
        ),
        batch=1,
        note="axis behind the batch",
    ),
    gathered(
        "Gather-8",
        ROWS,
        [[0, 9], [-1, 0]],
        i64(1),
        np.array([[1, 0], [10, 6]], np.float32),
        batch=-1,
        note="outside in a batch",
        notice="gives 0",
    ),
    gathered("Gather-8", F32, [2, 0], scalar(1), F32[:, [2, 0]], batch=0, note="columns"),
    gathered("Gather-8", ROWS, [4, 0], scalar(1), np.array([5, 6], np.float32), batch=1, note="an index a row"),
    gathered(
        "Gather-8",
        WORDS,
        [1, 5],
        scalar(0),
        np.array([[*WORDS[1]], ["", "", ""]], WORDS.dtype),
        note="strings",
        notice="gives 0",
    ),
    gathered("Gather-8", TRUTH, [1, 1], scalar(0), TRUTH[[1, 1]], note="booleans"),
    gathered(
        "Gather-8",
        F32.astype(ml_dtypes.float8_e4m3fn),
        [1],
        scalar(0),
        F32[1:].astype(ml_dtypes.float8_e4m3fn),
        note="f8",
    ),
    gathered(
        "Gather-8",
        FIVE,
        np.array([2**63 + 1], np.uint64),
        scalar(0),
        np.zeros(1, np.float32),
        note="u64",
        notice="gives 0",
    ),
    gathered(
        "Gather-8", F32, np.zeros((0, 2), np.int32), scalar(0), np.zeros((0, 2, 3), np.float32), note="no indices"
    ),
    gathered(
        "Gather-8", EMPTY, [0], scalar(0), np.zeros((1, 3), np.float32), note="an empty table", notice="gives 0"
    ),
    refused("Gather-8", r"axis 2 is outside \[-2, 1\]", F32, i64(0), scalar(2), note="axis out of range"),
    refused(
        "Gather-8",
        "batch_dims is 1: the first 1 axes",
        F32,
        i64(0, 0),
        scalar(0),
        note="axis in the batch",
        batch_dims="1",
    ),
    refused(
        "Gather-8",
        "with batch_dims 1 their first dims are equal",
        F32,
        i64(0, 0, 0),
        scalar(1),
        note="other batch",
        batch_dims="1",
    ),
    refused(
        "Gather-8",
        "batch_dims is 2, but data is",
        F32,
        i64(0, 0),
        scalar(1),
        note="batch beyond indices",
        batch_dims="2",
    ),
    refused("Gather-1", "a scalar or a 1-D tensor of one element", F32, i64(0), i64(0, 1), note="two axes"),
]


def elements(data, indices, axis, wanted, *, note: str, **more) -> OpCase:
    return OpCase("GatherElements-6", [data, np.asarray(indices)], [wanted], {"axis": str(axis)}, note, **more)


NINE = np.arange(1, 10, dtype=np.int32).reshape(3, 3)
GATHER_ELEMENTS = [
    elements(NINE, [[1, 0, 1], [1, 2, 0]], 0, np.array([[4, 2, 6], [4, 8, 3]], np.int32), note="rows"),
    elements(
        NINE[:2, :2], [[1, 1, 0], [1, 0, 1]], -1, np.array([[2, 2, 1], [5, 4, 5]], np.int32), note="more than data"
    ),
    elements(FIVE, np.array([4, 0], np.int32), 0, np.array([5, 1], np.float32), note="1-D"),
    elements(FIVE, [-1], 0, FIVE[4:], note="negative", notice="the page has no negative"),
    elements(WORDS, [[2], [0]], 1, np.array([[""], ["é"]], WORDS.dtype), note="strings"),
    elements(NINE, np.zeros((0, 3), np.int64), 0, NINE[:0], note="no indices"),
    refused(
        "GatherElements-6",
        r"index 3 at \[1, 0\] is outside axis 0 of 3",
        NINE,
        [[0, 0, 0], [3, 0, 0]],
        note="outside",
        axis="0",
    ),
    refused("GatherElements-6", "only dim 0 may differ", NINE, [[0, 0]], note="other dims", axis="0"),
    refused("GatherElements-6", "their ranks are equal", NINE, [0, 0], note="other rank", axis="0"),
    refused("GatherElements-6", "axis 2 is outside", NINE, [[0, 0, 0]], note="axis out of range", axis="2"),
    refused("GatherElements-6", "data is a scalar", np.float32(1), 0, note="scalar", axis="0"),
]


def tuples(op: str, data, indices, wanted, *, batch: int = 0, note: str, **more) -> OpCase:
    return OpCase(op, [data, np.asarray(indices)], [wanted], {"batch_dims": str(batch)}, note, **more)


GATHER_ND = [
    tuples("GatherND-5", CUBE, [[0, 2], [1, 0]], np.stack([CUBE[0, 2], CUBE[1, 0]]), note="slices"),
    tuples(
        "GatherND-5",
        CUBE,
        [[[3], [0], [1]], [[1], [2], [2]]],
        np.array([3, 4, 9, 13, 18, 22], np.float32),
        batch=2,
        note="two batch dims become one",
    ),
    tuples("GatherND-5", F32, [[2], [0]], np.array([2, 3], np.float32), batch=1, note="one batch dim"),
    tuples("GatherND-8", F32, [[1, 2], [0, 0]], np.array([5, 0], np.float32), note="elements"),
    tuples(
        "GatherND-8",
        CUBE,
        [[[3], [0], [1]], [[1], [2], [2]]],
        np.array([[3, 4, 9], [13, 18, 22]], np.float32),
        batch=2,
        note="two batch dims",
    ),
    tuples(
        "GatherND-8",
        CUBE,
        [[[1], [0]], [[2], [2]]],
        np.stack([CUBE[0, [1, 0]], CUBE[1, [2, 2]]]),
        batch=1,
        note="slices in a batch",
    ),
    tuples("GatherND-8", F32, [1, 1], np.float32(4), note="one tuple"),
    tuples("GatherND-8", F32, [[-1]], F32[1:], note="negative", notice="the page has no negative"),
    tuples("GatherND-8", WORDS, np.array([[0], [0]], np.uint8), WORDS[[0, 0]], note="strings"),
    tuples("GatherND-8", F32, np.zeros((2, 0), np.int64), np.stack([F32, F32]), note="empty tuples"),
    tuples("GatherND-8", EMPTY, np.zeros((0, 1), np.int64), EMPTY, note="no indices"),
    refused("GatherND-8", "index 2 at .0. is outside axis 0 of 2", F32, [[2]], note="outside"),
    refused("GatherND-8", "of tuples of 3, but data is", F32, [[0, 0, 0]], note="tuples too long"),
    refused(
        "GatherND-8", "batch_dims is 1, but indices is .3.", F32, i64(0, 0, 0), note="batch of all", batch_dims="1"
    ),
    refused("GatherND-8", "their first dims are equal", F32, [[0], [0], [0]], note="other batch", batch_dims="1"),
    refused("GatherND-5", "batch_dims is -1", F32, [[0]], note="negative batch", batch_dims="-1"),
]

CASES = [*GATHER, *GATHER_ELEMENTS, *GATHER_ND]
