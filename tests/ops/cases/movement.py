"""Cases of the operations that join, split and reorder."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from tests.ops.case import OpCase

F32 = np.arange(6, dtype=np.float32).reshape(2, 3)
CUBE = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
WORDS = np.array([["a", "bc", ""], ["é", "a long text that does not lie inside", "z"]], np.dtypes.StringDType())
TRUTH = np.array([[True, False, True], [False, False, True]])
EMPTY = np.zeros((0, 3), np.float32)


def i64(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def scalar(value: int) -> np.ndarray:
    return np.array(value, np.int64)


def refused(op: str, error: str, *inputs, note: str, **attributes: str) -> OpCase:
    return OpCase(op, [np.asarray(array) for array in inputs], (), attributes, note, error=error)


def concat(*inputs, axis: int, wanted, note: str, **more) -> OpCase:
    return OpCase("Concat-1", inputs, [wanted], {"axis": str(axis)}, note, **more)


CONCAT = [
    concat(F32, F32 + 6, axis=0, wanted=np.arange(12, dtype=np.float32).reshape(4, 3), note="rows"),
    concat(F32, F32[:, :1], axis=-1, wanted=np.array([[0, 1, 2, 0], [3, 4, 5, 3]], np.float32), note="from the end"),
    concat(F32, axis=1, wanted=F32, note="one input"),
    concat(EMPTY, F32, EMPTY, axis=0, wanted=F32, note="no rows"),
    concat(WORDS, WORDS[:1], axis=0, wanted=WORDS[[0, 1, 0]], note="strings"),
    concat(TRUTH, TRUTH[:, :1], axis=1, wanted=TRUTH[:, [0, 1, 2, 0]], note="booleans"),
    concat(i64(1), i64(2, 3), axis=0, wanted=i64(1, 2, 3), note="i64"),
    concat(
        np.array([7, -8], np.int8),
        np.array([1], np.int8),
        axis=0,
        wanted=np.array([7, -8, 1], np.int8),
        note="i4",
        types=["i4", "i4"],
        output_types=["i4"],
    ),
    refused(
        "Concat-1", r"inputs 1 is \[2,2\], but inputs 0 is \[2,3\]", F32, F32[:, :2], note="other dims differ", axis="0"
    ),
    refused("Concat-1", "of rank 1, but inputs 0", F32, F32[0], note="ranks differ", axis="0"),
    refused(
        "Concat-1", r"axis 2 is outside \[-2, 1\] for inputs 0 of rank 2", F32, F32, note="axis out of range", axis="2"
    ),
    refused("Concat-1", "inputs 0 is a scalar", F32[0, 0], F32[0, 0], note="scalars", axis="0"),
]


def split(data, axis, num_splits: int, *wanted, note: str, **more) -> OpCase:
    return OpCase("Split-1", [data, scalar(axis)], wanted, {"num_splits": str(num_splits)}, note, **more)


SPLIT = [
    split(CUBE, 2, 2, CUBE[:, :, :2], CUBE[:, :, 2:], note="last axis"),
    split(CUBE, -2, 3, CUBE[:, :1], CUBE[:, 1:2], CUBE[:, 2:], note="axis from the end"),
    split(CUBE, 0, 1, CUBE, note="one part"),
    split(EMPTY, 0, 2, EMPTY, EMPTY, note="no elements"),
    split(WORDS, 0, 2, WORDS[:1], WORDS[1:], note="strings"),
    split(TRUTH, 1, 3, TRUTH[:, :1], TRUTH[:, 1:2], TRUTH[:, 2:], note="booleans"),
    refused("Split-1", "dim 2 of data is 4, which is no multiple", CUBE, scalar(2), note="no multiple", num_splits="3"),
    refused("Split-1", r"axis 3 is outside \[-3, 2\]", CUBE, scalar(3), note="axis out of range", num_splits="2"),
    refused("Split-1", "axis is .1., of rank 1", CUBE, i64(0), note="axis is no scalar", num_splits="2"),
    refused("Split-1", "num_splits is 0", CUBE, scalar(0), note="no parts", num_splits="0"),
]


def by_lengths(data, axis, lengths, *wanted, note: str, **more) -> OpCase:
    return OpCase("VariadicSplit-1", [data, axis, i64(*lengths)], wanted, {}, note, **more)


VARIADIC_SPLIT = [
    by_lengths(CUBE, scalar(2), [1, 3], CUBE[:, :, :1], CUBE[:, :, 1:], note="lengths"),
    by_lengths(CUBE, i64(-1), [1, -1, 1], CUBE[:, :, :1], CUBE[:, :, 1:3], CUBE[:, :, 3:], note="the rest"),
    by_lengths(F32, scalar(0), [2, 0, -1], F32, F32[:0], F32[:0], note="empty parts"),
    by_lengths(WORDS, scalar(1), [3], WORDS, note="strings"),
    refused("VariadicSplit-1", "add up to 5, but the dim that is split is 4", CUBE, scalar(2), i64(2, 3), note="sum"),
    refused("VariadicSplit-1", "add up to 5 and a rest", CUBE, scalar(2), i64(5, -1), note="too long"),
    refused("VariadicSplit-1", "-1 at 0 and at 1", CUBE, scalar(2), i64(-1, -1), note="two rests"),
    refused("VariadicSplit-1", "has -2 at 0", CUBE, scalar(2), i64(-2, 6), note="negative length"),
    refused("VariadicSplit-1", "a scalar or a 1-D tensor of one element", CUBE, i64(0, 1), i64(2), note="two axes"),
]


def transposed(data, order, wanted, *, note: str, **more) -> OpCase:
    return OpCase("Transpose-1", [data, i64(*order)], [wanted], {}, note, **more)


TRANSPOSE = [
    transposed(
        CUBE,
        [2, 0, 1],
        np.array([[[t + 4 * s + 12 * r for s in range(3)] for r in range(2)] for t in range(4)], np.float32),
        note="cube",
    ),
    transposed(F32, [], np.array([[0, 3], [1, 4], [2, 5]], np.float32), note="no order turns round"),
    transposed(np.float32(3), [], np.float32(3), note="scalar"),
    transposed(EMPTY, [1, 0], EMPTY.reshape(3, 0), note="no elements"),
    transposed(WORDS, [1, 0], np.array([[WORDS[0, k], WORDS[1, k]] for k in range(3)], WORDS.dtype), note="strings"),
    transposed(F32.astype(ml_dtypes.float8_e5m2), [0, 1], F32.astype(ml_dtypes.float8_e5m2), note="f8"),
    refused("Transpose-1", r"input_order is \[0, 0\], which is no permutation", F32, i64(0, 0), note="an axis twice"),
    refused("Transpose-1", "no permutation", F32, i64(-1, 0), note="negative axis"),
    refused("Transpose-1", "it lists every axis or none", F32, i64(0), note="too few axes"),
    refused("Transpose-1", "of rank 2", F32, np.array([[1, 0]]), note="2-D order"),
]


def reversed_along(data, axis, wanted, *, mode: str = "index", note: str, **more) -> OpCase:
    return OpCase("Reverse-1", [data, np.asarray(axis)], [wanted], {"mode": mode}, note, **more)


REVERSE = [
    reversed_along(F32, i64(1), np.array([[2, 1, 0], [5, 4, 3]], np.float32), note="one axis"),
    reversed_along(F32, i64(0, -1, 0), np.array([[5, 4, 3], [2, 1, 0]], np.float32), note="both axes"),
    reversed_along(F32, [True, False], np.array([[3, 4, 5], [0, 1, 2]], np.float32), mode="mask", note="mask"),
    reversed_along(WORDS, i64(1), WORDS[:, [2, 1, 0]], note="strings"),
    reversed_along(F32, i64(), F32, note="no axes"),
    refused("Reverse-1", "a mask has one element for each axis", F32, np.array([True]), note="short mask", mode="mask"),
    refused(
        "Reverse-1", "where mode is mask, boolean is expected", F32, i64(1, 0), note="mask of integers", mode="mask"
    ),
    refused(
        "Reverse-1", "where mode is index, any integer type", F32, np.array([True]), note="boolean index", mode="index"
    ),
    refused("Reverse-1", "axis 2 is outside", F32, i64(2), note="axis out of range", mode="index"),
]


def rolled(data, shift, axes, wanted, *, note: str, **more) -> OpCase:
    return OpCase("Roll-7", [data, np.asarray(shift), np.asarray(axes)], [wanted], {}, note, **more)


ROLL = [
    rolled(F32, scalar(1), i64(1), np.array([[2, 0, 1], [5, 3, 4]], np.float32), note="one place"),
    rolled(F32, i64(-1, 1), i64(1, 0), np.array([[4, 5, 3], [1, 2, 0]], np.float32), note="a shift an axis"),
    rolled(F32, i64(1, 1), i64(-1, 1), np.array([[1, 2, 0], [4, 5, 3]], np.float32), note="shifts of one axis add up"),
    rolled(F32, scalar(4), i64(0, 1), np.array([[2, 0, 1], [5, 3, 4]], np.float32), note="one shift for all"),
    rolled(TRUTH, np.int32(1), np.int32(0), TRUTH[[1, 0]], note="booleans"),
    rolled(WORDS, scalar(-1), i64(1), WORDS[:, [1, 2, 0]], note="strings"),
    rolled(EMPTY, scalar(1), i64(0), EMPTY, note="no elements"),
    refused("Roll-7", r"shift is \[2\], but axes is \[1\]", F32, i64(1, 1), i64(0), note="more shifts than axes"),
    refused("Roll-7", "axis 2 is outside", F32, i64(1), i64(2), note="axis out of range"),
    refused("Roll-7", "shift is .1,1.; a scalar or 1-D tensor", F32, np.array([[1]]), i64(0), note="2-D shift"),
]


def unique(data, wanted, *, axis=None, note: str, wide: bool = True, ascending: str = "true", **more) -> OpCase:
    kind, name = (np.int64, "i64") if wide else (np.int32, "i32")
    inputs = [data] if axis is None else [data, axis]
    values, *places = wanted
    attributes = {"sorted": ascending, "index_element_type": name, "count_element_type": name}
    outputs = [np.asarray(values, data.dtype), *(np.array(each, kind) for each in places)]
    return OpCase("Unique-10", inputs, outputs, attributes, note, data_dependent=True, **more)


NAN = np.array([3, np.nan, 1, np.nan, 3], np.float32)
UNIQUE = [
    unique(i64(5, 2, 5, 9), ([2, 5, 9], [1, 0, 3], [1, 0, 1, 2], [1, 2, 1]), note="sorted"),
    unique(i64(5, 2, 5, 9), ([5, 2, 9], [0, 1, 3], [0, 1, 0, 2], [2, 1, 1]), ascending="false", note="as they come"),
    unique(TRUTH, ([False, True], [1, 0], [1, 0, 1, 0, 0, 1], [3, 3]), note="flattened booleans", wide=False),
    unique(WORDS[0][[1, 0, 1]], (["a", "bc"], [1, 0], [1, 0, 1], [1, 2]), note="strings"),
    unique(NAN, ([1, 3, np.nan, np.nan], [2, 0, 1, 3], [1, 2, 0, 3, 1], [1, 2, 1, 1]), note="NaN equals nothing"),
    unique(
        NAN.astype(ml_dtypes.bfloat16),
        ([1, 3, np.nan, np.nan], [2, 0, 1, 3], [1, 2, 0, 3, 1], [1, 2, 1, 1]),
        note="bf16",
    ),
    unique(i64(7).reshape(()), ([7], [0], [0], [1]), note="scalar"),
    unique(
        np.array([[3, 1], [2, 5], [3, 1], [2, 4]]),
        ([[2, 4], [2, 5], [3, 1]], [3, 1, 0], [2, 1, 2, 0], [1, 1, 2]),
        axis=scalar(0),
        note="rows",
    ),
    unique(
        np.array([["b", "a", "b"], ["x", "y", "x"]], WORDS.dtype),
        ([["b", "a"], ["x", "y"]], [0, 1], [0, 1, 0], [2, 1]),
        axis=i64(-1),
        ascending="false",
        note="columns of strings",
    ),
    unique(EMPTY, (EMPTY.reshape(0, 3)[:, :1], [0], [0, 0, 0], [3]), axis=scalar(1), note="columns without elements"),
    unique(EMPTY, ([], [], [], []), note="no elements"),
    refused("Unique-10", "axis 2 is outside", F32, scalar(2), note="axis out of range"),
    refused("Unique-10", "a scalar or a 1-D tensor of one element", F32, i64(0, 1), note="two axes"),
]

CASES = [*CONCAT, *SPLIT, *VARIADIC_SPLIT, *TRANSPOSE, *REVERSE, *ROLL, *UNIQUE]
