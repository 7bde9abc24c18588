"""Calls and arrays to arrays: one step a call, dead tensors freed after their last use, each step yielded as it is
done.

A plan is made once for the requested outputs and never changed; what a run changes is its own, so one model runs in
many threads.
"""

from __future__ import annotations

import contextvars
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from irrun.bind import Call
from irrun.diag import Report
from irrun.graph import Value
from irrun.infer import Facts, apply_rule, report_op_error
from irrun.ir.document import Layer
from irrun.kernels.cast import is_float
from irrun.kernels.notice import hear, listening
from irrun.memory import Budget, bytes_of
from irrun.ops import OpError
from irrun.types.element import BOOLEAN, DYNAMIC, ElementType
from irrun.types.fact import Fact
from irrun.types.packing import PackingError
from irrun.types.shape import extents_text

Array = np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A call with the places of its tensors in a run.

    `facts` are those of its outputs. `settled` is the dtype and shape of its output, or of each of several, where
    inference knows them and all that its rule asks of its inputs; the rule need not be applied again then.
    """

    call: Call
    function: Callable[..., Any] | None
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    dies: tuple[int, ...]
    input_types: tuple[ElementType, ...]
    facts: tuple[Fact, ...]
    settled: tuple[object, ...] | None


class Peak(NamedTuple):
    """The most bytes that computed tensors take at one time, as far as shapes tell, and the step where that is."""

    bytes: int
    step: Step | None


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The steps for some outputs: `tensors` is what the places of tensors hold before a run, small constants; `fed` and
    `fetched` are some of the places, `types` the element types of the fetched ones. `settled` is whether no rule need
    be applied again to the arrays of a run.
    """

    steps: tuple[Step, ...]
    tensors: tuple[Array | None, ...]
    fed: Mapping[int, int]
    fetched: tuple[int, ...]
    types: tuple[ElementType, ...]
    peak: Peak
    settled: bool


@dataclass(frozen=True, slots=True, eq=False)
class Done:
    """A layer that was just computed: its tensors in and out, and how long it took, in seconds.

    The arrays are read-only and belong to the run; copy what is to be kept.
    """

    layer: Layer
    title: str
    operation: str
    inputs: tuple[Array, ...]
    outputs: tuple[Array, ...]
    types: tuple[ElementType, ...]
    seconds: float


class Failed(Exception):
    """A step cannot be computed; the finding is in the report."""


# planning


def make_plan(calls: Sequence[Call], facts: Facts, fetched: Sequence[Value]) -> Plan:
    """The plan that runs these calls, in their order, and keeps the `fetched` tensors."""
    slots: dict[Value, int] = {}
    for call in calls:
        for value in call.values:
            slots[value] = len(slots)
    last_use = {slots[value]: place for place, call in enumerate(calls) for value in call.inputs if value is not None}
    kept = {slots[value] for value in fetched}
    tensors: list[Array | None] = [None] * len(slots)
    steps = []
    for place, call in enumerate(calls):
        inputs = tuple([slots[value] for value in call.inputs if value is not None])
        outputs = tuple([slots[value] for value in call.values])
        dies = {slot for slot in inputs if last_use[slot] == place} | {slot for slot in outputs if slot not in last_use}
        types = tuple([facts[value].type for value in call.inputs if value is not None])
        known = tuple([facts[value] for value in call.values])
        constant = _constant(call, known)
        if constant is not None:
            tensors[outputs[0]] = constant
        steps.append(
            Step(
                call,
                _function(call, types) if constant is None else None,
                inputs,
                outputs,
                tuple(sorted(dies - kept)),
                types,
                known,
                _settled(call, facts),
            )
        )
    fed = {call.layer.id: slots[call.layer.id, 0] for call in calls if is_parameter(call) and call.layer.outputs}
    places = tuple([slots[value] for value in fetched])
    fetched_types = tuple([facts[value].type for value in fetched])
    settled = all([step.settled is not None for step in steps])
    return Plan(tuple(steps), tuple(tensors), fed, places, fetched_types, _peak_of(steps), settled)


def is_parameter(call: Call) -> bool:
    """Whether a run gives the call's value."""
    return call.operation is not None and call.operation.type == "Parameter"


def _constant(call: Call, facts: Sequence[Fact]) -> Array | None:
    """The value of a Const that inference has read already, so that no run needs to; a boolean one may warn."""
    if call.operation is None or call.operation.type != "Constant" or not facts or facts[0].type is BOOLEAN:
        return None
    return facts[0].value


def _function(call: Call, types: Sequence[ElementType]) -> Callable[..., Any] | None:
    """The kernel with the attributes, the absent optional inputs and the types that count alone filled in."""
    operation = call.operation
    if operation is None or is_parameter(call):
        return None
    absent = [each.parameter for each in operation.inputs[len(call.inputs) :] if not each.variadic]
    kernel = operation.with_attributes(call.attributes)
    if absent:
        kernel = partial(kernel, **dict.fromkeys(absent))
    if not any(each.type_only for each in operation.inputs):
        return kernel
    return lambda *arrays: kernel(*operation.arguments(arrays, types))


def _settled(call: Call, facts: Facts) -> tuple[object, ...] | None:
    if call.operation is None:
        return None
    inputs = [facts[value] for value in call.inputs if value is not None]
    outputs = [facts[value] for value in call.values]
    if any([fact.shape.extents is None or fact.type is DYNAMIC for fact in (*inputs, *outputs)]):
        return None
    for position, fact in enumerate(inputs):
        declared = call.operation.input_at(position)
        if declared is not None and declared.steers and fact.value is None:
            return None
    each = [(fact.type.dtype, fact.shape.extents) for fact in outputs]
    return each[0] if len(each) == 1 else tuple(each)


def _peak_of(steps: Sequence[Step]) -> Peak:
    size: dict[int, int] = {}
    alive, peak = 0, Peak(0, None)
    for step in steps:
        if step.inputs and not _passes_on(step):
            size.update({slot: bytes_of(fact) for slot, fact in zip(step.outputs, step.facts, strict=True)})
            alive += sum(size[slot] for slot in step.outputs)
        if alive > peak.bytes:
            peak = Peak(alive, step)
        alive -= sum(size.pop(slot, 0) for slot in step.dies)
    return peak


def _passes_on(step: Step) -> bool:
    return step.call.operation is not None and step.call.operation.type == "Result"


# running


@dataclass(slots=True, eq=False)
class _Run:
    """What belongs to one run: its tensors, its findings, and what kernels have signalled since the last step."""

    tensors: list[Array | None]
    report: Report
    budget: Budget
    signals: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)

    def context(self) -> contextvars.Context:
        """A context in which floating-point errors and notices come to this run."""
        context = _WATCHED.copy()
        context.run(self._enter)
        return context

    def _enter(self) -> None:
        _signals.set(self.signals)
        hear(self.heard)


def _signal(kind: str, _flag: int) -> None:
    """NumPy met a floating-point error of this kind."""
    _signals.get().append(kind)


_signals: contextvars.ContextVar[list[str]] = contextvars.ContextVar("irrun_signals")
_WATCHED = contextvars.Context()
_WATCHED.run(np.errstate(all="ignore", over="call", invalid="call", divide="call", call=_signal).__enter__)


def run(plan: Plan, feeds: Mapping[int, Array], report: Report, budget: Budget) -> list[Array]:
    """The fetched tensors, as arrays that belong to the caller.

    `feeds` are the Parameters' arrays by layer id. Raises Failed, with the finding in `report`, where a step cannot
    be computed.
    """
    started = _start(plan, feeds, report, budget)
    started.context().run(_drain, plan, started)
    return _owned(plan, started.tensors)


def trace(plan: Plan, feeds: Mapping[int, Array], report: Report, budget: Budget) -> Generator[Done, None, list[Array]]:
    """The same step by step: each is yielded with its tensors right after it is computed."""
    started = _start(plan, feeds, report, budget)
    context = started.context()
    for step in plan.steps:
        before = time.perf_counter()
        if step.function is not None:
            context.run(_compute, step, started, started.tensors)
        yield _done(step, started.tensors, time.perf_counter() - before)
        for slot in step.dies:
            started.tensors[slot] = None
    return _owned(plan, started.tensors)


def _start(plan: Plan, feeds: Mapping[int, Array], report: Report, budget: Budget) -> _Run:
    tensors = list(plan.tensors)
    for layer, slot in plan.fed.items():
        tensors[slot] = _read_only(feeds[layer])
    return _Run(tensors, report, budget)


def _read_only(array: Array) -> Array:
    view = array.view()
    view.setflags(write=False)
    return view


def _drain(plan: Plan, run: _Run) -> None:
    tensors = run.tensors
    for step in plan.steps:
        if step.function is not None:
            _compute(step, run, tensors)
        for slot in step.dies:
            tensors[slot] = None


def _compute(step: Step, run: _Run, tensors: list[Array | None]) -> None:
    """One step; what is done for each of many small ones is kept to the least."""
    arrays = [tensors[slot] for slot in step.inputs]
    settled = step.settled
    facts = step.facts if settled is not None else _facts_again(step, arrays, run)
    try:
        result = step.function(*arrays)  # type: ignore[misc]  # a step without one is not computed
    except Exception as error:  # noqa: BLE001  # whatever a kernel raises becomes a finding that names its layer
        _report_failure(step, error, arrays, run)
        raise Failed from None
    if settled is not None and result.__class__ is Array and result.dtype == settled[0] and result.shape == settled[1]:
        tensors[step.outputs[0]] = result
    else:
        _store(step, result, facts, run)
    if run.signals or run.heard:
        _say(step, arrays, run)


def _facts_again(step: Step, arrays: Sequence[Array | None], run: _Run) -> Sequence[Fact]:
    """What the rule says of the arrays themselves, where inference could not know them before."""
    call = step.call
    assert call.operation is not None, "only bound calls run"
    inputs = _input_facts(step, arrays)
    try:
        with listening() as notices:
            facts = apply_rule(call, call.operation, inputs)
    except OpError as error:
        report_op_error(call, call.operation, error, inputs, run.report)
        raise Failed from None
    for said in notices:
        call.say(run.report, "IR307", said)
    for fact, inferred in zip(facts, step.facts, strict=False):
        if fact.shape.meet(inferred.shape) is None:
            words = f"the result is {fact.shape}, but {inferred.shape} was inferred before its inputs were computed"
            call.say(run.report, "IR601", words)
            raise Failed
    alive = sum(array.nbytes for array in run.tensors if array is not None)
    if not run.budget.allows(alive + sum(map(bytes_of, facts)), call, facts, run.report):
        raise Failed
    return facts


def _input_facts(step: Step, arrays: Sequence[Array | None]) -> list[Fact]:
    return [Fact.of(type, array) for type, array in zip(step.input_types, arrays, strict=True) if array is not None]


def _store(step: Step, result: object, facts: Sequence[Fact], run: _Run) -> None:
    """Put what a kernel returned into its places, as arrays of the declared types and admitted shapes."""
    assert step.call.operation is not None, "only bound calls run"
    results = step.call.operation.outputs_of(result)
    for place, slot in enumerate(step.outputs):
        if place >= len(results) or results[place] is None:
            count = f"{len(results)} output{'s' if len(results) != 1 else ''} where {len(step.outputs)} are declared"
            words = f"the kernel gave {'None' if place < len(results) else count}"
            step.call.say(run.report, "IR609", words)
            raise Failed
        array = np.asarray(results[place])
        fact = facts[place]
        if not fact.shape.admits(array.shape):
            words = f"the kernel gave {extents_text(array.shape)} where the rule says {fact.shape}"
            step.call.say(run.report, "IR609", words)
            raise Failed
        run.tensors[slot] = array if fact.type is DYNAMIC else array.astype(fact.type.dtype, copy=False)


# what a step has to say


def _report_failure(step: Step, error: Exception, arrays: Sequence[Array | None], run: _Run) -> None:
    call = step.call
    if isinstance(error, OpError) and call.operation is not None:
        report_op_error(call, call.operation, error, _input_facts(step, arrays), run.report, code="IR601")
    elif isinstance(error, PackingError):
        call.say(run.report, "IR505", str(error))
    elif isinstance(error, MemoryError):
        call.say(run.report, "IR608", "the system has no memory left")
    else:
        shapes = ", ".join(str(fact) for fact in _input_facts(step, arrays)) or "none"
        message = f"{type(error).__name__}: {error}; inputs: {shapes}"
        call.say(run.report, "IR609", message, hint=None if call.operation is None else call.operation.raised_in(error))


def _say(step: Step, arrays: Sequence[Array | None], run: _Run) -> None:
    """Turn signals and notices of one step into warnings; infinities and NaNs that came in are no news."""
    call = step.call
    said = list(run.heard)
    if run.signals and all(array is None or not is_float(array.dtype) or np.isfinite(array).all() for array in arrays):
        said += [f"{kind} from finite inputs" for kind in dict.fromkeys(run.signals)]
    run.heard.clear()
    run.signals.clear()
    for words in said:
        call.say(run.report, "IR610", words)


# what leaves the run


def _done(step: Step, tensors: Sequence[Array | None], seconds: float) -> Done:
    call = step.call
    inputs, outputs = (
        tuple([_read_only(array) for slot in slots if (array := tensors[slot]) is not None])
        for slots in (step.inputs, step.outputs)
    )
    name = call.operation.name if call.operation is not None else call.layer.type
    types = tuple([fact.type for fact in step.facts])
    return Done(call.layer, call.document.title(call.layer), name, inputs, outputs, types, seconds)


def _owned(plan: Plan, tensors: Sequence[Array | None]) -> list[Array]:
    """The fetched arrays; what aliases a feed or the .bin, both read-only, or another output is copied."""
    taken: set[int] = set()
    owned = []
    for slot in plan.fetched:
        array = tensors[slot]
        assert array is not None, "fetched tensors are kept"
        root = _root(array)
        shared = id(root) in taken or root.base is not None or not array.flags.writeable
        if shared or array.nbytes * 2 < root.nbytes:
            array = array.copy()
            root = array
        taken.add(id(root))
        owned.append(array)
    return owned


def _root(array: Array) -> Array:
    """The array that owns the memory, or the last one before what is no array."""
    while isinstance(array.base, Array):
        array = array.base
    return array
