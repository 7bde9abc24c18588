"""Findings as workflow commands, which GitHub shows at the lines of a pull request.

What a file says of itself cannot become a command of its own: whatever ends a line, a property or a command is escaped.

https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
"""

from __future__ import annotations

from irrun.diag.codes import Severity
from irrun.diag.finding import Finding, Report
from irrun.diag.render.text import printable

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render_github(report: Report) -> str:
    """A command for each finding, sorted by place."""
    return "\n".join(map(_command, report.findings))


def _command(finding: Finding) -> str:
    properties = {"title": f"{finding.code}: {finding.rule.title}"}
    if finding.file is not None:
        properties["file"] = finding.file
    if finding.place is not None and finding.place.span is not None:
        line, column = finding.place.source.position(finding.place.span.start)
        end_line, end_column = finding.place.source.position(finding.place.span.end)
        properties |= {"line": str(line), "col": str(column)}
        if end_line == line:  # GitHub takes columns only within one line
            properties["endColumn"] = str(end_column)
    hint = "" if finding.hint is None else f"\nhint: {printable(finding.hint)}"
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {listed}::{_data(printable(finding.message) + hint)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(printable(text)).replace(":", "%3A").replace(",", "%2C")
