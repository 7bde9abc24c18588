"""Shapes that a caller fixes for a model's inputs, met with the declared ones before anything is inferred."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from irrun.bind import Call
from irrun.diag import Report
from irrun.execute import is_parameter
from irrun.feeds import gather
from irrun.ir.document import Document
from irrun.types.shape import Shape


def with_shapes(document: Document, calls: Sequence[Call], shapes: Mapping[str, Shape], report: Report) -> list[Call]:
    """The calls with these shapes for the Parameters they name: by tensor name, layer name or index.

    A name that addresses no input, and a shape that contradicts the declared one, are reported.
    """
    bound = {call.layer.id: call for call in calls if is_parameter(call) and call.layer.outputs}
    parameters = [bound[layer.id] for layer in document.layers if layer.id in bound]
    names: dict[str, tuple[int, ...]] = {}
    for position, call in enumerate(parameters):
        for name in dict.fromkeys((*call.layer.outputs[0].names, call.layer.name)):
            names[name] = (*names.get(name, ()), position)
    wanted = gather(shapes, names, len(parameters), report)
    fixed = {parameters[place].layer.id: _fixed(parameters[place], shape, report) for place, shape in wanted.items()}
    return [fixed.get(call.layer.id, call) for call in calls]


def _fixed(call: Call, shape: Shape, report: Report) -> Call:
    declared = call.attributes["shape"]
    met = declared.meet(shape)
    if met is None:
        place = call.document.place(call.layer.data_at or call.layer.at, "shape")
        message = f"layer {call.title}: the shape {shape} that is asked for contradicts the declared one"
        report.add("IR604", message, place, label=f"declared {declared}", layer=call.key)
        return call
    return replace(call, attributes={**call.attributes, "shape": met})
