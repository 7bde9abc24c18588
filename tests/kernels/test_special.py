"""Special functions held against values of 40 digits."""

from __future__ import annotations

import numpy as np
import pytest

from irrun.kernels import special
from irrun.kernels.pointwise import BLOCK, pointwise

ERF = [
    (1e-10, 1.1283791670955126e-10),
    (0.1, 0.1124629160182849),
    (0.4999, 0.5204119951613866),
    (0.5, 0.5204998778130465),
    (0.7, 0.6778011938374184),
    (1.0, 0.8427007929497149),
    (1.5, 0.9661051464753108),
    (2.5, 0.999593047982555),
    (4.0, 0.9999999845827421),
    (5.9, 0.9999999999999999),
    (-0.3, -0.3286267594591274),
    (-2.0, -0.9953222650189527),
]
ERFC = [
    (1e-10, 0.999999999887162),
    (0.3, 0.6713732405408726),
    (0.5, 0.4795001221869535),
    (1.0, 0.15729920705028513),
    (3.7, 1.6715105790914599e-07),
    (8.25, 1.8735664705504997e-31),
    (15.0, 7.212994172451207e-100),
    (26.5, 2.2109076642637343e-307),
    (-0.3, 1.3286267594591274),
    (-4.0, 1.999999984582742),
]
GELU = [
    (0.1, 0.053982783727702904),
    (3.0, 2.99595030590511),
    (-0.1, -0.0460172162722971),
    (-2.0, -0.04550026389635842),
    (-7.77, -3.0491860076342334e-14),
    (-12.5, -4.665705373597142e-35),
    (-30.3, -1.736712221504595e-200),
]


@pytest.mark.parametrize("function, table", [(special.erf, ERF), (special.erfc, ERFC), (special.gelu, GELU)])
def test_within_five_units_in_the_last_place(function, table):
    points, wanted = np.array(table).T
    assert (np.abs(function(points) - wanted) <= 5 * np.spacing(np.abs(wanted))).all()


@pytest.mark.parametrize("name", ["erf", "erfc", "sigmoid", "softplus", "mish", "gelu", "gelu_by_tanh"])
def test_no_finite_number_overflows(name):
    points = np.array([0.0, -0.0, 5e-324, 1e-160, 40, -40, 1e3, -1e3, 1e160, -1e160, 1.7e308, -1.7e308])
    assert np.isfinite(getattr(special, name)(points)).all()
    assert np.isnan(getattr(special, name)(np.array([np.nan])))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int16])
def test_blocks_give_what_one_piece_gives(dtype):
    data = np.linspace(-9, 9, 3 * BLOCK + 7).astype(dtype).reshape(-1, 1)[::-1]
    pieces = [pointwise(special.erf, part) for part in np.array_split(data, 11)]
    np.testing.assert_array_equal(pointwise(special.erf, data), np.concatenate(pieces))
