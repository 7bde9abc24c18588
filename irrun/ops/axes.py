"""Axes as operations take them: negative ones counted from the end, refused where there is no such axis.

What depends on an axis that is not known is what all its possible values have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from functools import reduce as fold

import numpy as np

from irrun.ops.declare import OpError
from irrun.types.fact import Fact
from irrun.types.shape import Shape

Shapes = Sequence[Shape]


def axis_in(axis: int, rank: int, *, at: str = "axis", against: str | None = "data") -> int:
    """The axis counted from the start; raises OpError for one outside [-rank, rank - 1]."""
    if -rank <= axis < rank:
        return axis % rank
    of = f"{against} " if against else ""
    allowed = f"[{-rank}, {rank - 1}] for {of}of rank {rank}" if rank else f"any: {of}is a scalar, of rank 0"
    raise OpError(f"axis {axis} is outside {allowed}", at=at, against=against)


def axes_in(axes: np.ndarray, rank: int, *, at: str = "axes", against: str | None = "data") -> tuple[int, ...]:
    """The axes as they are given, counted from the start; raises OpError where one is out of range."""
    if axes.ndim > 1:
        raise OpError(f"{at} is {axes.ndim}-D; a scalar or 1-D tensor is expected", at=at, kind="rank")
    return _counted(tuple(axes.reshape(-1).tolist()), rank, at, against)


@lru_cache(maxsize=1024)
def _counted(axes: tuple[int, ...], rank: int, at: str, against: str | None) -> tuple[int, ...]:
    return tuple([axis_in(axis, rank, at=at, against=against) for axis in axes])


def only_axis(axis: np.ndarray, rank: int, *, at: str = "axis", against: str | None = "data") -> int:
    """The axis that a tensor of one element names, counted from the start."""
    return axis_in(int(axis.item()), rank, at=at, against=against)


def expect_scalar(fact: Fact, name: str, *, or_1d: bool = False) -> None:
    """Raise OpError unless a tensor may be a scalar, or, with `or_1d`, a 1-D tensor of one element."""
    if fact.rank == 0 or fact.dims is None:
        return
    if not (or_1d and fact.rank == 1 and fact.dims[0].admits(1)):
        wanted = "a scalar or a 1-D tensor of one element" if or_1d else "a scalar"
        raise OpError(f"{name} is {fact.shape}; {wanted} is expected", at=name, kind="rank")


def expect_1d(fact: Fact, name: str, *, or_scalar: bool = False) -> None:
    """Raise OpError unless a tensor may be 1-D, or, with `or_scalar`, a scalar."""
    if fact.rank is not None and fact.rank != 1 and not (or_scalar and fact.rank == 0):
        wanted = "a scalar or 1-D tensor" if or_scalar else "a 1-D tensor"
        raise OpError(f"{name} is {fact.shape}; {wanted} is expected", at=name, kind="rank")


def over_axes(axis: Fact, rank: int, shapes_of: Callable[[int], Shapes], *, at: str = "axis", least: int = 0) -> Shapes:
    """The shapes for an axis of `rank`, from `least` on; for one that is not known, what they have in common for all.

    Raises OpError where the axis is out of range, or where `shapes_of` does for every one of them.
    """
    if axis.value is not None:
        return shapes_of(only_axis(axis.value, rank, at=at))
    possible: list[Shapes] = []
    refused: OpError | None = None
    for place in range(least, rank):
        try:
            possible.append(shapes_of(place))
        except OpError as error:
            refused = refused or error
    if not possible:
        raise refused or OpError(f"there is no axis: the rank is {rank}", at=at, kind="rank")
    return fold(lambda a, b: [one.join(other) for one, other in zip(a, b, strict=True)], possible)
