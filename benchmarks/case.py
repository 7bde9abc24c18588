"""What is measured: one model with its inputs, and what it should give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Feeds = dict[str, np.ndarray]


@dataclass(frozen=True, slots=True)
class Case:
    """One row of a table.

    feeds makes the model's inputs, in document order. model, constants: the IR and its .bin. numpy is the plain
    expression over the feeds. exact gives the result in f64 and the magnitude that an ulp is taken of. moved: bytes
    that the operation must at least read. large: left out by --quick. peers: further ones, by name.
    """

    suite: str
    name: str
    element: str
    feeds: Callable[[], Feeds]
    model: str
    constants: bytes
    numpy: Callable[[Feeds], np.ndarray]
    exact: Callable[[Feeds], tuple[np.ndarray, np.ndarray]]
    moved: int
    large: bool = False
    memory: bool = False
    note: str = ""
    peers: Mapping[str, Callable[[Feeds], Callable[[], Any]]] = field(default_factory=dict)
