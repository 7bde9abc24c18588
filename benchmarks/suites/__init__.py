"""The suites: each module makes cases; this is the one place that lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.case import Case
from benchmarks.suites import accuracy, bags, graphs, offset_bags, reduce_mean

SUITES: dict[str, Callable[[], Iterator[Case]]] = {
    "reduce_mean": reduce_mean.cases,
    "bags": bags.cases,
    "offset_bags": offset_bags.cases,
    "graphs": graphs.cases,
}
ACCURACY: dict[str, Callable[[], Iterator[Case]]] = {"accuracy": accuracy.cases}
