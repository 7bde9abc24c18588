"""Findings in a line each, as compilers and editors read them: `file:line:column: error[IR401]: message`."""

from __future__ import annotations

from irrun.diag.finding import Report
from irrun.diag.render.text import printable, summary


def render_concise(report: Report) -> str:
    """All findings, sorted by place, then one summary line."""
    lines = []
    for finding in report.findings:
        place = "" if finding.file is None else f"{printable(finding.file)}:"
        if finding.line is not None:
            place += f"{finding.line}:{finding.column}:"
        said = f"{finding.severity}[{finding.code}]: {printable(finding.message)}"
        hint = f" ({printable(finding.hint)})" if finding.hint is not None else ""
        lines.append(f"{place} {said}{hint}".lstrip())
    return "\n".join([*lines, summary(report)])
