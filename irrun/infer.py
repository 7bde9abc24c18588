"""Calls to facts: the rule of each operation over the facts of its inputs, and what is declared against what is
inferred.

Facts that flow are the inferred ones. A contradiction at a port is reported only if it remains when the rule is
applied to the
declared facts of the layer's inputs: one wrong shape, repeated down a chain, is one finding. Declared facts flow only
out of a layer whose rule failed or does not exist.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from irrun.bind import Call
from irrun.bounds import bounded
from irrun.diag import Label, Report
from irrun.graph import Value
from irrun.ir.document import Port
from irrun.ir.scan import ElementPlace
from irrun.kernels.notice import listening
from irrun.ops import Operation, OpError, Output
from irrun.types.dim import UNKNOWN, static
from irrun.types.element import DYNAMIC, ElementType, TypeSet, parse_precision
from irrun.types.fact import VALUE_LIMIT, Fact
from irrun.types.packing import PackingError
from irrun.types.shape import Shape

Facts = dict[Value, Fact]
OPERATION_CODES = {"rank": "IR303", "dims": "IR304", "value": "IR305", "outputs": "IR212"}
"""The kind of an OpError -> the code of the finding, where it is about an input; about an attribute it is IR210."""


def infer(
    calls: Sequence[Call], report: Report, given: Mapping[int, Fact] | None = None, declared: bool = True
) -> Facts:
    """The fact of each tensor, by value, for calls in run order.

    `given` are facts of Parameters, by layer id, that take the place of their declared ones: those of the arrays of a
    run. With `declared` false, declared ports are not compared again.
    """
    facts: Facts = {}
    for call in calls:
        inputs = [facts.get(value) if value is not None else None for value in call.inputs]
        outputs = _outputs(call, inputs, given or {}, report)
        if declared:
            _compare_inputs(call, inputs, report)
        if outputs is None:
            outputs = [declared_fact(port) for port in call.layer.outputs]
        elif declared:
            _compare_outputs(call, inputs, outputs, report)
        for value, fact in zip(call.values, outputs, strict=False):
            facts[value] = fact
    return facts


def declared_fact(port: Port) -> Fact:
    """What a port declares; one without dims says nothing of the shape."""
    return Fact(_declared_type(port), declared_shape(port.dims) if port.dims else Shape())


def _declared_type(port: Port) -> ElementType:
    return parse_precision(port.precision or "") or DYNAMIC


@lru_cache(maxsize=4096)
def declared_shape(dims: tuple[int, ...]) -> Shape:
    """The shape that a port's dims declare; none are a scalar."""
    return Shape(tuple([UNKNOWN if dim < 0 else static(dim) for dim in dims]))


# the rule of one call


def _outputs(call: Call, inputs: list[Fact | None], given: Mapping[int, Fact], report: Report) -> list[Fact] | None:
    """The facts of a call's outputs, or None where its rule fails, which is reported, or does not exist."""
    operation = call.operation
    if operation is None or any([fact is None for fact in inputs]):
        return None
    if operation.type == "Parameter":
        return _parameter(call, given, report)
    try:
        with listening() as notices:
            facts = apply_rule(call, operation, inputs)
    except OpError as error:
        report_op_error(call, operation, error, inputs, report)
        return None
    for said in notices:
        place, _, _ = place_of(call, operation, said.partition(" ")[0])
        call.say(report, "IR307", said, place)
    try:
        return _with_value(call, operation, inputs, facts)
    except OpError as error:
        report_op_error(call, operation, error, inputs, report, code="IR601")
    except PackingError as error:
        call.say(report, "IR505", str(error))
    return None


def apply_rule(call: Call, operation: Operation, inputs: Sequence[Fact | None]) -> list[Fact]:
    """The facts of an operation's outputs, without values unless the rule knows them.

    Raises OpError where the specification forbids the inputs.
    """
    letters = _check_types(operation, inputs)
    results = _inferred(call, operation, inputs)
    if len(results) < len(call.layer.outputs):
        raise _too_many_outputs(call, len(results))
    declared = operation.outputs
    facts = []
    for place, result in enumerate(results):
        if isinstance(result, Fact):
            facts.append(result)
        else:
            output = declared[min(place, len(declared) - 1)]
            facts.append(Fact(_output_type(output, letters, call, inputs), result))
    return facts


class RuleFailure(OpError):
    """A rule raised an exception that is no OpError, or gave what is no shape: a mistake in it, not in the model."""


def _inferred(call: Call, operation: Operation, inputs: Sequence[Fact | None]) -> Sequence[Shape | Fact]:
    """What the rule gives. Raises OpError where the specification forbids the inputs, or the rule itself fails."""
    try:
        results = operation.infer(inputs, call.attributes, len(call.layer.outputs))
    except OpError:
        raise
    except Exception as error:
        message = f"the shape rule fails: {type(error).__name__}: {error}"
        raise RuleFailure(message, hint=operation.raised_in(error), kind="failure") from error
    for result in results:
        if not isinstance(result, (Shape, Fact)):
            raise RuleFailure(f"the shape rule gave {result!r}, not a Shape", kind="failure")
    return results


def _output_type(
    output: Output, letters: Mapping[str, ElementType], call: Call, inputs: Sequence[Fact | None]
) -> ElementType:
    if isinstance(output.type, ElementType):
        return output.type
    if isinstance(output.type, str):
        found = letters.get(output.type) or call.attributes.get(output.type)
        return found if isinstance(found, ElementType) else DYNAMIC
    return output.type(*inputs, **call.attributes)


def _too_many_outputs(call: Call, count: int) -> OpError:
    has = len(call.layer.outputs)
    return OpError(f"these inputs give {count} output{'s' if count != 1 else ''}, the layer has {has}", kind="outputs")


class TypeMismatch(OpError):
    """An input's element type is not one that the specification lists, or not that of another input."""


def _check_types(operation: Operation, inputs: Sequence[Fact | None]) -> dict[str, ElementType]:
    """What each type letter stands for; a type that is not known fits everywhere."""
    letters: dict[str, ElementType] = {}
    owners: dict[str, int] = {}
    for position, fact in enumerate(inputs):
        declared = operation.input_at(position)
        if fact is None or declared is None or fact.type is DYNAMIC:
            continue
        letter = declared.type
        allowed = operation.types[letter] if isinstance(letter, str) else letter
        if fact.type not in allowed:
            raise _wrong_type(operation.input_name(position), fact.type, allowed)
        if not isinstance(letter, str):
            continue
        known = letters.setdefault(letter, fact.type)
        first = owners.setdefault(letter, position)
        if known is not fact.type:
            name, owner = operation.input_name(position), operation.input_name(first)
            message = f"{name} is {fact.type}, but {owner} is {known}; both are {letter}"
            raise TypeMismatch(message, at=name, against=owner, kind="equal")
    return letters


def _wrong_type(name: str, type: ElementType, allowed: TypeSet) -> TypeMismatch:
    if type.is_storage:
        return TypeMismatch(f"{name} is {type}, a type for storing", at=name, hint="Convert first", kind="storage")
    return TypeMismatch(f"{name} is {type}; {allowed} is expected", at=name, kind="listed")


_TYPE_CODES = {"storage": "IR306", "listed": "IR301", "equal": "IR302", "failure": "IR609"}


def _parameter(call: Call, given: Mapping[int, Fact], report: Report) -> list[Fact]:
    fact = given.get(call.layer.id)
    if fact is None:
        fact = Fact(call.attributes["element_type"], call.attributes["shape"])
        if fact.type is DYNAMIC:
            written = "element_type" in call.layer.attributes
            place = call.document.place(call.layer.data_at or call.layer.at, "element_type" if written else None)
            call.say(report, "IR308", "the element type is not known", place)
    return [fact]


# values


def _with_value(call: Call, operation: Operation, inputs: Sequence[Fact | None], facts: list[Fact]) -> list[Fact]:
    """The facts with what is known of their elements: all of it by running the kernel, or bounds by running it twice.

    Raises OpError where the kernel refuses the values.
    """
    if not operation.foldable or any(fact.value is not None or fact.bounds is not None for fact in facts):
        return facts
    known = all([fact is not None and fact.value is not None for fact in inputs])
    if known:
        return _folded(call, operation, inputs, facts) if _small(inputs, facts) else facts
    if operation.monotone and any([fact is not None and fact.is_bounded for fact in inputs]) and _small(inputs, facts):
        return bounded(operation, inputs, call.attributes, facts)
    return facts


def _small(inputs: Sequence[Fact | None], facts: Sequence[Fact]) -> bool:
    total = 0
    for fact in (*inputs, *facts):
        if fact is not None:
            count = fact.shape.most_elements
            if count is None:
                return False
            total += count
    return total <= VALUE_LIMIT


def _folded(call: Call, operation: Operation, inputs: Sequence[Fact | None], facts: list[Fact]) -> list[Fact]:
    # What a kernel has to say is said when it runs, and so is what is wrong with it; here only its value counts.
    values = [None if fact is None else fact.value for fact in inputs]
    types = [None if fact is None else fact.type for fact in inputs]
    try:
        with listening(), np.errstate(all="ignore"):
            results = operation.apply(operation.arguments(values, types), call.attributes)
            arrays = _as_arrays(operation.outputs_of(results), facts)
    except (OpError, PackingError):
        raise
    except Exception:  # noqa: BLE001  # whatever a kernel raises is said by a run
        return facts
    if not all(fact.shape.admits(array.shape) for fact, array in zip(facts, arrays, strict=False)):
        return facts
    return [
        replace(fact, shape=Shape.of(*array.shape), value=array) for fact, array in zip(facts, arrays, strict=False)
    ]


def _as_arrays(results: Sequence[object], facts: Sequence[Fact]) -> list[np.ndarray]:
    """The outputs of a kernel as arrays of the declared types."""
    return [
        np.asarray(result).astype(fact.type.dtype, copy=False) for result, fact in zip(results, facts, strict=False)
    ]


# findings


def place_of(call: Call, operation: Operation, name: str | None) -> tuple[ElementPlace, int | None, bool]:
    """Where the input or attribute of this name stands, the input's position, and whether it is an attribute."""
    position = None if name is None else operation.position_of(name)
    if position is not None and position < len(call.layer.inputs):
        return call.place(call.layer.inputs[position]), position, False
    attribute = next((each for each in operation.attributes if name in (each.name, each.parameter)), None)
    if attribute is not None and call.layer.data_at is not None:
        written = next((each for each in attribute.also if each in call.layer.attributes), attribute.name)
        return call.document.place(call.layer.data_at, written), None, True
    return call.place(), None, attribute is not None


def report_op_error(
    call: Call,
    operation: Operation,
    error: OpError,
    inputs: Sequence[Fact | None],
    report: Report,
    code: str | None = None,
) -> None:
    """An OpError as a finding: its names become places, and each place says what stands there."""
    place, position, is_attribute = place_of(call, operation, error.at)
    label = str(inputs[position]) if position is not None and inputs[position] is not None else ""
    related = []
    if error.against is not None:
        other, other_position, _ = place_of(call, operation, error.against)
        if other_position is not None and inputs[other_position] is not None:
            related.append(Label(other, f"{error.against} is {inputs[other_position]}"))
    if code is None:
        code = _TYPE_CODES.get(error.kind) or ("IR210" if is_attribute else OPERATION_CODES.get(error.kind, "IR305"))
    call.say(report, code, error.message, place, label=label, related=related, hint=error.hint)


# declared against inferred


def _compare_inputs(call: Call, inputs: Sequence[Fact | None], report: Report) -> None:
    """Input ports against what feeds them; where the producer's own port says the same, the mistake is the
    producer's.
    """
    for port, value, fact in zip(call.layer.inputs, call.inputs, inputs, strict=True):
        if fact is None or value is None:
            continue
        shape, type = declared_shape(port.dims), _declared_type(port)
        if port.dims:
            dims_agree = fact.shape.meet(shape) is not None
        else:  # without a precision, too, a port says nothing at all
            dims_agree = not (fact.shape.extents and port.precision and call.operation)
        types_agree = DYNAMIC in (type, fact.type) or type is fact.type
        if dims_agree and types_agree:
            continue
        producer = call.document.layer_by_id[value[0]]
        source = producer.outputs[value[1]]
        gives = f"but {call.document.title(producer)} gives"
        related = [Label(call.place(source), f"the tensor is {fact}")]
        if not dims_agree and source.dims != port.dims:
            code, declares, label = "IR403", f"declares {shape}", f"declared {shape}"
            if not port.dims:
                code, declares, label = "IR405", "has no dims, which reads as a scalar", ""
            words = f"input port {port.id} {declares}, {gives} {fact.shape}"
            call.say(report, code, words, call.place(port), label=label, related=related)
        if not types_agree and source.precision != port.precision:
            words = f"input port {port.id} declares {port.precision}, {gives} {fact.type.precision}"
            call.say(report, "IR404", words, call.place(port, "precision"), related=related)


def _compare_outputs(call: Call, inputs: Sequence[Fact | None], outputs: Sequence[Fact], report: Report) -> None:
    """Output ports against the facts."""
    for position, (port, fact) in enumerate(zip(call.layer.outputs, outputs, strict=False)):
        shape, type = declared_shape(port.dims), _declared_type(port)
        if not port.dims:
            # Dims that are not all known may have been of no known rank to who wrote this, which has no dims either.
            if fact.shape.extents:
                words = f"output port {port.id} has no dims, which reads as a scalar; the result is {fact.shape}"
                call.say(report, "IR405", words, call.place(port))
        elif fact.shape.meet(shape) is None:
            other = _by_declared_inputs(call, inputs)
            if other is None or other[position].shape.meet(shape) is None:
                words = f"output port {port.id} declares {shape}, but the result is {fact.shape}"
                call.say(report, "IR401", words, call.place(port), label=f"declared {shape}")
        if type is not fact.type and DYNAMIC not in (type, fact.type):
            other = _by_declared_inputs(call, inputs)
            if other is None or other[position].type is not type:
                words = f"output port {port.id} declares {port.precision}, but the result is {fact.type.precision}"
                hint = f'write precision="{fact.type.precision}"'
                call.say(report, "IR402", words, call.place(port, "precision"), hint=hint)


def _by_declared_inputs(call: Call, inputs: Sequence[Fact | None]) -> list[Fact] | None:
    """What the rule gives for the declared facts of the inputs, the values as they are; None where it fails."""
    if call.operation is None or not inputs:
        return None
    declared = []
    for port, fact in zip(call.layer.inputs, inputs, strict=True):
        assert fact is not None, "a rule was applied to all of them"
        shape = declared_shape(port.dims) if port.dims else fact.shape
        shape = fact.shape.meet(shape) or shape  # what does not contradict says no less than the declared dims
        type = _declared_type(port)
        same = shape == fact.shape
        declared.append(Fact(fact.type if type is DYNAMIC else type, shape, fact.value if same else None))
    try:
        with listening():
            return apply_rule(call, call.operation, declared)
    except OpError:
        return None
