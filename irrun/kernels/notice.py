"""How arithmetic says what a person should know about a result without failing: a wrapped sum, an empty mean.

A kernel knows no context. It calls `notice`; whoever runs it decides where the words go.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_heard: ContextVar[list[str] | None] = ContextVar("irrun_notices", default=None)


def notice(message: str) -> None:
    """Say `message` to the nearest `listening` block, or as a RuntimeWarning where there is none."""
    heard = _heard.get()
    if heard is None:
        warnings.warn(message, RuntimeWarning, stacklevel=3)
    elif message not in heard:
        heard.append(message)


def hear(heard: list[str]) -> None:
    """From now on, in this context, what is said goes to `heard`."""
    _heard.set(heard)


@contextmanager
def listening() -> Iterator[list[str]]:
    """Collect, in order and each once, what is said while the block runs (also in threads that copy its context)."""
    heard: list[str] = []
    token = _heard.set(heard)
    try:
        yield heard
    finally:
        _heard.reset(token)
