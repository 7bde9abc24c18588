"""Dims as intervals: whatever two dims admit, their sum, product and so on admit the results."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irrun.types.dim import UNKNOWN, Dim, parse_dim, static
from irrun.types.shape import Shape, parse_shape


@st.composite
def dims(draw) -> Dim:
    low = draw(st.integers(0, 20))
    return Dim(low, draw(st.one_of(st.none(), st.integers(low, 40))))


def member(draw, dim: Dim) -> int:
    return draw(st.integers(dim.low, dim.low + 30 if dim.high is None else dim.high))


@given(dims(), dims(), st.data())
def test_arithmetic_holds_every_member(a: Dim, b: Dim, data):
    x, y = member(data.draw, a), member(data.draw, b)
    assert (a + b).admits(x + y)
    assert (a * b).admits(x * y)
    assert (a - b).admits(max(x - y, 0))
    if b.low:
        assert (a // b).admits(x // y)
    assert a.join(b).admits(x)
    assert a.join(b).admits(y)


@given(dims(), dims(), st.integers(0, 45))
def test_meet_is_what_both_admit(a: Dim, b: Dim, extent: int):
    met = a.meet(b)
    assert (met is not None and met.admits(extent)) == (a.admits(extent) and b.admits(extent))


@pytest.mark.parametrize(
    ("text", "dim"),
    [
        ("5", static(5)),
        ("?", UNKNOWN),
        ("-1", UNKNOWN),
        ("1..8", Dim(1, 8)),
        ("2..", Dim(2)),
        ("..5", Dim(0, 5)),
        (" 02 ", static(2)),
        *[
            (text, None)
            for text in ("", "a", "4.5", "+2", "0x2", "3..1", "-2", "..", "1..?", "1...3", "9" * 19, "9" * 99)
        ],
    ],
)
def test_parse_dim(text: str, dim: Dim | None):
    assert parse_dim(text) == dim


@pytest.mark.parametrize(
    ("text", "shown"),
    [("2,3", "[2,3]"), ("[2, ?, 1..8]", "[2,?,1..8]"), ("...", "[...]"), ("", "[]"), ("2..,..9", "[2..,..9]")],
)
def test_parse_shape(text: str, shown: str):
    assert str(parse_shape(text)) == shown


@pytest.mark.parametrize("text", ["2,3,4,", "2,,4", "2;3", "(2)", "2,...", "2,3]"])
def test_parse_shape_refuses(text: str):
    with pytest.raises(ValueError, match="is no dim"):
        parse_shape(text)


def test_shape_of_unknown_rank_admits_all():
    assert Shape().admits((1, 2, 3))
    assert Shape().meet(Shape.of(2)) == Shape.of(2)
    assert Shape.of(2).meet(Shape.of(3)) is None
    assert Shape.of(2, UNKNOWN).join(Shape.of(2, 3)) == Shape.of(2, UNKNOWN)
    assert Shape.of(0, UNKNOWN).elements == static(0)
