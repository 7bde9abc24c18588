"""Layers that stand alone, read from text that is no document: the tree of `soup` as the Builder of documents takes
it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from lxml import etree

from irrun.diag import Fix, Report
from irrun.ir.builder import Builder, Element
from irrun.ir.document import Document, Layer
from irrun.ir.edits import indent, inside_end, line_end, with_value
from irrun.ir.scan import Elements, Mark, tokens
from irrun.ir.schema import ATTRIBUTES
from irrun.ir.soup import Comment, Node, Tree
from irrun.source import At, Edit, Source, Span
from irrun.types.element import likely_type, parse_precision

_TAG = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_MANY_ATTRIBUTES = 1_000
_TYPE_ATTRIBUTE = re.compile(r"(?:\w+_)?type", re.ASCII)


@dataclass(frozen=True, slots=True)
class Fragment:
    """Layers that stand alone, or a whole net.

    `hidden` says of which parts of a layer (`layer` itself, `data`, `input`, `output`) some is not shown, by the
    layer's number; `elided` are the ports, by number, whose dims are not all shown. `comments` are those that stand
    in or beside a port, by the port's number.
    """

    elements: Elements
    layers: tuple[Layer, ...]
    document: Document | None
    hidden: Mapping[int, frozenset[str]]
    elided: frozenset[int]
    comments: Mapping[int, tuple[Comment, ...]]


def read_fragment(
    source: Source, report: Report, start: int = 0, end: int | None = None, text: str | None = None
) -> Fragment:
    """Read the layers that stand from `start` to `end`; what is mended on the way goes to `report`.

    `text` takes the place of the source's own, character for character: a page's with what is not XML blanked out.
    """
    text = source.text if text is None else text
    tree = Tree(source, report)
    tree.read(list(tokens(text, start, len(text) if end is None else end)), text)
    if tree.too_deep:
        tree.root.content.clear()  # what was read of it would only be said to be incomplete
    return _built(source, tree.root, report)


def _built(source: Source, root: Node, report: Report) -> Fragment:
    for layer in _nodes(root):
        if layer.tag == "layer":
            _own_attributes(layer, source, report)
        _likely_types(layer, source, report)
    nodes = list(_nodes(root))
    elements = Elements(source, marks=[Mark(node.at, node.spans) for node in nodes])
    builder = Builder(elements, report, lenient=True)
    layers, document = builder.fragment(_element(root))
    numbers = {id(node): number for number, node in enumerate(nodes)}
    hidden = {numbers[id(node)]: _hidden(node) for node in nodes if node.tag == "layer"}
    elided = frozenset(number for number, node in enumerate(nodes) if node.elided and node.tag == "port")
    comments: dict[int, tuple[Comment, ...]] = {}
    for node in nodes:
        if node.tag in ("input", "output"):
            comments |= {numbers[id(port)]: tuple(found) for port, found in _beside(node) if found}
    return Fragment(elements, layers, document, hidden, elided, comments)


def _hidden(layer: Node) -> frozenset[str]:
    own = [each.tag for each in layer.content if isinstance(each, Node) and each.elided]
    return frozenset([*own, *(["layer"] if layer.elided else [])])


def _nodes(root: Node) -> Iterator[Node]:
    """The nodes below the root, in the order of their start tags."""
    waiting = [each for each in reversed(root.content) if isinstance(each, Node)]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(each for each in reversed(node.content) if isinstance(each, Node))


def _own_attributes(layer: Node, source: Source, report: Report) -> None:
    """Move what is an operation's attribute from `<layer>` to its `<data>`."""
    misplaced = [name for name in layer.attributes if name not in ATTRIBUTES["layer"]]
    if not misplaced:
        return
    data = next((each for each in layer.content if isinstance(each, Node) and each.tag == "data"), None)
    if data is None:
        data = Node("data", layer.at)
        layer.content.insert(0, data)
    first = layer.spans[misplaced[0]]
    edits = _moved(layer, data, misplaced, source.text)
    report.fixes.append(Fix("IR022", lambda: edits))
    for name in misplaced:
        data.attributes.setdefault(name, layer.attributes.pop(name))
        data.spans.setdefault(name, layer.spans.pop(name))
    names = ", ".join(name[:60] for name in misplaced[:4])
    report.add("IR022", f"attributes of the operation stand on <layer>, not in <data>: {names}", At(source, first))


def _with_value(source: Source, span: Span, value: str) -> list[Edit]:
    return [with_value(source.text, span, value)]


def _moved(layer: Node, data: Node, names: Sequence[str], text: str) -> list[Edit]:
    """Attributes taken from a layer's tag to that of its `<data>`, or to a new one behind the layer's."""
    written = "".join(
        f' {name}="{html.escape(layer.attributes[name])}"' for name in names if name not in data.attributes
    )
    edits = []
    for span in (layer.spans[name] for name in names):
        before = text[layer.at.start : span.start]
        edits.append(Edit(Span(layer.at.start + len(before.rstrip()), span.end), ""))
    if data.at != layer.at:
        end = inside_end(text, data.at)
        return [*edits, Edit(Span(end, end), written)]
    first = next((each for each in layer.content[1:] if isinstance(each, Node)), None)
    space = None if first is None else indent(text, first.at.start)
    lead = "" if space is None else f"{line_end(text, layer.at.start)}{space}"
    return [*edits, Edit(Span(layer.at.end, layer.at.end), f"{lead}<data{written}/>")]


def _likely_types(node: Node, source: Source, report: Report) -> None:
    """Element types under another name, such as `F32`: the one that is meant."""
    if node.tag == "port" and "precision" in node.attributes:
        names = ["precision"]
    else:
        names = [name for name in node.attributes if _TYPE_ATTRIBUTE.fullmatch(name)] if node.tag == "data" else []
    for name in names:
        written = node.attributes[name]
        likely = likely_type(written)
        known = (
            parse_precision(written) is not None
            if node.tag == "port"
            else likely is not None and likely.name == written.lower()
        )
        if likely is None or known:
            continue
        meant = likely.precision if node.tag == "port" else likely.name
        node.attributes[name] = meant
        span = node.spans[name]
        report.add("IR024", f"{name} is {written[:60]!r}; it is read as {meant}", At(source, span))
        report.fixes.append(Fix("IR024", partial(_with_value, source, span, meant)))


def _beside(section: Node) -> Iterator[tuple[Node, list[Comment]]]:
    """Each port of a section with the comments that stand in it, or after it."""
    before: list[Comment] = []
    port: Node | None = None
    found: list[Comment] = []
    for each in section.content:
        if isinstance(each, Comment):
            (before if port is None else found).append(each)
            continue
        if port is not None:
            yield port, found
        port, found, before = each, before + list(_comments_in(each)), []
    if port is not None:
        yield port, found


def _comments_in(port: Node) -> Iterator[Comment]:
    for each in port.content:
        if isinstance(each, Comment):
            yield each
        else:
            yield from (inner for inner in each.content if isinstance(inner, Comment))


def _element(root: Node) -> Element:
    """The tree as the Builder takes it, names and characters that XML does not know replaced."""
    made = etree.Element("fragment")
    waiting = [(made, each) for each in reversed(root.content) if isinstance(each, Node)]
    while waiting:
        parent, node = waiting.pop()
        attributes = {_name(name): _text(value) for name, value in node.attributes.items()}
        if len(attributes) > _MANY_ATTRIBUTES:
            element = _with_many(_name(node.tag), attributes)
            parent.append(element)
        else:
            element = etree.SubElement(parent, _name(node.tag), attributes)
        if node.text:
            element.text = _text(node.text)
        waiting.extend((element, each) for each in reversed(node.content) if isinstance(each, Node))
    return made


def _with_many(tag: str, attributes: Mapping[str, str]) -> Element:
    """An element by way of its text: set one by one, each attribute would be held against all others."""
    written = " ".join(f'{name}="{html.escape(value)}"' for name, value in attributes.items())
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True)
    return etree.fromstring(f"<{tag} {written}/>", parser)


def _text(text: str) -> str:
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def _name(name: str) -> str:
    return name if _TAG.fullmatch(name) else re.sub(r"[^A-Za-z0-9_.-]", "_", f"_{name}", flags=re.ASCII)
