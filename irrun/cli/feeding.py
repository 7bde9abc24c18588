"""Inputs from the command line: NAME=VALUE, archives, and random numbers for what is not given."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click

from irrun.arrayfile import Archive, ArrayFileError, read_array, split_key
from irrun.diag import Report
from irrun.diag.render.text import printable
from irrun.memory import bytes_of, free_memory, size_text
from irrun.model import Model
from irrun.randomness import random_array
from irrun.results import Tensor
from irrun.types.fact import Fact
from irrun.types.shape import ANY_SHAPE, Shape

_JSON_STARTS = ("[", "{", '"', *"-0123456789")

UNREAD = object()
"""What stands for a value that could not be read; a finding says why."""


class _OutOfRangeError(Exception):
    """A number in JSON that no f64 can hold."""


def split_at_known(text: str, known: Callable[[str], bool], signs: str = "=") -> tuple[str, str] | None:
    """NAME=VALUE at the sign that makes the longest known name, or None; names may hold the sign themselves."""
    for place in range(len(text) - 1, 0, -1):
        if text[place] in signs and known(text[:place]):
            return text[:place], text[place + 1 :]
    return None


class Feeds:
    """The values that feed a model, by the names they were given under, and the files they came from."""

    def __init__(self, model: Model, report: Report, max_memory: int | None) -> None:
        self._inputs = model.inputs
        self._positions: dict[str, int] = {}
        for position, tensor in enumerate(model.inputs):
            for name in tensor.names:
                self._positions.setdefault(name, position)
        self._report = report
        self._limit = max_memory
        self.values: dict[str, Any] = {}
        self.files: list[str] = []
        self.sources: dict[str, str] = {}

    def position(self, name: str) -> int | None:
        """Which input a name addresses: a tensor name, a layer name, or an index where that is no name."""
        position = self._positions.get(name)
        if position is not None:
            return position
        return int(name) if name.isascii() and name.isdecimal() and int(name) < len(self._inputs) else None

    @property
    def given(self) -> dict[int | None, str]:
        """The inputs that have a value, by position, and the name each was given by."""
        return {self.position(name): name for name in self.values}

    # NAME=VALUE

    def add(self, text: str) -> None:
        """Take one --input; what cannot be read is reported."""
        name, value = self._split(text)
        if name in self.values:
            raise click.UsageError(f"input {printable(name)} is given twice")
        position = self.position(name)
        tensor = None if position is None else self._inputs[position]
        read = self.read(name, value) if tensor is None else self.read(name, value, tensor.names, tensor.shape)
        if read is not UNREAD:
            self.values[name] = read
            self.sources[name] = value

    def _split(self, text: str) -> tuple[str, str]:
        found = split_at_known(text, lambda name: self.position(name) is not None)
        if found is None and "=" in text:
            name, _, value = text.partition("=")
            return name, value
        if found is None:
            found = split_at_known(text, lambda name: self.position(name) is not None, ":")
        if found is None and len(self._inputs) == 1:
            return self._inputs[0].name, text
        if found is None:
            raise click.UsageError(f"--input {printable(text)}: NAME=VALUE is expected")
        return found

    def read(self, name: str, text: str, names: Sequence[str] = (), shape: Shape = ANY_SHAPE) -> Any:
        """The value that a text stands for: JSON if it is JSON, else a file; UNREAD, and a finding, if neither."""
        try:
            return json.loads(text, parse_float=_finite)
        except _OutOfRangeError as error:
            self._report.add("IR605", f"{name}: {error} is beyond the range of a number")
            return UNREAD
        except (ValueError, RecursionError) as error:
            no_json = f"it is no JSON either: {error}" if text[:1] in _JSON_STARTS else None
        try:
            array = read_array(text, names, self._most, shape)
        except ArrayFileError as error:
            self._report.add(error.code, f"{name}: {error}", hint=error.hint or no_json)
            return UNREAD
        self.files.append(split_key(text)[0])
        return array

    @property
    def _most(self) -> int | None:
        return free_memory() if self._limit is None else self._limit

    # archives

    def add_archive(self, path: str) -> None:
        """Take every entry of an .npz that has the name of an input, unless that has a value; others are reported."""
        try:
            archive = Archive(path)
            self.files.append(path)
            given = self.given
            for key in archive.keys:
                position = self.position(key)
                if position is None or position not in given:
                    own = None if position is None else self._inputs[position].shape
                    self.values[key] = None if own is None else archive.read(key, self._most, own)
                    self.sources[key] = f"{path}:{key}"
        except ArrayFileError as error:
            self._report.add(error.code, str(error), hint=error.hint)

    # random numbers

    def fill(self, seed: int, needed: Iterable[Tensor]) -> None:
        """Give random numbers to those of the needed inputs that have no value."""
        given = self.given
        wanted = set(needed)
        missing = [
            (place, tensor) for place, tensor in enumerate(self._inputs) if place not in given and tensor in wanted
        ]
        total = sum(bytes_of(Fact(tensor.element_type, tensor.shape)) for _, tensor in missing)
        most = self._most
        if most is not None and total > most:
            listed = ", ".join(str(tensor) for _, tensor in missing)
            said = f"random inputs take {size_text(total)}, the limit is {size_text(most)}: {listed}"
            self._report.add("IR608", said)
            return
        for place, tensor in missing:
            extents = tensor.shape.extents
            if extents is None:
                message = f"input {tensor} cannot be random: not all of its dims are known"
                self._report.add("IR602", message, hint=f"--shape {tensor.name}=DIMS")
            else:
                self.values[tensor.name] = random_array(tensor.element_type, extents, seed, place)
                self.sources[tensor.name] = f"random {seed}"


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise _OutOfRangeError(text[:40])
    return value
