"""What a caller gives as inputs to arrays of the Parameters' element types and shapes.

Lists, scalars and JSON have no type and are rounded silently; arrays of another type are converted, and a warning
says so. Whatever would change a value beyond rounding is an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from irrun.diag import Report
from irrun.diag.words import listed, meant
from irrun.kernels.cast import is_float, to_float
from irrun.kernels.notice import listening
from irrun.types.element import BOOLEAN, STRING, ElementType, element_type_of
from irrun.types.packing import NF4_LEVELS
from irrun.types.shape import Shape, extents_text

Array = np.ndarray


class _Unfit(ValueError):
    """A value that cannot be an input of this element type."""


class Expected(NamedTuple):
    """An input of static shape: the layer that it feeds, its name, dtype and extents."""

    layer: int
    name: str
    dtype: np.dtype
    extents: tuple[int, ...]


def as_they_are(feeds: Any, expected: list[Expected]) -> dict[int, Array] | None:
    """Feeds by layer where all are just what is expected, as in most runs; None where they need a closer look."""
    if feeds.__class__ is not dict or len(feeds) != len(expected):
        return None
    arrays: dict[int, Array] = {}
    for layer, name, dtype, extents in expected:
        array = feeds.get(name)
        if array.__class__ is not Array or array.shape != extents or array.dtype is not dtype:
            return None
        arrays[layer] = array
    return arrays


def as_input(name: str, value: Any, type: ElementType, shape: Shape, report: Report) -> Array | None:
    """The array that feeds a Parameter of this type and shape, or None with the finding reported.

    The array shares the caller's memory where it can; nobody writes to it.
    """
    try:
        array, typed = _as_array(value, type)
        converted = _converted(array, type)
    except _Unfit as error:
        report.add("IR605", f"input {name}: {error}")
        return None
    if not shape.admits(array.shape):
        report.add("IR604", f"input {name}: the array is {extents_text(array.shape)}, the input is {type}{shape}")
        return None
    if typed and type is not STRING and array.dtype.newbyteorder("=") != converted.dtype:
        given = element_type_of(array.dtype)
        report.add("IR606", f"input {name}: converted from {given or array.dtype} to {type}")
    return converted


def _as_array(value: Any, type: ElementType) -> tuple[Array, bool]:
    """The value as an array, and whether it came with a type of its own."""
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        return raw_bits(array, type), array.dtype.kind != "O"
    if isinstance(value, (str, bytes)) and type is not STRING:
        raise _Unfit(f"{value!r:.60} is no number")
    try:
        array = (
            np.asarray(value, STRING.dtype) if type is STRING and not hasattr(value, "__array__") else np.asarray(value)
        )
    except (ValueError, TypeError, OverflowError) as error:
        raise _Unfit(f"no tensor can be made of {value!r:.60}: {error}") from None
    return array, hasattr(value, "__array__")


def raw_bits(array: Array, type: ElementType) -> Array:
    """What .npy makes of ml_dtypes' types, plain bytes of their width, as these types again."""
    raw = array.dtype.kind == "V" and array.dtype.names is None and element_type_of(array.dtype) is None
    fits = type.dtype.kind == "V" and array.dtype.itemsize == type.dtype.itemsize
    return array.view(type.dtype) if raw and fits else array


def _converted(array: Array, type: ElementType) -> Array:
    """The array in the type's dtype and native byte order."""
    kind = array.dtype.kind
    if type is STRING:
        if kind in "UTO":
            return array.astype(STRING.dtype)
        raise _Unfit(f"strings are expected, not {array.dtype}")
    if kind == "O" and all(isinstance(each, int) for each in array.reshape(-1).tolist()):
        raise _Unfit(f"integers beyond 64 bits do not fit {type}")
    if array.size == 0 and kind == "f" and not type.is_float:
        return np.empty(array.shape, type.dtype)
    if kind not in "biuf" and not is_float(array.dtype):
        raise _Unfit(f"numbers are expected, not {array.dtype}")
    if type.is_float:
        return _to_float(array, type)
    return _to_boolean(array) if type is BOOLEAN else _to_integer(array, type)


def _to_float(array: Array, type: ElementType) -> Array:
    if array.dtype.newbyteorder("=") == type.dtype:
        return array.astype(type.dtype, copy=False)
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    with listening():
        result = to_float(array, type.dtype)
    if type.name == "nf4" and not np.isin(result, NF4_LEVELS).all():
        raise _Unfit("a value is none of the levels of nf4")
    lost = ~np.isfinite(result) & np.isfinite(array) if is_float(array.dtype) else ~np.isfinite(result)
    if lost.any():
        raise _Unfit(f"{_first(array, lost)} is beyond the range of {type}")
    return result


def _to_boolean(array: Array) -> Array:
    if array.dtype.kind == "b":
        return array
    bad = (array != np.zeros((), array.dtype)) & (array != np.ones((), array.dtype))
    if bad.any():
        raise _Unfit(f"{_first(array, bad)} is neither false (0) nor true (1)")
    return array != np.zeros((), array.dtype)


def _to_integer(array: Array, type: ElementType) -> Array:
    if array.dtype.newbyteorder("=") == type.dtype and not type.is_storage:
        return array.astype(type.dtype, copy=False)
    least, greatest = type.limits
    wide = array
    if is_float(array.dtype):
        wide = array.astype(np.float64)
        with np.errstate(invalid="ignore"):
            bad = ~np.isfinite(wide) | (np.trunc(wide) != wide)
        if bad.any():
            raise _Unfit(f"{_first(array, bad)} is no integer, the input is {type}")
    if array.dtype.kind != "b":
        bad = (wide < least) | ((wide >= greatest + 1) if is_float(array.dtype) else (wide > greatest))
        if bad.any():
            raise _Unfit(f"{_first(array, bad)} is beyond the range [{least}, {greatest}] of {type}")
    return wide.astype(type.dtype)


def _first(array: Array, bad: Array) -> str:
    """The first bad value and its position."""
    position = tuple(int(index) for index in np.argwhere(bad)[0])
    at = f" at [{', '.join(map(str, position))}]" if position else ""
    return f"{array[position]}{at}"


def gather(feeds: Any, inputs: Mapping[str, tuple[int, ...]], count: int, report: Report) -> dict[int, Any]:
    """Feeds by input position: `feeds` is a mapping by name or index, a sequence in the inputs' order, or one value
    for one input.

    `inputs` are the positions that each name addresses. Names that address none are reported.
    """
    if feeds is None:
        return {}
    if not isinstance(feeds, Mapping):
        if count == 1 and not (isinstance(feeds, (list, tuple)) and len(feeds) == 1):
            return {0: feeds}
        if not isinstance(feeds, (list, tuple)):
            report.add("IR603", f"one value is given, the model has {count} inputs", hint=_hint(inputs))
            return {}
        feeds = dict(enumerate(feeds))
    found: dict[int, Any] = {}
    for name, value in feeds.items():
        positions = inputs.get(str(name), ())
        if not positions and str(name).isdecimal() and int(name) < count:
            positions = (int(name),)
        if not positions:
            report.add("IR603", f"there is no input {name!r}", hint=_hint(inputs, str(name)))
        elif len(positions) > 1:
            report.add("IR603", f"{name!r} is the name of {len(positions)} inputs", hint="use an index")
        elif positions[0] in found:
            report.add("IR603", f"input {name!r} is given twice, under two names")
        else:
            found[positions[0]] = value
    return found


def _hint(inputs: Mapping[str, tuple[int, ...]], name: str = "") -> str:
    return f"{meant(name, list(inputs))}the inputs are {listed(inputs)}" if inputs else "the model has no inputs"
