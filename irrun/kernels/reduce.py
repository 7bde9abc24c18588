"""Reductions of an array over axes: the mean, sums, products, extremes and norms, each by blocks.

Floats are summed in a wider type or with short runs, so that the error stays within 4 units in the last place of the
mean magnitude however long the axis; integers are summed exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import ml_dtypes
import numpy as np

from irrun.kernels import doubles, integers
from irrun.kernels.blocks import Blocks, blocked
from irrun.kernels.layout import Layout, alternates, lay_out
from irrun.kernels.notice import notice
from irrun.kernels.rounding import narrow
from irrun.kernels.sums import SHORT, FloatBox

# Up to this many elements one call that adds in the wide type is faster than any blocks.
SMALL = 1 << 15
# Boxes that are copied or widened first are this large, so that the copy stays in cache.
COPIED = 1 << 19


@dataclass(frozen=True, slots=True)
class Reduction:
    """What a reduction does with blocks of floats and of integers, and what it gives for no elements.

    floats, integers: the element type, the layout and the number of elements per result -> how blocks are treated.
    empty: the element type -> the value of an empty reduction. one: what a single element becomes.
    small: whether few elements are simply summed in the wide type.
    """

    name: str
    floats: Callable[[np.dtype, Layout, int], Blocks]
    integers: Callable[[np.dtype, Layout, int], Blocks]
    empty: Callable[[np.dtype], object]
    one: Callable[[np.ndarray], np.ndarray] = np.array
    small: bool = False


def reduce(data: np.ndarray, axes: tuple[int, ...], how: Reduction, *, keep_dims: bool = False) -> np.ndarray:
    """Reduce `data` over `axes`, each 0 <= axis < rank and given once, in any order.

    data [*dims] of any layout and byte order -> an array of its own with the dims that are left, of data's type in
    native byte order. No elements give what the reduction calls empty, and a notice where that is a mean.
    """
    shape = tuple(size for axis, size in enumerate(data.shape) if axis not in axes)
    final = tuple(1 if axis in axes else size for axis, size in enumerate(data.shape)) if keep_dims else shape
    count = math.prod(data.shape[axis] for axis in axes)
    native = data.dtype if data.dtype.isnative else data.dtype.newbyteorder("=")
    if not count or not data.size:
        return _of_nothing(how, final, native)
    if how.small and count > 1 and data.size <= SMALL and native.itemsize < 8:
        result = _small(data, axes, how, native, count)
    elif count == 1 and (how.one is np.array or native.kind not in "iu"):
        result = how.one(data.astype(native, order="C"))
    elif how is PROD and native.kind in "iu":
        result = integers.product(data, axes, "a product")
    else:
        layout = lay_out(data, axes)
        plan = how.integers if native.kind in "iub" else how.floats
        result = layout.restore(blocked(layout, plan(native, layout, count), native))
    return np.ascontiguousarray(result).reshape(final)


def _of_nothing(how: Reduction, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    if how is MEAN and math.prod(shape):
        notice("mean over no elements is 0")
    return np.full(shape, how.empty(dtype), dtype=dtype)


def _small(data: np.ndarray, axes: tuple[int, ...], how: Reduction, native: np.dtype, count: int) -> np.ndarray:
    """Sum few elements of at most 32 bits in one call, in 64 bits."""
    if native.kind in "iu":
        totals = np.asarray(np.add.reduce(data, axis=axes, dtype=np.int64))
        return integers.divide(totals, count).astype(native) if how is MEAN else integers.fit(totals, native, "a sum")
    with np.errstate(all="ignore"):
        single = data if native == np.float32 else data.astype(np.float32)
        sums = np.asarray(np.add.reduce(single, axis=axes, dtype=np.float64))
    return narrow(sums / count if how is MEAN else sums, native)


def _sums(term: Callable[[np.ndarray], np.ndarray] | None, mean: bool) -> Callable[[np.dtype, Layout, int], Blocks]:
    """Return the plan of a sum of floats: of the elements, or of what `term` makes of them."""

    def plan(dtype: np.dtype, layout: Layout, count: int) -> Blocks:
        divisor = float(count) if mean else 1.0

        def finish(total: np.ndarray) -> np.ndarray:
            return narrow(total / divisor if mean else total, dtype)

        if dtype == np.float64:
            return _double_sums(term, finish, divisor)
        again = Blocks(_wide_box(term), np.add.reduce, finish, elements=COPIED, nanoseconds=1.0)
        if term is None and dtype == np.float32 and _lies_well(layout):
            short = not layout.kept[-1] and layout.view.shape[-1] < SHORT
            return Blocks(FloatBox(), np.add.reduce, finish, again, elements=COPIED if short else 1 << 22)
        widen = _widener(np.float32, term)
        return Blocks(FloatBox(widen), np.add.reduce, finish, again, elements=COPIED, nanoseconds=0.6)

    return plan


def _lies_well(layout: Layout) -> bool:
    """Tell whether f32 can be summed where it lies: aligned, native, its innermost axes without gaps."""
    view, kept = layout.view, layout.kept
    if not (view.dtype.isnative and view.flags.aligned and alternates(kept) and view.strides[-1] == view.itemsize):
        return False
    return not kept[-1] or view.strides[-2] == view.shape[-1] * view.itemsize


def _widener(
    dtype: type[np.floating], term: Callable[[np.ndarray], np.ndarray] | None
) -> Callable[[np.ndarray], np.ndarray]:
    def widen(box: np.ndarray) -> np.ndarray:
        wide = np.array(box, dtype=dtype, order="C")
        return wide if term is None else term(wide)

    return widen


def _wide_box(term: Callable[[np.ndarray], np.ndarray] | None) -> Callable[[np.ndarray, tuple[bool, ...]], np.ndarray]:
    """Return the sum of a box in f64, which no sum of a narrower type overflows."""
    widen = _widener(np.float64, term)

    def per_block(box: np.ndarray, kept: tuple[bool, ...]) -> np.ndarray:
        axes = tuple(axis for axis, keep in enumerate(kept) if not keep)
        return np.asarray(np.add.reduce(widen(box), axis=axes))

    return per_block


def _double_sums(
    term: Callable[[np.ndarray], np.ndarray] | None, finish: Callable[[np.ndarray], np.ndarray], divisor: float
) -> Blocks:
    """Return the plan of a sum of f64; what overflows on the way is done again 2^64 times smaller."""
    widen = _widener(np.float64, term)
    smaller = 2.0**-64

    def finish_smaller(total: np.ndarray) -> np.ndarray:
        return np.asarray(total / (divisor * smaller))

    shrunk = doubles.double_box(lambda box: widen(box) * smaller)
    again = Blocks(shrunk, doubles.combine_doubles, finish_smaller)
    return Blocks(
        doubles.double_box(widen),
        doubles.combine_doubles,
        finish,
        again,
        elements=COPIED // 4,
        outputs=COPIED // 4,
        nanoseconds=2.0,
    )


def _norm(dtype: np.dtype, layout: Layout, count: int) -> Blocks:
    """Plan the root of a sum of squares, taken in f64; where f64's own squares do not fit it, scaled."""
    narrower = dtype.itemsize < 8
    square = doubles.double_box(lambda box: np.square(np.array(box, dtype=np.float64, order="C")))

    def finish(total: np.ndarray) -> np.ndarray:
        return narrow(np.sqrt(total), dtype)

    plan = Blocks(square, doubles.combine_doubles, finish, elements=COPIED // 4, outputs=COPIED // 4, nanoseconds=2.0)
    return plan if narrower else replace(plan, per_block=square)


def _integer_sums(
    per_block: Callable[[np.ndarray, tuple[bool, ...]], np.ndarray], what: str
) -> Callable[[np.dtype, Layout, int], Blocks]:
    def plan(dtype: np.dtype, layout: Layout, count: int) -> Blocks:
        def finish(totals: np.ndarray) -> np.ndarray:
            return integers.fit(totals, dtype, what)

        return Blocks(per_block, integers.combine_integers, finish, elements=COPIED, nanoseconds=0.5)

    return plan


def _integer_mean(dtype: np.dtype, layout: Layout, count: int) -> Blocks:
    def finish(totals: np.ndarray) -> np.ndarray:
        return integers.divide(totals, count).astype(dtype)

    return Blocks(integers.sum_box, integers.combine_integers, finish, elements=COPIED, nanoseconds=0.3)


def _integer_norm(dtype: np.dtype, layout: Layout, count: int) -> Blocks:
    def finish(totals: np.ndarray) -> np.ndarray:
        return integers.fit(integers.roots(totals), dtype, "the root of a sum of squares")

    return Blocks(integers.sum_squares_box, integers.combine_integers, finish, elements=COPIED, nanoseconds=2.0)


def _folding(fold: np.ufunc) -> Callable[[np.dtype, Layout, int], Blocks]:
    """Return the plan of a reduction by one ufunc, in the array's type (ml_dtypes' as f32, which holds them all)."""

    def plan(dtype: np.dtype, layout: Layout, count: int) -> Blocks:
        widened = None if dtype.kind in "iub" or (dtype.kind == "f" and dtype.itemsize > 1) else np.dtype(np.float32)
        if fold is np.multiply and dtype.itemsize < 8:
            widened = np.dtype(np.float64)

        def per_block(box: np.ndarray, kept: tuple[bool, ...]) -> np.ndarray:
            axes = tuple(axis for axis, keep in enumerate(kept) if not keep)
            return np.asarray(fold.reduce(box if widened is None else box.astype(widened), axis=axes))

        def finish(values: np.ndarray) -> np.ndarray:
            return narrow(values, dtype) if values.dtype == np.float64 else values.astype(dtype)

        return Blocks(per_block, lambda parts: np.asarray(fold.reduce(np.stack(parts), axis=0)), finish)

    return plan


def _lowest(dtype: np.dtype) -> object:
    return np.iinfo(dtype).min if dtype.kind in "iu" else ml_dtypes.finfo(dtype).min


def _highest(dtype: np.dtype) -> object:
    return np.iinfo(dtype).max if dtype.kind in "iu" else ml_dtypes.finfo(dtype).max


MEAN = Reduction("mean", _sums(None, True), _integer_mean, lambda dtype: 0, small=True)
SUM = Reduction("sum", _sums(None, False), _integer_sums(integers.sum_box, "a sum"), lambda dtype: 0, small=True)
L1 = Reduction(
    "sum of magnitudes",
    _sums(np.abs, False),
    _integer_sums(integers.of_magnitudes(integers.sum_box), "a sum of magnitudes"),
    lambda dtype: 0,
    np.abs,
)
L2 = Reduction("root of the sum of squares", _norm, _integer_norm, lambda dtype: 0, np.abs)
PROD = Reduction("product", _folding(np.multiply), _folding(np.multiply), lambda dtype: 1)
MAX = Reduction("maximum", _folding(np.maximum), _folding(np.maximum), _lowest)
MIN = Reduction("minimum", _folding(np.minimum), _folding(np.minimum), _highest)
ALL = Reduction("all", _folding(np.logical_and), _folding(np.logical_and), lambda dtype: True)
ANY = Reduction("any", _folding(np.logical_or), _folding(np.logical_or), lambda dtype: False)
