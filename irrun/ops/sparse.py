"""Sparse operations: sums of bags of table rows, without the gathered rows.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/sparse/embedding-bag-packed-sum-3.html
"""

from __future__ import annotations

import numpy as np

from irrun.kernels.bags import BagIndexError, packed
from irrun.ops.declare import Input, OpError, Output, op
from irrun.types.element import INDEX, NUMERIC


def _outside(error: BagIndexError) -> OpError:
    position = ", ".join(map(str, error.position))
    message = f"index {error.index} at [{position}] is outside the table: num_emb is {error.rows}"
    hint = None if error.rows == 0 else f"indices are from 0 to {error.rows - 1}; they never count from the end"
    return OpError(message, at="indices", against="emb_table", hint=hint)


@op(
    "EmbeddingBagPackedSum-3",
    types={"T": NUMERIC, "T_IND": INDEX},
    inputs=[
        Input("emb_table", "T", dims="num_emb *emb_dims"),
        Input("indices", "T_IND", dims="batch indices_per_bag"),
        Input("per_sample_weights", "T", dims="batch indices_per_bag", optional=True),
    ],
    outputs=[Output("T", dims="batch *emb_dims")],
)
def embedding_bag_packed_sum(
    emb_table: np.ndarray, indices: np.ndarray, per_sample_weights: np.ndarray | None = None
) -> np.ndarray:
    """The sum of the table's rows that each bag names, each times its weight; an empty bag sums to zeros.

    >>> embedding_bag_packed_sum([[1.0, 2.0], [10.0, 20.0]], [[0, 1], [1, 1]])
    array([[11., 22.],
           [20., 40.]])
    """
    weights = None if per_sample_weights is None else np.asarray(per_sample_weights)
    try:
        return packed(np.asarray(emb_table), np.asarray(indices), weights)
    except BagIndexError as error:
        raise _outside(error) from None
