"""Whether an array is what was expected, and if not: where, by how much, and what tolerance it would take.

The meaning is that of numpy.allclose with equal_nan: |actual - expected| <= atol + rtol * |expected|.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from irrun.kernels.cast import is_float
from irrun.statistics import blocks
from irrun.types.element import STRING
from irrun.types.shape import extents_text

RTOL, ATOL = 1e-5, 1e-5
"""The tolerances for floating-point outputs, where none are given; those of integers and booleans are 0."""

_ROUNDING = 1 + 2.0**-48
"""A needed tolerance is a little more than the formula's inverse, because the formula itself rounds."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """|actual - expected| may be `absolute + relative * |expected|`."""

    relative: float
    absolute: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a comparison found.

    `said` is one sentence of the difference, None where there is none. `first` is the index of the first value beyond
    the tolerance, with `actual` and `expected` there; `count` of `size` values are beyond it. `max_absolute` and
    `max_relative` are over all pairs of finite values. `needs_atol` and `needs_rtol` are what would suffice in place
    of the given one.
    """

    tolerance: Tolerance
    size: int
    said: str | None = None
    first: tuple[int, ...] | None = None
    actual: str | None = None
    expected: str | None = None
    count: int = 0
    max_absolute: int | float = 0
    max_relative: float = 0.0
    needs_atol: float | None = None
    needs_rtol: float | None = None

    @property
    def equal(self) -> bool:
        return self.said is None


def compare(
    actual: np.ndarray, expected: np.ndarray, rtol: float | None = None, atol: float | None = None
) -> Comparison:
    """Compare an output with a reference, in blocks; integers are compared, and subtracted, exactly.

    A tolerance that is None is the default: RTOL or ATOL for floating-point outputs, 0 for others.
    """
    tolerance = _tolerance(actual, rtol, atol)
    if actual.shape != expected.shape:
        said = f"the shape is {extents_text(actual.shape)}, {extents_text(expected.shape)} was expected"
        return Comparison(tolerance, actual.size, said)
    kinds = [_kind(array) for array in (actual, expected)]
    if "other" in kinds or ("text" in kinds and kinds[0] != kinds[1]):
        return Comparison(tolerance, actual.size, f"{actual.dtype} cannot be compared with {expected.dtype}")
    found = _Found(tolerance)
    for a, b in zip(blocks(actual), blocks(expected), strict=True):
        found.add(a, b, kinds)
    return found.comparison(actual, expected)


def _tolerance(actual: np.ndarray, rtol: float | None, atol: float | None) -> Tolerance:
    is_number = is_float(actual.dtype)
    default_rtol, default_atol = (RTOL, ATOL) if is_number else (0.0, 0.0)
    return Tolerance(default_rtol if rtol is None else rtol, default_atol if atol is None else atol)


def _kind(array: np.ndarray) -> str:
    if array.dtype.kind in "iub":
        return "integer"
    if array.dtype.kind in "UT":
        return "text"
    return "float" if is_float(array.dtype) else "other"


class _Found:
    """What the blocks so far have shown; blocks come in order."""

    def __init__(self, tolerance: Tolerance) -> None:
        self._tolerance = tolerance
        self._start = 0
        self._first: int | None = None
        self._count = 0
        self._hopeless = False
        self._max_absolute: int | float = 0
        self._max_relative = 0.0
        self._needs_atol = 0.0
        self._needs_rtol: float = 0.0

    def add(self, a: np.ndarray, b: np.ndarray, kinds: list[str]) -> None:
        """Compare one block of the output with that of the reference."""
        with np.errstate(all="ignore"):
            beyond = self._texts(a, b) if kinds[0] == "text" else self._numbers(a, b, kinds)
        count = int(np.count_nonzero(beyond))
        if count and self._first is None:
            self._first = self._start + int(np.argmax(beyond))
        self._count += count
        self._start += a.size

    def _texts(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        self._hopeless = True
        differs: np.ndarray = a.astype(STRING.dtype) != b.astype(STRING.dtype)
        return differs

    def _numbers(self, a: np.ndarray, b: np.ndarray, kinds: list[str]) -> np.ndarray:
        if kinds == ["integer", "integer"]:
            difference = _integer_difference(a, b)
            same, finite, size = difference == 0, np.True_, np.abs(b.astype(np.float64))
        else:
            # An integer beside a float: long doubles hold 64-bit integers where the platform has them.
            wide = np.float64 if "integer" not in kinds else np.longdouble
            a, b = a.astype(wide), b.astype(wide)
            difference, size = np.abs(a - b), np.abs(b)
            same, finite = (a == b) | (np.isnan(a) & np.isnan(b)), np.isfinite(a) & np.isfinite(b)
        allowed = self._tolerance.absolute + self._tolerance.relative * size
        beyond: np.ndarray = ~same & (~finite | (difference > allowed))
        self._measure(difference, size, ~same & finite)
        self._hopeless |= bool((beyond & ~finite).any())
        return beyond

    def _measure(self, difference: np.ndarray, size: np.ndarray, differs: np.ndarray) -> None:
        """Note the largest differences, and what tolerance would cover them."""
        if not differs.any():
            return
        difference, size = difference[differs], size[differs]
        largest = difference.max()
        self._max_absolute = max(self._max_absolute, int(largest) if difference.dtype.kind == "u" else float(largest))
        absolute = difference.astype(np.float64)
        slack = _ROUNDING if self._tolerance.relative else 1.0
        excess = float((absolute - self._tolerance.relative * size).max())
        self._needs_atol = max(self._needs_atol, excess * slack)
        if size.any():
            self._max_relative = max(self._max_relative, float((absolute[size > 0] / size[size > 0]).max()))
        rest = absolute - self._tolerance.absolute
        ratio = np.where(rest <= 0, 0.0, rest / size)
        self._needs_rtol = max(self._needs_rtol, float(ratio.max()) * _ROUNDING)

    def comparison(self, actual: np.ndarray, expected: np.ndarray) -> Comparison:
        """The result, when all blocks have been compared."""
        if self._first is None:
            return Comparison(
                self._tolerance, actual.size, max_absolute=self._max_absolute, max_relative=self._max_relative
            )
        first = tuple(int(index) for index in np.unravel_index(self._first, actual.shape))
        at = f" at [{', '.join(map(str, first))}]" if first else ""
        values = _text(actual[first]), _text(expected[first])
        more = f"; {self._count} of {actual.size} values differ" if actual.size > 1 else ""
        return Comparison(
            self._tolerance,
            actual.size,
            said=f"it is {values[0]}{at}, {values[1]} was expected{more}",
            first=first,
            actual=values[0],
            expected=values[1],
            count=self._count,
            max_absolute=self._max_absolute,
            max_relative=self._max_relative,
            needs_atol=self._needed(self._needs_atol),
            needs_rtol=self._needed(self._needs_rtol),
        )

    def _needed(self, tolerance: float) -> float | None:
        return None if self._hopeless or not math.isfinite(tolerance) else rounded_up(tolerance)


def _integer_difference(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """|a - b| as uint64, exactly; what is beyond 64 bits is the greatest there is."""
    unsigned_a, unsigned_b = a.astype(np.uint64), b.astype(np.uint64)
    difference = np.where(a > b, unsigned_a - unsigned_b, unsigned_b - unsigned_a)
    if {a.dtype.kind, b.dtype.kind} == {"i", "u"}:
        difference[np.abs(a.astype(np.float64) - b.astype(np.float64)) >= 2.0**64] = np.iinfo(np.uint64).max
    return difference


def _text(value: np.generic | str) -> str:
    """One value of an array in full."""
    if isinstance(value, str):
        return repr(str(value))
    # A float of NumPy's own prints the fewest digits that say which one it is.
    return str(value) if value.dtype.isbuiltin == 1 else str(value.item())


def rounded_up(value: float) -> float:
    """The value with three significant digits, never less than it was."""
    if value <= 0 or not math.isfinite(value):
        return max(value, 0.0)
    from decimal import ROUND_CEILING, Decimal  # seldom needed, and slow to import

    exact = Decimal(value)
    step = Decimal(1).scaleb(exact.adjusted() - 2)
    rounded = float(exact.quantize(step, ROUND_CEILING))
    return rounded if rounded >= value else math.nextafter(value, math.inf)
