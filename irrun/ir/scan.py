"""Where the tags stand in a text, whether or not it is XML.

A reader of well-formed text counts elements; only when a finding wants a place is the text scanned, once, and the
count turned into a span: the n-th start tag is the n-th element. A reader of other text takes `tokens`, which has a
token for every character and a `Flaw` for what is not as XML has it. Both are linear in the text: nothing backtracks,
nothing is searched twice.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import NamedTuple

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


class Mark(NamedTuple):
    """A start tag whose place is known, and those of its attributes."""

    span: Span
    attributes: dict[str, Span]


class Elements:
    """The elements of one document within a source, numbered by their start tags from 0.

    `marks` are the start tags where a reader has found them already; otherwise they are looked for when a place is
    asked for.
    """

    def __init__(
        self, source: Source, start: int = 0, end: int | None = None, marks: Sequence[Mark] | None = None
    ) -> None:
        self.source = source
        self._start = start
        self._end = end
        # A tag may be megabytes long and have many findings, so the last one looked at is kept.
        self._last_tag = -1, Span(0, 0)
        self._last_attributes: tuple[int, dict[str, Span]] = (-1, {})
        self._marks = marks

    @cached_property
    def _tags(self) -> list[int]:
        text = self.source.text
        end = len(text) if self._end is None else self._end
        return [match.start() for match in _TOKEN.finditer(text, self._start, end) if match["start"] is not None]

    def tag(self, number: int) -> Span | None:
        """The start tag of the element of this number."""
        if self._marks is not None:
            return self._marks[number].span if number < len(self._marks) else None
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
        if self._marks is not None:
            return self._marks[number].attributes.get(name, tag)
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


# text that is not XML


class Kind(Enum):
    """What a token is; `OTHER` are CDATA sections, processing instructions and declarations."""

    START = "start tag"
    END = "end tag"
    TEXT = "text"
    COMMENT = "comment"
    OTHER = "other"


class Flaw(NamedTuple):
    """Characters that are not as XML has them: the code of the finding, its message, and what would stand there
    instead.

    `instead` is None where it takes more than the token to say so.
    """

    code: str
    message: str
    span: Span
    instead: str | None = None


class Written(NamedTuple):
    """An attribute as it is written: its value without quotes and entities, and the stretch of `name="value"`."""

    name: str
    value: str
    span: Span


@dataclass(slots=True)
class Token:
    """A stretch of a text; `name` is a tag's (empty where none is written, `...` for an ellipsis), or a comment's
    own text.
    """

    kind: Kind
    span: Span
    name: str = ""
    attributes: dict[str, Written] = field(default_factory=dict)
    closed: bool = False
    flaws: list[Flaw] = field(default_factory=list)


ELLIPSIS = r"(?:\.{3,}+|\u2026)"
ODD_SPACES = "\x85\xa0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff"
"""Spaces to the eye that are none to XML, as the inside of a character class."""

_SPACE = rf"[\s{ODD_SPACES}]"
_NAME = r"[^\W\d](?:[\w:-]|\.(?!\.\.))*+"
_UNQUOTED = r"(?:[^\s<>\"'\u201c\u201d,;/.\u2026]|/(?!\s*+>)|\.(?!\.\.)|[,;](?=[^\s<>]))++"
_IN_TAG = re.compile(
    rf"""(?P<space>{_SPACE}++)
    |(?P<end>/?\s*+>)
    |(?P<ellipsis>{ELLIPSIS})
    |(?P<comma>[,;])
    |(?P<name>{_NAME})(?:{_SPACE}*+=(?:{_SPACE}*+(?:"(?P<double>[^"<]*+)"|'(?P<single>[^'<]*+)'
        |[\u201c\u201d](?P<curly>[^"<\u201c\u201d]*+)[\u201c\u201d]|(?P<bare>{_UNQUOTED})))?+)?+
    |(?P<other>[^\s<>]{_SPACE}*+)""",
    re.VERBOSE,
)
_OPENING = re.compile(rf"<(?P<space>\s*+)(?:(?P<ellipsis>{ELLIPSIS})|(?P<name>{_NAME}))?(?P<is>\s*+=)?+")
_ATTRIBUTE_AHEAD = re.compile(rf"{_SPACE}*+{_NAME}\s*+=")
_ENDING = re.compile(
    rf"<(?P<space>\s*+)(?P<slash>[/\\])\s*+(?P<name>{ELLIPSIS}|{_NAME})?(?P<rest>[^<>]*+)(?P<close>>?)"
)
_ODD_COMMENT = re.compile(r"<\s*+(?:!\s*+)?[-\u2013\u2014]\s?+[-\u2013\u2014]?(?![\d>])")
_ODD_COMMENT_END = re.compile(r"(?:[-\u2013\u2014]\s?[-\u2013\u2014]?\s?>)|(?:--[ \t]*(?=\Z|[\r\n]))")
_HYPHEN = re.compile(r"-(?=-)|-\Z")
"""One that may not stand there in a comment."""

_MARKUP = re.compile(r"<\s*+[/!?A-Za-z.\u2026\u2013\u2014-]")
_ODD_SPACE = re.compile(rf"[{ODD_SPACES}]")

_NOT_SHOWN = "an ellipsis: what it stands for is not shown"
_BROKEN_COMMENT = "a comment is written <!-- like this -->"


def tokens(text: str, start: int, end: int) -> Iterator[Token]:
    """Every character from `start` to `end` in a token, whatever the text is."""
    scanner = _Scanner(text, end)
    at = searched = start
    while at < end:
        opening = text.find("<", searched, end)
        token = scanner.markup(opening) if opening >= 0 else None
        if token is None and opening >= 0:
            searched = opening + 1
            continue
        until = end if token is None else token.span.start
        if until > at:
            yield Token(Kind.TEXT, Span(at, until))
        if token is None:
            return
        yield token
        at = searched = token.span.end


class _Scanner:
    """Reads single tokens; what was searched for once is remembered, so that a text without any `-->` is searched
    once.
    """

    def __init__(self, text: str, end: int) -> None:
        self._text = text
        self._end = end
        self._found: dict[str, tuple[int, int]] = {}

    def _next(self, words: str, at: int) -> int:
        """Where `words` stand next, or the end of the text."""
        searched, found = self._found.get(words, (-1, -1))
        if not searched <= at <= found:
            found = self._text.find(words, at, self._end)
            found = self._end if found < 0 else found
            self._found[words] = (at, found)
        return found

    def _next_comment(self, at: int) -> int:
        """Where a comment begins next, in good order or not, or the end of the text."""
        searched, found = self._found.get("", (-1, -1))
        if not searched <= at <= found:
            match = _ODD_COMMENT.search(self._text, at, self._end)
            found = self._end if match is None else match.start()
            self._found[""] = (at, found)
        return found

    def markup(self, at: int) -> Token | None:
        """The tag, comment or other markup that begins at this `<`, or None where it begins nothing."""
        text = self._text
        if text.startswith("<!--", at):
            return self._comment(at)
        for opening, closing in (("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")):
            if text.startswith(opening, at) and not _ODD_COMMENT.match(text, at, self._end):
                until = min(self._next(closing, at) + len(closing), self._end)
                return Token(Kind.OTHER, Span(at, until), text[at:until])
        if _ODD_COMMENT.match(text, at, self._end):
            return self._odd_comment(at)
        return self._end_tag(at) or self._start_tag(at)

    # comments

    def _comment(self, at: int) -> Token:
        start = at + 4
        closing = self._next("-->", start)
        if closing == self._end or (self._next_comment(start) < closing and self._is_left_open(start, closing)):
            return self._broken_until(at, start, self._next("\n", at))
        inside = self._text[start:closing]
        hyphens = [match.start() for match in _HYPHEN.finditer(inside)]
        flaws = []
        if hyphens:
            first, last = hyphens[0], min(hyphens[-1] + 2, len(inside))
            apart = _HYPHEN.sub("- ", inside)
            instead = apart[first : len(apart) - (len(inside) - last)]
            words = "two hyphens stand inside a comment"
            flaws.append(Flaw("IR019", words, Span(start + first, start + last), instead))
        return Token(Kind.COMMENT, Span(at, closing + 3), inside, flaws=flaws)

    def _is_left_open(self, start: int, closing: int) -> bool:
        """Whether a comment that holds the start of another one has lost its end: its line is words, or ends them."""
        line = self._next("\n", start)
        markup = _MARKUP.search(self._text, start, line)
        if markup is None and line < closing:
            return True
        return _ODD_COMMENT_END.search(self._text, start, line if markup is None else markup.start()) is not None

    def _odd_comment(self, at: int) -> Token:
        opened = _ODD_COMMENT.match(self._text, at, self._end)
        assert opened is not None, "looked at before"
        line = min(self._next("\n", at), self._end)
        closing = self._next("-->", opened.end())
        same_line = closing < line and self._next_comment(opened.end()) > closing
        if same_line or (closing < self._end and not _MARKUP.search(self._text, opened.end(), closing)):
            return self._broken(at, opened.end(), closing, closing + 3)
        return self._broken_until(at, opened.end(), line)

    def _broken_until(self, at: int, start: int, line: int) -> Token:
        """A comment without `-->`: it ends with something like it, or else before other markup, or with its line."""
        markup = _MARKUP.search(self._text, start, line)
        until = line if markup is None else markup.start()
        odd = _ODD_COMMENT_END.search(self._text, start, until)
        stop, end = (until, until) if odd is None else odd.span()
        return self._broken(at, start, stop, end)

    def _broken(self, at: int, start: int, stop: int, end: int) -> Token:
        """A comment whose text is `start` to `stop`."""
        inside = self._text[start:stop].strip()
        instead = None if "--" in inside else f"<!-- {inside} -->"
        flaw = Flaw("IR019", _BROKEN_COMMENT, Span(at, end), instead)
        return Token(Kind.COMMENT, Span(at, end), self._text[start:stop], flaws=[flaw])

    # tags

    def _end_tag(self, at: int) -> Token | None:
        match = _ENDING.match(self._text, at, self._end)
        if match is None:
            return None
        name = match["name"] or ""
        shown = match["name"] is not None and match["name"][0] not in ".\u2026"
        end = match.end() if match["close"] else match.end("name") if name else match.end("slash")
        token = Token(Kind.END, Span(at, end), name if shown or not name else "...")
        if name and not shown:
            token.flaws.append(Flaw("IR010", _NOT_SHOWN, Span(*match.span("name"))))
        spaced = match["space"] or match.start("rest") - match.end("slash") > len(name)
        if spaced or match["slash"] != "/" or not match["close"] or match["rest"].strip():
            instead = f"</{name}>" if shown else None
            token.flaws.append(Flaw("IR015", f"a broken end tag: {self._text[at:end][:60]!r}", token.span, instead))
        return token

    def _start_tag(self, at: int) -> Token | None:
        match = _OPENING.match(self._text, at, self._end)
        assert match is not None, "it begins with <"
        name = match["name"] or ""
        token = Token(Kind.START, Span(at, at + 1))
        if match["ellipsis"] is not None:
            token.name = "..."
            token.flaws.append(Flaw("IR010", _NOT_SHOWN, Span(*match.span("ellipsis"))))
            inside = match.end("ellipsis")
        elif name and match["is"] is None:
            if match["space"] and not _ATTRIBUTE_AHEAD.match(self._text, match.end("name"), self._end):
                return None
            token.name, inside = name, match.end("name")
            if match["space"]:
                token.flaws.append(
                    Flaw("IR025", "white space stands between < and the name", Span(at, inside), f"<{name}")
                )
        elif name:
            token.flaws.append(Flaw("IR025", "the name of the element is missing", Span(at, at + 1)))
            inside = match.start("name")
        else:
            return None
        end = self.inside(token, inside)
        token.span = Span(at, end)
        return token

    def inside(self, token: Token, at: int) -> int:
        """Read what stands in a start tag, from behind its name; where the tag ends."""
        solid = at
        other: Span | None = None
        while (match := _IN_TAG.match(self._text, at, self._end)) is not None:
            at = match.end()
            if match["end"] is not None:
                token.closed = match["end"].startswith("/")
                break
            if match["space"] is not None:
                self._odd_spaces(token, match.start(), at)
                continue
            solid = at
            if match["ellipsis"] is not None:
                token.flaws.append(Flaw("IR010", _NOT_SHOWN, Span(*match.span())))
            elif match["comma"] is not None:
                spaced = self._text[match.start() - 1 : match.start()].isspace() or self._text[at : at + 1].isspace()
                flaw = Flaw(
                    "IR017", f"a {match[0]!r} stands between attributes", Span(*match.span()), "" if spaced else " "
                )
                token.flaws.append(flaw)
            elif match["name"] is not None:
                other = self._attribute(token, match) or other
            elif other is None:
                other = Span(match.start(), match.start() + 1)
        else:
            flaw = Flaw("IR013", "the tag's end is missing", Span(token.span.start, solid), None)
            token.flaws.append(flaw)
            at = solid
        if other is not None:
            message = f"{self._text[slice(*other)][:60]!r} does not belong into a tag; it is ignored"
            token.flaws.append(Flaw("IR025", message, other))
        return at

    def _attribute(self, token: Token, match: re.Match[str]) -> Span | None:
        """Read one attribute; where it has no value, the place of it."""
        name, span = match["name"], Span(*match.span())
        quoted = next((match[each] for each in ("double", "single", "curly") if match[each] is not None), None)
        bare = match["bare"]
        if quoted is None and bare is None:
            return span
        if name in token.attributes:
            token.flaws.append(Flaw("IR025", f"the attribute {name[:60]!r} is given twice; the first one counts", span))
            return None
        value = html.unescape(quoted or "") if bare is None else bare
        if quoted is None or match["curly"] is not None:
            right = html.escape(value)
            token.flaws.append(Flaw("IR018", f"the value of {name[:60]} is not quoted", span, f'{name}="{right}"'))
        self._odd_spaces(token, match.end("name"), span.end - len(bare if bare is not None else quoted or "") - 1)
        token.attributes[name] = Written(name, value, span)
        return None

    def _odd_spaces(self, token: Token, start: int, end: int) -> None:
        odd = _ODD_SPACE.search(self._text, start, end)
        if odd is not None:
            token.flaws.append(odd_space(Span(*odd.span())))


def odd_space(span: Span) -> Flaw:
    """A space that is none to XML."""
    return Flaw("IR020", "a non-breaking space, or another one that XML does not know", span, " ")


def written_attributes(text: str, start: int, end: int) -> Token:
    """What stands between `start` and `end` read as the inside of a tag: `element_type="f32" shape="2,3"`."""
    token = Token(Kind.START, Span(start, end))
    _Scanner(text, end).inside(token, start)
    token.flaws = [flaw for flaw in token.flaws if flaw.code != "IR013"]
    return token
