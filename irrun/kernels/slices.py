"""How many elements slices have: of an axis, and of one whose extent, start or stop is only known within bounds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

Ends = tuple[int, int]

BEYOND = 1 << 63
"""More than any extent."""


def length(extent: int, start: int | None, stop: int | None, step: int) -> int:
    """How many elements `start:stop:step` takes of an axis."""
    first, last, step = slice(start, stop, step).indices(extent)
    return max(-((first - last) // step), 0)


def length_ends(
    extent: tuple[int, int | None], start: Ends | None, stop: Ends | None, step: int
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
        lengths += [
            length(each, first, last, step)
            for each in (low, *_within(turns, low, high), *([] if high is None else [high]))
        ]
        if high is None:
            far = max([low, *turns]) * 2 + abs(step)
            near_length, far_length = (length(each, first, last, step) for each in (far, far + abs(step)))
            lengths.append(near_length)
            unbounded |= far_length > near_length
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
