"""Facts: what is known of a tensor before it is computed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from irrun.types.dim import LIMIT, UNKNOWN, Dim
from irrun.types.element import DYNAMIC, ElementType
from irrun.types.shape import ANY_SHAPE, Shape

VALUE_LIMIT = 1_000
"""Tensors of more elements than this carry no value through shape inference."""


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """An element type, a partial shape, and the value as far as it is known.

    `value` is the tensor itself where all of it is known. `bounds` are two int64 arrays, the least and the greatest
    each element may be, where an integer tensor of static shape is known in part. Both are read-only by convention.
    """

    type: ElementType = DYNAMIC
    shape: Shape = ANY_SHAPE
    value: np.ndarray | None = None
    bounds: tuple[np.ndarray, np.ndarray] | None = None

    @classmethod
    def of(cls, type: ElementType, array: np.ndarray) -> Fact:
        """All there is to know of a tensor that exists."""
        return cls(type, Shape.of(*array.shape), array)

    @property
    def rank(self) -> int | None:
        return self.shape.rank

    @property
    def dims(self) -> tuple[Dim, ...] | None:
        return self.shape.dims

    @property
    def is_bounded(self) -> bool:
        """Whether there is an `interval`."""
        return self.bounds is not None or (self.value is not None and self.value.dtype.kind in "iub")

    @property
    def interval(self) -> tuple[np.ndarray, np.ndarray] | None:
        """The least and the greatest value of each element of an integer tensor, as int64, or None where nothing is
        known.
        """
        if self.value is None or not self.is_bounded:
            return self.bounds
        value = self.value
        if value.dtype.kind == "u" and value.dtype.itemsize == 8:
            value = np.minimum(value, np.uint64(LIMIT))
        exact = value.astype(np.int64)
        return exact, exact

    @property
    def extents(self) -> tuple[Dim, ...] | None:
        """The elements of a 1-D (or scalar) integer tensor read as dims, as `Reshape` and `Tile` read them, or None."""
        known = self.interval
        if known is None:
            count = self.shape.extents
            few = count is not None and len(count) == 1 and count[0] <= VALUE_LIMIT
            return (UNKNOWN,) * count[0] if count is not None and few else None
        low, high = known
        return tuple(_dim(int(a), int(b)) for a, b in zip(low.ravel(), high.ravel(), strict=True))

    def without_value(self) -> Fact:
        """The same without what is known of its elements."""
        return self if self.value is None and self.bounds is None else replace(self, value=None, bounds=None)

    def __str__(self) -> str:
        return f"{self.type}{self.shape}"


def _dim(low: int, high: int) -> Dim:
    return Dim(max(low, 0), None if high >= LIMIT else max(high, 0))


def dims_bounds(dims: tuple[Dim, ...], type: ElementType) -> Fact:
    """The fact of a 1-D integer tensor whose elements are these dims: ShapeOf's value."""
    low = np.array([dim.low for dim in dims], np.int64)
    if all(dim.is_static for dim in dims):
        return Fact(type, Shape.of(len(dims)), low.astype(type.dtype))
    high = np.array([LIMIT if dim.high is None else dim.high for dim in dims], np.int64)
    return Fact(type, Shape.of(len(dims)), None, (low, high))
