"""Broadcasting: tables by hand, and every small pair of dims against all extents that they admit."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from irrun.kernels.notice import listening
from irrun.ops import OpError
from irrun.ops.broadcasting import aligned, broadcast, broadcast_dim
from irrun.types.dim import Dim
from irrun.types.fact import Fact
from irrun.types.shape import parse_shape

TOGETHER = [
    ("numpy", None, "2,3", "3", "2,3"),
    ("numpy", None, "2,1,4", "3,1", "2,3,4"),
    ("numpy", None, "", "2,3", "2,3"),
    ("numpy", None, "?", "5", "5"),
    ("numpy", None, "?", "1", "?"),
    ("numpy", None, "?", "0", "0"),
    ("numpy", None, "?,3", "?,1", "?,3"),
    ("numpy", None, "2..8", "..5", "2..8"),
    ("numpy", None, "1..3", "2..8", "2..8"),
    ("numpy", None, "2..8", "3..9", "3..8"),
    ("numpy", None, "...", "2,3", "..."),
    ("none", None, "?,3", "2,?", "2,3"),
    ("none", None, "...", "2,?", "2,?"),
    ("pdpd", -1, "2,3,4", "3,4", "2,3,4"),
    ("pdpd", 1, "2,3,4", "3", "2,3,4"),
    ("pdpd", 1, "2,3,4", "3,1", "2,3,4"),
    ("pdpd", 1, "2,3", "3,1", "2,3"),
    ("pdpd", 1, "2,3,4", "1", "2,3,4"),
    ("pdpd", 0, "?,3", "2", "2,3"),
    ("pdpd", 0, "?,3", "1", "?,3"),
    ("pdpd", 0, "?,3", "?", "?,3"),
    ("pdpd", 0, "1..8,3", "2..9", "2..8,3"),
    ("pdpd", -1, "2,3", "...", "2,3"),
    ("pdpd", -1, "...", "2,3", "..."),
    ("pdpd", None, "2,3", "2,3", "2,3"),
]
APART = [
    ("numpy", None, "2,3", "2", r"b is \[2\], but a is \[2,3\]: dims 3 and 2 differ, and neither is 1"),
    ("numpy", None, "2..4", "5..7", "dims 2..4 and 5..7 differ"),
    ("none", None, "2,3", "1,3", "without auto_broadcast the shapes are equal"),
    ("none", None, "2,3", "3", "without auto_broadcast the shapes are equal"),
    ("pdpd", -1, "3", "2,3", "expects rank 1 or less"),
    ("pdpd", 0, "2,3", "3", "from axis 0 on, 3 is neither 2 nor 1"),
    ("pdpd", 1, "1,1", "3", "3 is neither 1 nor 1"),
    ("pdpd", 1, "2,3", "3,2", "dims beyond rank 2 are 1"),
    ("pdpd", -2, "2,3", "3", "axis of pdpd broadcasting is -2"),
]


def _named(name, text):
    return name, Fact(shape=parse_shape(text))


@pytest.mark.parametrize("rule, axis, a, b, wanted", TOGETHER)
def test_together(rule, axis, a, b, wanted):
    assert broadcast(_named("a", a), _named("b", b), rule, axis) == parse_shape(wanted)


@pytest.mark.parametrize("rule, axis, a, b, error", APART)
def test_apart(rule, axis, a, b, error):
    with pytest.raises(OpError, match=error):
        broadcast(_named("a", a), _named("b", b), rule, axis)


def test_an_axis_that_is_left_open_is_said():
    with listening() as heard:
        assert broadcast(_named("a", "2,3"), _named("b", "3"), "pdpd").extents == (2, 3)
    assert "OpenVINO takes axis 0" in heard[0]


def test_a_dim_is_the_least_interval_of_what_two_dims_can_become():
    dims = [Dim(low, high) for low in range(4) for high in range(low, 5)]
    for a, b in product(dims, dims):
        pairs = product(range(a.low, a.high + 1), range(b.low, b.high + 1))
        possible = [y if x == 1 else x for x, y in pairs if x == y or 1 in (x, y)]
        wanted = Dim(min(possible), max(possible)) if possible else None
        assert broadcast_dim(a, b) == wanted, f"{a} with {b}"


@pytest.mark.parametrize("axis, shape", [(1, (3,)), (1, (3, 1)), (0, (2, 1)), (-1, (4,)), (1, (3, 4, 1)), (-1, ())])
def test_arrays_are_aligned_without_a_copy(axis, shape):
    a, b = np.zeros((2, 3, 4)), np.ones(shape)
    view = aligned(a, b, "pdpd", axis)
    assert np.add(a, view).shape == a.shape
    assert np.shares_memory(b, view)
