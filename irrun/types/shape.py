"""Partial shapes: dims, or not even a rank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from irrun.types.dim import UNKNOWN, Dim, parse_dim, static


@dataclass(frozen=True, slots=True)
class Shape:
    """A partial shape; `dims` is None where the rank is unknown, and () for a scalar."""

    dims: tuple[Dim, ...] | None = None

    @classmethod
    def of(cls, *extents: int | Dim) -> Shape:
        """The shape with these dims."""
        return cls(tuple(extent if isinstance(extent, Dim) else static(extent) for extent in extents))

    @classmethod
    def unknown(cls, rank: int | None = None) -> Shape:
        """A shape of which at most the rank is known."""
        return cls(None if rank is None else (UNKNOWN,) * rank)

    @property
    def rank(self) -> int | None:
        return None if self.dims is None else len(self.dims)

    @property
    def extents(self) -> tuple[int, ...] | None:
        """The dims as integers where every one is static, else None."""
        if self.dims is None:
            return None
        extents = tuple([dim.low for dim in self.dims if dim.low == dim.high])
        return extents if len(extents) == len(self.dims) else None

    @property
    def elements(self) -> Dim:
        """How many elements a tensor of this shape has."""
        if self.dims is None:
            return UNKNOWN
        count = static(1)
        for dim in self.dims:
            count = count * dim
        return count

    @property
    def most_elements(self) -> int | None:
        """How many elements a tensor of this shape has at most; None where any number."""
        if self.dims is None:
            return None
        count: int | None = 1
        for dim in self.dims:
            if dim.high == 0:
                return 0
            count = None if count is None or dim.high is None else count * dim.high
        return count

    def admits(self, extents: Sequence[int]) -> bool:
        """Whether a tensor may have this shape."""
        if self.dims is None:
            return True
        return len(extents) == len(self.dims) and all(map(Dim.admits, self.dims, extents))

    def meet(self, other: Shape) -> Shape | None:
        """What both shapes admit, or None where they contradict each other."""
        if self.dims is None or self.dims == other.dims:
            return other
        if other.dims is None:
            return self
        if len(self.dims) != len(other.dims):
            return None
        dims = tuple(map(Dim.meet, self.dims, other.dims))
        return None if None in dims else Shape(dims)  # type: ignore[arg-type]  # no None among them now

    def join(self, other: Shape) -> Shape:
        """The least shape that admits all that either admits."""
        if self.dims is None or other.dims is None or len(self.dims) != len(other.dims):
            return Shape()
        return Shape(tuple(map(Dim.join, self.dims, other.dims)))

    def __str__(self) -> str:
        return "[...]" if self.dims is None else f"[{','.join(map(str, self.dims))}]"

    __repr__ = __str__


MOST_DIMS = 64
"""No array of NumPy has more."""

SCALAR = Shape(())
ANY_SHAPE = Shape()


def parse_shape(text: str) -> Shape:
    """A Parameter's `shape`: `2,3`, `[2, ?, 1..8]`, `...` (any rank), `` (scalar); else raises ValueError."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1].strip()
    if not text:
        return SCALAR
    if text == "...":
        return Shape()
    dims = []
    for item in text.split(","):
        dim = parse_dim(item)
        if dim is None:
            raise ValueError(f"{item.strip()!r} is no dim: expected 5, ?, 1..8, 2.. or ..8")
        dims.append(dim)
    return Shape(tuple(dims))


def extents_text(extents: Iterable[int]) -> str:
    """Extents as irrun writes shapes: `[2,3]`."""
    return f"[{','.join(map(str, extents))}]"
