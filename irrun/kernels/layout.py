"""How an array lies in memory, as far as a reduction cares: what is kept, what is reduced, and where to cut it."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

Box = tuple[slice, ...]

# A kept innermost axis is not cut below this: narrower boxes would use a part of each cache line and page.
NARROWEST = 4096
# So few results may be held once for each box.
FEW_RESULTS = 4096
# Cuts fall on multiples of these, largest first, so that the blocks inside a box come out whole.
GRAINS = (32768, 1024, 32)
GRAINS_IN_A_STEP = 4


@dataclass(frozen=True, slots=True)
class Layout:
    """The axes of an array in memory order, size-1 axes dropped and neighbours of one kind merged.

    shape, kept: of each such axis its size, and whether it stays in the result. One always does, if only of size 1,
    so that no partial result is a scalar. unit: whether elements lie next to each other along the last axis.
    rows: whether rows of the last axis do so too. contiguous: whether all elements do. result_shape: what is left when
    the reduced axes are gone.
    """

    shape: tuple[int, ...]
    kept: tuple[bool, ...]
    unit: bool
    rows: bool
    contiguous: bool
    result_shape: tuple[int, ...]
    _straight: bool  # whether the array's axes are in memory order already, none of them backwards
    _order: tuple[int, ...]  # the array's axes in memory order, those of size 1 last
    _backwards: tuple[bool, ...]  # which of the array's axes run backwards
    _kept_sizes: tuple[int, ...]  # the array's kept axes in memory order
    _kept_order: tuple[int, ...]  # how to bring them into the array's order
    _kept_backwards: tuple[bool, ...]

    def view(self, data: np.ndarray) -> np.ndarray:
        """Look at the array as this layout has it."""
        if self._straight:
            return data.reshape(self.shape)
        if any(self._backwards):
            data = data[tuple(slice(None, None, -1 if back else 1) for back in self._backwards)]
        return data.transpose(self._order).reshape(self.shape)

    def restore(self, result: np.ndarray) -> np.ndarray:
        """Bring a result of `result_shape` into the order of the array's own kept axes, size-1 axes left out."""
        if self._straight:
            return result
        apart = result.reshape(self._kept_sizes)
        apart = apart[tuple(slice(None, None, -1 if back else 1) for back in self._kept_backwards)]
        return apart.transpose(self._kept_order)


def lay_out(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int, axes: tuple[int, ...]) -> Layout:
    """Describe a non-empty array, by its shape and strides in bytes, for a reduction over `axes`."""
    order = sorted((axis for axis, size in enumerate(shape) if size != 1), key=lambda axis: -abs(strides[axis]))
    sizes = [shape[axis] for axis in order]
    steps = [abs(strides[axis]) for axis in order]
    merged, merged_steps, kept = _merged(sizes, steps, [axis not in axes for axis in order])
    if not any(kept):
        merged, merged_steps, kept = [1, *merged], [0, *merged_steps], [True, *kept]
    keeping = [axis for axis in order if axis not in axes]
    unit = merged_steps[-1] == itemsize
    return Layout(
        shape=tuple(merged),
        kept=tuple(kept),
        unit=unit,
        rows=unit and (len(merged) < 2 or merged_steps[-2] == itemsize * merged[-1]),
        contiguous=all(
            size == 1 or step == itemsize * math.prod(merged[place + 1 :])
            for place, (size, step) in enumerate(zip(merged, merged_steps, strict=True))
        ),
        result_shape=tuple(size for size, keep in zip(merged, kept, strict=True) if keep),
        _straight=order == sorted(order) and all(strides[axis] >= 0 for axis in order),
        _order=(*order, *(axis for axis, size in enumerate(shape) if size == 1)),
        _backwards=tuple(stride < 0 for stride in strides),
        _kept_sizes=tuple(shape[axis] for axis in keeping),
        _kept_order=tuple(sorted(range(len(keeping)), key=lambda place: keeping[place])),
        _kept_backwards=tuple(strides[axis] < 0 for axis in keeping),
    )


def merge(view: np.ndarray, kept: tuple[bool, ...]) -> tuple[np.ndarray, tuple[bool, ...]]:
    """Merge neighbouring axes of one kind wherever that needs no copy."""
    if alternates(kept):
        return view, kept
    shape, _, kinds = _merged(list(view.shape), list(view.strides), list(kept))
    return view.reshape(shape), tuple(kinds)


def _merged(sizes: list[int], steps: list[int], kept: list[bool]) -> tuple[list[int], list[int], list[bool]]:
    """Merge neighbours of one kind where the outer one steps over exactly the inner one."""
    shape: list[int] = []
    strides: list[int] = []
    kinds: list[bool] = []
    for size, step, keep in zip(sizes, steps, kept, strict=True):
        if kinds and kinds[-1] == keep and strides[-1] == step * size:
            shape[-1] *= size
            strides[-1] = step
        else:
            shape.append(size)
            strides.append(step)
            kinds.append(keep)
    return shape, strides, kinds


def reduced_axes(kept: tuple[bool, ...]) -> tuple[int, ...]:
    """Return the axes that are not kept."""
    return tuple(axis for axis, keep in enumerate(kept) if not keep)


def alternates(kept: tuple[bool, ...]) -> bool:
    """Tell whether no two neighbouring axes are of one kind."""
    return all(left != right for left, right in itertools.pairwise(kept))


@lru_cache(maxsize=64)
def cut(shape: tuple[int, ...], kept: tuple[bool, ...], elements: int, outputs: int) -> list[list[Box]]:
    """Cut `shape` into boxes of about `elements` elements with at most about `outputs` results each.

    Boxes that add to the same results stand in one inner list, in the order in which they are combined. The outermost
    axes are cut first, so that boxes have no gaps; but where results are many, kept axes, and reduced ones only where
    the boxes would still be too large. Shapes alone decide.
    """
    steps = list(shape)
    keeping = [axis for axis, keep in enumerate(kept) if keep]
    for axis in keeping:
        results = math.prod(steps[at] for at in keeping)
        steps[axis] = _step(steps[axis], results, outputs, 1)
    reduced = reduced_axes(kept)
    few = math.prod(steps[axis] for axis in keeping) <= FEW_RESULTS
    for axis in range(len(shape)) if few else [*keeping, *reduced]:
        narrowest = NARROWEST if axis == len(shape) - 1 else 1
        steps[axis] = _step(steps[axis], math.prod(steps), elements, narrowest)
    pieces = [_slices(size, step) for size, step in zip(shape, steps, strict=True)]
    along_kept = itertools.product(*(pieces[axis] for axis in keeping))
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
    grain = next((grain for grain in GRAINS if step >= GRAINS_IN_A_STEP * grain), 1)
    return min(size, step // grain * grain)


def _slices(size: int, step: int) -> list[slice]:
    return [slice(start, min(start + step, size)) for start in range(0, size, step)]
