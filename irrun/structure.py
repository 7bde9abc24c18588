"""What can be said of a graph as a whole: outputs, dead layers, names that collide."""

from __future__ import annotations

from irrun.bind import OTHER_NAMES
from irrun.diag import Label, Report
from irrun.graph import Graph
from irrun.ir.document import Document, Layer, Port

_DISCONNECT = frozenset({"IR108", "IR110", "IR111", "IR112"})
"""Findings of connections that are missing: what reaches no Result then is no mistake of its own."""


def review(graph: Graph, report: Report) -> None:
    """Report a graph without outputs, layers and Parameters that no output uses, and names that stand twice; `report`
    holds what connecting and binding had to say.
    """
    document = graph.document
    if not graph.ends and not document.path:
        _no_outputs(document, report)
    if document.connectable and not any(finding.code in _DISCONNECT for finding in report):
        _dead_layers(graph, report)
    _tensor_names(document, report)
    if document.version == 10 and not document.path:
        _operation_names(graph, report)


def _no_outputs(document: Document, report: Report) -> None:
    if not document.layers:
        report.add("IR113", "the model has no layers", document.place(document.at))
        return
    if not any(OTHER_NAMES.get(layer.type.lower()) == "Result" for layer in document.layers):  # which has been said
        report.add("IR113", "the model has no Result layer, so it has no outputs", document.place(document.at))


def _dead_layers(graph: Graph, report: Report) -> None:
    """Of a dead branch only its last layers are reported."""
    document = graph.document
    if not graph.ends:
        return
    alive = graph.needed_for({layer.id for layer in graph.ends})
    for layer in document.layers:
        if layer.id in alive or graph.network.succ[layer.id]:
            continue
        place = document.place(layer.at)
        if layer.type.lower() == "parameter":
            report.add("IR115", f"Parameter {document.title(layer)} is used by no output", place)
        else:
            report.add("IR114", f"layer {document.title(layer)}, {layer.type}, reaches no Result", place)


def _tensor_names(document: Document, report: Report) -> None:
    seen: dict[str, tuple[Layer, Port]] = {}
    for layer in document.layers:
        for port in layer.outputs:
            for name in port.names:
                first, first_port = seen.setdefault(name, (layer, port))
                if first_port is port:
                    continue
                owners = f"of layer {document.title(layer)} and of layer {document.title(first)}"
                message = f"{name!r} is a tensor name {owners}"
                related = [Label(document.place(first_port.at, "names"), "the first one")]
                report.add("IR116", message, document.place(port.at, "names"), related=related)


def _operation_names(graph: Graph, report: Report) -> None:
    """In IR v10, Parameters and the layers before Results give their names to their tensors, so these stand once."""
    document = graph.document
    owners: dict[str, Layer] = {}
    for layer in document.layers:
        if layer.type == "Result":
            named = [document.layer_by_id[value[0]] for value in graph.feeds(layer)[:1] if value is not None]
        else:
            named = [layer] if layer.type.lower() == "parameter" else []
        for each in named:
            first = owners.setdefault(each.name, each)
            if first is not each:
                names = f"layers {document.title(first)} and {document.title(each)}"
                message = f"{names} have one name, which IR v10 uses for tensors"
                report.add("IR117", message, document.place(each.at, "name"))
