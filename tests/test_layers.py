"""Who may import whom, and what costs a start: the architecture as a test."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "irrun"

ALLOWED = {
    "source": set(),
    "types": set(),
    "kernels": set(),
    "diag": {"source"},
    "ir": {"source", "types", "diag"},
    "ops": {"types", "kernels"},
    "graph": {"diag", "ir"},
    "structure": {"diag", "ir", "graph", "bind"},
    "bind": {"diag", "ir", "graph", "ops", "types"},
    "bounds": {"ops", "types", "kernels"},
    "infer": {"diag", "ir", "graph", "ops", "types", "kernels", "bind", "bounds"},
    "memory": {"diag", "types", "bind"},
    "preprocess": {"diag", "ir", "ops", "types"},
    "feeds": {"diag", "types", "kernels"},
    "results": {"diag", "types"},
    "execute": {"diag", "ir", "graph", "ops", "types", "kernels", "bind", "infer", "memory"},
}
"""Module or package -> the ones it may import; what is not listed may import anything but the command line."""

ONLY_PLACE = {"lxml": ("ir/",), "networkx": ("graph.py", "model.py"), "click": ("cli/",)}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def imports(path: Path) -> set[str]:
    """What a module imports when it is loaded, as dotted names."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def room(path: Path) -> str:
    relative = path.relative_to(PACKAGE)
    return relative.parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path):
    own = room(path)
    used = {name.split(".")[1] for name in imports(path) if name.startswith("irrun.")} - {own}
    if own in ALLOWED:
        assert used <= ALLOWED[own], f"{own} imports {used - ALLOWED[own]}"
    elif own not in ("cli", "__main__"):
        assert "cli" not in used
    assert "__init__" not in used


@pytest.mark.parametrize("library", sorted(ONLY_PLACE))
def test_each_library_has_one_place(library: str):
    users = [str(p.relative_to(PACKAGE)) for p in modules() if any(n.split(".")[0] == library for n in imports(p))]
    assert users
    assert all(user.startswith(ONLY_PLACE[library]) for user in users), users


def loaded_by(statement: str) -> set[str]:
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in done.stdout.split()}


def test_operations_cost_numpy_and_ml_dtypes_alone():
    assert loaded_by("import irrun.ops").isdisjoint({"lxml", "networkx", "click"})


def test_the_package_itself_costs_nothing():
    assert loaded_by("import irrun").isdisjoint({"lxml", "networkx", "click", "numpy", "ml_dtypes"})


def test_modules_are_of_one_room():
    long = {str(p.relative_to(PACKAGE)): n for p in modules() if (n := len(p.read_text().splitlines())) > 450}
    assert set(long) <= {"diag/codes.py"}, long
