"""Cases of one input and of two, made in a line each."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np

from tests.ops.case import OpCase

BF16, F8 = ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn
AXIS = "auto_broadcast.auto_broadcast_axis"
INF, NAN = math.inf, math.nan


def one(op, data, wanted, dtype=np.float32, *, output=None, note="", attributes=None, **more) -> OpCase:
    return OpCase(op, [np.array(data, dtype)], [np.array(wanted, output or dtype)], attributes or {}, note, **more)


def two(op, a, b, wanted, dtype=np.float32, *, output=None, note="", attributes=None, **more) -> OpCase:
    inputs = [np.array(a, dtype), np.array(b, dtype)]
    return OpCase(op, inputs, [np.array(wanted, output or dtype)], attributes or {}, note, **more)


def refused(op, error, *inputs, note, attributes=None) -> OpCase:
    return OpCase(op, [np.asarray(array) for array in inputs], attributes=attributes or {}, error=error, note=note)


def function(op, of, points, *, of_integers=(), f64=1e-15) -> list[OpCase]:
    """f32 within an ulp of what Python's math gives, f64 within a few, f16 rounded once, integers to the nearest."""
    cases = []
    for dtype, rtol in [(np.float32, 1.2e-7), (np.float64, f64), (np.float16, 0)]:
        data = np.array(points, dtype)
        cases.append(one(op, data, [of(float(point)) for point in data], dtype, note=np.dtype(dtype).name, rtol=rtol))
    if of_integers:
        cases.append(one(op, of_integers, [round(of(point)) for point in of_integers], np.int32, note="integers"))
    return cases
