"""What a mutant is given to: each target takes the bytes of a file, and either works or raises IRError."""

from __future__ import annotations

import io
import os
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from irrun import IRError
from irrun.arrayfile import ArrayFileError, read_array
from irrun.check import check_bytes
from irrun.diag import Finding, Report
from irrun.diag.render.concise import render_concise
from irrun.diag.render.github import render_github
from irrun.diag.render.json import render_json
from irrun.diag.render.sarif import render_sarif
from irrun.mend import mend
from irrun.pipeline import open_model
from tests.fuzz.mutate import Original
from tests.models import AXES, MEAN

ROOT = Path(__file__).parent.parent.parent
_LARGEST = 20_000
_MOST_FED = 100_000


@dataclass(frozen=True)
class Target:
    """A kind of file: what it is made from, and what is done with it."""

    name: str
    collect: Callable[[], Iterator[Original]]
    attack: Callable[[Original], None]

    @cached_property
    def originals(self) -> Sequence[Original]:
        return sorted(set(self.collect()))


# what is done


def attack_model(mutant: Original) -> None:
    """Read and run a model, as the library does."""
    try:
        model = open_model(io.BytesIO(mutant.data), Report(), weights=mutant.weights or bytes(64))
        show(model.findings)
        feeds = {place: small_numbers(tensor) for place, tensor in enumerate(model.inputs)}
        show(model.run({place: array for place, array in feeds.items() if array is not None}).findings)
    except IRError as error:
        show(error.findings)


def show(findings: Sequence[Finding]) -> None:
    """Findings as text; of the mistakes that irrun finds in its own rules and kernels there are none."""
    str(Report(findings[:50]))
    mistakes = [finding for finding in findings if finding.code == "IR609"]
    assert not mistakes, str(Report(mistakes[:3]))


def small_numbers(tensor) -> np.ndarray | None:
    """0, 1, 2, 0, ... for an input, unknown dims being 2, or None where that is too much or of no type."""
    extents = [dim.low if dim.is_static else max(dim.low, min(2, dim.high or 2)) for dim in tensor.shape.dims or ()]
    count = int(np.prod(extents, dtype=object))
    if count > _MOST_FED or len(extents) > 32 or tensor.element_type.name == "dynamic":
        return None
    return np.resize(np.arange(3), count).astype(tensor.element_type.dtype).reshape(extents)


def attack_check(mutant: Original) -> None:
    """Check a model, a fragment or a page, show what was found in every format, and mend it."""
    report = Report()
    try:
        check_bytes("page", mutant.data, report, weights=mutant.weights)
    except IRError as error:
        report = Report(error.findings)
    show(report.findings)
    shown = Report(report.findings[:50])
    render_concise(shown)
    render_github(shown)
    render_json(shown, "0")
    render_sarif(shown, "0")
    mended = mend("page", mutant.data, weights=mutant.weights)
    assert mend("page", mended.data, weights=mutant.weights).data == mended.data, "a second --fix changes something"


def attack_bin(mutant: Original) -> None:
    """Run a model with these weights."""
    for text in (MEAN, MEAN.replace('"i64"', '"string"'), MEAN.replace('"i64"', '"u3"')):
        try:
            model = open_model(io.BytesIO(text.encode()), Report(), weights=mutant.data)
            show(model.run(np.zeros((2, 3, 4), np.float32)).findings)
        except IRError as error:
            show(error.findings)


def attack_array(mutant: Original) -> None:
    """Read a .npy or .npz and feed it."""
    suffix = ".npz" if mutant.data[:2] == b"PK" else ".npy"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, f"x{suffix}")
        Path(path).write_bytes(mutant.data)
        try:
            array = read_array(f"{path}:data" if suffix == ".npz" else path)
            open_model(io.BytesIO(MEAN.encode()), Report(), weights=AXES).run({"data": array})
        except IRError as error:
            show(error.findings)
        except ArrayFileError as error:
            str(error)


# what it is made from


def _roots() -> list[Path]:
    """The project's folders, and the shared data where there is some."""
    shared = os.environ.get("IRRUN_SHARED")
    return [ROOT / "examples", ROOT / "tests", *([Path(shared)] if shared else [])]


def _files(*suffixes: str) -> Iterator[Path]:
    for root in _roots():
        for path in sorted(root.rglob("*")):
            if path.suffix in suffixes and path.stat().st_size < _LARGEST:
                yield path


def _models() -> Iterator[Original]:
    """Every .xml with its .bin, those in archives too."""
    yield Original(MEAN.encode(), AXES)
    for path in _files(".xml"):
        weights = path.with_suffix(".bin")
        yield Original(path.read_bytes(), weights.read_bytes() if weights.exists() else b"")
    for root in _roots():
        for archive in sorted(root.glob("*.tar.gz")):
            yield from _archived(archive)


def _archived(archive: Path) -> Iterator[Original]:
    found: dict[str, dict[str, bytes]] = {}
    with tarfile.open(archive) as file:
        for member in file:
            stem, suffix = os.path.splitext(member.name)
            if suffix in (".xml", ".bin") and member.size < _LARGEST:
                content = file.extractfile(member)
                assert content is not None, "a file, not a link"
                found.setdefault(stem, {})[suffix] = content.read()
    for parts in found.values():
        if ".xml" in parts:
            yield Original(parts[".xml"], parts.get(".bin", b""))


def _texts() -> Iterator[Original]:
    yield Original(f"# A page\n\n```xml\n{MEAN}\n```\n".encode())
    for path in _files(".xml", ".md", ".txt"):
        yield Original(path.read_bytes())


def _weights() -> Iterator[Original]:
    yield Original(AXES)
    yield Original(bytes(range(64)))
    for path in _files(".bin"):
        yield Original(path.read_bytes())


def _arrays() -> Iterator[Original]:
    file = io.BytesIO()
    np.savez(file, data=np.zeros((2, 3, 4), np.float32))
    yield Original(file.getvalue())
    for path in _files(".npy"):
        yield Original(path.read_bytes())


TARGETS = (
    Target("model", _models, attack_model),
    Target("check", _texts, attack_check),
    Target("bin", _weights, attack_bin),
    Target("array", _arrays, attack_array),
)
