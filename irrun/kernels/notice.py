"""How arithmetic says what a person should know about a result without failing: a wrapped sum, an empty mean.

A kernel knows no context. It calls `notice`; whoever runs it decides where the words go.
"""

from __future__ import annotations

import warnings
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


class listening:  # noqa: N801  # it is used as a function, `with listening() as notices`
    """Collect, in order and each once, what is said while the block runs (also in threads that copy its context)."""

    __slots__ = ("_token",)

    def __enter__(self) -> list[str]:
        heard: list[str] = []
        self._token = _heard.set(heard)
        return heard

    def __exit__(self, *_: object) -> None:
        _heard.reset(self._token)
