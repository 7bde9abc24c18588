"""`irrun explain`: what a code means."""

from __future__ import annotations

import difflib

import click

from irrun.cli.terminal import say
from irrun.diag.codes import CODES, Code
from irrun.diag.page import explanation


@click.command("explain", short_help="Explain what a finding means.")
@click.argument("codes", nargs=-1, metavar="[CODE]...")
def command(codes: tuple[str, ...]) -> None:
    """Explain what a finding means; without a code, list all of them.

    \b
    irrun explain IR401
    irrun explain 401 602
    """
    if not codes:
        say("\n".join(f"{code.id}  {code.severity.value:<7}  {code.title}" for code in CODES.values()))
        return
    say("\n\n\n".join([explanation(_code(text)) for text in codes]))


def _code(text: str) -> Code:
    name = text.upper() if text.upper().startswith("IR") else f"IR{text}"
    if name in CODES:
        return CODES[name]
    near = difflib.get_close_matches(name, CODES, 3, 0.6)
    meant = f"; did you mean {', '.join(near)}?" if near else ""
    raise click.UsageError(f"there is no code {text!r}{meant} (`irrun explain` lists all)")
