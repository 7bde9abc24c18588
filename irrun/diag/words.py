"""Names in messages: lists that stay short, and the name that was meant."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable

_AT_MOST = 20
_COMPARED = 10_000
"""Among more names than this, the nearest one is not looked for."""

_LONGEST = 100
"""A longer name is like none, and to compare all of it would take long."""


def listed(names: Iterable[object]) -> str:
    """`a, b, c`, or the first twenty and how many more there are."""
    texts = list(map(str, names))
    more = f" and {len(texts) - _AT_MOST} more" if len(texts) > _AT_MOST else ""
    return ", ".join(texts[:_AT_MOST]) + more


def nearest(name: str, names: Collection[str], count: int = 1, *, likeness: float = 0.7) -> list[str]:
    """The names that are spelt most like this one, at most `count`, the best first."""
    return difflib.get_close_matches(name[:_LONGEST], names, count, likeness) if len(names) <= _COMPARED else []


def meant(name: str, names: Collection[str]) -> str:
    """`did you mean data? `, or nothing where no name is near."""
    near = nearest(name, names)
    return f"did you mean {near[0]}? " if near else ""
