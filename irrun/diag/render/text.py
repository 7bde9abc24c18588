"""Findings for people: a headline, the place, and a frame with the span underlined, as compilers show them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from irrun.diag.codes import Severity
from irrun.diag.finding import Finding, Label, Report
from irrun.source import Place, Source, Span

FRAME_COLUMNS = 100
_CONTEXT_COLUMNS = 30
"""Of a line too long for a frame, this much before the span is shown."""

Style = Callable[[str, str], str]


def plain(text: str, _style: str) -> str:
    """No colours at all."""
    return text


def ansi(text: str, style: str) -> str:
    """Terminal colours: `style` is a severity's name, `place` or `bold`."""
    number = {"error": "1;31", "warning": "1;33", "note": "1;36", "place": "34", "bold": "1"}[style]
    return f"\x1b[{number}m{text}\x1b[0m"


def printable(text: str) -> str:
    """The text with every control, format and line-separating character written as an escape."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    return repr(char)[1:-1] if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def render_finding(finding: Finding, style: Style = plain) -> str:
    """One finding: headline, frames, hint; no line end."""
    severity = str(finding.severity)
    headline = style(f"{severity}[{finding.code}]", severity) + style(f": {printable(finding.message)}", "bold")
    labels = [] if finding.place is None else [(Label(finding.place, finding.label), "-->", "^")]
    labels += [(label, ":::", "-") for label in finding.related]
    lines = [headline]
    for label, arrow, mark in labels:
        lines += _frame(label, arrow, mark, severity if mark == "^" else "place", style)
    if finding.hint is not None:
        lines.append(f"   {style('=', 'place')} hint: {printable(finding.hint)}")
    return "\n".join(lines)


def place_text(place: Place) -> str:
    """`file:line:column`, or the file alone where no span is known."""
    name = printable(place.source.name)
    if place.span is None:
        return name
    line, column = place.source.position(place.span.start)
    return f"{name}:{line}:{column}"


def _frame(label: Label, arrow: str, mark: str, colour: str, style: Style) -> list[str]:
    place = label.place
    head = f"  {style(arrow, 'place')} {place_text(place)}"
    if place.span is None:
        return [head + (f": {printable(label.text)}" if label.text else "")]
    number, _ = place.source.position(place.span.start)
    shown, start, length = _clipped(place.source, place.source.line(number), place.span)
    gutter = str(number)
    blank = " " * len(gutter)
    bar = style("|", "place")
    under = " " * _width(shown[:start]) + style(mark * max(_width(shown[start : start + length]), 1), colour)
    said = f" {printable(label.text)}" if label.text else ""
    return [head, f" {blank} {bar}", f" {style(gutter, 'place')} {bar} {shown}", f" {blank} {bar} {under}{said}"]


def _clipped(source: Source, line: Span, span: Span) -> tuple[str, int, int]:
    """At most FRAME_COLUMNS of a line around a span, control characters replaced one for one: what is shown, and where
    the span starts in it and how long it is.
    """
    first = line.start
    if line.end - line.start > FRAME_COLUMNS:
        first = max(line.start, span.start - _CONTEXT_COLUMNS)
    last = min(first + FRAME_COLUMNS, line.end)
    before, after = "…" if first > line.start else "", "…" if last < line.end else ""
    part = source.text[first:last]
    safe = "".join(
        char if char.isprintable() else " " if char == "\t" else "\N{REPLACEMENT CHARACTER}" for char in part
    )
    length = min(span.end, last) - span.start
    return before + safe + after, span.start - first + len(before), max(length, 1)


def _width(text: str) -> int:
    """How many terminal columns a text takes."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def render_report(report: Report, style: Style = plain) -> str:
    """All findings, sorted by place, then one summary line."""
    blocks = [render_finding(finding, style) for finding in report.findings]
    return "\n\n".join([*blocks, summary(report)])


def summary(report: Report) -> str:
    """`2 errors, 1 warning`, or `no findings`."""
    counts = [(report.count(severity), severity.value) for severity in Severity]
    said = [f"{count} {word}{'s' if count != 1 else ''}" for count, word in counts if count]
    return ", ".join(said) or "no findings"
