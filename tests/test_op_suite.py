"""The shared single-operation cases: results by OpenVINO, or by the text where OpenVINO is wrong, and shapes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from irrun import IRError, load_ir
from irrun.ops import opsets
from irrun.types.element import BY_NAME
from irrun.types.shape import Shape, parse_shape
from tests.suites import Case, array_of, difference, runnable, tighter, unpacked

EXCEPTIONS: dict[str, str] = {
    "GreaterEqual-1_09": "evaluate exchanges the operands, and so broadcasts the larger to the smaller as pdpd does not",
}
"""Cases whose reference is not what irrun gives, with the reason."""

CATEGORIES = sorted({fact.category for fact in opsets.FACTS})


@pytest.fixture(scope="module")
def suite(shared, tmp_path_factory) -> tuple[Path, list[Case]]:
    folder, cases = unpacked(shared / "op-suite.tar.gz", tmp_path_factory.mktemp("suite"))
    assert len(cases) >= 1150
    return folder, cases


@pytest.mark.parametrize("category", CATEGORIES)
def test_category(suite, category: str):
    folder, cases = suite
    types = {fact.type.lower() for fact in opsets.FACTS if fact.category == category}
    run = [case for case in cases if case["type"].lower() in types and runnable(case["layers"])]
    if not run:
        pytest.skip("irrun runs none of its cases")
    wrong = {case["name"]: _wrong(folder, case) for case in run}
    failures = {name: said for name, said in wrong.items() if said and name not in EXCEPTIONS}
    assert not failures, "\n".join(f"{name}: {said}" for name, said in failures.items())
    needless = [name for name in EXCEPTIONS if wrong.get(name) == ""]
    assert not needless, f"no exceptions any more: {needless}"


def _wrong(folder: Path, case: Case) -> str:
    """What is wrong with irrun's shapes or results for a case, or nothing."""
    try:
        model = load_ir(folder / case["xml"])
        wrong = _wrong_shapes([tensor.shape for tensor in model.outputs], case)
        stored = np.load(folder / case["data"][0])
        feeds = {
            place: array_of(stored[f"in_{place}"], BY_NAME[given["etype"]], given["shape"])
            for place, given in enumerate(case["inputs"])
        }
        results = model.run(feeds)
    except IRError as error:
        return f"refused: {error.findings[0].code} {error.findings[0].message}"
    for place, told in enumerate(case["outputs"]):
        if not model.outputs[place].shape.admits(results[place].shape):
            wrong.append(f"output {place}: {results[place].shape} is outside {model.outputs[place].shape}")
        reference = _reference(case, place)
        if reference is None or reference not in stored:
            continue
        wanted = array_of(stored[reference], BY_NAME[told["etype"]], told["shape"])
        got = results[place]
        if case["compare"] == "masked" and f"mask_{place}" in stored:
            kept = stored[f"mask_{place}"]
            got, wanted = got[kept], wanted[kept]
        said = difference(got, wanted.astype(got.dtype), **case["tolerance"])
        wrong += [f"output {place}: {said}"] if said else []
    return "; ".join(wrong)


def _wrong_shapes(shapes: list[Shape], case: Case) -> list[str]:
    wanted = [parse_shape(told["partial_shape"]) for told in case["inferred"]]
    return [
        f"inferred {shape}, OpenVINO {other}"
        for shape, other in zip(shapes, wanted, strict=True)
        if not tighter(shape, other)
    ]


def _reference(case: Case, place: int) -> str | None:
    """The array of the archive that the output must equal, or None where none is settled."""
    if case["compare"] not in ("values", "masked"):
        return None
    if "by_text" in case:
        right = {"evaluate": "ev", "numpy": "np"}.get(case["by_text"].partition(" ")[0])
        return None if right is None else f"{right}_{place}"
    return f"out_{place}" if case["oracle"] in ("both-agree", "cpu", "evaluate") else None
