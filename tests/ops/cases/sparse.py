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

CASES = [
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
