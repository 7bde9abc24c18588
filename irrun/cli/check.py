"""`irrun check`: every finding about a model, and nothing is run."""

from __future__ import annotations

import sys

import click

from irrun.cli.options import color_option, ops_option, weights_option
from irrun.cli.status import ExitStatus
from irrun.cli.terminal import say, style_for
from irrun.diag import Finding, Report, Severity
from irrun.diag.render.text import render_finding, summary

_NEVER = "never"
UNREADABLE = ("IR001",)
"""Codes of files whose bytes cannot be had at all."""


@click.command("check", short_help="Print everything that is wrong with models.")
@click.argument("models", nargs=-1, required=True, type=click.Path(), metavar="MODEL...")
@weights_option
@click.option(
    "--fail-on",
    type=click.Choice([*(severity.value for severity in Severity), _NEVER]),
    default=Severity.ERROR.value,
    show_default=True,
    help="Exit with 1 if there are findings of this severity, or a worse one.",
)
@ops_option
@color_option
@click.pass_context
def command(context: click.Context, models: tuple[str, ...], weights: str | None, fail_on: str, color: str) -> None:
    """Print everything that is wrong with models; nothing is run.

    \b
    irrun check model.xml
    irrun check models/*.xml --fail-on warning

    Exit code 0: nothing at or above --fail-on; 1: findings; 2: a file cannot be read.
    """
    from irrun.check import check_ir

    style = style_for(sys.stdout, color)
    findings: list[Finding] = []
    for model in models:
        report = check_ir(model, weights=weights)
        findings += report.findings
        for finding in report:
            say(f"{render_finding(finding, style)}\n")
    of = "" if len(models) == 1 else f"{len(models)} files: "
    say(of + summary(Report(findings)))
    context.exit(_status(findings, fail_on))


def _status(findings: list[Finding], fail_on: str) -> ExitStatus:
    if any(finding.code in UNREADABLE for finding in findings):
        return ExitStatus.UNUSABLE
    if fail_on == _NEVER:
        return ExitStatus.OK
    least = Severity(fail_on).rank
    return ExitStatus.FAILED if any(finding.severity.rank <= least for finding in findings) else ExitStatus.OK
