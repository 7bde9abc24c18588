from __future__ import annotations

import numpy as np
import pytest

from irrun.kernels.halves import MANY, NAN_FIRST, NAN_LAST, halves_of_single, of_halves, single_of_halves
from irrun.kernels.notice import listening
from irrun.kernels.reduce import MAX, MIN, reduce

EVERY = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
FINITE = EVERY[np.isfinite(EVERY)]


def same(left: np.ndarray, right: np.ndarray) -> bool:
    """Whether two arrays have the same bits, but for those of NaN."""
    numbers = ~(np.isnan(left) & np.isnan(right))
    return left.dtype == right.dtype and left[numbers].tobytes() == right[numbers].tobytes()


def test_every_half_becomes_the_single_of_its_value():
    for halves in (EVERY, FINITE, FINITE[FINITE >= 0], np.tile(EVERY, 20).reshape(64, -1)[:, ::2]):
        with np.errstate(invalid="ignore"):
            assert same(single_of_halves(halves), halves.astype(np.float32))


def test_singles_are_rounded_to_nearest_even():
    positive = np.sort(FINITE[FINITE >= 0].astype(np.float32))
    ties = (positive[1:] + positive[:-1]) / 2
    beside = [np.nextafter(ties, np.float32(side)) for side in (0, 1e9)]
    bits = np.random.default_rng(0).integers(0, 0x477F_F000, 500_000).astype(np.uint32)
    for singles in (positive, ties, *beside, bits.view(np.float32), np.float32([0, 65519.99])):
        for each in (singles, -singles):
            rounded = halves_of_single(each)
            assert rounded is not None
            assert rounded.tobytes() == each.astype(np.float16).tobytes()


@pytest.mark.parametrize("beyond", [65520.0, 1e30, np.inf, np.nan])
def test_what_is_beyond_f16_is_left_to_numpy(beyond):
    assert halves_of_single(np.float32([1, -beyond])) is None


@pytest.mark.parametrize("function", [np.add, np.subtract, np.multiply, np.divide])
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ((64, 3000), (64, 3000)),
        ((64, 3000), (3000,)),
        ((1, 64, 1), (7, 1, 500)),
        ((), (MANY,)),
        ((9,), (9,)),
        ((0, 1), (MANY,)),
    ],
)
@pytest.mark.parametrize("values", [EVERY, FINITE[np.abs(FINITE) < 100]])
def test_arithmetic_gives_what_numpy_gives(function, a, b, values):
    generator = np.random.default_rng(0)
    left, right = (generator.choice(values, shape) for shape in (a, b))
    left, right = np.asarray(left), np.asarray(right)
    with np.errstate(all="ignore"):
        assert same(of_halves(function, left, right), np.asarray(function(left, right)))


@pytest.mark.parametrize("size", [3, 300_000])
def test_arithmetic_signals_what_numpy_signals(size):
    ones = np.ones(size, np.float16)
    with np.errstate(all="raise"):
        assert of_halves(np.add, ones, ones)[-1] == 2
        with pytest.raises(FloatingPointError, match="overflow"):
            of_halves(np.multiply, ones * np.float16(60000), ones * np.float16(2))
        with pytest.raises(FloatingPointError, match="divide by zero"):
            of_halves(np.divide, ones, ones * np.float16(0))
        with pytest.raises(FloatingPointError, match="invalid"):
            of_halves(np.subtract, ones * np.float16(np.inf), ones * np.float16(np.inf))


@pytest.mark.parametrize("order", [NAN_LAST, NAN_FIRST])
def test_codes_have_the_order_of_the_halves_and_every_nan_at_one_end(order):
    codes = order.codes(EVERY).copy()
    assert order.halves(codes).tobytes() == EVERY.tobytes()
    sorted_by_code = EVERY[np.argsort(codes)]
    nans = np.isnan(sorted_by_code)
    assert (np.diff(sorted_by_code[~nans].astype(np.float64)) >= 0).all()
    assert nans[-nans.sum() :].all() if order is NAN_LAST else nans[: nans.sum()].all()
    for code, half in zip(codes, EVERY, strict=True):
        assert order.all_numbers(code[np.newaxis]) == (not np.isnan(half))


@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (0, 2), (0, 1, 2)])
@pytest.mark.parametrize("spoiled", [None, np.nan, -np.nan, np.inf])
@pytest.mark.parametrize("how, of_numbers", [(MAX, np.fmax), (MIN, np.fmin)])
def test_extremes_of_halves_are_those_of_numpy(how, of_numbers, spoiled, axes):
    data = np.random.default_rng(0).standard_normal((30, 70, 60)).astype(np.float16)
    if spoiled is not None:
        data[7, :, 3] = data[9, 2, :] = data[:, 5, 5] = spoiled
    for each in (data, data.T, data[::-1, ::2], np.asfortranarray(data), data.astype(">f2")):
        with listening() as said:
            result = reduce(each, axes, how)
        np.testing.assert_array_equal(result, of_numbers.reduce(each, axis=axes))
        assert result.dtype == np.float16
        assert bool(said) == bool(np.isnan(each).any())
