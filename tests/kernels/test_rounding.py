from __future__ import annotations

from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irrun.kernels.rounding import narrow
from tests.kernels.exact import ulp

NARROW = [ml_dtypes.bfloat16, np.float16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, np.float32]


@given(st.sampled_from(NARROW), st.integers(-200, 200), st.sampled_from([0, 1, -1]), st.integers(20, 28))
def test_ties_and_their_neighbours_are_rounded_once_to_nearest_even(kind, halves, side, hair):
    dtype = np.dtype(kind)
    step = ulp(Fraction(1), dtype)
    exact = Fraction(1) + halves % int(1 / step) * step / 2 + side * Fraction(1, 2**hair) * step
    result = Fraction(float(narrow(np.array([float(exact)]), dtype)[0]))
    below = exact // step * step
    above = below + step
    if exact - below != above - exact:
        assert result == (below if exact - below < above - exact else above)
    else:
        assert result == (below if below / step % 2 == 0 else above)


@pytest.mark.parametrize("kind", NARROW)
def test_infinity_nan_and_zero_stay_what_they_are(kind):
    dtype = np.dtype(kind)
    given = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 1e-300])
    with np.errstate(all="raise"):
        result = narrow(given, dtype).astype(np.float64)
    assert np.isnan(result[2])
    assert result[3:].tolist() == [0, 0, 0]
    if dtype != ml_dtypes.float8_e4m3fn:  # which has no infinity
        assert result[:2].tolist() == [np.inf, -np.inf]


@pytest.mark.parametrize("sign", [1, -1])
def test_many_halves_are_rounded_as_few_are(sign):
    """Every normal half, the ties between them, and what f32 has on either side of these."""
    halves = np.arange(0x0400, 0x7C00, dtype=np.uint16).view(np.float16).astype(np.float64)
    ties = (halves[:-1] + halves[1:]) / 2
    single = ties.astype(np.float32)
    near = [np.nextafter(single, np.float32(end)).astype(np.float64) for end in (0, np.inf)]
    for values in (halves, ties, *near):
        many = narrow(sign * values, np.dtype(np.float16))
        assert many.tobytes() == (sign * values).astype(np.float16).tobytes()


@pytest.mark.parametrize("hair", [2.0**-20, 2.0**-40])
@pytest.mark.parametrize("kind, last", [(np.float16, 0x7BFF), (ml_dtypes.bfloat16, 0x7F7F)])
def test_ties_among_many_that_are_none(kind, last, hair):
    codes = np.arange(0x0400, last, dtype=np.uint16)
    lower, upper = (each.view(kind).astype(np.float64) for each in (codes, codes + np.uint16(1)))
    ties = (lower + upper) / 2
    mixed = np.stack([ties * (1 - hair), ties, ties * (1 + hair)], axis=1)
    expected = np.stack([codes, codes + codes % 2, codes + 1], axis=1)
    assert (narrow(mixed, np.dtype(kind)).view(np.uint16) == expected).all()


@pytest.mark.parametrize(
    "odd_one", [np.inf, -np.nan, 0.0, -0.0, 65520.0, 65519.0, 2.0**-14 - 2.0**-30, 1 + 2.0**-11 + 2.0**-40, 1e300]
)
def test_one_unusual_number_among_many(odd_one):
    values = np.ones(5000)
    values[17] = odd_one
    with np.errstate(over="ignore"):
        assert narrow(values, np.dtype(np.float16)).tobytes() == values.astype(np.float16).tobytes()


def test_a_half_that_overflows_among_many_is_told():
    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        narrow(np.full(5000, 65520.0), np.dtype(np.float16))
