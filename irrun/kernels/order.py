"""Sorting and telling apart: which elements come first, which are equal, with NaN after all numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from irrun.kernels.cast import is_float

FEW = 16
"""Where fewer than one element in so many is asked for, the others are not sorted."""


def sortable(data: np.ndarray) -> np.ndarray:
    """What NumPy sorts as `data` should be: ml_dtypes' own comparisons put no NaN last."""
    return data.astype(np.float32) if data.dtype.kind == "V" and is_float(data.dtype) else data


def leading(data: np.ndarray, count: int, axis: int, *, largest: bool) -> np.ndarray:
    """Where the `count` smallest or largest elements along an axis stand, in their order.

    Of equal ones the first is first; NaN counts as larger than every number.
    """
    keys = np.moveaxis(sortable(data), axis, -1)
    if keys.size and count * FEW <= keys.shape[-1]:
        among = _chosen(keys, count, largest=largest)
        order = _order(np.take_along_axis(keys, among, -1), largest=largest)
        return np.moveaxis(np.take_along_axis(among, order, -1), -1, axis)
    return np.moveaxis(_order(keys, largest=largest)[..., :count], -1, axis)


def _order(keys: np.ndarray, *, largest: bool) -> np.ndarray:
    """Where the elements of each row stand in order, equal ones as they come."""
    if not largest:
        return np.argsort(keys, axis=-1, kind="stable")
    # What comes last in the row read backwards, of equal elements the first, is the first of the reversed order.
    return keys.shape[-1] - 1 - np.argsort(keys[..., ::-1], axis=-1, kind="stable")[..., ::-1]


def _chosen(keys: np.ndarray, count: int, *, largest: bool) -> np.ndarray:
    """Where the first `count` elements of each row stand, in the order of the row: without sorting the others."""
    last = keys.shape[-1] - count if largest else count - 1
    limit = np.partition(keys, last, axis=-1)[..., last : last + 1]
    with np.errstate(invalid="ignore"):
        better = keys > limit if largest else keys < limit
        equal = keys == limit
    if keys.dtype.kind == "f":
        odd, limit_is_odd = np.isnan(keys), np.isnan(limit)
        better |= (odd & ~limit_is_odd) if largest else (~odd & limit_is_odd)
        equal |= odd & limit_is_odd
    missing = count - np.count_nonzero(better, axis=-1, keepdims=True)
    chosen = better | (equal & (np.cumsum(equal, axis=-1) <= missing))
    return np.nonzero(chosen)[-1].reshape(*keys.shape[:-1], count)


class Groups(NamedTuple):
    """Equal rows: where the first of each group stands, which group each row is in, and how many rows a group has."""

    first: np.ndarray
    group: np.ndarray
    counts: np.ndarray


def equal_rows(rows: np.ndarray, *, ascending: bool) -> Groups:
    """The groups of equal rows of a 2-D array, in ascending order or by their first row; NaN equals nothing."""
    codes = rows if rows.dtype.kind in "biuf" else _codes(rows)
    order = np.lexsort(codes.T[::-1]) if rows.shape[1] else np.arange(len(rows))
    ordered = rows[order]
    starts = np.flatnonzero(np.concatenate([[True], (ordered[1:] != ordered[:-1]).any(axis=1)])[: len(rows)])
    counts = np.diff(starts, append=len(rows))
    group = np.empty(len(rows), np.intp)
    group[order] = np.repeat(np.arange(len(starts)), counts)
    first = order[starts]
    if ascending:
        return Groups(first, group, counts)
    by_place = np.argsort(first)
    renumbered = np.empty_like(by_place)
    renumbered[by_place] = np.arange(len(by_place))
    return Groups(first[by_place], renumbered[group], counts[by_place])


def _codes(rows: np.ndarray) -> np.ndarray:
    """Integers that are ordered as the elements are: NumPy's lexsort takes neither strings nor ml_dtypes' types."""
    flat = sortable(rows).reshape(-1)
    order = np.argsort(flat, kind="stable")
    ordered = flat[order]
    codes = np.empty(len(flat), np.intp)
    codes[order] = np.cumsum(np.concatenate([[False], ordered[1:] != ordered[:-1]])[: len(flat)])
    return codes.reshape(rows.shape)
