"""A user's own operations: a Python file that declares them with `op`, loaded beside the built-in ones."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from irrun.ops import REGISTRY, Operation


class OwnOperationsError(Exception):
    """A file of own operations cannot be loaded; the message says why."""


def load_operations(path: str | os.PathLike[str]) -> list[Operation]:
    """Run a file that declares operations; the ones it declared.

    Raises OwnOperationsError where the file cannot be read, fails, or declares none.
    """
    name = os.fspath(path)
    before = dict(REGISTRY)
    spec = importlib.util.spec_from_file_location(Path(name).stem, name)
    if spec is None or spec.loader is None:
        raise OwnOperationsError(f"{name} is no Python file")
    try:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    except (Exception, SystemExit) as error:
        raise OwnOperationsError(f"{name} fails: {type(error).__name__}: {error}") from error
    declared = [operation for key, operation in REGISTRY.items() if before.get(key) is not operation]
    if not declared:
        raise OwnOperationsError(f"{name} declares no operation: nothing in it is decorated with irrun.ops.op")
    return declared
