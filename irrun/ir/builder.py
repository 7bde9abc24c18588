"""A tree of XML elements to a Document, whoever read the tree.

Whatever is not in the schema is reported and passed over with all that it holds. Elements are counted in the order of
their start tags: the count is what a place is found by.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from lxml import etree

from irrun.diag import MOST_ALIKE, Report
from irrun.diag.words import nearest
from irrun.ir.document import UNREADABLE, Document, Edge, Layer, Node, Port, split_names
from irrun.ir.scan import Elements
from irrun.ir.schema import ATTRIBUTES, SCHEMA
from irrun.types.element import likely_type, parse_precision

Element = etree._Element  # noqa: SLF001  # lxml has no public name for it

MAX_BODIES = 50
"""How deep bodies may lie in each other, and kept elements in each other."""

Label = tuple[int, str | None, tuple[str, ...]]
"""What a port's attributes say: its id, precision and names."""

_ENDS = ("from-layer", "from-port", "to-layer", "to-port")
_MANY = frozenset({"layer", "port", "dim", "edge"})
_NO_NAMES: frozenset[str] = frozenset()
_NOTHING: MappingProxyType[str, str] = MappingProxyType({})
_UNSIGNED = re.compile(r"\s*\+?\d{1,40}", re.ASCII)
_DIM = re.compile(r"\s*(\+?\d{1,40}|-1)\s*", re.ASCII)
_DIM_START = re.compile(r"\s*(\+?\d{1,40}|-1)", re.ASCII)
_MAX_ID = (1 << 63) - 1
_SHOWN = 60


_EACH_ATTRIBUTE = etree.XPath("@*", smart_strings=True)
_MANY_ATTRIBUTES = 100


def _texts(element: Element) -> dict[str, str]:
    """An element's attributes."""
    names = element.keys()
    if len(names) > _MANY_ATTRIBUTES:  # lxml looks up each value by its name, which is quadratic
        found: Any = _EACH_ATTRIBUTE(element)
        return {value.attrname: str(value) for value in found}
    return dict(zip(names, element.values(), strict=True)) if names else {}  # type: ignore[arg-type]  # they are str


class Builder:
    """Makes one Document; what is wrong with the elements goes to the report.

    A `lenient` one reads what is no document: ids, names, versions and precisions may be missing, and port ids
    repeated.
    """

    def __init__(self, elements: Elements, report: Report, *, lenient: bool = False) -> None:
        self._elements = elements
        self._report = report
        self._lenient = lenient
        self._count = 0
        self._version = 11
        self._path = ""
        self._numbers: dict[str, int] = {}
        self._labels: dict[tuple[object, ...], Label] = {}

    def build(self, root: Element) -> Document | None:
        """The document of a `<net>`, or None, with a finding, where the root is something else or of another IR
        version.
        """
        if str(root.tag).lower() != "net":
            message = f"the root element is <{str(root.tag)[:_SHOWN]}>, not <net>"
            self._report.add("IR006", message, self._elements.place(0))
            return None
        return self._net(root, "net", 0) if self._readable(root) else None

    def fragment(self, root: Element) -> tuple[tuple[Layer, ...], Document | None]:
        """The layers that stand alone below a root that is no element of the text, and the net, where there is one."""
        layers: list[Layer] = []
        document = None
        for child, tag in self._children(root, "fragment"):
            if tag == "layer":
                layers.append(self._layer(child, 0))
            elif tag == "layers":
                layers.extend(self._items(child, tag, self._layer, 0))
            elif tag == "net":
                document = self._net(child, "net", 0)
            else:
                self._kept(child, 0)
        return tuple(layers), document

    # sections

    def _net(self, element: Element, kind: str, depth: int) -> Document:
        at, attributes = self._open(element, kind)
        layers: tuple[Layer, ...] = ()
        edges: tuple[Edge, ...] = ()
        kept: dict[str, Node] = {}
        for child, tag in self._children(element, kind):
            if tag == "layers":
                layers = tuple(self._items(child, tag, self._layer, depth))
            elif tag == "edges":
                edges = tuple(self._items(child, tag, self._edge, depth))
            else:
                kept[tag] = self._kept(child, 0)
        return Document(
            self._elements,
            self._version,
            attributes.get("name", ""),
            layers,
            edges,
            self._path,
            kept.get("rt_info"),
            kept.get("meta_data"),
            kept.get("pre-process"),
            at,
        )

    def _items(self, element: Element, kind: str, read: Callable[[Element, int], Any], depth: int) -> Iterator[Any]:
        self._open(element, kind)
        for child, _ in self._children(element, kind):
            yield read(child, depth)

    def _layer(self, element: Element, depth: int) -> Layer:
        at, attributes = self._open(element, "layer")
        if "name" not in attributes:
            self._missing(element, at, "name")
        for name in ("type", "version"):
            if not attributes.get(name):
                self._missing(element, at, name)
        parts: dict[str, Any] = {}
        bodies: dict[str, Document] = {}
        maps: list[Node] = []
        data_at = None
        for child, tag in self._children(element, "layer"):
            if tag == "data":
                data_at, parts[tag] = self._open(child, "data")
                if len(child):
                    self._nothing_inside(child, "data")
            elif tag in ("input", "output"):
                parts[tag] = self._ports(child, tag)
            elif tag.endswith("body"):
                body = self._body(child, tag, element, depth)
                if body is not None:
                    bodies[tag] = body
            elif tag == "rt_info":
                parts[tag] = self._kept(child, 0)
            else:
                maps.append(self._kept(child, 0))
        names = attributes.get("output_names")
        return Layer(
            self._number(element, attributes, at, "id"),
            attributes.get("name", ""),
            attributes.get("type", ""),
            attributes.get("version", ""),
            parts.get("data", _NOTHING),
            parts.get("input", ()),
            parts.get("output", ()),
            split_names(names) if names else (),
            bodies,
            tuple(maps),
            parts.get("rt_info"),
            at,
            data_at,
        )

    def _body(self, element: Element, tag: str, layer: Element, depth: int) -> Document | None:
        if depth >= MAX_BODIES:
            message = f"{self._title(layer)}: bodies lie more than {MAX_BODIES} deep in each other"
            self._report.add("IR102", message, self._elements.place(self._count))
            self._pass_over(element)
            return None
        path = self._path
        self._path = f"{path}{layer.get('name', '')}/{tag}/"
        body = self._net(element, "body", depth + 1)
        self._path = path
        return body

    def _ports(self, element: Element, side: str) -> tuple[Port, ...]:
        self._open(element, side)
        ports: list[Port] = []
        ids: set[int] = set()
        for child, _ in self._children(element, side):
            port = self._port(child, side)
            if port.id >= 0 and port.id in ids:
                message = f"{self._title(child)}: two <{side}> ports have the id {port.id}"
                self._report.add("IR021" if self._lenient else "IR107", message, self._elements.place(port.at))
            ids.add(port.id)
            ports.append(port)
        return tuple(ports)

    def _port(self, element: Element, side: str) -> Port:
        at = self._count
        attributes = _texts(element)
        label = (side, *attributes.items())
        id, precision, names = self._labels.get(label) or self._label(element, side, attributes, label)
        self._count = at + 1
        if element.text is not None:
            self._stray(element, "port", element.text, at)
        dims = self._plain_dims(element)
        if dims is None:
            dims = []
            for child, tag in self._children(element, "port"):
                if tag == "dim":
                    dims.append(self._dim(child))
                else:
                    self._kept(child, 0)
        return Port(id, precision, tuple(dims), names, at)

    def _label(self, element: Element, side: str, attributes: Mapping[str, str], label: tuple[object, ...]) -> Label:
        """What a port's attributes say; of ports without names many say the same, and are looked at once."""
        found = len(self._report)
        at = self._count
        self._known_attributes(element, "port", attributes, at)
        precision = attributes.get("precision")
        if precision is None:
            if side == "output":
                self._missing(element, at, "precision")
        elif parse_precision(precision) is None:
            self._bad_precision(element, at, side, precision)
        names = attributes.get("names")
        read = self._number(element, attributes, at, "id"), precision, split_names(names) if names else ()
        if len(self._report) == found and not names:
            self._labels[label] = read
        return read

    def _plain_dims(self, port: Element) -> list[int] | None:
        """The dims of a port that holds nothing else, each a number met before: half of all elements, so read at
        once.
        """
        numbers = self._numbers
        try:
            dims = [
                numbers[e.text or ""] for e in port if e.tag == "dim" and e.tail is None and not len(e) and not e.keys()
            ]
        except KeyError:
            return None
        if len(dims) != len(port):
            return None
        self._count += len(dims)
        return dims

    def _dim(self, element: Element) -> int:
        at = self._count
        self._count += 1
        if element.items() or len(element):
            self._count = at
            self._open(element, "dim")
            self._nothing_inside(element, "dim")
        text = element.text or ""
        number = self._numbers.get(text)
        return number if number is not None else self._new_dim(element, at, text)

    def _new_dim(self, element: Element, at: int, text: str) -> int:
        """A dim whose text was not met before."""
        match = _DIM.fullmatch(text)
        if match is not None and int(match[1]) <= _MAX_ID:
            return self._numbers.setdefault(text, int(match[1]))
        start = _DIM_START.match(text)
        ignorable = match is None and start is not None and int(start[1]) <= _MAX_ID
        hint = "an unknown or bounded dim is written -1" if "." in text or "?" in text else None
        message = f"{self._title(element)}: a dim is {text[:_SHOWN]!r}, not an integer from -1"
        self._report.add("IR406" if ignorable else "IR102", message, self._elements.place(at), hint=hint)
        return UNREADABLE

    def _edge(self, element: Element, _depth: int) -> Edge:
        at, attributes = self._open(element, "edge")
        if len(element):
            self._nothing_inside(element, "edge")
        ends = [self._number(element, attributes, at, name) for name in _ENDS]
        return Edge(ends[0], ends[1], ends[2], ends[3], at)

    def _kept(self, element: Element, depth: int) -> Node:
        """An element that is not interpreted; below MAX_BODIES levels it is not even kept."""
        at = self._count
        self._count += 1
        children = []
        for child in element:
            if depth < MAX_BODIES:
                children.append(self._kept(child, depth + 1))
            else:
                self._pass_over(child)
        if element.tag == "rt_info" and depth == 0:
            self._repeated_info(element, children)
        return Node(str(element.tag), _texts(element), tuple(children), at)

    # what every element goes through

    def _open(self, element: Element, kind: str) -> tuple[int, dict[str, str]]:
        """Count an element and look at its attributes: its number, and what they say."""
        at = self._count
        self._count = at + 1
        attributes = _texts(element)
        if attributes and kind != "data":
            self._known_attributes(element, kind, attributes, at)
        if element.text is not None:
            self._stray(element, kind, element.text, at)
        return at, attributes

    def _known_attributes(self, element: Element, kind: str, attributes: Mapping[str, str], at: int) -> None:
        known = ATTRIBUTES.get(kind, _NO_NAMES)
        if not known.issuperset(attributes):
            unknown = [name for name in attributes if name not in known]
            for name in unknown[:MOST_ALIKE]:
                self._unknown_attribute(element, kind, name, at)

    def _children(self, element: Element, kind: str) -> Iterator[tuple[Element, str]]:
        """The children that the schema lists, in order, each section once; the others are reported."""
        listed = SCHEMA[kind]
        seen: set[str] = set()
        for child in element:
            tag = str(child.tag)
            if child.tail is not None:
                self._stray(element, kind, child.tail, self._count)
            if tag not in listed:
                self._unknown_element(child, kind, tag)
            elif tag in _MANY:
                yield child, tag
            elif tag in seen:
                message = f"{self._title(child)}: a second <{tag}> in one <{kind}> is ignored"
                self._report.add("IR104", message, self._elements.place(self._count))
                self._pass_over(child)
            else:
                seen.add(tag)
                yield child, tag

    def _nothing_inside(self, element: Element, kind: str) -> None:
        for _ in self._children(element, kind):
            raise AssertionError("the schema lists nothing here")

    def _pass_over(self, element: Element) -> None:
        self._count += sum(1 for _ in element.iter())

    # findings

    def _readable(self, root: Element) -> bool:
        text = root.get("version")
        if text is None:
            newest = 'write version="11", the version OpenVINO writes'
            self._report.add("IR007", "<net> has no version", self._elements.place(0), hint=newest)
            return False
        version = int(text) if _UNSIGNED.fullmatch(text) else -1
        if version in (10, 11):
            self._version = version
            return True
        old = 0 <= version < 10
        hint = "versions up to 9 come from toolkits of 2018 to 2020: convert the original model again" if old else None
        message = f"IR version {text[:_SHOWN]!r} cannot be read: irrun reads 10 and 11"
        self._report.add("IR007", message, self._elements.place(0, "version"), hint=hint)
        return False

    def _title(self, element: Element) -> str:
        """What a message calls an element: its layer's name and id where it lies in one."""
        layer: Element | None = element
        while layer is not None and layer.tag != "layer":
            layer = layer.getparent()
        if layer is None:
            return f"<{element.tag}>"
        if self._lenient and "name" not in layer.attrib:
            name = f"layer {self._path}{layer.get('type', '?')[:_SHOWN]}"
        else:
            name = f"layer {self._path}{layer.get('name', '?')[:_SHOWN]}"
        if not self._lenient or "id" in layer.attrib:
            name += f" (id {layer.get('id', '?')[:_SHOWN]})"
        return name if layer is element else f"{name}, <{element.tag}>"

    def _missing(self, element: Element, at: int, name: str) -> None:
        if self._lenient and name not in ("type", "from-layer", "to-layer"):
            return
        words = "has an empty" if name in element.attrib else "lacks the attribute"
        self._report.add("IR101", f"{self._title(element)} {words} {name}", self._elements.place(at))

    def _number(self, element: Element, attributes: Mapping[str, str], at: int, name: str) -> int:
        """An id: an integer from 0; -1, with a finding, for anything else."""
        text = attributes.get(name)
        if text is None:
            self._missing(element, at, name)
            return -1
        number = self._numbers.get(text, -1)
        if number >= 0:
            return number
        if _UNSIGNED.fullmatch(text) and int(text) <= _MAX_ID:
            number = self._numbers[text] = int(text)
        if number < 0:
            message = f"{self._title(element)}: {name} is {text[:_SHOWN]!r}, not an integer from 0"
            self._report.add("IR102", message, self._elements.place(at, name))
        return number

    def _bad_precision(self, element: Element, at: int, side: str, precision: str) -> None:
        likely = likely_type(precision)
        hint = None if likely is None else f"did you mean {likely.precision}?"
        message = f"{self._title(element)}: precision {precision[:_SHOWN]!r} is no element type"
        code = "IR102" if side == "output" else "IR407"
        self._report.add(code, message, self._elements.place(at, "precision"), hint=hint)

    def _unknown_attribute(self, element: Element, kind: str, name: str, at: int) -> None:
        if name.startswith("{"):
            return
        near = nearest(name, ATTRIBUTES.get(kind, _NO_NAMES), likeness=0.6)
        hint: str | None = f"did you mean {near[0]}?" if near else None
        if kind == "layer" and not near:
            hint = "an operation's attributes belong into <data>"
        message = f"{self._title(element)}: there is no attribute {name[:_SHOWN]!r} of <{kind}>; it is ignored"
        self._report.add("IR105", message, self._elements.place(at, name), hint=hint)

    def _unknown_element(self, element: Element, kind: str, tag: str) -> None:
        near = nearest(tag, SCHEMA[kind], likeness=0.6)
        hint = f"did you mean <{near[0]}>?" if near else None
        message = (
            f"{self._title(element)}: <{kind}> has no element <{tag[:_SHOWN]}>; it is ignored with all that it holds"
        )
        self._report.add("IR103", message, self._elements.place(self._count), hint=hint)
        self._pass_over(element)

    def _stray(self, element: Element, kind: str, text: str, at: int) -> None:
        if text.isspace():
            return
        message = f"{self._title(element)}: text inside <{kind}> is ignored: {text.strip()[:_SHOWN]!r}"
        self._report.add("IR119", message, self._elements.place(at))

    def _repeated_info(self, element: Element, children: list[Node]) -> None:
        seen: set[str] = set()
        for child in children:
            name = child.attributes.get("name", "")
            if child.tag == "attribute" and name in seen:
                message = f"{self._title(element)}: rt_info attribute {name[:_SHOWN]!r} is given twice"
                self._report.add("IR118", message, self._elements.place(child.at))
            seen.add(name)
