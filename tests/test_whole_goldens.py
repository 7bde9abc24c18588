"""Goldens: models that carry their findings as comments on their lines, `expect IR401:9` for a finding at column 9."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irrun import check_ir
from irrun.diag import CODES
from tests.models import AXES

GOLDEN = Path(__file__).parent / "golden"
WHOLE = sorted((GOLDEN / "whole").glob("*.xml"))
_EXPECT = re.compile(r"<!-- expect ((?:IR\d{3}(?::\d+)? ?)+)-->")

ELSEWHERE = {
    "IR001": "no file at all: tests/cli",
    "IR004": "bytes that are no text: tests/ir/test_reader.py",
    "IR005": "a file that is no XML: tests/ir/test_reader.py",
    "IR304": "needs an operation with patterns: tests/ops/cases/sparse.py, and the model cases",
    "IR501": "needs that no weights are there: tests/ir/test_reader.py",
    "IR505": "needs other weights: tests/types/test_packing.py",
}
"""Codes whose models are not one text with one .bin, and where they are held instead; IR6xx come from runs."""


def expected(text: str) -> list[tuple[str, int, int | None]]:
    """The code, line and column (None where the reader of XML chooses it) of each finding that a text announces."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        for match in _EXPECT.finditer(line):
            for item in match[1].split():
                code, _, column = item.partition(":")
                found.append((code, number, int(column) if column else None))
    return sorted(found, key=lambda item: (item[1], item[2] or 0, item[0]))


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_golden(path: Path):
    text = path.read_text()
    wanted = expected(text)
    columns = {(code, line): column for code, line, column in wanted}
    found = [
        (finding.code, finding.line, None if columns.get((finding.code, finding.line), 0) is None else finding.column)
        for finding in check_ir(text=text, weights=AXES)
    ]
    assert sorted(found, key=lambda item: (item[1], item[2] or 0, item[0])) == wanted


def test_every_code_of_whole_ir_has_a_golden():
    held = {code for path in WHOLE for code, _, _ in expected(path.read_text())}
    fragments_and_runs = {code for code in CODES if code.startswith(("IR01", "IR02", "IR03", "IR6", "IR7"))}
    assert set(CODES) - held - set(ELSEWHERE) - fragments_and_runs == set()
    assert set(ELSEWHERE) - set(CODES) == set()
