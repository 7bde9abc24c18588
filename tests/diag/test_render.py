"""Each renderer against a golden of its whole output; what a file says of itself stays within its place."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from irrun.diag import Label, Proof, Report
from irrun.diag.render.concise import render_concise
from irrun.diag.render.github import render_github
from irrun.diag.render.json import render_json
from irrun.diag.render.sarif import render_sarif
from irrun.diag.render.text import render_report
from irrun.source import At, Source, Span

GOLDEN = Path(__file__).parent.parent / "golden" / "render"
RENDERERS = {
    "text": render_report,
    "concise": render_concise,
    "json": lambda report: render_json(report, "VERSION"),
    "github": render_github,
    "sarif": lambda report: render_sarif(report, "VERSION"),
}


def report(name: str = "models/m 1.xml") -> Report:
    source = Source(name, '<net name="m">\n  <layer id="é" type="Abs"/>\n\t<port/>\n</net>\n')
    found = Report()
    place = At(source, Span(24, 30))
    related = [Label(At(source, Span(45, 52)), "the other one")]
    found.add("IR102", "a number cannot be read: 100%", place, label="here", related=related, hint="write 1, or 2")
    found.add("IR010", "an ellipsis", At(source, Span(0, 17)))
    found.add("IR119", "two\nlines, and \x1b[31m colour", At(source, Span(46, 51)))
    found.add("IR006", "the file holds no layer", At(source))
    found.add("IR602", "input data is not given")
    found.proofs.append(Proof("Abs-1", At(source, Span(17, 23)), ("read", "shapes")))
    return found


@pytest.mark.parametrize("form", RENDERERS)
def test_golden(form: str):
    path = GOLDEN / f"{form}.golden"
    shown = RENDERERS[form](report()) + "\n"
    assert shown == path.read_text(encoding="utf-8")


HOSTILE = "a,b:c%0A\n::error::x\r\n::set-output name=y::z\x1b[31m\u2028::add-mask::"


def test_github_commands_hold_nothing_of_others():
    found = report(HOSTILE)
    found.add("IR119", HOSTILE, At(Source(HOSTILE, "x"), Span(0, 1)), hint=HOSTILE)
    lines = render_github(found).split("\n")
    assert len(lines) == 6
    for line in lines:
        assert re.fullmatch(r"::(?:error|warning|notice) (?:[A-Za-z]+=[^:,\r\n\x1b]*,?)+::[^\r\n\x1b\u2028]*", line)
        assert not any(other in line[2:].partition("::")[0] for other in ("\n", "::"))


def test_sarif_is_what_code_hosts_want():
    log = json.loads(render_sarif(report(), "1"))
    (run,) = log["runs"]
    assert log["version"] == "2.1.0"
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(ids[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    assert {result["level"] for result in run["results"]} <= {"error", "warning", "note"}
    uris = {
        place["physicalLocation"]["artifactLocation"]["uri"] for each in run["results"] for place in each["locations"]
    }
    assert uris == {"models/m%201.xml"}


def test_empty_reports():
    assert render_concise(Report()) == "no findings"
    assert render_github(Report()) == ""
    assert json.loads(render_sarif(Report(), "1"))["runs"][0]["results"] == []
