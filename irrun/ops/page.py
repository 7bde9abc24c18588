"""What operations there are, for people: one line each, one operation in full, and the page of all of them.

`python -m irrun.ops.page` prints docs/operations.md.
"""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from irrun.ops import REGISTRY, opsets
from irrun.ops.declare import REQUIRED, Attribute, Input, Operation, Output
from irrun.types.element import ElementType

NUMBERS_PAGE = Path(__file__).parents[2] / "docs" / "numerics.md"
_DIFFERENCES = "Where OpenVINO's CPU plugin differs"
_ROW = re.compile(r"^\| (?!operation \||---)([^|]+) \|", re.MULTILINE)


def listing() -> str:
    """One line an operation: its versioned name, whether irrun runs it, its opsets, its category."""
    rows = [(fact.name, _runs(fact), opsets.opset_range(fact), fact.category) for fact in opsets.FACTS]
    known = {fact.name for fact in opsets.FACTS}
    rows += [(own.name, "yes", "your own", own.category) for own in REGISTRY.values() if own.name not in known]
    width = max(len(name) for name, *_ in rows)
    return "\n".join(f"{name:<{width}}  {runs:<3}  {held:<18}  {category}" for name, runs, held, category in rows)


def _runs(fact: opsets.OpsetFact) -> str:
    return "yes" if (fact.type, fact.version) in REGISTRY else "no"


# one operation


def versions_of(type: str) -> list[str]:
    """The versioned names of an operation, oldest first, own ones last; none for a type that nobody knows."""
    type = "Constant" if type.lower() == "const" else type  # IR's own word
    known = [fact.name for fact in opsets.BY_TYPE.get(type.lower(), ())]
    own = [operation.name for operation in REGISTRY.values() if operation.type.lower() == type.lower()]
    return list(dict.fromkeys([*known, *own]))


def description(name: str) -> str:
    """An operation by its versioned name: what it does, its attributes, inputs, outputs and types."""
    type, _, version = name.partition("-")
    fact = next((fact for fact in opsets.FACTS if fact.name == name), None)
    operation = REGISTRY.get((type, int(version) if version.isdecimal() else version))
    held = f"{fact.category}; {opsets.opset_range(fact)}" if fact is not None else "your own"
    if operation is None:
        return f"{name} ({held})\n  irrun does not have it yet"
    lines = [f"{name} ({held})", f"  {_purpose(operation)}"]
    written = [attribute for attribute in operation.attributes if attribute.read is not None]
    lines += _block("attributes", map(_attribute, written))
    lines += _block("inputs", map(_input, operation.inputs))
    lines += _block("outputs", map(_output, operation.outputs))
    lines += _block("types", [(letter, str(types)) for letter, types in operation.types.items()])
    return "\n".join(lines)


def _purpose(operation: Operation) -> str:
    """The first paragraph of the kernel's docstring, on one line."""
    first = (inspect.getdoc(operation.kernel) or "").split("\n\n")[0]
    return " ".join(first.split())


def _block(title: str, rows: Iterable[tuple[str, str]]) -> list[str]:
    listed = list(rows)
    width = max((len(name) for name, _ in listed), default=0)
    return [f"  {title}", *(f"    {name:<{width}}  {said}".rstrip() for name, said in listed)] if listed else []


def _attribute(attribute: Attribute) -> tuple[str, str]:
    kind = getattr(attribute.read, "__name__", "text").replace("_", " ")
    if attribute.default is REQUIRED:
        return attribute.name, f"{kind}; required"
    return attribute.name, f"{kind}; default {_written(attribute.default)}"


def _written(default: object) -> str:
    if default is None:
        return "none"
    if isinstance(default, bool):
        return str(default).lower()
    return ",".join(map(str, default)) or "empty" if isinstance(default, (tuple, list)) else str(default)


def _input(declared: Input) -> tuple[str, str]:
    extra = [*(["optional"] if declared.optional else []), *(["any number of them"] if declared.variadic else [])]
    return declared.name, ", ".join([_with_dims(str(declared.type), declared), *extra])


def _output(declared: Output) -> tuple[str, str]:
    kind = str(declared.type) if isinstance(declared.type, (str, ElementType)) else "by the inputs"
    return _with_dims(kind, declared), "any number of them" if declared.variadic else ""


def _with_dims(kind: str, declared: Input | Output) -> str:
    if declared.pattern is None:
        return kind
    return f"{kind} {declared.pattern}" if declared.dims else f"{kind}, a scalar"


# the page


def operations_page(numbers_page: str) -> str:
    """The Markdown page of all operations, by category; `numbers_page` has a table of differences by operation."""
    differences = _differences(numbers_page)
    held = sum(_runs(fact) == "yes" for fact in opsets.FACTS)
    lines = [
        "# Operations",
        "",
        f"The {len(opsets.FACTS)} operations of opset1 to opset{opsets.NEWEST} by the specification's categories;",
        f"irrun runs {held} of them. `irrun ops` lists them on the command line, `irrun ops Gather` describes one.",
        "",
        "<!-- generated from irrun/ops by: python -m irrun.ops.page -->",
    ]
    for category in dict.fromkeys(fact.category for fact in opsets.FACTS):
        lines += ["", f"## {category.capitalize()}", ""]
        lines += ["| operation | opsets | irrun | differs from OpenVINO's CPU plugin |", "|---|---|---|---|"]
        lines += [_row(fact, differences) for fact in opsets.FACTS if fact.category == category]
    return "\n".join(lines) + "\n"


def _row(fact: opsets.OpsetFact, differences: Mapping[str, int]) -> str:
    count = differences[fact.type] if _runs(fact) == "yes" else 0
    rows = f"{count} {'row' if count == 1 else 'rows'}"
    said = f"[{rows}](numerics.md#where-openvinos-cpu-plugin-differs)" if count else ""
    return f"| {fact.name} | {opsets.opset_range(fact)} | {_runs(fact)} | {said} |"


def _differences(numbers_page: str) -> Counter[str]:
    """How many rows of the page's tables of differences are about each type."""
    _, _, section = numbers_page.partition(f"\n## {_DIFFERENCES}\n")
    types = {fact.type for fact in opsets.FACTS}
    found: Counter[str] = Counter()
    for cell in _ROW.findall(section.partition("\n## ")[0]):
        names = {name.rpartition("-")[0] if name[-1:].isdigit() else name for name in re.split(r"[,\s]+", cell)}
        found.update(types & {"Constant" if name == "Const" else name for name in names})
    return found


if __name__ == "__main__":
    print(operations_page(NUMBERS_PAGE.read_text()), end="")  # noqa: T201  # this is what it is for
