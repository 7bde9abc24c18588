"""ONNX's backend tests as OpenVINO converts them: every result, and every declared dim that OpenVINO inferred."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from irrun import IRError, Model, load_ir
from irrun.types.dim import UNKNOWN, static
from irrun.types.element import BY_NAME
from irrun.types.shape import Shape
from tests.suites import Case, array_of, difference, runnable, tighter, unpacked

EXCEPTIONS = {
    "test_attention_4d_causal_fp16_expanded": "f16 throughout: one unit in the last place off, and nearer to the exact one",
    "test_reduce_min_empty_set": "over no elements a minimum is the highest finite value, as OpenVINO's CPU plugin has it",
}
"""Cases whose reference is not what irrun gives, with the reason."""

KINDS = ("node", "pytorch-converted", "pytorch-operator", "simple")


@pytest.fixture(scope="module")
def suite(shared, tmp_path_factory) -> tuple[Path, list[Case]]:
    folder, cases = unpacked(shared / "onnx-suite.tar.gz", tmp_path_factory.mktemp("suite"))
    assert len(cases) >= 965
    assert {case["kind"] for case in cases} == set(KINDS)
    return folder, cases


@pytest.mark.parametrize("kind", KINDS)
def test_kind(suite, kind: str):
    folder, cases = suite
    run = [case for case in cases if case["kind"] == kind and runnable(case["ops"])]
    if not run:
        pytest.skip("irrun runs none of its cases")
    wrong = {case["name"]: _wrong(folder, case) for case in run}
    failures = {name: said for name, said in wrong.items() if said and name not in EXCEPTIONS}
    assert not failures, "\n".join(f"{name}: {said}" for name, said in failures.items())
    needless = [name for name in EXCEPTIONS if wrong.get(name) == ""]
    assert not needless, f"no exceptions any more: {needless}"


def _wrong(folder: Path, case: Case) -> str:
    """What is wrong with irrun's shapes or results for a case, or nothing."""
    wrong: list[str] = []
    try:
        model = load_ir(folder / case["xml"])
        wrong += _wrong_shapes(model)
        for data, told in zip(case["data"], case["sets"], strict=True):
            wrong += _wrong_results(model, folder / data, told)
    except IRError as error:
        return f"refused: {error.findings[0].code} {error.findings[0].message}"
    return "; ".join(wrong)


def _wrong_results(model: Model, data: Path, told: Case) -> list[str]:
    stored = np.load(data)
    inputs, outputs = (
        [
            array_of(stored[f"{name}_{place}"], BY_NAME[each["etype"]], each["shape"])
            for place, each in enumerate(told[name])
        ]
        for name in ("in", "out")
    )
    results = model.run(dict(enumerate(inputs)))
    rtol, atol = told["tol"]["rtol"], told["tol"]["atol"]
    said = [difference(got, wanted, rtol, atol) for got, wanted in zip(results.values(), outputs, strict=True)]
    return [f"output {place}: {words}" for place, words in enumerate(said) if words]


def _wrong_shapes(model: Model) -> list[str]:
    """Where irrun's inference contradicts a declared port, or knows less than it declares."""
    wrong = [finding.message for finding in model.findings if finding.code.startswith("IR4")]
    for call in model.calls:
        for value, port in zip(call.values, call.layer.outputs, strict=True):
            declared = Shape(tuple(UNKNOWN if dim < 0 else static(dim) for dim in port.dims))
            if port.dims and not tighter(model.facts[value].shape, declared):
                wrong.append(f"layer {call.title}: inferred {model.facts[value].shape}, declared {declared}")
    return wrong
