"""Sparse operations: sums of bags of table rows, without the gathered rows.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/sparse/embedding-bag-packed-sum-3.html
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from irrun.kernels.bags import BagIndexError, bags, packed
from irrun.ops.attributes import one_of
from irrun.ops.declare import Attribute, Input, OpError, Output, op
from irrun.types.dim import UNKNOWN
from irrun.types.element import INDEX, NUMERIC
from irrun.types.fact import Fact
from irrun.types.shape import Shape

TYPES = {"T": NUMERIC, "T_IND": INDEX}
TABLE = Input("emb_table", "T", dims="num_emb *emb_dims")
PACKED = (
    TABLE,
    Input("indices", "T_IND", dims="batch indices_per_bag"),
    Input("per_sample_weights", "T", dims="batch indices_per_bag", optional=True),
)
OFFSETS = (
    TABLE,
    Input("indices", "T_IND", dims="num_indices"),
    Input("offsets", "T_IND", dims="batch"),
    Input("default_index", "T_IND", dims="", optional=True),
    Input("per_sample_weights", "T", dims="num_indices", optional=True),
)
SEGMENTS = (
    *OFFSETS[:2],
    Input("segment_ids", "T_IND", dims="num_indices"),
    Input("num_segments", "T_IND", dims=""),
    *OFFSETS[3:],
)
REDUCTION = Attribute("reduction", one_of("sum", "mean"), default="sum")
BAGS = Output("T", dims="batch *emb_dims")


# indices


def _summed(sum: Callable[..., np.ndarray], *arrays: np.ndarray | None, mean: bool = False) -> np.ndarray:
    """The kernel's sums; an index outside the table is an error about `indices`."""
    try:
        return sum(*(None if array is None else np.asarray(array) for array in arrays), mean=mean)
    except BagIndexError as error:
        raise _outside("indices", error.index, error.position, error.rows) from None


def _outside(name: str, index: int, position: tuple[int, ...], rows: int) -> OpError:
    at = f" at [{', '.join(map(str, position))}]" if position else ""
    message = f"{'index' if position else name} {index}{at} is outside the table: num_emb is {rows}"
    hint = None if rows == 0 else f"indices are from 0 to {rows - 1}; they never count from the end"
    return OpError(message, at=name, against="emb_table", hint=hint)


def _rising(name: str, values: np.ndarray, high: int, high_name: str) -> None:
    """Raise OpError unless the values rise, equal ones allowed, from 0 or more up to `high`."""
    wrong = (values < 0) | (values > high)
    if wrong.any():
        place = int(np.argmax(wrong))
        allowed = f"from 0 to {high}" if high >= 0 else "none"
        raise OpError(f"{name} {values[place]} at [{place}] is out of range: {high_name} allows {allowed}", at=name)
    falls = values[1:] < values[:-1]
    if falls.any():
        place = int(np.argmax(falls))
        message = f"{name} fall from {values[place]} at [{place}] to {values[place + 1]} at [{place + 1}]"
        raise OpError(message, at=name, hint="they are in ascending order")


def _bags(
    emb_table: np.ndarray,
    indices: np.ndarray,
    ends: np.ndarray,
    default_index: int | None,
    weights: np.ndarray | None,
    mean: bool = False,
) -> np.ndarray:
    """The bags between these `ends`, the empty ones the table's row `default_index`, or zeros for None."""
    rows = np.shape(emb_table)[0]
    if default_index is not None and not 0 <= default_index < rows:
        raise _outside("default_index", default_index, (), rows)
    result = _summed(bags, emb_table, indices, ends, weights, mean=mean)
    if default_index is not None:
        result[ends[1:] == ends[:-1]] = np.asarray(emb_table)[default_index]
    return result


# packed bags


def _only_sums_have_weights(per_sample_weights: Fact | None, reduction: str) -> None:
    if per_sample_weights is not None and reduction == "mean":
        message = "per_sample_weights are given with reduction mean; only a sum takes weights"
        raise OpError(message, at="per_sample_weights", against="reduction")


def _packed_bags(emb_table: Fact, indices: Fact, per_sample_weights: Fact | None, reduction: str) -> None:
    _only_sums_have_weights(per_sample_weights, reduction)


@op("EmbeddingBagPackedSum-3", types=TYPES, inputs=PACKED, outputs=[BAGS])
def embedding_bag_packed_sum(
    emb_table: np.ndarray, indices: np.ndarray, per_sample_weights: np.ndarray | None = None
) -> np.ndarray:
    """The sum of the table's rows that each bag names, each times its weight; an empty bag sums to zeros.

    >>> embedding_bag_packed_sum([[1.0, 2.0], [10.0, 20.0]], [[0, 1], [1, 1]])
    array([[11., 22.],
           [20., 40.]])
    """
    return _summed(packed, emb_table, indices, per_sample_weights)


@op("EmbeddingBagPacked-15", types=TYPES, attributes=[REDUCTION], inputs=PACKED, outputs=[BAGS], shape=_packed_bags)
def embedding_bag_packed(
    emb_table: np.ndarray, indices: np.ndarray, per_sample_weights: np.ndarray | None = None, reduction: str = "sum"
) -> np.ndarray:
    """The sum or the mean of the table's rows that each bag names; means of integers truncate toward zero."""
    return _summed(packed, emb_table, indices, per_sample_weights, mean=reduction == "mean")


# bags by offsets


def _offset_bags(
    emb_table: Fact,
    indices: Fact,
    offsets: Fact,
    default_index: Fact | None,
    per_sample_weights: Fact | None,
    reduction: str,
) -> None:
    _only_sums_have_weights(per_sample_weights, reduction)


@op("EmbeddingBagOffsetsSum-3", types=TYPES, inputs=OFFSETS, outputs=[BAGS])
def embedding_bag_offsets_sum(
    emb_table: np.ndarray,
    indices: np.ndarray,
    offsets: np.ndarray,
    default_index: np.ndarray | None = None,
    per_sample_weights: np.ndarray | None = None,
) -> np.ndarray:
    """The sum of the table's rows of each bag, which is the indices from its offset up to the next one's.

    An empty bag is the table's row `default_index`, or zeros without one or with -1. Indices before the first offset
    belong to no bag.

    >>> embedding_bag_offsets_sum([[1.0, 2.0], [10.0, 20.0]], [0, 1, 1], [0, 2])
    array([[11., 22.],
           [10., 20.]])
    """
    return embedding_bag_offsets(emb_table, indices, offsets, default_index, per_sample_weights)


@op("EmbeddingBagOffsets-15", types=TYPES, attributes=[REDUCTION], inputs=OFFSETS, outputs=[BAGS], shape=_offset_bags)
def embedding_bag_offsets(
    emb_table: np.ndarray,
    indices: np.ndarray,
    offsets: np.ndarray,
    default_index: np.ndarray | None = None,
    per_sample_weights: np.ndarray | None = None,
    reduction: str = "sum",
) -> np.ndarray:
    """The sum or the mean of the table's rows of each bag; bags and empty ones as EmbeddingBagOffsetsSum has them."""
    offsets = np.asarray(offsets)
    _rising("offsets", offsets, len(indices), "num_indices")
    ends = np.append(offsets, len(indices))
    default = None if default_index is None or int(default_index) == -1 else int(default_index)
    return _bags(emb_table, indices, ends, default, per_sample_weights, reduction == "mean")


# bags by segments


def _segments(
    emb_table: Fact,
    indices: Fact,
    segment_ids: Fact,
    num_segments: Fact,
    default_index: Fact | None,
    per_sample_weights: Fact | None,
) -> Shape:
    if num_segments.value is not None and int(num_segments.value) < 0:
        raise OpError(f"num_segments is {int(num_segments.value)}; 0 or more is expected", at="num_segments")
    if emb_table.dims is None:
        return Shape()
    count = num_segments.extents
    return Shape(((count[0] if count else UNKNOWN), *emb_table.dims[1:]))


@op("EmbeddingSegmentsSum-3", types=TYPES, inputs=SEGMENTS, outputs=[Output("T")], shape=_segments)
def embedding_segments_sum(
    emb_table: np.ndarray,
    indices: np.ndarray,
    segment_ids: np.ndarray,
    num_segments: np.ndarray,
    default_index: np.ndarray | None = None,
    per_sample_weights: np.ndarray | None = None,
) -> np.ndarray:
    """The sum of the table's rows of each segment: `segment_ids` say where each index belongs, in ascending order.

    An empty segment is the table's row `default_index`, or zeros without one.

    >>> embedding_segments_sum([[1.0, 2.0], [10.0, 20.0]], [0, 1, 1], [0, 0, 2], 3)
    array([[11., 22.],
           [ 0.,  0.],
           [10., 20.]])
    """
    segment_ids, count = np.asarray(segment_ids), int(num_segments)
    _rising("segment_ids", segment_ids, count - 1, "num_segments")
    ends = np.searchsorted(segment_ids, np.arange(count + 1))
    default = None if default_index is None else int(default_index)
    return _bags(emb_table, indices, ends, default, per_sample_weights)
