"""Cases of the operations on shapes."""

from __future__ import annotations

import numpy as np

from tests.ops.case import OpCase
from tests.ops.cases.movement import CUBE, EMPTY, F32, TRUTH, WORDS, i64, refused, scalar


def reshaped(data, pattern, extents, *, special_zero: str = "true", note: str, **more) -> OpCase:
    wanted = np.asarray(data).ravel().reshape(extents)
    return OpCase("Reshape-1", [data, pattern], [wanted], {"special_zero": special_zero}, note, **more)


def no_shape(error: str, data, pattern, note: str, special_zero: str = "true") -> OpCase:
    return refused("Reshape-1", error, data, pattern, note=note, special_zero=special_zero)


RESHAPE = [
    reshaped(CUBE, i64(6, 4), (6, 4), note="given"),
    reshaped(CUBE, i64(0, -1), (2, 12), note="copied and rest"),
    reshaped(CUBE, np.array([-1, 0, 2, 2], np.int32), (2, 3, 2, 2), note="copied in the middle"),
    reshaped(CUBE, np.array([24], np.uint8), (24,), note="u8 shape"),
    reshaped(CUBE.transpose(2, 0, 1), i64(-1), (24,), note="not contiguous"),
    reshaped(EMPTY, i64(0, 5), (0, 5), special_zero="false", note="zero is a dim"),
    reshaped(EMPTY, i64(0, -1), (0, 3), note="rest beside a copied 0"),
    reshaped(EMPTY, i64(5, -1), (5, 0), note="rest of nothing"),
    reshaped(EMPTY, i64(0, -1), (0, 1), special_zero="false", note="rest beside a dim 0", notice="it is taken for 1"),
    reshaped(np.float32(3), i64(1, 1), (1, 1), note="scalar to matrix"),
    reshaped(np.array([[3]], np.int16), i64(), (), note="matrix to scalar"),
    reshaped(WORDS, i64(3, 2), (3, 2), note="strings"),
    reshaped(TRUTH, i64(-1), (6,), note="booleans"),
    no_shape("it takes 25 elements, not 24", CUBE, i64(5, 5), "another count"),
    no_shape("a multiple of 5 elements, not 24", CUBE, i64(5, -1), "no multiple"),
    no_shape("-1 at 0 and at 1", CUBE, i64(-1, -1), "two rests"),
    no_shape("shape has -2 at 0", CUBE, i64(-2, 3), "negative"),
    no_shape("has 0 at 3, which copies a dim", CUBE, i64(2, 3, 4, 0), "copies beyond the rank"),
    no_shape("it takes no elements, not 24", CUBE, i64(0, -1), "dim 0 of a full tensor", "false"),
    no_shape("shape is .., of rank 0", CUBE, scalar(24), "scalar shape"),
]


def squeezed(data, axes, extents, *, op: str = "Squeeze-1", note: str, **more) -> OpCase:
    inputs = [data] if axes is None else [data, axes]
    return OpCase(op, inputs, [np.asarray(data).ravel().reshape(extents)], more.pop("attributes", {}), note, **more)


ONES = CUBE.reshape(1, 6, 1, 4)
SQUEEZE = [
    squeezed(ONES, None, (6, 4), note="all"),
    squeezed(ONES, i64(0), (6, 1, 4), note="one"),
    squeezed(ONES, np.array(-2, np.int32), (1, 6, 4), note="scalar axis from the end"),
    squeezed(ONES, i64(0, 2, -4), (6, 4), note="an axis twice"),
    squeezed(ONES, i64(), (6, 4), note="empty axes name all"),
    squeezed(ONES, i64(1), (1, 6, 1, 4), note="a dim that is not 1 stays", promised=True),
    squeezed(WORDS[:1], i64(0), (3,), note="strings"),
    squeezed(np.float32(1), None, (), note="scalar"),
    squeezed(ONES, i64(2), (1, 6, 4), op="Squeeze-15", note="one"),
    squeezed(
        ONES, i64(0, 1), (6, 1, 4), op="Squeeze-15", note="skips", attributes={"allow_axis_skip": "true"}, promised=True
    ),
    refused("Squeeze-1", r"axis 4 is outside \[-4, 3\] for data of rank 4", ONES, i64(4), note="axis out of range"),
    refused("Squeeze-1", "any: data is a scalar", np.float32(1), i64(0), note="axis of a scalar"),
    refused("Squeeze-15", "a scalar or 1-D tensor is expected", ONES, np.array([[0]]), note="2-D axes"),
]


def unsqueezed(data, axes, extents, *, note: str, **more) -> OpCase:
    return OpCase("Unsqueeze-1", [data, axes], [np.asarray(data).ravel().reshape(extents)], {}, note, **more)


UNSQUEEZE = [
    unsqueezed(F32, i64(0), (1, 2, 3), note="first"),
    unsqueezed(F32, scalar(-1), (2, 3, 1), note="last"),
    unsqueezed(F32, i64(3, 0), (1, 2, 3, 1), note="count in the result"),
    unsqueezed(F32, i64(0, 0), (1, 2, 3), note="an axis twice", notice="name an axis twice"),
    unsqueezed(np.float32(1), i64(0, 1), (1, 1), note="scalar"),
    unsqueezed(WORDS, np.array([1], np.uint8), (2, 1, 3), note="strings"),
    unsqueezed(EMPTY, i64(1), (0, 1, 3), note="no elements"),
    refused("Unsqueeze-1", r"axis 3 is outside \[-3, 2\]", F32, i64(3), note="axis out of range"),
    refused("Unsqueeze-1", "axes is empty", F32, i64(), note="no axes"),
]

SHAPE_OF = [
    OpCase("ShapeOf-1", [CUBE], [i64(2, 3, 4)], note="cube"),
    OpCase("ShapeOf-1", [np.float32(1)], [i64()], note="scalar"),
    OpCase("ShapeOf-3", [EMPTY], [i64(0, 3)], note="no elements"),
    OpCase("ShapeOf-3", [WORDS], [np.array([2, 3], np.int32)], {"output_type": "i32"}, "i32"),
]

CASES = [*RESHAPE, *SQUEEZE, *UNSQUEEZE, *SHAPE_OF]
