"""One line for each layer as it runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from irrun.cli.describe import statistics_text
from irrun.cli.terminal import say
from irrun.diag.render.text import printable
from irrun.execute import Done
from irrun.model import Model
from irrun.statistics import statistics
from irrun.types.element import DYNAMIC, ElementType, element_type_of
from irrun.types.shape import extents_text


class Follower:
    """Says what each layer took and gave, on stderr: id, name, operation, types and shapes, range, time."""

    def __init__(self) -> None:
        self._types: dict[int, tuple[ElementType, ...]] = {}
        self._width = 0

    def __call__(self, model: Model, done: Done) -> None:
        """Say it of a layer that was just computed."""
        layer = done.layer
        self._types[layer.id] = done.types
        call = model.call(layer.id)
        taken = [self._types[value[0]][value[1]] for value in call.inputs if value is not None]
        inputs, outputs = _listed(taken, done.inputs), _listed(done.types, done.outputs)
        said = f"{layer.id:>4} {printable(layer.name)}  {done.operation}  {inputs + ' -> ' if inputs else ''}{outputs}"
        ranges = [statistics_text(known) for array in done.outputs if (known := statistics(array)) and known.count]
        say("  ".join([said, *(each for each in ranges if each), f"{done.seconds * 1e3:.3f} ms"]), sys.stderr)


def _listed(types: Sequence[ElementType], arrays: Sequence[np.ndarray]) -> str:
    shown = []
    for type, array in zip(types, arrays, strict=False):
        known = type if type is not DYNAMIC else element_type_of(array.dtype)
        shown.append(f"{known or array.dtype}{extents_text(array.shape)}")
    return ", ".join(shown)
