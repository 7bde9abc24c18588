"""Files made to hurt: each would take hours or all memory if anything were more than linear, or would reach outside."""

from __future__ import annotations

import io

import numpy as np
import pytest

from irrun import IRError, check_ir, load_ir
from irrun.ops import REGISTRY, Operation
from irrun.ops.opsets import FACTS
from tests.models import AXES, DATA, MEAN, WANTED, changed

PARAMETER = (
    '<layer id="0" name="x" type="Parameter" version="opset1"><data shape="2" element_type="f32"/>'
    '<output><port id="0" precision="FP32"><dim>2</dim></port></output></layer>'
)


def converts(count: int) -> str:
    return "".join(
        f'<layer id="{k}" name="c{k}" type="Convert" version="opset1"><data destination_type="f32"/><input><port id="0"/>'
        '</input><output><port id="1" precision="FP32"><dim>2</dim></port></output></layer>'
        for k in range(1, count)
    )


def net(layers: str, edges: list[tuple[int, int, int]], last: int) -> str:
    result = f'<layer id="{last}" name="r" type="Result" version="opset1"><input><port id="0"/></input></layer>'
    lines = "".join(f'<edge from-layer="{a}" from-port="{p}" to-layer="{b}" to-port="0"/>' for a, p, b in edges)
    return f'<net version="11"><layers>{PARAMETER}{layers}{result}</layers><edges>{lines}</edges></net>'


COUNT = 5_000
MANY = " ".join(f"a{k}='1'" for k in range(100_000))
CHAIN = [(k, 1 if k else 0, k + 1) for k in range(COUNT)]


def test_a_long_chain_has_no_recursion():
    model = load_ir(io.BytesIO(net(converts(COUNT), CHAIN, COUNT).encode()))
    assert model.run([1, 2])[0].tolist() == [1, 2]


def test_a_star_and_a_long_cycle():
    star = net(converts(COUNT), [(0, 0, k) for k in range(1, COUNT + 1)], COUNT)
    assert {finding.code for finding in check_ir(text=star)} == {"IR114"}
    cycle = net(converts(COUNT), [(COUNT - 1, 1, 1), *CHAIN[1:]], COUNT)
    assert "IR112" in {finding.code for finding in check_ir(text=cycle)}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (f"<net version='11'>{'<a>' * 1_000_000}", {"IR002"}),
        (f"<net version='11'><rt_info>{'<a>' * 1000}{'</a>' * 1000}</rt_info></net>", {"IR113"}),
        (changed(MEAN, ("<layers>", f"<layers><!--{'-x' * 5_000_000}-->")), set()),
        ("<!-- x -->" * 100_000 + MEAN, set()),
        (changed(MEAN, ("<layers>", f"{'x' * 5_000_000}<layers>")), {"IR119"}),
        (
            changed(MEAN, ('<data keep_dims="true"/>', f"<data {MANY}/>")),
            {"IR206", "IR401"},
        ),
        (changed(MEAN, ('name="mean"', MANY + ' name="mean"')), {"IR105"}),
        (
            changed(MEAN, ("</input>", "".join(f'<port id="{k}"/>' for k in range(9, 50_000)) + "</input>")),
            {"IR211"},
        ),
        (changed(MEAN, ('names="data">', 'names="data">' + "<dim>2</dim>" * 20_000)), {"IR401"}),
        (changed(MEAN, ('shape="2,3,4"', "shape='" + "2," * 20_000 + "2'")), {"IR401"}),
        (changed(MEAN, ("<dim>2</dim>", f"<dim>{'9' * 100_000}</dim>")), {"IR102"}),
        (changed(MEAN, ('id="2" name="mean"', 'id="' + "9" * 100_000 + '" name="mean"')), {"IR102"}),
        ('<layer type="Abs"><input><port id="0"/><!-- [' + "1.5, " * 100_000 + "] --></input></layer>", set()),
        (changed(MEAN, ('shape="1" offset', 'shape="2147483648,2147483648,2147483648" offset')), {"IR503"}),
        (changed(MEAN, ('shape="2,3,4"', 'shape="1000000000000000000,3,4"')), {"IR401"}),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else "",
)
def test_bounded(text: str, codes: set[str]):
    report = check_ir(text=text, weights=AXES)
    assert codes <= {finding.code for finding in report}
    assert len(str(report)) < 2_000_000


@pytest.mark.parametrize("dims", [(5, 2, 1 << 62), (0, 1 << 62, 1 << 62), (0, (1 << 63) - 1), (2, 2, 65536)], ids=str)
@pytest.mark.parametrize("operation", REGISTRY.values(), ids=lambda operation: operation.name)
def test_sizes_and_ranks_that_no_array_has(operation: Operation, dims: tuple[int, ...]):
    first = "<port>" + "".join(f"<dim>{dim}</dim>" for dim in dims) + "</port>"
    others = f"<port><dim>{dims[-1]}</dim></port>" * (len(operation.inputs) - 1)
    opset = next((f"opset{max(fact.opsets)}" for fact in FACTS if fact.name == operation.name), "")
    layer = f'<layer type="{operation.type}" version="{opset}">'
    report = check_ir(text=f"{layer}<input>{first}{others}</input><output><port/></output></layer>")
    assert "IR609" not in {finding.code for finding in report}


def test_many_comments_before_the_net_are_no_trap():
    text = "<!-- x -->" * 20_000 + MEAN.replace('<?xml version="1.0"?>', "")
    results = load_ir(io.BytesIO(text.encode()), weights=AXES).run({"data": DATA})
    assert (results["mean"] == WANTED).all()


def test_a_parameter_of_10_to_18_elements_is_not_made():
    text = changed(MEAN, ('shape="2,3,4"', 'shape="1000000000000000000,3,4"'))
    with pytest.raises(IRError, match=r"the input is f32\[1000000000000000000,3,4\]"):
        load_ir(io.BytesIO(text.encode()), weights=AXES).run({"data": np.zeros((1, 3, 4), np.float32)})


def test_names_are_only_names():
    name = "../../etc/x\x7f"
    text = changed(MEAN, ('names="mean"', f'names="{name}"'))
    assert list(load_ir(io.BytesIO(text.encode()), weights=AXES).run({"data": DATA})) == [name]
