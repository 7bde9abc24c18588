"""`irrun show`: one line a layer, whatever is wrong with the model."""

from __future__ import annotations

import numpy as np

from tests.cli.models import MEAN, passing, write_mean

SHOWN = """\
m: IR version 11, 4 layers
inputs
  data_t: f32[2,3]  also data
outputs
  y: f32[2]  also mean, res
layers
  0 data  Parameter-1  -> data_t: f32[2,3]
  1 axes  Constant-1  -> i64[1] = [1]
  2 mean  ReduceMean-1(data: f32[2,3], axes: i64[1] = [1])  keep_dims=false  -> y: f32[2]
  3 res  Result-1(mean: f32[2])
"""


def test_a_model(irrun, tmp_path):
    ended = irrun("show", write_mean(tmp_path))
    assert (ended.status, ended.out, ended.err) == (0, SHOWN, "")


def test_what_is_inferred_is_shown_and_not_what_is_declared(irrun, tmp_path):
    model = write_mean(tmp_path)
    model.write_text(MEAN.replace('names="y"><dim>2<', 'names="y"><dim>5<'))
    ended = irrun("show", model)
    assert (ended.status, ended.out) == (0, SHOWN)
    assert ended.err.startswith("error[IR401]: layer mean (id 2)")
    assert ended.err.endswith(f"\n1 error; `irrun check {model}` prints them\n")


def test_unknown_operations_and_missing_weights(irrun, tmp_path):
    model = tmp_path / "m.xml"
    model.write_text(MEAN.replace('type="ReduceMean"', 'type="ReduceMeann"'))
    ended = irrun("show", model)
    assert ended.status == 0
    assert "  1 axes  Constant-1  -> i64[1]\n" in ended.out
    assert "  2 mean  ReduceMeann (opset1)(data: f32[2,3], axes: i64[1])  keep_dims=false  -> y: f32[2]\n" in ended.out
    assert "2 errors" in ended.err


def test_shapes_can_be_tried(irrun, tmp_path):
    model = tmp_path / "m.xml"
    model.write_text(MEAN.replace('shape="2,3"', 'shape="?,1..8"').replace("<dim>2</dim>", "<dim>-1</dim>"))
    model.with_suffix(".bin").write_bytes(np.array([1]).tobytes())
    assert "(data: f32[?,1..8], axes: i64[1] = [1])  keep_dims=false  -> y: f32[?]" in irrun("show", model).out
    ended = irrun("show", model, "--shape", "data=7,?")
    assert "(data: f32[7,1..8], axes: i64[1] = [1])  keep_dims=false  -> y: f32[7]" in ended.out


def test_values_of_every_kind(irrun, tmp_path):
    constants = [
        ("f32", "3", np.array([0.1, np.nan, -1e-9], np.float32).tobytes(), "f32[3] = [0.1,nan,-1e-09]"),
        ("bf16", "1", b"\xc0\x3f", "bf16[1] = [1.5]"),
        ("u4", "3", b"\x21\x03", "u4[3] = [1,2,3]"),
        ("boolean", "2", b"\x01\x00", "boolean[2] = [true,false]"),
        ("i64", "", np.array(7).tobytes(), "i64[] = 7"),
        ("i32", "2,2", np.arange(4, dtype=np.int32).tobytes(), "i32[2,2] = [[0,1],[2,3]]"),
        ("i8", "9", bytes(9), "i8[9]\n"),
    ]
    layers, stored = [], b""
    for place, (type, shape, data, _) in enumerate(constants):
        layers.append(
            f'<layer id="{place}" name="c{place}" type="Const" version="opset1">'
            f'<data element_type="{type}" shape="{shape}" offset="{len(stored)}" size="{len(data)}"/>'
            f'<output><port id="0"/></output></layer>'
        )
        stored += data
    model = tmp_path / "m.xml"
    model.write_text(f'<net name="m" version="11"><layers>{"".join(layers)}</layers><edges/></net>')
    model.with_suffix(".bin").write_bytes(stored)
    lines = irrun("show", model).out
    for place, (*_, shown) in enumerate(constants):
        assert f"  {place} c{place}  Constant-1  -> {shown}" in lines


def test_pre_processing_is_shown(irrun, tmp_path):
    channels = "".join(
        f'<channel id="{place}"><mean value="{value}"/></channel>' for place, value in enumerate((104, 117))
    )
    text = passing(("x", "f32", "1,2,4,4")).replace('version="11"', 'version="10"').replace('output_names="out_0"', "")
    model = tmp_path / "m.xml"
    model.write_text(text.replace("</net>", f'<pre-process reference-layer-name="x">{channels}</pre-process></net>'))
    assert "pre-process: mean [104.0, 117.0] subtracted per channel, from x\n" in irrun("show", model).out


def test_what_cannot_be_shown(irrun, tmp_path):
    (tmp_path / "broken.xml").write_text("<net")
    ended = irrun("show", tmp_path / "broken.xml")
    assert (ended.status, ended.out) == (1, "")
    assert "IR002" in ended.err
    assert irrun("show", tmp_path / "none.xml").status == 2
    (tmp_path / "empty.xml").write_text('<net name="e" version="11"><layers/><edges/></net>')
    ended = irrun("show", tmp_path / "empty.xml")
    assert (ended.status, ended.out) == (0, "e: IR version 11, 0 layers\ninputs: none\noutputs: none\nlayers\n")
