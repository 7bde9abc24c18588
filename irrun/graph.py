"""A document to a graph: nodes are layers by id, edges go from output to input, parallel ones kept.

A graph can no longer be wrong about duplicate ids, dangling edges, ports fed twice; its cycles are known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

import networkx as nx

from irrun.diag import Label, Report
from irrun.ir.document import Document, Edge, Layer, Port

Value = tuple[int, int]
"""A tensor of one document: the id of its layer, and the position of the output port."""


@dataclass(frozen=True, slots=True)
class Graph:
    """A connected document.

    `network` has a node for each layer id, with its `layer`, and an edge for each connection, whose key is the
    position of the consumer's input and whose `output` is the position of the producer's. `order` is the order of a
    run: the document's own wherever the edges allow it; what lies on a cycle, or behind one, is not in it. `loose` are
    the layers and ports, by id, at the ends of edges that connect nothing. `producers` says what feeds an input.
    """

    document: Document
    network: nx.MultiDiGraph[int]
    order: tuple[int, ...]
    loose: frozenset[tuple[int, int]]
    producers: Mapping[Value, Value] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        edges: Iterable[tuple[int, int, int, int]] = self.network.edges(data="output", keys=True)
        producers = {(consumer, position): (producer, output) for producer, consumer, position, output in edges}
        object.__setattr__(self, "producers", producers)

    def feeds(self, layer: Layer) -> tuple[Value | None, ...]:
        """What feeds each input port of a layer, by position; None for one that is not fed."""
        if self.document.layer_by_id[layer.id] is not layer:
            return (None,) * len(layer.inputs)  # another layer has the id, and so its edges
        return tuple([self.producers.get((layer.id, position)) for position in range(len(layer.inputs))])

    def needed_for(self, ids: set[int]) -> set[int]:
        """These layers and all that they depend on."""
        needed: set[int] = set()
        waiting = list(ids)
        while waiting:
            layer = waiting.pop()
            if layer not in needed:
                needed.add(layer)
                waiting.extend(self.network.pred[layer])
        return needed

    @property
    def ends(self) -> list[Layer]:
        """The layers that a run is for: Results, and Assigns, which keep state."""
        return [layer for layer in self.document.layers if layer.type in ("Result", "Assign")]


def build(document: Document, report: Report) -> Graph:
    """Connect the layers of a document; what cannot be connected is reported."""
    network: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    for layer in document.layers:
        if layer.id not in network:
            network.add_node(layer.id, layer=layer)
        elif layer.id >= 0:
            other = network.nodes[layer.id]["layer"]
            related = [Label(document.place(other.at, "id"), f"{document.title(other)} has it")]
            message = f"layer {document.title(layer)}: the id {layer.id} is taken"
            report.add("IR106", message, document.place(layer.at, "id"), related=related)
    owners = document.layer_by_id.values()
    outputs = _places([(layer.id, layer.outputs) for layer in owners])
    inputs = _places([(layer.id, layer.inputs) for layer in owners])
    fed: dict[Value, Edge] = {}
    loose: set[tuple[int, int]] = set()
    for edge in document.edges:
        output = outputs.get((edge.from_layer, edge.from_port))
        position = inputs.get((edge.to_layer, edge.to_port))
        if output is None or position is None:
            _report_loose(document, edge, output, report)
            loose.add((edge.to_layer, edge.to_port))
        elif (first := fed.setdefault((edge.to_layer, position), edge)) is not edge:
            message = f"layer {document.title(document.layer_by_id[edge.to_layer])}: port {edge.to_port} is fed twice"
            related = [Label(document.place(first.at), "the first edge")]
            report.add("IR110", message, document.place(edge.at), related=related)
        else:
            network.add_edge(edge.from_layer, edge.to_layer, position, output=output)
    order = _run_order(document, network)
    if len(order) < len(network):
        _report_cycles(document, network, report)
    return Graph(document, network, order, frozenset(loose))


def _places(sides: list[tuple[int, tuple[Port, ...]]]) -> dict[Value, int]:
    """The position of each port, by the ids of its layer and its own; an id that two ports have names neither."""
    places: dict[Value, int] = {}
    for layer, ports in sides:
        counts = Counter([port.id for port in ports]) if len(ports) > 1 else {}
        for at, port in enumerate(ports):
            if counts.get(port.id, 1) == 1:
                places[layer, port.id] = at
    return places


def _report_loose(document: Document, edge: Edge, output: int | None, report: Report) -> None:
    """Say why an edge does not connect."""
    if not document.connectable:
        return
    producer, consumer = document.layer_by_id.get(edge.from_layer), document.layer_by_id.get(edge.to_layer)
    if consumer is None:
        message = f"an edge goes to layer {edge.to_layer}, which does not exist; it is ignored"
        report.add("IR109", message, document.place(edge.at, "to-layer"))
    elif producer is None:
        message = (
            f"an edge to layer {document.title(consumer)} comes from layer {edge.from_layer}, which does not exist"
        )
        report.add("IR108", message, document.place(edge.at, "from-layer"))
    elif output is None:
        ports = ", ".join(str(port.id) for port in producer.outputs[:20]) or "none"
        message = (
            f"an edge comes from port {edge.from_port} of layer {document.title(producer)}, which is no output port"
        )
        report.add("IR108", message, document.place(edge.at, "from-port"), hint=f"its output ports: {ports}")
    else:
        ports = ", ".join(str(port.id) for port in consumer.inputs[:20]) or "none"
        message = f"an edge goes to port {edge.to_port} of layer {document.title(consumer)}, which is no input port"
        report.add("IR108", message, document.place(edge.at, "to-port"), hint=f"its input ports: {ports}")


def _run_order(document: Document, network: nx.MultiDiGraph[int]) -> tuple[int, ...]:
    """Producers before consumers, and otherwise in document order."""
    rank = {layer.id: place for place, layer in enumerate(document.layers)}
    waiting = dict(network.in_degree())
    ready = [rank[node] for node, degree in waiting.items() if degree == 0]
    heapify(ready)
    order: list[int] = []
    while ready:
        node = document.layers[heappop(ready)].id
        order.append(node)
        for consumer, edges in network.succ[node].items():
            waiting[consumer] -= len(edges)
            if waiting[consumer] == 0:
                heappush(ready, rank[consumer])
    return tuple(order)


def _report_cycles(document: Document, network: nx.MultiDiGraph[int], report: Report) -> None:
    for component in nx.strongly_connected_components(network):
        members = [layer for layer in document.layers if layer.id in component]
        first = members[0]
        if len(component) == 1 and not network.has_edge(first.id, first.id):
            continue
        names = " -> ".join(document.title(layer) for layer in _around(network, members))
        report.add("IR112", f"layers form a cycle: {names}", document.place(first.at), layer=(document.path, first.id))


def _around(network: nx.MultiDiGraph[int], members: list[Layer]) -> list[Layer]:
    """One way around through a strongly connected component, at most ten layers of it shown."""
    by_id = {layer.id: layer for layer in members}
    cycle = nx.find_cycle(network.subgraph(by_id), members[0].id)
    around = [by_id[edge[0]] for edge in cycle[:10]]
    return [*around, around[0]]
