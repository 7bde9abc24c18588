"""What reads the text of an attribute: `boolean`, `integer`, `number`, lists of them, words, types, shapes.

A reader returns the value or raises ValueError that says what is expected; `TrailingText` carries a value that is
followed by something that does not belong to it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from typing import Any, TypeVar

from irrun.types.element import ElementType, TypeSet, likely_type, parse_element_type
from irrun.types.shape import Shape, parse_shape

_T = TypeVar("_T")
_INTEGER = re.compile(r"-?\d{1,40}", re.ASCII)
_NUMBER = re.compile(
    r"[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)", re.ASCII | re.IGNORECASE
)
_SUFFIX = re.compile(r"[fF]")
_LEAST, _GREATEST = -(1 << 63), (1 << 63) - 1


class TrailingText(ValueError):
    """A value was read, and something follows it."""

    def __init__(self, value: Any, rest: str) -> None:
        super().__init__(f"{rest!r} follows the value")
        self.value = value
        self.rest = rest


def boolean(text: str) -> bool:
    """`true`, `false`, `1` or `0`, in any letter case."""
    words = {"true": True, "1": True, "false": False, "0": False}
    if text.lower() not in words:
        raise ValueError("expected true or false")
    return words[text.lower()]


def integer(text: str) -> int:
    """A decimal integer of 64 bits."""
    if not _INTEGER.fullmatch(text.strip()):
        raise ValueError("expected an integer")
    value = int(text)
    if not _LEAST <= value <= _GREATEST:
        raise ValueError("expected an integer of 64 bits")
    return value


def number(text: str) -> float:
    """A floating-point number; a C suffix as in `0.5f` is reported and passed over."""
    match = _NUMBER.match(text.strip())
    rest = "" if match is None else text.strip()[match.end() :]
    if match is None or (rest and not _SUFFIX.fullmatch(rest)):
        raise ValueError("expected a number")
    value = float(match[0])
    if rest:
        raise TrailingText(value, rest)
    return value


def text(value: str) -> str:
    """Any text."""
    return value


def list_of(item: Callable[[str], _T]) -> Callable[[str], tuple[_T, ...]]:
    """A comma-separated list; empty text is the empty list."""

    def read(text: str) -> tuple[_T, ...]:
        return tuple(item(part) for part in text.split(",")) if text.strip() else ()

    read.__name__ = f"list of {item.__name__}s"
    return read


integers = list_of(integer)
numbers = list_of(number)


def one_of(*words: str) -> Callable[[str], str]:
    """One of these words, in any letter case; the value is the word as it is listed."""
    by_lower = {word.lower(): word for word in words}

    def read(text: str) -> str:
        word = by_lower.get(text.lower())
        if word is None:
            near = difflib.get_close_matches(text[:100].lower(), by_lower, 1)
            meant = f"; did you mean {by_lower[near[0]]}?" if near else ""
            raise ValueError(f"expected one of {', '.join(words)}{meant}")
        return word

    read.__name__ = f"one of {', '.join(words)}"
    return read


def element_type(text: str) -> ElementType:
    """An element type as `element_type` and `destination_type` spell it: `f32`."""
    type = parse_element_type(text)
    if type is None:
        likely = likely_type(text)
        meant = "" if likely is None else f"; did you mean {likely}?"
        raise ValueError(f"expected an element type such as f32{meant}")
    return type


def element_type_in(allowed: TypeSet) -> Callable[[str], ElementType]:
    """An element type of this set."""

    def read(text: str) -> ElementType:
        type = element_type(text)
        if type not in allowed:
            raise ValueError(f"expected {allowed}")
        return type

    read.__name__ = str(allowed)
    return read


def partial_shape(text: str) -> Shape:
    """A Parameter's shape: `2,3`, `?,3`, `1..8,3`, `...`."""
    return parse_shape(text)


def extents(text: str) -> tuple[int, ...]:
    """A Const's shape: non-negative integers."""
    values = integers(text)
    if any(value < 0 for value in values):
        raise ValueError("expected dims of at least 0")
    return values


extents.__name__ = "shape"
