"""What a caller sees of a model: its inputs and outputs, and what a run gave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from irrun.diag import Finding
from irrun.types.element import ElementType
from irrun.types.shape import Shape


@dataclass(frozen=True, slots=True)
class Tensor:
    """A model input or output: the name it is known by, all the names it answers to, its element type and partial
    shape.
    """

    name: str
    names: tuple[str, ...]
    element_type: ElementType
    shape: Shape

    def __str__(self) -> str:
        return f"{self.name}: {self.element_type}{self.shape}"


class Results(Mapping[str, np.ndarray]):
    """What a run gave: arrays by output name, in document order; each can also be fetched by its other names or its
    index.

    `findings` are the model's own and those of this run; `types` are the element types by output name.
    """

    def __init__(
        self,
        arrays: Mapping[str, np.ndarray],
        types: Mapping[str, ElementType],
        aliases: Mapping[str, str],
        findings: tuple[Finding, ...],
    ) -> None:
        self._arrays = arrays
        self._aliases = aliases
        self.types = types
        self.findings = findings

    def __getitem__(self, key: str | int) -> np.ndarray:
        if isinstance(key, int):
            return list(self._arrays.values())[key]
        return self._arrays[key if key in self._arrays else self._aliases.get(key, key)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        return f"Results({', '.join(f'{name}: {self.types[name]}{list(array.shape)}' for name, array in self.items())})"
