"""Findings as people see them."""

from __future__ import annotations

import io

import pytest

from irrun import IRError, load_ir
from irrun.diag import Finding, Label, Report
from irrun.diag.render.text import FRAME_COLUMNS, ansi, printable, render_finding, render_report
from irrun.source import At, Source, Span
from tests.models import AXES, MEAN, changed


def test_a_finding_with_frames_and_hint():
    text = "<a>\n  <port id='1'/>\n  <port id='2'/>\n</a>"
    source = Source("m.xml", text)
    second, first = text.index("<port id='2'"), text.index("<port id='1'")
    place, other = At(source, Span(second, second + 14)), At(source, Span(first, first + 14))
    finding = Finding("IR304", "they differ", place, "[3,4]", (Label(other, "indices is [3,2]"),), "make them equal")
    assert str(finding) == (
        "error[IR304]: they differ\n"
        "  --> m.xml:3:3\n"
        "   |\n"
        " 3 |   <port id='2'/>\n"
        "   |   ^^^^^^^^^^^^^^ [3,4]\n"
        "  ::: m.xml:2:3\n"
        "   |\n"
        " 2 |   <port id='1'/>\n"
        "   |   -------------- indices is [3,2]\n"
        "   = hint: make them equal"
    )


def test_an_error_prints_its_findings():
    text = changed(MEAN, ('id="3" name="out"', 'id="3"'))
    with pytest.raises(IRError) as raised:
        load_ir(io.BytesIO(text.encode()), weights=AXES)
    assert "error[IR101]" in str(raised.value)
    assert "lacks the attribute name" in str(raised.value)


def test_frames_of_one_long_line_are_clipped():
    text = "x" * 10_000 + "<port/>" + "y" * 10_000_000
    finding = Finding("IR101", "m", At(Source("m.xml", text), Span(10_000, 10_007)))
    lines = str(finding).split("\n")
    assert max(map(len, lines)) < FRAME_COLUMNS + 20
    column = lines[3].index("<port/>")
    assert lines[4][column : column + 7] == "^" * 7
    assert (finding.line, finding.column) == (1, 10_001)


def test_control_characters_are_shown_not_sent():
    source = Source("m\x1b.xml", "<a b='\x1b[31m\x07'/>")
    finding = Finding("IR105", "\x1b[2J bell\x07 \u202e", At(source, Span(3, 12)), "\x9b")
    for style in ("plain", "ansi"):
        shown = render_finding(finding) if style == "plain" else render_finding(finding, ansi)
        rest = shown.replace("\x1b[1;33m", "").replace("\x1b[0m", "").replace("\x1b[34m", "").replace("\x1b[1m", "")
        assert all(char.isprintable() or char == "\n" for char in rest)


def test_printable():
    assert printable("a\tb\n\x1b é😀") == "a\\tb\\n\\x1b é😀"


def test_wide_characters_keep_the_underline_in_place():
    source = Source("m.xml", "漢字 <x/>")
    lines = str(Finding("IR103", "m", At(source, Span(3, 7)))).split("\n")
    assert lines[4].index("^") == lines[3].index("<x/>") + 2


def test_a_report_counts():
    report = Report()
    assert render_report(report) == "no findings"
    report.add("IR103", "one")
    report.add("IR101", "two")
    report.add("IR101", "three")
    assert str(report).endswith("2 errors, 1 warning")
    assert not report.ok
    assert [finding.code for finding in report] == ["IR101", "IR101", "IR103"]
