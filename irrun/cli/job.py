"""A run as the command line asks for it: open, feed, run, save, compare."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import click
import numpy as np

from irrun.cli.feeding import UNREAD, Feeds, split_at_known
from irrun.cli.options import InputShape
from irrun.cli.outcome import Expected, Outcome, Output
from irrun.cli.targets import Target, guard, parse_target
from irrun.compare import Comparison, compare
from irrun.diag import Blocks, IRError, Report
from irrun.diag.render.text import printable
from irrun.execute import Done
from irrun.feeds import as_input, raw_bits
from irrun.ir.weights import beside
from irrun.model import Model
from irrun.pipeline import open_model
from irrun.results import Results
from irrun.save import Saved, SaveError, Staging, archive_keys, save_npz
from irrun.types.element import ElementType
from irrun.types.shape import Shape, parse_shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The options of `irrun run`, as they were given; `watch` is called with each layer that is done."""

    model: str
    inputs: Sequence[str] = ()
    archives: Sequence[str] = ()
    outputs: Sequence[str] = ()
    saves: Sequence[str] = ()
    expects: Sequence[str] = ()
    rtol: float | None = None
    atol: float | None = None
    weights: str | None = None
    strict: bool = False
    max_memory: int | None = None
    seed: int | None = None
    save_inputs: str | None = None
    shapes: Sequence[InputShape] = ()
    layer: int | None = None
    watch: Callable[[Model, Done], None] | None = None


def perform(request: Request) -> Outcome:
    """Do what is requested. Raises click.UsageError where that makes no sense; all other trouble is in the outcome."""
    outcome = Outcome(request.model)
    try:
        model = open_model(
            opened(request.model),
            Report(),
            weights=request.weights,
            strict=request.strict,
            shapes=shapes_of(request.shapes),
            layer=request.layer,
        )
        outcome.add(model.findings)
        gc.enable()  # main() has turned it off for the start
        _Job(request, model, outcome).run()
    except IRError as error:
        outcome.stop(error.findings)
    return outcome


def opened(path: str) -> str | BinaryIO:
    """What to read a model from: `-` is stdin."""
    return sys.stdin.buffer if path == "-" else path


def shapes_of(given: Sequence[InputShape]) -> dict[str, Shape]:
    """The shapes of --shape by name."""
    shapes: dict[str, Shape] = {}
    for name, dims in given:
        if name in shapes:
            raise click.UsageError(f"the shape of {printable(name)} is given twice")
        try:
            shapes[name] = parse_shape(dims)
        except ValueError as error:
            raise click.UsageError(f"--shape {printable(name)}: {error}") from None
    return shapes


class _Job:
    """One run of one model."""

    def __init__(self, request: Request, model: Model, outcome: Outcome) -> None:
        self._request = request
        self._model = model
        self._outcome = outcome
        self._report = Report()
        self._feeds = Feeds(model, self._report, request.max_memory)
        self._wanted: list[str] = []
        self._output_names = {output.name: output.names for output in model.outputs}

    def run(self) -> None:
        """Everything in order. Raises IRError where it ends early."""
        self._model.needed_inputs(self._request.outputs or None)  # says what is wrong with the model and the names
        self._wanted += dict.fromkeys(self._request.outputs) or [output.name for output in self._model.outputs]
        self._feed()
        expects = [self._reference(text) for text in self._request.expects]
        targets = [parse_target(text, self._known, self._key, self._wanted) for text in self._request.saves]
        self._guard(targets)
        if self._request.seed is not None:
            self._feeds.fill(self._request.seed, self._model.needed_inputs(self._wanted))
        self._raise_reported()
        given, sources = self._feeds.given, self._feeds.sources
        self._outcome.inputs = [
            (tensor, sources[given[place]] if place in given else None)
            for place, tensor in enumerate(self._model.inputs)
        ]
        if self._request.save_inputs is not None:
            self._save_inputs(self._request.save_inputs)
        results = self._results()
        self._outcome.add(results.findings)
        self._outcome.outputs = [self._output(name, array, results.types[name]) for name, array in results.items()]
        for key, source, reference in expects:
            self._compare(key, source, reference)
        self._save(targets)

    # before the run

    def _feed(self) -> None:
        for text in self._request.inputs:
            self._feeds.add(text)
        for path in self._request.archives:
            self._feeds.add_archive(path)

    def _known(self, name: str) -> bool:
        return self._model.find(name) is not None

    def _key(self, name: str) -> str:
        """The wanted output that a name stands for; one more is wanted if it is none of them."""
        value = self._model.find(name)
        if name in self._wanted:
            return name
        for key in self._wanted:
            if value is not None and self._model.find(key) == value:
                return key
        self._wanted.append(name)
        return name

    def _reference(self, text: str) -> tuple[str, str, Any]:
        """NAME=VALUE of --expect as the key of an output, where the reference comes from, and the reference."""
        found = split_at_known(text, self._known)
        if found is None and "=" not in text and len(self._wanted) == 1:
            found = self._wanted[0], text
        if found is None:
            name, sign, value = text.partition("=")
            if not sign:
                raise click.UsageError(f"--expect {printable(text)}: NAME=FILE.npy is expected")
            found = name, value
        key = self._key(found[0])
        return key, found[1], self._feeds.read(f"the reference of {key}", found[1], self._names(key))

    def _names(self, key: str) -> tuple[str, ...]:
        """All names of an output, or of the tensor of a layer."""
        if key in self._output_names:
            return self._output_names[key]
        value = self._model.find(key)
        if value is None:
            return (key,)
        layer = self._model.document.layer_by_id[value[0]]
        return tuple(dict.fromkeys((key, *layer.outputs[value[1]].names, layer.name)))

    def _guard(self, targets: Sequence[Target]) -> None:
        """Refuse to write over what is read."""
        model = self._request.model
        reads = [*self._feeds.files]
        if model != "-":
            reads += [model, os.fspath(beside(Path(model)))]
        if self._request.weights is not None:
            reads.append(self._request.weights)
        paths = [path for target in targets for path in target.paths(self._wanted)]
        if self._request.save_inputs is not None:
            paths.append(self._request.save_inputs)
        guard(paths, reads)

    def _raise_reported(self) -> None:
        if any(finding.rule.blocks is not Blocks.NOTHING for finding in self._report.findings):
            raise IRError(self._report.findings)

    # the run

    def _results(self) -> Results:
        feeds, watch = self._feeds.values, self._request.watch
        if watch is None:
            return self._model.run(feeds, self._wanted, max_memory=self._request.max_memory)
        steps = self._model.trace(feeds, self._wanted, max_memory=self._request.max_memory)
        while True:
            try:
                done = next(steps)
            except StopIteration as end:
                results: Results = end.value
                return results
            watch(self._model, done)

    def _output(self, name: str, array: np.ndarray, type: ElementType) -> Output:
        value = self._model.find(name)
        assert value is not None, "a run gives what exists"
        layer = self._model.document.layer_by_id[value[0]]
        return Output(Saved(name, self._names(name), layer.id, layer.name, type, array))

    # after the run

    def _save_inputs(self, path: str) -> None:
        """The feeds as the model takes them, by a name that --inputs finds again."""
        converted: dict[str, tuple[np.ndarray, ElementType]] = {}
        tensors = self._model.inputs
        given = self._feeds.given
        for place, (key, tensor) in enumerate(zip(archive_keys([each.name for each in tensors]), tensors, strict=True)):
            if place in given:
                value = self._feeds.values[given[place]]
                array = as_input(tensor.name, value, tensor.element_type, tensor.shape, Report())
                if array is not None:
                    own = key == tensor.name and self._feeds.position(key) == place
                    converted[key if own else str(place)] = array, tensor.element_type
        self._stage(lambda staging: save_npz(staging, path, converted))

    def _save(self, targets: Sequence[Target]) -> None:
        outputs = {output.tensor.name: output for output in self._outcome.outputs}
        tensors = {name: output.tensor for name, output in outputs.items()}

        def write(staging: Staging) -> None:
            for target in targets:
                target.write(staging, tensors)

        self._stage(write)
        for target in targets:
            for output, path in zip(target.chosen(outputs), target.files(list(outputs)), strict=True):
                output.files.append(path)

    def _stage(self, write: Callable[[Staging], None]) -> None:
        """Write all files of one kind, or none."""
        try:
            with Staging() as staging:
                write(staging)
        except SaveError as error:
            self._report.add("IR612", str(error))
            raise IRError(self._report.findings) from None

    def _compare(self, key: str, source: str, reference: Any) -> None:
        assert reference is not UNREAD, "what could not be read ended the run"
        output = next(each for each in self._outcome.outputs if each.tensor.name == key)
        try:
            expected = raw_bits(np.asarray(reference), output.tensor.element_type)
        except ValueError:
            raise click.UsageError(f"--expect {printable(key)}: the lists are of unequal length") from None
        comparison = compare(output.array, expected, self._request.rtol, self._request.atol)
        output.expected.append(Expected(source, comparison))
        if comparison.said is not None:
            report = Report()
            report.add("IR613", f"output {key} differs from {source}: {comparison.said}", hint=_needed(comparison))
            self._outcome.stop(report.findings)


def _needed(comparison: Comparison) -> str | None:
    """How much it differs, and what tolerance would bear that."""
    if comparison.first is None:
        return None
    largest = f"largest difference {comparison.max_absolute:.6g}, relative {comparison.max_relative:.6g}"
    needs = [f"--atol {comparison.needs_atol:g}"] if comparison.needs_atol is not None else []
    needs += [f"--rtol {comparison.needs_rtol:g}"] if comparison.needs_rtol is not None else []
    return f"{largest}; {' or '.join(needs)} would bear it" if needs else f"{largest}; no tolerance would bear it"
