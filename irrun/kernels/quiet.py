"""Where floating-point errors are no news."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context
from typing import Any, TypeVar

import numpy as np

_T = TypeVar("_T")

_quiet = Context()
_quiet.run(np.errstate(all="ignore").__enter__)


def quietly(function: Callable[..., _T], *args: Any, **kwargs: Any) -> _T:
    """Call a function that says nothing, in a context of its own: a new errstate takes ten times as long to enter."""
    return _quiet.copy().run(function, *args, **kwargs)
