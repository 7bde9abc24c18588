"""`irrun explain`: every code, by any usual spelling."""

from __future__ import annotations

import pytest

from irrun.diag import CODES


def test_all_codes_are_listed(irrun):
    lines = irrun("explain").out.splitlines()
    assert [line.split()[0] for line in lines] == list(CODES)
    assert lines[0] == "IR001  error    the file cannot be read"


@pytest.mark.parametrize("text", ["IR401", "ir401", "401"])
def test_a_code(irrun, text):
    ended = irrun("explain", text)
    assert ended.status == 0
    row = CODES["IR401"]
    assert all(words in ended.out for words in (row.title, row.means, row.matters, row.example, row.instead))


def test_several(irrun):
    ended = irrun("explain", "IR401", "IR602")
    assert CODES["IR401"].title in ended.out
    assert CODES["IR602"].title in ended.out


@pytest.mark.parametrize(
    ("text", "said"), [("IR410", "did you mean IR"), ("IR40", "did you mean IR40"), ("nothing", "explain` lists all")]
)
def test_codes_that_are_none(irrun, text, said):
    ended = irrun("explain", text)
    assert (ended.status, ended.out) == (2, "")
    assert said in ended.err
