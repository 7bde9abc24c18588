"""Findings as plain data for JSON: objects, lists, texts and numbers, nothing else."""

from __future__ import annotations

import json
from typing import Any

from irrun.diag.codes import Severity
from irrun.diag.finding import Finding, Report
from irrun.source import Place


def render_json(report: Report, version: str) -> str:
    """One object: irrun's version, findings, sorted by place, the examples that were checked, and how many of what
    there are.
    """
    examples = [
        {"title": proof.title, "place": _place(proof.place), "checked": list(proof.checked)} for proof in report.proofs
    ]
    counts = {f"{severity.value}s": report.count(severity) for severity in Severity}
    findings = [finding_data(finding) for finding in report.findings]
    return json.dumps({"irrun": version, "findings": findings, "examples": examples, "summary": counts}, indent=2)


def finding_data(finding: Finding) -> dict[str, Any]:
    """One finding; `place` is null where there is none, its line and column, from 1, where it is a whole file."""
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "message": finding.message,
        "place": _place(finding.place),
        "label": finding.label or None,
        "related": [{"place": _place(label.place), "text": label.text} for label in finding.related],
        "hint": finding.hint,
        "layer": None if finding.layer is None else {"path": finding.layer[0], "id": finding.layer[1]},
    }


def _place(place: Place | None) -> dict[str, Any] | None:
    if place is None:
        return None
    span = place.span
    if span is None:
        return {"file": place.source.name, "line": None, "column": None, "end_line": None, "end_column": None}
    (line, column), (end_line, end_column) = place.source.position(span.start), place.source.position(span.end)
    return {"file": place.source.name, "line": line, "column": column, "end_line": end_line, "end_column": end_column}
