"""Dims: how far one extent of a tensor is known."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

LIMIT = (1 << 63) - 1

_INTERVAL = re.compile(r"(\d+)?\.\.(\d+)?", re.ASCII)
_NUMBER = re.compile(r"\d+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Dim:
    """An interval [low, high] of extents; high None is unbounded, low == high is static."""

    low: int = 0
    high: int | None = None

    @property
    def is_static(self) -> bool:
        return self.low == self.high

    def admits(self, extent: int) -> bool:
        """Whether a tensor may have this extent."""
        return self.low <= extent and (self.high is None or extent <= self.high)

    def meet(self, other: Dim) -> Dim | None:
        """What both intervals admit, or None where they contradict each other."""
        if self == other:
            return self
        low = max(self.low, other.low)
        high = other.high if self.high is None else self.high if other.high is None else min(self.high, other.high)
        return None if high is not None and low > high else Dim(low, high)

    def join(self, other: Dim) -> Dim:
        """The least interval that holds both."""
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return Dim(min(self.low, other.low), high)

    def __add__(self, other: Dim | int) -> Dim:
        other = other if isinstance(other, Dim) else Dim(other, other)
        high = None if self.high is None or other.high is None else self.high + other.high
        return Dim(max(self.low + other.low, 0), high if high is None else max(high, 0))

    def __sub__(self, other: Dim | int) -> Dim:
        other = other if isinstance(other, Dim) else Dim(other, other)
        low = 0 if other.high is None else max(self.low - other.high, 0)
        return Dim(low, None if self.high is None else max(self.high - other.low, 0))

    def __mul__(self, other: Dim | int) -> Dim:
        other = other if isinstance(other, Dim) else Dim(other, other)
        if self.high == 0 or other.high == 0:
            return Dim(0, 0)
        return Dim(self.low * other.low, None if self.high is None or other.high is None else self.high * other.high)

    def __floordiv__(self, other: Dim | int) -> Dim:
        """The quotients, for a divisor of at least 1."""
        other = other if isinstance(other, Dim) else Dim(other, other)
        low = 0 if other.high is None else self.low // max(other.high, 1)
        return Dim(low, None if self.high is None else self.high // max(other.low, 1))

    def divided(self, divisor: int) -> Dim | None:
        """The exact quotients, for a divisor of at least 1; None where no extent is a multiple of it."""
        low = -(-self.low // divisor)
        high = None if self.high is None else self.high // divisor
        return None if high is not None and low > high else Dim(low, high)

    def __str__(self) -> str:
        if self.is_static:
            return str(self.low)
        if self.high is None:
            return f"{self.low}.." if self.low else "?"
        return f"{self.low}..{self.high}" if self.low else f"..{self.high}"

    __repr__ = __str__


UNKNOWN = Dim()


@lru_cache(maxsize=4096)
def static(extent: int) -> Dim:
    """The dim of exactly this extent."""
    return Dim(extent, extent)


def parse_dim(text: str) -> Dim | None:
    """A dim as a Parameter's `shape` spells it: `5`, `?`, `-1`, `1..8`, `2..`, `..5`; None for anything else."""
    text = text.strip()
    if text in ("?", "-1"):
        return UNKNOWN
    if len(text) > 64:
        return None
    if _NUMBER.fullmatch(text):
        return static(int(text)) if int(text) < LIMIT else None
    match = _INTERVAL.fullmatch(text)
    if match is None or text == "..":
        return None
    low, high = int(match[1] or 0), None if match[2] is None else int(match[2])
    return Dim(low, high) if low < LIMIT and (high is None or low <= high < LIMIT) else None
