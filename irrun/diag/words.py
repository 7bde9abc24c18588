"""Names in messages: lists that stay short, and the name that was meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

_AT_MOST = 20
_COMPARED = 10_000
"""Among more names than this, the nearest one is not looked for."""


def listed(names: Iterable[object]) -> str:
    """`a, b, c`, or the first twenty and how many more there are."""
    texts = list(map(str, names))
    more = f" and {len(texts) - _AT_MOST} more" if len(texts) > _AT_MOST else ""
    return ", ".join(texts[:_AT_MOST]) + more


def meant(name: str, names: Sequence[str]) -> str:
    """`did you mean data? `, or nothing where no name is near."""
    near = difflib.get_close_matches(name, names, 1, 0.7) if len(names) <= _COMPARED else []
    return f"did you mean {near[0]}? " if near else ""
