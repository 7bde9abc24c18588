"""Sorting and telling apart: which elements come first, which are equal, with NaN after all numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from irrun.kernels.cast import is_float


def sortable(data: np.ndarray) -> np.ndarray:
    """What NumPy sorts as `data` should be: ml_dtypes' own comparisons put no NaN last."""
    return data.astype(np.float32) if data.dtype.kind == "V" and is_float(data.dtype) else data


def leading(data: np.ndarray, count: int, axis: int, *, largest: bool) -> np.ndarray:
    """Where the `count` smallest or largest elements along an axis stand, in their order.

    Of equal ones the first is first; NaN counts as larger than every number.
    """
    keys = sortable(data)
    if not largest:
        return _first(np.argsort(keys, axis=axis, kind="stable"), count, axis)
    # The last of the reversed order, read backwards, is the first of equal elements.
    backwards = np.argsort(np.flip(keys, axis), axis=axis, kind="stable")
    return keys.shape[axis] - 1 - _first(np.flip(backwards, axis), count, axis)


def _first(places: np.ndarray, count: int, axis: int) -> np.ndarray:
    return places[(slice(None),) * axis + (slice(count),)]


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
