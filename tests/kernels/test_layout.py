from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irrun.kernels.blocks import for_two
from irrun.kernels.layout import cut, lay_out
from tests.kernels.data import arrays
from tests.kernels.exact import TYPES


@given(arrays(TYPES), st.data())
def test_a_layout_sees_every_element_and_restores_the_order(data, more):
    axes = tuple(more.draw(st.sets(st.integers(0, data.ndim - 1)))) if data.ndim else ()
    layout = lay_out(data.shape, data.strides, data.itemsize, axes)
    view = layout.view(data)
    assert np.shares_memory(view, data)
    assert sorted(view.ravel().view(f"u{data.itemsize}").tolist()) == sorted(
        data.ravel().view(f"u{data.itemsize}").tolist()
    )
    firsts = view[tuple(slice(None) if keep else 0 for keep in layout.kept)]
    assert firsts.shape == layout.result_shape
    others = tuple(axis for axis in range(data.ndim) if axis not in axes)
    restored = layout.restore(firsts)
    assert restored.size == math.prod(data.shape[axis] for axis in others)
    wide = data.astype(np.float64)
    spread = view.astype(np.float64).max(axis=tuple(axis for axis, keep in enumerate(layout.kept) if not keep))
    assert np.array_equal(np.ravel(layout.restore(spread)), np.ravel(wide.max(axis=axes)))


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=4),
    st.lists(st.booleans(), min_size=4, max_size=4),
    st.integers(1, 2000),
    st.integers(1, 500),
)
def test_boxes_tile_the_whole_and_those_of_a_group_share_their_results(shape, kept, elements, outputs):
    flags = tuple(kept[: len(shape)])
    counted = np.zeros(shape, int)
    for group in cut(tuple(shape), flags, elements, outputs):
        results = {tuple(place for place, keep in zip(box, flags, strict=True) if keep) for box in map(_ends, group)}
        assert len(results) == 1
        for box in group:
            counted[box] += 1
    assert (counted == 1).all()


def _ends(box: tuple[slice, ...]) -> tuple[tuple[int, int], ...]:
    return tuple((place.start, place.stop) for place in box)


@pytest.mark.parametrize("size", [1, 999, 1 << 20, (1 << 20) + 1, 3 << 20, 10**8 + 7])
def test_boxes_for_two_threads_are_no_larger_than_allowed_and_come_in_pairs(size):
    limit = 1 << 20
    elements = for_two(size, limit)
    assert 1 <= elements <= limit
    boxes = -(-size // elements)
    assert boxes % 2 == 0 or size < 2
    assert boxes <= max(2, size // limit + 3)
