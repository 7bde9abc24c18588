"""The ports of a layer that stands alone: what feeds each input by name, its element type, its shape and its value.

A fragment says little of them; the operation's declaration, the other ports and the values in comments say the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from irrun.diag import Label, Report
from irrun.feeds import as_input
from irrun.ir.document import Layer, Port
from irrun.ir.examples import Printed, fits, printed_type, printed_value
from irrun.ir.fragment import Fragment
from irrun.ops import Operation
from irrun.source import At
from irrun.types.dim import UNKNOWN, static
from irrun.types.element import BOOLEAN, DYNAMIC, F32, I32, I64, STRING, ElementType, TypeSet, parse_precision
from irrun.types.fact import Fact
from irrun.types.shape import SCALAR, Shape, extents_text


@dataclass(frozen=True, slots=True)
class InputPort:
    """An input port: the names it can be fed by, its fact, and the value that a comment gives it.

    One without dims is a scalar until the operation says that it cannot be one.
    """

    port: Port
    names: tuple[str, ...]
    fact: Fact
    value: np.ndarray | None
    dimless: bool


def read_ports(
    fragment: Fragment, layer: Layer, operation: Operation | None, report: Report
) -> tuple[list[InputPort], dict[int, Printed]]:
    """The inputs of a layer, and the values that comments give its outputs, by position.

    A value that does not fit its port is reported, and not taken.
    """
    names = [_names(operation, place) for place in range(len(layer.inputs))]
    shown = [_printed(fragment, port, names[place], report) for place, port in enumerate(layer.inputs)]
    types = _Types(fragment, layer, operation, shown)
    inputs = []
    for place, port in enumerate(layer.inputs):
        type = types.of_input(place)
        shape = _shape(fragment, port)
        value = _value(fragment, names[place][0], type, shape, shown[place], report)
        fact = Fact(type, shape) if value is None else Fact.of(type, value)
        dimless = not port.dims and value is None and port.at not in fragment.elided
        inputs.append(InputPort(port, names[place], fact, None if shown[place] is None else value, dimless))
    outputs = [_printed(fragment, port, ("output",), report) for port in layer.outputs]
    return inputs, {place: found for place, found in enumerate(outputs) if found is not None}


def _names(operation: Operation | None, place: int) -> tuple[str, ...]:
    declared = None if operation is None else operation.input_at(place)
    own = () if declared is None or declared.variadic else (declared.name,)
    return (*own, f"input_{place}")


def _shape(fragment: Fragment, port: Port) -> Shape:
    if port.at in fragment.elided:
        return Shape()
    return Shape(tuple(UNKNOWN if dim < 0 else static(dim) for dim in port.dims)) if port.dims else SCALAR


# values


def _printed(fragment: Fragment, port: Port, names: tuple[str, ...], report: Report) -> Printed | None:
    """The value that the port's comments give; one that contradicts its dims is reported, and not taken."""
    dims = None if port.at in fragment.elided or not port.dims else port.dims
    found = printed_value(fragment.comments.get(port.at, ()), dims, names)
    if found is None or (dims is None and found.loose and found.extents != ()):
        return None
    declared = parse_precision(port.precision or "")
    if declared not in (None, STRING) and any(isinstance(item, str) for item in found.items[:1]):
        return None  # `symbols = "IntelOpenVINO"` beside the bytes of it
    if fits(found, dims):
        return found
    gives = f"{extents_text(found.extents)}, {len(found.items)} elements" if found.extents else "one element"
    message = f"the comment gives a value of {gives}, but the port's dims are {extents_text(port.dims)}"
    related = [Label(fragment.elements.place(port.at), f"the port is {extents_text(port.dims)}")]
    report.add("IR702", message, At(fragment.elements.source, found.span), related=related)
    return None


def _empty(extents: tuple[int, ...], type: ElementType) -> np.ndarray | None:
    """A tensor without elements; None where NumPy has none of this shape, because without its zeros it is too large."""
    try:
        return np.empty(extents, type.dtype)
    except ValueError:
        return None


def _value(
    fragment: Fragment, name: str, type: ElementType, shape: Shape, printed: Printed | None, report: Report
) -> np.ndarray | None:
    """The value as an array of the port's type and shape; an empty tensor needs no comment."""
    extents = shape.extents
    if printed is None:
        return _empty(extents, type) if extents is not None and 0 in extents and type is not DYNAMIC else None
    own = printed.extents if shape == SCALAR or extents is None else extents
    scratch = Report()
    array = as_input(name, as_array(printed, type).reshape(own), type, Shape.of(*own), scratch)
    if array is None:
        said = next(iter(scratch)).message
        report.add(
            "IR702", f"the value in the comment does not fit: {said}", At(fragment.elements.source, printed.span)
        )
    return array


def as_array(printed: Printed, type: ElementType) -> np.ndarray:
    """The printed elements as an array of the type nearest to how they are written."""
    if type is STRING:
        return np.array([str(item) for item in printed.items], STRING.dtype).reshape(printed.extents)
    return np.array(list(printed.items)).reshape(printed.extents)


# element types


class _Types:
    """The element types of one layer's ports: what they declare, or what the operation takes."""

    def __init__(
        self, fragment: Fragment, layer: Layer, operation: Operation | None, shown: Sequence[Printed | None]
    ) -> None:
        self._layer = layer
        self._operation = operation
        self._shown = shown
        self._own = {port.at: _declared(fragment, port) for port in (*layer.inputs, *layer.outputs)}
        self._letters = dict(self._by_letter())

    def of_input(self, place: int) -> ElementType:
        """The type of the input at a position."""
        own = self._own[self._layer.inputs[place].at]
        if own is not None:
            return own
        declared = None if self._operation is None else self._operation.input_at(place)
        if declared is None or self._operation is None:
            return _choice(None, [self._shown[place]])
        if not isinstance(declared.type, str):
            return _choice(declared.type, [self._shown[place]])
        known = self._letters.get(declared.type)
        if known is not None:
            return known
        return _choice(self._operation.types[declared.type], [self._shown[at] for at in self._places(declared.type)])

    def _places(self, letter: str) -> list[int]:
        """The positions of the inputs whose type is a letter."""
        operation = self._operation
        assert operation is not None, "letters are those of an operation"
        found = []
        for place in range(len(self._layer.inputs)):
            declared = operation.input_at(place)
            if declared is not None and declared.type == letter:
                found.append(place)
        return found

    def _by_letter(self) -> Mapping[str, ElementType]:
        """What each letter stands for, as far as a port says it; inputs first."""
        if self._operation is None:
            return {}
        found: dict[str, ElementType] = {}
        for letter in self._operation.types:
            for place in self._places(letter):
                own = self._own[self._layer.inputs[place].at]
                if own is not None:
                    found.setdefault(letter, own)
        for port, output in zip(self._layer.outputs, self._operation.outputs, strict=False):
            own = self._own[port.at]
            if own is not None and isinstance(output.type, str) and output.type in self._operation.types:
                found.setdefault(output.type, own)
        return found


def _declared(fragment: Fragment, port: Port) -> ElementType | None:
    """The type that the port's precision names, or one of its comments."""
    type = parse_precision(port.precision or "")
    if type is None or type is DYNAMIC:
        type = printed_type(fragment.comments.get(port.at, ()))
    return type


def _choice(allowed: TypeSet | None, shown: Sequence[Printed | None]) -> ElementType:
    """A type for a port that names none: f32 or an integer, unless the value is written as another kind."""
    items = [item for printed in shown if printed is not None for item in printed.items[:1]]
    first: list[ElementType] = []
    if any(isinstance(item, str) for item in items):
        first = [STRING]
    elif any(isinstance(item, bool) for item in items):
        first = [BOOLEAN]
    for type in (*first, F32, I64, I32, BOOLEAN, STRING):
        if allowed is None or type in allowed:
            return type
    return min(allowed or (F32,), key=str)
