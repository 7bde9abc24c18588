"""Each layer to a Call: its operation, its typed attributes, its inputs by position.

A call can no longer be wrong about operations, opsets, attributes and the number of inputs; where a layer is, the
call has no operation, and the finding blocks what depends on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from irrun.diag import MOST_ALIKE, Label, Report
from irrun.diag.words import nearest
from irrun.graph import Graph, Value
from irrun.ir.document import Document, Layer, Port
from irrun.ir.scan import ElementPlace
from irrun.ir.weights import Stored, Weights, WeightsError
from irrun.ops import Attribute, Operation, find, opsets
from irrun.ops.attributes import TrailingText
from irrun.ops.declare import REGISTRY, REQUIRED
from irrun.types.element import DYNAMIC, STRING, ElementType, parse_precision
from irrun.types.packing import stored_size
from irrun.types.shape import extents_text

_SHOWN = 60


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A layer that is ready to be inferred and run.

    `operation` is None where it could not be bound; `outputs` is how many output ports are declared.
    """

    document: Document
    layer: Layer
    operation: Operation | None
    attributes: Mapping[str, Any]
    inputs: tuple[Value | None, ...]

    @property
    def key(self) -> tuple[str, int]:
        return self.document.path, self.layer.id

    @property
    def title(self) -> str:
        """What messages call it: `mean (id 2), ReduceMean-1`."""
        name = self.operation.name if self.operation is not None else self.layer.type
        return f"{self.document.title(self.layer)}, {name}"

    def place(self, port: Port | None = None, attribute: str | None = None) -> ElementPlace:
        """Where the layer, or one of its ports, or a port's attribute stands."""
        return self.document.place(self.layer.at if port is None else port.at, attribute)

    def say(
        self,
        report: Report,
        code: str,
        words: str,
        place: ElementPlace | None = None,
        *,
        label: str = "",
        related: Iterable[Label] = (),
        hint: str | None = None,
    ) -> None:
        """Report a finding about the layer."""
        message = f"layer {self.title}: {words}"
        place = place or self.place()
        report.add(code, message, place, label=label, related=related, hint=hint, layer=self.key)

    @property
    def values(self) -> list[Value]:
        """The tensors it computes."""
        return [(self.layer.id, position) for position in range(len(self.layer.outputs))]


def bind(graph: Graph, weights: Weights | WeightsError, report: Report) -> list[Call]:
    """A call for each layer, in run order, then those that lie on or behind a cycle; what cannot be bound is
    reported.
    """
    document = graph.document
    binder = _Binder(graph, weights, report)
    ordered = set(graph.order)
    layers = [document.layer_by_id[id] for id in graph.order]
    layers += [layer for layer in document.layers if layer.id not in ordered]
    return [binder.bind(layer, graph.feeds(layer)) for layer in layers]


def operation_of(layer: Layer) -> Operation | None:
    """The operation of a layer as it is written, or None where irrun has none for it."""
    own = REGISTRY.get((layer.type, layer.version))
    opset = opsets.OPSETS.get(layer.version)
    if own is not None or opset is None:
        return own
    fact = opsets.held_by("Constant" if layer.type == "Const" else layer.type, opset)
    return None if fact is None else find(fact)


class _Binder:
    """Binds the layers of one document; a weights file that is missing is reported once."""

    def __init__(self, graph: Graph, weights: Weights | WeightsError, report: Report) -> None:
        self._document = graph.document
        self._loose = graph.loose
        self._weights = weights
        self._report = report
        self._weights_reported = False

    def bind(self, layer: Layer, inputs: tuple[Value | None, ...]) -> Call:
        operation = self._operation(layer)
        if operation is None:
            return Call(self._document, layer, None, {}, inputs)
        attributes = self._attributes(layer, operation)
        if not self._arity(layer, operation, inputs) or attributes is None:
            return Call(self._document, layer, None, {}, inputs)
        return Call(self._document, layer, operation, attributes, inputs)

    def _add(
        self,
        code: str,
        layer: Layer,
        message: str,
        attribute: str | None = None,
        *,
        at: int | None = None,
        hint: str | None = None,
    ) -> None:
        place = self._document.place(layer.at if at is None else at, attribute)
        title = f"layer {self._document.title(layer)}"
        self._report.add(code, f"{title}: {message}", place, hint=hint, layer=(self._document.path, layer.id))

    # operation

    def _operation(self, layer: Layer) -> Operation | None:
        type, version = layer.type, layer.version
        if not type:
            return None  # which was said when it was read, as a missing version is
        own = REGISTRY.get((type, version))
        if own is not None:
            return own
        if type == "Const":
            type = "Constant"
        elif type.lower() in OTHER_NAMES:
            right = OTHER_NAMES[type.lower()]
            if type != right:
                self._add("IR213", layer, f"type {type!r} is written {right!r} in IR", "type", hint=f"write {right}")
                return None
        facts = opsets.BY_TYPE.get(type.lower())
        if facts is None:
            return self._of_unknown_type(layer)
        opset = opsets.OPSETS.get(version)
        if opset is None and not version:
            return None
        if opset is None:
            held = opsets.opset_range(facts[-1])
            hint = (
                f"did you mean {version.strip().lower()}?"
                if version.strip().lower() in opsets.OPSETS
                else f"{facts[-1].name} is held by {held}"
            )
            self._add("IR203", layer, f"there is no opset {version[:_SHOWN]!r}", "version", hint=hint)
            return None
        fact = opsets.held_by(type, opset)
        if fact is None:
            held = "; ".join(f"{each.name} is held by {opsets.opset_range(each)}" for each in facts)
            self._add("IR202", layer, f"{version} holds no {facts[0].type}", "version", hint=held)
            return None
        if type not in (fact.type, opsets.USUAL_SPELLINGS.get(fact.type)):
            self._add("IR205", layer, f"the type is usually spelt {fact.type}, not {type}", "type")
        operation = find(fact)
        if operation is None:
            self._add("IR204", layer, f"irrun does not have {fact.name} yet", "type")
        return operation

    def _of_unknown_type(self, layer: Layer) -> Operation | None:
        """A user's own operation whose version is a number, or None: nobody knows the type, or not in this version."""
        versions = [version for type, version in REGISTRY if type == layer.type]
        own = next((version for version in versions if str(version) == layer.version), None)
        if own is not None:
            return REGISTRY[layer.type, own]
        if versions:
            names = ", ".join(f"{layer.type}-{version}" for version in versions)
            message = f"there is no {layer.type} of version {layer.version[:_SHOWN]!r}"
            self._add("IR202", layer, message, "version", hint=f"there is {names}")
            return None
        near = opsets.nearest(layer.type)
        hint = None if near is None else f"did you mean {'Const' if near == 'Constant' else near}?"
        self._add("IR201", layer, f"there is no operation {layer.type[:_SHOWN]!r}", "type", hint=hint)
        return None

    # inputs and outputs

    def _arity(self, layer: Layer, operation: Operation, inputs: tuple[Value | None, ...]) -> bool:
        right = True
        most = operation.max_inputs
        if most is not None and len(inputs) > most:
            names = ", ".join(declared.name for declared in operation.inputs) or "none"
            message = (
                f"{operation.name} takes {most} input{'s' if most != 1 else ''} ({names}), the layer has {len(inputs)}"
            )
            self._add("IR211", layer, message, at=layer.inputs[most].at)
            right = False
        for position, value in enumerate(inputs[:most]):
            port = layer.inputs[position]
            if value is None and self._document.connectable and (layer.id, port.id) not in self._loose:
                message = (
                    f"input port {port.id} ({operation.input_name(position)}) of {operation.name} is not fed by an edge"
                )
                self._add("IR111", layer, message, at=port.at)
                right = False
        for position in range(len(inputs), operation.required_inputs):
            name = operation.input_name(position)
            message = f"{operation.name} needs input {position} ({name}), the layer has no port {position} for it"
            self._add("IR111", layer, message)
            right = False
        if not any(output.variadic for output in operation.outputs) and len(layer.outputs) > len(operation.outputs):
            most = len(operation.outputs)
            message = (
                f"{operation.name} gives {most} output{'s' if most != 1 else ''}, the layer has {len(layer.outputs)}"
            )
            self._add("IR212", layer, message, at=layer.outputs[most].at)
            right = False
        return right

    # attributes

    def _attributes(self, layer: Layer, operation: Operation) -> dict[str, Any] | None:
        written = layer.attributes
        if not operation.spellings.issuperset(written):
            unknown = [name for name in written if name not in operation.spellings]
            free = operation.spellings - set(written)
            for name in unknown[:MOST_ALIKE]:
                if name != "value" or operation.type != "Constant":
                    self._unknown(layer, operation, name, free)
        values: dict[str, Any] = {}
        right = True
        from_port = self._from_port(layer) if operation.type == "Constant" else {}
        for attribute in operation.attributes:
            if attribute.read is None:
                continue
            spelt = next((each for each in (attribute.name, *attribute.also) if each in written), None)
            if spelt is not None:
                try:
                    values[attribute.parameter] = self._read(layer, operation, attribute, spelt)
                except ValueError as error:
                    message = f"{operation.name}: {spelt} is {written[spelt][:_SHOWN]!r}: {error}"
                    self._add("IR208", layer, message, spelt, at=layer.data_at)
                    right = False
            elif attribute.name in from_port:
                values[attribute.parameter] = from_port[attribute.name]
            elif attribute.default is not REQUIRED:
                values[attribute.parameter] = attribute.default
            else:
                right = self._absent(layer, operation, attribute, values) and right
        if operation.type == "Constant":
            right = self._without_value(layer) and right and self._constant(layer, values)
        return values if right else None

    def _read(self, layer: Layer, operation: Operation, attribute: Attribute, name: str) -> Any:
        assert attribute.read is not None, "given attributes have no text"
        text = layer.attributes[name]
        try:
            return attribute.read(text)
        except TrailingText as trailing:
            message = f"{operation.name}: {name} is {text[:_SHOWN]!r}; it is read as {trailing.value}"
            self._add("IR209", layer, message, name, at=layer.data_at, hint=f"leave out {trailing.rest!r}")
            return trailing.value

    def _unknown(self, layer: Layer, operation: Operation, name: str, free: frozenset[str]) -> None:
        near = nearest(name, free)
        hint = f"did you mean {near[0]}?" if near else None
        message = f"{operation.name} has no attribute {name[:_SHOWN]!r}; it is ignored"
        self._add("IR206", layer, message, name, at=layer.data_at, hint=hint)

    def _absent(self, layer: Layer, operation: Operation, attribute: Attribute, values: dict[str, Any]) -> bool:
        if operation.type == "Parameter" and attribute.name == "element_type" and layer.data_at is not None:
            values[attribute.parameter] = DYNAMIC
            return True
        if operation.type == "Constant" and "value" in layer.attributes:
            return False
        message = f"{operation.name} lacks the required attribute {attribute.name}"
        self._add("IR207", layer, message, at=layer.data_at)
        return False

    # constants

    def _without_value(self, layer: Layer) -> bool:
        if "value" not in layer.attributes:
            return True
        message = "Constant-1 has no attribute 'value'; OpenVINO takes its characters for the tensor's bytes"
        self._add("IR208", layer, message, "value", at=layer.data_at, hint="write the value to the .bin")
        return False

    def _from_port(self, layer: Layer) -> dict[str, Any]:
        """Shape and element type of a Const whose `<data>` lacks them, from its port, as IR of 2020 has them."""
        lacking = {"shape", "element_type"} - set(layer.attributes)
        if not lacking or self._document.version != 10 or not layer.outputs or "offset" not in layer.attributes:
            return {}
        port = layer.outputs[0]
        type = parse_precision(port.precision or "")
        if type is None or min(port.dims, default=0) < 0:
            return {}
        words = " and ".join(sorted(lacking))
        self._add(
            "IR506",
            layer,
            f"{words} of this Const stand on its port alone: {type}{extents_text(port.dims)}",
            at=layer.data_at,
        )
        found: dict[str, Any] = {"shape": port.dims, "element_type": type}
        return {name: found[name] for name in lacking}

    def _constant(self, layer: Layer, values: dict[str, Any]) -> bool:
        if isinstance(self._weights, WeightsError):
            if not self._weights_reported:
                self._weights_reported = True
                error = self._weights
                self._add(
                    error.code,
                    layer,
                    f"this Const needs its value, but {error.message}",
                    at=layer.data_at,
                    hint=error.hint,
                )
            return False
        type, shape, offset, size = (values[name] for name in ("element_type", "shape", "offset", "size"))
        where = f"offset {offset}, size {size}"
        if offset < 0 or size < 0:
            self._add(
                "IR208",
                layer,
                f"Constant-1: {where}: both are at least 0",
                "offset" if offset < 0 else "size",
                at=layer.data_at,
            )
            return False
        if type is DYNAMIC:
            self._add("IR308", layer, "a Const of type dynamic has no value", "element_type", at=layer.data_at)
            return False
        return self._stored(layer, values, type, shape, where)

    def _stored(
        self, layer: Layer, values: dict[str, Any], type: ElementType, shape: tuple[int, ...], where: str
    ) -> bool:
        weights = self._weights
        assert not isinstance(weights, WeightsError), "checked before"
        offset, size = values["offset"], values["size"]
        count = 1
        for extent in shape:
            count *= extent
        needed = stored_size(type, count)
        told = f"{type}{extents_text(shape)} takes {needed} bytes"
        if count == 0:
            values["value"] = Stored(type, shape, weights.data[:0])
            return True
        if size < needed:
            self._add(
                "IR503", layer, f"{told}, but size is {size}", "size", at=layer.data_at, hint=f'write size="{needed}"'
            )
            return False
        if offset + size > weights.data.size:
            message = (
                f"this Const lies at {where}, but the weights file ({weights.name}) holds {weights.data.size} bytes"
            )
            self._add("IR502", layer, message, "offset", at=layer.data_at)
            return False
        if size > needed and type is not STRING:
            self._add("IR504", layer, f"{told}, but size is {size}; the rest is ignored", "size", at=layer.data_at)
            size = needed
        values["value"] = Stored(type, shape, weights.data[offset : offset + size])
        return True


OTHER_NAMES = {"constant": "Const", "const": "Const", "result": "Result", "output": "Result", "input": "Parameter"}
"""What other formats call IR's own layers, in lower case -> the exact spelling that IR needs."""
