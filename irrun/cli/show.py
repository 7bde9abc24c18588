"""`irrun show`: a model as a list, one line a layer."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from irrun.cli.options import InputShape, color_option, ops_option, shape_option, weights_option
from irrun.cli.status import ExitStatus
from irrun.cli.terminal import say, show_findings, style_for

if TYPE_CHECKING:
    from irrun.model import Model


@click.command("show", short_help="List the layers of a model, one line each.")
@click.argument("model", type=click.Path(allow_dash=True), metavar="MODEL")
@weights_option
@shape_option
@ops_option
@color_option
@click.pass_context
def command(
    context: click.Context, model: str, weights: str | None, shapes: tuple[InputShape, ...], color: str
) -> None:
    """List the layers of MODEL in the order in which they run, with types and shapes as they are inferred.

    \b
    irrun show model.xml
    irrun show model.xml --shape data=1,3,224,224
    irrun show model.xml | grep ReduceMean

    A line is: id, name, operation(inputs), attributes -> outputs. Small constants, and other values that are known
    before the model runs, stand beside their shapes. Findings are counted on stderr; `irrun check` prints them.

    Exit code 0: it is shown, whatever is wrong with it; 1: nothing can be made of it; 2: usage, or it cannot be read.
    """
    from irrun.cli.job import opened, shapes_of
    from irrun.cli.listing import listing
    from irrun.cli.outcome import UNREADABLE
    from irrun.diag import IRError, Report
    from irrun.pipeline import open_model

    try:
        opened_model: Model = open_model(opened(model), Report(), weights=weights, shapes=shapes_of(shapes))
    except IRError as error:
        show_findings(error.findings, color)
        unreadable = any(finding.code in UNREADABLE for finding in error.findings)
        context.exit(ExitStatus.UNUSABLE if unreadable else ExitStatus.FAILED)
    say("\n".join(listing(opened_model, style_for(sys.stdout, color))))
    sys.stdout.flush()
    _count(opened_model, model)


def _count(model: Model, name: str) -> None:
    """How many findings there are, and the first few of the errors."""
    from irrun.diag import Report, Severity
    from irrun.diag.render.text import printable, summary

    if not model.findings:
        return
    errors = [finding for finding in model.findings if finding.severity is Severity.ERROR]
    for finding in errors[:3]:
        say(f"error[{finding.code}]: {printable(finding.message)}", sys.stderr)
    say(f"{summary(Report(model.findings))}; `irrun check {printable(name)}` prints them", sys.stderr)
