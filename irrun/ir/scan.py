"""Where the tags stand in a text: the n-th start tag is the n-th element, for any reader.

Readers count elements; only when a finding wants a place is the text scanned, once, and the count turned into a span.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from irrun.source import Source, Span

_QUOTED = r"\"[^\"]*\"|'[^']*'"
_TAG = rf"[^\s<>/!?\"'=][^\s<>/\"'=]*+(?:[^<>\"']++|{_QUOTED})*+>?"
_COMMENT = r"!--(?:[^-]++|-(?!->))*+(?:-->)?"
_CDATA = r"!\[CDATA\[(?:[^\]]++|\](?!\]>))*+(?:\]\]>)?"
_INSTRUCTION = r"\?(?:[^?]++|\?(?!>))*+(?:\?>)?"
_START = re.compile(f"<{_TAG}")
# Everything starts with `<`, so that the search leaps from one to the next; nothing is tried twice.
_TOKEN = re.compile(f"<(?:(?P<start>{_TAG})|{_COMMENT}|{_CDATA}|{_INSTRUCTION}|![^>]*+>?|/[^>]*+>?)")
_ATTRIBUTE = re.compile(rf"([^\s=<>/\"']+)\s*=\s*({_QUOTED})")


class Elements:
    """The elements of one document within a source, numbered by their start tags from 0."""

    def __init__(self, source: Source, start: int = 0, end: int | None = None) -> None:
        self.source = source
        self._start = start
        self._end = end
        # A tag may be megabytes long and have many findings, so the last one looked at is kept.
        self._last_tag = -1, Span(0, 0)
        self._last_attributes: tuple[int, dict[str, Span]] = (-1, {})

    @cached_property
    def _tags(self) -> list[int]:
        text = self.source.text
        end = len(text) if self._end is None else self._end
        return [match.start() for match in _TOKEN.finditer(text, self._start, end) if match["start"] is not None]

    def tag(self, number: int) -> Span | None:
        """The start tag of the element of this number."""
        if number >= len(self._tags):
            return None
        if self._last_tag[0] != number:
            start = self._tags[number]
            match = _START.match(self.source.text, start)
            self._last_tag = number, Span(start, start + 1 if match is None else match.end())
        return self._last_tag[1]

    def attribute(self, number: int, name: str) -> Span | None:
        """`name="value"` in the start tag of the element of this number, or the tag where it has no such attribute."""
        tag = self.tag(number)
        if tag is None:
            return None
        if self._last_attributes[0] != number:
            matches = _ATTRIBUTE.finditer(self.source.text, *tag)
            self._last_attributes = number, {match[1]: Span(*match.span()) for match in matches}
        return self._last_attributes[1].get(name, tag)

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
