"""Orders and groups against plain Python."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irrun.kernels import order
from irrun.kernels.order import equal_rows, leading

NUMBERS = st.sampled_from([-2.0, -0.0, 0.0, 1.0, 3.0, math.inf, -math.inf, math.nan])
TYPES = [np.float32, np.float64, np.float16, ml_dtypes.bfloat16]


@given(st.lists(NUMBERS, min_size=1, max_size=12), st.booleans(), st.sampled_from(TYPES), st.data())
def test_leading_is_stable_with_nan_last(values, largest, dtype, data):
    count = data.draw(st.integers(1, len(values)))
    sign = -1 if largest else 1
    wanted = sorted(range(len(values)), key=lambda at: (sign * math.isnan(values[at]), _key(values[at], sign), at))
    assert leading(np.array(values, dtype), count, 0, largest=largest).tolist() == wanted[:count]


def _key(value: float, sign: int) -> float:
    return 0.0 if math.isnan(value) else sign * value + 0.0


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_few_are_found_without_sorting_all(seed, largest):
    random = np.random.default_rng(seed)
    extents = random.integers(1, 4, random.integers(1, 4))
    axis = int(random.integers(len(extents)))
    extents[axis] = random.integers(order.FEW, 3 * order.FEW)
    data = random.integers(-3, 4, extents).astype(random.choice([np.float32, np.int8, np.uint64]))
    if data.dtype.kind == "f":
        data[random.random(extents) < 0.2] = np.nan
    count = int(random.integers(1, extents[axis] // order.FEW + 1))
    whole = leading(data, int(extents[axis]), axis, largest=largest)
    few = leading(data, count, axis, largest=largest)
    assert np.array_equal(few, np.take(whole, range(count), axis))


@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=8), st.booleans())
def test_equal_rows(rows, ascending):
    groups = equal_rows(np.array(rows, np.float32).reshape(-1, 2), ascending=ascending)
    firsts = [at for at, row in enumerate(rows) if not any(_equal(row, other) for other in rows[:at])]
    assert sorted(groups.first.tolist()) == firsts
    assert groups.counts.sum() == len(rows)
    for at, row in enumerate(rows):
        first = groups.first[groups.group[at]]
        assert first == at or _equal(rows[first], row)
    chosen = [rows[first] for first in groups.first]
    if ascending:
        keys = [tuple((math.isnan(each), _key(each, 1)) for each in row) for row in chosen]
        assert keys == sorted(keys)
    else:
        assert groups.first.tolist() == firsts


def _equal(row: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return all(a == b for a, b in zip(row, other, strict=True))


@pytest.mark.parametrize("dtype", [np.dtypes.StringDType(), ml_dtypes.float8_e4m3fn, bool, np.uint64], ids=str)
def test_rows_of_other_types(dtype):
    rows = (
        np.array([["1", "0"], ["0", "1"], ["1", "0"]]).astype(int).astype(str if dtype == "T" else float).astype(dtype)
    )
    groups = equal_rows(rows, ascending=True)
    assert groups.first.tolist() == [1, 0]
    assert groups.group.tolist() == [1, 0, 1]
    assert groups.counts.tolist() == [1, 2]
