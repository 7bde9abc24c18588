"""What is only known when a model runs: values that steer a shape, outputs that are counted, promises not kept."""

from __future__ import annotations

import numpy as np
import pytest

from irrun import IRError, check_ir
from irrun.pipeline import Report, open_text
from irrun.types.element import BY_NAME
from tests.irtext import Given, one_operation

F32, I64 = BY_NAME["f32"], BY_NAME["i64"]


def model(type: str, opset: str, attributes: dict[str, str], shapes: list[str], types=None, outputs: int = 1):
    inputs = [Given(type, shape) for type, shape in zip(types or [F32, *[I64] * len(shapes)], shapes, strict=False)]
    return one_operation(type, opset, attributes, inputs, [(F32, None)] * outputs)[0]


def run(text: str, *feeds):
    opened = open_text("case.xml", text.encode(), Report(), weights=b"", directory=None)
    return opened.run([np.asarray(feed) for feed in feeds])


def test_a_rule_sees_the_values_that_steer_it_although_the_shapes_are_known():
    types = [F32, I64, F32, I64]
    text = model("ScatterUpdate", "opset3", {}, ["3,2", "1", "1,2", ""], types)
    data, index = np.zeros((3, 2), np.float32), np.array([1])
    assert run(text, data, index, np.ones((1, 2), np.float32), np.array(0))[0].tolist() == [[0, 0], [1, 1], [0, 0]]
    with pytest.raises(IRError, match=r"updates is \[1,2\], but \[3,1\] is expected"):
        run(text, data, index, np.ones((1, 2), np.float32), np.array(1))


def test_the_outputs_that_a_rule_counts():
    text = model("Split", "opset1", {"num_splits": "2"}, ["4", ""], outputs=3)
    findings = [(finding.code, finding.message) for finding in check_ir(text=text).findings]
    assert findings == [("IR212", "layer op (id 2), Split-1: these inputs give 2 outputs, the layer has 3")]


def test_outputs_that_cannot_be_counted_before_the_run():
    text = model("VariadicSplit", "opset1", {}, ["4,?", "", "?"], outputs=2)
    data = np.arange(8, dtype=np.float32).reshape(4, 2)
    results = run(text, data, np.array(0), np.array([1, -1]))
    assert [array.shape for array in results.values()] == [(1, 2), (3, 2)]
    with pytest.raises(IRError, match="these inputs give 1 output, the layer has 2"):
        run(text, data, np.array(0), np.array([4]))


def test_fewer_outputs_than_there_are():
    text = model("Split", "opset1", {"num_splits": "2"}, ["4", ""], outputs=1)
    assert run(text, np.arange(4, dtype=np.float32), np.array(0))[0].tolist() == [0, 1]


def test_a_dim_that_was_taken_for_1_and_is_not_stays():
    text = model("Squeeze", "opset1", {}, ["?,3", "1"])
    assert run(text, np.zeros((1, 3), np.float32), np.array([0]))[0].shape == (3,)
    assert run(text, np.zeros((2, 3), np.float32), np.array([0]))[0].shape == (2, 3)


def test_k_beyond_the_dim():
    text = model("TopK", "opset11", {"axis": "0", "mode": "max", "sort": "value"}, ["?", ""], outputs=2)
    with pytest.raises(IRError, match="k is 5, but dim 0 of data, of which they are taken, is 2"):
        run(text, np.zeros(2, np.float32), np.array(5))


def test_elements_that_are_told_apart_are_not_known_by_their_ends():
    text = one_operation("Unique", "opset10", {}, [Given(I64, "3")], [(I64, None)] * 4)[0]
    assert [array.tolist() for array in run(text, np.array([7, 5, 7])).values()] == [[5, 7], [1, 0], [1, 0, 1], [1, 2]]


PROMISE = """<net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data element_type="f32" shape="3"/>
<output><port id="0" precision="FP32"><dim>3</dim></port></output></layer>
<layer id="1" name="axis" type="Const" version="opset1"><data element_type="i64" shape="1" offset="0" size="8"/>
<output><port id="0" precision="I64"><dim>1</dim></port></output></layer>
<layer id="2" name="places" type="NonZero" version="opset3"><data output_type="i64"/>
<input><port id="0"/></input><output><port id="1" precision="I64"><dim>1</dim><dim>-1</dim></port></output></layer>
<layer id="3" name="place" type="Squeeze" version="opset1">
<input><port id="0"/><port id="1"/></input><output><port id="2" precision="I64"><dim>1</dim></port></output></layer>
<layer id="4" name="out" type="Result" version="opset1"><input><port id="0"/></input></layer>
</layers><edges>
<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="2" from-port="1" to-layer="3" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="3" to-port="1"/>
<edge from-layer="3" from-port="2" to-layer="4" to-port="0"/>
</edges></net>"""


def test_a_promise_that_values_break():
    axis = np.array([1], np.int64).tobytes()
    opened = open_text("case.xml", PROMISE.encode(), Report(), weights=axis, directory=None)
    assert opened.run(np.array([0, 0, 5], np.float32))[0].tolist() == [2]
    with pytest.raises(IRError, match=r"the result is \[1,2\], but \[1\] was inferred before its inputs were computed"):
        opened.run(np.array([0, 5, 5], np.float32))
