"""What is certain of a result's elements, from the least and the greatest that each element of the inputs may be.

An operation that is monotone in its inputs is computed by its own kernel where the inputs make it least, and where they
make it greatest. An end that is open is tried with two far values: what differs then is open in the result too. An open
end is taken for a dim's: what is made of it does not wrap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from irrun.kernels.notice import listening
from irrun.ops import Operation
from irrun.types.dim import LIMIT
from irrun.types.fact import Fact
from irrun.types.shape import Shape

# One is odd and one is even, so that sums, differences and products with whatever wraps differ modulo 2^64 as well.
FAR = ((1 << 63) - 1, 1 << 62)
NEAR = 1 << 31  # no extent is larger: within it, the sums and products of one step do not wrap

_Pair = tuple[np.ndarray, np.ndarray]  # an end as it is with either far value


@dataclass(frozen=True, slots=True)
class _Ends:
    """What an input is where the result is least and where it is greatest; `at` puts a value for an open end."""

    least: np.ndarray
    greatest: np.ndarray

    def at(self, upper: bool, far: int) -> np.ndarray:
        end = self.greatest if upper else self.least
        return np.where(end >= LIMIT, far, np.where(end <= -LIMIT, -far, end))


def bounded(
    operation: Operation, inputs: Sequence[Fact | None], attributes: Mapping[str, Any], facts: Sequence[Fact]
) -> list[Fact]:
    """The facts of the outputs with what is certain of their elements."""
    ends = _input_ends(operation, inputs)
    if ends is None:
        return list(facts)
    try:
        with listening(), np.errstate(all="ignore"):
            low, high = (_both(operation, ends, attributes, upper) for upper in (False, True))
    except Exception:  # noqa: BLE001  # at one of its ends, which need not be what the run will meet
        return list(facts)
    vast = any(fact is not None and _is_vast(fact) for fact in inputs)
    return [_with_bounds(fact, *each, vast=vast) for fact, *each in zip(facts, low, high, strict=False)]


def _input_ends(operation: Operation, inputs: Sequence[Fact | None]) -> list[_Ends | np.ndarray | None] | None:
    """The ends of each input, or its value where that has to be known; None where nothing follows."""
    signs = operation.monotone or ""
    ends: list[_Ends | np.ndarray | None] = []
    for place, fact in enumerate(inputs):
        sign = signs[min(place, len(signs) - 1)]
        known = None if fact is None else fact.value if sign == "=" else _interval(fact)
        if fact is not None and known is None:
            return None
        if fact is None or known is None or sign == "=":
            ends.append(fact.value if fact is not None else None)
            continue
        least, greatest = _near(*known)
        ends.append(_Ends(greatest, least) if sign == "-" else _Ends(least, greatest))
    if "*" in signs and any(fact is not None and _may_be_negative(fact) for fact in inputs):
        return None
    return ends


def _interval(fact: Fact) -> tuple[np.ndarray, np.ndarray] | None:
    """The ends of each element; of integers of which nothing is known but how many there are, open ends."""
    known = fact.interval
    if known is not None or not fact.type.is_integer:
        return known
    extents = fact.shape.extents
    return None if extents is None else (np.full(extents, -LIMIT), np.full(extents, LIMIT))


def _near(least: np.ndarray, greatest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ends without magnitudes that a step could wrap: farther out they are open, farther in they come near."""
    least = np.where(least < -NEAR, -LIMIT, np.minimum(least, NEAR))
    greatest = np.where(greatest > NEAR, LIMIT, np.maximum(greatest, -NEAR))
    return least, greatest


def _is_vast(fact: Fact) -> bool:
    """Whether an element is known to reach a magnitude so large that arithmetic of it with an extent may wrap."""
    if fact.interval is None:
        return False
    ends = np.stack(fact.interval)
    near = 1 << (fact.type.bits // 2 - 1)
    vast = (ends > near) | (ends < -near)
    if fact.value is None:  # among mere bounds, these are open ends
        vast &= (ends != LIMIT) & (ends != -LIMIT)
    return bool(vast.any())


def _may_be_negative(fact: Fact) -> bool:
    return fact.interval is None or bool((fact.interval[0] < 0).any())


def _both(
    operation: Operation, ends: Sequence[_Ends | np.ndarray | None], attributes: Mapping[str, Any], upper: bool
) -> list[_Pair]:
    """Each output at one end, computed with either of the far values."""
    results = []
    for far in FAR:
        arrays = [each.at(upper, far) if isinstance(each, _Ends) else each for each in ends]
        result = operation.apply(arrays, attributes)
        results.append(operation.outputs_of(result))
    return [(np.asarray(a), np.asarray(b)) for a, b in zip(*results, strict=True)]


def _with_bounds(fact: Fact, lows: _Pair, highs: _Pair, *, vast: bool) -> Fact:
    """The fact with these ends of its elements; where the two far values made a difference, the end is open."""
    low, high = lows[0], highs[0]
    if low.dtype.kind not in "iub" or not fact.shape.admits(low.shape):
        return fact
    shape = Shape.of(*low.shape)
    if low.dtype.kind == "b":
        return replace(fact, shape=shape, value=low) if np.array_equal(low, high) else fact
    below, above = lows[0] != lows[1], highs[0] != highs[1]
    low = np.where(below, -LIMIT, low.astype(np.int64))
    high = np.where(above, LIMIT, high.astype(np.int64))
    wraps = _may_wrap(fact, low, high)
    if vast:
        wraps |= (below & ~_moved(lows, -1)) | (above & ~_moved(highs, 1))
    low, high = np.where(wraps, -LIMIT, low), np.where(wraps, LIMIT, high)
    if np.array_equal(low, high):
        return replace(fact, shape=shape, value=low.astype(fact.type.dtype))
    if (low == -LIMIT).all() and (high == LIMIT).all():
        return replace(fact, shape=shape)
    return replace(fact, shape=shape, bounds=(low, high))


def _moved(ends: _Pair, sign: int) -> np.ndarray:
    """Where an end is the far value itself, and so nothing was made of it."""
    return (ends[0] == sign * FAR[0]) & (ends[1] == sign * FAR[1])


def _may_wrap(fact: Fact, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Where an element may not fit its type; an upper end that is open fits 32 bits."""
    if not fact.type.is_integer:
        return high < low
    least, greatest = fact.type.limits
    beyond = (high > min(greatest, LIMIT)) & ((high < LIMIT) | (fact.type.bits < 32))
    return (low < max(least, -LIMIT)) | beyond | (high < low)
