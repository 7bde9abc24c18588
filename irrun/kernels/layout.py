"""How an array lies in memory, as far as a reduction cares: what is kept, what is reduced, and where to cut it."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

Box = tuple[slice, ...]

# A kept innermost axis is not cut below this: narrower boxes would use a part of each cache line and page.
NARROWEST = 1024
# Cuts fall on multiples of these, largest first, so that the blocks inside a box come out whole.
GRAINS = (32768, 1024, 32)


@dataclass(frozen=True, slots=True)
class Layout:
    """An array with its axes in memory order, size-1 axes dropped and neighbours of one kind merged.

    `view` has one axis per entry of `kept`, which says whether that axis stays in the result. One always does, if only
    of size 1, so that no partial result is a scalar.
    """

    view: np.ndarray
    kept: tuple[bool, ...]
    sizes: tuple[int, ...]  # the array's kept axes in memory order, size-1 axes left out
    order: tuple[int, ...]  # where each of them stands in the array
    flipped: tuple[bool, ...]  # and whether it runs backwards

    @property
    def result_shape(self) -> tuple[int, ...]:
        """The shape of what is left of `view` when its reduced axes are gone."""
        return tuple(size for size, keep in zip(self.view.shape, self.kept, strict=True) if keep)

    def restore(self, result: np.ndarray) -> np.ndarray:
        """Bring a result of `result_shape` into the order of the array's own kept axes."""
        if not any(self.flipped) and self.order == tuple(sorted(self.order)):
            return result
        apart = result.reshape(self.sizes)
        apart = apart[tuple(slice(None, None, -1 if flipped else 1) for flipped in self.flipped)]
        return apart.transpose(np.argsort(self.order))


def lay_out(data: np.ndarray, axes: tuple[int, ...]) -> Layout:
    """Describe non-empty `data` for a reduction over `axes`, without copying it."""
    long = [axis for axis, size in enumerate(data.shape) if size != 1]
    order = sorted(long, key=lambda axis: -abs(data.strides[axis]))
    view = data.transpose(order + [axis for axis, size in enumerate(data.shape) if size == 1])
    view = view.reshape(view.shape[: len(order)])
    flipped = tuple(stride < 0 for stride in view.strides)
    if any(flipped):
        view = view[tuple(slice(None, None, -1 if back else 1) for back in flipped)]
    kept = tuple(axis not in axes for axis in order)
    merged, merged_kept = merge(view, kept)
    if not any(merged_kept):
        merged, merged_kept = merged[np.newaxis], (True, *merged_kept)
    places = [place for place, keep in enumerate(kept) if keep]
    return Layout(
        merged,
        merged_kept,
        tuple(view.shape[place] for place in places),
        tuple(order[place] for place in places),
        tuple(flipped[place] for place in places),
    )


def merge(view: np.ndarray, kept: tuple[bool, ...]) -> tuple[np.ndarray, tuple[bool, ...]]:
    """Merge neighbouring axes of one kind wherever that needs no copy."""
    shape: list[int] = []
    kinds: list[bool] = []
    outer = 0
    for size, stride, keep in zip(view.shape, view.strides, kept, strict=True):
        if kinds and kinds[-1] == keep and outer == stride * size:
            shape[-1] *= size
        else:
            shape.append(size)
            kinds.append(keep)
        outer = stride
    return (view if len(shape) == view.ndim else view.reshape(shape)), tuple(kinds)


def alternates(kept: tuple[bool, ...]) -> bool:
    """Tell whether no two neighbouring axes are of one kind."""
    return all(left != right for left, right in itertools.pairwise(kept))


def cut(shape: tuple[int, ...], kept: tuple[bool, ...], elements: int, outputs: int) -> list[list[Box]]:
    """Cut `shape` into boxes of about `elements` elements with at most about `outputs` results each.

    Boxes that add to the same results stand in one inner list, in the order in which they are combined. Kept axes
    are cut first, the outermost first; reduced ones where the boxes would still be too large. Shapes alone decide.
    """
    steps = list(shape)
    keeping = [axis for axis, keep in enumerate(kept) if keep]
    for axis in keeping:
        results = math.prod(steps[at] for at in keeping)
        steps[axis] = _step(steps[axis], results, outputs, 1)
    for axis in keeping + [axis for axis, keep in enumerate(kept) if not keep]:
        narrowest = NARROWEST if axis == len(shape) - 1 else 1
        steps[axis] = _step(steps[axis], math.prod(steps), elements, narrowest)
    pieces = [_slices(size, step) for size, step in zip(shape, steps, strict=True)]
    along_kept = itertools.product(*(pieces[axis] for axis in keeping))
    reduced = [axis for axis, keep in enumerate(kept) if not keep]
    groups = []
    for results_box in along_kept:
        group = []
        for reduced_box in itertools.product(*(pieces[axis] for axis in reduced)):
            box = dict(zip(keeping, results_box, strict=True)) | dict(zip(reduced, reduced_box, strict=True))
            group.append(tuple(box[axis] for axis in range(len(shape))))
        groups.append(group)
    return groups


def _step(size: int, total: int, limit: int, narrowest: int) -> int:
    """Shorten an axis of `size` so that a box of `total` comes down to about `limit`."""
    if total <= limit:
        return size
    step = max(narrowest, size * limit // total, 1)
    grain = next((grain for grain in GRAINS if step >= grain), 1)
    return min(size, step // grain * grain)


def _slices(size: int, step: int) -> list[slice]:
    return [slice(start, min(start + step, size)) for start in range(0, size, step)]
