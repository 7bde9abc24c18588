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


CASES = [
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
