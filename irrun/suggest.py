"""What of a model has exactly one right answer, as fixes: dims and precisions as they are inferred, spellings, sizes.

A fix that changes what is computed (an attribute under its right name, a boolean that is read) is not safe.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from irrun.bind import OTHER_NAMES, Call, operation_of
from irrun.diag import Fix, Report
from irrun.diag.words import nearest
from irrun.graph import Value
from irrun.ir.document import Document, Layer, Port
from irrun.ir.edits import attribute_edits, dims_edits, renamed
from irrun.ir.weights import Weights, WeightsError
from irrun.ops import Attribute, opsets
from irrun.ops.attributes import TrailingText, element_type, extents, integer
from irrun.types.dim import UNKNOWN
from irrun.types.element import DYNAMIC, STRING, parse_precision
from irrun.types.fact import Fact
from irrun.types.packing import stored_size
from irrun.types.shape import Shape

_NEAR = 0.8
_MARGIN = 0.06
"""How alike a type must be to the one that is meant, and by how much more than to any other."""

_MEANT = re.compile(r"did you mean (\S+)\?")
_BOOLEANS = {
    "yes": "true",
    "on": "true",
    "y": "true",
    "t": "true",
    "no": "false",
    "off": "false",
    "n": "false",
    "f": "false",
}


def suggest(
    calls: Sequence[Call], facts: Mapping[Value, Fact], weights: Weights | WeightsError, report: Report
) -> None:
    """Add the fixes of a whole model to `report`."""
    for call in calls:
        report.fixes.extend(_of_call(call, facts))
        report.fixes.extend(_spelling(call.document, call.layer))
        if call.layer.type == "Const":
            report.fixes.extend(_size(call.document, call.layer, weights))


def suggest_alone(call: Call, facts: Mapping[Value, Fact], report: Report, shown: Callable[[Port], bool]) -> None:
    """Add the fixes of one layer that stands alone: its outputs' dims where they are `shown`, and spellings."""
    if call.operation is not None:
        for port, value in zip(call.layer.outputs, call.values, strict=True):
            fact = facts.get(value)
            if fact is not None and shown(port):
                report.fixes.extend(_dims(call.document, port, fact.shape, "IR401"))
    report.fixes.extend(_attributes(call.document, call.layer))
    report.fixes.extend(_spelling(call.document, call.layer, version=False))


# ports


def _of_call(call: Call, facts: Mapping[Value, Fact]) -> Iterator[Fix]:
    document = call.document
    for port, value in zip(call.layer.outputs, call.values, strict=True):
        fact = facts.get(value)
        if fact is not None:
            yield from _dims(document, port, fact.shape, "IR401" if port.dims else "IR405")
            yield from _precision(document, port, fact, "IR402")
    for port, source in zip(call.layer.inputs, call.inputs, strict=True):
        fact = None if source is None else facts.get(source)
        if fact is not None:
            yield from _dims(document, port, fact.shape, "IR403" if port.dims else "IR405")
            yield from _precision(document, port, fact, "IR404")
    yield from _attributes(document, call.layer)


def _dims(document: Document, port: Port, shape: Shape, code: str) -> Iterator[Fix]:
    """A port's dims, where they contradict the shape or are missing, or where one may not be a number."""
    dims = shape.dims
    if dims is None or (not port.dims and all([dim == UNKNOWN for dim in dims])):
        return  # which includes a scalar, and says no more than no dims
    if len(dims) == len(port.dims):
        # A dim that is declared as unknown contradicts nothing, and stays.
        dims = tuple([UNKNOWN if written == -1 else dim for dim, written in zip(dims, port.dims, strict=True)])
        if all([written == -1 or dim.admits(written) for dim, written in zip(dims, port.dims, strict=True)]):
            return
    yield Fix(code, partial(dims_edits, document.elements, port.at, len(port.dims), dims))


def _precision(document: Document, port: Port, fact: Fact, code: str) -> Iterator[Fix]:
    if fact.type is DYNAMIC or parse_precision(port.precision or "") is fact.type:
        return
    precision = fact.type.precision
    yield Fix(code, partial(attribute_edits, document.elements, port.at, "precision", precision, after="id"))


# layers


def _spelling(document: Document, layer: Layer, *, version: bool = True) -> Iterator[Fix]:
    """The layer's type and version as IR spells them."""
    lower = layer.type.lower()
    facts = opsets.BY_TYPE.get(lower)
    if lower in OTHER_NAMES:
        right, code = OTHER_NAMES[lower], "IR213"
    elif facts:
        usual = opsets.USUAL_SPELLINGS.get(facts[0].type)
        right, code = layer.type if layer.type == usual else facts[0].type, "IR205"
    else:
        right, code = _one_near(layer.type) or layer.type, "IR201"
    if right != layer.type and layer.type:
        yield Fix(code, partial(attribute_edits, document.elements, layer.at, "type", right))
    opset = layer.version.strip().lower()
    if version and opset != layer.version and opset in opsets.OPSETS:
        yield Fix("IR203", partial(attribute_edits, document.elements, layer.at, "version", opset))


def _one_near(type: str) -> str | None:
    """The only type with a near spelling."""
    if len(type) > 100:
        return None
    near = difflib.get_close_matches(type.lower(), opsets.BY_TYPE, 2, _NEAR)
    ratios = [difflib.SequenceMatcher(None, name, type.lower()).ratio() for name in near]
    if not near or (len(near) > 1 and ratios[0] - ratios[1] < _MARGIN):
        return None
    right = opsets.BY_TYPE[near[0]][0].type
    return "Const" if right == "Constant" else right


def _size(document: Document, layer: Layer, weights: Weights | WeightsError) -> Iterator[Fix]:
    """A Const's size, where shape and element type need another and the weights have it."""
    try:
        type = element_type(layer.attributes["element_type"])
        shape = extents(layer.attributes["shape"])
        offset, size = integer(layer.attributes["offset"]), integer(layer.attributes["size"])
    except (KeyError, ValueError):
        return
    count = 1
    for extent in shape:
        count *= extent
    needed = stored_size(type, count) if type not in (STRING, DYNAMIC) else size
    at = layer.data_at
    if count == 0 or size == needed or at is None or isinstance(weights, WeightsError):
        return
    if offset >= 0 and offset + needed <= weights.data.size:
        code = "IR503" if size < needed else "IR504"
        yield Fix(code, partial(attribute_edits, document.elements, at, "size", str(needed)))


# attributes


def _attributes(document: Document, layer: Layer) -> Iterator[Fix]:
    """Attributes under their right names, and values as they can be read."""
    at, operation = layer.data_at, operation_of(layer)
    if at is None or operation is None:
        return
    known = {name: each for each in operation.attributes for name in (each.name, *each.also) if each.read is not None}
    free = [name for name in known if name not in layer.attributes]
    for name, text in layer.attributes.items():
        if name not in known:
            near = nearest(name, free, 2)
            if len(near) == 1:
                yield Fix("IR206", partial(renamed, document.elements, at, name, near[0]), safe=False)
            continue
        right = _readable(known[name], text)
        if right is not None:
            code, value, safe = right
            yield Fix(code, partial(attribute_edits, document.elements, at, name, value), safe=safe)


def _readable(attribute: Attribute, text: str) -> tuple[str, str, bool] | None:
    """The code, another text for a value that cannot be read, and whether it is safe; None where there is not one."""
    assert attribute.read is not None, "the text is that of a written attribute"
    try:
        attribute.read(text)
    except TrailingText as trailing:
        return "IR209", text.removesuffix(trailing.rest), True
    except ValueError as error:
        meant = _MEANT.search(str(error))
        if meant is not None:
            return "IR208", meant[1], attribute.read is element_type
        word = _BOOLEANS.get(text.strip().lower())
        if word is not None and _reads(attribute, word):
            return "IR208", word, False
    return None


def _reads(attribute: Attribute, text: str) -> bool:
    try:
        assert attribute.read is not None
        return isinstance(attribute.read(text), bool)
    except ValueError:
        return False
