"""ReduceMean of 10^8 elements: equal, random, sorted and alternating values, along each kind of axis."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from benchmarks.case import Case
from benchmarks.suites.reduce_mean import mean_case

SHAPES: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((10**8,), (0,)),
    ((10**4, 10**4), (0,)),
    ((10**4, 10**4), (1,)),
    ((100, 10**4, 100), (1,)),
    ((100, 10**4, 100), (0, 2)),
]
Fill = Callable[[tuple[int, ...]], np.ndarray]


def cases() -> Iterator[Case]:
    """Yield each shape with each kind of data."""
    for shape, axes in SHAPES:
        for kind, fill in FILLS.items():
            yield _case(shape, axes, kind, fill)


def _case(shape: tuple[int, ...], axes: tuple[int, ...], kind: str, fill: Fill) -> Case:
    name = f"{kind} {list(shape)} over {list(axes)}"
    case = mean_case(shape, axes, "f32")
    return replace(case, suite="accuracy", name=name, feeds=lambda: {"data": fill(shape)})


def _equal(shape: tuple[int, ...]) -> np.ndarray:
    return np.full(shape, 0.1, np.float32)


def _random(shape: tuple[int, ...]) -> np.ndarray:
    return np.random.default_rng(0).random(shape, dtype=np.float32)


def _sorted(shape: tuple[int, ...]) -> np.ndarray:
    values = _random(shape).reshape(-1)
    values.sort()
    return values.reshape(shape)


def _alternating(shape: tuple[int, ...]) -> np.ndarray:
    values = np.full(shape, 1.1, np.float32).reshape(-1)
    values[1::2] = -1
    return values.reshape(shape)


FILLS: dict[str, Fill] = {"equal": _equal, "random": _random, "sorted": _sorted, "alternating": _alternating}
