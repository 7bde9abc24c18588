"""The table of codes is complete, and its page is fresh."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irrun.diag import CODES, Blocks, Severity
from irrun.diag.page import diagnostics_page, explanation

PACKAGE = Path(__file__).parent.parent.parent / "irrun"
PAGE = PACKAGE.parent / "docs" / "diagnostics.md"


def test_the_page_is_fresh():
    assert PAGE.read_text() == diagnostics_page(), "run: python -m irrun.diag.page > docs/diagnostics.md"


@pytest.mark.parametrize("code", CODES.values(), ids=CODES)
def test_every_code_is_explained(code):
    assert all((code.title, code.means, code.matters, code.example, code.instead))
    assert code.title[0].islower() or code.title[0] == "<"
    assert code.means.endswith(".")
    assert code.matters.endswith(".")
    assert code.id in explanation(code)


def test_every_code_is_used_and_every_used_one_is_there():
    used = set()
    for path in PACKAGE.rglob("*.py"):
        if path.name != "codes.py":
            used |= set(re.findall(r'"(IR\d{3})"', path.read_text()))
    assert used - set(CODES) == set()
    assert set(CODES) - used == set()


def test_contradictions_never_block_but_under_strict():
    for code in CODES.values():
        if code.id.startswith("IR4"):
            assert code.blocks in (Blocks.STRICT, Blocks.NOTHING)
        if code.severity is Severity.WARNING:
            assert code.blocks is Blocks.NOTHING
