"""What goes to a terminal or a pipe: colours where they are wanted, findings in frames."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TextIO

import click

from irrun.diag import Finding, Report
from irrun.diag.render.text import Style, ansi, plain, render_finding, summary

AT_MOST = 50
"""A run prints no more findings than this; `irrun check` prints them all."""


def style_for(stream: TextIO, color: str) -> Style:
    """Terminal colours or none: `color` is auto, always or never; auto respects NO_COLOR and what the stream is."""
    if color != "auto":
        return ansi if color == "always" else plain
    wanted = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return ansi if wanted else plain


def say(text: str, stream: TextIO | None = None) -> None:
    """Write a line to a stream, stdout by default, with the colours it has."""
    click.echo(text, file=sys.stdout if stream is None else stream, color=True)


def show_findings(findings: Sequence[Finding], color: str, stream: TextIO | None = None) -> None:
    """Findings in frames, then how many there are; to stderr by default."""
    stream = sys.stderr if stream is None else stream
    if not findings:
        return
    style = style_for(stream, color)
    for finding in findings[:AT_MOST]:
        say(f"{render_finding(finding, style)}\n", stream)
    more = len(findings) - AT_MOST
    said = summary(Report(findings))
    say(f"{said}; {more} of them are not shown, `irrun check` shows all" if more > 0 else said, stream)
