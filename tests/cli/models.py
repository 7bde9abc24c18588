"""Small models for the command line, as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np

_PRECISION = {"f32": "FP32", "f64": "FP64", "bf16": "BF16", "i64": "I64", "string": "STRING", "f8e4m3": "F8E4M3"}

MEAN = """<net name="m" version="11"><layers>
<layer id="0" name="data" type="Parameter" version="opset1"><data shape="2,3" element_type="f32"/>
 <output><port id="0" precision="FP32" names="data_t"><dim>2</dim><dim>3</dim></port></output></layer>
<layer id="1" name="axes" type="Const" version="opset1"><data element_type="i64" shape="1" offset="0" size="8"/>
 <output><port id="0" precision="I64"><dim>1</dim></port></output></layer>
<layer id="2" name="mean" type="ReduceMean" version="opset1"><data keep_dims="false"/>
 <input><port id="0"/><port id="1"/></input>
 <output><port id="2" precision="FP32" names="y"><dim>2</dim></port></output></layer>
<layer id="3" name="res" type="Result" version="opset1"><input><port id="0"/></input></layer>
</layers><edges>
<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
</edges></net>
"""
"""The mean over axis 1, which is in the .bin."""


def write_mean(directory: Path, name: str = "mean") -> Path:
    """MEAN and its .bin."""
    path = directory / f"{name}.xml"
    path.write_text(MEAN)
    path.with_suffix(".bin").write_bytes(np.array([1], np.int64).tobytes())
    return path


def passing(*inputs: tuple[str, str, str], names: Sequence[str] = ()) -> str:
    """A model whose outputs are its inputs: (name, element type, shape text) each; `names` are the output names."""
    layers, edges = [], []
    for place, (name, type, shape) in enumerate(inputs):
        output = quoteattr((names[place] if names else f"out_{place}").replace(",", "\\,"))
        layers.append(
            f'<layer id="{2 * place}" name={quoteattr(name)} type="Parameter" version="opset1">'
            f'<data shape="{shape}" element_type="{type}"/>'
            f'<output><port id="0" precision="{_PRECISION[type]}">{_dims(shape)}</port></output></layer>'
            f'<layer id="{2 * place + 1}" name="r{place}" type="Result" version="opset1" output_names={output}>'
            f'<input><port id="0"/></input></layer>'
        )
        edges.append(f'<edge from-layer="{2 * place}" from-port="0" to-layer="{2 * place + 1}" to-port="0"/>')
    return f'<net name="p" version="11"><layers>{"".join(layers)}</layers><edges>{"".join(edges)}</edges></net>'


def _dims(shape: str) -> str:
    return "".join(f"<dim>{-1 if '.' in dim or dim == '?' else dim}</dim>" for dim in shape.split(",") if dim)
