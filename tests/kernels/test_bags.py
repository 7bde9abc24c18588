from __future__ import annotations

import math
import tracemalloc
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irrun.kernels.bags import BagIndexError, bags, packed
from irrun.kernels.notice import listening
from tests.kernels.data import KINDS, fill, lay
from tests.kernels.exact import FLOATS, INTEGERS, TYPES, fits, numbers, wrapped

DIMS = st.sampled_from([(), (1,), (3,), (2, 3), (17,), (40,), (0,), (2, 0)])
MIB = 1 << 20


@st.composite
def tables(draw: st.DrawFn) -> np.ndarray:
    shape = (draw(st.sampled_from([1, 2, 5, 50])), *draw(DIMS))
    table = fill(shape, draw(st.sampled_from(TYPES)), draw(st.sampled_from(KINDS)), draw(st.integers(0, 99)))
    table = np.asarray(lay(table, draw(st.sampled_from(["C", "Fortran", "backwards", "big-endian"])), [])).view()
    table.flags.writeable = False
    return table


@given(tables(), st.data())
@settings(max_examples=100)
def test_bags_are_the_exact_sums_within_four_ulp(table, more):
    lengths = more.draw(st.lists(st.sampled_from([0, 1, 2, 5, 33, 70, 90]), max_size=6))
    mean = more.draw(st.booleans())
    generator = np.random.default_rng(more.draw(st.integers(0, 99)))
    indices = generator.integers(0, len(table), sum(lengths)).astype(more.draw(st.sampled_from(["i1", "i4", "u8"])))
    offsets = np.cumsum([0, *lengths]).astype(more.draw(st.sampled_from(["i4", "i8", "u8"])))
    weights = None
    if not mean and more.draw(st.booleans()):
        weights = fill(indices.shape, table.dtype.newbyteorder("="), more.draw(st.sampled_from(KINDS)), 3)
    with listening() as said, np.errstate(over="ignore"):
        result = bags(table, indices, offsets, weights, mean=mean)
        again = _packed_one_by_one(table, indices, offsets, weights, mean=mean)
    assert result.shape == (len(lengths), *table.shape[1:])
    assert result.dtype == again.dtype == table.dtype.newbyteorder("=")
    wraps = False
    for answer in (result, again):
        for bag in range(len(lengths)):
            where = slice(int(offsets[bag]), int(offsets[bag + 1]))
            chosen = table[indices[where].astype(int)].reshape(lengths[bag], math.prod(table.shape[1:]))
            factors = [Fraction(1)] * lengths[bag] if weights is None else numbers(weights[where])
            for column, got in zip(chosen.T, np.ravel(answer[bag]), strict=True):
                wraps |= _check(got, [a * b for a, b in zip(numbers(column), factors, strict=True)], mean=mean)
    assert bool(said) == wraps


def _packed_one_by_one(table, indices, offsets, weights, *, mean):
    """The same bags, each as a batch of one."""
    result = np.zeros((len(offsets) - 1, *table.shape[1:]), table.dtype.newbyteorder("="))
    for bag in range(len(offsets) - 1):
        where = slice(int(offsets[bag]), int(offsets[bag + 1]))
        factors = None if weights is None else weights[np.newaxis, where]
        result[bag] = packed(table, indices[np.newaxis, where], factors, mean=mean)[0]
    return result


def _check(got, terms, *, mean):
    """Assert one result, and tell whether it wraps."""
    if not terms:
        assert got == 0
        return False
    count = len(terms) if mean else 1
    exact = Fraction(sum(terms)) / count
    if got.dtype.kind not in "iu":
        assert fits(got, exact, Fraction(sum(map(abs, terms))) / count, got.dtype)
        return False
    whole = math.trunc(exact)
    assert int(got) == wrapped(whole, got.dtype)
    return whole != wrapped(whole, got.dtype)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("rows", "width", "batch", "per_bag"), [(300, 64, 90, 32), (50, 257, 40, 100), (9, 3, 2, 30_000)]
)
def test_large_bags_stay_within_four_ulp(dtype, weighted, rows, width, batch, per_bag):
    generator = np.random.default_rng(0)
    table = fill((rows, width), dtype, "random", 0)
    indices = generator.integers(0, rows, (batch, per_bag))
    weights = fill(indices.shape, dtype, "random", 1) if weighted else None
    wide = (table if dtype == np.float64 else table.astype(np.float64)).astype(np.longdouble)
    factors = np.ones(indices.shape) if weights is None else weights.astype(np.float64)
    one_hot = np.zeros((batch, rows), np.longdouble)
    np.add.at(one_hot, (np.arange(batch)[:, np.newaxis], indices), factors)
    exact = one_hot @ wide
    with np.errstate(over="ignore"):
        result = packed(table, indices, weights)
    about = ml_dtypes.finfo(dtype)
    step = np.ldexp(1.0, np.frexp(exact.astype(np.float64))[1] - 1 - about.nmant)
    got = result.astype(np.float64)
    too_large = ~np.isfinite(got)
    assert (exact[too_large] > float(about.max)).all()
    assert (np.abs(got - exact)[~too_large] <= 4 * step[~too_large]).all()


@pytest.mark.parametrize("width", [4, 5])
@pytest.mark.parametrize(
    "per_bag, about, spread", [(11, 1.3, 0.9), (19, 1.6, 0.9), (39, 1.95, 0.01), (47, 1.24, 0.9), (55, 1.52, 0.1)]
)
def test_means_stay_within_three_ulp_though_their_sums_have_larger_ones(width, per_bag, about, spread):
    rows = (about * (1 + spread * np.random.default_rng(0).random((2000, per_bag)))).astype(np.float32)
    table = np.repeat(rows.reshape(-1, 1), width, axis=1)
    exact = rows.astype(np.float64).mean(axis=1)[:, np.newaxis]
    result = packed(table, np.arange(rows.size).reshape(rows.shape), mean=True)
    assert (np.abs(result - exact) <= 3 * np.spacing(exact.astype(np.float32))).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16], ids=str)
@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("mean", [False, True])
def test_sums_of_two_are_rounded_once(dtype, positive, mean):
    bits = np.random.default_rng(0).integers(0, 1 << 16, (500, 8)).astype(np.uint16)  # of any sign, subnormal or not
    bits[(bits & 0x7800) == 0x7800] &= 0x83FF  # nothing above 32768
    table = (bits & 0x7FFF if positive else bits).view(np.float16).astype(dtype)
    indices = np.random.default_rng(1).integers(0, 500, (3000, 2))
    exact = table[indices].astype(np.float64).sum(1) / (2 if mean else 1)
    assert packed(table, indices, mean=mean).tobytes() == exact.astype(np.float32).astype(dtype).tobytes()


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, ml_dtypes.bfloat16], ids=str)
@pytest.mark.parametrize("batch", [1, 3000])
@pytest.mark.parametrize("per_bag", [3, 100])
def test_an_overflow_of_finite_numbers_is_told_as_numpy_tells_it(dtype, batch, per_bag):
    table = np.zeros((2, 8), dtype)
    table[1] = ml_dtypes.finfo(dtype).max
    indices = np.zeros((batch, per_bag), np.int64)
    indices[-1] = 1
    offsets = np.arange(0, indices.size + 1, per_bag)
    for summed in (lambda: packed(table, indices), lambda: bags(table, indices.reshape(-1), offsets)):
        with pytest.raises(FloatingPointError, match="overflow"), np.errstate(over="raise"):
            summed()
        with np.errstate(over="ignore"):
            assert (summed()[-1] == np.inf).all()
    table[1] = np.inf
    with np.errstate(over="raise"):
        assert (packed(table, indices)[-1] == np.inf).all()
        assert (bags(table, indices.reshape(-1), offsets)[-1] == np.inf).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16, np.float64, np.int32], ids=str)
@pytest.mark.parametrize("width", [8, 13])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("mean", [False, True])
def test_bags_of_all_lengths_are_those_summed_alone(dtype, width, weighted, mean):
    generator = np.random.default_rng(0)
    lengths = np.r_[generator.integers(0, 90, 500), 700, 0]
    offsets = np.r_[0, np.cumsum(lengths)]
    table = generator.integers(-99, 100, (300, width)).astype(dtype)
    table[7] = np.nan if table.dtype.kind != "i" else -1
    indices = generator.integers(0, 300, offsets[-1])
    weights = generator.integers(-9, 10, offsets[-1]).astype(dtype) if weighted and not mean else None
    if weights is not None and weights.dtype.kind != "i":
        weights[0] = np.inf
    with listening(), np.errstate(over="ignore", invalid="ignore"):
        result = bags(table, indices, offsets, weights, mean=mean)
        again = _packed_one_by_one(table, indices, offsets, weights, mean=mean)
    np.testing.assert_array_equal(result.astype(np.float64), again.astype(np.float64))


def test_f32_sums_keep_what_f32_additions_lose():
    table = np.array([[16777216.0], [1.0]], np.float32)
    assert packed(table, np.array([[0, 1, 1]])).tolist() == [[16777218.0]]


def test_a_half_sum_is_finite_though_its_parts_are_not():
    table = np.array([[65504.0], [-65504.0]], np.float16)
    assert packed(table, np.array([[0, 0, 1]])).tolist() == [[65504.0]]
    assert packed(table, np.array([[0, 0]]), mean=True).tolist() == [[65504.0]]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, ml_dtypes.bfloat16])
@pytest.mark.parametrize("width", [1, 4, 100])
def test_sums_that_overflow_on_the_way_are_done_wider(dtype, width):
    largest = float(ml_dtypes.finfo(dtype).max)
    table = np.array([[largest] * width, [-largest] * width, [1.0] * width], dtype)
    indices = np.repeat(np.array([[0, 0, 1, 1, 2]]), 2000, axis=0)
    assert (packed(table, indices).astype(np.float64) == 1).all()
    mean = packed(table, indices[:, :2], mean=True).astype(np.float64)
    assert (mean == largest).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.float64, ml_dtypes.bfloat16])
@pytest.mark.parametrize("batch", [1, 3000])
def test_zero_times_infinity_is_nan(dtype, batch):
    table = np.array([[np.inf] * 4, [1.0] * 4], dtype)
    indices = np.repeat(np.array([[0, 1], [1, 1]]), batch, axis=0)
    weights = np.repeat(np.array([[0, 1], [0, 1]]), batch, axis=0).astype(dtype)
    result = packed(table, indices, weights).astype(np.float64)
    assert np.isnan(result[:batch]).all()
    assert (result[batch:] == 1).all()


def test_integers_wrap_and_say_so():
    table = np.array([[100], [1]], np.int8)
    with listening() as said:
        assert packed(table, np.array([[0, 0]])).tolist() == [[-56]]
    assert said == ["a bag's sum does not fit int8 and wraps"]
    with listening() as said:
        assert packed(table, np.array([[0, 0]]), mean=True).tolist() == [[100]]
        assert packed(-table, np.array([[0, 1]]), mean=True).tolist() == [[-50]]
    assert said == []


@pytest.mark.parametrize("wrong", [-1, 5, -(2**62), 2**32, 2**62])
@pytest.mark.parametrize("at", range(6))
def test_an_index_outside_the_table_is_named_wherever_it_stands(wrong, at):
    indices = np.array([0, 1, 2, 3, 4, 0])
    indices[at] = wrong
    with pytest.raises(BagIndexError, match=str(wrong)) as caught:
        packed(np.zeros((5, 2), np.float32), indices.reshape(3, 2))
    assert (caught.value.position, caught.value.index, caught.value.rows) == ((at // 2, at % 2), wrong, 5)
    with pytest.raises(BagIndexError) as caught:
        bags(np.zeros((5, 2), np.float32), indices, np.array([0, 0, 6]))
    assert caught.value.position == (at,)


@pytest.mark.parametrize("at", [0, 1, 999_999, 1_048_577, 2_099_999])
def test_the_first_of_many_wrong_indices_is_named(at):
    indices = np.zeros(2_100_000, np.int32)
    indices[at:] = 7
    with pytest.raises(BagIndexError) as caught:
        packed(np.zeros((7, 1), np.int8), indices.reshape(-1, 3))
    assert caught.value.position == divmod(at, 3)


def test_an_empty_table_has_no_rows_to_take():
    with pytest.raises(BagIndexError, match="0 rows"):
        packed(np.zeros((0, 2), np.float32), np.array([[0]]))
    assert packed(np.zeros((0, 2), np.float32), np.zeros((3, 0), np.int64)).tolist() == [[0, 0]] * 3
    with pytest.raises(BagIndexError):
        packed(np.zeros((4, 0), np.float32), np.array([[4]]))
    huge = np.array([[2**64 - 1]], np.uint64)
    with pytest.raises(BagIndexError, match=str(2**64 - 1)):
        packed(np.zeros((4, 2), np.float32), huge)


SIZES = [  # rows, width, bags, per bag, CSR
    (1000, 64, 4096, 32, False),
    (1000, 64, 1, 200_000, False),
    (100, 1, 300_000, 3, False),
    (8, 300_000, 3, 9, False),
    (1000, 1, 1, 3_000_000, True),
    (1000, 16, 20_000, 5, True),
    (100, 4, 200_000, 1, True),
    (100, 0, 50_000, 4, False),
    (100, 64, 160_000, 1, False),
]


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.float64, np.int8, np.int64, ml_dtypes.bfloat16])
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_gathered_rows_never_exist_together(dtype, size, weighted):
    rows, width, batch, per_bag, offsets = size
    table = np.ones((rows, width), dtype)
    indices = np.random.default_rng(0).integers(0, rows, (batch, per_bag), dtype=np.int32)
    weights = np.ones(indices.shape, dtype) if weighted else None
    tracemalloc.start()
    with listening(), np.errstate(over="ignore"):
        if offsets:
            starts = np.arange(batch + 1) * per_bag
            starts[1:-1:2] += per_bag // 2  # of two lengths
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            result = bags(table, indices.reshape(-1), starts, None if weights is None else weights.reshape(-1))
        else:
            before = tracemalloc.get_traced_memory()[0]
            result = packed(table, indices, weights)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak - before - result.nbytes <= 8 * MIB


def test_a_memory_mapped_table_is_not_loaded(tmp_path):
    path = tmp_path / "table.bin"
    np.arange(2_000_000, dtype=np.float32).tofile(path)
    table = np.memmap(path, np.float32, "r", shape=(500_000, 4))
    tracemalloc.start()
    result = packed(table, np.array([[0, 499_999]]))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert type(result) is np.ndarray
    assert result.tolist() == [[1_999_996.0, 1_999_998.0, 2_000_000.0, 2_000_002.0]]
    assert peak < MIB


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_integer_means_of_the_largest_are_exact(dtype):
    limits = np.iinfo(dtype)
    table = np.array([[limits.max], [limits.min]], dtype)
    assert packed(table, np.array([[0, 0, 0], [1, 1, 1]]), mean=True).tolist() == [[limits.max], [limits.min]]
