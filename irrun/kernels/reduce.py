"""Reductions of an array over axes: the mean, sums, products, extremes and norms, each by blocks.

Floats are summed in a wider type or with short runs, so that the error stays within 4 units in the last place of the
mean magnitude however long the axis; integers are summed exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import ml_dtypes
import numpy as np

from irrun.kernels import integers
from irrun.kernels.blocks import Blocks, PerBlock, blocked
from irrun.kernels.doubles import combine_doubles, divide_doubles, double_box
from irrun.kernels.halves import NAN_FIRST, NAN_LAST, Order
from irrun.kernels.layout import Layout, alternates, lay_out, reduced_axes
from irrun.kernels.notice import notice
from irrun.kernels.quiet import quietly
from irrun.kernels.rounding import narrow
from irrun.kernels.sums import RUN, FloatBox, add_up
from irrun.kernels.sweep import sweep_of
from irrun.kernels.widen import HALF_SCALE, Term, copied, widen_half

# Up to this many elements one call that adds in the wide type is faster than any blocks.
SMALL = 1 << 15
# What is larger is in no cache when it is summed.
CACHED = 1 << 23
# Boxes that are copied or widened first are this large, so that the copy stays in cache.
COPIED = 1 << 20
COPIERS = 4  # threads that do so at once, with 4 MiB each
# Boxes of f64 are halved again and again, with as many additions as it takes to carry what they lose.
DOUBLES = 1 << 17
# Narrow floats have so many fewer digits than f32 that runs of them may be this long.
RUN_OF_HALVES = 256
# Copied integers are squared in 64 bits, or become Python's: they take more memory than they did.
COPIED_INTEGERS = 1 << 17
# What f64 sums are divided by, and squares of f64 multiplied with, where they leave its range.
SMALLER = 2.0**-64
SHRINK, GROW = 2.0**-540, 2.0**600


@dataclass(frozen=True, slots=True)
class Case:
    """What is known of a reduction: the result's type, how the array lies, how many elements make one result.

    plain: whether the array is aligned and in native byte order.
    """

    dtype: np.dtype
    layout: Layout
    count: int
    plain: bool


Plan = Callable[[Case], Blocks]


@dataclass(frozen=True, slots=True, eq=False)
class Reduction:
    """What a reduction does with blocks of floats and of integers, and what it gives for no elements.

    floats, integers: how blocks of floats, or of integers, are treated. one: what a single element becomes.
    empty: the value of an empty reduction, or how the element type tells it.
    small: whether few elements are simply summed in the wide type.
    """

    name: str
    floats: Plan
    integers: Plan
    empty: bool | int | Callable[[np.dtype], float]
    one: Callable[[np.ndarray], np.ndarray] = np.array
    small: bool = False


def reduce(data: np.ndarray, axes: tuple[int, ...], how: Reduction, *, keep_dims: bool = False) -> np.ndarray:
    """Reduce `data` over `axes`, each 0 <= axis < rank and given once, in any order.

    data [*dims] of any layout and byte order -> an array of its own with the dims that are left, of data's type in
    native byte order. No elements give what the reduction calls empty, and a notice where that is a mean.
    """
    if how.small and 0 < data.size <= SMALL and axes and (data.dtype.kind != "f" or data.itemsize < 8):
        return _small(data, axes, how, keep_dims)
    shape, case, blocks = _planned(how, data.dtype, data.shape, data.strides, axes, keep_dims, data.flags.aligned)
    if blocks is None:
        return _of_nothing(how, shape, case.dtype)
    if case.count == 1 and (how.one is np.array or case.dtype.kind not in "iu"):
        result = how.one(data.astype(case.dtype, order="C"))
    elif how is PROD and case.dtype.kind in "iu":
        result = integers.product(data, axes, "a product")
    else:
        result = case.layout.restore(blocked(case.layout.view(data), case.layout, blocks, case.dtype))
    return np.ascontiguousarray(result).reshape(shape)


@lru_cache(maxsize=256)
def _planned(
    how: Reduction,
    dtype: np.dtype,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    axes: tuple[int, ...],
    keep_dims: bool,
    aligned: bool,
) -> tuple[tuple[int, ...], Case, Blocks | None]:
    """Plan the reduction of any array that lies so: the shape of the result, and how the blocks of a non-empty one."""
    if keep_dims:
        kept = tuple(1 if axis in axes else size for axis, size in enumerate(shape))
    else:
        kept = tuple(size for axis, size in enumerate(shape) if axis not in axes)
    native = dtype if dtype.isnative else dtype.newbyteorder("=")
    layout = lay_out(shape, strides, dtype.itemsize, axes)
    case = Case(native, layout, math.prod(shape[axis] for axis in axes), dtype.isnative and aligned)
    if 0 in shape:
        return kept, case, None
    return kept, case, how.integers(case) if native.kind in "iub" else how.floats(case)


def _of_nothing(how: Reduction, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    if how is MEAN and 0 not in shape:
        notice("mean over no elements is 0")
    return np.full(shape, how.empty(dtype) if callable(how.empty) else how.empty, dtype=dtype)


def _small(data: np.ndarray, axes: tuple[int, ...], how: Reduction, keep_dims: bool) -> np.ndarray:
    """Sum few elements, none of them f64, in one call in 64 bits."""
    dtype = data.dtype if data.dtype.isnative else data.dtype.newbyteorder("=")
    totals: np.ndarray
    if dtype.kind in "iu":
        if dtype.itemsize < 8:
            totals = np.asarray(np.add.reduce(data, axes, np.int64, None, keep_dims))  # type: ignore[call-overload]  # stubs
        else:
            totals = _small_words(data, axes, keep_dims)
        if how is MEAN:
            return integers.mean(totals, data.size // totals.size, dtype)
        return integers.fit(totals, dtype, "a sum")
    wide = data if dtype.kind == "f" and dtype.itemsize > 1 else quietly(data.astype, np.float32)
    totals = np.asarray(quietly(np.add.reduce, wide, axes, np.float64, None, keep_dims))
    if how is MEAN:
        return np.asarray(quietly(_divided(data.size // totals.size, dtype), totals))
    return np.asarray(narrow(totals, dtype))


def _small_words(data: np.ndarray, axes: tuple[int, ...], keep_dims: bool) -> np.ndarray:
    totals = np.asarray(np.add.reduce(data, axis=axes, keepdims=keep_dims))  # type: ignore[call-overload]  # stubs
    if integers.largest(data) * (data.size // totals.size) <= integers.WORD.max:
        return totals.view(np.int64)
    kept = tuple([axis not in axes for axis in range(data.ndim)])
    return integers.sum_box(data[np.newaxis], (True, *kept)).reshape(totals.shape)


def _mean(case: Case) -> Blocks:
    return _sums(case, None, float(case.count))


def _sum(case: Case) -> Blocks:
    return _sums(case, None, 1.0)


def _sum_of_magnitudes(case: Case) -> Blocks:
    return _sums(case, _magnitudes, 1.0)


def _magnitudes(wide: np.ndarray) -> None:
    np.abs(wide, out=wide)


def _sums(case: Case, term: Term | None, divisor: float) -> Blocks:
    """Plan a sum of floats, of the elements or of what `term` makes of them, that is divided at the end."""
    dtype, layout = case.dtype, case.layout
    if dtype == np.float64:
        return _double_sums(term, divisor)
    finish = _divided(divisor, dtype)
    plan = Blocks(
        FloatBox(copied(np.float32, term), RUN if dtype == np.float32 else RUN_OF_HALVES),
        add_up,
        finish,
        again=Blocks(_wide_box(term), add_up, finish),
        elements=COPIED,
        nanoseconds=0.3,
        threads=COPIERS,
    )
    if term is None and case.plain and dtype == np.float16:
        finish = _divided(divisor * HALF_SCALE, dtype)
        plan = replace(plan, per_block=FloatBox(widen_half, RUN_OF_HALVES), finish=finish, nanoseconds=0.5)
    elif term is None and case.plain and dtype == np.float32 and _lies_well(layout):
        far = math.prod(layout.shape) > CACHED
        short = not layout.kept[-1] and layout.shape[-1] <= RUN
        plan = replace(
            plan, per_block=FloatBox(far=far), elements=COPIED if short else 1 << 22, nanoseconds=0.15, threads=64
        )
    return replace(plan, sweep=sweep_of(layout, plan))


def _divided(divisor: float, dtype: np.dtype) -> Callable[[np.ndarray], np.ndarray]:
    if dtype == np.float32:  # divided in f64 and rounded, in one call
        return lambda total: np.divide(total, divisor, out=np.empty(total.shape, dtype), casting="same_kind")
    return lambda total: narrow(total if divisor == 1 else total / divisor, dtype)


def _lies_well(layout: Layout) -> bool:
    """Tell whether f32 can be summed where it lies: its innermost axes without gaps."""
    return alternates(layout.kept) and (layout.rows if layout.kept[-1] else layout.unit)


def _wide_box(term: Term | None) -> PerBlock:
    """Return the sum of a box in f64, a part at a time, which no sum of a narrower type overflows."""
    widen = copied(np.float64, term)

    def per_block(box: np.ndarray, kept: tuple[bool, ...]) -> np.ndarray:
        axes = reduced_axes(kept)
        if box.size <= DOUBLES or not axes:
            return np.asarray(np.add.reduce(widen(box), axis=axes))
        longest = max(range(box.ndim), key=lambda axis: box.shape[axis])
        halves = [per_block(half, kept) for half in np.array_split(box, 2, axis=longest)]
        if longest in axes:
            return halves[0] + halves[1]
        return np.concatenate(halves, axis=sum(kept[:longest]))

    return per_block


def _double_sums(term: Term | None, divisor: float) -> Blocks:
    """Return the plan of a sum of f64; what overflows on the way is done again 2^64 times smaller."""
    widen = copied(np.float64, term)

    def shrunk(box: np.ndarray) -> np.ndarray:
        wide = widen(box)
        wide *= SMALLER
        return wide

    def finish(scale: float) -> Callable[[np.ndarray], np.ndarray]:
        return lambda total: divide_doubles(total, divisor * scale, mean=divisor > 1)

    again = _double_plan(double_box(shrunk), finish(SMALLER))
    return _double_plan(double_box(widen), finish(1.0), again)


def _double_plan(
    per_block: PerBlock,
    finish: Callable[[np.ndarray], np.ndarray],
    again: Blocks | None = None,
) -> Blocks:
    size = DOUBLES
    return Blocks(per_block, combine_doubles, finish, again, elements=size, outputs=size, nanoseconds=2.0)


def _norm(case: Case) -> Blocks:
    """Plan the root of a sum of squares, taken in f64; where the squares of f64 leave its range, scaled."""
    if case.dtype.itemsize < 8:  # f64 holds each square exactly, and the digits that its sums lose are none of ours
        return Blocks(
            _wide_box(_square),
            add_up,
            lambda total: narrow(np.sqrt(total), case.dtype),
            elements=COPIED,
            nanoseconds=1.0,
        )
    square = _squares(1.0)
    scaled = [square, _squares(SHRINK), _squares(GROW)]

    def thrice(box: np.ndarray, kept: tuple[bool, ...]) -> np.ndarray:
        return np.stack([squares(box, kept) for squares in scaled])

    def finish(total: np.ndarray) -> np.ndarray:
        usual, shrunk, grown = np.sqrt(total)
        return np.where(_in_range(total[0]), usual, np.where(total[0] > 1, shrunk / SHRINK, grown / GROW))

    plan = _double_plan(square, np.sqrt, _double_plan(thrice, finish))
    return replace(plan, settled=lambda total: bool(_in_range(total).all()))


def _square(wide: np.ndarray) -> None:
    np.square(wide, out=wide)


def _squares(scale: float) -> PerBlock:
    def term(wide: np.ndarray) -> None:
        np.multiply(wide, scale, out=wide)
        _square(wide)

    return double_box(copied(np.float64, term))


def _in_range(squares: np.ndarray) -> np.ndarray:
    """Tell which sums of squares lost nothing to f64's range."""
    return np.isfinite(squares) & (squares > 2.0**-900)


def _integer_mean(case: Case) -> Blocks:
    return _integer_plan(case, integers.sum_box, lambda totals: integers.mean(totals, case.count, case.dtype))


def _integer_sum(case: Case) -> Blocks:
    return _integer_plan(case, integers.sum_box, lambda totals: integers.fit(totals, case.dtype, "a sum"))


def _integer_sum_of_magnitudes(case: Case) -> Blocks:
    return _copying_plan(
        case,
        integers.of_magnitudes(integers.sum_box),
        lambda totals: integers.fit(totals, case.dtype, "a sum of magnitudes"),
    )


def _integer_norm(case: Case) -> Blocks:
    return _copying_plan(
        case,
        integers.sum_squares_box,
        lambda totals: integers.fit(integers.roots(totals), case.dtype, "the root of a sum of squares"),
    )


def _integer_plan(case: Case, per_block: PerBlock, finish: Callable[[np.ndarray], np.ndarray]) -> Blocks:
    cost = 0.9 if case.dtype.itemsize == 8 else 0.3
    return Blocks(per_block, integers.combine_integers, finish, nanoseconds=cost)


def _copying_plan(case: Case, per_block: PerBlock, finish: Callable[[np.ndarray], np.ndarray]) -> Blocks:
    return replace(_integer_plan(case, per_block, finish), elements=COPIED_INTEGERS)


def _folding(fold: np.ufunc) -> Plan:
    """Return the plan of a reduction by one ufunc, in the array's type (ml_dtypes' as f32, which holds them all)."""

    def plan(case: Case) -> Blocks:
        dtype = case.dtype
        widened: np.dtype | None = None
        if fold is np.multiply and dtype.itemsize < 8:
            widened = np.dtype(np.float64)
        elif dtype.kind == "V" or (dtype.kind == "f" and dtype.itemsize == 1):
            widened = np.dtype(np.float32)

        def per_block(box: np.ndarray, kept: tuple[bool, ...]) -> np.ndarray:
            axes = reduced_axes(kept)
            return np.asarray(fold.reduce(box if widened is None else box.astype(widened), axis=axes))

        def finish(values: np.ndarray) -> np.ndarray:
            return narrow(values, dtype) if values.dtype == np.float64 else values.astype(dtype)

        elements = 1 << 22 if widened is None else COPIED
        quiet = fold is not np.multiply
        return Blocks(
            per_block, lambda parts: np.asarray(fold.reduce(np.stack(parts))), finish, quiet=quiet, elements=elements
        )

    return plan


def _extreme(fold: np.ufunc, of_numbers: np.ufunc, order: Order) -> Plan:
    """Return the plan of an extreme; where NaN is among the elements it is that of the others, and a notice says so."""

    def plan(case: Case) -> Blocks:
        usual, numbers = _folding(fold)(case), _folding(of_numbers)(case)

        def per_block(box: np.ndarray, kept: tuple[bool, ...]) -> np.ndarray:
            notice("NaN is passed over")
            return numbers.per_block(box, kept)

        again = replace(numbers, per_block=per_block)
        if case.dtype == np.float16 and case.plain:
            return replace(
                usual,
                per_block=lambda box, kept: usual.per_block(order.codes(box), kept),
                finish=order.halves,
                again=again,
                settled=order.all_numbers,
                elements=COPIED,
                nanoseconds=0.3,
                threads=COPIERS,
            )
        return replace(usual, again=again, settled=lambda total: not np.isnan(total).any())

    return plan


def _lowest(dtype: np.dtype) -> float:
    return int(np.iinfo(dtype).min) if dtype.kind in "iu" else float(ml_dtypes.finfo(dtype).min)  # type: ignore[no-untyped-call]


def _highest(dtype: np.dtype) -> float:
    return int(np.iinfo(dtype).max) if dtype.kind in "iu" else float(ml_dtypes.finfo(dtype).max)  # type: ignore[no-untyped-call]


MEAN = Reduction("mean", _mean, _integer_mean, 0, small=True)
SUM = Reduction("sum", _sum, _integer_sum, 0, small=True)
L1 = Reduction("sum of magnitudes", _sum_of_magnitudes, _integer_sum_of_magnitudes, 0, np.abs)
L2 = Reduction("root of the sum of squares", _norm, _integer_norm, 0, np.abs)
PROD = Reduction("product", _folding(np.multiply), _folding(np.multiply), 1)
MAX = Reduction("maximum", _extreme(np.maximum, np.fmax, NAN_LAST), _folding(np.maximum), _lowest)
MIN = Reduction("minimum", _extreme(np.minimum, np.fmin, NAN_FIRST), _folding(np.minimum), _highest)
ALL = Reduction("all", _folding(np.logical_and), _folding(np.logical_and), empty=True)
ANY = Reduction("any", _folding(np.logical_or), _folding(np.logical_or), empty=False)
