"""A model as lines of text: its inputs, outputs and layers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from irrun.bind import Call
from irrun.diag.render.text import Style, printable
from irrun.ir.document import Layer
from irrun.model import Model
from irrun.ops import opsets
from irrun.results import Tensor
from irrun.save import plain
from irrun.types.fact import Fact

_VALUES = 8
"""A tensor of at most this many elements is shown with its value, where that is known."""
_LONGEST = 60
_PLAIN = {"Parameter": {"shape", "element_type"}, "Const": {"shape", "element_type", "offset", "size"}}
"""Attributes that say the same as the type, shape and value beside them."""


def listing(model: Model, style: Style) -> Iterator[str]:
    """All lines: the model, its inputs and outputs with all their names, pre-processing, layers in run order."""
    document = model.document
    layers = _counted(len(document.layers), "layer")
    yield style(f"{printable(document.name)}: IR version {document.version}, {layers}", "bold")
    yield from _tensors("inputs", model.inputs, style)
    yield from _tensors("outputs", model.outputs, style)
    if model.pre_process is not None:
        layer = document.layer_by_id[model.pre_process.layer]
        yield f"pre-process: {model.pre_process}, from {printable(layer.name)}"
    yield style("layers", "bold")
    lines = _Lines(model, style)
    for call in model.calls:
        yield lines.line(call)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' if count != 1 else ''}"


def _tensors(title: str, tensors: Sequence[Tensor], style: Style) -> Iterator[str]:
    yield style(title, "bold") if tensors else f"{style(title, 'bold')}: none"
    for tensor in tensors:
        others = ", ".join(printable(name) for name in tensor.names if name != tensor.name)
        also = f"  also {others}" if others else ""
        yield f"  {printable(tensor.name)}: {tensor.element_type}{tensor.shape}{also}"


class _Lines:
    """Makes the line of each layer."""

    def __init__(self, model: Model, style: Style) -> None:
        self._model = model
        self._style = style
        self._width = max((len(str(layer.id)) for layer in model.document.layers), default=1)

    def line(self, call: Call) -> str:
        layer = call.layer
        name = _operation_name(call)
        inputs = ", ".join(self._input(call, position) for position in range(len(call.inputs)))
        said = f"{layer.id:>{self._width + 2}} {printable(layer.name)}  {self._style(printable(name), 'place')}"
        parts = [said + (f"({inputs})" if inputs else ""), *_attributes(layer)]
        if layer.outputs:
            parts.append(f"-> {', '.join(self._output(layer, position) for position in range(len(layer.outputs)))}")
        return "  ".join(parts)

    def _input(self, call: Call, position: int) -> str:
        """`axes: i64[2] = [2,3]`, named after the layer that gives it."""
        value = call.inputs[position]
        if value is None:
            return "?"
        producer = self._model.document.layer_by_id[value[0]]
        name = producer.name if len(producer.outputs) == 1 else f"{producer.name}:{value[1]}"
        return f"{printable(name)}: {_fact_text(self._model.facts[value])}"

    def _output(self, layer: Layer, position: int) -> str:
        fact = self._model.facts.get((layer.id, position))
        names = [printable(name) for name in layer.outputs[position].names if name != layer.name]
        prefix = f"{', '.join(names)}: " if names else ""
        return prefix + ("?" if fact is None else _fact_text(fact))


def _operation_name(call: Call) -> str:
    """`ReduceMean-1`, also where the layer could not be bound; `Type (version)` where there is no such operation."""
    if call.operation is not None:
        return call.operation.name
    type, version = call.layer.type, call.layer.version
    opset = opsets.OPSETS.get(version)
    fact = None if opset is None else opsets.held_by("Constant" if type == "Const" else type, opset)
    return f"{type} ({version})" if fact is None else fact.name


def _attributes(layer: Layer) -> list[str]:
    left_out = _PLAIN.get(layer.type, set())
    written = [(name, text) for name, text in layer.attributes.items() if name not in left_out]
    shown = [f"{printable(name)}={_clipped(text)}" for name, text in written]
    return [" ".join(shown)] if shown else []


def _clipped(text: str) -> str:
    return printable(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")


def _fact_text(fact: Fact) -> str:
    """`i64[2] = [2,3]`: type, shape, and the value where it is small and known, dims that are known in part as such."""
    return f"{fact}{_value_text(fact)}"


def _value_text(fact: Fact) -> str:
    extents = fact.shape.extents
    if extents is None or int(np.prod(extents, dtype=np.int64)) > _VALUES:
        return ""
    if fact.value is not None:
        return f" = {_nested(fact.value)}"
    if fact.bounds is not None and len(extents) == 1:
        return f" = [{','.join(map(str, fact.extents or ()))}]"
    return ""


def _nested(array: np.ndarray) -> str:
    shown = plain(array)
    return _text(shown.tolist(), shown)


def _text(value: Any, array: np.ndarray) -> str:
    if isinstance(value, list):
        return f"[{','.join(_text(each, array) for each in value)}]"
    if isinstance(value, str):
        return printable(repr(value[:_LONGEST]))
    if isinstance(value, float):
        return str(array.dtype.type(value))
    return str(value).lower() if isinstance(value, bool) else str(value)
