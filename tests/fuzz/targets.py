"""What a mutant is given to: each target takes the bytes of a file, and either works or raises IRError."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from irrun import IRError, check_ir
from irrun.arrayfile import ArrayFileError, read_array
from irrun.diag import Report
from irrun.pipeline import open_model
from tests.models import AXES, MEAN

ROOT = Path(__file__).parent.parent.parent
_MOST_FED = 100_000


@dataclass(frozen=True)
class Target:
    """A kind of file: what it is made from, and what is done with it."""

    name: str
    originals: tuple[bytes, ...]
    attack: Callable[[bytes], None]


def attack_xml(data: bytes) -> None:
    """Read, check and run a model, as the library and as text."""
    try:
        model = open_model(io.BytesIO(data), Report(), weights=bytes(64))
        for finding in model.findings[:50]:
            str(finding)
        feeds = {place: zeros(tensor) for place, tensor in enumerate(model.inputs)}
        model.run({place: array for place, array in feeds.items() if array is not None})
    except IRError as error:
        str(error)


def zeros(tensor) -> np.ndarray | None:
    """Zeros for an input, unknown dims being 2, or None where that is too much or of no type."""
    extents = [dim.low if dim.is_static else max(dim.low, min(2, dim.high or 2)) for dim in tensor.shape.dims or ()]
    if int(np.prod(extents, dtype=object)) > _MOST_FED or len(extents) > 32 or tensor.element_type.name == "dynamic":
        return None
    return np.zeros(extents, tensor.element_type.dtype)


def attack_bin(data: bytes) -> None:
    """Run a model with these weights."""
    for text in (MEAN, MEAN.replace('"i64"', '"string"'), MEAN.replace('"i64"', '"u3"')):
        try:
            model = open_model(io.BytesIO(text.encode()), Report(), weights=data)
            model.run(np.zeros((2, 3, 4), np.float32))
        except IRError as error:
            str(error)


def attack_array(data: bytes) -> None:
    """Read a .npy or .npz and feed it."""
    suffix = ".npz" if data[:2] == b"PK" else ".npy"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, f"x{suffix}")
        Path(path).write_bytes(data)
        try:
            array = read_array(f"{path}:data" if suffix == ".npz" else path)
            open_model(io.BytesIO(MEAN.encode()), Report(), weights=AXES).run({"data": array})
        except (IRError, ArrayFileError) as error:
            str(error)


def attack_page(data: bytes) -> None:
    """Check a page or a fragment as text."""
    report = check_ir(text=data.decode("utf-8", "replace"))
    for finding in report.findings[:50]:
        str(finding)


def _files(pattern: str, *roots: Path) -> tuple[bytes, ...]:
    found = {
        path.read_bytes() for root in roots for path in sorted(root.rglob(pattern)) if path.stat().st_size < 20_000
    }
    return tuple(sorted(found))


def _npz() -> bytes:
    file = io.BytesIO()
    np.savez(file, data=np.zeros((2, 3, 4), np.float32))
    return file.getvalue()


def targets() -> Sequence[Target]:
    """All targets, over what the project holds, and over the shared data where there is some."""
    roots = [ROOT / "examples", ROOT / "tests"]
    shared = os.environ.get("IRRUN_SHARED")
    pages: tuple[bytes, ...] = (MEAN.encode(), f"# A page\n\n```xml\n{MEAN}\n```\n".encode())
    if shared:
        roots.append(Path(shared) / "cases")
        pages += _files("*.txt", Path(shared) / "spec") + _files("*.xml", Path(shared) / "spec-examples")
    return (
        Target("xml", (MEAN.encode(), *_files("*.xml", *roots)), attack_xml),
        Target("bin", (AXES, bytes(range(64)), *_files("*.bin", *roots)), attack_bin),
        Target("array", (_npz(), *_files("*.npy", *roots)), attack_array),
        Target("page", (*pages, *_files("*.md", ROOT / "tests")), attack_page),
    )
