"""The shared XML mutants: what irrun makes of each stands in mutants.txt, and every finding has its exact place.

A line of mutants.txt is what must happen, the codes of all findings, and the mutant's label:

- `runs`: the meaning is clear, and nothing is said (or that a type is spelt unusually);
- `finding`: OpenVINO ignores something; it runs, and something is said;
- `error`: OpenVINO refuses it, guesses, or takes what is no XML; nothing runs.
"""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from irrun.diag import Finding, IRError, Report
from irrun.pipeline import open_text
from irrun.results import Tensor
from irrun.types.dim import Dim

TABLE = Path(__file__).with_name("mutants.txt")
TOO_LARGE = 1 << 30
"""Nobody feeds a Parameter of more elements: such a mutant is only loaded."""


class Wanted(NamedTuple):
    outcome: str
    codes: tuple[str, ...]
    label: str


def _wanted() -> list[Wanted]:
    rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()]
    return [Wanted(outcome, tuple(codes.split()), label) for outcome, codes, label in rows]


@pytest.fixture(scope="module")
def mutants(shared) -> dict[str, dict[str, Any]]:
    cases = json.loads((shared / "oracle" / "read_cases.json").read_text())["cases"]
    return {case["label"]: case for case in cases}


def test_every_mutant_is_in_the_table_once(mutants):
    assert Counter(row.label for row in _wanted()) == Counter(list(mutants))


def test_what_openvino_refuses_is_an_error(mutants):
    refused = {label for label, case in mutants.items() if case["outcome"] != "accept"}
    lenient = {row.label for row in _wanted() if row.outcome != "error"}
    # No array of 2^66 elements exists: the wrong port dims are said, and there is nothing to run.
    assert refused & lenient == {"param shape='4294967296,4294967296,4'"}


@pytest.mark.parametrize("row", _wanted(), ids=[f"{place}" for place, _ in enumerate(_wanted())])
def test_mutant(mutants, row: Wanted):
    case = mutants[row.label]
    text = base64.b64decode(case["xml"]["base64"]) if isinstance(case["xml"], dict) else case["xml"].encode()
    ran, findings = _outcome(text, case["bin_hex"])
    assert (ran, tuple(dict.fromkeys(finding.code for finding in findings))) == (row.outcome != "error", row.codes)
    if row.outcome == "runs":
        assert set(row.codes) <= {"IR205"}
    else:
        assert findings
    for finding in findings:
        _check_place(finding)


def _outcome(text: bytes, stored: str | None) -> tuple[bool, Sequence[Finding]]:
    """Whether the model runs on zeros, and all findings."""
    report = Report()
    beside = {"weights": None, "directory": Path("absent.xml")}
    if stored is not None:
        beside = {"weights": bytes.fromhex(stored), "directory": None}
    try:
        model = open_text("mutant.xml", text, report, **beside)
        model.require()
        shapes = [_extents(tensor) for tensor in model.inputs]
        if all(np.prod(shape, dtype=object) < TOO_LARGE for shape in shapes):
            feeds = [
                np.zeros(shape, tensor.element_type.dtype) for shape, tensor in zip(shapes, model.inputs, strict=True)
            ]
            return True, model.run(dict(enumerate(feeds))).findings
        return True, report.findings
    except IRError as error:
        return False, Report({*report.findings, *error.findings}).findings


def _extents(tensor: Tensor) -> list[int]:
    """Extents that the input admits."""

    def extent(dim: Dim) -> int:
        return dim.low if dim.low > 1 or dim.is_static else 2 if dim.admits(2) else dim.low

    return [extent(dim) for dim in tensor.shape.dims or ()]


def _check_place(finding: Finding) -> None:
    """The finding stands in the text; one about the document itself stands on a tag or an attribute."""
    assert finding.place is not None
    assert finding.line is not None
    assert finding.column is not None
    text = finding.place.source.text
    span = finding.place.span
    assert span is not None
    assert 0 <= span.start <= len(text)
    before = re.split(r"\r\n|\n|\r", text[: span.start])
    assert (finding.line, finding.column) == (len(before), len(before[-1]) + 1)
    if finding.code >= "IR006":
        assert re.match(r"<[A-Za-z]|[A-Za-z_][\w.-]*\s*=", text[span.start :])
