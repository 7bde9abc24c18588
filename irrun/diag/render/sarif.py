"""Findings as SARIF 2.1.0, which code hosts and editors import.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from irrun.diag.codes import CODES
from irrun.diag.finding import Finding, Report
from irrun.source import Place

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def render_sarif(report: Report, version: str) -> str:
    """One run, of this version of irrun, with the rules that were broken and a result for each finding."""
    findings = report.findings
    codes = sorted({finding.code for finding in findings})
    driver = {"name": "irrun", "version": version, "rules": [_rule(code) for code in codes]}
    results = [_result(finding, codes.index(finding.code)) for finding in findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=True)


def _rule(code: str) -> dict[str, Any]:
    row = CODES[code]
    help_text = f"{row.matters}\n\nExample: {row.example}\n\nInstead: {row.instead}"
    return {
        "id": code,
        "shortDescription": {"text": row.title},
        "fullDescription": {"text": row.means},
        "help": {"text": help_text},
        "defaultConfiguration": {"level": row.severity.value},
    }


def _result(finding: Finding, index: int) -> dict[str, Any]:
    message = finding.message if finding.hint is None else f"{finding.message} ({finding.hint})"
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": finding.severity.value,
        "message": {"text": message},
        "locations": [] if finding.place is None else [_location(finding.place, finding.label)],
    }
    if finding.related:
        result["relatedLocations"] = [_location(label.place, label.text) for label in finding.related]
    return result


def _location(place: Place, text: str) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(place.source.name)}}
    if place.span is not None:
        line, column = place.source.position(place.span.start)
        end_line, end_column = place.source.position(place.span.end)
        physical["region"] = {
            "startLine": line,
            "startColumn": column,
            "endLine": end_line,
            "endColumn": end_column,
        }
    location: dict[str, Any] = {"physicalLocation": physical}
    return location | {"message": {"text": text}} if text else location


def _uri(name: str) -> str:
    """A file's name as a reference: relative ones stay relative, to wherever the run was."""
    path = PurePath(name)
    encoded = quote(path.as_posix(), safe="/", errors="surrogatepass")
    return f"file://{encoded}" if path.is_absolute() else encoded
