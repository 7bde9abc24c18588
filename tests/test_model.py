"""A model as a caller sees it: names, outputs, tracing, strictness, memory, threads, weights."""

from __future__ import annotations

import io
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from irrun import IRError, load_ir, run_ir
from irrun.diag import Report
from irrun.pipeline import open_model
from tests.models import AXES, DATA, MEAN, WANTED, changed


def load(*changes: tuple[str, str], weights: bytes = AXES, **options):
    return load_ir(io.BytesIO(changed(MEAN, *changes).encode()), weights=weights, **options)


def refused(*changes: tuple[str, str], **options) -> list[str]:
    with pytest.raises(IRError) as raised:
        load(*changes, **options)
    return [finding.code for finding in raised.value.findings]


# names


def test_inputs_and_outputs():
    model = load()
    assert [str(tensor) for tensor in (*model.inputs, *model.outputs)] == ["data: f32[2,3,4]", "mean: f32[2,1,4]"]
    assert isinstance(model.graph, nx.MultiDiGraph)
    assert list(model.graph.edges(keys=True)) == [(0, 2, 0), (1, 2, 1), (2, 3, 0)]


@pytest.mark.parametrize(
    ("changes", "key", "also"),
    [
        ([], "mean", ["out", 0, "mean:0"]),
        ([('names="mean"', 'names="y\\,1,z"')], "y,1", ["z", "mean", "out"]),
        ([('type="Result"', 'output_names="first,second" type="Result"')], "first", ["second", "mean", "out"]),
        ([(' names="mean"', "")], "mean", ["out"]),
    ],
)
def test_keys_of_results(changes, key: str, also: list):
    results = load(*changes).run({"data": DATA})
    assert list(results) == [key]
    for name in [key, *also]:
        assert (results[name] == WANTED).all()
    assert "nothing" not in results
    with pytest.raises(KeyError):
        results["nothing"]


SECOND = (
    "</layers>",
    '<layer id="4" name="again" type="Result" version="opset1"><input><port id="0"/></input></layer></layers>',
)
SECOND_EDGE = ("</edges>", '<edge from-layer="2" from-port="2" to-layer="4" to-port="0"/></edges>')


def test_two_results_of_one_tensor():
    results = load(SECOND, SECOND_EDGE).run({"data": DATA})
    assert list(results) == ["mean", "again"]
    results["mean"][:] = 0
    assert (results["again"] == WANTED).all()


@pytest.mark.parametrize("name", ["data", "axes", "mean", "mean:0", "axes:0"])
def test_any_tensor_can_be_fetched(name: str):
    results = load().run({"data": DATA}, outputs=[name])
    assert list(results) == [name]


def test_only_what_is_wanted_must_be_fed_and_right():
    assert load().run(outputs=["axes"])["axes"].tolist() == [1]


def test_faults_off_the_wanted_path_are_no_obstacle():
    text = changed(MEAN, ('type="ReduceMean"', 'type="Nothing"')).encode()
    assert run_ir(io.BytesIO(text), outputs=["axes"], weights=AXES)["axes"].tolist() == [1]
    with pytest.raises(IRError, match="no operation 'Nothing'"):
        run_ir(io.BytesIO(text), {"data": DATA}, weights=AXES)


def test_unknown_outputs():
    with pytest.raises(IRError, match="no output or layer 'maen'"):
        load().run({"data": DATA}, outputs=["maen"])


# findings of a run


def test_a_wrong_declaration_is_a_finding_and_with_strict_a_refusal():
    wrong = ('names="mean"><dim>2</dim>', 'names="mean"><dim>7</dim>')
    results = load(wrong).run({"data": DATA})
    assert (results["mean"] == WANTED).all()
    assert "IR401" in [finding.code for finding in results.findings]
    assert "IR401" in refused(wrong, strict=True)


def test_one_wrong_shape_down_a_chain_is_one_finding():
    model = load(
        ('element_type="f32" shape="2,3,4"', 'element_type="f32" shape="5,3,4"'),
    )
    assert [(finding.code, finding.line) for finding in model.findings] == [("IR401", 5)]


def test_missing_operations_are_listed_at_once():
    text = changed(
        MEAN,
        ('type="ReduceMean" version="opset1"', 'type="GRUSequence" version="opset5"'),
        ("</edges>", '<edge from-layer="2" from-port="2" to-layer="5" to-port="0"/></edges>'),
        (
            "</layers>",
            '<layer id="5" name="x" type="NV12toRGB" version="opset8"><input><port id="0"/></input><output><port id="1" precision="FP32"><dim>1</dim></port></output></layer></layers>',
        ),
        ('from-layer="2" from-port="2" to-layer="3"', 'from-layer="5" from-port="1" to-layer="3"'),
    )
    model = load_ir(io.BytesIO(text.encode()), weights=AXES)
    with pytest.raises(IRError) as raised:
        model.run({"data": DATA})
    assert {finding.code for finding in raised.value.findings} <= {"IR204"}


def test_dynamic_shapes_are_settled_by_the_arrays():
    model = load(('element_type="f32" shape="2,3,4"', 'element_type="f32" shape="?,1..9,4"'))
    assert str(model.outputs[0].shape) == "[?,1,4]"
    for rows in (2, 5):
        data = np.arange(rows * 3 * 4, dtype=np.float32).reshape(rows, 3, 4)
        np.testing.assert_allclose(model.run({"data": data})["mean"], data.mean(1, keepdims=True), rtol=1e-6)


def test_a_rule_that_fails_only_for_the_arrays():
    model = load(('element_type="f32" shape="2,3,4"', 'element_type="f32" shape="..."'))
    with pytest.raises(IRError, match="axis 1 is outside"):
        model.run({"data": np.zeros(3, np.float32)})


# tracing, threads, memory


def test_trace_yields_every_layer_that_computes():
    steps = list(load().trace({"data": DATA}))
    assert [step.title for step in steps] == ["data (id 0)", "axes (id 1)", "mean (id 2)"]
    assert (steps[2].outputs[0] == WANTED).all()
    assert [step.operation for step in steps][2] == "ReduceMean-1"
    with pytest.raises(ValueError, match="read-only"):
        steps[2].outputs[0][:] = 0


def test_trace_leaves_the_caller_alone():
    before = np.geterr()
    trace = load().trace({"data": DATA})
    next(trace)
    assert np.geterr() == before


def test_many_threads_run_one_model():
    model = load()
    fed = [(DATA * np.float32(1 / 3) + k).astype(np.float32) for k in range(128)]
    alone = [model.run({"data": data})["mean"].tobytes() for data in fed]
    with ThreadPoolExecutor(32) as pool:
        together = list(pool.map(lambda data: model.run({"data": data})["mean"].tobytes(), fed))
    assert together == alone
    assert len(set(together)) == len(fed)


def test_a_run_that_needs_too_much_is_refused_before_it_starts():
    with pytest.raises(IRError, match=r"mean \(id 2\).*the limit is 16 bytes"):
        load().run({"data": DATA}, max_memory=16)


def test_overflow_from_finite_inputs_is_said_once():
    convert = changed(
        MEAN,
        ('type="ReduceMean"', 'type="Convert"'),
        ('<data keep_dims="true"/>', '<data destination_type="f16"/>'),
        ('<port id="1" precision="I64"><dim>1</dim></port></input>', "</input>"),
        ('<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>', ""),
    )
    model = load_ir(io.BytesIO(convert.encode()), weights=AXES)
    results = model.run({"data": DATA + 1e6})
    said = [finding for finding in results.findings if finding.code == "IR610"]
    assert len(said) == 1
    assert "mean (id 2)" in said[0].message


# weights


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "m.xml").write_text(MEAN)
    (tmp_path / "m.bin").write_bytes(AXES)
    return tmp_path / "m.xml"


def test_the_bin_beside_the_xml(files: Path):
    assert (run_ir(files, {"data": DATA})["mean"] == WANTED).all()
    assert (run_ir(str(files), {"data": DATA})["mean"] == WANTED).all()
    with files.open("rb") as opened, pytest.raises(IRError, match="no weights were given"):
        run_ir(opened, {"data": DATA})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "not found"),
        (b"", "holds 0 bytes"),
        (AXES[:7], "holds 7 bytes"),
        (b"version https://git-lfs.github.com/spec/v1\n", "Git LFS"),
        (b"<?xml version='1.0'?>", "is an XML file"),
    ],
)
def test_weights_that_are_none(files: Path, content: bytes | None, said: str):
    other = files.with_name("other.bin")
    if content is not None:
        other.write_bytes(content)
    with pytest.raises(IRError, match=said):
        load_ir(files, weights=other)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_beside_the_xml_is_not_waited_for(files: Path):
    files.with_suffix(".bin").unlink()
    os.mkfifo(files.with_suffix(".bin"))
    with pytest.raises(IRError, match="a pipe or a device, not a file"):
        load_ir(files)


def test_weights_cut_off_after_loading(files: Path):
    small = load_ir(files)
    os.truncate(files.with_suffix(".bin"), 1 << 20)
    mapped = load_ir(files)
    os.truncate(files.with_suffix(".bin"), 4)
    assert (small.run({"data": DATA})["mean"] == WANTED).all()  # it was read, not mapped
    with pytest.raises(IRError, match="shorter now"):
        mapped.run({"data": DATA})


def test_a_huge_bin_opens_at_once(tmp_path: Path):
    path = tmp_path / "m.xml"
    offset = 10 << 30
    path.write_text(changed(MEAN, ('offset="0"', f'offset="{offset}"')))
    with path.with_suffix(".bin").open("wb") as file:
        file.truncate(offset + 8)
        file.seek(offset)
        file.write(AXES)
    assert (run_ir(path, {"data": DATA})["mean"] == WANTED).all()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (('size="8"', 'size="7"'), "IR503"),
        (('offset="0"', 'offset="-8"'), "IR208"),
        (('offset="0"', 'offset="8"'), "IR502"),
        (('shape="1" offset', 'shape="1;" offset'), "IR208"),
        (('shape="1" offset', 'shape="2305843009213693952" offset'), "IR503"),
        (('element_type="i64"', 'element_type="f33"'), "IR208"),
        (('element_type="i64"', 'element_type="dynamic"'), "IR308"),
        (('shape="1" offset="0" size="8"', 'shape="1" value="abcdefgh"'), "IR208"),
        (('element_type="i64" shape="1"', 'shape="1"'), "IR207"),
    ],
)
def test_constants_that_cannot_be_read(change: tuple[str, str], code: str):
    assert code in refused(change)


def test_a_constant_larger_than_its_shape_is_a_warning():
    model = load(('size="8"', 'size="16"'), weights=AXES * 2)
    assert [finding.code for finding in model.findings] == ["IR504"]
    assert (model.run({"data": DATA})["mean"] == WANTED).all()


# IR v10

V10 = ('version="11"', 'version="10"')


def test_v10_names_layers_and_keeps_types():
    model = load(V10, (' names="data"', ""), (' names="mean"', ""))
    assert (model.run({"data": DATA})["mean"] == WANTED).all()


def test_v10_constant_from_its_port():
    model = load(V10, ('element_type="i64" shape="1" offset', "offset"))
    assert [finding.code for finding in model.findings] == ["IR506"]
    assert (model.run({"data": DATA})["mean"] == WANTED).all()


MEANS = '<pre-process mean-precision="FP32" reference-layer-name="data"><channel id="0"><mean value="1.5"/></channel><channel id="1"><mean value="-2"/></channel></pre-process><layers>'


def test_pre_process_in_openvino(files: Path, openvino):
    text = changed(MEAN, V10, ("<layers>", MEANS))
    files.write_text(text)
    compiled = openvino.compile_model(files, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    results = run_ir(files, {"data": DATA})
    np.testing.assert_allclose(results["mean"], compiled({"data": DATA})[0], rtol=1e-6)
    assert not (results["mean"] == WANTED).all()


@pytest.mark.parametrize(
    "change",
    [
        ('<mean value="-2"/>', "<scale value='2'/>"),
        ('<mean value="-2"/>', "<mean/>"),
        ('<mean value="-2"/>', "<mean value='a'/>"),
        ('<channel id="1"><mean value="-2"/></channel>', ""),
        ('id="1"><mean', 'id="5"><mean'),
        ('reference-layer-name="data"', 'reference-layer-name="dta"'),
        ('<channel id="1">', '<channel id="1"><stdScale value="2"/>'),
    ],
)
def test_pre_process_that_is_not_understood(change: tuple[str, str]):
    assert refused(V10, ("<layers>", MEANS), change) == ["IR120"]


def test_two_parameters_of_one_id_where_one_has_no_port():
    bare = '<layer id="0" name="bare" type="Parameter" version="opset1"><data element_type="f32" shape="1"/></layer>'
    model = open_model(io.BytesIO(changed(MEAN, ("<layers>", f"<layers>{bare}")).encode()), Report(), weights=AXES)
    assert model.inputs == ()
    assert "IR106" in [finding.code for finding in model.findings]
