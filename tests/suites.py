"""Archives of model cases: where they are unpacked, which cases irrun can run, and how results are compared."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from irrun.ops import REGISTRY, opsets
from irrun.types.element import ElementType
from irrun.types.packing import unpack
from irrun.types.shape import Shape

Case = dict[str, Any]


def unpacked(archive: Path, target: Path) -> tuple[Path, list[Case]]:
    """The folder of an archive, unpacked under `target`, and the cases of its manifest."""
    with tarfile.open(archive) as file:
        file.extractall(target, filter="data")
    folder = target / archive.name.removesuffix(".tar.gz")
    manifest = json.loads((folder / "manifest.json").read_text())
    return folder, manifest["cases"] if isinstance(manifest, dict) else manifest


def runnable(layers: Mapping[str, int]) -> bool:
    """Whether irrun has all of these operations, each written `Type@opset1`."""
    facts = [_fact(*name.split("@")) for name in layers]
    return all(fact is not None and (fact.type, fact.version) in REGISTRY for fact in facts)


def _fact(type: str, opset: str) -> opsets.OpsetFact | None:
    return opsets.held_by("Constant" if type == "Const" else type, opsets.OPSETS[opset])


def array_of(stored: np.ndarray, type: ElementType, shape: Sequence[int]) -> np.ndarray:
    """An array of an archive; types that NumPy lacks are stored as the bytes that the .bin has."""
    if stored.dtype.kind == "U":
        return stored.astype(type.dtype)
    if stored.dtype == type.dtype and not type.is_storage:
        return stored
    if type.bits < 8 or stored.dtype != type.dtype:
        return unpack(type, np.ascontiguousarray(stored).view(np.uint8).ravel(), int(np.prod(shape))).reshape(shape)
    return stored


def difference(got: np.ndarray, wanted: np.ndarray, rtol: float, atol: float) -> str:
    """What distinguishes two arrays, or nothing: floats within the tolerance, NaN equal, all else the same."""
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        return f"{got.dtype}{list(got.shape)}, not {wanted.dtype}{list(wanted.shape)}"
    if got.dtype.kind in "iubT":
        wrong = got != wanted
    else:
        with np.errstate(invalid="ignore"):
            a, b = got.astype(np.float64), wanted.astype(np.float64)
            wrong = ~np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=True)
    if not wrong.any():
        return ""
    place = tuple(int(index) for index in np.argwhere(wrong)[0])
    return f"{np.count_nonzero(wrong)} of {wrong.size} differ, the first at {list(place)}: {got[place]}, not {wanted[place]}"


def tighter(shape: Shape, other: Shape) -> bool:
    """Whether the shape admits nothing that the other does not admit."""
    met = shape.meet(other)
    return met is not None and met == shape
