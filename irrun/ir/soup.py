"""Tokens to a tree of elements, for text that is not XML.

The schema is small enough that "which parent may hold this child" settles every repair. A repair is reported once, at
the characters it is about; what follows from it is not reported again.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from irrun.diag import Fix, Label, Report
from irrun.ir.edits import closed, ended, opened, removed, started
from irrun.ir.scan import ELLIPSIS, ODD_SPACES, Flaw, Kind, Token, odd_space, written_attributes
from irrun.ir.schema import SCHEMA
from irrun.source import At, Edit, Source, Span

MAX_DEPTH = 400
"""How deep elements may lie in each other; a body in a body takes three."""

MOST_REPAIRS = 1_000
"""Of repairs of one kind in one example, as many are reported; what needs more is no IR."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment: its text without the marks around it, and the stretch of all of it."""

    text: str
    span: Span


@dataclass(slots=True, eq=False)
class Node:
    """An element while it is read; `at` is its start tag, which an implied section shares with its first child, and
    `end` its end tag, once there is one.
    """

    tag: str
    at: Span
    attributes: dict[str, str] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    content: list[Node | Comment] = field(default_factory=list)
    sections: dict[str, Node] = field(default_factory=dict)
    text: str = ""
    end: Span | None = None
    closed: bool = False
    excused: bool = False
    elided: bool = False

    @property
    def last(self) -> Node | None:
        """The last element in it."""
        return next((each for each in reversed(self.content[-3:]) if isinstance(each, Node)), None)


_MAPS = {f"{prefix}port_map": ("input", "output") for prefix in ("", "then_", "else_")}
_HELD: dict[str, tuple[str, ...]] = SCHEMA | _MAPS | {"back_edges": ("edge",), "": ("net", "layers", "edges", "layer")}
_KNOWN = frozenset(name for names in _HELD.values() for name in names) - {"rt_info", "meta_data", "statistics"}
_OPAQUE = frozenset({"rt_info", "meta_data", "statistics", "pre-process"})

_LEADING_STRAY = re.compile(r"\s*+>")
_IN_TEXT = re.compile(
    rf"(?P<ellipsis>{ELLIPSIS})|[/\\]\s*+(?P<end>dim|port|input|output|data|layers?|edges?|net|body)\s*+>",
    re.IGNORECASE,
)
_ODD_SPACE = re.compile(rf"[{ODD_SPACES}]")


class Tree:
    """Puts tokens together to a tree of nodes under a root without a name."""

    def __init__(self, source: Source, report: Report) -> None:
        self.too_deep = False
        self.root = Node("", Span(0, 0))
        self._source = source
        self._report = report
        self._open = [self.root]
        self._last_ends: dict[str, int] = {}
        self._odd_spaces: list[Span] = []
        self._said_stray = False
        self._content_end = 0
        self._counts: Counter[str] = Counter()

    def read(self, listed: list[Token], text: str) -> None:
        """Read all tokens of `text`, and end what is then still open."""
        self._last_ends = {token.name: token.span.start for token in listed if token.kind is Kind.END}
        for number, token in enumerate(listed):
            for flaw in token.flaws:
                self._flaw(flaw, token)
            if token.kind is Kind.START:
                following = listed[number + 1 : number + 2]
                if not self._is_end_after_all(token, following, text):
                    self._start(token)
            elif token.kind is Kind.END:
                self._end(token)
            elif token.kind is Kind.TEXT:
                self._text(token.span, text)
            elif token.kind is Kind.COMMENT:
                self._open[-1].content.append(Comment(token.name, token.span))
            if token.kind is not Kind.TEXT:
                self._content_end = token.span.end
            elif text[slice(*token.span)].strip():
                self._content_end = token.span.start + len(text[slice(*token.span)].rstrip())
        if len(self._open) > 1:
            self._missing_ends(1, None)
        if self._odd_spaces:
            count = len(self._odd_spaces)
            said = odd_space(self._odd_spaces[0]).message
            edits = [Edit(span, " ") for span in self._odd_spaces]
            self._add("IR020", said if count == 1 else f"{said}; {count} of them", self._odd_spaces[0], edits=edits)

    # findings

    def _add(
        self, code: str, message: str, span: Span, related: tuple[Label, ...] = (), edits: Sequence[Edit] = ()
    ) -> None:
        self._counts[code] += 1
        if self._counts[code] <= MOST_REPAIRS:
            self._report.add(code, message, At(self._source, span), related=related)
            if edits:
                self._fix(code, lambda: edits)

    def _fix(self, code: str, make: Callable[[], Sequence[Edit]]) -> None:
        self._report.fixes.append(Fix(code, make))

    def _flaw(self, flaw: Flaw, token: Token) -> None:
        if flaw.code == "IR020":
            self._odd_spaces.append(flaw.span)
            return
        edits = [] if flaw.instead is None else [Edit(flaw.span, flaw.instead)]
        if flaw.code == "IR013":
            at = Span(flaw.span.end, flaw.span.end)
            edits = [Edit(at, "/>" if token.name == "data" else ">")]
        self._add(flaw.code, flaw.message, flaw.span, edits=edits)

    # start tags

    def _is_end_after_all(self, token: Token, following: list[Token], text: str) -> bool:
        """Whether this is `<dim>5<dim>`, which ends what it seems to begin."""
        top = self._open[-1]
        if token.name != "dim" or top.tag != "dim" or not top.text.strip() or token.closed:
            return False
        if following and following[0].kind is Kind.TEXT and text[slice(*following[0].span)].strip():
            return False
        self._add("IR015", "a broken end tag: '<dim>' for '</dim>'", token.span, edits=[Edit(token.span, "</dim>")])
        self._open.pop().end = token.span
        return True

    def _start(self, token: Token) -> None:
        name = self._named(token)
        if name is None:
            self._open[-1].elided = True
            return
        host = self._host(name)
        if host is None:
            host = self._implied(name, token)
        if host is None:
            self._homeless(name, token)
            return
        if host < len(self._open) - 1:
            self._missing_ends(host + 1, token.span)
        if len(self._open) > MAX_DEPTH:
            self._too_deep(token.span)
            return
        node = self._node(name, token)
        parent = self._open[-1]
        earlier = self._joined(name, parent)
        if earlier is not None:
            message = f"a second <{name}> of this layer: its ports are joined to the first one's"
            edits = []
            if parent.last is earlier and earlier.end is not None:
                edits = [removed(self._source.text, earlier.end), removed(self._source.text, token.span)]
            self._add("IR014", message, token.span, edits=edits)
            node = earlier
        else:
            parent.content.append(node)
            parent.sections.setdefault(name, node)
        if not token.closed and not (name not in _KNOWN | _OPAQUE and self._last_ends.get(name, -1) < token.span.start):
            self._open.append(node)
            node.closed = False

    def _node(self, name: str, token: Token) -> Node:
        own = [each for each in token.attributes.values() if ":" not in each.name and each.name != "xmlns"]
        attributes, spans = {each.name: each.value for each in own}, {each.name: each.span for each in own}
        codes = {flaw.code for flaw in token.flaws}
        elided, excused = name == "data" and "IR010" in codes, name == "data" and "IR013" in codes
        return Node(name, token.span, attributes, spans, closed=token.closed, excused=excused, elided=elided)

    def _named(self, token: Token) -> str | None:
        """The element's name; for an ellipsis or none at all the one that fits here, or None where none does."""
        if token.name not in ("", "..."):
            return token.name
        tag = self._open[-1].tag
        if "type" in token.attributes and self._host("layer") is not None:
            return "layer"
        only = {"layers": "layer", "input": "port", "output": "port", "port": "dim", "edges": "edge"}.get(tag)
        if token.closed and token.name == "...":
            return None
        return only

    def _host(self, name: str) -> int | None:
        """The innermost open element that may hold this one; one that seemed to end in itself is opened again for
        it.
        """
        if name not in _KNOWN:
            return len(self._open) - 1
        for place in range(len(self._open) - 1, -1, -1):
            node = self._open[place]
            if name in _HELD.get(node.tag, ()) or node.tag not in _HELD:
                return place
            last = node.last
            if (
                last is not None
                and last.closed
                and name in _HELD.get(last.tag, ())
                and name not in _HELD.get(node.tag, ())
            ):
                self._reopen(place, last)
                return place + 1
        return None

    def _reopen(self, place: int, node: Node) -> None:
        if place < len(self._open) - 1:
            self._missing_ends(place + 1, None)
        node.closed = False
        node.excused = True
        self._open.append(node)
        message = f"this <{node.tag}/> ends in itself, but what belongs into it follows"
        self._add("IR011", message, node.at, edits=opened(self._source.text, node.at))

    def _implied(self, name: str, token: Token) -> int | None:
        """A port right in a layer: the section around it has lost its start tag."""
        place = next((at for at in range(len(self._open) - 1, 0, -1) if self._open[at].tag == "layer"), None)
        if name != "port" or place is None:
            return None
        if place < len(self._open) - 1:
            self._missing_ends(place + 1, token.span)
        layer = self._open[-1]
        name = "output" if "input" in layer.sections and "output" not in layer.sections else "input"
        edits = [started(self._source.text, token.span.start, name)]
        self._add("IR026", f"<{name}> is missing before this port", token.span, edits=edits)
        node = layer.sections.get(name)
        if node is None:
            node = layer.sections[name] = Node(name, token.span)
            layer.content.append(node)
        node.excused = True
        self._open.append(node)
        return len(self._open) - 1

    def _homeless(self, name: str, token: Token) -> None:
        message = f"a <{name}> stands where none can be; it is ignored"
        self._add("IR103", message, token.span)

    def _joined(self, name: str, parent: Node) -> Node | None:
        return parent.sections.get(name) if name in ("input", "output") and parent.tag == "layer" else None

    def _too_deep(self, span: Span) -> None:
        if not self.too_deep:
            self.too_deep = True
            self._add(
                "IR027", f"elements lie more than {MAX_DEPTH} deep in each other; what is deeper is not read", span
            )

    # end tags

    def _end(self, token: Token) -> None:
        name = token.name
        place = next((at for at in range(len(self._open) - 1, 0, -1) if self._open[at].tag == name), None)
        if place is not None:
            if place < len(self._open) - 1:
                self._missing_ends(place + 1, token.span)
            self._open.pop().end = token.span
            return
        broken = any(flaw.code == "IR015" for flaw in token.flaws)
        top = self._open[-1]
        if len(self._open) > 1 and self._likely(name, top.tag):
            if not broken and name != "...":
                edits = [Edit(token.span, f"</{top.tag}>")]
                self._add("IR015", f"a broken end tag: </{name[:60]}> for </{top.tag}>", token.span, edits=edits)
            self._open.pop().end = token.span
            return
        last = top.last
        if last is not None and last.closed and last.tag == name:
            last.closed = False
            message = f"this <{name}/> ends in itself, and then once more"
            self._add("IR011", message, last.at, edits=opened(self._source.text, last.at))
        elif not broken and not self.too_deep:
            message = f"</{name[:60]}> ends nothing that is open; it is ignored"
            self._add("IR015", message, token.span, edits=[Edit(token.span, "")])

    @staticmethod
    def _likely(name: str, tag: str) -> bool:
        """Whether an end tag of this name, which ends nothing that is open, was meant for the innermost element."""
        if name in ("", "...") or tag == "dim":
            return True
        return name not in _KNOWN and bool(difflib.get_close_matches(name[:40].lower(), [tag], 1, 0.6))

    def _missing_ends(self, place: int, before: Span | None) -> None:
        """End the elements from `place` inward; those that are not excused lack their end tags, which is one
        mistake.
        """
        nodes = self._open[place:]
        del self._open[place:]
        lacking = [node for node in reversed(nodes) if not node.excused]
        if not lacking or self.too_deep:
            return
        related = () if before is None else (Label(At(self._source, before), "it is taken to end before this"),)
        names = ", ".join(f"</{node.tag}>" for node in lacking[:4])
        at = lacking[-1].at
        message = f"{names} {'is' if len(lacking) == 1 else 'are'} missing"
        text = self._source.text
        if lacking == nodes[-1:] and lacking[0].tag == "data" and not lacking[0].content:
            edits = [closed(text, lacking[0].at)]
        else:
            edits = [ended(text, self._content_end, [(node.tag, node.at) for node in lacking])]
        self._add("IR012", message, at, related, edits)

    # text

    def _text(self, span: Span, text: str) -> None:
        piece = text[slice(*span)]
        self._odd_spaces.extend(
            Span(span.start + odd.start(), span.start + odd.end()) for odd in _ODD_SPACE.finditer(piece)
        )
        at = 0
        while (stray := _LEADING_STRAY.match(piece, at)) is not None:
            place = span.start + stray.end() - 1
            span_of_it = Span(place, place + 1)
            self._add("IR016", "a stray > stands behind a tag", span_of_it, edits=[Edit(span_of_it, "")])
            at = stray.end()
        if not piece[at:].strip(f"{ODD_SPACES} \t\r\n"):
            return
        if self._open[-1].tag == "data":
            self._written_in_data(Span(span.start + at, span.end), text)
            return
        self._words(piece, at, span.start)

    def _words(self, piece: str, at: int, offset: int) -> None:
        """Text that may hold ellipses and end tags that have lost their `<`."""
        shown = True
        for match in _IN_TEXT.finditer(piece, at):
            if shown and match["end"] is not None:
                self._word(piece[at : match.start()], offset + at)
            at = match.end()
            place = Span(offset + match.start(), offset + match.end())
            if match["ellipsis"] is not None:
                shown = False
                self._add("IR010", "an ellipsis: what it stands for is not shown", place)
                self._open[-1].elided = True
                if self._open[-1].tag == "dim":
                    self._open[-1].text = "-1"
            else:
                edits = [Edit(place, f"</{match['end'].lower()}>")]
                self._add("IR015", f"a broken end tag: {match[0]!r}", place, edits=edits)
                self._content_end = max(self._content_end, offset + len(piece[: match.start()].rstrip()))
                self._end(Token(Kind.END, place, match["end"].lower(), flaws=[Flaw("IR015", "", place)]))
        if shown:
            self._word(piece[at:], offset + at)

    def _word(self, words: str, offset: int) -> None:
        top = self._open[-1]
        cleaned = _ODD_SPACE.sub(" ", words)
        stripped = cleaned.strip()
        if not stripped:
            return
        if top.tag == "dim":
            top.text += cleaned
        elif not self._said_stray and top.tag in _HELD:
            self._said_stray = top.tag == ""
            start = offset + len(cleaned) - len(cleaned.lstrip())
            where = f"inside <{top.tag}>" if top.tag else "outside of layers"
            self._add("IR119", f"text {where} is ignored: {stripped[:60]!r}", Span(start, start + len(stripped)))

    def _written_in_data(self, span: Span, text: str) -> None:
        """Attributes as the text of `<data>`."""
        inside = written_attributes(text, *span)
        data = self._open[-1]
        for flaw in inside.flaws:
            self._flaw(flaw, inside)
            data.elided = data.elided or flaw.code == "IR010"
        for written in inside.attributes.values():
            data.attributes.setdefault(written.name, written.value)
            data.spans.setdefault(written.name, written.span)
        if inside.attributes:
            first, *_, last = [*inside.attributes.values(), *inside.attributes.values()]
            names = ", ".join(list(inside.attributes)[:4])
            message = f"attributes stand in the text of <data>, not in its tag: {names}"
            self._add("IR022", message, Span(first.span.start, last.span.end))
            text_end = Span(data.at.end - 1, data.at.end)
            self._fix("IR022", lambda: [Edit(text_end, " "), Edit(data.end, "/>")] if data.end else [])
