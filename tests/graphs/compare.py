"""A random graph against plain NumPy, layer by layer, and against OpenVINO, as a whole and by its inferred shapes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np

from irrun.diag import Report
from irrun.model import Model
from irrun.pipeline import open_text
from irrun.types.dim import LIMIT
from irrun.types.element import ElementType, parse_element_type
from irrun.types.shape import Shape, parse_shape
from tests.graphs.wiring import Layer, Wiring, compute, rounded

SAFE = ("f32", "i32", "i64", "boolean")
"""Where OpenVINO's CPU plugin is a second opinion; 64-bit integers only as long as they fit 32 bits."""


def wrong_in(wiring: Wiring) -> list[str]:
    """What irrun does with a graph that plain NumPy or OpenVINO does not do."""
    text, weights = wiring.finish()
    model = open_text("random.xml", text.encode(), Report(), weights=weights, directory=None)
    wrong = [f"{finding.code} {finding.message}" for finding in model.findings if finding.severity.value == "error"]
    if wrong:
        return wrong
    wrong += _against_numpy(wiring, model) + _against_facts(wiring, model)
    opened = _read_by_openvino(text, weights)
    if opened is None:
        return wrong
    wrong += _against_inferred_shapes(wiring, model, opened)
    if _is_safe(wiring):
        wrong += _against_results(wiring, model, opened)
    return wrong


# NumPy


def _against_numpy(wiring: Wiring, model: Model) -> list[str]:
    """Each layer's outputs against NumPy's, of the layer's own inputs; and the run as a whole against its layers."""
    wrong: list[str] = []
    last: dict[str, np.ndarray] = {}
    for done in model.trace(wiring.feeds):
        layer = wiring.layers.get(done.layer.name)
        if layer is None:
            continue
        expected = compute(layer.reference, done.inputs)
        for place, (got, wanted) in enumerate(zip(done.outputs, expected, strict=True)):
            type = layer.outputs[place].type
            said = _difference(got, rounded(wanted, type), _allowed(layer, type, done.inputs, wanted))
            wrong += [f"{done.title} of {_shown(done.inputs)}: output {place}: {said}"] if said else []
            last[f"{done.layer.name}:{place}"] = got.copy()
    if wrong:
        return wrong
    for name, array in model.run(wiring.feeds).items():
        traced = last.get(name, last.get(f"{name}:0"))
        if traced is not None and not _same(array, traced):
            wrong.append(f"{name}: the run gives {array.tolist()}, its trace {traced.tolist()}")
    return wrong


def _against_facts(wiring: Wiring, model: Model) -> list[str]:
    """What was inferred before the run admits what the run gave: shapes, values, bounds of values."""
    wrong = []
    for done in model.trace(wiring.feeds):
        for place, array in enumerate(done.outputs):
            fact = model.facts[done.layer.id, place]
            if not fact.shape.admits(array.shape):
                wrong.append(f"{done.title}: inferred {fact.shape}, the run gives {list(array.shape)}")
            elif fact.value is not None and not _same(fact.value, array):
                wrong.append(f"{done.title}: inferred {fact.value.tolist()}, the run gives {array.tolist()}")
            elif fact.bounds is not None and not _within(array, *fact.bounds):
                low, high = (end.tolist() for end in fact.bounds)
                wrong.append(f"{done.title}: inferred {low} to {high}, the run gives {array.tolist()}")
    return wrong


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    if a.dtype.kind in "fV":
        a, b = a.astype(np.float64), b.astype(np.float64)
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def _within(array: np.ndarray, low: np.ndarray, high: np.ndarray) -> bool:
    """Whether each element lies between its bounds, where the outermost stand for none."""
    wide = array.astype(object)
    return bool((((wide >= low) | (low <= -LIMIT)) & ((wide <= high) | (high >= LIMIT))).all())


def _shown(arrays: Sequence[np.ndarray]) -> str:
    return ", ".join(f"{array.dtype}{list(array.shape)} {array.tolist()}" for array in arrays)[:600]


def _allowed(layer: Layer, type: ElementType, inputs: Sequence[np.ndarray], wanted: np.ndarray) -> np.ndarray | float:
    """How far each element may lie from NumPy's: units in the last place of the largest term."""
    if not type.is_float or layer.tolerance == 0:
        return 0.0
    sizes = [_largest(array) for array in inputs if array.dtype.kind in "fV"]
    terms = float(np.prod(sizes)) if layer.products else max(sizes, default=0.0)
    with np.errstate(all="ignore"):
        scale = np.maximum(np.abs(wanted), terms)
        return layer.tolerance * (float(ml_dtypes.finfo(type.dtype).eps) * scale + _least(type))


def _least(type: ElementType) -> float:
    return float(ml_dtypes.finfo(type.dtype).smallest_subnormal)


def _largest(array: np.ndarray) -> float:
    wide = np.abs(array.astype(np.float64))
    return float(wide[np.isfinite(wide)].max(initial=0))


def _difference(got: np.ndarray, wanted: np.ndarray, allowed: np.ndarray | float) -> str:
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        return f"{got.dtype}{list(got.shape)}, NumPy {wanted.dtype}{list(wanted.shape)}"
    with np.errstate(all="ignore"):
        right = got == wanted
        if got.dtype.kind in "fV":
            a, b = got.astype(np.float64), wanted.astype(np.float64)
            right |= (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= allowed)
            # What lies at the edge of the type may be rounded to either side of it.
            limit = float(ml_dtypes.finfo(got.dtype).max)
            right |= (np.abs(a) >= limit) & (np.abs(b) >= limit) & (np.sign(a) == np.sign(b))
    return "" if right.all() else f"{got.tolist()}, NumPy {wanted.tolist()}"


# OpenVINO


@cache
def _openvino() -> Any:
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # or each conversion tries the network
    try:
        import openvino
    except ImportError:
        return None
    return openvino


@cache
def _core() -> Any:
    return _openvino().Core()


def _read_by_openvino(text: str, weights: bytes) -> Any:
    """The model as OpenVINO reads it, or None where it refuses what the specification allows."""
    openvino = _openvino()
    if openvino is None:
        return None
    try:
        return _core().read_model(text.encode(), openvino.Tensor(np.frombuffer(weights, np.uint8)))
    except RuntimeError:
        return None


def _against_inferred_shapes(wiring: Wiring, model: Model, opened: Any) -> list[str]:
    """irrun's partial shapes are OpenVINO's, or inside them."""
    theirs = {node.get_friendly_name(): node for node in opened.get_ops()}
    wrong = []
    for call in model.calls:
        node = theirs.get(call.layer.name)
        layer = wiring.layers.get(call.layer.name)
        if node is None or layer is None or not layer.inferred:
            continue
        for place, value in enumerate(call.values):
            other = parse_shape(str(node.get_output_partial_shape(place)).replace(" ", ""))
            own = model.facts[value].shape
            assert isinstance(other, Shape)
            if own.meet(other) != own:
                wrong.append(f"{call.title}: inferred {own}, OpenVINO {other}")
            type, said = model.facts[value].type, node.get_output_element_type(place).get_type_name()
            if type is not parse_element_type(said):
                wrong.append(f"{call.title}: inferred {type}, OpenVINO {said}")
    return wrong


def _is_safe(wiring: Wiring) -> bool:
    """Whether OpenVINO's numbers must be NumPy's."""
    if wiring.dynamic or wiring.empty or not wiring.smooth:
        return False
    if wiring.chained_constants:
        return False  # what it computes while it compiles may share memory: Abs(Negative(Const 3)) gave -3
    for tensor in wiring.tensors:
        if tensor.type.name not in SAFE or tensor.value.size == 0:
            return False
        wide = tensor.value.astype(np.float64)
        limit = 1e6 if tensor.type.is_float else 2.0**23
        if not (np.isfinite(wide).all() and (np.abs(wide) < limit).all()):
            return False
    return True


def _against_results(wiring: Wiring, model: Model, opened: Any) -> list[str]:
    try:
        compiled = _core().compile_model(opened, "CPU", {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1})
        theirs = compiled(wiring.feeds)
    except RuntimeError:
        return []  # it refuses some of what the specification allows
    wrong = []
    results = model.run(wiring.feeds)
    for place, (name, array) in enumerate(results.items()):
        other = np.asarray(theirs[place])
        if array.dtype.kind in "iub":
            right = array.shape == other.shape and (array == other).all()
        else:
            right = array.shape == other.shape and np.allclose(array, other, 1e-3, 1e-4)
        if not right:
            wrong.append(f"{name}: {array.tolist()}, OpenVINO {other.tolist()}")
    return wrong
