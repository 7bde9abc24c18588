from __future__ import annotations

import math
import tracemalloc
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irrun.kernels import integers
from irrun.kernels import reduce as kernels_of_reduction
from irrun.kernels.notice import listening
from irrun.kernels.parallel import num_threads, set_num_threads
from irrun.kernels.reduce import ALL, ANY, L1, L2, MAX, MEAN, MIN, PROD, SUM, Reduction, reduce
from irrun.kernels.sums import FloatBox
from tests.kernels.data import arrays, fill
from tests.kernels.exact import FLOATS, INTEGERS, TYPES, fits, rows, ulp, wrapped

bfloat16 = np.dtype(ml_dtypes.bfloat16)

EXACT = {
    "mean": lambda row: sum(row) / len(row),
    "sum": sum,
    "sum of magnitudes": lambda row: sum(map(abs, row)),
    "maximum": max,
    "minimum": min,
}


def _magnitude(row: list[Fraction], how: Reduction) -> Fraction:
    return sum(map(abs, row)) / (len(row) if how is MEAN else 1)


@given(arrays(FLOATS), st.data())
@settings(max_examples=100)
def test_floats_stay_within_four_ulp_of_the_magnitude(data, more):
    axes = more.draw(_axes(data))
    how = more.draw(st.sampled_from([MEAN, MEAN, SUM, L1, MAX, MIN]))
    with np.errstate(over="ignore"):
        result = reduce(data, axes, how)
    for at, row in rows(data, axes):
        exact = Fraction(EXACT[how.name](row))
        assert fits(result[at], exact, _magnitude(row, how), result.dtype)


@given(arrays(INTEGERS), st.data())
@settings(max_examples=100)
def test_integers_are_exact_and_say_when_they_wrap(data, more):
    axes = more.draw(_axes(data))
    how = more.draw(st.sampled_from([MEAN, MEAN, SUM, L1, MAX, MIN, PROD]))
    with listening() as said:
        result = reduce(data, axes, how)
    wraps = False
    for at, row in rows(data, axes):
        exact = math.prod(row) if how is PROD else math.trunc(EXACT[how.name](row))
        assert int(result[at]) == wrapped(int(exact), result.dtype)
        wraps |= int(exact) != wrapped(int(exact), result.dtype)
    assert bool(said) == wraps


@given(arrays(TYPES), st.data())
def test_the_result_is_an_array_of_its_own(data, more):
    axes = more.draw(_axes(data))
    how = more.draw(st.sampled_from([MEAN, SUM, L1, L2, MAX, MIN, PROD]))
    with listening(), np.errstate(over="ignore"):
        result = reduce(data, axes, how, keep_dims=True)
        without = reduce(data, axes, how)
    assert isinstance(result, np.ndarray)
    assert isinstance(without, np.ndarray)
    assert result.dtype == data.dtype.newbyteorder("=")
    assert result.flags.writeable
    assert not np.shares_memory(result, data)
    assert result.shape == tuple(1 if axis in axes else size for axis, size in enumerate(data.shape))
    assert without.shape == tuple(size for axis, size in enumerate(data.shape) if axis not in axes)
    assert result.tobytes() == without.tobytes()


@given(arrays(FLOATS), st.data())
def test_the_root_of_squares_is_within_four_ulp(data, more):
    axes = more.draw(_axes(data))
    with np.errstate(over="ignore"):
        result = reduce(data, axes, L2)
    for at, row in rows(data, axes):
        squares = sum(value * value for value in row)
        low = Fraction(math.isqrt(int(squares * 4**80)), 2**80)
        assert fits(result[at], low, low, result.dtype)


@given(arrays([dtype for dtype in INTEGERS if dtype.itemsize < 8]), st.data())
def test_the_root_of_integer_squares_is_truncated(data, more):
    axes = more.draw(_axes(data))
    with listening():
        result = reduce(data, axes, L2)
    for at, row in rows(data, axes):
        assert int(result[at]) == wrapped(math.isqrt(int(sum(value * value for value in row))), result.dtype)


@pytest.mark.parametrize("how", [MEAN, SUM, MAX, MIN, PROD])
def test_no_axes_give_a_copy_bit_for_bit(how):
    odd = np.array([[np.nan], [-0.0], [np.inf], [1e-45]], np.float32)
    assert reduce(odd, (), how).tobytes() == odd.tobytes()


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_no_elements_give_what_is_neutral(dtype):
    nothing = np.zeros((2, 0), dtype)
    limits = np.iinfo(dtype) if dtype.kind in "iu" else ml_dtypes.finfo(dtype)
    with listening() as said:
        assert reduce(nothing, (1,), MEAN).tolist() == [0, 0]
    assert said == ["mean over no elements is 0"]
    with listening() as said:
        assert reduce(nothing, (1,), SUM).tolist() == [0, 0]
        assert reduce(nothing, (1,), PROD, keep_dims=True).tolist() == [[1], [1]]
        assert reduce(nothing, (1,), MAX).tolist() == [limits.min] * 2
        assert reduce(nothing, (1,), MIN).tolist() == [limits.max] * 2
        assert reduce(np.zeros((0, 3, 0), dtype), (2,), MEAN).shape == (0, 3)
    assert said == []


def test_all_and_any():
    data = np.array([[True, False], [True, True]])
    assert reduce(data, (1,), ALL).tolist() == [False, True]
    assert reduce(data, (0, 1), ANY).tolist() is True
    assert reduce(np.zeros((2, 0), bool), (1,), ALL).tolist() == [True, True]
    assert reduce(np.zeros((2, 0), bool), (1,), ANY).tolist() == [False, False]


@pytest.mark.parametrize("size", [2, 100, 40_000, 70_000])
@pytest.mark.parametrize("dtype", [dtype for dtype in FLOATS if dtype.itemsize > 1], ids=str)
def test_a_mean_is_finite_whenever_the_true_one_is(dtype, size):
    largest = np.full((size, 3), ml_dtypes.finfo(dtype).max, dtype)
    almost = np.float64(largest[0, 0]) * (1 - 4 * float(ml_dtypes.finfo(dtype).eps))
    for mean in (reduce(largest, (0,), MEAN), reduce(largest.T, (1,), MEAN)):
        assert ((mean >= almost) & (mean <= largest[0])).all()
    both = largest.copy()
    both[size // 2 :] *= -1
    assert reduce(both[: size // 2 * 2], (0,), MEAN).tolist() == [0, 0, 0]
    assert reduce(both[: size // 2 * 2], (0,), SUM).tolist() == [0, 0, 0]


@pytest.mark.parametrize("size", [4, 20_000, 40_000])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, bfloat16], ids=str)
def test_infinities_and_nans_follow_ieee_and_raise_nothing(dtype, size):
    data = np.ones((4, size), dtype)
    data[0, 1], data[1, 1], data[1, 2], data[2, 3] = np.inf, np.inf, -np.inf, np.nan
    for how in (MEAN, SUM):
        result = reduce(data, (1,), how).astype(np.float64)
        assert result[0] == np.inf
        assert np.isnan(result[1:3]).all()
        assert result[3] == (1 if how is MEAN else min(size, np.inf)) or dtype != np.float32
        assert np.isnan(reduce(np.ascontiguousarray(data.T), (0,), how).astype(np.float64)[1:3]).all()
    assert reduce(data, (1,), L1).astype(np.float64)[0] == np.inf
    assert reduce(data, (1,), L2).astype(np.float64)[0] == np.inf


@pytest.mark.parametrize("size", [3, 100, 40_000, 700_000])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, bfloat16], ids=str)
@pytest.mark.parametrize("how", [SUM, L1, L2, PROD], ids=lambda how: how.name)
def test_an_overflow_of_finite_numbers_is_told_as_numpy_tells_it(how, dtype, size):
    data = np.zeros((2, size), dtype)
    data[1] = ml_dtypes.finfo(dtype).max
    with pytest.raises(FloatingPointError, match="overflow"), np.errstate(over="raise"):
        reduce(data, (1,), how)
    with np.errstate(over="ignore"):
        assert reduce(data, (1,), how)[1] == np.inf
    with np.errstate(over="raise"):
        assert reduce(data, (1,), MEAN)[1] <= data[1, 0]
        data[1, 0] = np.inf
        assert reduce(data, (1,), how)[1] == np.inf or how is PROD


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_the_root_of_squares_stays_in_range(scale):
    result = reduce(np.array([[3.0, 4.0], [0.0, 1.0]]) * scale, (1,), L2)
    assert np.allclose(result, np.array([5.0, 1.0]) * scale, rtol=1e-15, atol=0)


@pytest.mark.parametrize("kind", ["equal", "random", "sorted", "alternating"])
@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ((3_000_000,), (0,)),
        ((3, 1_000_000), (1,)),
        ((1_000_000, 3), (0,)),
        ((60_000, 50), (0,)),
        ((50, 60_000), (1,)),
        ((1000, 30, 100), (0, 2)),
        ((100, 30, 1000), (1,)),
        ((2000, 1501), (0,)),
        ((1501, 2000), (1,)),
        ((100_000, 31), (1,)),
        ((3000, 768), (1,)),
        ((20, 768, 128), (1,)),
        ((640, 4096), (0,)),
        ((20, 30, 3136), (0, 2)),
        ((4200, 2048), (1,)),
    ],
)
@pytest.mark.parametrize("dtype", [np.dtype(np.float32), np.dtype(np.float16), bfloat16], ids=str)
def test_the_error_does_not_grow_with_length(shape, axes, kind, dtype):
    data = fill(shape, dtype, kind, 0)
    wide = data.astype(np.float64)
    exact, magnitude = wide.mean(axis=axes), np.abs(wide).mean(axis=axes)
    step = np.vectorize(lambda size: float(ulp(Fraction(size), dtype)))(np.ravel(magnitude)[:500])
    error = np.abs(reduce(data, axes, MEAN).astype(np.float64) - exact).ravel()[:500]
    assert (error <= (4 if dtype == np.float32 else 1) * step).all()


@pytest.mark.parametrize("dtype", ["<f8", ">f8"])
def test_sums_of_doubles_are_as_good_in_either_byte_order(dtype):
    data = np.full((335, 36), 0.1).astype(dtype)
    assert reduce(data, (0,), MEAN).tolist() == [0.1] * 36


def test_constants_of_every_length_stay_within_four_ulp():
    constants = (np.random.default_rng(0).random(64) + 0.5).astype(np.float32)
    step = np.spacing(constants)
    for length in [*range(600, 1300, 31), 2049, 3136, 4097, 33_000]:
        equal = np.repeat(constants[:, np.newaxis], length, axis=1)
        assert (np.abs(reduce(equal, (1,), MEAN) - constants) <= 4 * step).all()
        across = np.ascontiguousarray(equal.T)
        assert (np.abs(reduce(across, (0,), MEAN) - constants) <= 4 * step).all()
        narrow = np.ascontiguousarray(across[:, :3])
        assert (np.abs(reduce(narrow, (0,), MEAN) - constants[:3]) <= 4 * step[:3]).all()
        from_memory = FloatBox(far=True)(equal, (True, False)) / length
        assert (np.abs(from_memory - constants) <= 3 * step).all()


@pytest.mark.parametrize("rows", [9, 10, 11, 18, 19, 22, 23, 26, 27, 31])
def test_few_rows_stay_within_three_ulp(rows):
    """Their sums just above a power of two, where a place of theirs is up to two of the mean's."""
    for about in np.linspace(1, 2, 12):
        data = (about * (1 + 0.9 * np.random.default_rng(0).random((rows, 4000)))).astype(np.float32)
        exact = data.astype(np.float64).mean(axis=0)
        for array in (data, np.repeat(data, 20, axis=0)):
            assert (np.abs(reduce(array, (0,), MEAN) - exact) <= 3.1 * np.spacing(exact.astype(np.float32))).all()


def test_f64_stays_within_four_ulp_however_long_the_axis():
    data = np.random.default_rng(0).random((2, 300_000)) + 0.5
    for array, axis in ((data, 1), (np.ascontiguousarray(data.T), 0)):
        result = reduce(array, (axis,), MEAN)
        for row, mean in zip(data, result, strict=True):
            assert abs(mean - math.fsum(row) / len(row)) <= 4 * np.spacing(mean)


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
@pytest.mark.parametrize("kind", ["extreme", "random"])
@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ((90_000,), (0,)),
        ((300, 700), (0,)),
        ((300, 700), (1,)),
        ((70_000, 3), (0,)),
        ((40_000, 3), (1,)),
        ((20, 70, 100), (0, 2)),
        ((20, 7, 900), (0, 2)),
    ],
)
def test_large_integer_means_are_exact(dtype, kind, shape, axes):
    data = fill(shape, dtype, kind, 1)
    wide = data.astype(object)
    count = math.prod(shape[axis] for axis in axes)
    totals = np.ravel(wide.sum(axis=axes))
    expected = [total // count if total >= 0 else -(-total // count) for total in totals]
    assert np.ravel(reduce(data, axes, MEAN)).tolist() == expected


@pytest.mark.parametrize("shape, axes", [((5, 31), (0,)), ((31, 5), (0,)), ((7, 4, 9), (1,)), ((4, 37), (0, 1))])
@pytest.mark.parametrize("kind", ["the greatest", "the least", "cancelling", "just beyond", "just within", "mixed"])
@pytest.mark.parametrize("how", [MEAN, SUM])
def test_sums_at_the_edge_of_64_bits(monkeypatch, how, kind, shape, axes):
    monkeypatch.setattr(integers, "PIECE", 16)
    monkeypatch.setattr(kernels_of_reduction, "SMALL", 0)
    top = 2**63
    size = math.prod(shape)
    count = math.prod(shape[axis] for axis in axes)
    values = {
        "the greatest": [top - 1] * size,
        "the least": [-top] * size,
        "cancelling": [top - 1, -top] * size,
        "just beyond": [top // count + 1] * size,
        "just within": [-(top // count)] * size,
        "mixed": [place * (top // size) * (-1) ** place for place in range(size)],
    }[kind]
    data = np.array(values[:size], np.int64).reshape(shape)
    with listening() as notices:
        result = reduce(data, axes, how)
    wraps = False
    for at, row in rows(data, axes):
        exact = int(sum(row)) if how is SUM else math.trunc(sum(row) / len(row))
        assert result[at] == wrapped(exact, data.dtype)
        wraps |= exact != wrapped(exact, data.dtype)
    assert bool(notices) == wraps


@pytest.mark.parametrize("places", [(3, 7), (3, -2), (-3, -2)])
@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_two_large_words_among_many_are_not_lost(dtype, places):
    """Larger than a piece: what is beyond 64 bits shows in one or two of them only."""
    data = np.zeros(2 * integers.PIECE + 5, dtype)
    data[list(places)] = np.iinfo(dtype).max
    assert reduce(data, (0,), MEAN) == 2 * int(np.iinfo(dtype).max) // data.size


def test_integer_means_truncate_toward_zero():
    assert reduce(np.array([[-1, -2], [1, 2]], np.int32), (1,), MEAN).tolist() == [-1, 1]
    assert reduce(np.array([2**63 - 1, 2**63 - 1]), (0,), MEAN) == 2**63 - 1
    assert reduce(np.array([-(2**63)] * 3), (0,), MEAN) == -(2**63)
    assert reduce(np.array([2**64 - 1, 1], np.uint64), (0,), MEAN) == 2**63


@pytest.mark.parametrize("exact", [1, 0.5])
def test_narrow_floats_are_rounded_once(exact):
    # 1 + 2^-8 lies between two bf16 numbers; a hair more must round up, though f32 drops the hair.
    data = np.array([1.0, 1.0 + 2.0**-7, 2.0**-30, 2.0**-30], np.float32).astype(bfloat16) * bfloat16.type(exact)
    above = np.array([data[0], data[1], data[2], data[3]], bfloat16)
    assert float(reduce(above, (0,), SUM)) == float(Fraction(exact) * (2 + Fraction(1, 64)))


def test_a_memory_mapped_array_at_an_odd_offset(tmp_path):
    values = np.arange(70_000, dtype=np.float32)
    path = tmp_path / "values.bin"
    path.write_bytes(b"x" + values.tobytes())
    mapped = np.memmap(path, np.float32, "r", offset=1)
    result = reduce(mapped, (0,), MEAN)
    assert type(result) is np.ndarray
    assert result == np.float32(34_999.5)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.float64, bfloat16, np.int32, np.int64, np.uint8], ids=str)
@pytest.mark.parametrize(
    ("shape", "axes", "order"),
    [
        ((64, 24, 1700), (2,), (0, 1, 2)),
        ((64, 24, 1700), (0,), (0, 1, 2)),
        ((64, 24, 1700), (0, 2), (0, 1, 2)),
        ((64, 24, 1700), (1,), (2, 0, 1)),
        ((1_300_000, 2), (1,), (0, 1)),
        ((2, 1_300_000), (0,), (0, 1)),
        ((170_000, 5, 3), (1,), (0, 1, 2)),
        ((2_600_000,), (0,), (0,)),
    ],
)
def test_a_reduction_takes_little_memory(dtype, shape, axes, order):
    data = np.ones(shape, dtype).transpose(order)
    before_threads = num_threads()
    set_num_threads(2)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    result = reduce(data, axes, MEAN)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    set_num_threads(before_threads)
    assert peak - before - result.nbytes <= 14 * 2**20


def _axes(data: np.ndarray) -> st.SearchStrategy[tuple[int, ...]]:
    if not data.ndim:
        return st.just(())
    return st.lists(st.integers(0, data.ndim - 1), unique=True).map(tuple)
