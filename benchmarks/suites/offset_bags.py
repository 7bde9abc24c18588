"""EmbeddingBagOffsetsSum: bags of varied lengths, as recommenders have them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.case import Case, Feeds
from benchmarks.elements import DTYPES, random_values
from benchmarks.irtext import Port, one_operation

SIZES = [  # rows, width, batch, most per bag
    (100000, 64, 8192, 63),
    (100000, 16, 8192, 99),
    (10000, 256, 1000, 20),
    (1000, 64, 32, 8),
]


def cases() -> Iterator[Case]:
    """Yield each size in each element type; no bag is empty."""
    for element in ("f32", "f16"):
        for size in SIZES:
            yield _case(size, element)


def _case(size: tuple[int, int, int, int], element: str) -> Case:
    rows, width, batch, most = size
    lengths = np.random.default_rng(0).integers(1, most + 1, batch)
    offsets = (np.cumsum(lengths) - lengths).astype(np.int32)
    count = int(lengths.sum())
    ports = [Port("table", element, (rows, width)), Port("indices", "i32", (count,)), Port("offsets", "i32", (batch,))]

    def feeds() -> Feeds:
        generator = np.random.default_rng(1)
        table = random_values(generator, (rows, width), element)
        return {"table": table, "indices": generator.integers(0, rows, count, dtype=np.int32), "offsets": offsets}

    return Case(
        suite="offset_bags",
        name=f"{element} {list(size)}",
        element=element,
        feeds=feeds,
        model=one_operation("EmbeddingBagOffsetsSum", "opset3", ports, Port("sums", element, (batch, width))),
        constants=b"",
        numpy=_plain,
        exact=_exact,
        moved=count * width * DTYPES[element].itemsize,
        memory=True,
    )


def _plain(feeds: Feeds) -> np.ndarray:
    return np.asarray(np.add.reduceat(feeds["table"][feeds["indices"]], feeds["offsets"], axis=0))


def _exact(feeds: Feeds) -> tuple[np.ndarray, np.ndarray]:
    """Return the sums, and the sums of magnitudes, in f64; the values are not negative, so they are the same."""
    rows = feeds["table"].astype(np.float64)[feeds["indices"]]
    sums = np.asarray(np.add.reduceat(rows, feeds["offsets"], axis=0))
    return sums, sums
