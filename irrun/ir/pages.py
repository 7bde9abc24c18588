"""The examples in a page: fenced and indented code of Markdown and reStructuredText, and layers that stand in plain
text.

Pages copied from the web carry noise, `|` alone on a line or before one, the marks of a quotation; it is blanked out
character for character, so that what is found keeps its place in the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from irrun.source import Span

_NOISE = re.compile(r"^[ \t]*+\|(?=[ \t]*+(?:[\r\n]|\Z|<))|(?<=>)[ \t]*+\|[ \t]*+$", re.MULTILINE)
_QUOTE = re.compile(r"[ \t]*+(?:>[ \t]?)+")
_FENCE = re.compile(r"[ \t]*+(?:>[ \t]*+)*+(?P<mark>`{3,}+|~{3,}+)(?P<label>[^`\r\n]*+)[\r\n]*\Z")
_DIRECTIVE = re.compile(
    r"(?P<indent>[ \t]*+)(?:\.\.[ \t]++(?:code-block|code|sourcecode|parsed-literal)::|[^\r\n]*::[ \t]*[\r\n]*\Z)"
)
_OPTION = re.compile(r"[ \t]*+:[\w-]++:")
_LINE = re.compile(r"[^\n]*+\n?")
_TAG = re.compile(r"<\s*+(?:(?:layers?|net)(?![\w-])|(?:\.{3}|\u2026)[^<>]*?\btype\s*=)", re.IGNORECASE)
_LINE_OPENING = re.compile(r"[ \t]*+<")
_REGION_OPENING = re.compile(r"[ \t]*+(?:<!--[^\n]*?-->[ \t]*+)?" + _TAG.pattern, re.IGNORECASE)
_FIRST = re.compile(r"[\s\ufeff]*+(?:<(?P<name>[^\W\d][\w:-]*+|\s*+(?:\.{3}|\u2026))?)?")
_SKIPPED = re.compile(r"[\s\ufeff]*+(?:<!--(?:[^-]++|-(?!->))*+-->|<\?[^>]*+>|<![^>-][^>]*+>)")
_ELLIPSIS_LINE = re.compile(r"[ \t]*+(?:\.{3,}|\u2026)[ \t]*+[\r\n]*\Z")
_LAST_TAG = re.compile(r"</(?:layer|net|layers)\s*>\s*\Z", re.IGNORECASE)
_VERSIONED = re.compile(r"\*\*Versioned name\*\*\s*+:?+\s*+[*`]*+([A-Za-z]\w{0,99})-(\d{1,3})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Example:
    """A stretch of a page that holds layers or a net; `text` is the page without noise, `versions` says which
    version of a type (in lower case) the page is about.
    """

    span: Span
    text: str
    versions: Mapping[str, int]


def find_examples(text: str) -> tuple[Example, ...]:
    """The examples of a page, in order; a text that is nothing else is one example.

    There are none in a text whose first tag is one that no fragment begins with: it is a whole IR, or another kind of
    file.
    """
    if not _TAG.search(text):
        return ()
    clean = _NOISE.sub(lambda match: " " * len(match[0]), text) if "|" in text else text
    lines = [match.span() for match in _LINE.finditer(clean) if match[0]]
    spans = list(_blocks(clean, lines))
    if not spans and _is_document(clean):
        return ()
    if not spans and clean.lstrip("\ufeff \t\r\n").startswith("<"):
        spans = [Span(0, len(clean))] if _holds(clean, 0, len(clean)) else []
    elif not spans:
        spans = list(_regions(clean, lines))
    clean = _without_quotes(clean, spans)
    named = [(match.start(), match[1].lower(), int(match[2])) for match in _VERSIONED.finditer(text)]
    return tuple(Example(span, clean, _versions(named, span.start)) for span in spans)


def _is_document(text: str) -> bool:
    at = 0
    while (skipped := _SKIPPED.match(text, at)) is not None:
        at = skipped.end()
    first = _FIRST.match(text, at)
    name = None if first is None else first["name"]
    return name is not None and name.lower() not in ("layer", "layers") and name.strip() not in ("...", "\u2026")


def _versions(named: list[tuple[int, str, int]], start: int) -> dict[str, int]:
    """Of two names of one type, the last one before the example counts."""
    after = [(type, version) for at, type, version in named if at >= start]
    before = [(type, version) for at, type, version in named if at < start]
    return dict([*reversed(after), *before])


def _holds(text: str, start: int, end: int) -> bool:
    """Whether a layer or a net begins there, on a line that begins with a tag."""
    at = start
    while (tag := _TAG.search(text, at, end)) is not None:
        line = max(text.rfind("\n", at, tag.start()) + 1, at)
        if _LINE_OPENING.match(text, line, end):
            return True
        at = text.find("\n", tag.end(), end)
        if at < 0:
            return False
    return False


# code in Markdown and reStructuredText


def _blocks(text: str, lines: list[tuple[int, int]]) -> Iterator[Span]:
    """Fenced and indented code that holds an example."""
    number = 0
    while number < len(lines):
        line = text[slice(*lines[number])] if lines[number][1] - lines[number][0] < _LONG else ""
        fence = _FENCE.match(line)
        directive = _DIRECTIVE.match(line) if fence is None else None
        number += 1
        if fence is not None:
            until = _fence_end(text, lines, number, fence["mark"])
        elif directive is not None:
            number, until = _indented(text, lines, number, len(directive["indent"].expandtabs()))
        else:
            continue
        if number < until:
            start, end = lines[number][0], lines[until - 1][1]
            if _holds(text, start, end) or (_QUOTE.match(text, start) and _TAG.search(text, start, end)):
                yield Span(start, end)
        number = until + (fence is not None)


_LONG = 1_000
"""No line that begins a block is longer."""


def _fence_end(text: str, lines: list[tuple[int, int]], number: int, mark: str) -> int:
    """The line that ends a fence, or the end of the page."""
    while number < len(lines):
        start, end = lines[number]
        closing = _FENCE.match(text[start:end]) if end - start < _LONG else None
        if closing is not None and closing["mark"].startswith(mark) and not closing["label"].strip():
            return number
        number += 1
    return number


def _indented(text: str, lines: list[tuple[int, int]], number: int, indent: int) -> tuple[int, int]:
    """The lines after a directive that are indented more than it: the first one behind its options, and the one
    behind.
    """
    while number < len(lines) and (_OPTION.match(text, *lines[number]) or not text[slice(*lines[number])].strip()):
        number += 1
    until = last = number
    while until < len(lines):
        line = text[slice(*lines[until])]
        stripped = line.lstrip()
        if stripped and len(line[: len(line) - len(stripped)].expandtabs()) <= indent:
            break
        until += 1
        if stripped:
            last = until
    return number, last


def _without_quotes(text: str, spans: list[Span]) -> str:
    """The text with the `>` before each line of a quoted example blanked out."""
    pieces = []
    at = 0
    for span in spans:
        pieces.append(text[at : span.start])
        piece = text[slice(*span)]
        if _QUOTE.match(piece) is not None:
            piece = re.sub(r"^[ \t]*+(?:>[ \t]?)++", lambda match: " " * len(match[0]), piece, flags=re.MULTILINE)
        pieces.append(piece)
        at = span.end
    return "".join([*pieces, text[at:]])


# layers in plain text


def _regions(text: str, lines: list[tuple[int, int]]) -> Iterator[Span]:
    """Stretches of lines that are markup, from one that begins a layer."""
    number = 0
    while number < len(lines):
        if not _REGION_OPENING.match(text, *lines[number]):
            number += 1
            continue
        until = _region_end(text, lines, number)
        yield Span(lines[number][0], lines[until - 1][1])
        number = until


def _region_end(text: str, lines: list[tuple[int, int]], number: int) -> int:
    last = number + 1
    comment = tag = ended = False
    for until in range(number, len(lines)):
        start, end = lines[until]
        line = text[start:end]
        if not line.strip():
            continue
        opens = _LINE_OPENING.match(line) is not None or _ELLIPSIS_LINE.match(line) is not None
        if not (comment or tag or opens or (("<" in line or ">" in line) and not ended)):
            return last
        last = until + 1
        comment = line.rfind("<!--") > line.rfind("-->") or (comment and "-->" not in line)
        tag = not comment and line.rfind("<") > line.rfind(">")
        ended = _LAST_TAG.search(line[-_LONG:]) is not None
    return last
