"""What a caller may give as inputs, and what is refused."""

from __future__ import annotations

import io

import ml_dtypes
import numpy as np
import pytest

from irrun import IRError, load_ir
from irrun.types.element import BY_NAME
from tests.models import AXES, DATA, MEAN, WANTED, changed

MODEL = load_ir(io.BytesIO(MEAN.encode()), weights=AXES)


def model_of(name: str, shape: str = "3"):
    """A model that hands its one input on."""
    precision = BY_NAME[name].precision
    dims = "".join(f"<dim>{dim if dim.isdecimal() else -1}</dim>" for dim in shape.split(",") if dim)
    text = f"""<net name="i" version="11"><layers>
    <layer id="0" name="x" type="Parameter" version="opset1"><data shape="{shape}" element_type="{name}"/>
    <output><port id="0" precision="{precision}">{dims}</port></output></layer>
    <layer id="1" name="r" type="Result" version="opset1"><input><port id="0"/></input></layer></layers>
    <edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></net>"""
    return load_ir(io.BytesIO(text.encode()))


@pytest.mark.parametrize(
    "feeds",
    [
        {"data": DATA},
        {0: DATA},
        {"0": DATA},
        [DATA],
        DATA,
        {"data": DATA.tolist()},
        {"data": DATA.astype(">f4")},
        {"data": np.asfortranarray(DATA)},
    ],
)
def test_ways_to_feed(feeds):
    results = MODEL.run(feeds)
    assert (results["mean"] == WANTED).all()
    assert results.findings == ()


@pytest.mark.parametrize(
    ("feeds", "code", "said"),
    [
        ({}, "IR602", r"data: f32\[2,3,4\] is not given"),
        (None, "IR602", "data"),
        ({"dta": DATA}, "IR603", "there is no input 'dta'"),
        ({"data": DATA, 1: DATA}, "IR603", "no input 1"),
        ({"data": DATA, 0: DATA}, "IR603", "twice"),
        ({"data": DATA[0]}, "IR604", r"the array is \[3,4\], the input is f32\[2,3,4\]"),
        ({"data": [[1, 2], [3]]}, "IR605", "no tensor"),
        ({"data": "abc"}, "IR605", "is no number"),
        ({"data": DATA * 1j}, "IR605", "numbers are expected"),
        ({"data": np.full((2, 3, 4), 1e39)}, "IR605", r"1e\+39 at \[0, 0, 0\] is beyond the range of f32"),
    ],
)
def test_refused_feeds(feeds, code: str, said: str):
    with pytest.raises(IRError, match=said) as raised:
        MODEL.run(feeds)
    assert code in [finding.code for finding in raised.value.findings]


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("i64", [1, 2, -3], [1, 2, -3]),
        ("i64", np.array([1.0, 2.0, 3.0]), [1, 2, 3]),
        ("u8", np.array([0, 255, 7], np.int64), [0, 255, 7]),
        ("u64", np.array([2**64 - 1, 0, 1], np.uint64), [2**64 - 1, 0, 1]),
        ("f16", [0.1, 1, 2], np.array([0.1, 1, 2], np.float16)),
        ("bf16", [0.1, 1, 2], np.array([0.1, 1, 2], ml_dtypes.bfloat16)),
        ("bf16", np.array([0.1, 1, 2], ml_dtypes.bfloat16).view("V2"), np.array([0.1, 1, 2], ml_dtypes.bfloat16)),
        ("f8e4m3", np.array([1, 2, 3], np.float32), np.array([1, 2, 3], ml_dtypes.float8_e4m3fn)),
        ("boolean", [True, False, 1], [True, False, True]),
        ("boolean", np.array([1, 0, 1]), [True, False, True]),
        ("u4", [15, 0, 1], np.array([15, 0, 1], np.uint8)),
        ("i4", np.array([-8, 7, 0], np.int8), np.array([-8, 7, 0], np.int8)),
        ("string", ["a", "", "é"], np.array(["a", "", "é"], np.dtypes.StringDType())),
        ("f32", np.array([np.nan, np.inf, 1], np.float64), [np.nan, np.inf, 1]),
    ],
)
def test_types(name: str, value, wanted):
    results = model_of(name).run(value if isinstance(value, np.ndarray) else {"x": value})
    assert results["x"].dtype == BY_NAME[name].dtype
    np.testing.assert_array_equal(results["x"], np.asarray(wanted, BY_NAME[name].dtype))


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("i64", [1.5, 0, 0], "1.5 .*is no integer"),
        ("i64", [np.nan, 0, 0], "nan .*is no integer"),
        ("u8", [0, 256, 0], r"256 at \[1\] is beyond the range \[0, 255\] of u8"),
        ("i64", np.array([2**63, 0, 0], np.uint64), "beyond the range"),
        ("i64", np.array([2.0**63, 0, 0]), "beyond the range"),
        ("u4", [16, 0, 0], "beyond the range"),
        ("boolean", [2, 0, 0], "neither false"),
        ("string", [1, 2, 3], "strings are expected"),
        ("f16", [70000, 0, 0], "beyond the range of f16"),
        ("i64", [2**70, 0, 0], "beyond 64 bits"),
    ],
)
def test_values_that_do_not_fit(name: str, value, said: str):
    value = np.array(value) if name == "string" else value
    with pytest.raises(IRError, match=said):
        model_of(name).run({"x": value})


def test_a_converted_array_is_one_warning():
    results = model_of("f32").run({"x": np.array([1.0, 2.0, 3.0])})
    assert [finding.code for finding in results.findings] == ["IR606"]
    assert "from f64 to f32" in results.findings[0].message


def test_partial_shapes_are_kept_to():
    model = model_of("f32", "1..2,?")
    assert model.run({"x": np.zeros((2, 9), np.float32)})["x"].shape == (2, 9)
    with pytest.raises(IRError, match=r"f32\[1..2,\?\]"):
        model.run({"x": np.zeros((3, 9), np.float32)})


def test_scalars_and_empty_tensors():
    assert model_of("f32", "").run({"x": 2.5})["x"].shape == ()
    assert model_of("i64", "0").run({"x": []})["x"].shape == (0,)


def test_feeds_are_never_written_and_outputs_are_owned():
    value = np.arange(3, dtype=np.float32)
    value.flags.writeable = False
    result = model_of("f32").run({"x": value})["x"]
    result[:] = 9
    assert value.tolist() == [0, 1, 2]


def test_an_unused_parameter_need_not_be_fed():
    extra = '<layer id="9" name="spare" type="Parameter" version="opset1"><data element_type="f32" shape="1"/><output><port id="0" precision="FP32"><dim>1</dim></port></output></layer></layers>'
    model = load_ir(io.BytesIO(changed(MEAN, ("</layers>", extra)).encode()), weights=AXES)
    assert (model.run({"data": DATA})["mean"] == WANTED).all()
    assert [finding.code for finding in model.findings] == ["IR115"]
