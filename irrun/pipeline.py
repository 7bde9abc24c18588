"""The passes in one place: read, build, bind, infer; then a Model can run."""

from __future__ import annotations

import errno
import gc
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from irrun.alone import stand_alone
from irrun.bind import bind
from irrun.diag import IRError, Report
from irrun.execute import is_parameter
from irrun.graph import build
from irrun.infer import infer
from irrun.ir.fragment import read_fragment
from irrun.ir.pages import Example, find_examples
from irrun.ir.reader import decoded, is_net, read_document
from irrun.ir.weights import Weights, WeightsError, beside, open_weights, weights_in_memory
from irrun.model import Model
from irrun.preprocess import read_pre_process
from irrun.reshape import with_shapes
from irrun.results import Results
from irrun.source import At, Source
from irrun.structure import review
from irrun.types.shape import Shape

Readable = str | os.PathLike[str] | BinaryIO | TextIO
_LISTED = 20
WeightsLike = str | os.PathLike[str] | bytes | bytearray | memoryview | None


def load_ir(
    path: Readable,
    *,
    weights: WeightsLike = None,
    strict: bool = False,
    shapes: Mapping[str, Shape] | None = None,
    layer: int | None = None,
) -> Model:
    """Load an IR model.

    `path` is an .xml file, or an open binary file (which has no .bin beside it); `weights` names another .bin, or
    holds its bytes. With `strict`, a contradiction between declared and inferred ports stops a run. `shapes` fixes dims
    of inputs that the model leaves open, by tensor name, layer name or index.

    A fragment, or a page with examples, gives the model of one bare layer: its input ports are the model's inputs.
    Where there are several, `layer` says which, by position.

    Raises IRError if the file cannot be read, or if an error in it stops what its outputs depend on.
    """
    report = Report()
    model = open_model(path, report, weights=weights, strict=strict, shapes=shapes, layer=layer)
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
    layer: int | None = None,
) -> Results:
    """Load an IR model and run it once: `Model.run` says what `feeds` and `outputs` may be. Raises IRError."""
    model = open_model(path, Report(), weights=weights, strict=strict, layer=layer)
    return model.run(feeds, outputs, max_memory=max_memory)


def open_model(
    path: Readable,
    report: Report,
    *,
    weights: WeightsLike = None,
    strict: bool = False,
    shapes: Mapping[str, Shape] | None = None,
    layer: int | None = None,
) -> Model:
    """A Model, however faulty, with its findings in `report`.

    Raises IRError only where no document can be made of the file.
    """
    name, data, directory = content_of(path, report)
    return open_text(
        name, data, report, weights=weights, directory=directory, strict=strict, shapes=shapes, layer=layer
    )


def open_text(
    name: str,
    data: bytes,
    report: Report,
    *,
    weights: WeightsLike,
    directory: Path | None,
    strict: bool = False,
    shapes: Mapping[str, Shape] | None = None,
    layer: int | None = None,
) -> Model:
    """The passes, over the bytes of an .xml; `directory` is the file a .bin may lie beside."""
    if not is_net(data) or layer is not None:
        source = decoded(name, data, report)
        examples = find_examples(source.text)
        if examples:
            stored = weights_of(weights, directory)
            return _open_layer(source, examples, layer, stored, report, strict=strict, shapes=shapes)
    stored = weights_of(weights, directory)
    with collecting_later():
        document = read_document(name, data, report)
        graph = build(document, report)
        calls = bind(graph, stored, report)
        review(graph, report)
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


@contextmanager
def collecting_later() -> Iterator[None]:
    """No garbage collection meanwhile: loading makes many objects and no garbage, so that it would only walk them."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _open_layer(
    source: Source,
    examples: Iterable[Example],
    layer: int | None,
    stored: Weights | WeightsError,
    report: Report,
    *,
    strict: bool,
    shapes: Mapping[str, Shape] | None,
) -> Model:
    """The model of one of the layers that stand alone in a text."""
    found = [
        (example, fragment, each)
        for example in examples
        for fragment in [read_fragment(source, report, *example.span, example.text)]
        for each in fragment.layers
    ]
    if (layer is None and len(found) != 1) or (layer or 0) >= len(found):
        listed = ", ".join(
            f"{number} {each.type} (line {source.position(span.start)[0]})"
            for number, (_, fragment, each) in enumerate(found[:_LISTED])
            if (span := fragment.elements.tag(each.at)) is not None
        )
        wanted = "" if layer is None else f", and no layer {layer}"
        hint = f"choose one with --layer: {listed}{', ...' if len(found) > _LISTED else ''}" if found else None
        report.add("IR614", f"{source.name} holds {len(found)} bare layers{wanted}", At(source), hint=hint)
        raise IRError(report.findings)
    example, fragment, each = found[layer or 0]
    alone = stand_alone(fragment, each, example.versions, stored, report, known=False, strict=strict, shapes=shapes)
    return alone.model


def content_of(path: Readable, report: Report) -> tuple[str, bytes, Path | None]:
    """The name of a file, its bytes, and its path, where it has one; raises IRError where it cannot be read."""
    if not isinstance(path, (str, os.PathLike)):
        content = path.read()
        return str(getattr(path, "name", "<file>")), content.encode() if isinstance(content, str) else content, None
    name = os.fspath(path)
    try:
        return name, _all_of(name), Path(name)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        report.add("IR001", f"{name} cannot be read: {reason}", At(Source(name, "")))
        raise IRError(report.findings) from None


def _all_of(path: str) -> bytes:
    """The bytes of a file or a pipe; those of a device have no end."""
    with open(path, "rb") as file:
        if stat.S_ISCHR(os.fstat(file.fileno()).st_mode) and not file.isatty():
            raise OSError(errno.EINVAL, "a device, not a file")
        return file.read()


def weights_of(weights: WeightsLike, directory: Path | None) -> Weights | WeightsError:
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
