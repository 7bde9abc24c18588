"""`irrun check`: every finding about models, fragments and pages, and nothing is run but the examples they print."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from irrun import __version__
from irrun.cli.options import color_option, ops_option, weights_option
from irrun.cli.status import ExitStatus
from irrun.cli.terminal import say, style_for
from irrun.diag import CODES, Finding, Report, Severity
from irrun.diag.render.text import place_text, printable, render_finding, summary

if TYPE_CHECKING:
    from irrun.check import Target

_NEVER = "never"
UNREADABLE = ("IR001",)
"""Codes of files whose bytes cannot be had at all."""

FORMATS = ("text", "concise", "json", "github", "sarif")
_MANY = 20
"""More files than this get a progress bar."""


def _codes(_: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """The beginnings of codes, each of which begins one at least."""
    given = [code.strip().upper() for value in values for code in value.split(",") if code.strip()]
    for code in given:
        if not any(known.startswith(code) for known in CODES):
            raise click.BadParameter(f"there is no code that begins with {printable(code)}", param=parameter)
    return tuple(given)


@click.command("check")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(allow_dash=True))
@weights_option
@click.option("--select", multiple=True, callback=_codes, metavar="CODES", help="Only these: IR4, or IR401,IR402.")
@click.option("--ignore", multiple=True, callback=_codes, metavar="CODES", help="All but these: IR010, or IR1.")
@click.option(
    "--fail-on",
    type=click.Choice([*(severity.value for severity in Severity), _NEVER]),
    default=Severity.ERROR.value,
    show_default=True,
    help="Exit with 1 if there are findings of this severity, or a worse one.",
)
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How to print.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("-v", "--verbose", is_flag=True, help="Say for each example what was checked: read, shapes, numbers.")
@ops_option
@color_option
@click.pass_context
def command(
    context: click.Context,
    /,
    paths: tuple[str, ...],
    weights: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str,
    form: str,
    as_json: bool,
    verbose: bool,
    color: str,
) -> None:
    """Print everything that is wrong with models, fragments and pages.

    A PATH is an IR file, a file with bare layers, or a Markdown, reStructuredText or text page with examples; a
    directory, in which files without IR are passed over; a pattern; or `-` for stdin. An example whose comments give
    all its inputs and an output is run, and compared.

    \b
    irrun check model.xml
    irrun check docs/ models/*.xml --fail-on warning
    irrun check --verbose page.md --ignore IR010
    irrun check --format sarif . > irrun.sarif

    Exit code 0: nothing at or above --fail-on; 1: findings; 2: a file cannot be read.
    """
    from irrun.check import targets

    form = "json" if as_json else form
    files = targets(paths)
    reports = _checked(files, weights, select, ignore)
    whole, count = Report(), 0
    for report in reports:
        count += 1
        whole.extend(report.findings)
        whole.proofs += report.proofs
        if form == "text":
            _show(report, color, verbose=verbose)
    _finish(whole, form, count, verbose=verbose, named=len(files) == 1)
    context.exit(_status(whole.findings, fail_on))


def _checked(
    files: Sequence[Target], weights: str | None, select: tuple[str, ...], ignore: tuple[str, ...]
) -> Iterator[Report]:
    """A report for each file that holds IR, of the findings that are wanted."""
    from irrun.check import check_target

    with _progress(files) as bar:
        for target in bar:
            report = check_target(target, weights=weights)
            if report is None:
                continue
            wanted = Report(
                finding
                for finding in report.findings
                if (not select or finding.code.startswith(select)) and not (ignore and finding.code.startswith(ignore))
            )
            wanted.proofs = report.proofs
            yield wanted


@contextmanager
def _progress(files: Sequence[Target]) -> Iterator[Iterator[Target]]:
    """A bar on stderr, where there are many files and somebody looks on, but does not read the findings there."""
    if len(files) <= _MANY or not sys.stderr.isatty() or sys.stdout.isatty():
        yield iter(files)
        return
    with click.progressbar(files, label="checking", file=sys.stderr) as bar:
        yield iter(bar)


def _show(report: Report, color: str, *, verbose: bool) -> None:
    style = style_for(sys.stdout, color)
    for finding in report.findings:
        say(f"{render_finding(finding, style)}\n")
    if verbose:
        for proof in report.proofs:
            say(f"{place_text(proof.place)}: {printable(proof.title)}: {', '.join(proof.checked)}")


def _finish(whole: Report, form: str, count: int, *, verbose: bool, named: bool) -> None:
    """The summary, or the whole report in another format."""
    if form == "concise":
        from irrun.diag.render.concise import render_concise

        say(render_concise(whole))
    elif form == "json":
        from irrun.diag.render.json import render_json

        say(render_json(whole, __version__))
    elif form == "github":
        from irrun.diag.render.github import render_github

        if len(whole):
            say(render_github(whole))
    elif form == "sarif":
        from irrun.diag.render.sarif import render_sarif

        say(render_sarif(whole, __version__))
    else:
        of = "" if named and count == 1 else f"{count} file{'s' if count != 1 else ''}: "
        say(f"{of}{summary(whole)}{_proofs(whole) if verbose else ''}")


def _proofs(report: Report) -> str:
    """`; 5 examples read, 5 with shapes, 1 with numbers`."""
    examples = len(report.proofs)
    shapes, numbers = (sum(part in proof.checked for proof in report.proofs) for part in ("shapes", "numbers"))
    return f"; {examples} example{'s' if examples != 1 else ''} read, {shapes} with shapes, {numbers} with numbers"


def _status(findings: Sequence[Finding], fail_on: str) -> ExitStatus:
    if any(finding.code in UNREADABLE for finding in findings):
        return ExitStatus.UNUSABLE
    if fail_on == _NEVER:
        return ExitStatus.OK
    least = Severity(fail_on).rank
    return ExitStatus.FAILED if any(finding.severity.rank <= least for finding in findings) else ExitStatus.OK
