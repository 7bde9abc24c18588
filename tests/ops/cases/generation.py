"""Cases of Range and Eye."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from tests.ops.case import OpCase
from tests.ops.cases.movement import i64, refused, scalar


def ranged(start, stop, step, wanted, dtype=np.int64, *, note: str, **more) -> OpCase:
    inputs = [np.asarray(each, dtype) for each in (start, stop, step)]
    return OpCase("Range-1", inputs, [np.asarray(wanted, dtype)], {}, note, rtol=0, **more)


def into(type: str, start, stop, step, wanted, *, note: str, **more) -> OpCase:
    return OpCase("Range-4", [start, stop, step], [wanted], {"output_type": type}, note, rtol=0, **more)


F32 = np.float32
TENTHS = np.array([k * np.float64(F32(0.1)) for k in range(10)], F32)
RANGE = [
    ranged(2, 23, 3, [2, 5, 8, 11, 14, 17, 20], note="rises"),
    ranged(23, 2, -3, [23, 20, 17, 14, 11, 8, 5], np.int32, note="falls"),
    ranged(5, 0, 2, [], note="away from stop"),
    ranged(250, 255, 2, [250, 252, 254], np.uint8, note="u8"),
    ranged(2**64 - 3, 2**64 - 1, 1, [2**64 - 3, 2**64 - 2], np.uint64, note="u64"),
    ranged(-(2**63), 2**63 - 1, 2**62, [-(2**63), -(2**62), 0, 2**62], note="all of i64"),
    ranged(1, 2.5, 0.5, [1, 1.5, 2], F32, note="f32"),
    ranged(0, 1, 0.1, TENTHS, F32, note="each element rounds once"),
    ranged(1, 1.5, 0.25, [1, 1.25], ml_dtypes.bfloat16, note="bf16"),
    into("i32", scalar(2), np.int32(9), np.uint8(3), np.array([2, 5, 8], np.int32), note="three types"),
    into("f32", scalar(0), F32(2.5), F32(1), np.array([0, 1, 2], F32), note="integer start"),
    into("f16", F32(0), F32(0.3), F32(0.1), np.array([0, 0.1, 0.2, 0.3], np.float16), note="counted before f16"),
    into("i64", F32(0.5), F32(5.5), F32(1.5), i64(0, 1, 2, 3, 4), note="fractions go first"),
    into("i8", scalar(126), scalar(129), scalar(1), np.array([126, 127, -128], np.int8), note="wraps", notice="wrap"),
    refused("Range-1", "step is 0", scalar(1), scalar(2), scalar(0), note="step 0"),
    refused("Range-4", "step is 0", F32(1), F32(2), F32(0.5), note="step without its fraction", output_type="i32"),
    refused("Range-1", "stop is inf", F32(1), F32(np.inf), F32(1), note="endless"),
    refused("Range-1", "start is .1., of rank 1", i64(1), scalar(2), scalar(1), note="1-D start"),
]


def eye(rows, columns, diagonal, wanted, batch=None, *, type: str = "f32", dtype=F32, note: str, **more) -> OpCase:
    inputs = [np.asarray(rows), np.asarray(columns), np.asarray(diagonal)]
    inputs += [] if batch is None else [i64(*batch)]
    return OpCase("Eye-9", inputs, [np.asarray(wanted, dtype)], {"output_type": type}, note, **more)


EYE = [
    eye(2, 3, 0, [[1, 0, 0], [0, 1, 0]], note="main diagonal"),
    eye(i64(2), np.int32(2), i64(1), [[0, 1], [0, 0]], type="u8", dtype=np.uint8, note="upper diagonal"),
    eye(3, 2, -1, [[0, 0], [1, 0], [0, 1]], type="bf16", dtype=ml_dtypes.bfloat16, note="lower diagonal"),
    eye(2, 2, 2**40, [[0, 0], [0, 0]], type="boolean", dtype=bool, note="beyond the corner"),
    eye(1, 2, 0, [[[[1, 0]], [[1, 0]]]], [1, 2], note="batch"),
    eye(0, 2, 0, np.zeros((0, 2)), [], note="no rows"),
    refused("Eye-9", "num_rows is -1", scalar(-1), scalar(2), scalar(0), note="negative", output_type="i32"),
    refused(
        "Eye-9", r"batch_shape is \[-2\]", scalar(1), scalar(2), scalar(0), i64(-2), note="batch", output_type="i32"
    ),
    refused(
        "Eye-9",
        "a scalar or a 1-D tensor of one element",
        i64(1, 1),
        scalar(2),
        scalar(0),
        note="rows",
        output_type="i32",
    ),
]

CASES = [*RANGE, *EYE]
