"""Sums of gathered table rows, bag by bag, without the tensor of all gathered rows."""

from __future__ import annotations

import math

import numpy as np

from irrun.kernels.notice import notice
from irrun.kernels.reduce import MEAN, SUM, reduce


class BagIndexError(IndexError):
    """Raised for the first index, in order, that is outside the table's rows."""

    def __init__(self, position: tuple[int, ...], index: int, rows: int) -> None:
        super().__init__(f"index {index} at {list(position)} is outside the table's {rows} rows")
        self.position = position
        self.index = index
        self.rows = rows


def bags(
    table: np.ndarray,
    indices: np.ndarray,
    offsets: np.ndarray,
    weights: np.ndarray | None = None,
    *,
    mean: bool = False,
) -> np.ndarray:
    """Sum (or average) the rows `indices[offsets[b]:offsets[b + 1]]` of `table` for each bag b.

    table [rows, *dims], indices [n], offsets [batch + 1], weights [n] -> [batch, *dims]; an empty bag is zeros.
    """
    _check(table.shape[0], indices)
    native = table.dtype.newbyteorder("=")
    result = np.zeros((len(offsets) - 1, *table.shape[1:]), dtype=native)
    for bag, (start, stop) in enumerate(zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)):
        if start < stop and result[bag].size:
            rows = table[indices[start:stop]].astype(native)
            result[bag] = _one(rows, None if weights is None else weights[start:stop], mean)
    return result


def packed(
    table: np.ndarray, indices: np.ndarray, weights: np.ndarray | None = None, *, mean: bool = False
) -> np.ndarray:
    """Sum (or average) the rows `indices[b]` of `table` for each bag b.

    table [rows, *dims], indices [batch, per_bag], weights [batch, per_bag] -> [batch, *dims].
    """
    _check(table.shape[0], indices)
    batch, per_bag = indices.shape
    offsets = np.arange(batch + 1) * per_bag
    flat = None if weights is None else weights.reshape(-1)
    return bags(table, indices.reshape(-1), offsets, flat, mean=mean)


def _check(rows: int, indices: np.ndarray) -> None:
    wrong = (indices < 0) | (indices >= rows)
    if wrong.any():
        position = tuple(int(at) for at in np.unravel_index(int(np.argmax(wrong)), indices.shape))
        raise BagIndexError(position, int(indices[position]), rows)


def _one(rows: np.ndarray, weights: np.ndarray | None, mean: bool) -> np.ndarray:
    """Sum the rows of one bag, each times its weight."""
    if weights is None:
        return reduce(rows, (0,), MEAN if mean else SUM)
    with np.errstate(all="ignore"):
        if rows.dtype.kind in "iu":
            exact = rows.astype(object) * weights.astype(object).reshape(-1, *[1] * (rows.ndim - 1))
            return _integers(exact.sum(axis=0), len(rows), rows.dtype, mean)
        shape = (-1, *[1] * (rows.ndim - 1))
        wide = rows.astype(np.float64) * weights.astype(np.float64).reshape(shape)
        return reduce(wide, (0,), MEAN if mean else SUM).astype(rows.dtype)


def _integers(exact: np.ndarray, count: int, dtype: np.dtype, mean: bool) -> np.ndarray:
    shape = np.shape(exact)
    limits = np.iinfo(dtype)
    values = [int(value) for value in np.ravel(exact)]
    if mean:
        values = [value // count if value >= 0 else -(-value // count) for value in values]
    if any(not limits.min <= value <= limits.max for value in values):
        notice(f"a bag's sum wraps: it does not fit {dtype.name}")
    wrapped = np.array([value % 2**64 for value in values], dtype=np.uint64).astype(dtype)
    assert math.prod(shape) == wrapped.size
    return wrapped.reshape(shape)
