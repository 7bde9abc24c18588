"""A model that is ready to run, and how names find its tensors."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import networkx as nx
import numpy as np

from irrun import execute
from irrun.bind import Call
from irrun.diag import Blocks, Finding, IRError, Report, Severity
from irrun.diag.words import listed, meant
from irrun.execute import Done, Failed, Plan
from irrun.feeds import Expected, as_input, as_they_are, gather
from irrun.graph import Graph, Value
from irrun.infer import Facts, infer
from irrun.ir.document import Document, Layer
from irrun.ir.weights import Weights, WeightsError
from irrun.memory import Budget
from irrun.preprocess import PreProcess
from irrun.results import Results, Tensor
from irrun.types.fact import VALUE_LIMIT, Fact


@dataclass(frozen=True, slots=True)
class _Output:
    """A Result: the name of its tensor, the other names, and the value it takes."""

    name: str
    names: tuple[str, ...]
    value: Value
    layer: Layer


@dataclass(frozen=True, slots=True)
class _Request:
    """What a run is asked for: the tensor of each key in the results, the keys of other names, the layers it needs."""

    wanted: Mapping[str, Value]
    values: tuple[Value, ...]
    aliases: Mapping[str, str]
    needed: set[int]


class Model:
    """A loaded IR: immutable, and run from any number of threads at once.

    `findings` are what reading, connecting, binding and inferring had to say. Parameters and Results are in document
    order. `defaults` are the values of Parameters, by layer id, that a run feeds where it is given none.
    """

    def __init__(
        self,
        network: Graph,
        calls: Sequence[Call],
        facts: Facts,
        report: Report,
        weights: Weights | WeightsError,
        pre_process: PreProcess | None,
        strict: bool = False,
        defaults: Mapping[int, np.ndarray] | None = None,
    ) -> None:
        self._graph = network
        self._calls = tuple(calls)
        self._facts = facts
        self._report = report
        self._weights = weights
        self._strict = strict
        self._defaults = defaults or {}
        self.pre_process = pre_process
        self._call_by_id = {call.layer.id: call for call in calls}

    # what it is

    @property
    def graph(self) -> nx.MultiDiGraph[int]:
        """The layers and edges: nodes are layer ids with their `layer`, edge keys are input positions."""
        return self._graph.network

    @property
    def document(self) -> Document:
        """The layers as they are written."""
        return self._graph.document

    @property
    def weights(self) -> Weights | WeightsError:
        """What the Consts' values lie in, or why there is nothing."""
        return self._weights

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        return self._report.findings

    @property
    def calls(self) -> tuple[Call, ...]:
        """The layers as they are bound, in run order."""
        return self._calls

    def call(self, layer: int) -> Call:
        """The layer of this id as it is bound."""
        return self._call_by_id[layer]

    @property
    def facts(self) -> Mapping[Value, Fact]:
        """What is inferred of each tensor."""
        return self._facts

    @cached_property
    def inputs(self) -> tuple[Tensor, ...]:
        """The model's inputs, in document order."""
        return tuple(self._tensor(self._input_names(call.layer), (call.layer.id, 0)) for call in self._parameters)

    @cached_property
    def outputs(self) -> tuple[Tensor, ...]:
        """The model's outputs, in document order."""
        return tuple(self._tensor((output.name, *output.names), output.value) for output in self._outputs)

    def _tensor(self, names: tuple[str, ...], value: Value) -> Tensor:
        fact = self._facts[value]
        return Tensor(names[0], tuple(dict.fromkeys(names)), fact.type, fact.shape)

    @cached_property
    def _parameters(self) -> tuple[Call, ...]:
        layers = self._graph.document.layers
        calls = [self._call_by_id[layer.id] for layer in layers if layer.type.lower() == "parameter" and layer.outputs]
        return tuple(call for call in calls if execute.is_parameter(call) and call.layer.outputs)

    @staticmethod
    def _input_names(layer: Layer) -> tuple[str, ...]:
        names = layer.outputs[0].names
        return (*names, layer.name) if names or layer.name else (str(layer.id),)

    @cached_property
    def _outputs(self) -> tuple[_Output, ...]:
        """The Results that are connected, each with the name that results are keyed by."""
        found: list[_Output] = []
        taken: set[str] = set()
        for layer in self._graph.document.layers:
            if layer.type != "Result":
                continue
            feeds = self._graph.feeds(layer)
            if not feeds or feeds[0] is None:
                continue
            value = feeds[0]
            producer = self._graph.document.layer_by_id[value[0]]
            port = producer.outputs[value[1]]
            own = producer.name if len(producer.outputs) == 1 else f"{producer.name}:{value[1]}"
            names = [*layer.output_names, *port.names, own, layer.name, str(len(found))]
            name = next(
                each for each in [names[0], layer.name, f"{names[0]} {len(found)}"] if each and each not in taken
            )
            taken.add(name)
            found.append(_Output(name, tuple(each for each in names[:-1] if each), value, layer))
        return tuple(found)

    # running

    def run(
        self,
        feeds: Any = None,
        outputs: Iterable[str | int] | None = None,
        *,
        max_memory: int | None = None,
    ) -> Results:
        """Compute the outputs.

        `feeds` maps tensor names, layer names or indices to arrays, lists or scalars. `outputs` names what is wanted:
        outputs, or
        any layer's tensor as `layer` or `layer:position`. `max_memory`, in bytes, limits what the run allocates; the
        default is what is free. The arrays are the caller's own.

        Raises IRError with findings that say what is wrong with the model, the feeds or a value.
        """
        report = Report()
        request = self._request(outputs, report)
        plan, arrays = self._prepared(feeds, request, report)
        budget = Budget(max_memory)
        try:
            self._check_peak(plan, budget, report)
            results = execute.run(plan, arrays, report, budget)
        except Failed:
            raise self._error(report) from None
        return self._results(plan, request, results, report)

    def trace(
        self, feeds: Any = None, outputs: Iterable[str | int] | None = None, *, max_memory: int | None = None
    ) -> Generator[Done, None, Results]:
        """The same layer by layer: each is yielded, with its tensors, right after it is computed.

        What the generator returns in the end is what `run` returns. Raises IRError as `run` does.
        """
        report = Report()
        request = self._request(outputs, report)
        plan, arrays = self._prepared(feeds, request, report)
        budget = Budget(max_memory)
        try:
            self._check_peak(plan, budget, report)
            results = yield from execute.trace(plan, arrays, report, budget)
        except Failed:
            raise self._error(report) from None
        return self._results(plan, request, results, report)

    def _results(self, plan: Plan, request: _Request, arrays: Sequence[np.ndarray], report: Report) -> Results:
        return Results(
            dict(zip(request.wanted, arrays, strict=True)),
            dict(zip(request.wanted, plan.types, strict=True)),
            request.aliases,
            self.findings + report.findings,
        )

    def require(self, outputs: Iterable[str | int] | None = None) -> None:
        """Raise IRError if the model's findings stop a run for these outputs (None: all)."""
        self._refuse_blocked(self._request(outputs, Report()).needed, notes=False)

    def needed_inputs(self, outputs: Iterable[str | int] | None = None) -> tuple[Tensor, ...]:
        """The inputs that a run for these outputs (None: all) depends on. Raises IRError where it would be refused."""
        needed = self._request(outputs, Report()).needed
        self._refuse_blocked(needed)
        return tuple(tensor for layer, tensor in zip(self._parameter_ids, self.inputs, strict=True) if layer in needed)

    # preparing

    def _request(self, outputs: Iterable[str | int] | None, report: Report) -> _Request:
        """What is asked for by these names; runs for the same share it."""
        if outputs is None:
            return self._all_outputs
        self._refuse_unreadable()
        if isinstance(outputs, (str, int)):
            outputs = [outputs]
        wanted: dict[str, Value] = {}
        for name in outputs:
            value = self.find(name)
            if value is None:
                near = meant(str(name), [*self._output_by_name, *self._tensor_by_name])
                hint = (
                    f"{near}the outputs are {listed(output.name for output in self._outputs)}; any layer's name will do"
                )
                report.add("IR607", f"there is no output or layer {name!r}", hint=hint)
            else:
                wanted[str(name)] = value
        if len(report):
            raise IRError(report.findings)
        return self._request_for(wanted)

    def _request_for(self, wanted: dict[str, Value]) -> _Request:
        asked = tuple(wanted.items())
        if asked not in self._requests:
            needed = self._graph.needed_for({layer for layer, _ in wanted.values()})
            self._requests[asked] = _Request(wanted, tuple(wanted.values()), self._other_names(wanted), needed)
        return self._requests[asked]

    @cached_property
    def _requests(self) -> dict[tuple[tuple[str, Value], ...], _Request]:
        return {}

    @cached_property
    def _all_outputs(self) -> _Request:
        self._refuse_unreadable()
        results = {layer.id for layer in self._graph.ends if layer.type == "Result"}
        self._refuse_blocked(results or {call.layer.id for call in self._calls}, notes=False)
        return self._request_for({output.name: output.value for output in self._outputs})

    def find(self, name: str | int) -> Value | None:
        """The tensor of this name: an output's, any port's, a layer's, `layer:position`, or an output's index."""
        text = str(name)
        named = self._output_by_name.get(text, self._tensor_by_name.get(text))
        if named is not None:
            return named
        if text.lstrip("-").isdecimal() and -len(self._outputs) <= int(text) < len(self._outputs):
            return self._outputs[int(text)].value
        return None

    @cached_property
    def _output_by_name(self) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for output in self._outputs:
            for name in (output.name, *output.names):
                found.setdefault(name, output.value)
        return found

    @cached_property
    def _tensor_by_name(self) -> dict[str, Value]:
        found: dict[str, Value] = {}
        layers = self._graph.document.layers
        for layer in layers:
            for position, port in enumerate(layer.outputs):
                for name in port.names:
                    found.setdefault(name, (layer.id, position))
        for layer in layers:
            for position in range(len(layer.outputs)):
                found.setdefault(f"{layer.name}:{position}", (layer.id, position))
            if layer.outputs:
                found.setdefault(layer.name, (layer.id, 0))
        return found

    def _refuse_unreadable(self) -> None:
        """Raise IRError if a finding stops every run."""
        if self._report.blocking(Blocks.MODEL):
            stops = (Blocks.MODEL, Blocks.LAYER)
            raise IRError(finding for finding in self.findings if finding.rule.blocks in stops)

    @cached_property
    def _stopping(self) -> list[Finding]:
        """The findings that stop a run for what depends on their layers."""
        stops = (Blocks.LAYER, Blocks.STRICT) if self._strict else (Blocks.LAYER,)
        return [finding for finding in self.findings if finding.rule.blocks in stops]

    def _refuse_blocked(self, needed: set[int], notes: bool = True) -> None:
        """Raise IRError if a finding stops what depends on these layers; without `notes`, only if an error does."""
        if not self._stopping:
            return
        path = self._graph.document.path
        blocking = [
            finding
            for finding in self._stopping
            if (notes or finding.severity is Severity.ERROR)
            and (finding.layer is None or finding.layer[0] != path or finding.layer[1] in needed)
        ]
        if blocking:
            raise IRError(blocking)

    def _prepared(self, feeds: Any, request: _Request, report: Report) -> tuple[Plan, dict[int, np.ndarray]]:
        """The plan for these feeds and outputs, and the arrays that feed it."""
        self._refuse_blocked(request.needed)
        if isinstance(self._weights, Weights) and self._weights.changed():
            report.add("IR502", f"weights file {self._weights.name} is shorter now than when the model was loaded")
            raise IRError(report.findings)
        arrays = self._arrays(feeds, request.needed, report)
        if len(report) and any([finding.rule.blocks is not Blocks.NOTHING for finding in report]):
            raise self._error(report)
        plan = self._plan(request)
        if not plan.settled:
            plan = self._plan_for(arrays, request, report)
        if self.pre_process is not None and self.pre_process.layer in arrays:
            arrays[self.pre_process.layer] = self.pre_process.apply(arrays[self.pre_process.layer])
        return plan, arrays

    def _arrays(self, feeds: Any, needed: set[int], report: Report) -> dict[int, np.ndarray]:
        """The feeds as arrays, by layer id, of the Parameters that are needed."""
        if self._expected is not None and (usual := as_they_are(feeds, self._expected)) is not None:
            return usual
        given = gather(feeds, self._inputs_by_name, len(self._parameters), report)
        misnamed = len(report) and any([finding.code == "IR603" for finding in report])
        arrays: dict[int, np.ndarray] = {}
        for position, (layer, tensor) in enumerate(zip(self._parameter_ids, self.inputs, strict=True)):
            if position in given:
                array = as_input(tensor.name, given[position], tensor.element_type, tensor.shape, report)
                if array is not None and layer in needed:
                    arrays[layer] = array
            elif layer in needed and layer in self._defaults:
                arrays[layer] = self._defaults[layer]
            elif layer in needed and not misnamed:
                call = self._call_by_id[layer]
                hint = f"the inputs are {listed(self.inputs)}"
                report.add("IR602", f"input {tensor} is not given", call.document.place(call.layer.at), hint=hint)
        return arrays

    @cached_property
    def _expected(self) -> list[Expected] | None:
        """The inputs, if all are of static shape and no name is that of two."""
        named_once = all(len(self._inputs_by_name[tensor.name]) == 1 for tensor in self.inputs)
        expected = [
            Expected(layer, tensor.name, tensor.element_type.dtype, tensor.shape.extents)
            for layer, tensor in zip(self._parameter_ids, self.inputs, strict=True)
            if tensor.shape.extents is not None and not tensor.element_type.is_storage
        ]
        return expected if named_once and len(expected) == len(self.inputs) else None

    @cached_property
    def _parameter_ids(self) -> tuple[int, ...]:
        return tuple(call.layer.id for call in self._parameters)

    @cached_property
    def _inputs_by_name(self) -> dict[str, tuple[int, ...]]:
        """The positions of the inputs that answer to each name."""
        names: dict[str, tuple[int, ...]] = {}
        for position, call in enumerate(self._parameters):
            for name in dict.fromkeys(self._input_names(call.layer)):
                names[name] = (*names.get(name, ()), position)
        return names

    @cached_property
    def _plans(self) -> dict[tuple[Value, ...], Plan]:
        return {}

    def _plan(self, request: _Request) -> Plan:
        plan = self._plans.get(request.values)
        if plan is None:
            plan = execute.make_plan(self._calls_of(request), self._facts, request.values)
            self._plans[request.values] = plan
        return plan

    def _calls_of(self, request: _Request) -> list[Call]:
        return [call for call in self._calls if call.layer.id in request.needed]

    def _plan_for(self, arrays: Mapping[int, np.ndarray], request: _Request, report: Report) -> Plan:
        """The plan with what the arrays make known: their shapes, and the values of small integer ones."""
        given: dict[int, Fact] = {}
        for call in self._parameters:
            array = arrays.get(call.layer.id)
            if array is not None:
                fact = Fact.of(self._facts[call.layer.id, 0].type, array)
                given[call.layer.id] = (
                    fact if array.dtype.kind in "iub" and array.size <= VALUE_LIMIT else fact.without_value()
                )
        calls = self._calls_of(request)
        inferring = Report()
        facts = infer(calls, inferring, given, declared=False)
        known = {(finding.code, finding.message) for finding in self.findings}
        report.extend(finding for finding in inferring.findings if (finding.code, finding.message) not in known)
        if any(finding.rule.blocks is not Blocks.NOTHING for finding in report.findings):
            raise self._error(report)
        return execute.make_plan(calls, facts, request.values)

    def _check_peak(self, plan: Plan, budget: Budget, report: Report) -> None:
        peak, step = plan.peak
        if step is not None and not budget.allows(peak, step.call, step.facts, report):
            raise Failed

    def _error(self, report: Report) -> IRError:
        """The error of a run: its own findings, the ones that stopped it first."""
        stops = [finding for finding in report.findings if finding.rule.blocks is not Blocks.NOTHING]
        return IRError(stops or report.findings)

    def _other_names(self, wanted: Mapping[str, Value]) -> dict[str, str]:
        """Every other name of a wanted tensor, and the key it has in the results."""
        keys = {value: name for name, value in reversed(list(wanted.items()))}
        aliases: dict[str, str] = {}
        for output in self._outputs:
            for name in (output.name, *output.names):
                if output.value in keys:
                    aliases.setdefault(name, output.name if output.name in wanted else keys[output.value])
        for name, value in self._tensor_by_name.items():
            if value in keys:
                aliases.setdefault(name, keys[value])
        return aliases
