"""Where the tags stand in a text: the n-th start tag is the n-th element, for any reader.

Readers count elements; only when a finding wants a place is the text scanned, once, and the count turned into a span.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from irrun.source import Source, Span

_QUOTED = r"\"[^\"]*\"|'[^']*'"
_OTHER = re.compile(r"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)|<![^>]*>?|</[^>]*>?", re.DOTALL)
_START = re.compile(rf"<[^\s<>/!?\"'=][^\s<>/\"'=]*+(?:[^<>\"']++|{_QUOTED})*+>?")
_TOKEN = re.compile(rf"(?P<start>{_START.pattern})|{_OTHER.pattern}", re.DOTALL)
_ATTRIBUTE = re.compile(rf"([^\s=<>/\"']+)\s*=\s*({_QUOTED})")


class Elements:
    """The elements of one document within a source, numbered by their start tags from 0."""

    def __init__(self, source: Source, start: int = 0, end: int | None = None) -> None:
        self.source = source
        self._start = start
        self._end = end

    @cached_property
    def _tags(self) -> list[int]:
        text = self.source.text
        end = len(text) if self._end is None else self._end
        return [match.start() for match in _TOKEN.finditer(text, self._start, end) if match["start"] is not None]

    def tag(self, number: int) -> Span | None:
        """The start tag of the element of this number."""
        if number >= len(self._tags):
            return None
        start = self._tags[number]
        match = _START.match(self.source.text, start)
        return Span(start, start + 1 if match is None else match.end())

    def attribute(self, number: int, name: str) -> Span | None:
        """`name="value"` in the start tag of the element of this number, or the tag where it has no such attribute."""
        tag = self.tag(number)
        if tag is None:
            return None
        for match in _ATTRIBUTE.finditer(self.source.text, *tag):
            if match[1] == name:
                return Span(*match.span())
        return tag

    def place(self, number: int, attribute: str | None = None) -> ElementPlace:
        """The place of an element, or of one of its attributes, found when it is asked for."""
        return ElementPlace(self, number, attribute)


@dataclass(frozen=True, slots=True)
class ElementPlace:
    """An element of a document, or one of its attributes, as a place."""

    elements: Elements
    number: int
    attribute: str | None = None

    @property
    def source(self) -> Source:
        return self.elements.source

    @property
    def span(self) -> Span | None:
        if self.attribute is None:
            return self.elements.tag(self.number)
        return self.elements.attribute(self.number, self.attribute)
