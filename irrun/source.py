"""Where something stands: a text with a name, a stretch of it, and its line and column."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

_LINE_END = re.compile(r"\r\n|\n|\r")


class Span(NamedTuple):
    """The characters `start` to `end` (exclusive) of a text, counted in code points from 0."""

    start: int
    end: int


class Edit(NamedTuple):
    """What shall stand in a text in place of a stretch of it; an empty stretch is a place to insert at."""

    span: Span
    text: str


class Source:
    """A text and the name a person knows it by; `data` is decoded only when somebody asks for the text."""

    def __init__(self, name: str, data: bytes | str) -> None:
        self.name = name
        self._data = data

    @cached_property
    def text(self) -> str:
        """The text; a file that is not UTF-8 has been re-encoded by the reader before it comes here."""
        if isinstance(self._data, str):
            return self._data
        return self._data.decode("utf-8", "replace").removeprefix("\ufeff")

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of the character at `offset`."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column, both from 1; what lies beyond the text is its end."""
        if line > len(self._line_starts):
            return len(self.text)
        return min(self._line_starts[max(line, 1) - 1] + max(column, 1) - 1, len(self.text))

    def line(self, number: int) -> Span:
        """Where the `number`-th line, from 1, stands, without its line end."""
        start = self._line_starts[number - 1]
        if number == len(self._line_starts):
            return Span(start, len(self.text))
        end = self._line_starts[number] - 1
        return Span(start, end - 1 if end > start and self.text[end - 1 : end + 1] == "\r\n" else end)


class Place(Protocol):
    """Anything that can say where it stands; finding out may cost a scan, so it is asked only when shown."""

    @property
    def source(self) -> Source: ...

    @property
    def span(self) -> Span | None: ...


@dataclass(frozen=True, slots=True)
class At:
    """A place that is known already; without a span it is the file as a whole."""

    source: Source
    span: Span | None = None
