"""Exact sums of integers of any size, and what of them fits the type they came in.

A partial sum is int64 where a bound says that it fits, else an array of Python integers.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from irrun.kernels.layout import reduced_axes
from irrun.kernels.notice import notice

WORD = np.iinfo(np.int64)
BYTES = 256  # this many 8-bit values add up within 16 bits
PIECE = 1 << 19  # words, 4 MiB: still in cache when they are read again, and long enough that threads do not meet
SHORT = 128  # elements of a row
IN_DOUBLES = 2**53  # up to here f64 holds every integer, and a truncated quotient of two is exact
WIDE = 1024  # narrower rows are put side by side up to about this

SumBox = Callable[[np.ndarray, tuple[bool, ...]], np.ndarray]


def sum_box(box: np.ndarray, kept: tuple[bool, ...]) -> np.ndarray:
    """Sum the axes of an integer box that are not kept, exactly.

    In 64 bits; where even these may be too few, which a bound of the magnitudes tells, in two halves.
    """
    axes = reduced_axes(kept)
    width = box.dtype.itemsize
    if not axes:
        return box.astype(object if box.dtype.kind == "u" and width == 8 else np.int64)
    if width == 1:
        return _side_by_side(box, kept, _sum_bytes)
    if width < 8:
        return _side_by_side(box, kept, _sum_in_words)
    sums, bound = _sum_words(box, kept)
    if bound * math.prod(box.shape[axis] for axis in axes) <= WORD.max:
        return sums
    high = np.add.reduce(box >> 32, axis=axes)
    low = np.add.reduce(box & 0xFFFFFFFF, axis=axes)
    return np.asarray(high.astype(object) * 2**32 + low.astype(object))


def _sum_words(box: np.ndarray, kept: tuple[bool, ...]) -> tuple[np.ndarray, int]:
    """Sum 64-bit integers modulo 2^64, and bound their magnitudes, piece by piece while a piece is in cache."""
    axis = next((axis for axis, size in enumerate(box.shape) if size > 1), 0)
    step = max(1, PIECE * box.shape[axis] // box.size)
    if step >= box.shape[axis]:
        return _side_by_side(box, kept, _sum_in_words), largest(box)
    sums = np.zeros([size for size, keep in zip(box.shape, kept, strict=True) if keep], np.int64)
    bound = 0
    for start in range(0, box.shape[axis], step):
        piece = box[(slice(None),) * axis + (slice(start, start + step),)]
        bound = max(bound, largest(piece))
        into = (slice(None),) * sum(kept[:axis]) + (slice(start, start + step),) if kept[axis] else ...
        sums[into] += _side_by_side(piece, kept, _sum_in_words)
    return sums, bound


def largest(box: np.ndarray) -> int:
    """Return a bound of the magnitudes: of signed words one pass finds it where none is negative, as a few suggest."""
    if box.dtype == np.int64 and box.dtype.isnative and min(box.item(0), box.item(-1), box.item(box.size // 2)) >= 0:
        as_unsigned = int(box.view(np.uint64).max())
        if as_unsigned <= WORD.max:
            return as_unsigned
    return max(int(box.max()), -int(box.min()))


def _sum_in_words(box: np.ndarray, kept: tuple[bool, ...]) -> np.ndarray:
    word = np.uint64 if box.dtype.kind == "u" else np.int64
    if box.dtype.itemsize < 8 and kept in {(True, False, True), (False, True)}:  # while it widens, einsum is faster
        return np.einsum("...ij->...j", box, dtype=word, casting="same_kind").view(np.int64)
    if not kept[-1] and box.shape[-1] <= SHORT:
        return np.asarray(np.add.reduce(_sum_axis(box, box.ndim - 1, word), axis=reduced_axes(kept[:-1]))).view(
            np.int64
        )
    return np.asarray(np.add.reduce(box, axis=reduced_axes(kept), dtype=word)).view(np.int64)


def _sum_axis(box: np.ndarray, axis: int, dtype: np.dtype | type[np.integer]) -> np.ndarray:
    """Sum one axis; einsum is sooner at its next short row."""
    if axis == box.ndim - 1 and box.shape[axis] <= SHORT:
        return np.einsum("...i->...", box, dtype=dtype, casting="same_kind")
    return np.asarray(np.add.reduce(box, axis=axis, dtype=dtype))


def _side_by_side(box: np.ndarray, kept: tuple[bool, ...], add: SumBox) -> np.ndarray:
    """Sum with `add`, narrow rows put side by side first: NumPy adds one row at a time."""
    width = box.shape[-1]
    beside = min(WIDE // width, box.shape[-2]) if kept[-1] and not kept[-2] else 1
    if beside <= 1 or box.strides[-2] != width * box.itemsize:
        return add(box, kept)
    *outer, length, _ = box.shape
    whole = length // beside * beside
    wide = add(box[..., :whole, :].reshape(*outer, length // beside, beside * width), kept)
    sums = np.add.reduce(wide.reshape(*wide.shape[:-1], beside, width), axis=-2, dtype=wide.dtype)
    return np.asarray(sums if whole == length else sums + add(box[..., whole:, :], kept))


def _sum_bytes(box: np.ndarray, kept: tuple[bool, ...]) -> np.ndarray:
    """Sum 8-bit integers: at most 256 of them in 16 bits, these sums in 64."""
    axis = reduced_axes(kept)[-1]
    length = box.shape[axis]
    run = next((run for run in range(min(length, BYTES), 0, -1) if length % run == 0), 1)
    if run < min(length, BYTES // 2):
        run = BYTES
    before, after = box.shape[:axis], box.shape[axis + 1 :]
    whole = length // run * run
    short = np.dtype(np.uint16 if box.dtype.kind == "u" else np.int16)
    runs = box[(slice(None),) * axis + (slice(whole),)].reshape(*before, length // run, run, *after)
    sums = _sum_in_words(_sum_axis(runs, axis + 1, short), kept)
    if whole == length:
        return sums
    rest = np.add.reduce(box[(slice(None),) * axis + (slice(whole, None),)], axis=axis, dtype=short, keepdims=True)
    return sums + _sum_in_words(rest, kept)


def sum_squares_box(box: np.ndarray, kept: tuple[bool, ...]) -> np.ndarray:
    """Sum the squares of an integer box: exactly where magnitudes fit 32 bits, else to f64's precision."""
    sizes = magnitudes(box).astype(np.uint64)
    if int(sizes.max()) < 2**32:
        return sum_box(sizes * sizes, kept)
    wide = sizes.astype(np.float64)
    axes = reduced_axes(kept)
    squares = np.asarray(np.add.reduce(wide * wide, axis=axes))
    return np.array([int(square) for square in squares.ravel()], dtype=object).reshape(squares.shape)


def magnitudes(box: np.ndarray) -> np.ndarray:
    """Return the absolute values in the unsigned type, which holds that of the smallest number too."""
    if box.dtype.kind == "u":
        return box
    return np.abs(box).view(f"u{box.dtype.itemsize}")


def of_magnitudes(per_block: SumBox) -> SumBox:
    """Return `per_block` of the absolute values."""
    return lambda box, kept: per_block(magnitudes(box), kept)


def combine_integers(partials: list[np.ndarray]) -> np.ndarray:
    """Add partial sums exactly."""
    if any(part.dtype == object for part in partials):
        return np.asarray(sum(part.astype(object) for part in partials))
    bound = sum(max(int(part.max()), -int(part.min())) for part in partials)
    if bound > WORD.max:
        return np.asarray(sum(part.astype(object) for part in partials))
    return np.add.reduce(np.stack(partials), axis=0)


def divide(totals: np.ndarray, count: int) -> np.ndarray:
    """Divide exact totals, truncating toward zero."""
    raised = totals + (totals < 0) * (count - 1)
    return np.asarray(raised // count)


def mean(totals: np.ndarray, count: int, dtype: np.dtype) -> np.ndarray:
    """Divide the exact totals of `count` integers of `dtype`, truncating toward zero."""
    if count << 8 * dtype.itemsize <= IN_DOUBLES:
        return np.asarray((totals / count).astype(dtype))
    return divide(totals, count).astype(dtype, copy=False)


def fit(totals: np.ndarray, dtype: np.dtype, what: str) -> np.ndarray:
    """Wrap exact totals into `dtype`, and say so where that changes one."""
    limits = np.iinfo(dtype)
    if totals.size and (int(totals.max()) > limits.max or int(totals.min()) < limits.min):
        notice(f"{what} does not fit {dtype.name} and wraps")
    if totals.dtype == object:
        words = [int(total) % 2**64 for total in totals.ravel()]
        totals = np.array(words, dtype=np.uint64).reshape(totals.shape)
    return totals.astype(dtype)


def roots(totals: np.ndarray) -> np.ndarray:
    """Return the square roots of exact totals, truncated."""
    return np.array([math.isqrt(int(total)) for total in totals.ravel()], dtype=object).reshape(totals.shape)


def product(data: np.ndarray, axes: tuple[int, ...], what: str) -> np.ndarray:
    """Multiply integers, wrapping in their type, and say so where a product does not fit."""
    wide = np.dtype(np.uint64 if data.dtype.kind == "u" else np.int64)
    wrapped = np.asarray(np.multiply.reduce(data, axis=axes, dtype=wide)).astype(data.dtype.newbyteorder("="))
    with np.errstate(all="ignore"):
        size = np.abs(np.asarray(np.multiply.reduce(data, axis=axes, dtype=np.float64)))
    zero = np.asarray(np.any(data == 0, axis=axes))
    largest = float(np.iinfo(data.dtype).max)
    doubtful = ~zero & ~(size < 0.999 * largest)
    if doubtful.any() and _some_wraps(data, axes, doubtful):
        notice(f"{what} does not fit {data.dtype.name} and wraps")
    return wrapped


def _some_wraps(data: np.ndarray, axes: tuple[int, ...], doubtful: np.ndarray) -> bool:
    """Multiply out, in Python's integers, the doubtful products until one does not fit."""
    limits = np.iinfo(data.dtype)
    kept = [axis for axis in range(data.ndim) if axis not in axes]
    rows = data.transpose(kept + list(axes)).reshape(*doubtful.shape, -1)
    for row in rows[doubtful]:
        exact = 1
        for value in row.tolist():
            exact *= value
            if abs(exact) > -2 * limits.min + 2 * limits.max:
                return True
        if not limits.min <= exact <= limits.max:
            return True
    return False
