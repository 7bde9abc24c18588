"""Cases of the sparse operations."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from tests.ops.case import OpCase

TABLE = np.array([[-0.2, -0.6], [-0.1, -0.4], [-1.9, -1.8], [-1.0, 1.5], [0.8, -0.7]], np.float32)
INDICES = np.array([[0, 2], [1, 2], [3, 4]])


def bag(table, indices, wanted, weights=None, *, note="", **more) -> OpCase:
    inputs = [np.asarray(table), np.asarray(indices)]
    if weights is not None:
        inputs.append(np.asarray(weights, inputs[0].dtype))
    return OpCase("EmbeddingBagPackedSum-3", inputs, [np.asarray(wanted, inputs[0].dtype)], note=note, **more)


def refused(error, *inputs, note) -> OpCase:
    return OpCase("EmbeddingBagPackedSum-3", [np.asarray(array) for array in inputs], error=error, note=note)


COUNT = np.arange(10, dtype=np.float32)

LISTED = np.array([0, 2, 3, 4])
SIX = np.array([[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]])


def of(op, *inputs, wanted, note="", attributes=None, **more) -> OpCase:
    arrays = [np.asarray(array) for array in inputs]
    return OpCase(op, arrays, [np.asarray(wanted, arrays[0].dtype)], attributes or {}, note, **more)


def refuses(op, error, *inputs, note, attributes=None) -> OpCase:
    return OpCase(op, [np.asarray(array) for array in inputs], (), attributes or {}, note, error=error)


PACKED, MEAN = "EmbeddingBagPacked-15", {"reduction": "mean"}
MEANS = [
    of(PACKED, TABLE, INDICES, wanted=[[-2.1, -2.4], [-2.0, -2.2], [-0.2, 0.8]], note="sum"),
    of(PACKED, TABLE, INDICES, wanted=[[-1.05, -1.2], [-1.0, -1.1], [-0.1, 0.4]], note="mean", attributes=MEAN),
    of(PACKED, SIX, INDICES, np.full((3, 2), 2), wanted=[[12, 16], [16, 20], [32, 36]], note="sum with weights"),
    of(PACKED, -SIX, [[0, 3]], wanted=[[-4, -5]], note="integer mean", attributes=MEAN),
    of(PACKED, -SIX[:, :1], [[0, 1, 1]], wanted=[[-2]], note="integer mean truncates", attributes=MEAN),
    of(
        PACKED,
        np.array([[200]], np.uint8),
        [[0, 0]],
        wanted=[[200]],
        note="mean of u8",
        attributes={"reduction": "MEAN"},
    ),
    of(PACKED, TABLE, np.zeros((2, 0), np.int64), wanted=np.zeros((2, 2)), note="mean of no rows", attributes=MEAN),
    refuses(PACKED, "only a sum takes", SIX, INDICES, np.ones((3, 2), int), note="mean with weights", attributes=MEAN),
]

OFFSETS = "EmbeddingBagOffsetsSum-3"
BY_OFFSETS = [
    of(OFFSETS, SIX, LISTED, [0, 2, 2], wanted=[[6, 8], [0, 0], [16, 18]], note="an empty bag is zeros"),
    of(OFFSETS, SIX, LISTED, [0, 2, 2], -1, wanted=[[6, 8], [0, 0], [16, 18]], note="default of -1 is zeros"),
    of(OFFSETS, SIX, LISTED, [0, 2, 2], 4, wanted=[[6, 8], [9, 10], [16, 18]], note="default row"),
    of(OFFSETS, SIX, LISTED, [0, 2, 2], 4, [1, 2, 3, 4], wanted=[[11, 14], [9, 10], [57, 64]], note="weights"),
    of(OFFSETS, SIX, LISTED, [1, 4], wanted=[[21, 24], [0, 0]], note="first offset and last bag"),
    of(OFFSETS, SIX, np.zeros(0, int), [0, 0], 1, wanted=[[3, 4], [3, 4]], note="no indices"),
    of(OFFSETS, SIX, LISTED, np.zeros(0, int), wanted=np.zeros((0, 2)), note="no bags"),
    of(OFFSETS, TABLE[:, None], LISTED, [0, 2], wanted=[[[-2.1, -2.4]], [[-0.2, 0.8]]], note="table of rank 3"),
    refuses(OFFSETS, r"default_index 5 is outside", SIX, LISTED, [0, 2, 2], 5, note="default too large"),
    refuses(OFFSETS, r"default_index -2 is outside", SIX, LISTED, [0, 2], -2, note="default negative"),
    refuses(OFFSETS, r"default_index is .*rank 1", SIX, LISTED, [0, 2], [0], note="default of rank 1"),
    refuses(OFFSETS, r"offsets fall from 2 at \[0\] to 0", SIX, LISTED, [2, 0], note="falling offsets"),
    refuses(OFFSETS, r"offsets 5 at \[1\] is out of range", SIX, LISTED, [0, 5], note="offset too large"),
    refuses(OFFSETS, r"offsets -1 at \[1\]", SIX, LISTED, [0, -1], note="negative offset"),
    refuses(OFFSETS, r"index -1 at \[1\]", SIX, [0, -1], [0, 1], note="negative index"),
    refuses(
        OFFSETS, "per_sample_weights says num_indices is 3", SIX, LISTED, [0, 2], 0, [1, 2, 3], note="length of weights"
    ),
    of("EmbeddingBagOffsets-15", SIX, LISTED, [0, 2, 2], 4, wanted=[[6, 8], [9, 10], [16, 18]], note="sum"),
    of(
        "EmbeddingBagOffsets-15",
        SIX,
        LISTED,
        [0, 3, 3],
        0,
        wanted=[[4, 5], [1, 2], [9, 10]],
        note="mean",
        attributes=MEAN,
    ),
    refuses(
        "EmbeddingBagOffsets-15", "only a sum", SIX, LISTED, [0], 0, LISTED, note="mean with weights", attributes=MEAN
    ),
]

SEGMENTS = "EmbeddingSegmentsSum-3"
BY_SEGMENTS = [
    of(SEGMENTS, SIX, LISTED, [0, 0, 2, 2], 3, wanted=[[6, 8], [0, 0], [16, 18]], note="an empty segment is zeros"),
    of(SEGMENTS, SIX, LISTED, [0, 0, 2, 2], 4, 1, wanted=[[6, 8], [3, 4], [16, 18], [3, 4]], note="default row"),
    of(SEGMENTS, SIX, LISTED, [0, 0, 2, 2], 3, 1, [1, 2, 3, 4], wanted=[[11, 14], [3, 4], [57, 64]], note="weights"),
    of(SEGMENTS, SIX, np.zeros(0, int), np.zeros(0, int), 2, wanted=np.zeros((2, 2)), note="no indices"),
    of(SEGMENTS, SIX, np.zeros(0, int), np.zeros(0, int), 0, wanted=np.zeros((0, 2)), note="no segments"),
    refuses(SEGMENTS, "segment_ids fall", SIX, LISTED, [2, 0, 2, 0], 3, note="unsorted ids"),
    refuses(SEGMENTS, r"segment_ids 2 at \[2\]", SIX, LISTED, [0, 0, 2, 2], 2, note="id too large"),
    refuses(SEGMENTS, r"segment_ids -1 at \[0\]", SIX, LISTED, [-1, 0, 2, 2], 3, note="negative id"),
    refuses(SEGMENTS, "num_segments is -1", SIX, LISTED, [0, 0, 2, 2], -1, note="negative number"),
    refuses(SEGMENTS, "default_index -1", SIX, LISTED, [0, 0, 2, 2], 3, -1, note="default of -1"),
    refuses(SEGMENTS, "segment_ids says num_indices is 3", SIX, LISTED, [0, 0, 2], 3, note="lengths differ"),
]

SUMS = [
    bag(TABLE, INDICES, [[-2.1, -2.4], [-2.0, -2.2], [-0.2, 0.8]], note="no weights", rtol=1e-6),
    bag(TABLE, INDICES, [[-1.05, -1.2], [-1.0, -1.1], [-0.1, 0.4]], np.full((3, 2), 0.5), note="weights", rtol=1e-6),
    bag(COUNT, INDICES, [2, 3, 7], note="table of rank 1"),
    bag(
        np.arange(8, dtype=np.float32).reshape(2, 2, 2),
        [[0, 1]],
        [[[8, 11], [14, 17]]],
        [[1, 2]],
        note="table of rank 3",
    ),
    bag(TABLE, np.zeros((0, 2), np.int32), np.zeros((0, 2)), note="no bags"),
    bag(TABLE, np.zeros((3, 0), np.int64), np.zeros((3, 2)), note="empty bags"),
    bag(np.zeros((5, 0), np.float32), INDICES, np.zeros((3, 0)), note="rows without elements"),
    bag(np.array([[2048, 2048], [1, 1]], np.float16), [[0, 1, 1]], [[2050, 2050]], note="f16 accumulates wider"),
    bag(np.array([[256], [1]], ml_dtypes.bfloat16), [[0, 1, 1, 1, 1]], [[260]], note="bf16 accumulates wider"),
    bag(np.array([[100], [100]], np.int8), [[0, 1]], [[-56]], note="i8 wraps", notice="wrap"),
    bag(np.array([[2**40]]), [[0, 0]], [[2**41]], note="i64"),
    bag(np.array([[1], [2], [3]], np.uint64), [[0, 1], [2, 2]], [[5], [15]], [[1, 2], [2, 3]], note="integer weights"),
    bag(
        np.array([[16777216.0], [1.0]], np.float32), [[0, 1, 1]], [[16777218.0]], note="small addends count", rtol=1e-9
    ),
    refused(
        r"index 5 at \[1, 1\] is outside the table: num_emb is 5",
        TABLE,
        [[0, 2], [1, 5], [3, 4]],
        note="index too large",
    ),
    refused(r"index -1 at \[0, 1\]", TABLE, [[0, -1]], note="negative index"),
    refused("num_emb is 0", np.zeros((0, 2), np.float32), [[0]], note="empty table"),
    refused(
        "per_sample_weights says indices_per_bag is 1, but indices says 2",
        TABLE,
        INDICES,
        np.ones((3, 1), np.float32),
        note="weights broadcast",
    ),
    refused("indices is .*of rank 1", TABLE, np.arange(3), note="1-D indices"),
    refused("emb_table is .*of rank 0", np.float32(1), INDICES, note="scalar table"),
]

CASES = [*SUMS, *MEANS, *BY_OFFSETS, *BY_SEGMENTS]
