"""Every case four ways: kernel alone, shape rule over forgotten facts, whole pipeline, one declared dim wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irrun import IRError, check_ir
from irrun.kernels.notice import listening
from irrun.ops import REGISTRY, OpError
from irrun.pipeline import Report, open_text
from irrun.types.dim import LIMIT, UNKNOWN, Dim
from irrun.types.fact import Fact
from irrun.types.shape import Shape
from tests.irtext import Given, one_operation
from tests.ops.case import OpCase, assert_same
from tests.ops.cases import all_cases

CASES = all_cases()
RIGHT = [case for case in CASES if case.error is None]
WRONG = [case for case in CASES if case.error is not None]


def _ids(cases: list[OpCase]) -> list[str]:
    return [f"{case.id}-{place}" for place, case in enumerate(cases)]


def _read_only(array: np.ndarray) -> np.ndarray:
    view = np.array(array)
    view.flags.writeable = False
    return view


def _arguments(case: OpCase) -> list[object]:
    return case.operation.arguments([_read_only(array) for array in case.inputs], case.input_types)


def _facts(case: OpCase) -> list[Fact]:
    return [Fact.of(type, np.asarray(array)) for type, array in zip(case.input_types, case.inputs, strict=True)]


def _shapes(case: OpCase, facts: list[Fact]) -> list[Shape]:
    with listening():
        results = case.operation.infer(facts, case.values, len(case.outputs))
    return [result.shape if isinstance(result, Fact) else result for result in results]


def test_every_operation_has_a_case():
    held = {case.op for case in RIGHT}
    beyond_cases = {"Parameter-1", "Constant-1", "Result-1"}
    assert {operation.name for operation in REGISTRY.values()} - held - beyond_cases == set()


@pytest.mark.parametrize("case", RIGHT, ids=_ids(RIGHT))
def test_kernel(case: OpCase):
    with listening() as heard:
        result = case.operation.apply(_arguments(case), case.values)
    results = result if isinstance(result, (tuple, list)) else [result]
    assert len(results) == len(case.outputs)
    for got, wanted, type in zip(results, case.outputs, case.result_types, strict=True):
        assert_same(np.asarray(got).astype(type.dtype), wanted, case.rtol, case.atol)
    if case.notice is None:
        assert heard == []


@pytest.mark.parametrize("case", RIGHT, ids=_ids(RIGHT))
def test_rule_is_exact(case: OpCase):
    shapes = _shapes(case, _facts(case))
    for shape, wanted in zip(shapes, case.outputs, strict=True):
        if case.data_dependent:
            assert shape.admits(np.shape(wanted))
        else:
            assert shape.extents == np.shape(wanted)


def _one_for_each_rule() -> list[OpCase]:
    """The cases without those that look alike to a rule that another one has tested: members of a family share it."""
    found: dict[object, OpCase] = {}
    for case in RIGHT:
        rule = case.operation.shape
        code = getattr(rule, "__code__", rule)
        patterns = tuple((each.dims, each.optional) for each in (*case.operation.inputs,))
        numbers = (
            None
            if rule is None
            else tuple(np.asarray(a).tobytes() for a in case.inputs if np.asarray(a).dtype.kind in "iub")
        )
        shapes = tuple(map(np.shape, case.inputs))
        key = (code, patterns, shapes, tuple(case.attributes.items()), numbers, tuple(map(np.shape, case.outputs)))
        found.setdefault(key, case)
    return list(found.values())


@pytest.mark.parametrize("case", _one_for_each_rule(), ids=lambda case: case.id)
@settings(max_examples=20)
@given(data=st.data())
def test_rule_is_sound(case: OpCase, data: st.DataObject):
    facts = [_forgotten(fact, data) for fact in _facts(case)]
    if case.promised:
        pytest.skip("the rule promises a shape that this case does not keep")
    for shape, wanted in zip(_shapes(case, facts), case.outputs, strict=True):
        assert shape.admits(np.shape(wanted)), f"{shape} does not admit {np.shape(wanted)}"


def _forgotten(fact: Fact, data: st.DataObject) -> Fact:
    """The fact with its value, its rank, or any of its dims forgotten or widened."""
    value = fact.value if data.draw(st.booleans()) else None
    if data.draw(st.integers(0, 4)) == 0:
        return Fact(fact.type, Shape(), None)
    dims = []
    for dim in fact.dims or ():
        kind = data.draw(st.sampled_from(["known", "unknown", "bounded"]))
        slack = data.draw(st.integers(0, 3))
        dims.append({"known": dim, "unknown": UNKNOWN, "bounded": Dim(max(dim.low - slack, 0), dim.low + slack)}[kind])
    shape = Shape(tuple(dims))
    if shape != fact.shape:
        return Fact(fact.type, shape, None)
    if value is None and fact.interval is not None and data.draw(st.booleans()):
        return Fact(fact.type, shape, None, _around(fact.interval[0], data))
    return Fact(fact.type, shape, value)


def _around(exact: np.ndarray, data: st.DataObject) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest that elements may be: some exactly known, some near, some open."""
    slack = st.lists(st.sampled_from([0, 0, 1, 3, LIMIT]), min_size=exact.size, max_size=exact.size)
    below, above = (np.array(data.draw(slack), np.int64).reshape(exact.shape) for _ in range(2))
    low = np.where(below == LIMIT, -LIMIT, np.maximum(exact, below - LIMIT) - below)
    return low, np.where(above == LIMIT, LIMIT, np.minimum(exact, LIMIT - above) + above)


def _text(case: OpCase, constant: bool, wrong: bool = False) -> tuple[str, bytes]:
    inputs = [
        Given(
            type, ",".join(map(str, np.shape(array))), np.asarray(array) if constant and not type.is_storage else None
        )
        for type, array in zip(case.input_types, case.inputs, strict=True)
    ]
    outputs = [(type, list(np.shape(array))) for type, array in zip(case.result_types, case.outputs, strict=True)]
    if wrong:
        dims = outputs[0][1]
        dims[-1] += 1
    return one_operation(case.ir_type, case.opset, case.attributes, inputs, outputs)


@pytest.mark.parametrize("constant", [False, True], ids=["fed", "constant"])
@pytest.mark.parametrize("case", RIGHT, ids=_ids(RIGHT))
def test_pipeline(case: OpCase, constant: bool):
    if case.promised and not constant:
        pytest.skip("the rule promises a shape that this case does not keep")
    text, weights = _text(case, constant)
    report = Report()
    model = open_text("case.xml", text.encode(), report, weights=weights, directory=None)
    feeds = {f"in_{place}": array for place, array in enumerate(case.inputs)}
    feeds = {name: array for name, array in feeds.items() if any(name in tensor.names for tensor in model.inputs)}
    results = model.run(feeds)
    for got, wanted in zip(results.values(), case.outputs, strict=True):
        assert_same(got, wanted, case.rtol, case.atol)
    said = [finding.message for finding in results.findings]
    if case.notice is None:
        assert said == []
    else:
        assert any(case.notice in message for message in said), said


@pytest.mark.parametrize("case", [case for case in RIGHT if np.ndim(case.outputs[0])], ids=lambda case: case.id)
def test_one_wrong_dim_is_one_finding(case: OpCase):
    text, weights = _text(case, constant=True, wrong=True)
    findings = [finding for finding in check_ir(text=text, weights=weights) if finding.severity.value == "error"]
    if case.data_dependent and not findings:
        return
    assert [finding.code for finding in findings] == ["IR401"]


@pytest.mark.parametrize("case", WRONG, ids=_ids(WRONG))
def test_refusal(case: OpCase):
    with pytest.raises(OpError, match=case.error), listening():
        case.operation.infer(_facts(case), case.values)
        case.operation.apply(_arguments(case), case.values)


@pytest.mark.parametrize("case", WRONG, ids=_ids(WRONG))
def test_refusal_in_a_model(case: OpCase):
    inputs = [
        Given(type, ",".join(map(str, np.shape(array))))
        for type, array in zip(case.input_types, case.inputs, strict=True)
    ]
    outputs = [(case.input_types[0], None)]
    text, _ = one_operation(case.ir_type, case.opset, case.attributes, inputs, outputs)
    with pytest.raises(IRError, match=case.error):
        model = open_text("case.xml", text.encode(), Report(), weights=b"", directory=None)
        model.run({f"in_{place}": array for place, array in enumerate(case.inputs)})
