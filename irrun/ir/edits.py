"""Text edits at exact places: whatever is not edited stays as it is, white space, comments and line ends included."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence

from irrun.ir.scan import Elements, Kind, Token, tokens
from irrun.source import Edit, Span
from irrun.types.dim import Dim

_VALUE = re.compile(r"[^=]*+=\s*+(?:(?P<quote>[\"'])(?P<value>.*)(?P=quote)|(?P<bare>.*))", re.DOTALL)
_TAG_END = re.compile(r"\s*+/?\s*+>\Z")
_DIM = re.compile(r"\s*(\+?\d{1,18}|-1)\s*", re.ASCII)
_WRITTEN_DIM = re.compile(r"<dim\s*>")


def applied(text: str, groups: Iterable[Sequence[Edit]]) -> tuple[str, int]:
    """The text with edits, and how many groups were made: of two that overlap, the first one."""
    taken: list[tuple[int, int]] = []
    edits: list[Edit] = []
    count = 0
    for group in groups:
        spans = [(edit.span.start, edit.span.end) for edit in group]
        if not group or any(_overlap(span, other) for span in spans for other in taken):
            continue
        taken += spans
        edits += group
        count += 1
    pieces = []
    at = 0
    for span, new in sorted(edits):
        pieces += [text[at : span.start], new]
        at = span.end
    return "".join([*pieces, text[at:]]), count


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    if one[0] == one[1] or other[0] == other[1]:
        return one[0] <= other[1] and other[0] <= one[1]
    return one[0] < other[1] and other[0] < one[1]


# places in a text


def line_end(text: str, at: int) -> str:
    """The line end that the text has before this place, or behind it."""
    newline = text.rfind("\n", 0, at)
    newline = text.find("\n", at) if newline < 0 else newline
    return "\r\n" if newline > 0 and text[newline - 1] == "\r" else "\n"


def indent(text: str, at: int) -> str | None:
    """The white space before a place on its line, or None where something else stands before it."""
    start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    before = text[start:at]
    return before if not before.strip(" \t") else None


def inside_end(text: str, tag: Span) -> int:
    """Where an attribute can be added to a tag: behind its last one."""
    match = _TAG_END.search(text, tag.start, tag.end)
    return tag.end if match is None else match.start()


# tags


def opened(text: str, tag: Span) -> list[Edit]:
    """A tag that ended in itself, open."""
    return [Edit(Span(inside_end(text, tag), tag.end), ">")]


def closed(text: str, tag: Span) -> Edit:
    """A tag that was open, ended in itself."""
    return Edit(Span(inside_end(text, tag), tag.end), "/>")


def removed(text: str, span: Span) -> Edit:
    """Nothing in place of a tag; its line goes with it where it holds nothing else."""
    space = indent(text, span.start)
    rest = text[span.end : text.find("\n", span.end) + 1 or len(text)]
    if space is None or rest.strip():
        return Edit(span, "")
    return Edit(Span(span.start - len(space), span.end + len(rest)), "")


def started(text: str, at: int, name: str) -> Edit:
    """A start tag before what stands here, on a line of its own if that is."""
    space = indent(text, at)
    return Edit(Span(at, at), f"<{name}>" if space is None else f"<{name}>{line_end(text, at)}{space}")


def ended(text: str, at: int, tags: Sequence[tuple[str, Span]]) -> Edit:
    """The end tags of elements, the innermost first, each on a line of its own if its start tag begins one before."""
    new = ""
    for name, start in tags:
        space = indent(text, start.start)
        own_line = space is not None and "\n" in text[start.end : at]
        new += f"{line_end(text, start.start)}{space}</{name}>" if own_line else f"</{name}>"
    return Edit(Span(at, at), new)


# attributes


def with_value(text: str, attribute: Span, value: str) -> Edit:
    """An attribute's value replaced, its quotes kept."""
    match = _VALUE.fullmatch(text, *attribute)
    assert match is not None, "an attribute has a ="
    if match["quote"] is None:
        return Edit(Span(*match.span("bare")), f'"{html.escape(value)}"')
    return Edit(Span(*match.span("value")), html.escape(value))


def attribute_edits(elements: Elements, number: int, name: str, value: str, after: str | None = None) -> list[Edit]:
    """An attribute with this value: a new one stands behind the attribute `after`, or last."""
    text = elements.source.text
    tag, span = elements.tag(number), elements.attribute(number, name)
    if tag is None or span is None:
        return []
    if span != tag:
        return [with_value(text, span, value)]
    place = None if after is None else elements.attribute(number, after)
    at = inside_end(text, tag) if place is None or place == tag else place.end
    return [Edit(Span(at, at), f' {name}="{html.escape(value)}"')]


def renamed(elements: Elements, number: int, name: str, right: str) -> list[Edit]:
    """An attribute under another name."""
    tag, span = elements.tag(number), elements.attribute(number, name)
    if span is None or span == tag:
        return []
    return [Edit(Span(span.start, span.start + len(name)), right)]


# dims


def dims_edits(elements: Elements, number: int, count: int, wanted: Sequence[Dim]) -> list[Edit]:
    """The dims of a port, of which a reader found `count`: those that cannot be are replaced, the others stay; missing
    ones are added, others removed. None where the text has another number of them: the reader has repaired something.
    """
    text = elements.source.text
    tag = elements.tag(number)
    if tag is None:
        return []
    dims = list(_dims(text, tag))
    if len(dims) != count:
        return []
    edits = []
    for (_, inside), dim in zip(dims, wanted, strict=False):
        match = _DIM.fullmatch(text, *inside)
        written = None if match is None else int(match[1])
        if written is None or (written >= 0 and not dim.admits(written)):
            edits.append(Edit(inside, _text(dim)))
    for place in range(len(wanted), len(dims)):
        start = dims[place - 1][0].end if place else tag.end
        between = text[start : dims[place][0].start]
        start = start if not between.strip() else dims[place][0].start
        edits.append(Edit(Span(start, dims[place][0].end), ""))
    if dims and len(wanted) > len(dims):
        end = dims[-1][0].end
        before = text[dims[-2][0].end if len(dims) > 1 else tag.end : dims[-1][0].start]
        space = before if not before.strip() else ""
        new = "".join(f"{space}<dim>{_text(dim)}</dim>" for dim in wanted[len(dims) :])
        edits.append(Edit(Span(end, end), new))
    elif wanted and not dims:
        edits.append(_first_dims(text, tag, wanted))
    return edits


def _text(dim: Dim) -> str:
    return str(dim.low) if dim.is_static else "-1"


def _dims(text: str, tag: Span) -> Iterator[tuple[Span, Span]]:
    """The dims right in a port: each whole, and the stretch between its tags."""
    if text[tag.start : tag.end].rstrip(">").rstrip().endswith("/"):
        return
    depth = 0
    opened: Token | None = None
    for token in tokens(text, tag.end, len(text)):
        if token.kind is Kind.START and token.name in ("port", "input", "output", "layer"):
            return
        if token.kind is Kind.START:
            if depth == 0 and token.name == "dim":
                opened = token
                if token.closed:
                    return
            depth += not token.closed
        elif token.kind is Kind.END:
            if depth == 0:
                return
            depth -= 1
            if depth == 0 and opened is not None:
                yield Span(opened.span.start, token.span.end), Span(opened.span.end, token.span.start)
                opened = None


def _first_dims(text: str, tag: Span, wanted: Sequence[Dim]) -> Edit:
    """Dims for a port that has none, in lines of their own where other ports have them so."""
    closed = inside_end(text, tag)
    ends_in_itself = "/" in text[closed : tag.end]
    own = indent(text, tag.start)
    unit = _unit(text, tag) if own is not None else None
    newline = line_end(text, tag.start)
    space = "" if unit is None or own is None else f"{newline}{own}{unit}"
    new = "".join(f"{space}<dim>{_text(dim)}</dim>" for dim in wanted)
    if not ends_in_itself:
        return Edit(Span(tag.end, tag.end), new)
    last = "" if unit is None else f"{newline}{own}"
    return Edit(Span(closed, tag.end), f">{new}{last}</port>")


def _unit(text: str, tag: Span) -> str | None:
    """By how much dims are indented more than their port, in the nearest port that has them on lines of their own."""
    before = list(_WRITTEN_DIM.finditer(text, max(0, tag.start - _NEAR), tag.start))
    sample = before[-1] if before else _WRITTEN_DIM.search(text, tag.end, tag.end + _NEAR)
    if sample is None:
        return None
    dim = indent(text, sample.start())
    port = indent(text, text.rfind("<port", 0, sample.start()))
    if dim is None or port is None or not dim.startswith(port):
        return None
    return dim[len(port) :]


_NEAR = 4_000
"""How far away another port is looked for."""
