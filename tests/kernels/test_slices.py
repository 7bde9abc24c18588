"""Lengths of slices within bounds: the ends are those of all lengths there are."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from irrun.kernels.slices import BEYOND, clamped, length, length_ends

FAR = 60
"""Beyond this extent the slices drawn here change no more, or grow with it."""


def ends(draw: st.DrawFn) -> tuple[int, int] | None:
    if draw(st.integers(0, 5)) == 0:
        return None
    low = draw(st.integers(-8, 8))
    return low, low + draw(st.sampled_from([0, 0, 1, 3, 9]))


@st.composite
def slices(draw: st.DrawFn):
    low = draw(st.integers(0, 6))
    high = draw(st.none() | st.integers(low, low + 6))
    return (low, high), ends(draw), ends(draw), draw(st.sampled_from([1, 2, 3, -1, -2, -3])), draw(st.booleans())


def between(pair: tuple[int, int] | None) -> list[int | None]:
    return [None] if pair is None else list(range(pair[0], pair[1] + 1))


@given(slices())
def test_ends_are_those_of_all_lengths(drawn):
    (low, high), start, stop, step, clamp = drawn
    extents = range(low, (FAR if high is None else high) + 1)
    lengths = [
        length(extent, first, last, step, clamp=clamp)
        for extent, first, last in product(extents, between(start), between(stop))
    ]
    least, greatest = length_ends((low, high), start, stop, step, clamp=clamp)
    assert least == min(lengths)
    if greatest is None:
        assert high is None
        assert max(lengths) > FAR // 6
    else:
        assert greatest == max(lengths)


@given(slices())
def test_lengths_are_pythons(drawn):
    (extent, _), start, stop, step, _ = drawn
    for first, last in product(between(start), between(stop)):
        assert length(extent, first, last, step) == len(range(extent)[first:last:step])


def test_clamped_starts():
    assert clamped(-9, 4, -1) == -4
    assert clamped(-9, 4, 1) == -9
    assert clamped(None, 4, -1) is None
    assert length(4, -9, -9, -1) == 0
    assert length(4, -9, -9, -1, clamp=True) == 1


def test_far_positions():
    assert length_ends((0, None), (0, 0), (BEYOND - 1, BEYOND - 1), 1) == (0, None)
    assert length_ends((0, None), (0, 0), (2**31 - 1, 2**31 - 1), 1) == (0, 2**31 - 1)
    assert length_ends((3, 7), (-BEYOND, BEYOND), (-BEYOND, BEYOND), 2) == (0, 4)
