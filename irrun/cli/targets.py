"""Where --save puts outputs: a directory, an .npz, or one output's .npy; and what may not be written over."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import click

from irrun.cli.feeding import split_at_known
from irrun.diag.render.text import printable
from irrun.save import Saved, Staging, archive_keys, directory_targets, save_directory, save_npy, save_npz

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Target:
    """A `directory`, an `npz` for all outputs, or an `npy` for the output `name`."""

    kind: str
    path: str
    name: str | None = None

    def chosen(self, outputs: Mapping[str, _T]) -> list[_T]:
        """Which of the outputs it takes."""
        return list(outputs.values()) if self.name is None else [outputs[self.name]]

    def paths(self, names: Sequence[str]) -> list[str]:
        """Every file that saving outputs of these names writes."""
        return directory_targets(self.path, names) if self.kind == "directory" else [self.path]

    def files(self, names: Sequence[str]) -> list[str]:
        """The file of each output it takes."""
        if self.kind == "directory":
            return directory_targets(self.path, names)[: len(names)]
        return [self.path] * (len(names) if self.name is None else 1)

    def write(self, staging: Staging, tensors: Mapping[str, Saved]) -> None:
        """Save the outputs it takes."""
        chosen = self.chosen(tensors)
        if self.kind == "directory":
            save_directory(staging, self.path, chosen)
        elif self.kind == "npz":
            keys = archive_keys([tensor.name for tensor in chosen])
            arrays = {key: (tensor.array, tensor.element_type) for key, tensor in zip(keys, chosen, strict=True)}
            save_npz(staging, self.path, arrays)
        else:
            save_npy(staging, self.path, chosen[0].array, chosen[0].element_type)


def parse_target(text: str, known: Callable[[str], bool], key: Callable[[str], str], wanted: Sequence[str]) -> Target:
    """What one --save means: `NAME=FILE.npy` for a known name, `FILE.npz`, `FILE.npy` for an only output, or a folder.

    `key` gives the wanted output that a name stands for.
    """
    found = split_at_known(text, known)
    if found is not None:
        if not found[1].endswith(".npy"):
            raise click.UsageError(f"--save {printable(text)}: one output goes to NAME=FILE.npy")
        return Target("npy", found[1], key(found[0]))
    if text.endswith(".npz"):
        return Target("npz", text)
    if not text.endswith(".npy"):
        return Target("directory", text)
    name, sign, _ = text.partition("=")
    if sign and os.sep not in name:
        raise click.UsageError(f"--save {printable(text)}: there is no output or layer {printable(name)}")
    if len(wanted) != 1:
        names = ", ".join(map(printable, wanted))
        raise click.UsageError(f"--save {printable(text)}: NAME={printable(text)} for one of the outputs {names}")
    return Target("npy", text, wanted[0])


def guard(writes: Sequence[str], reads: Sequence[str]) -> None:
    """Refuse to write over a file that is read, by whatever name or link, and to write one file twice."""
    seen: set[str] = set()
    for path in writes:
        for read in reads:
            if _same(path, read):
                raise click.UsageError(f"{printable(path)} would be written over {printable(read)}, which is read")
        place = os.path.realpath(path)
        if place in seen:
            raise click.UsageError(f"{printable(path)} would be written twice")
        seen.add(place)


def _same(path: str, other: str) -> bool:
    try:
        return os.path.samefile(path, other)
    except (OSError, ValueError):
        return False  # one of them does not exist
