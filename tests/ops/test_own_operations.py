"""A user's own operation, from a file of theirs, is checked, inferred and run like a built-in one."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from irrun import IRError, check_ir
from irrun.diag import Report
from irrun.model import Model
from irrun.ops import REGISTRY
from irrun.ops.own import OwnOperationsError, load_operations
from irrun.ops.page import description, listing, versions_of
from irrun.pipeline import open_text
from irrun.types.element import BY_NAME
from tests.irtext import Given, one_operation

MY_OPS = '''
import numpy as np

from irrun.ops import Attribute, Input, OpError, Output, op
from irrun.ops.attributes import number
from irrun.types.element import FLOAT


@op(
    "Leaky-extension",
    types={"T": FLOAT},
    attributes=[Attribute("slope", number, default=0.5)],
    inputs=[Input("data", "T", dims="batch *rest")],
    outputs=[Output("T", dims="batch *rest")],
)
def leaky(data, slope):
    """Negative values times a slope."""
    return np.where(data < 0, slope * data, data)


def _twice_as_many(data):
    return type(data.shape).of(*[dim + dim for dim in data.dims])


@op("Leaky-2", types={"T": FLOAT}, inputs=[Input("data", "T")], outputs=[Output("T")], shape=_twice_as_many)
def doubled(data):
    if not np.isfinite(data).all():
        raise OpError("data is not finite", at="data")
    return np.tile(data, (2,) * data.ndim)
'''

F32 = BY_NAME["f32"]


@pytest.fixture(autouse=True)
def own_operations(tmp_path):
    before = dict(REGISTRY)
    path = tmp_path / "my_ops.py"
    path.write_text(MY_OPS)
    assert [operation.name for operation in load_operations(path)] == ["Leaky-extension", "Leaky-2"]
    yield
    REGISTRY.clear()
    REGISTRY.update(before)


def text(version: str, dims: list[int], attributes: dict[str, str] | None = None) -> str:
    return one_operation("Leaky", version, attributes or {}, [Given(F32, "?,3")], [(F32, dims)])[0]


def model(version: str, dims: list[int], attributes: dict[str, str] | None = None) -> Model:
    return open_text("own.xml", text(version, dims, attributes).encode(), Report(), weights=b"", directory=None)


def test_it_runs():
    data = np.array([[-1, 2, -3]], np.float32)
    results = model("extension", [-1, 3], {"slope": "0.25"}).run([data])
    assert results.findings == ()
    np.testing.assert_array_equal(results[0], np.array([[-0.25, 2, -0.75]], np.float32), strict=True)


def test_its_defaults_count():
    np.testing.assert_array_equal(model("extension", [-1, 3]).run([np.full((1, 3), -1, np.float32)])[0], [[-0.5] * 3])


def test_its_shapes_are_inferred():
    assert str(model("extension", [-1, 3]).outputs[0].shape) == "[?,3]"
    assert str(model("2", [-1, 6]).outputs[0].shape) == "[?,6]"


@pytest.mark.parametrize(
    ("version", "dims", "attributes", "code"),
    [
        ("extension", [2, 4], {}, "IR401"),
        ("extension", [-1, 3], {"slope": "steep"}, "IR208"),
        ("extension", [-1, 3], {"slop": "1"}, "IR206"),
        ("opset1", [-1, 3], {}, "IR202"),
    ],
)
def test_it_is_checked(version: str, dims: list[int], attributes: dict[str, str], code: str):
    assert [finding.code for finding in check_ir(text=text(version, dims, attributes), weights=b"")] == [code]


def test_its_refusals_name_the_layer():
    with pytest.raises(IRError, match=r"layer op \(id 1\), Leaky-2: data is not finite"):
        model("2", [-1, 6]).run([np.full((1, 3), np.inf, np.float32)])


def test_it_is_listed():
    assert "Leaky-extension" in listing()
    assert versions_of("leaky") == ["Leaky-extension", "Leaky-2"]
    assert "slope  number; default 0.5" in description("Leaky-extension")


def test_its_mistakes_name_the_line(tmp_path):
    path = tmp_path / "mistaken.py"
    path.write_text(MY_OPS.replace("np.where(data < 0, slope * data, data)", "data[99]"))
    load_operations(path)
    with pytest.raises(IRError, match=r"IndexError.*\n(.*\n)*.*raised in .*mistaken.py, line 18: return data\[99\]"):
        model("extension", [-1, 3]).run([np.zeros((1, 3), np.float32)])


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ("None", "the kernel gave None"),
        ("data.sum()", r"the kernel gave \[\] where the rule says \[1,3\]"),
        ("(data, data)", r"the kernel gave \[2,1,3\] where the rule says \[1,3\]"),
    ],
)
def test_what_it_returns_is_held_against_what_it_declares(tmp_path, returned, said):
    path = tmp_path / "mistaken.py"
    path.write_text(MY_OPS.replace("np.where(data < 0, slope * data, data)", returned))
    load_operations(path)
    with pytest.raises(IRError, match=said):
        model("extension", [-1, 3]).run([np.zeros((1, 3), np.float32)])


FOLDED = """<net name="m" version="11"><layers>
<layer id="0" name="c" type="Const" version="opset1"><data element_type="f32" shape="1,3" offset="0" size="12"/>
<output><port id="0" precision="FP32"><dim>1</dim><dim>3</dim></port></output></layer>
<layer id="1" name="op" type="Leaky" version="extension"><input><port id="0"/></input>
<output><port id="1" precision="FP32"><dim>1</dim><dim>3</dim></port></output></layer>
<layer id="2" name="out" type="Result" version="opset1"><input><port id="0"/></input></layer>
</layers><edges>
<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
<edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
</edges></net>"""


@pytest.mark.parametrize("returned", ["data[99]", "data.sum()", "None"])
def test_mistakes_are_said_by_a_run_where_its_inputs_are_constant(tmp_path, returned):
    path = tmp_path / "mistaken.py"
    path.write_text(MY_OPS.replace("np.where(data < 0, slope * data, data)", returned))
    load_operations(path)
    opened = open_text("own.xml", FOLDED.encode(), Report(), weights=bytes(12), directory=None)
    assert opened.findings == ()
    with pytest.raises(IRError, match="IR609"):
        opened.run([])


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("data.nothing", "the shape rule fails: AttributeError: .*nothing"),
        ("[1, 3]", "the shape rule gave 1, not a Shape"),
    ],
)
def test_mistakes_of_its_rule_are_findings(tmp_path, rule, said):
    path = tmp_path / "mistaken.py"
    path.write_text(MY_OPS.replace("type(data.shape).of(*[dim + dim for dim in data.dims])", rule))
    load_operations(path)
    (finding,) = check_ir(text=text("2", [-1, 6]), weights=b"").findings
    assert finding.code == "IR609"
    assert re.search(said, finding.message)


def test_it_may_return_lists(tmp_path):
    path = tmp_path / "lists.py"
    path.write_text(MY_OPS.replace("np.where(data < 0, slope * data, data)", "(data + 1).tolist()"))
    load_operations(path)
    results = model("extension", [-1, 3]).run([np.zeros((1, 3), np.float32)])
    np.testing.assert_array_equal(results[0], np.ones((1, 3), np.float32), strict=True)


def test_const_is_the_word_of_ir():
    assert versions_of("Const") == ["Constant-1"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("from irrun.ops import op\n@op('Foo')\ndef foo(): pass", "'Foo' is no versioned name, such as Foo-1"),
        ("import sys; sys.exit(3)", "fails: SystemExit: 3"),
        ("1 / 0", "fails: ZeroDivisionError"),
        ("x = 1", "declares no operation"),
        ("def", "fails: SyntaxError"),
    ],
)
def test_a_file_that_is_wrong(tmp_path: Path, content: str, said: str):
    path = tmp_path / "wrong.py"
    path.write_text(content)
    with pytest.raises(OwnOperationsError, match=said):
        load_operations(path)
    with pytest.raises(OwnOperationsError):
        load_operations(tmp_path / "absent.py")
    with pytest.raises(OwnOperationsError, match="no Python file"):
        load_operations(tmp_path / "ops.txt")


def test_a_kernel_that_fails_is_said_to(tmp_path):
    path = tmp_path / "failing.py"
    path.write_text(
        MY_OPS.replace("Leaky", "Failing").replace("np.where(data < 0, slope * data, data)", "data.no_such_method()")
    )
    load_operations(path)
    text, weights = one_operation("Failing", "extension", {}, [Given(F32, "2,3")], [(F32, [2, 3])])
    model = open_text("own.xml", text.encode(), Report(), weights=weights, directory=None)
    with pytest.raises(IRError, match=r"\[IR609\]"):
        model.run([np.zeros((2, 3), np.float32)])
