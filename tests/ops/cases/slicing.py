"""Cases of Slice and StridedSlice."""

from __future__ import annotations

import numpy as np

from tests.ops.case import OpCase
from tests.ops.cases.movement import CUBE, EMPTY, F32, TRUTH, WORDS, i64, refused, scalar

TEN = np.arange(10, dtype=np.int32)


def sliced(data, start, stop, step, wanted, axes=None, *, note: str, **more) -> OpCase:
    inputs = [data, i64(*start), i64(*stop), i64(*step)]
    if axes is not None:
        inputs.append(i64(*axes))
    return OpCase("Slice-8", inputs, [wanted], {}, note, **more)


def places(*taken: int) -> np.ndarray:
    return np.array(taken, np.int32)


SLICE = [
    sliced(TEN, [1], [8], [1], places(1, 2, 3, 4, 5, 6, 7), note="forwards"),
    sliced(TEN, [1], [8], [3], places(1, 4, 7), [0], note="every third"),
    sliced(TEN, [-100], [100], [1], TEN, note="clamped"),
    sliced(TEN, [9], [-11], [-1], TEN[::-1], note="backwards"),
    sliced(TEN, [9], [0], [-4], places(9, 5, 1), note="backwards without the first"),
    sliced(TEN, [9], [-10], [-1], places(9, 8, 7, 6, 5, 4, 3, 2, 1), note="stop from the end"),
    sliced(TEN, [100], [-100], [-3], places(9, 6, 3, 0), note="clamped backwards"),
    sliced(TEN, [5], [2], [1], places(), note="nothing"),
    sliced(TEN, [0], [2**63 - 1], [2**62], places(0), note="to the end by far"),
    sliced(F32, [1, 0], [2, 2], [1, 1], np.array([[1], [4]], np.float32), [-1, 0], note="axes in another order"),
    sliced(WORDS, [1], [3], [1], WORDS[:, [1, 2]], [1], note="strings"),
    sliced(TRUTH, [0, 1], [1, 2], [1, 1], np.array([[False]]), note="booleans"),
    sliced(EMPTY, [0], [5], [1], EMPTY, note="no elements"),
    refused("Slice-8", "step has a 0", TEN, i64(0), i64(2), i64(0), note="step 0"),
    refused("Slice-8", "name an axis twice", F32, i64(0, 0), i64(1, 1), i64(1, 1), i64(1, -1), note="an axis twice"),
    refused("Slice-8", "axis 2 is outside", F32, i64(0), i64(1), i64(1), i64(2), note="axis out of range"),
    refused(
        "Slice-8", "start has 2 elements, but data is of rank 1", TEN, i64(0, 0), i64(1, 1), i64(1, 1), note="too many"
    ),
    refused(
        "Slice-8", "stop says slices is 1, but start says 2", F32, i64(0, 0), i64(1), i64(1, 1), note="lengths differ"
    ),
    refused("Slice-8", "data is a scalar", np.float32(1), i64(0), i64(1), i64(1), note="scalar"),
    refused("Slice-8", "of rank 0", TEN, scalar(0), scalar(1), scalar(1), note="scalar start"),
]


def strided(data, begin, end, wanted, stride=None, *, note: str, **masks: str) -> OpCase:
    inputs = [data, i64(*begin), i64(*end)] + ([] if stride is None else [i64(*stride)])
    attributes = {"begin_mask": masks.pop("whole_begin", ""), "end_mask": masks.pop("whole_end", "")}
    attributes |= {f"{name}_mask": mask for name, mask in masks.items()}
    return OpCase("StridedSlice-1", inputs, [wanted], attributes, note)


NO_MASKS = {"begin_mask": "", "end_mask": ""}
STRIDED = [
    strided(CUBE, [0, 1, 0], [2, 3, -1], CUBE[:, 1:, :3], note="without stride"),
    strided(CUBE, [1], [2], CUBE[1:], note="the other axes whole"),
    strided(CUBE, [0, 0, 3], [2, 3, -9], CUBE[:, ::2, ::-2], [1, 2, -2], note="strides"),
    strided(
        CUBE, [1, 1, 9], [0, 0, 2], CUBE[1:, :, ::-1], [1, 1, -1], whole_begin="0,1,1", whole_end="1,1,1", note="masks"
    ),
    strided(F32, [9, 0, 9, 0], [9, 2, 9, 3], F32[None, :, None], new_axis="1,0,1,0", note="new axes"),
    strided(CUBE, [0, -1, 0], [2, 0, 4], CUBE[:, 2], shrink_axis="0,1,0", note="shrunk"),
    strided(F32, [1, 2], [1, 2], F32[1, 2], shrink_axis="1,1", note="shrunk to a scalar"),
    strided(F32, [1, 0], [2, 3], F32[0], whole_begin="1", shrink_axis="1", note="masked and shrunk"),
    strided(CUBE, [1, 0, 1], [2, 0, 3], CUBE[1:2, :, 1:3], ellipsis="0,1,0", note="ellipsis"),
    strided(
        CUBE,
        [0, 5, 5, 0],
        [1, 5, 5, 2],
        CUBE[:1, :, None, :2],
        new_axis="0,0,1",
        ellipsis="0,1",
        note="ellipsis and new axis",
    ),
    strided(
        F32, [0, 1], [9, 2], F32[:, 1:2], new_axis="1,0", shrink_axis="1", ellipsis="1", note="an ellipsis comes first"
    ),
    strided(TEN, [1], [1], places(), note="begin is end"),
    strided(TEN, [-99], [-99], places(0), [-2], note="begin is clamped on the way back"),
    strided(WORDS, [0, 1], [2, 2], WORDS[:, 1], shrink_axis="0,1", note="strings"),
    strided(EMPTY, [0], [4], EMPTY, note="no elements"),
    refused("StridedSlice-1", "stride has a 0", TEN, i64(0), i64(2), i64(0), note="stride 0", **NO_MASKS),
    refused(
        "StridedSlice-1",
        "begin is for 2 axes, but data is of rank 1",
        TEN,
        i64(0, 0),
        i64(1, 1),
        note="too many",
        **NO_MASKS,
    ),
    refused(
        "StridedSlice-1",
        "begin takes position 10 of a dim of 10",
        TEN,
        i64(10),
        i64(11),
        note="beyond",
        shrink_axis_mask="1",
        **NO_MASKS,
    ),
    refused(
        "StridedSlice-1",
        "one ellipsis is allowed",
        F32,
        i64(0, 0),
        i64(1, 1),
        note="two ellipses",
        ellipsis_mask="1,1",
        **NO_MASKS,
    ),
    refused(
        "StridedSlice-1",
        "end says slices is 2, but begin says 1",
        F32,
        i64(0),
        i64(1, 1),
        note="lengths differ",
        **NO_MASKS,
    ),
]

CASES = [*SLICE, *STRIDED]
