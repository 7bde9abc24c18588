"""The engine of every reduction: cut the array into boxes, reduce each, combine what belongs together, finish.

Which boxes there are depends on the shape alone and boxes are combined in their order, so the number of threads
never shows in the result.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import numpy as np

from irrun.kernels.layout import Box, Layout, cut
from irrun.kernels.parallel import WORTH_SHARING, share

# Of two pieces the caller's is this part of the work: the helper starts one hand-off later.
FIRST_OF_TWO = 0.62


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
    quiet: whether floating-point errors before `finish` are no news.
    sweep: what is tried before, on an array as its layout has it; it may give None.
    elements, outputs: how large a box is at most; nanoseconds: what an element costs on one thread;
    threads: how many take part at most, where each needs memory of its own.
    """

    per_block: PerBlock
    combine: Callable[[list[np.ndarray]], np.ndarray]
    finish: Callable[[np.ndarray], np.ndarray]
    again: Blocks | None = None
    settled: Callable[[np.ndarray], bool] = _finite
    sweep: Callable[[np.ndarray], np.ndarray | None] | None = None
    quiet: bool = True
    elements: int = 1 << 22
    outputs: int = 1 << 16
    nanoseconds: float = 0.15
    threads: int = 64


def blocked(view: np.ndarray, layout: Layout, how: Blocks, dtype: np.dtype) -> np.ndarray:
    """Reduce an array, seen as its layout has it, to the layout's `result_shape`."""
    if how.sweep is not None and (swept := how.sweep(view)) is not None:
        return swept.reshape(layout.result_shape)
    seconds = view.size * how.nanoseconds * 1e-9
    elements = for_two(view.size, how.elements) if seconds >= WORTH_SHARING else how.elements
    groups = cut(view.shape, layout.kept, elements, how.outputs)
    work = _Work(view, layout.kept, how, groups, np.empty(layout.result_shape, dtype))
    share(work.reduce, len(work.places), seconds, how.threads)
    work.complete()
    return work.result


class _Work:
    """One reduction: its boxes by group, and the partial results so far."""

    def __init__(
        self, view: np.ndarray, kept: tuple[bool, ...], how: Blocks, groups: list[list[Box]], result: np.ndarray
    ) -> None:
        self.result = result
        self.places = [(group, turn) for group, boxes in enumerate(groups) for turn in range(len(boxes))]
        self._view = view
        self._kept = kept
        self._how = how
        self._groups = groups
        self._partials: list[list[np.ndarray | None]] = [[None] * len(boxes) for boxes in groups]
        self._caller = threading.get_ident()

    def reduce(self, piece: int) -> None:
        """Reduce one box, and finish it if it is the only one of its group.

        Where there are two boxes, as in work of less than a millisecond, the caller alone makes the short calls of
        finishing: those of two threads would wait for one another.
        """
        group, turn = self.places[piece]
        with self._errors():
            self._partials[group][turn] = self._how.per_block(self._view[self._groups[group][turn]], self._kept)
        alone = len(self._groups[group]) == 1
        if alone and (len(self.places) > 2 or threading.get_ident() == self._caller):
            self._finish(group)

    def complete(self) -> None:
        """Finish the groups that are left when all boxes are reduced."""
        for group, partials in enumerate(self._partials):
            if partials:
                self._finish(group)

    def _finish(self, group: int) -> None:
        """Combine the partial results of one group and write its part of the result."""
        how, boxes = self._how, self._groups[group]
        partials = [partial for partial in self._partials[group] if partial is not None]
        self._partials[group] = []
        with self._errors():
            total = partials[0] if len(partials) == 1 else how.combine(partials)
            if how.again is not None and not how.settled(total):
                how = how.again
                total = how.combine([how.per_block(self._view[box], self._kept) for box in boxes])
        part = self.result[tuple(place for place, keep in zip(boxes[0], self._kept, strict=True) if keep)]
        part[...] = how.finish(total).reshape(part.shape)

    def _errors(self) -> AbstractContextManager[None]:
        return np.errstate(all="ignore") if self._how.quiet else nullcontext()


def for_two(size: int, elements: int) -> int:
    """Return how large boxes are, at most `elements`, so that two threads end at about the same time."""
    pairs = math.ceil(size / (2 * elements))
    return min(elements, math.ceil(FIRST_OF_TWO * size)) if pairs == 1 else math.ceil(size / (2 * pairs))
