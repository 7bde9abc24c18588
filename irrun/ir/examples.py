"""The values that comments give: `indices value is: [[0, 2], [1, 2]]` beside a port is what the port's tensor holds.

Comments are written for people, so what only looks like a value is left alone: sums, names of types, the extents of a
shape, prose. A value is taken where the words before it say that it is one, or where it stands alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from irrun.ir.soup import Comment
from irrun.source import Span
from irrun.types.element import ElementType, likely_type

Item = bool | int | float | str

MAX_RANK = 32
"""How deep lists may lie in each other."""

CONSIDERED = 16
JOINED = 8
"""How many comments of one port are looked at, and how many of them one list may take."""

_SHORT = 80


@dataclass(frozen=True, slots=True)
class Printed:
    """A value as it is printed: its elements in row-major order, the extents of its lists, and its place.

    `units` are half a unit of each element's last printed digit. A `loose` one is a value only if its count fits the
    port: nothing but the count tells it from a remark.
    """

    items: tuple[Item, ...]
    extents: tuple[int, ...]
    units: tuple[float, ...]
    span: Span
    loose: bool = False


_PREFIX = re.compile(
    r"""\s*+(?:
      (?:the\s+)?(?:(?!the\b)(?P<container>[A-Za-z_]\w*+)\s++)?(?:(?:input|output|tensor)\s+)?
        (?P<contains>contains)(?:\s+\d+\s+elements?)?\s*+[:=]?
    | (?:[\w-]++\s++){0,3}?(?P<values>(?:\w{1,99}_)?values?)
      (?:\s+(?:in|of)\s+this\s+\w+)?(?:\s+(?:is|are|of)\b)?\s*+[:=\#]?
    | (?P<name>[A-Za-z_]\w*+)\s*+(?:[:=]|is\b:?|are\b:?)
    )\s*+""",
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER = r"[+-]?(?:\d++(?:\.(?!\.)\d*+)?|\.\d++)(?:[eE][+-]?\d++)?(?=[fF]?(?![\w.]))[fF]?"
_WORD = r"(?:true|false|[+-]?(?:nan|inf(?:inity)?))(?!\w)"
_STRING = r"\"[^\"]*\"|'[^']*'"
_ITEM = re.compile(
    rf"[\s,;]*+(?:(?P<open>[\[{{(])|(?P<close>[\]}})])|(?P<number>{_NUMBER})|(?P<word>{_WORD})|(?P<string>{_STRING}))",
    re.IGNORECASE,
)
_SCALAR = re.compile(rf"(?P<number>{_NUMBER})|(?P<word>{_WORD})|(?P<string>{_STRING})", re.IGNORECASE)
_COMMA = re.compile(r"\s*+,\s*+(?=[+-]?\.?\d)")
_ARITHMETIC = re.compile(r"\s*+(?:[=+*/^%<>:]|-\s*+\.?\d|-\s*+\w*+\[)")
_TYPE = re.compile(
    r"\s*+(?:(?:result|output|input|element|data)\s+)?type\s*+(?:is\b)?\s*+[:=]?\s*+(\w+)\s*+\Z", re.IGNORECASE
)
_SHAPE_WORDS = frozenset(
    [
        *("shape", "dims", "dim", "dimension", "dimensions", "size", "sizes", "rank", "layout", "type", "example"),
        *("id", "ids", "index", "batch", "channel", "channels", "height", "width", "depth", *"ncdhwbxyz"),
    ]
)


class _Parsed(NamedTuple):
    items: list[Item]
    extents: tuple[int, ...]
    units: list[float]
    end: int


class _Unfinished(Exception):
    """The list goes on in the next comment."""


def printed_value(comments: Sequence[Comment], dims: Sequence[int] | None, names: Iterable[str]) -> Printed | None:
    """The value that the comments of a port give, or None.

    `dims` are the port's, -1 for unknown, or None where none are shown; `names` is what the port's tensor is called.
    """
    known = {name.lower() for name in names if name}
    loose = None
    for place in range(min(len(comments), CONSIDERED)):
        found = _in_comment(comments, place, known)
        if found is None or _is_shape(found, dims):
            continue
        if not found.loose:
            return found
        if fits(found, dims):
            loose = loose or found
    return loose


def printed_type(comments: Sequence[Comment]) -> ElementType | None:
    """The element type that a comment of a port names, and nothing else: `type: i32`."""
    for comment in comments[:CONSIDERED]:
        match = _TYPE.match(comment.text[:_SHORT]) if len(comment.text) < _SHORT else None
        if match is not None and (named := likely_type(match[1])) is not None:
            return named
    return None


def fits(value: Printed, dims: Sequence[int] | None) -> bool:
    """Whether a tensor with these dims has as many elements, in lists as long where there are as many lists as dims."""
    if dims is None:
        return True
    if len(value.extents) == len(dims):
        return all(dim in (-1, extent) for dim, extent in zip(dims, value.extents, strict=True))
    count = 1
    for dim in dims:
        count *= dim
    return -1 in dims or count == len(value.items)


def _is_shape(value: Printed, dims: Sequence[int] | None) -> bool:
    """Whether the list repeats the port's dims, and so is no value."""
    return dims is not None and value.items == tuple(dims) and not fits(value, dims)


def _in_comment(comments: Sequence[Comment], place: int, known: set[str]) -> Printed | None:
    """The value that begins in a comment; an open list goes on in the comments after it."""
    for until in range(place + 1, place + 1 + JOINED):
        text = "\n".join(comment.text for comment in comments[place:until])
        try:
            found = _read(text, known)
        except _Unfinished:
            continue
        if found is None:
            return None
        parsed, loose = found
        span = Span(comments[place].span.start, comments[min(until, len(comments)) - 1].span.end)
        return Printed(tuple(parsed.items), parsed.extents, tuple(parsed.units), span, loose)
    return None


def _read(text: str, known: set[str]) -> tuple[_Parsed, bool] | None:
    """What a text gives as a value, and whether only its count can tell."""
    prefix = _PREFIX.match(text)
    start = len(text) - len(text.lstrip()) if prefix is None else prefix.end()
    opening = text[start : start + 1]
    parsed = _list(text, start) if opening in ("[", "{") else _scalars(text, start, prefix is not None)
    if parsed is None or _ARITHMETIC.match(text, parsed.end):
        return None
    if prefix is None:
        scalar = parsed.extents == ()
        return None if scalar and text[parsed.end :].strip() else (parsed, scalar)
    name = prefix["name"]
    if name is None or name.lower() in known:
        return parsed, False
    if parsed.extents == () or name.lower() in _SHAPE_WORDS:
        return None if name.lower() in _SHAPE_WORDS else (parsed, True)
    return parsed, False


def _list(text: str, start: int) -> _Parsed | None:
    """A list, or lists in lists, in brackets or braces; None where they are ragged or hold something else."""
    items: list[Item] = []
    units: list[float] = []
    counts: list[int] = []
    extents: list[int | None] = []
    leaves = -1
    at = start
    while True:
        match = _ITEM.match(text, at)
        if match is None:
            if text[at:].strip(" \t\r\n,;"):
                return None
            raise _Unfinished
        at = match.end()
        if match["open"] is not None:
            if counts:
                counts[-1] += 1
            counts.append(0)
            if len(counts) > MAX_RANK or leaves in range(1, len(counts)):
                return None
            if len(extents) < len(counts):
                extents.append(None)
        elif match["close"] is not None:
            depth, count = len(counts) - 1, counts.pop()
            if extents[depth] not in (None, count):
                return None
            extents[depth] = count
            if not counts:
                return _Parsed(items, tuple(extent or 0 for extent in extents), units, at)
        else:
            counts[-1] += 1
            if leaves not in (-1, len(counts)) or len(extents) > len(counts):
                return None
            leaves = len(counts)
            item, unit = _item(match)
            items.append(item)
            units.append(unit)


def _scalars(text: str, start: int, several: bool) -> _Parsed | None:
    """One element without brackets, or, where words promise it, several between commas."""
    match = _SCALAR.match(text, start)
    if match is None:
        return None
    first = _item(match)
    items, units = [first[0]], [first[1]]
    while several and (comma := _COMMA.match(text, match.end())) is not None:
        following = _SCALAR.match(text, comma.end())
        if following is None:
            break
        match = following
        item, unit = _item(match)
        items.append(item)
        units.append(unit)
    return _Parsed(items, () if len(items) == 1 else (len(items),), units, match.end())


def _item(match: re.Match[str]) -> tuple[Item, float]:
    """An element and half a unit of its last printed digit."""
    if match["string"] is not None:
        return match["string"][1:-1], 0.0
    if match["word"] is not None:
        word = match["word"].lower()
        return (word == "true", 0.0) if word in ("true", "false") else (float(word), 0.0)
    text = match["number"].rstrip("fF").lower()
    mantissa, _, exponent = text.partition("e")
    _, point, fraction = mantissa.partition(".")
    # A float of a text knows no overflow, and takes any exponent.
    unit = float(f"5e{int((exponent or '0')[:9]) - len(fraction) - 1}")
    if not point and not exponent and len(mantissa) < 40:
        return int(mantissa), unit
    return float(text), unit
