"""`irrun check`: every finding about models, fragments and pages, and what mends them; nothing is run but the examples
they print.
"""

from __future__ import annotations

import os
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
@click.option("--fix", is_flag=True, help="Rewrite what has one right answer, in place, and print what is left.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: also what changes the numbers of a model.")
@click.option("--diff", "as_diff", is_flag=True, help="Print what --fix would change, and change nothing.")
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
    fix: bool,
    unsafe_fixes: bool,
    as_diff: bool,
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
    irrun check --diff model.xml

    --fix fills in and corrects dims and precisions as they are inferred, types with one near spelling, the size of a
    Const, and what keeps a fragment from being XML. White space, comments and the order of attributes stay.

    Exit code 0: nothing at or above --fail-on, or with --diff nothing to change; 1: findings, or changes; 2: a file
    cannot be read.
    """
    from irrun.check import targets

    if unsafe_fixes and not (fix or as_diff):
        raise click.UsageError("--unsafe-fixes goes with --fix or --diff")
    if fix and "-" in paths:
        raise click.UsageError("--fix needs a file to write; for stdin there is --diff")
    form = "json" if as_json else form
    files = targets(paths)
    asked = _Asked(weights, select, ignore, fix=fix or as_diff, unsafe=unsafe_fixes, diff=as_diff)
    whole, count = Report(), 0
    for report in asked.reports(files):
        count += 1
        whole.take(report)
        if form == "text" and not as_diff:
            _show(report, color, verbose=verbose)
    if as_diff:
        context.exit(max(asked.fixed > 0, _status(whole.findings, _NEVER)))
    _finish(whole, form, count, verbose=verbose, named=len(files) == 1, fixed=asked.fixed if fix else None)
    context.exit(_status(whole.findings, fail_on))


class _Asked:
    """What is wanted of each file: which findings, and whether to mend."""

    def __init__(
        self,
        weights: str | None,
        select: tuple[str, ...],
        ignore: tuple[str, ...],
        *,
        fix: bool,
        unsafe: bool,
        diff: bool,
    ) -> None:
        self._weights = weights
        self._select = select
        self._ignore = ignore
        self._fix = fix
        self._unsafe = unsafe
        self._diff = diff
        self.fixed = 0

    def reports(self, files: Sequence[Target]) -> Iterator[Report]:
        """A report for each file that holds IR, of the findings that are wanted."""
        with _progress(files) as bar:
            for target in bar:
                report = self._mended(target) if self._fix else self._checked(target)
                if report is None:
                    continue
                wanted = Report()
                wanted.take(report, lambda finding: self._is_wanted(finding.code))
                yield wanted

    def _is_wanted(self, code: str) -> bool:
        return (not self._select or code.startswith(self._select)) and not (
            self._ignore and code.startswith(self._ignore)
        )

    def _checked(self, target: Target) -> Report | None:
        from irrun.check import check_target

        return check_target(target, weights=self._weights)

    def _mended(self, target: Target) -> Report | None:
        """Mend a file, or show how it would be."""
        from irrun.check import is_passed_over
        from irrun.mend import diff, mend_file

        if is_passed_over(target):
            return None
        before, mended = mend_file(target.path, weights=self._weights, unsafe=self._unsafe, wanted=self._is_wanted)
        self.fixed += mended.count
        if mended.data != before:
            if self._diff:
                name = "<stdin>" if target.path == "-" else target.path
                click.echo(diff(name, before, mended.data), nl=False)
            else:
                _rewrite(target.path, mended.data)
        return mended.report


def _rewrite(path: str, data: bytes) -> None:
    """Put new bytes into a file at once, or leave the old ones; a link stays a link, and permissions stay."""
    from irrun.save import SaveError, Staging

    path = os.path.realpath(path)
    try:
        mode = os.stat(path).st_mode
        with Staging() as staging, staging.open(path) as file:
            file.write(data)
        os.chmod(path, mode)
    except SaveError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(str(SaveError(path, error.strerror or str(error)))) from None


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


def _finish(whole: Report, form: str, count: int, *, verbose: bool, named: bool, fixed: int | None) -> None:
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
        fixes = f"; {fixed} fixed" if fixed else ""
        if fixed is None and _fixable(whole):
            fixes = "; --fix mends some of it"
        say(f"{of}{summary(whole)}{fixes}{_proofs(whole) if verbose else ''}")


def _fixable(report: Report) -> bool:
    """Whether a safe fix mends a finding."""
    found = {finding.code for finding in report}
    return any(fix.safe and fix.code in found and fix.make() for fix in report.fixes)


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
