"""The page of operations is fresh, and says what the registry says."""

from __future__ import annotations

from irrun.ops import REGISTRY, opsets
from irrun.ops.page import NUMBERS_PAGE, description, listing, operations_page, versions_of


def test_every_operation_of_every_opset_has_a_line():
    page = operations_page("")
    assert all(f"\n| {fact.name} | " in page for fact in opsets.FACTS)
    assert len(listing().splitlines()) == len(opsets.FACTS) == 245


def test_differences_are_counted_by_operation():
    table = "| operation | input |\n|---|---|\n| ReduceMean | x |\n| ReduceMean, ReduceSum-1 | y |\n"
    page = operations_page(f"# Numbers\n\n## Where OpenVINO's CPU plugin differs\n\n{table}\n## How fast\n\n{table}")
    assert "| ReduceMean-1 | opset1 to opset16 | yes | [2 rows](" in page
    assert "| ReduceSum-1 | opset1 to opset16 | yes | [1 row](" in page


def test_every_operation_can_be_described():
    for operation in REGISTRY.values():
        lines = description(operation.name).splitlines()
        assert lines[0].startswith(operation.name)
        assert len(lines[1]) > 10, f"{operation.name} has no docstring"
        assert all(any(line.strip().startswith(declared.name) for line in lines) for declared in operation.inputs)


def test_an_operation_that_is_missing():
    missing = next((fact.name for fact in opsets.FACTS if (fact.type, fact.version) not in REGISTRY), None)
    assert missing is None or "irrun does not have it yet" in description(missing)


def test_versions():
    assert versions_of("gather") == ["Gather-1", "Gather-7", "Gather-8"]
    assert versions_of("nothing") == []


def test_the_page_is_fresh():
    page = NUMBERS_PAGE.parent / "operations.md"
    wanted = operations_page(NUMBERS_PAGE.read_text())
    assert page.read_text() == wanted, "run: python -m irrun.ops.page > docs/operations.md"
