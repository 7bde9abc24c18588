"""A layer that stands alone as a small model: a Parameter for each input port, a Result for each output port.

What a fragment leaves out is taken from the operation: the opset, the inputs' names and element types, and whether a
port without dims can be a scalar. From there on it is a model as any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from irrun.bind import OTHER_NAMES, Call, bind, operation_of
from irrun.diag import Fix, Report
from irrun.graph import build
from irrun.infer import apply_rule, infer
from irrun.ir.document import Document, Edge, Layer, Port
from irrun.ir.edits import attribute_edits
from irrun.ir.examples import Printed
from irrun.ir.fragment import Fragment
from irrun.ir.weights import Weights, WeightsError
from irrun.kernels.notice import listening
from irrun.model import Model
from irrun.ops import OpError, opsets
from irrun.ops.declare import REGISTRY
from irrun.ports import InputPort, read_ports
from irrun.reshape import with_shapes
from irrun.types.fact import Fact
from irrun.types.shape import Shape

_FIRST_PARAMETER = -2
"""Parameters count down from here, so that no layer of the text has such an id; one without an id has -1."""


@dataclass(frozen=True, slots=True)
class Alone:
    """A small model around one layer.

    `expected` are the values that comments give its outputs, by position; `values` those of its inputs, by name, in the
    order of the ports, None where there is none.
    """

    model: Model
    call: Call
    values: Mapping[str, np.ndarray | None]
    expected: Mapping[int, Printed]

    @property
    def name(self) -> str:
        """What a reader calls it: its operation's versioned name, or its type; and its id, where it has one."""
        name = self.call.operation.name if self.call.operation is not None else self.call.layer.type
        return name if self.call.layer.id < 0 else f"{name} (id {self.call.layer.id})"


def stand_alone(
    fragment: Fragment,
    layer: Layer,
    versions: Mapping[str, int],
    weights: Weights | WeightsError,
    report: Report,
    *,
    known: bool = True,
    strict: bool = False,
    shapes: Mapping[str, Shape] | None = None,
) -> Alone:
    """The model of one layer; what is wrong with it goes to `report`.

    `versions` is which version of a type (in lower case) the text is about. With `known`, the values that comments give
    take part in inference; without, a run feeds them where it is given nothing else. `shapes` fixes dims of inputs, by
    name or index.
    """
    layer = _named(fragment, layer, report)
    if not layer.version:
        layer = _of_fitting_version(fragment, layer, versions, weights)
    inputs, expected = read_ports(fragment, layer, operation_of(layer), report)
    graph = build(_document(fragment, layer, inputs), report)
    calls = bind(graph, weights, report)
    call = next(call for call in calls if call.layer.id == layer.id)
    settled = {_FIRST_PARAMETER - place: fact for place, fact in enumerate(_settled(call, inputs))}
    calls = [_with_shape(call, settled[call.layer.id].shape) if call.layer.id in settled else call for call in calls]
    calls = with_shapes(graph.document, calls, shapes, report) if shapes else calls
    inferred = infer(calls, report, {id: fact for id, fact in settled.items() if known and fact.value is not None})
    values = {id: fact.value for id, fact in settled.items() if fact.value is not None}
    defaults = {id: value for id, value in values.items() if inferred[id, 0].shape.admits(value.shape)}
    model = Model(graph, calls, inferred, report, weights, None, strict, {} if known else defaults)
    return Alone(model, call, {each.names[0]: each.value for each in inputs}, expected)


# what the fragment leaves out


def _named(fragment: Fragment, layer: Layer, report: Report) -> Layer:
    """The layer under IR's own name of its type, with a name, and ids that tell its ports apart."""
    type = OTHER_NAMES.get(layer.type.lower(), layer.type)
    if type != layer.type:
        place = fragment.elements.place(layer.at, "type")
        report.add("IR023", f"type {layer.type!r} is written {type!r} in IR", place)
        report.fixes.append(Fix("IR023", partial(attribute_edits, fragment.elements, layer.at, "type", type)))
    outputs = [port._replace(dims=()) if port.at in fragment.elided else port for port in layer.outputs]
    return replace(
        layer,
        type=type,
        name=layer.name or layer.type,
        inputs=_with_ids(layer.inputs),
        outputs=_with_ids(outputs),
    )


def _of_fitting_version(
    fragment: Fragment, layer: Layer, versions: Mapping[str, int], weights: Weights | WeightsError
) -> Layer:
    """The layer in the version that the text is about, else in the newest one that finds no error in it, else in the
    newest: of an operation whose attributes or shapes changed, old examples are not wrong.
    """
    candidates = [replace(layer, version=version) for version in _versions(layer.type, versions)]
    for candidate in candidates if len(candidates) > 1 else ():
        trial = Report()
        stand_alone(fragment, candidate, versions, weights, trial)
        if trial.ok:
            return candidate
    return candidates[0]


def _versions(type: str, versions: Mapping[str, int]) -> list[str]:
    """The opsets that a layer without one may mean, the newest first."""
    own = next((version for name, version in REGISTRY if name == type and isinstance(version, str)), None)
    if own is not None:
        return [own]
    facts = opsets.BY_TYPE.get("constant" if type == "Const" else type.lower(), ())
    told = [fact for fact in facts if fact.version == versions.get(fact.type.lower())]
    return [f"opset{max(fact.opsets)}" for fact in told or reversed(facts)] or [f"opset{opsets.NEWEST}"]


def _with_ids(ports: Sequence[Port]) -> tuple[Port, ...]:
    """The ports with an id each: a repeated or missing one is replaced by the next free one."""
    taken = {port.id for port in ports}
    seen: set[int] = set()
    free = 0
    found = []
    for port in ports:
        id = port.id
        if id < 0 or id in seen:
            while free in taken:
                free += 1
            id = free
            taken.add(id)
        seen.add(id)
        found.append(port._replace(id=id))
    return tuple(found)


# the model


def _document(fragment: Fragment, layer: Layer, inputs: Sequence[InputPort]) -> Document:
    """The layer between Parameters and Results; a finding about one of these points at the port it stands for."""
    layers: list[Layer] = []
    edges: list[Edge] = []
    for place, each in enumerate(inputs):
        id, port = _FIRST_PARAMETER - place, each.port
        layers.append(_parameter(id, each))
        edges.append(Edge(id, 0, layer.id, port.id, port.at))
    layers.append(layer)
    for place, port in enumerate(layer.outputs):
        id = _FIRST_PARAMETER - len(inputs) - place
        layers.append(_edge_layer(id, f"output_{place}", "Result", {}, (port._replace(id=0, names=()),), ()))
        edges.append(Edge(layer.id, port.id, id, 0, port.at))
    return Document(fragment.elements, 11, "", tuple(layers), tuple(edges))


def _parameter(id: int, each: InputPort) -> Layer:
    type, shape = each.fact.type, each.fact.shape
    data = {"element_type": type.name, "shape": "..." if shape.dims is None else ",".join(map(str, shape.dims))}
    output = Port(0, each.port.precision, each.port.dims, each.names, each.port.at)
    return _edge_layer(id, each.names[0], "Parameter", data, (), (output,))


def _edge_layer(
    id: int,
    name: str,
    type: str,
    data: Mapping[str, str],
    inputs: tuple[Port, ...],
    outputs: tuple[Port, ...],
) -> Layer:
    at = (*inputs, *outputs)[0].at
    return Layer(id, name, type, "opset1", data, inputs, outputs, (), {}, (), None, at, at)


def _settled(call: Call, inputs: Sequence[InputPort]) -> list[Fact]:
    """The facts of the inputs: one without dims is a scalar where the operation admits one, otherwise of unknown
    shape.
    """
    facts = [each.fact for each in inputs]
    open_places = {place for place, each in enumerate(inputs) if each.dimless}
    while open_places and call.operation is not None:
        try:
            with listening():
                apply_rule(call, call.operation, facts)
            break
        except OpError as error:
            place = next((place for place in sorted(open_places) if _is_about(call, place, error)), None)
            if place is None:
                break
            open_places.remove(place)
            facts[place] = Fact(facts[place].type, Shape())
    return facts


def _with_shape(call: Call, shape: Shape) -> Call:
    return replace(call, attributes={**call.attributes, "shape": shape})


def _is_about(call: Call, place: int, error: OpError) -> bool:
    assert call.operation is not None, "a rule was applied"
    return place in [call.operation.position_of(name) for name in (error.at, error.against) if name is not None]
