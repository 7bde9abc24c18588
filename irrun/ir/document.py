"""The document: layers, ports, edges and bodies as they are written, typed only where every reader must agree.

A document can no longer be wrong about XML, required tags and integer ids; attributes are still text. `at` is the
number of an element's start tag, which `Document.elements` turns into a place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from irrun.ir.scan import ElementPlace, Elements
from irrun.source import Source

UNREADABLE = -2


class Port(NamedTuple):
    """A port: `id` is a label for edges, `dims` are the declared ones (-1 unknown, () none written; UNREADABLE for
    what is no dim, and so unknown too).
    """

    id: int
    precision: str | None
    dims: tuple[int, ...]
    names: tuple[str, ...]
    at: int


class Edge(NamedTuple):
    """An edge from an output port to an input port; the four numbers are ids."""

    from_layer: int
    from_port: int
    to_layer: int
    to_port: int
    at: int


class Node(NamedTuple):
    """An element that is kept but not interpreted: rt_info, meta_data, port maps."""

    tag: str
    attributes: Mapping[str, str]
    children: tuple[Node, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer; `attributes` are those of its `<data>`, kept apart from its own.

    `bodies` are the nested documents of If, Loop and TensorIterator by their tag, `maps` their port maps and back
    edges.
    """

    id: int
    name: str
    type: str
    version: str
    attributes: Mapping[str, str]
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    output_names: tuple[str, ...]
    bodies: Mapping[str, Document]
    maps: tuple[Node, ...]
    rt_info: Node | None
    at: int
    data_at: int | None


@dataclass(frozen=True, slots=True)
class Document:
    """A net, or a body: `path` is where it lies (`loop/body/`, empty at the top), `version` the IR version of the net.

    Where two layers have one id, it is the first one's. `connectable` says that every id could be read, and names one
    port: otherwise what is not connected is no mistake of its own.
    """

    elements: Elements
    version: int
    name: str
    layers: tuple[Layer, ...]
    edges: tuple[Edge, ...]
    path: str = ""
    rt_info: Node | None = None
    meta_data: Node | None = None
    pre_process: Node | None = None
    at: int = 0
    layer_by_id: Mapping[int, Layer] = field(init=False, repr=False, compare=False)
    connectable: bool = field(init=False, compare=False)

    def __post_init__(self) -> None:
        ends = all([min(edge[:4]) >= 0 for edge in self.edges])
        sides = [side for layer in self.layers for side in (layer.inputs, layer.outputs) if side]
        ports = all([min(ids := {port.id for port in side}) >= 0 and len(ids) == len(side) for side in sides])
        object.__setattr__(self, "connectable", ends and ports and all([layer.id >= 0 for layer in self.layers]))
        object.__setattr__(self, "layer_by_id", {layer.id: layer for layer in reversed(self.layers)})

    @property
    def source(self) -> Source:
        return self.elements.source

    def place(self, at: int, attribute: str | None = None) -> ElementPlace:
        """The place of an element of this document."""
        return self.elements.place(at, attribute)

    def title(self, layer: Layer) -> str:
        """What messages call a layer: `loop/body/add (id 3)`; a fragment's may have no id."""
        return f"{self.path}{layer.name} (id {layer.id})" if layer.id >= 0 else f"{self.path}{layer.name}"


def split_names(text: str) -> tuple[str, ...]:
    r"""Tensor names: split at commas, `\,` is a comma inside a name, empty ones and repetitions fall away."""
    names = [name.replace("\0", ",") for name in text.replace("\\,", "\0").split(",")]
    return tuple(dict.fromkeys(name for name in names if name))
