"""The passes in one place: read, build, bind, infer; then a Model can run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from irrun.bind import bind
from irrun.diag import IRError, Report
from irrun.execute import is_parameter
from irrun.graph import build
from irrun.infer import infer
from irrun.ir.reader import read_document
from irrun.ir.weights import Weights, WeightsError, beside, open_weights, weights_in_memory
from irrun.model import Model, Results
from irrun.preprocess import read_pre_process
from irrun.reshape import with_shapes
from irrun.source import At, Source
from irrun.structure import review
from irrun.types.shape import Shape

Readable = str | os.PathLike[str] | BinaryIO
WeightsLike = str | os.PathLike[str] | bytes | bytearray | memoryview | None


def load_ir(
    path: Readable,
    *,
    weights: WeightsLike = None,
    strict: bool = False,
    shapes: Mapping[str, Shape] | None = None,
) -> Model:
    """Load an IR model.

    `path` is an .xml file, or an open binary file (which has no .bin beside it); `weights` names another .bin, or
    holds its bytes. With `strict`, a contradiction between declared and inferred ports stops a run. `shapes` fixes dims
    of inputs that the model leaves open, by tensor name, layer name or index.

    Raises IRError if the file cannot be read, or if an error in it stops what its outputs depend on.
    """
    report = Report()
    model = open_model(path, report, weights=weights, strict=strict, shapes=shapes)
    model.require()
    return model


def run_ir(
    path: Readable,
    feeds: Any = None,
    *,
    weights: WeightsLike = None,
    outputs: Iterable[str | int] | None = None,
    strict: bool = False,
    max_memory: int | None = None,
) -> Results:
    """Load an IR model and run it once: `Model.run` says what `feeds` and `outputs` may be. Raises IRError."""
    model = open_model(path, Report(), weights=weights, strict=strict)
    return model.run(feeds, outputs, max_memory=max_memory)


def check_ir(path: Readable | None = None, *, text: str | None = None, weights: WeightsLike = None) -> Report:
    """All findings about an IR model, from a file or a text; what is wrong with it is never raised."""
    report = Report()
    try:
        if text is not None:
            open_text("<text>", text.encode(), report, weights=weights, directory=None)
        elif path is not None:
            open_model(path, report, weights=weights)
        else:
            raise TypeError("check_ir() takes a path or a text")
    except IRError as error:
        return Report(error.findings)
    return report


def open_model(
    path: Readable,
    report: Report,
    *,
    weights: WeightsLike = None,
    strict: bool = False,
    shapes: Mapping[str, Shape] | None = None,
) -> Model:
    """A Model, however faulty, with its findings in `report`.

    Raises IRError only where no document can be made of the file.
    """
    if isinstance(path, (str, os.PathLike)):
        name = os.fspath(path)
        data = _content(name, report)
        return open_text(name, data, report, weights=weights, directory=Path(name), strict=strict, shapes=shapes)
    name = str(getattr(path, "name", "<file>"))
    content: Any = path.read()
    data = content.encode() if isinstance(content, str) else content  # a file that was opened as text
    return open_text(name, data, report, weights=weights, directory=None, strict=strict, shapes=shapes)


def open_text(
    name: str,
    data: bytes,
    report: Report,
    *,
    weights: WeightsLike,
    directory: Path | None,
    strict: bool = False,
    shapes: Mapping[str, Shape] | None = None,
) -> Model:
    """The passes, over the bytes of an .xml; `directory` is the file a .bin may lie beside."""
    document = read_document(name, data, report)
    stored = _weights(weights, directory)
    graph = build(document, report)
    review(graph, report)
    calls = bind(graph, stored, report)
    if shapes:
        calls = with_shapes(document, calls, shapes, report)
    facts = infer(calls, report)
    parameters = {
        call.layer.id: (facts[call.layer.id, 0].type, facts[call.layer.id, 0].shape.extents)
        for call in calls
        if is_parameter(call) and call.layer.outputs
    }
    pre_process = read_pre_process(document, parameters, stored, report)
    return Model(graph, calls, facts, report, stored, pre_process, strict)


def _content(name: str, report: Report) -> bytes:
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        report.add("IR001", f"{name} cannot be read: {reason}", At(Source(name, "")))
        raise IRError(report.findings) from None


def _weights(weights: WeightsLike, directory: Path | None) -> Weights | WeightsError:
    """The weights that were named, or those beside the .xml; a file that is missing matters only to a Const."""
    if isinstance(weights, (bytes, bytearray, memoryview)):
        return weights_in_memory(weights)
    try:
        if weights is not None:
            return open_weights(weights)
        if directory is None:
            return WeightsError("IR501", "no weights were given")
        return open_weights(beside(directory))
    except WeightsError as error:
        return error
