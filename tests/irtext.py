"""Small models as text: one operation between Parameters or Consts and Results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

import numpy as np

from irrun.types.element import STRING, ElementType


@dataclass(frozen=True)
class Given:
    """An input of the operation: a Parameter of this shape text, or a Const of this array."""

    type: ElementType
    shape: str
    constant: np.ndarray | None = None


def dims_text(dims: Sequence[int]) -> str:
    return "".join(f"<dim>{dim}</dim>" for dim in dims)


def one_operation(
    type: str,
    opset: str,
    attributes: Mapping[str, str],
    inputs: Sequence[Given],
    outputs: Sequence[tuple[ElementType, Sequence[int] | None]],
    version: int = 11,
) -> tuple[str, bytes]:
    """The .xml and .bin of a model of one operation: Parameters `in_0`.., outputs `out_0`.. with these declared dims."""
    layers, edges, weights = [], [], bytearray()
    count = len(inputs)
    ports = []
    for place, given in enumerate(inputs):
        layer, weights = _source(place, given, weights)
        layers.append(layer)
        edges.append((place, 0, count, place))
        ports.append(f'<port id="{place}"/>')
    data = " ".join(f"{name}={quoteattr(value)}" for name, value in attributes.items())
    body = f"<data {data}/>" if data else ""
    if ports:
        body += f"<input>{''.join(ports)}</input>"
    body += "<output>"
    for place, (element_type, dims) in enumerate(outputs):
        declared = dims_text(dims) if dims is not None else ""
        body += f'<port id="{count + place}" precision="{element_type.precision}" names="out_{place}">{declared}</port>'
        edges.append((count, count + place, count + 1 + place, 0))
    layers.append(f'<layer id="{count}" name="op" type="{type}" version="{opset}">{body}</output></layer>')
    for place in range(len(outputs)):
        port = '<input><port id="0"/></input>'
        layers.append(f'<layer id="{count + 1 + place}" name="r_{place}" type="Result" version="opset1">{port}</layer>')
    lines = "\n".join(f'<edge from-layer="{a}" from-port="{b}" to-layer="{c}" to-port="{d}"/>' for a, b, c, d in edges)
    newline = "\n"
    text = (
        f'<?xml version="1.0"?>\n<net name="one" version="{version}">\n<layers>\n{newline.join(layers)}\n</layers>\n'
        f"<edges>\n{lines}\n</edges>\n</net>\n"
    )
    return text, bytes(weights)


def _source(place: int, given: Given, weights: bytearray) -> tuple[str, bytearray]:
    precision = given.type.precision
    if given.constant is None:
        shown = [] if given.shape in ("", "...") else given.shape.split(",")
        dims = dims_text([int(dim) if dim.isdecimal() else -1 for dim in shown])
        data = f'<data shape="{given.shape}" element_type="{given.type}"/>'
        port = f'<output><port id="0" precision="{precision}" names="in_{place}">{dims}</port></output>'
        return f'<layer id="{place}" name="in_{place}" type="Parameter" version="opset1">{data}{port}</layer>', weights
    stored = packed_strings(given.constant) if given.type is STRING else given.constant.tobytes()
    shape = ", ".join(map(str, given.constant.shape))
    data = f'<data element_type="{given.type}" shape="{shape}" offset="{len(weights)}" size="{len(stored)}"/>'
    port = f'<output><port id="0" precision="{precision}">{dims_text(given.constant.shape)}</port></output>'
    return f'<layer id="{place}" name="c_{place}" type="Const" version="opset1">{data}{port}</layer>', weights + stored


def packed_strings(array: np.ndarray) -> bytes:
    texts = [text.encode() for text in array.reshape(-1).tolist()]
    ends = np.cumsum([0, *map(len, texts)])
    return np.array([len(texts), *ends], "<u4").tobytes() + b"".join(texts)
