"""What the options of several commands are, and how their values are read; nothing here imports NumPy."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import click

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?", re.IGNORECASE | re.ASCII)
_DIM = r"(?:\?|-1|\d{1,19}|\d{1,19}\.\.\d{0,19}|\.\.\d{1,19})"
_DIMS = rf"\s*(?:{_DIM}\s*(?:,\s*{_DIM}\s*)*|\.\.\.\s*)?"
_SHAPE = re.compile(rf"(.+?)(?:[:=]?\[({_DIMS})\]|=({_DIMS}))", re.ASCII | re.DOTALL)


class MemorySize(click.ParamType):
    """A number of bytes: `2GiB`, `512MiB`, `1.5GB`, `1000000`; a unit without B counts in 1024s."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The bytes."""
        if isinstance(value, int):
            return value
        match = _SIZE.fullmatch(value.strip())
        if match is None:
            self.fail(f"{value!r} is no number of bytes, such as 2GiB or 512MiB", param, ctx)
        number, unit, binary = match.groups()
        decimal = value.strip()[-1:] in "bB" and not binary
        return int(float(number) * (1000 if decimal else 1024) ** " kmgt".index(unit.lower() or " "))


class InputShape(NamedTuple):
    """What --shape says: the name of an input, and its dims as text."""

    name: str
    dims: str


class ShapeOption(click.ParamType):
    """`NAME=6,12,10,24`, `NAME[6,12,10,24]` or `NAME:[6,12,10,24]`; a dim is a number, `?` or `a..b`."""

    name = "name=dims"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> InputShape:
        """The name and the dims."""
        if isinstance(value, InputShape):
            return value
        match = _SHAPE.fullmatch(value)
        if match is None:
            self.fail(f"{value!r} is no NAME=DIMS, such as data=1,3,?,2..8", param, ctx)
        return InputShape(match[1], match[2] if match[2] is not None else match[3])


color_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Colours in what is printed; auto respects NO_COLOR.",
)

weights_option = click.option(
    "--weights",
    type=click.Path(exists=True, dir_okay=False, readable=True),
    metavar="FILE",
    help="The .bin that holds the constants; without it, the one beside MODEL with the same stem.",
)

shape_option = click.option(
    "--shape",
    "shapes",
    type=ShapeOption(),
    multiple=True,
    metavar="NAME=DIMS",
    help="Fix dims that an input leaves open: data=6,12,?,2..8; also data[6,12,?,2..8].",
)


def _load(_: click.Context, parameter: click.Parameter, files: tuple[str, ...]) -> None:
    """Load the operations that these files declare."""
    if not files:
        return
    from irrun.ops.own import OwnOperationsError, load_operations

    for file in files:
        try:
            load_operations(file)
        except OwnOperationsError as error:
            raise click.BadParameter(str(error), param=parameter) from None


ops_option = click.option(
    "--ops",
    type=click.Path(exists=True, dir_okay=False, readable=True),
    multiple=True,
    metavar="FILE.py",
    callback=_load,
    expose_value=False,
    help="Your own operations: a Python file that declares them with irrun.ops.op. It is run.",
)
