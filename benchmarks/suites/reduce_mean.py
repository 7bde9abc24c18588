"""ReduceMean: inner, outer, mixed and full reductions, from what fits a cache to what does not, in six types."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from benchmarks.case import Case, Feeds
from benchmarks.elements import DTYPES, random_values
from benchmarks.irtext import Constant, Port, one_operation

SHAPES: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((64, 256, 56, 56), (2, 3)),
    ((64, 256, 56, 56), (0,)),
    ((64, 256, 56, 56), (1,)),
    ((64, 256, 56, 56), (0, 2, 3)),
    ((64, 256, 56, 56), (0, 1, 2, 3)),
    ((4096, 4096), (1,)),
    ((4096, 4096), (0,)),
    ((32, 128, 768), (2,)),
    ((32, 768, 128), (1,)),
    ((6, 12, 10, 24), (2, 3)),
    ((1000003,), (0,)),
]
NOTES = {
    "i32": "exact sums need 64 bits, where OpenVINO's wrap in 32",
    "u8": "OpenVINO's 8-bit means are wrong",
    "i64": "exact: the second and third reading bound the sums; OpenVINO computes in 32 bits",
}
LARGE = 1 << 24  # elements


def cases() -> Iterator[Case]:
    """Yield each shape in each element type."""
    for element in DTYPES:
        for shape, axes in SHAPES:
            yield mean_case(shape, axes, element)


def mean_case(shape: tuple[int, ...], axes: tuple[int, ...], element: str) -> Case:
    """Make the case of one shape, random data and one element type."""
    constants = np.array(axes, np.int64).tobytes()
    kept = tuple(size for axis, size in enumerate(shape) if axis not in axes)
    data = Port("data", element, shape)
    axes_port = Constant("axes", "i64", (len(axes),), 0, len(constants))
    return Case(
        suite="reduce_mean",
        name=f"{element} {list(shape)} over {list(axes)}",
        element=element,
        feeds=lambda: {"data": random_values(np.random.default_rng(0), shape, element)},
        model=one_operation(
            "ReduceMean", "opset1", [data, axes_port], Port("mean", element, kept), 'keep_dims="false"'
        ),
        constants=constants,
        numpy=lambda feeds: feeds["data"].mean(axis=axes),
        exact=lambda feeds: exact_mean(feeds, axes),
        moved=math.prod(shape) * DTYPES[element].itemsize,
        large=math.prod(shape) >= LARGE,
        note=NOTES.get(element, ""),
    )


def exact_mean(feeds: Feeds, axes: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean and the mean magnitude in f64, added as NumPy adds it best: in pairs, along memory."""
    data = feeds["data"]
    kept = [axis for axis in range(data.ndim) if axis not in axes]
    count = math.prod(data.shape[axis] for axis in axes)
    rows = data.transpose(kept + list(axes)).reshape(-1, count)
    whole = data.dtype.kind in "iu"
    sums, magnitudes = np.empty(len(rows)), np.empty(len(rows))
    for place, row in enumerate(rows):
        wide = row.astype(np.int64 if whole else np.float64)
        sums[place] = np.trunc(wide.sum() / count) if whole else wide.sum() / count
        magnitudes[place] = np.abs(wide).sum() / count
    return sums, magnitudes
