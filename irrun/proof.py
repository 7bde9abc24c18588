"""Layers that stand alone, checked: each read, its shapes inferred, and its numbers proved where comments give them
all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor

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
    if _is_comparable(fragment, alone) and _prove(fragment, alone, own):
        checked.append("numbers")
    _check_sums(fragment, alone, own)
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


def _is_comparable(fragment: Fragment, alone: Alone) -> bool:
    hidden = fragment.hidden.get(alone.call.layer.at, frozenset()) & {"layer", "data", "input"}
    return bool(alone.expected) and alone.call.operation is not None and not hidden


def _prove(fragment: Fragment, alone: Alone, report: Report) -> bool:
    """Compare what is printed with a run of the example, or with what is known without one; whether there is any."""
    facts = {place: alone.model.facts[alone.call.values[place]] for place in alone.expected}
    results = _results(alone, report)
    for place, printed in alone.expected.items():
        if place in results:
            _compare(fragment, alone, printed, results[place], facts[place].type, report)
    return bool(results)


def _results(alone: Alone, report: Report) -> Mapping[int, np.ndarray]:
    """The outputs, by position: those that follow from shapes alone where comments do not give all inputs."""
    feeds = {name: value for name, value in alone.values.items() if value is not None}
    if not feeds or len(feeds) < len(alone.values):
        values = {place: alone.model.facts[alone.call.values[place]].value for place in alone.expected}
        return {place: value for place, value in values.items() if value is not None}
    try:
        return dict(enumerate(alone.model.run(feeds).values()))
    except IRError as error:
        said = {(finding.code, finding.message) for finding in report.findings}
        report.extend(finding for finding in error.findings if (finding.code, finding.message) not in said)
        return {}


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


# sums in comments

_SIDE = re.compile(r"\s*+(\d{1,9}(?:\s*+[-+*/]\s*+\d{1,9})*+)\s*+\Z")
_EQUALS = re.compile(r"(?<![<>=!~])=(?!=)")
_CONSIDERED = 8
_LONGEST = 400


def _check_sums(fragment: Fragment, alone: Alone, report: Report) -> None:
    """Comments beside the ports that equate numbers which are not equal."""
    for port in (*alone.call.layer.inputs, *alone.call.layer.outputs):
        for comment in fragment.comments.get(port.at, ())[:_CONSIDERED]:
            wrong = _wrong_sum(comment.text) if len(comment.text) <= _LONGEST else None
            if wrong is not None:
                place = At(fragment.elements.source, comment.span)
                report.add("IR703", f"layer {alone.call.title}: a comment says {wrong}", place)


def _wrong_sum(text: str) -> str | None:
    """`8 + 16 + 32 = 48, which is 56`, where a text equates such numbers."""
    first, *others = _EQUALS.split(text)
    # Words may come before the first side: `concatenated axis: 8 + 16`.
    sides = [match[1] for side in (first.rpartition(":")[2], *others) if (match := _SIDE.match(side)) is not None]
    sums = [side for side in sides if not side.isdecimal()]
    for side in sums[:1]:
        reckoned = _amount(side)
        for other in sides:
            amount = _amount(other)
            if reckoned is not None and amount is not None and not _equal(reckoned, amount):
                return f"{side} = {other}, which is {reckoned}"
    return None


def _amount(text: str) -> Fraction | None:
    """What an expression of whole numbers comes to; None where it divides by 0."""
    total = Fraction(0)
    for sign, term in re.findall(r"([+-]?)([^+-]+)", text):
        amount = Fraction(1)
        for operator, number in re.findall(r"([*/]?)\s*(\d+)", term):
            if operator == "/" and int(number) == 0:
                return None
            amount = amount / int(number) if operator == "/" else amount * int(number)
        total += -amount if sign == "-" else amount
    return total


def _equal(a: Fraction, b: Fraction) -> bool:
    """Whether two amounts are equal, or one of them is the other rounded to a whole number."""
    return a == b or b in (floor(a), ceil(a)) or a in (floor(b), ceil(b))
