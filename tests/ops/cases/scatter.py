"""Cases of the Scatter operations."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from tests.ops.case import OpCase
from tests.ops.cases.movement import CUBE, EMPTY, F32, TRUTH, WORDS, i64, refused, scalar

ZEROS = np.zeros((3, 2), np.float32)
PAIR = np.array([[1, 2], [3, 4]], np.float32)


def updated(op: str, data, indices, updates, wanted, axis=None, *, note: str, **more) -> OpCase:
    data = np.asarray(data)
    attributes = {name: more.pop(name) for name in ("reduction", "use_init_val") if name in more}
    inputs = [data, np.asarray(indices), np.asarray(updates, data.dtype), *([] if axis is None else [axis])]
    return OpCase(op, inputs, [np.asarray(wanted, data.dtype)], attributes, note, **more)


def slices(data, indices, updates, wanted, axis, **more) -> OpCase:
    return updated("ScatterUpdate-3", data, indices, updates, wanted, axis, **more)


SCATTER_UPDATE = [
    slices(ZEROS, i64(2, 0), PAIR, [[3, 4], [0, 0], [1, 2]], scalar(0), note="rows"),
    slices(
        ZEROS, np.array([[1]], np.uint8), [[[7]], [[8]], [[9]]], [[0, 7], [0, 8], [0, 9]], i64(-1), note="2-D indices"
    ),
    slices(ZEROS, scalar(1), [5, 6], [[0, 0], [5, 6], [0, 0]], scalar(0), note="scalar index"),
    slices(ZEROS, i64(1, 1), PAIR, [[0, 0], [3, 4], [0, 0]], scalar(0), note="the last one stays"),
    slices(WORDS, i64(1), [["x", "y", "z"]], [[*WORDS[0]], ["x", "y", "z"]], scalar(0), note="strings"),
    slices(TRUTH, i64(0), [[False, False, False]], [[False] * 3, TRUTH[1]], scalar(0), note="booleans"),
    slices(F32, np.zeros(0, np.int64), np.zeros((0, 3)), F32, scalar(0), note="no updates"),
    refused(
        "ScatterUpdate-3",
        r"index -1 at \[0\] is outside axis 0 of 3",
        ZEROS,
        i64(-1),
        PAIR[:1],
        scalar(0),
        note="negative",
    ),
    refused("ScatterUpdate-3", r"index 3 at \[1\] is outside", ZEROS, i64(0, 3), PAIR, scalar(0), note="outside"),
    refused(
        "ScatterUpdate-3",
        r"updates is \[2,2\], but \[1,2\] is expected",
        ZEROS,
        i64(0),
        PAIR,
        scalar(0),
        note="updates",
    ),
    refused("ScatterUpdate-3", "axis 2 is outside", ZEROS, i64(0), PAIR[:1], scalar(2), note="axis out of range"),
]


def elements(data, indices, updates, wanted, axis, *, op: str = "ScatterElementsUpdate-12", **more) -> OpCase:
    return updated(op, data, indices, updates, wanted, axis, **more)


def reduced(reduction: str, data, wanted, *, note: str, init: str = "true", dtype=np.int32, **more) -> OpCase:
    """Two updates of place 0, one of place -1, none of the middle."""
    data, updates = np.array(data, dtype), more.pop("updates", [5, -6, -4])
    return elements(
        data, i64(0, 0, -1), updates, wanted, scalar(0), reduction=reduction, use_init_val=init, note=note, **more
    )


ELEMENTS_3 = "ScatterElementsUpdate-3"
ELEMENTS_12 = "ScatterElementsUpdate-12"
SCATTER_ELEMENTS = [
    elements(ZEROS, [[1, 0], [2, 2]], PAIR, [[0, 2], [1, 0], [3, 4]], scalar(0), op=ELEMENTS_3, note="rows"),
    elements(ZEROS, [[1], [0]], [[7], [8]], [[0, 7], [8, 0], [0, 0]], i64(-1), op=ELEMENTS_3, note="columns"),
    elements(
        ZEROS[:, 0], [-1], [9], [0, 0, 9], scalar(0), op=ELEMENTS_3, note="negative", notice="the page has no negative"
    ),
    elements(ZEROS[:, 0], [1, 1, 1, 1], [1, 2, 3, 4], [0, 4, 0], scalar(0), note="the last one stays"),
    elements(
        WORDS, [[-1, 0, 0]], [["x", "y", "z"]], [["a", "y", "z"], ["x", *WORDS[1, 1:]]], scalar(0), note="strings"
    ),
    elements(EMPTY, np.zeros((0, 3), np.int32), EMPTY, EMPTY, scalar(0), note="no elements"),
    reduced("sum", [2, 7, 3], [1, 7, -1], note="sum"),
    reduced("sum", [2, 7, 3], [-1, 7, -4], init="false", note="sum without data"),
    reduced("prod", [2, 7, 3], [-60, 7, -12], note="product"),
    reduced("prod", [2, 7, 3], [-30, 7, -4], init="false", note="product without data"),
    reduced("min", [2, 7, -9], [-6, 7, -9], note="min"),
    reduced("min", [-20, 7, -9], [-6, 7, -4], init="false", note="min without data"),
    reduced("max", [2, 7, 3], [5, 7, 3], note="max"),
    reduced("max", [20, 7, 3], [5, 7, -4], init="false", note="max without data"),
    reduced("mean", [2, 7, -3], [0, 7, -4], note="integer mean rounds down"),
    reduced("mean", [2, 7, -3], [-1, 7, -4], init="false", note="integer mean without data"),
    reduced("mean", [2, 7, -3], [1 / 3, 7, -3.5], dtype=np.float64, note="mean"),
    reduced(
        "mean",
        [2**62, 0, 0],
        [2**62 - 1, 0, -2],
        updates=[2**62, 2**62 - 3, -4],
        dtype=np.int64,
        note="i64 mean is exact",
    ),
    reduced("sum", [1e8, 0, 0], [1, 0, 1], updates=[1, -1e8, 1], dtype=np.float32, note="f32 sum does not cancel"),
    reduced("sum", [2048, 0, 0], [2050, 0, 1], updates=[1, 1, 1], dtype=np.float16, note="f16 sum rounds once"),
    reduced("sum", [256, 0, 0], [258, 0, 1], updates=[1, 1, 1], dtype=ml_dtypes.bfloat16, note="bf16 sum rounds once"),
    reduced("max", [1, 0, np.nan], [np.nan, 0, np.nan], updates=[np.nan, 2, 1], dtype=np.float32, note="NaN stays"),
    reduced(
        "sum", [120, 0, 0], [-126, 0, 1], updates=[5, 5, 1], dtype=np.int8, note="i8 wraps", notice="does not fit int8"
    ),
    reduced("sum", [False, False, True], [True, False, True], updates=[True, False, False], dtype=bool, note="or"),
    reduced("prod", [True, False, True], [False, False, True], updates=[True, False, True], dtype=bool, note="and"),
    reduced(
        "min",
        [False, False, False],
        [False, False, True],
        updates=[1, 0, 1],
        dtype=bool,
        init="false",
        note="least truth",
    ),
    refused(
        ELEMENTS_12,
        r"index 3 at \[0, 0\] is outside axis 0 of 3",
        ZEROS,
        [[3]],
        ZEROS[:1, :1],
        scalar(0),
        note="outside",
    ),
    refused(ELEMENTS_12, "the shape of indices", ZEROS, [[0]], PAIR, scalar(0), note="updates"),
    refused(ELEMENTS_12, "their ranks are equal", ZEROS, i64(0), ZEROS[0, :1], scalar(0), note="rank"),
    refused(
        ELEMENTS_12,
        "only along the axis",
        ZEROS,
        np.zeros((1, 3), int),
        np.zeros((1, 3), np.float32),
        scalar(0),
        note="longer",
    ),
    refused(
        ELEMENTS_12,
        "data is boolean, which has no mean",
        TRUTH[0],
        i64(0),
        TRUTH[0, :1],
        scalar(0),
        note="mean of truth",
        reduction="mean",
    ),
    refused(
        ELEMENTS_12,
        "data is string, which has no sum",
        WORDS[0],
        i64(0),
        WORDS[0, :1],
        scalar(0),
        note="sum of strings",
        reduction="sum",
    ),
]


def tuples(data, indices, updates, wanted, *, op: str = "ScatterNDUpdate-15", **more) -> OpCase:
    return updated(op, data, indices, updates, wanted, **more)


FOUR = np.array([1, 2, 3, 4], np.float32)
FIVE_PLACES = [[0], [2], [-3], [-3], [0]]
FIVE_UPDATES = [10, 20, 30, 40, 50]
SCATTER_ND = [
    tuples(ZEROS, [[2], [0]], PAIR, [[3, 4], [0, 0], [1, 2]], op="ScatterNDUpdate-3", note="rows"),
    tuples(ZEROS, [[[2, 1]], [[0, 0]]], [[8], [9]], [[9, 0], [0, 0], [0, 8]], op="ScatterNDUpdate-3", note="elements"),
    tuples(
        ZEROS, [[-1]], PAIR[:1], [[0, 0], [0, 0], [1, 2]], op="ScatterNDUpdate-3", note="negative", notice="no negative"
    ),
    tuples(FOUR, FIVE_PLACES, FIVE_UPDATES, [50, 40, 20, 4], note="the last one stays"),
    tuples(FOUR, FIVE_PLACES, FIVE_UPDATES, [61, 72, 23, 4], reduction="sum", note="sum"),
    tuples(FOUR, FIVE_PLACES, FIVE_UPDATES, [-59, -68, -17, 4], reduction="sub", note="difference"),
    tuples(FOUR, FIVE_PLACES, FIVE_UPDATES, [500, 2400, 60, 4], reduction="prod", note="product"),
    tuples(FOUR.astype(np.int16), FIVE_PLACES, FIVE_UPDATES, [1, 2, 3, 4], reduction="min", note="min"),
    tuples(
        FOUR.astype(np.uint64), [[0], [2], [1], [1], [0]], FIVE_UPDATES, [50, 40, 20, 4], reduction="max", note="max"
    ),
    tuples(TRUTH[0], [[0], [0], [1]], [True, True, True], [True, True, True], reduction="sub", note="exclusive or"),
    tuples(
        CUBE,
        [[1, 2], [1, 2]],
        [[1, 1, 1, 1], [2, 2, 2, 2]],
        [[*CUBE[0]], [*CUBE[1, :2], [23, 24, 25, 26]]],
        reduction="sum",
        note="slices twice",
    ),
    tuples(F32, [1, 2], [9], [[0, 1, 2], [3, 4, 9]], note="one element, as 1-D"),
    tuples(F32, np.zeros((1, 0), np.int32), [F32 + 1], F32 + 1, note="empty tuples"),
    tuples(WORDS, [[1, 1]], ["x"], [[*WORDS[0]], ["é", "x", "z"]], note="strings"),
    tuples(np.array([7, 1], np.uint8), [[1]], [15], [7, 15], note="u4", types=["u4", "i64", "u4"], output_types=["u4"]),
    tuples(EMPTY, np.zeros((0, 1), np.int64), EMPTY, EMPTY, note="no elements"),
    refused("ScatterNDUpdate-15", r"index 4 at \[0\] is outside axis 0 of 4", FOUR, [[4]], FOUR[:1], note="outside"),
    refused("ScatterNDUpdate-15", "of tuples of 2, but data is", FOUR, [[0, 0]], FOUR[:1], note="tuples too long"),
    refused("ScatterNDUpdate-15", "one slice of data for each tuple", FOUR, [[0]], FOUR, note="updates"),
    refused("ScatterNDUpdate-3", "data is a scalar", np.float32(1), [[0]], FOUR[:1], note="scalar"),
]

CASES = [*SCATTER_UPDATE, *SCATTER_ELEMENTS, *SCATTER_ND]
