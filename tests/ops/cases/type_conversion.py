"""Cases of Convert."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from tests.ops.case import OpCase


def to(data, name, wanted, *, note="", **more) -> OpCase:
    return OpCase(
        "Convert-1",
        [np.asarray(data)],
        [np.asarray(wanted)],
        {"destination_type": name},
        note,
        output_types=[name],
        **more,
    )


BF16 = ml_dtypes.bfloat16

CASES = [
    to(np.array([1.9, -1.9, 0.5], np.float32), "i32", np.array([1, -1, 0], np.int32), note="truncates"),
    to(
        np.array([300.7, -300.7, np.nan], np.float32),
        "u8",
        np.array([44, 212, 0], np.uint8),
        note="wraps",
        notice="wrapped",
    ),
    to(np.array([0, 2, np.inf], np.float32), "boolean", np.array([False, True, True]), note="to boolean"),
    to(np.array([np.nan], np.float32), "boolean", np.array([True]), note="NaN is true", notice="NaN became true"),
    to(np.array([True, False]), "f32", np.array([1, 0], np.float32), note="from boolean"),
    to(np.array([1e39, 1.0]), "f32", np.array([np.inf, 1], np.float32), note="overflow", notice="became infinite"),
    to(np.array([2**24 + 1], np.int32), "f32", np.array([2**24], np.float32), note="to nearest even"),
    to(np.array([1 + 2**-8, 1 + 3 * 2**-8], np.float32), "bf16", np.array([1, 1 + 2**-6], BF16), note="bf16 to even"),
    to(np.array([1 + 2**-8 + 2**-40]), "bf16", np.array([1 + 2**-7], BF16), note="bf16 rounds f64 once"),
    to(
        np.array([-(1 + 2**-8 + 2**-40)]), "bf16", np.array([-(1 + 2**-7)], BF16), note="bf16 rounds f64 once, negative"
    ),
    to(np.array([2**62 + 2**54 + 1]), "bf16", np.array([2.0**62 + 2.0**55], BF16), note="bf16 rounds i64 once"),
    to(np.array([-1, 200, 15], np.int32), "u4", np.array([15, 8, 15], np.uint8), note="u4 wraps", notice="wrapped"),
    to(np.array([8, -9, 7], np.int32), "i4", np.array([-8, 7, 7], np.int8), note="i4 wraps", notice="wrapped"),
    to(np.array([3.0, -6.0, 0.25], np.float32), "f4e2m1", np.array([3, -6, 0], ml_dtypes.float4_e2m1fn), note="f4"),
    to(
        np.array([0.9, 0.0, -2.0], np.float32),
        "nf4",
        np.array([1, 0, -1], np.float32),
        note="nf4 takes the nearest level",
    ),
    to(np.zeros((0, 3), np.int64), "f16", np.zeros((0, 3), np.float16), note="no elements"),
    to(np.array([-1], np.int64), "u64", np.array([2**64 - 1], np.uint64), note="sign to u64", notice="wrapped"),
]


def like(data, other, wanted, *, note, **more) -> OpCase:
    data, other = np.asarray(data), np.asarray(other)
    return OpCase("ConvertLike-1", [data, other], [np.asarray(wanted, other.dtype)], {}, note, **more)


F16, F32, I8, U8 = np.float16, np.float32, np.int8, np.uint8


def promoted(a, b, wanted, *, note, unsafe="false", scalar="false", target="f32", error=None) -> OpCase:
    """Two inputs of these dtypes, and the dtype of the outputs; with `scalar`, the first one is one."""
    attributes = {
        "promote_unsafe": unsafe,
        "pytorch_scalar_promotion": scalar,
        "u64_integer_promotion_target": target,
    }
    inputs = [np.array(1, a) if scalar == "true" else np.array([1], a), np.array([[0], [1]], b)]
    outputs = [] if error else [each.astype(wanted) for each in inputs]
    return OpCase("ConvertPromoteTypes-14", inputs, outputs, attributes, note, error=error)


CASES += [
    like(np.array([1.9, -1.9], F32), np.int32(0), [1, -1], note="truncates"),
    like(np.array([3, 0], np.int64), np.zeros((0, 2), bool), [True, False], note="to boolean"),
    like(np.array([300], np.int32), U8(0), [44], note="wraps", notice="wrapped"),
    like(np.array([7, -8], I8), np.zeros(1, BF16), [7, -8], note="from i4", types=["i4", "bf16"]),
    like(
        np.array([-1, 20], np.int32),
        I8(0),
        [-1, 4],
        note="to i4",
        types=["i32", "i4"],
        output_types=["i4"],
        notice="wrapped",
    ),
    promoted(I8, F32, F32, note="floats before integers"),
    promoted(bool, U8, U8, note="integers before booleans"),
    promoted(np.int32, U8, np.int32, note="a signed type holds both"),
    promoted(F16, F32, F32, note="wider float"),
    promoted(I8, U8, np.int16, unsafe="true", note="wider integer"),
    promoted(F16, BF16, F32, unsafe="true", note="halves"),
    promoted(ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, F16, unsafe="true", note="f8"),
    promoted(F16, np.int64, F16, unsafe="true", note="any integer"),
    promoted(np.uint64, I8, np.float64, unsafe="true", target="f64", note="u64 beside signed"),
    promoted(np.int64, U8, U8, unsafe="true", scalar="true", note="scalar takes the other type"),
    promoted(F16, I8, F16, scalar="true", note="scalar of higher priority"),
    promoted(I8, U8, None, note="not safe to widen", error="i16 does not hold both"),
    promoted(F16, np.int32, None, note="not safe to round", error="f16 does not hold both"),
    promoted(np.int64, I8, None, scalar="true", note="not safe to narrow", error="i8 does not hold both"),
]
