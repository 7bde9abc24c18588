"""Arrays of every element type, layout and kind of data, as Hypothesis draws them."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import strategies as st

KINDS = ("equal", "random", "sorted", "alternating", "extreme")
LAYOUTS = ("C", "Fortran", "transposed", "sliced", "backwards", "big-endian", "broadcast")
SIZES = st.sampled_from([1, 2, 3, 5, 8, 17, 33, 50, 129, 300])
MOST = 4_000


def fill(shape: tuple[int, ...], dtype: np.dtype, kind: str, seed: int) -> np.ndarray:
    """An array of one kind of data."""
    generator = np.random.default_rng(seed)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if kind == "extreme":
            return generator.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
        if kind == "equal":
            return np.full(shape, 99, dtype)
        values = generator.integers(max(-100, limits.min), 100, shape).astype(dtype)
        return np.sort(values, axis=None).reshape(shape) if kind == "sorted" else values
    values = generator.random(shape)
    if kind == "equal":
        values = np.full(shape, 0.1)
    if kind == "sorted":
        values = np.sort(values, axis=None).reshape(shape)
    if kind == "alternating":
        values = np.where(np.arange(math.prod(shape)).reshape(shape) % 2, 1.1, -1.0)
    if kind == "extreme":
        values = generator.standard_normal(shape) * 50
    return np.asarray(values).astype(np.float32).astype(dtype)


@st.composite
def arrays(draw: st.DrawFn, dtypes: list[np.dtype]) -> np.ndarray:
    """A read-only array in some layout."""
    dtype = draw(st.sampled_from(dtypes))
    shape: tuple[int, ...] = ()
    for size in draw(st.lists(SIZES, max_size=4)):
        shape = (*shape, size) if math.prod(shape) * size <= MOST else shape
    array = fill(shape, dtype, draw(st.sampled_from(KINDS)), draw(st.integers(0, 99)))
    array = lay(array, draw(st.sampled_from(LAYOUTS)), draw(st.permutations(range(array.ndim))))
    array = np.asarray(array).view()  # what indexing gave may be a scalar
    array.flags.writeable = False
    return array


def lay(array: np.ndarray, layout: str, order: list[int]) -> np.ndarray:
    """The array's values, or some of them, in another layout."""
    if layout == "Fortran":
        return np.asfortranarray(array)
    if layout == "transposed":
        return array.transpose(order)
    if layout == "sliced":
        return array[(slice(None, None, 2),) * array.ndim]
    if layout == "backwards":
        return array[(slice(None, None, -1),) * array.ndim]
    if layout == "big-endian" and array.dtype.kind in "iuf" and array.dtype.itemsize > 1:
        return array.astype(array.dtype.newbyteorder(">"))
    if layout == "broadcast" and array.ndim:
        return np.broadcast_to(array[..., :1], array.shape)
    return array
