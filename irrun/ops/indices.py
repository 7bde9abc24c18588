"""Indices as operations take them: counted from the end or not, refused outside an axis."""

from __future__ import annotations

from enum import Enum

import numpy as np

from irrun.kernels.indexing import as_places, first_of, within
from irrun.kernels.notice import notice
from irrun.ops.declare import OpError


class Negative(Enum):
    """What a negative index is."""

    COUNTS = "counts from the end"
    SAID = "counts from the end, though the page has no negative indices"
    REFUSED = "outside"


def places_in(indices: np.ndarray, extent: int, negative: Negative, axis: int = 0) -> np.ndarray:
    """The places on an axis that indices mean; raises OpError, with position and value, for one outside it."""
    places = as_places(indices)
    if within(places, 0, extent):
        return places
    low = 0 if negative is Negative.REFUSED else -extent
    if not within(places, low, extent):
        position = first_of((places < low) | (places >= extent))
        message = f"index {indices[position]} at {list(position)} is outside axis {axis} of {extent} elements"
        hint = f"indices are from {low} to {extent - 1}" if extent else None
        raise OpError(message, at="indices", against="data", hint=hint)
    if negative is Negative.SAID:
        say_counted(places)
    return np.where(places < 0, places + extent, places)


def say_counted(places: np.ndarray) -> None:
    """Say that a negative index counts from the end where the page does not."""
    position = first_of(places < 0)
    notice(f"index {places[position]} at {list(position)} counts from the end; the page has no negative indices")
