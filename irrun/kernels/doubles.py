"""Sums of f64: in pairs, carrying what each addition rounds off, so that only the last digit can be wrong."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from irrun.kernels.layout import merge

# Additions of the first levels whose rounding is not carried: each costs at most one unit in the last place.
PLAIN_LEVELS = 2


def sum_pairs(values: np.ndarray, axis: int, plain: int = 0) -> np.ndarray:
    """Sum f64 over one axis; the first `plain` halvings round, the others do not until the end."""
    values = np.moveaxis(values, axis, 0)
    lost = np.zeros((1, *values.shape[1:]))
    level = 0
    while len(values) > 1:
        half = len(values) // 2
        left, right, odd = values[:half], values[half : 2 * half], values[2 * half :]
        if level < plain:
            sums = left + right
        else:
            sums, errors = two_sum(left, right)
            lost = lost + np.add.reduce(errors, axis=0, keepdims=True)
        values = np.concatenate([sums, odd]) if len(odd) else sums
        level += 1
    total = values[0]
    return np.where(np.isfinite(total), total + lost[0], total)


def two_sum(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Add f64, and return with the sums exactly what they were rounded by (Knuth)."""
    sums = left + right
    back = sums - left
    return sums, (left - (sums - back)) + (right - back)


def double_box(widen: Callable[[np.ndarray], np.ndarray]) -> Callable[[np.ndarray, tuple[bool, ...]], np.ndarray]:
    """Return the sum of a box of what `widen` makes contiguous f64 of."""

    def per_block(box: np.ndarray, kept: tuple[bool, ...]) -> np.ndarray:
        box, kept = merge(widen(box), kept)
        plain = PLAIN_LEVELS
        for axis in reversed(range(len(kept))):
            if not kept[axis]:
                box = sum_pairs(box, axis, plain)
                plain = 0
        return box.copy() if all(kept) else box  # what is widened lies in scratch memory

    return per_block


def combine_doubles(partials: list[np.ndarray]) -> np.ndarray:
    """Add partial sums of f64 as one."""
    return sum_pairs(np.stack(partials), 0)


def divide_doubles(totals: np.ndarray, divisor: float, *, mean: bool) -> np.ndarray:
    """Divide sums of f64; a mean of finite numbers stays finite, though its last digit may be rounded up."""
    if not mean:
        return np.asarray(totals / divisor)
    with np.errstate(over="ignore"):
        quotients = totals / divisor
    limit = np.copysign(np.finfo(np.float64).max, totals)
    return np.where(np.isinf(quotients) & np.isfinite(totals), limit, quotients)
