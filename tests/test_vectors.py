"""The shared vectors: each numeric and each shape case as a model of one operation, read from XML."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irrun.diag import IRError, Report
from irrun.model import Model
from irrun.pipeline import open_text
from irrun.types.element import BY_NAME, ElementType
from irrun.types.shape import Shape, parse_shape
from tests.irtext import Given, one_operation

OPERATIONS = (
    *("ReduceMean", "EmbeddingBagPackedSum"),
    *("EmbeddingBagOffsetsSum", "EmbeddingSegmentsSum", "EmbeddingBagOffsets", "EmbeddingBagPacked"),
)

REFUSED_BY_US = {"ReduceMean/kd-yes": "a boolean `yes` is an error: the vectors carry over OpenVINO's silent false"}
"""Numeric cases that expect a value and are refused all the same, with the reason."""

Case = dict[str, Any]


@cache
def _vectors(shared: Path) -> dict[str, list[Case]]:
    return json.loads((shared / "oracle" / "vectors.json").read_text())


def _of(cases: list[Case], operation: str) -> list[Case]:
    found = [case for case in cases if case["op"] == operation]
    assert found, f"no vectors of {operation}"
    return found


def test_every_operation_of_the_vectors_is_tested(shared):
    vectors = _vectors(shared)
    assert {case["op"] for case in vectors["cases"] + vectors["shape_cases"]} == set(OPERATIONS)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_numbers(shared, operation: str):
    failures = []
    for case in _of(_vectors(shared)["cases"], operation):
        expect = "reject" if case["id"] in REFUSED_BY_US else case["expect"]
        wrong = _wrong_number(case, expect)
        if wrong:
            failures.append(f"{case['id']}: {wrong}")
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_shapes(shared, operation: str):
    failures = []
    for place, case in enumerate(_of(_vectors(shared)["shape_cases"], operation)):
        wrong = _wrong_shape(case)
        if wrong:
            inputs = " ".join(
                f"{each['dtype']}[{each.get('partial_shape', each.get('data'))}]" for each in case["inputs"]
            )
            failures.append(f"{place}: {operation} {case['attrs']} {inputs}: {wrong}")
    assert not failures, "\n".join(failures)


# models


def _array(given: Case) -> np.ndarray:
    numbers = [float(number) if isinstance(number, str) else number for number in given["data"]]
    type = BY_NAME[given["dtype"]]
    exact = np.array(numbers, np.float64 if type.is_float else object)
    return exact.astype(type.dtype).reshape(given["shape"])


def _model(case: Case, outputs: list[tuple[ElementType, list[int] | None]]) -> Model:
    """The case as a model; inputs that are not constant are Parameters `in_0`.. of their partial shapes."""
    inputs = []
    for given in case["inputs"]:
        shape = given.get("partial_shape", ",".join(map(str, given.get("shape", ()))))
        inputs.append(Given(BY_NAME[given["dtype"]], shape, _array(given) if given["kind"] == "constant" else None))
    text, weights = one_operation(case["op"], case["opset"], case["attrs"], inputs, outputs)
    return open_text("vector.xml", text.encode(), Report(), weights=weights, directory=None)


# numbers


def _wrong_number(case: Case, expect: Case | str) -> str:
    """What is wrong with irrun's result for a numeric case, or nothing."""
    type, dims = (BY_NAME["f32"], None) if isinstance(expect, str) else (BY_NAME[expect["dtype"]], expect["shape"])
    feeds = {f"in_{place}": _array(given) for place, given in enumerate(case["inputs"]) if given["kind"] == "parameter"}
    try:
        model = _model(case, [(type, dims)])
        model.require()
        results = model.run(feeds)
    except IRError as error:
        return "" if expect == "reject" else f"refused: {error.findings[0].message}"
    if isinstance(expect, str):
        return f"gave {results[0].tolist()}, where a refusal is expected"
    # A vector with an attribute that the operation does not have is about its result.
    said = [f"{finding.code} {finding.message}" for finding in results.findings if finding.code != "IR206"]
    if bool(said) != bool(case.get("finding")):
        return f"found {said or 'nothing'}"
    return _difference(case, results[0], _array(expect))


def _difference(case: Case, got: np.ndarray, wanted: np.ndarray) -> str:
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        return f"{got.dtype}{list(got.shape)}, not {wanted.dtype}{list(wanted.shape)}"
    if got.dtype.kind in "iub":
        right = got == wanted
    elif got.dtype.itemsize <= 2:
        right = _steps_apart(got, wanted) <= 1
    else:
        magnitude = np.maximum(_magnitude(case), np.abs(wanted)).astype(got.dtype)
        with np.errstate(invalid="ignore"):
            right = np.abs(got.astype(np.longdouble) - wanted) <= 4 * np.spacing(magnitude)
    right |= (got == wanted) | ((got != got) & (wanted != wanted))  # NaN in any dtype
    return "" if right.all() else f"{got.tolist()}, not {wanted.tolist()}"


def _steps_apart(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """How many representable values lie between narrow floats."""

    def place(array: np.ndarray) -> np.ndarray:
        bits = array.view(f"i{array.itemsize}").astype(np.int64)
        return np.where(bits < 0, -(bits & (2 ** (8 * array.itemsize - 1) - 1)), bits)

    return np.abs(place(a) - place(b))


def _magnitude(case: Case) -> np.ndarray:
    """The mean (for bags the sum) of the absolute terms of each element: what an error is measured by."""
    arrays = [_array(given) for given in case["inputs"]]
    data = np.abs(arrays[0].astype(np.float64))
    with np.errstate(all="ignore"):
        if case["op"] == "ReduceMean":
            axes = tuple(int(axis) % data.ndim for axis in np.unique(arrays[1] % max(data.ndim, 1)))
            keep = case["attrs"].get("keep_dims", "").lower() in ("true", "1")
            return data.sum(axes, keepdims=keep) / max(np.prod([data.shape[axis] for axis in axes]), 1)
        return _bag_magnitude(case["op"], data, arrays[1:])


def _bag_magnitude(operation: str, table: np.ndarray, rest: list[np.ndarray]) -> np.ndarray:
    indices = rest[0].astype(np.int64)
    if operation.startswith("EmbeddingBagPacked"):
        weights = rest[1] if len(rest) > 1 else np.ones(indices.shape)
        bag_of = np.repeat(np.arange(len(indices)), indices.shape[1])
        batch, default = len(indices), -1
    else:
        segments = operation == "EmbeddingSegmentsSum"
        optional = rest[3:] if segments else rest[2:]
        batch = int(rest[2]) if segments else len(rest[1])
        default = int(optional[0]) if optional else -1
        weights = optional[1] if len(optional) > 1 else np.ones(indices.shape)
        bag_of = (
            rest[1].astype(np.int64)
            if segments
            else np.searchsorted(rest[1], np.arange(len(indices)), side="right") - 1
        )
    sums = np.zeros((batch, *table.shape[1:]))
    terms = table[indices.ravel()] * np.abs(weights.astype(np.float64)).reshape(-1, *[1] * (table.ndim - 1))
    inside = (bag_of >= 0) & (bag_of < batch)
    np.add.at(sums, bag_of[inside], terms[inside])
    if default >= 0:
        sums[~np.isin(np.arange(batch), bag_of)] = table[default]
    return sums


# shapes


def _wrong_shape(case: Case) -> str:
    """What is wrong with irrun's inferred type and shape, or nothing."""
    inferred = case.get("inferred")
    declared = BY_NAME[inferred["dtype"]] if inferred else BY_NAME["f32"]
    try:
        model = _model(case, [(declared, None)])
    except IRError as error:
        return "" if inferred is None else f"refused: {error.findings[0].message}"
    errors = [finding for finding in model.findings if finding.severity.value == "error"]
    if inferred is None:
        return "" if errors else "no error"
    blocking = [finding.message for finding in errors if finding.code != "IR308"]
    if blocking:
        return f"found {blocking}"
    output = model.outputs[0]
    wanted = parse_shape(inferred["partial_shape"])
    assert isinstance(wanted, Shape)
    if output.element_type is not declared:
        return f"{output.element_type}, not {declared}"
    return "" if output.shape.meet(wanted) == output.shape else f"{output.shape}, outside {wanted}"
