"""Layers that stand alone, checked: each read, its shapes inferred, and its numbers proved where comments give them
all.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from irrun.alone import Alone, stand_alone
from irrun.bind import bind
from irrun.diag import Finding, IRError, Proof, Report
from irrun.graph import build
from irrun.infer import infer
from irrun.ir.document import Document, Layer
from irrun.ir.examples import Printed
from irrun.ir.fragment import Fragment, read_fragment
from irrun.ir.pages import Example
from irrun.ir.reader import read_example
from irrun.ir.weights import Weights, WeightsError
from irrun.ports import as_array
from irrun.source import At, Source
from irrun.structure import review
from irrun.suggest import suggest, suggest_alone
from irrun.types.element import STRING, ElementType
from irrun.types.shape import extents_text

RELATIVE = 1e-5
"""How far a result may be from a printed one, as a part of it, where half a unit of the last digit is less."""

_UNCERTAIN = ("IR207", "IR210", "IR211", "IR3", "IR4", "IR6", "IR7")
"""What cannot be said of a layer of which some is not shown, by the beginnings of its codes."""


def check_example(source: Source, example: Example, weights: Weights | WeightsError, report: Report) -> None:
    """Check a net or the layers that stand in a text; findings and proofs go to `report`."""
    own = Report()
    document = read_example(source, example.text, example.span, own)
    if document is None and not len(own):
        fragment = read_fragment(source, own, *example.span, example.text)
        layers, document = fragment.layers, fragment.document
        if document is not None and any(finding.code == "IR010" for finding in own):
            layers, document = (*layers, *document.layers), None
        for layer in layers:
            if layer.type:  # otherwise the reader has said so
                _check_layer(fragment, layer, example.versions, weights, own)
    if document is not None:
        _check_document(document, weights, own)
        own.proofs.append(Proof(f"net {document.name}".rstrip(), document.place(document.at), ("read", "shapes")))
    missing = isinstance(weights, WeightsError)
    report.take(own, lambda finding: not (missing and finding.code == "IR501"))


def _check_document(document: Document, weights: Weights | WeightsError, report: Report) -> None:
    graph = build(document, report)
    calls = bind(graph, weights, report)
    review(graph, report)
    suggest(calls, infer(calls, report), weights, report)


def _check_layer(
    fragment: Fragment, layer: Layer, versions: Mapping[str, int], weights: Weights | WeightsError, report: Report
) -> None:
    own = Report()
    alone = stand_alone(fragment, layer, versions, weights, own)
    checked = ["read"]
    if _has_shapes(fragment, alone):
        checked.append("shapes")
    if _is_provable(fragment, alone) and _prove(fragment, alone, own):
        checked.append("numbers")
    hidden = fragment.hidden.get(layer.at, frozenset())
    if not hidden & {"layer", "data", "input"}:
        suggest_alone(alone.call, alone.model.facts, own, lambda port: port.at not in fragment.elided)
    own.proofs.append(Proof(alone.name, fragment.elements.place(layer.at), tuple(checked)))
    report.take(own, lambda finding: _is_certain(finding, hidden, fragment))


def _is_certain(finding: Finding, hidden: frozenset[str], fragment: Fragment) -> bool:
    """Whether a finding holds whatever the ellipses stand for."""
    code = finding.code
    if code == "IR111" and hidden & {"layer", "input"}:
        return False
    if hidden & {"layer", "data", "input"} and code.startswith(_UNCERTAIN):
        return False
    span = None if finding.place is None else finding.place.span
    return code != "IR405" or span not in [fragment.elements.tag(number) for number in fragment.elided]


def _has_shapes(fragment: Fragment, alone: Alone) -> bool:
    """Whether the operation's rule was applied, and an output's dims were held against it."""
    call = alone.call
    if call.operation is None or fragment.hidden.get(call.layer.at, frozenset()) & {"layer", "data", "input"}:
        return False
    facts = [alone.model.facts[value] for value in call.values]
    shown = [port for port in call.layer.outputs if port.at not in fragment.elided]
    return bool(shown) and any(fact.rank is not None for fact in facts)


def _is_provable(fragment: Fragment, alone: Alone) -> bool:
    hidden = fragment.hidden.get(alone.call.layer.at, frozenset()) & {"layer", "data", "input"}
    known = all(value is not None for value in alone.values.values())
    return bool(alone.expected) and bool(alone.values) and known and alone.call.operation is not None and not hidden


def _prove(fragment: Fragment, alone: Alone, report: Report) -> bool:
    """Run the example and compare; whether it ran."""
    feeds = {name: value for name, value in alone.values.items() if value is not None}
    try:
        results = alone.model.run(feeds)
    except IRError as error:
        said = {(finding.code, finding.message) for finding in report.findings}
        report.extend(finding for finding in error.findings if (finding.code, finding.message) not in said)
        return False
    for place, printed in alone.expected.items():
        fact = alone.model.facts[alone.call.values[place]]
        _compare(fragment, alone, printed, results[place], fact.type, report)
    return True


def _compare(
    fragment: Fragment, alone: Alone, printed: Printed, result: np.ndarray, type: ElementType, report: Report
) -> None:
    place = At(fragment.elements.source, printed.span)
    title = f"layer {alone.call.title}"
    if result.size != len(printed.items):
        message = f"{title}: {len(printed.items)} elements are printed, the result is {extents_text(result.shape)}"
        report.add("IR701", message, place)
        return
    expected = as_array(printed, type).reshape(result.shape)
    units = np.array(printed.units).reshape(result.shape)
    wrong = np.argwhere(_differs(expected, result, units, type))
    if not len(wrong):
        return
    at = tuple(int(index) for index in wrong[0])
    where = f" at [{', '.join(map(str, at))}]" if at else ""
    more = f"; {len(wrong)} of {result.size} elements differ" if len(wrong) > 1 else ""
    message = f"{title}: the example prints {_text(expected[at])}{where}, the result is {_text(result[at])}{more}"
    shown = f"the result is {_whole(result)}"
    report.add("IR701", message, place, label=shown if result.size <= _SHOWN else "")


_SHOWN = 24
"""Results of more elements are not printed whole."""


def _text(value: object) -> str:
    return f"{value.item()}" if isinstance(value, np.generic) else str(value)


def _whole(result: np.ndarray) -> str:
    wide = result.astype(np.float64) if result.dtype.kind == "V" else result
    return str([float(f"{each:.7g}") if isinstance(each, float) else each for each in wide.reshape(-1).tolist()])


def _differs(expected: np.ndarray, result: np.ndarray, units: np.ndarray, type: ElementType) -> np.ndarray:
    """Where a printed element is another number than the result, both taken exactly."""
    if type is STRING or not type.is_float:
        return np.asarray(expected != result)
    wanted = expected.astype(np.float64)
    given = result.astype(np.float64)
    with np.errstate(all="ignore"):
        far = np.abs(wanted - given) > np.maximum(units, RELATIVE * np.abs(wanted))
        same = (wanted == given) | (np.isnan(wanted) & np.isnan(given))
    either = np.isfinite(wanted) & np.isfinite(given)
    return np.where(either, far, ~same)
