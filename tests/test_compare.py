"""Comparison with a reference: numpy.allclose for floats, exact for integers."""

from __future__ import annotations

import math

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis.extra.numpy import arrays

from irrun import statistics
from irrun.compare import compare, rounded_up

_NUMBERS = st.one_of(st.floats(-1e6, 1e6), st.sampled_from([math.nan, math.inf, -math.inf, 0.0, -0.0]))
_TOLERANCES = st.sampled_from([0.0, 1e-8, 1e-3, 0.5])


@given(arrays(np.float64, 5, elements=_NUMBERS), arrays(np.float64, 5, elements=_NUMBERS), _TOLERANCES, _TOLERANCES)
def test_is_allclose_with_equal_nan(actual, expected, rtol, atol):
    assert compare(actual, expected, rtol, atol).equal == np.allclose(actual, expected, rtol, atol, equal_nan=True)


@given(st.integers(0, 10**9), _TOLERANCES, _TOLERANCES)
def test_the_needed_tolerance_suffices(seed, rtol, atol):
    generator = np.random.default_rng(seed)
    expected = generator.integers(-9, 9, 5) / generator.integers(1, 9)
    actual = expected + generator.integers(-9, 9, 5) / generator.integers(1, 90)
    found = compare(actual, expected, rtol, atol)
    assume(not found.equal)
    if found.needs_atol is not None:
        assert compare(actual, expected, rtol, found.needs_atol).equal
        assert not compare(actual, expected, rtol, found.needs_atol * 0.98).equal
    if found.needs_rtol is not None:
        assert compare(actual, expected, found.needs_rtol, atol).equal


def test_what_is_said():
    actual = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
    expected = np.array([[1, 2, 4], [4, 10, 6]], np.float64)
    found = compare(actual, expected)
    assert found.said == "it is 3.0 at [0, 2], 4.0 was expected; 2 of 6 values differ"
    assert (found.first, found.actual, found.expected, found.count, found.size) == ((0, 2), "3.0", "4.0", 2, 6)
    assert (found.max_absolute, found.max_relative) == (5.0, 0.5)
    assert found.needs_atol == pytest.approx(5 - 1e-4, abs=0.01)
    assert found.needs_rtol == pytest.approx(0.5, abs=0.001)


def test_a_scalar():
    assert compare(np.array(1.0), np.array(2.0)).said == "it is 1.0, 2.0 was expected"


@pytest.mark.parametrize(
    ("actual", "expected", "difference"),
    [
        (np.array([2**63 - 1]), np.array([2**63 - 2]), 1),
        (np.array([2**64 - 1], np.uint64), np.array([2**64 - 2], np.uint64), 1),
        (np.array([-(2**63)]), np.array([2**63 - 1]), 2**64 - 1),
        (np.array([2**53 + 1]), np.array([2.0**53]), 1),
        (np.array([-1], np.int8), np.array([255], np.uint8), 256),
        (np.array([-1]), np.array([2**64 - 1], np.uint64), 2**64 - 1),  # what is beyond 64 bits is the greatest
        (np.array([True]), np.array([0]), 1),
    ],
)
def test_integers_are_exact(actual, expected, difference):
    found = compare(actual, expected)
    assert not found.equal
    assert found.max_absolute == difference
    assert compare(actual, actual).equal


def test_integers_bear_a_tolerance_only_if_it_is_given():
    assert not compare(np.array([1_000_000]), np.array([1_000_001])).equal
    assert compare(np.array([1_000_000]), np.array([1_000_001]), rtol=1e-5).equal
    assert compare(np.array([3]), np.array([5]), atol=2).equal


def test_nothing_bears_an_infinity():
    found = compare(np.array([np.inf, 1.0]), np.array([1.0, 2.0]))
    assert (found.needs_atol, found.needs_rtol) == (None, None)


def test_shapes_must_be_equal():
    assert compare(np.zeros((2, 1)), np.zeros(2)).said == "the shape is [2,1], [2] was expected"
    assert compare(np.zeros((0, 2)), np.zeros((0, 2))).equal


def test_texts_and_what_is_no_tensor():
    texts = np.array(["a", "b"], np.dtypes.StringDType())
    assert compare(texts, np.array(["a", "b"])).equal
    assert compare(texts, np.array(["a", "c"])).said == "it is 'b' at [1], 'c' was expected; 1 of 2 values differ"
    assert not compare(texts, np.zeros(2)).equal
    assert not compare(np.zeros(2), np.array([None, 1], object)).equal


def test_blocks_make_no_difference(monkeypatch):
    actual = np.arange(60.0).reshape(3, 4, 5)
    expected = actual.copy()
    expected[2, 1, 3] += 1
    whole = compare(actual, expected)
    monkeypatch.setattr(statistics, "_BLOCK", 7)
    assert compare(actual, np.asfortranarray(expected)) == whole
    assert whole.first == (2, 1, 3)


@pytest.mark.parametrize(
    ("value", "rounded"), [(0.0, 0.0), (0.25, 0.25), (0.12341, 0.124), (1234.5, 1240.0), (5e-324, 5e-324)]
)
def test_rounding_goes_up(value, rounded):
    assert rounded_up(value) == rounded
