"""Cases of the reductions."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from tests.ops.case import OpCase

CUBE = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def mean(data, axes, wanted, *, keep="false", note="", **more) -> OpCase:
    data, axes = np.asarray(data), np.asarray(axes)
    axes = axes.astype(np.int64) if axes.size == 0 else axes
    return OpCase("ReduceMean-1", [data, axes], [np.asarray(wanted, data.dtype)], {"keep_dims": keep}, note, **more)


def refused(data, axes, error, note) -> OpCase:
    return OpCase("ReduceMean-1", [np.asarray(data), np.asarray(axes)], error=error, note=note)


def over(op, data, axes, wanted, *, keep="false", note="", **more) -> OpCase:
    data = np.asarray(data)
    wanted = np.asarray(wanted).astype(data.dtype)
    return OpCase(op, [data, np.asarray(axes, np.int64)], [wanted], {"keep_dims": keep}, note, **more)


F32 = np.float32
BF16 = ml_dtypes.bfloat16
F8 = ml_dtypes.float8_e4m3fn
TRUTH = np.array([[True, False, True], [True, True, True]])

SUMS = [
    over("ReduceSum-1", CUBE, [1], [[12, 15, 18, 21], [48, 51, 54, 57]]),
    over("ReduceSum-1", CUBE, [0, -1], [[[60], [92], [124]]], keep="true", note="kept"),
    over("ReduceSum-1", CUBE, [], CUBE, note="no axes is the identity"),
    over("ReduceSum-1", np.zeros((2, 0, 3), F32), [1], np.zeros((2, 3)), note="no elements"),
    over("ReduceSum-1", np.zeros((0, 3), np.int64), [1], [], note="no outputs"),
    over("ReduceSum-1", np.array([100, 100], np.int8), [0], -56, note="i8 wraps", notice="wraps"),
    over("ReduceSum-1", np.array([200, 100], np.uint8), [0], 44, note="u8 wraps", notice="wraps"),
    over("ReduceSum-1", np.array([2**31 - 1, 1], np.int32), [0], -(2**31), note="i32 wraps", notice="wraps"),
    over("ReduceSum-1", np.array([2**63 - 1, 1, -1]), [0], 2**63 - 1, note="i64 wraps on the way only"),
    over("ReduceSum-1", np.array([2**40, 2**40 + 2]), [0], 2**41 + 2, note="i64 is not narrowed"),
    over("ReduceSum-1", np.array([16777216] + [1] * 4, F32), [0], 16777220, note="small addends count", rtol=0),
    over("ReduceSum-1", np.array([1e8, 1, -1e8] * 1000, F32), [0], 1000, note="cancels", rtol=0),
    over("ReduceSum-1", np.full(300, 1.0, BF16), [0], 300, note="bf16 accumulates wider", rtol=0),
    over("ReduceSum-1", np.array([1.0, np.nan], F32), [0], np.nan, note="NaN"),
    over("ReduceSum-1", np.array([np.inf, 1.0]), [0], np.inf, note="inf"),
    OpCase("ReduceSum-1", [CUBE, np.array([3])], error="axis 3 is outside", note="axis too large"),
    over("ReduceSum-1", np.array([[1.5, 2.5], [3, 4]], F8), [1], [4, 7], note="f8", rtol=0),
]

PRODUCTS = [
    over("ReduceProd-1", np.array([[1, 2, 3], [4, 5, 6]], F32), [1], [6, 120]),
    over("ReduceProd-1", np.array([[1, 2, 3], [4, 5, 6]], np.int32), [0], [[4, 10, 18]], keep="true", note="integers"),
    over("ReduceProd-1", np.zeros((2, 0), F32), [1], [1, 1], note="no elements"),
    over("ReduceProd-1", np.array([100, 100, 3], np.int8), [0], 48, note="i8 wraps", notice="wraps"),
    over("ReduceProd-1", np.array([3037000500, 3037000500]), [0], -9223372036709301616, note="i64", notice="wraps"),
    over("ReduceProd-1", np.array([0, 2**62, 2**62]), [0], 0, note="a zero does not wrap"),
    over("ReduceProd-1", np.array([1e30, 1e30, 1e-30, 1e-30], F32), [0], 1, note="overflows on the way only"),
    over("ReduceProd-1", np.array([-0.5, 4, 2], np.float16), [0], -4, note="f16", rtol=0),
]

EXTREMES = [
    over("ReduceMax-1", CUBE, [1], [[8, 9, 10, 11], [20, 21, 22, 23]], rtol=0),
    over("ReduceMin-1", CUBE, [0, 2], [[[0], [4], [8]]], keep="true", note="kept", rtol=0),
    over("ReduceMax-1", np.array([[3, -9], [-4, 2**40]]), [0], [3, 2**40], note="i64"),
    over("ReduceMin-1", np.array([[200, 9], [4, 255]], np.uint8), [-1], [9, 4], note="u8"),
    over("ReduceMax-1", np.zeros((2, 0), F32), [1], [np.finfo(F32).min] * 2, note="no floats", rtol=0),
    over("ReduceMin-1", np.zeros((2, 0), np.float16), [1], [65504, 65504], note="no f16", rtol=0),
    over("ReduceMax-1", np.zeros(0, np.int64), [0], -(2**63), note="no integers"),
    over("ReduceMin-1", np.zeros(0, np.uint8), [0], 255, note="no u8"),
    over("ReduceMax-1", np.array([1, np.nan, 3], F32), [0], 3, note="NaN is passed over", notice="NaN", rtol=0),
    over("ReduceMin-1", np.array([2, 8, np.nan, 5, 6], F32), [0], 2, note="NaN is passed over", notice="NaN", rtol=0),
    over("ReduceMax-1", np.array([np.nan, np.nan]), [0], np.nan, note="nothing but NaN", notice="NaN", rtol=0),
    over("ReduceMax-1", np.array([-np.inf, -np.inf], F32), [0], -np.inf, note="negative infinity", rtol=0),
    over("ReduceMin-1", np.array([np.inf, 3], BF16), [0], 3, note="bf16", rtol=0),
    over("ReduceMax-1", CUBE, [], CUBE, note="no axes is the identity", rtol=0),
    OpCase("ReduceMin-1", [np.float32(1), np.array([0])], error="data is a scalar", note="axis of a scalar"),
]

NORMS = [
    over("ReduceL1-4", np.array([[3, -4], [-5, 12]], F32), [1], [7, 17]),
    over("ReduceL1-4", np.array([-128, 0], np.int8), [0], -128, note="i8 wraps", notice="wraps"),
    over("ReduceL1-4", np.array([-100, 27], np.int8), [0], 127, note="i8"),
    over("ReduceL1-4", np.zeros((0, 2), F32), [0], [0, 0], note="no elements"),
    over("ReduceL1-4", np.array([-3, 2], BF16), [], [-3, 2], note="no axes is the identity", rtol=0),
    over("ReduceL2-4", np.array([[3, -4], [-5, 12]], F32), [1], [[5], [13]], keep="true", note="kept"),
    over("ReduceL2-4", np.array([3e30, 4e30], F32), [0], 5e30, note="squares beyond f32"),
    over("ReduceL2-4", np.array([3e200, -4e200]), [0], 5e200, note="squares beyond f64", rtol=1e-15),
    over("ReduceL2-4", np.array([3e-200, -4e-200]), [0], 5e-200, note="squares below f64", rtol=1e-15),
    over("ReduceL2-4", np.array([5, -7], np.int32), [0], 8, note="integers are truncated"),
    over("ReduceL2-4", np.array([300, 400], np.float16), [0], 500, note="f16", rtol=0),
    over("ReduceL2-4", np.zeros((0, 2), F32), [0], [0, 0], note="no elements"),
]

LOGICAL = [
    over("ReduceLogicalAnd-1", TRUTH, [1], [False, True]),
    over("ReduceLogicalAnd-1", TRUTH, [0], [[True, False, True]], keep="true", note="kept"),
    over("ReduceLogicalAnd-1", np.zeros((2, 0), bool), [1], [True, True], note="no elements"),
    over("ReduceLogicalAnd-1", TRUTH, [], TRUTH, note="no axes is the identity"),
    over("ReduceLogicalOr-1", ~TRUTH, [1], [True, False]),
    over("ReduceLogicalOr-1", TRUTH, [0, 1], True, note="all axes"),
    over("ReduceLogicalOr-1", np.zeros((2, 0), bool), [1], [False, False], note="no elements"),
]

MEANS = [
    mean(CUBE, [1], [[4, 5, 6, 7], [16, 17, 18, 19]], note="middle axis"),
    mean(CUBE, [1], [[[4, 5, 6, 7]], [[16, 17, 18, 19]]], keep="true", note="kept"),
    mean(CUBE, [-1, 0], [7.5, 11.5, 15.5], note="negative and positive axes"),
    mean(CUBE, [0, 1, 2], 11.5, note="all axes"),
    mean(CUBE, np.int32(1), [[4, 5, 6, 7], [16, 17, 18, 19]], note="scalar axes"),
    mean(CUBE, [], CUBE, note="no axes is the identity"),
    mean(CUBE, [1, -2], [[4, 5, 6, 7], [16, 17, 18, 19]], note="an axis twice", notice="name an axis twice"),
    mean(np.float32(3.5), [], 3.5, note="scalar data"),
    mean(np.zeros((2, 0, 3), np.float32), [1], np.zeros((2, 3)), note="no elements", notice="no elements"),
    mean(np.zeros((0, 3), np.float32), [1], np.zeros(0), note="no outputs"),
    mean(np.array([-1, -2], np.int32), [0], -1, note="integers truncate toward zero"),
    mean(np.array([2**31 - 1, 2**31 - 1, 2**31 - 3], np.int32), [0], 2147483646, note="i32 does not wrap"),
    mean(np.array([200, 201, 202, 203], np.uint8), [0], 201, note="u8 does not saturate"),
    mean(np.array([2**62, 2**62], np.int64), [0], 2**62, note="i64 beyond f64"),
    mean(np.array([2**64 - 1, 2**64 - 1], np.uint64), np.array([0], np.uint8), 2**64 - 1, note="u64"),
    mean(np.full((65536, 2), 0.1, np.float32), [0], np.full(2, 0.1, np.float32), note="long axis", rtol=1e-7),
    mean(np.array([60000.0] * 4, np.float16), [0], 60000.0, note="f16 sum overflows"),
    mean(np.array([3e38, 3e38], np.float32), [0], np.float32(3e38), note="f32 sum overflows"),
    mean(np.array([1e308, 1e308]), [0], 1e308, note="f64 sum overflows"),
    mean(np.array([1, 1.015625], ml_dtypes.bfloat16), [0], 1.0078125, note="bf16 rounds once"),
    mean(np.array([np.inf, -np.inf], np.float32), [0], np.nan, note="inf minus inf"),
    mean(np.array([1.5, 2.5], ml_dtypes.float8_e4m3fn), [0], 2.0, note="f8"),
    refused(CUBE, [3], r"axis 3 is outside \[-3, 2\] for data of rank 3", "axis too large"),
    refused(CUBE, [-4], "axis -4 is outside", "axis too small"),
    refused(CUBE, [[1]], r"axes is \[1,1\]", "2-D axes"),
    refused(np.float32(1), [0], "data is a scalar", "axis of a scalar"),
]

CASES = [*MEANS, *SUMS, *PRODUCTS, *EXTREMES, *NORMS, *LOGICAL]
