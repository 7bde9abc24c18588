"""The engine of every reduction: cut the array into boxes, reduce each, combine what belongs together, finish.

Which boxes there are depends on the shape alone and boxes are combined in their order, so the number of threads
never shows in the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from irrun.kernels.layout import Box, Layout, cut
from irrun.kernels.parallel import WORTH_SHARING, share

# Of two pieces the caller's is this part of the work: the helper starts one hand-off later.
FIRST_OF_TWO = 0.6


PerBlock = Callable[[np.ndarray, tuple[bool, ...]], np.ndarray]


def _finite(total: np.ndarray) -> bool:
    return bool(np.isfinite(total).all())


@dataclass(frozen=True, slots=True)
class Blocks:
    """How an array of one element type is reduced block by block.

    per_block: a box and which of its axes are kept -> its partial result, in the accumulator's type.
    combine: the partial results of one group, in order -> one.
    finish: a combined result -> the values asked for, in the array's type.
    again: what to do instead with a group whose combined result is not settled, or None; settled: by default, finite.
    elements, outputs: how large a box is at most; nanoseconds: what an element costs on one thread;
    threads: how many take part at most, where each needs memory of its own.
    """

    per_block: PerBlock
    combine: Callable[[list[np.ndarray]], np.ndarray]
    finish: Callable[[np.ndarray], np.ndarray]
    again: Blocks | None = None
    settled: Callable[[np.ndarray], bool] = _finite
    elements: int = 1 << 22
    outputs: int = 1 << 16
    nanoseconds: float = 0.15
    threads: int = 64


def blocked(view: np.ndarray, layout: Layout, how: Blocks, dtype: np.dtype) -> np.ndarray:
    """Reduce an array, seen as its layout has it, to the layout's `result_shape`."""
    kept = layout.kept
    seconds = view.size * how.nanoseconds * 1e-9
    elements = for_two(view.size, how.elements) if seconds >= WORTH_SHARING else how.elements
    groups = cut(view.shape, kept, elements, how.outputs)
    result = np.empty(layout.result_shape, dtype)
    places = [(group, turn) for group in range(len(groups)) for turn in range(len(groups[group]))]
    partials: list[list[np.ndarray | None]] = [[None] * len(group) for group in groups]

    def work(piece: int) -> None:
        group, turn = places[piece]
        with np.errstate(all="ignore"):
            partial = how.per_block(view[groups[group][turn]], kept)
        if len(groups[group]) == 1:
            _settle(view, kept, how, groups[group], [partial], result)
        else:
            partials[group][turn] = partial

    share(work, len(places), seconds, how.threads)
    for boxes, parts in zip(groups, partials, strict=True):
        if len(boxes) > 1:
            _settle(view, kept, how, boxes, [part for part in parts if part is not None], result)
    return result


def for_two(size: int, elements: int) -> int:
    """Return how large boxes are, at most `elements`, so that two threads end at about the same time."""
    pairs = math.ceil(size / (2 * elements))
    return min(elements, math.ceil(FIRST_OF_TWO * size)) if pairs == 1 else math.ceil(size / (2 * pairs))


def _settle(
    view: np.ndarray,
    kept: tuple[bool, ...],
    how: Blocks,
    group: list[Box],
    partials: list[np.ndarray],
    result: np.ndarray,
) -> None:
    """Combine the partial results of one group and write its part of the result."""
    with np.errstate(all="ignore"):
        total = partials[0] if len(partials) == 1 else how.combine(partials)
        if how.again is not None and not how.settled(total):
            how = how.again
            total = how.combine([how.per_block(view[box], kept) for box in group])
    part = result[tuple(place for place, keep in zip(group[0], kept, strict=True) if keep)]
    part[...] = how.finish(total).reshape(part.shape)
