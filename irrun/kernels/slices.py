"""How many elements slices have: of an axis, and of one whose extent, start or stop is only known within bounds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

Ends = tuple[int, int]

BEYOND = 1 << 63
"""More than any extent."""


def clamped(start: int | None, extent: int, step: int) -> int | None:
    """A start before the first element, moved to it; forwards Python does so, on the way back it takes nothing."""
    return start if start is None or step > 0 else max(start, -extent)


def length(extent: int, start: int | None, stop: int | None, step: int, *, clamp: bool = False) -> int:
    """How many elements `start:stop:step` takes of an axis, as Python slices, or with the start clamped both ways."""
    start = clamped(start, extent, step) if clamp else start
    first, last, step = slice(start, stop, step).indices(extent)
    return max(-((first - last) // step), 0)


def length_ends(
    extent: tuple[int, int | None], start: Ends | None, stop: Ends | None, step: int, *, clamp: bool = False
) -> tuple[int, int | None]:
    """The least and the greatest number of elements of `start:stop:step`, None for no greatest.

    `extent`, `start` and `stop` are the least and the greatest they may be; a start or stop of None is none.
    """
    low, high = extent
    lengths: list[int] = []
    unbounded = False
    for first, last in product(_corners(start), _corners(stop)):
        turns = [abs(end) for end in (first, last) if end is not None]
        # Between these extents the length only rises or only falls.
        extents = [low, *_within(turns, low, high)]
        if high is not None:
            extents.append(high)
        else:
            far = max([low, *turns]) * 2 + abs(step)
            extents.append(far)
            unbounded |= length(far + abs(step), first, last, step) > length(far, first, last, step)
        lengths += [length(each, first, last, step, clamp=clamp) for each in extents]
    return min(lengths), None if unbounded or max(lengths) >= BEYOND - 1 else max(lengths)


def _corners(ends: Ends | None) -> Iterator[int | None]:
    """The ends, and those beside 0: a negative position counts from the other side."""
    if ends is None:
        yield None
        return
    yield from {ends[0], ends[1], *(place for place in (-1, 0) if ends[0] <= place <= ends[1])}


def _within(turns: list[int], low: int, high: int | None) -> Iterator[int]:
    for turn in turns:
        for each in (turn - 1, turn, turn + 1):
            if low <= each and (high is None or each <= high):
                yield each
