"""Indices into axes: which ones are out of range, and how they stand among the other axes."""

from __future__ import annotations

from typing import Any

import numpy as np


def as_places(indices: np.ndarray) -> np.ndarray:
    """Integers of any type as int64; what is beyond it, and so beyond every axis, is its greatest value."""
    if indices.dtype.kind == "u" and indices.dtype.itemsize == 8:
        indices = np.minimum(indices, np.uint64(np.iinfo(np.int64).max))
    return indices.astype(np.int64, copy=False)


def within(places: np.ndarray, low: int, high: int) -> bool:
    """Whether every index is at least `low` and below `high`."""
    return places.size == 0 or (low <= int(places.min()) and int(places.max()) < high)


def first_of(marked: np.ndarray) -> tuple[int, ...]:
    """The position of the first element that is true."""
    return tuple(int(at) for at in np.argwhere(marked)[0])


def grid(extents: tuple[int, ...], rank: int, start: int = 0) -> tuple[np.ndarray, ...]:
    """All positions along axes `start`, `start + 1`, ... of an array of `rank`, shaped to broadcast against it."""
    shapes = ([1] * (start + axis) + [extent] + [1] * (rank - start - axis - 1) for axis, extent in enumerate(extents))
    return tuple([np.arange(extent).reshape(shape) for extent, shape in zip(extents, shapes, strict=True)])


def take(data: np.ndarray, places: np.ndarray, axis: int, batch: int = 0) -> np.ndarray:
    """The elements at `places`, all in range, of an axis; the first `batch` axes of both run together.

    data [*batch, *middle, extent, *rest], places [*batch, *places] -> [*batch, *middle, *places, *rest]; a view for one
    place.
    """
    index: tuple[Any, ...] = (*(slice(None),) * axis, places[()], ...)
    if places.ndim and batch == 0 and data.flags.c_contiguous:
        return np.take(data, places, axis)  # the fastest, but of other arrays it makes a copy first
    if batch:
        rank = axis + places.ndim - batch
        index = (*grid(data.shape[:axis], rank), _spread(places, batch, axis - batch))
    return data[index]


def over_result(marked: np.ndarray, axis: int, batch: int, rank: int) -> np.ndarray:
    """What marks places as a shape that broadcasts against what is taken from data of `rank` at them."""
    return _spread(marked, batch, axis - batch)[(..., *(None,) * (rank - axis - 1))]


def _spread(places: np.ndarray, batch: int, middle: int) -> np.ndarray:
    return places.reshape(places.shape[:batch] + (1,) * middle + places.shape[batch:])


def tuples(places: np.ndarray, batch: int = 0) -> tuple[np.ndarray, ...]:
    """The index of the slices that tuples in the last axis name; the first `batch` axes are the data's too."""
    return (*grid(places.shape[:batch], places.ndim - 1), *np.moveaxis(places, -1, 0))


def along(places: np.ndarray, axis: int) -> tuple[np.ndarray, ...]:
    """The index that has `places` on one axis, and on each other one where the place itself stands."""
    return tuple([places if at == axis else each for at, each in enumerate(grid(places.shape, places.ndim))])
