"""`irrun ops`: the operations there are, and what one of them takes and gives."""

from __future__ import annotations

import click

from irrun.cli.options import ops_option
from irrun.cli.terminal import say


@click.command("ops", short_help="List the operations, or describe some.")
@click.argument("names", nargs=-1, metavar="[OPERATION]...")
@ops_option
def command(names: tuple[str, ...]) -> None:
    """List the operations of all opsets, or describe some: attributes, inputs, outputs and types.

    \b
    irrun ops
    irrun ops Gather
    irrun ops Gather-8 --ops my_ops.py
    """
    from irrun.ops.page import description, listing

    if not names:
        say(listing())
        return
    say("\n\n".join(description(name) for given in names for name in _versions(given)))


def _versions(given: str) -> list[str]:
    """The versioned names that `Gather` or `Gather-8` stands for."""
    from irrun.ops.opsets import nearest
    from irrun.ops.page import versions_of

    type, _, version = given.partition("-")
    names = [name for name in versions_of(type) if not version or name.partition("-")[2] == version]
    if names:
        return names
    there = ", ".join(versions_of(type))
    near = nearest(type)
    meant = f"; there is {there}" if there else "" if near is None else f"; did you mean {near}?"
    raise click.UsageError(f"there is no operation {given!r}{meant} (`irrun ops` lists all)")
