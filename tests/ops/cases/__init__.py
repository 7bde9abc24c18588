"""Cases are data: an operation, its inputs and what must come out, worked out by hand or from exact arithmetic."""

from __future__ import annotations

import importlib
import pkgutil

from tests.ops.case import OpCase


def all_cases() -> list[OpCase]:
    """The cases of every module here; a module holds a list CASES."""
    modules = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
    return [case for module in modules for case in module.CASES]
