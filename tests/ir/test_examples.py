"""Values in comments: what is one, and what only looks like one."""

from __future__ import annotations

import math

import pytest

from irrun.ir.examples import Printed, printed_type, printed_value
from irrun.ir.soup import Comment
from irrun.source import Span
from irrun.types.element import I32


def value(*texts: str, dims=None, name: str = "data") -> Printed | None:
    comments = [Comment(text, Span(place, place + 1)) for place, text in enumerate(texts)]
    return printed_value(comments, dims, [name])


@pytest.mark.parametrize(
    ("text", "items", "extents"),
    [
        ("value is [2, 3] that means independent reduction", (2, 3), (2,)),
        ("emb_table value is: [[-0.2, -0.6], [-1.,  1.5]]", (-0.2, -0.6, -1.0, 1.5), (2, 2)),
        ("axes: [0, 1]", (0, 1), (2,)),
        ("values: [10, 20]", (10, 20), (2,)),
        ("depth value: 2", (2,), ()),
        ("pads_begin = [0, 5]", (0, 5), (2,)),
        ("axes input contains  [1, 2]", (1, 2), (2,)),
        ("The tensor contains 4 elements: [1, 16, 50, 50]", (1, 16, 50, 50), (4,)),
        ("The tensor contains 3 elements: 0, -1, 4", (0, -1, 4), (3,)),
        ("The values in this input are [2, 3] (axes).", (2, 3), (2,)),
        ("value of [0,2,3] means normalization", (0, 2, 3), (3,)),
        ("output value # [[1, 2], [2, 2]]", (1, 2, 2, 2), (2, 2)),
        ("on_value 1", (1,), ()),
        ("[512, 100]", (512, 100), (2,)),
        ("{1.0f, 2.0f}", (1.0, 2.0), (2,)),
        ("[1, 2, 3] will be promoted to [1, 1, 2, 3]", (1, 2, 3), (3,)),
        ('offsets value is: [0, 2, 2] - second "bag" is empty', (0, 2, 2), (3,)),
        ("-1.", (-1.0,), ()),
        ("true", (True,), ()),
        ("value: [true, False]", (True, False), (2,)),
        ('strings: ["a, b", "c"]', ("a, b", "c"), (2,)),
        ("value is [[1,\n   2],\n  [3,\n 4]]", (1, 2, 3, 4), (2, 2)),
        ("value is: [1e3, .5, -2.5E-1]", (1000.0, 0.5, -0.25), (3,)),
        ("value: []", (), (0,)),
        ("value: [[], []]", (), (2, 0)),
        ("value: [1 2\n 3]", (1, 2, 3), (3,)),
    ],
)
def test_values(text: str, items: tuple, extents: tuple):
    found = value(text)
    assert found is not None
    assert (found.items, found.extents) == (items, extents)
    assert [type(item) for item in found.items] == [type(item) for item in items]


@pytest.mark.parametrize(
    "text",
    [
        "element ids: [0, 1]",
        "48 = 1 + 40 + 7",
        "48 = 1 + 40 + 7 = pads_begin[3] + input.shape[3]",
        "type: i32",
        "Example with N = 2",
        "min(100, 10) * 3 * 5",
        "data.shape[0] / (block_size ^ 2)",
        "concatenated axis: 8 + 16 + 32 = 48",
        "4 = 6 - 2",
        "will be promoted to shape (1, 2, 3, 4)",
        "all new elements are filled with 15.0 value",
        "spatial dimension 1",
        "the 1st input",
        "2D tensor",
        "shape: [2, 3]",
        "N = 2",
        "value: [1, 2, ...]",
        "value: [[1, 2], [3]]",
        "value: [1, [2]]",
        "value: [half, down]",
        'batch size, for example ["Intel", "OpenVINO"]',
        "min value",
        "value: [1, 2",
        "",
        "[" * 100 + "]" * 100,
    ],
)
def test_what_is_none(text: str):
    assert value(text) is None


def test_special_numbers():
    found = value("value: [NaN, Inf, -inf]")
    assert math.isnan(found.items[0])
    assert found.items[1:] == (math.inf, -math.inf)


def test_half_a_unit_of_the_last_digit():
    assert value("value: [1, 1., 0.25, 1e3, 2.5e-3]").units == (0.5, 0.5, 0.005, 500.0, 0.5e-4)


def test_a_list_goes_on_in_the_next_comment():
    found = value("output value: [[1, 0],", "[0, 1]]", "words")
    assert (found.items, found.extents, found.span) == ((1, 0, 0, 1), (2, 2), Span(0, 2))


def test_a_number_alone_is_one_where_its_count_fits():
    assert value("10", dims=[1]).items == (10,)
    assert value("10", dims=[5]) is None
    assert value("k = 3", dims=[5]) is None
    assert value("N = 3", name="n").items == (3,)


def test_a_list_that_repeats_the_dims_is_none():
    assert value("[2, 3]", dims=(2, 3)) is None
    assert value("[2, 3]", dims=(2,)).items == (2, 3)


def test_the_value_that_contradicts_is_kept_for_the_finding():
    assert value("value: [1, 2, 3]", dims=(2,)).items == (1, 2, 3)


def test_types():
    assert printed_type([Comment("words", Span(0, 1)), Comment(" result type: i32 ", Span(1, 2))]) is I32
    assert printed_type([Comment("type: what", Span(0, 1))]) is None


def test_a_million_numbers():
    assert len(value(f"value: [{', '.join(['1.5'] * 1_000_000)}]").items) == 1_000_000
    assert value("value: " + "9" * 100_000) is not None
