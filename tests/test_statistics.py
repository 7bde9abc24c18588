"""Range and mean against Python's own exact arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from irrun import statistics as module
from irrun.statistics import Statistics, statistics


def test_floats():
    array = np.array([[1.5, -2.0], [np.nan, np.inf]], np.float32)
    assert statistics(array) == Statistics(4, -2.0, 1.5, -0.25, nans=1, infinities=1)


@pytest.mark.parametrize("dtype", [np.float16, np.float64, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn])
def test_every_float_type(dtype):
    assert statistics(np.array([1, 2, 6], dtype)) == Statistics(3, 1.0, 6.0, 3.0)


def test_nothing_finite():
    assert statistics(np.array([np.nan, -np.inf])) == Statistics(2, None, None, None, nans=1, infinities=1)
    assert statistics(np.empty((0, 3), np.float32)) == Statistics(0, None, None, None)
    assert statistics(np.empty(0, np.int8)) == Statistics(0, None, None, None)


@pytest.mark.parametrize(
    "values",
    [
        np.array([2**63 - 1, 2**63 - 1, -1], np.int64),
        np.array([-(2**63), -(2**63), 5], np.int64),
        np.array([2**64 - 1, 2**64 - 1, 0], np.uint64),
        np.array([-128, 127, 3], np.int8),
        np.array([255, 255, 255], np.uint8),
    ],
)
def test_integers_are_exact(values):
    exact = [int(value) for value in values]
    known = statistics(values)
    assert known == Statistics(3, min(exact), max(exact), float(Fraction(sum(exact), 3)))


def test_booleans_are_numbers():
    assert statistics(np.array([True, False, True, True])) == Statistics(4, 0, 1, 0.75)


def test_strings_have_none():
    assert statistics(np.array(["a"], np.dtypes.StringDType())) is None


def test_a_mean_whose_sum_is_beyond_f64():
    known = statistics(np.full(1000, 1.5e308))
    assert known is not None
    assert known.mean == pytest.approx(1.5e308)


def test_blocks_make_no_difference(monkeypatch):
    array = np.random.default_rng(0).standard_normal((7, 11, 13))
    whole = statistics(array)
    monkeypatch.setattr(module, "_BLOCK", 10)
    for other in (array, np.asfortranarray(array)):
        parts = statistics(other)
        assert whole is not None
        assert parts is not None
        assert (parts.least, parts.greatest, parts.count) == (whole.least, whole.greatest, whole.count)
        assert parts.mean == pytest.approx(math.fsum(array.ravel()) / array.size)
