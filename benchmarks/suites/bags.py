"""EmbeddingBagPackedSum: tables that fit a cache and that do not, with and without weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.case import Case, Feeds
from benchmarks.elements import DTYPES, random_values
from benchmarks.irtext import Port, one_operation

SIZES = [  # rows, width, batch, per bag
    (100000, 64, 4096, 32),
    (1000000, 64, 4096, 32),
    (100000, 128, 8192, 20),
    (100000, 16, 8192, 50),
    (10000, 768, 512, 64),
    (1000, 256, 64, 8),
    (5, 2, 3, 2),
]
LARGE = 1 << 24  # elements of the table


def cases() -> Iterator[Case]:
    """Yield each size in each element type, with each type of index, with and without weights."""
    for element in ("f32", "f16"):
        for size in SIZES:
            for index in ("i32", "i64"):
                for weighted in (False, True):
                    yield _case(size, element, index, weighted=weighted)


def _case(size: tuple[int, int, int, int], element: str, index: str, *, weighted: bool) -> Case:
    rows, width, batch, per_bag = size
    ports = [Port("table", element, (rows, width)), Port("indices", index, (batch, per_bag))]
    if weighted:
        ports.append(Port("weights", element, (batch, per_bag)))

    def feeds() -> Feeds:
        generator = np.random.default_rng(0)
        made = {"table": random_values(generator, (rows, width), element)}
        made["indices"] = generator.integers(0, rows, (batch, per_bag), dtype=DTYPES[index])
        if weighted:
            made["weights"] = random_values(generator, (batch, per_bag), element)
        return made

    return Case(
        suite="bags",
        name=f"{element} {index} {list(size)}{' weights' if weighted else ''}",
        element=element,
        feeds=feeds,
        model=one_operation("EmbeddingBagPackedSum", "opset3", ports, Port("sums", element, (batch, width))),
        constants=b"",
        numpy=_plain,
        exact=_exact,
        moved=batch * per_bag * width * DTYPES[element].itemsize,
        large=rows * width >= LARGE,
        memory=True,
        peers={"torch": _torch},
    )


def _plain(feeds: Feeds) -> np.ndarray:
    gathered = feeds["table"][feeds["indices"]]
    if "weights" in feeds:
        gathered = gathered * feeds["weights"][..., np.newaxis]
    return np.asarray(gathered.sum(1))


def _exact(feeds: Feeds) -> tuple[np.ndarray, np.ndarray]:
    """Return the sums, and the sums of magnitudes, in f64; the values are not negative, so they are the same."""
    table, indices = feeds["table"], feeds["indices"]
    sums = np.zeros((len(indices), math.prod(table.shape[1:])))
    for step in range(indices.shape[1]):
        rows = table[indices[:, step]].astype(np.float64)
        sums += rows * feeds["weights"][:, step, np.newaxis].astype(np.float64) if "weights" in feeds else rows
    return sums, sums


def _torch(feeds: Feeds) -> Callable[[], Any]:
    import torch  # type: ignore[import-not-found]

    table = torch.from_numpy(feeds["table"])
    indices = torch.from_numpy(feeds["indices"])
    weights = torch.from_numpy(feeds["weights"]) if "weights" in feeds else None
    return lambda: torch.nn.functional.embedding_bag(indices, table, mode="sum", per_sample_weights=weights).numpy()
