"""Scattered updates against a loop of Python's own numbers."""

from __future__ import annotations

import math
from functools import reduce
from operator import and_, or_, xor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irrun.kernels import scatter as kernel
from irrun.kernels.notice import listening

PLAIN = {
    "sum": (kernel.SUM, sum),
    "product": (kernel.PROD, math.prod),
    "least": (kernel.MIN, min),
    "greatest": (kernel.MAX, max),
    "mean": (kernel.MEAN, lambda values: sum(values) // len(values)),
    "difference": (kernel.SUB, lambda values: values[0] - sum(values[1:])),
}
SMALL = st.integers(-100, 100)


@pytest.mark.parametrize("name", PLAIN)
@given(updates=st.lists(st.tuples(st.integers(0, 3), SMALL), max_size=8), keep=st.booleans())
def test_integers_are_exact_modulo_their_type(name, updates, keep):
    how, plain = PLAIN[name]
    keep |= name == "difference"
    data = np.array([7, -3, 0, 99], np.int8)
    places, values = (np.array([each[at] for each in updates], np.int64) for at in (0, 1))
    result = data.copy()
    with listening():
        kernel.scatter(result, places, values.astype(np.int8), how, keep=keep)
    for at, standing in enumerate(data.tolist()):
        own = [value for place, value in updates if place == at]
        wanted = plain([standing] * keep + own) if own else standing
        assert result[at] == (wanted + 128) % 256 - 128


@pytest.mark.parametrize(
    "how, plain", [(kernel.SUM, or_), (kernel.SUB, xor), (kernel.PROD, and_), (kernel.MIN, and_), (kernel.MAX, or_)]
)
@given(values=st.lists(st.booleans(), min_size=1, max_size=5), standing=st.booleans())
def test_booleans(how, plain, values, standing):
    result = np.array([standing, True])
    kernel.scatter(result, np.zeros(len(values), np.int64), np.array(values), how)
    assert result.tolist() == [reduce(plain, values, standing), True]


def test_rows_and_what_is_not_named():
    rows = np.array([[1.0, 2.0], [np.nan, -0.0], [5.0, 6.0]], np.float32)
    kernel.scatter(rows, np.array([2, 0, 2]), np.array([[1, 1], [2, 2], [3, 3]], np.float32), kernel.SUM)
    assert rows[[0, 2]].tolist() == [[3, 4], [9, 10]]
    assert np.isnan(rows[1, 0])
    assert np.signbit(rows[1, 1])


def test_sums_of_narrow_floats_round_once():
    halves = np.array([2048, 0], np.float16)
    kernel.scatter(halves, np.array([0, 0]), np.array([1, 1], np.float16), kernel.SUM)
    assert halves[0] == 2050
    singles = np.array([1e8, 0], np.float32)
    kernel.scatter(singles, np.array([0, 0]), np.array([1, -1e8], np.float32), kernel.SUM)
    assert singles[0] == 1


def test_means_of_words_are_exact():
    words = np.array([2**63 - 1, 5], np.int64)
    kernel.scatter(words, np.array([0]), np.array([2**63 - 3], np.int64), kernel.MEAN)
    assert words.tolist() == [2**63 - 2, 5]
