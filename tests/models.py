"""Small whole models as text, for tests that change one thing in them."""

from __future__ import annotations

import numpy as np

AXES = np.array([1], np.int64).tobytes()

MEAN = """<?xml version="1.0"?>
<net name="m" version="11">
<layers>
<layer id="0" name="data" type="Parameter" version="opset1"><data element_type="f32" shape="2,3,4"/>
<output><port id="0" precision="FP32" names="data"><dim>2</dim><dim>3</dim><dim>4</dim></port></output></layer>
<layer id="1" name="axes" type="Const" version="opset1"><data element_type="i64" shape="1" offset="0" size="8"/>
<output><port id="0" precision="I64"><dim>1</dim></port></output></layer>
<layer id="2" name="mean" type="ReduceMean" version="opset1"><data keep_dims="true"/>
<input><port id="0" precision="FP32"><dim>2</dim><dim>3</dim><dim>4</dim></port>
<port id="1" precision="I64"><dim>1</dim></port></input>
<output><port id="2" precision="FP32" names="mean"><dim>2</dim><dim>1</dim><dim>4</dim></port></output></layer>
<layer id="3" name="out" type="Result" version="opset1">
<input><port id="0" precision="FP32"><dim>2</dim><dim>1</dim><dim>4</dim></port></input></layer>
</layers>
<edges>
<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
</edges>
</net>
"""
DATA = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
WANTED = DATA.astype(np.float64).mean(1, keepdims=True).astype(np.float32)


def changed(text: str, *changes: tuple[str, str]) -> str:
    """The text with each change made once; a change that does not apply fails."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text
