"""IR as text, just enough of it for the models that are measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

PRECISIONS = {"f32": "FP32", "f16": "FP16", "bf16": "BF16", "i32": "I32", "i64": "I64", "u8": "U8"}


@dataclass(frozen=True, slots=True)
class Port:
    """A tensor: its name, element type and shape."""

    name: str
    element: str
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Constant(Port):
    """A tensor in the .bin, at an offset in bytes."""

    offset: int
    size: int


def one_operation(operation: str, opset: str, inputs: Sequence[Port], output: Port, attributes: str = "") -> str:
    """Write a model of one operation: what is not a Constant is a Parameter."""
    layers = [_source(number, port) for number, port in enumerate(inputs)]
    at = len(inputs)
    ports = "".join(_port(number, port) for number, port in enumerate(inputs))
    data = f"<data {attributes}/>" if attributes else ""
    layers.append(
        f'<layer id="{at}" name="operation" type="{operation}" version="{opset}">{data}'
        f"<input>{ports}</input><output>{_port(at, output, names=True)}</output></layer>"
    )
    layers.append(
        f'<layer id="{at + 1}" name="{output.name}" type="Result" version="opset1">'
        f"<input>{_port(0, output)}</input></layer>"
    )
    edges = "".join(f'<edge from-layer="{n}" from-port="0" to-layer="{at}" to-port="{n}"/>' for n in range(at))
    edges += f'<edge from-layer="{at}" from-port="{at}" to-layer="{at + 1}" to-port="0"/>'
    body = "\n".join(layers)
    net = f'<net name="case" version="11"><layers>\n{body}\n</layers><edges>{edges}</edges></net>'
    return f'<?xml version="1.0"?>\n{net}\n'


def _source(number: int, port: Port) -> str:
    shape = ",".join(map(str, port.shape))
    if isinstance(port, Constant):
        kind = "Const"
        data = f'element_type="{port.element}" shape="{shape}" offset="{port.offset}" size="{port.size}"'
    else:
        kind = "Parameter"
        data = f'shape="{shape}" element_type="{port.element}"'
    return (
        f'<layer id="{number}" name="{port.name}" type="{kind}" version="opset1"><data {data}/>'
        f"<output>{_port(0, port, names=True)}</output></layer>"
    )


def _port(number: int, port: Port, *, names: bool = False) -> str:
    dims = "".join(f"<dim>{size}</dim>" for size in port.shape)
    said = f' names="{port.name}"' if names else ""
    return f'<port id="{number}" precision="{PRECISIONS[port.element]}"{said}>{dims}</port>'
