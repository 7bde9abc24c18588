"""Tensors to .npy and .npz files, safely: all new files appear whole and together, or none does.

Names of tensors come from files that others wrote: they become file names inside the directory that was asked for,
whatever they hold. Each file is written beside its target under a passing name and then put in its place.
"""

from __future__ import annotations

import json
import os
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Any, Self

import numpy as np

from irrun.types.element import STRING, ElementType

INDEX = "index.json"
_LONGEST = 100
_PIECE = 16 << 20
_OF_ANOTHER_PACKAGE = 2
"""What `dtype.isbuiltin` is for ml_dtypes' types; their kinds are V, and f for f8e5m2."""
_RESERVED = {"con", "prn", "aux", "nul", *(f"{name}{digit}" for name in ("com", "lpt") for digit in range(10))}
"""Names that Windows gives to devices, in any directory and with any ending."""


class SaveError(Exception):
    """A file cannot be written; `path` is its name."""

    def __init__(self, path: str, said: str) -> None:
        super().__init__(f"{path} cannot be written: {said}")
        self.path = path


@dataclass(frozen=True, slots=True, eq=False)
class Saved:
    """A tensor to save: the name it was asked by, its tensor names, its layer, and its element type."""

    name: str
    names: tuple[str, ...]
    layer_id: int
    layer_name: str
    element_type: ElementType
    array: np.ndarray


# names


def safe_names(names: Iterable[str]) -> list[str]:
    """A file name without ending for each name: of letters, digits and `._-`, short, different in any letter case."""
    taken: set[str] = set()
    found = []
    for name in names:
        first = stem = _safe_name(name)
        number = 1
        while unicodedata.normalize("NFKC", stem).casefold() in taken:
            number += 1
            stem = f"{first}-{number}"
        taken.add(unicodedata.normalize("NFKC", stem).casefold())
        found.append(stem)
    return found


def _safe_name(name: str) -> str:
    stem = "".join(char if char.isalnum() or char in "._-" else "_" for char in name)
    stem = stem.encode("utf-8", "replace")[:_LONGEST].decode("utf-8", "ignore")
    stem = stem.rstrip(".") if stem[:1] not in ".-" else f"_{stem[1:].rstrip('.')}"
    return f"_{stem}" if stem.partition(".")[0].casefold() in _RESERVED or not stem else stem


def is_safe_key(name: str) -> bool:
    """Whether a name can be a key in an .npz: unpacking it would stay inside the directory where that is done."""
    parts = name.replace("\\", "/").split("/")
    relative = parts[0] != "" and ":" not in parts[0] and ".." not in parts
    return relative and name.isprintable() and len(name) <= _LONGEST


def archive_keys(names: Sequence[str]) -> list[str]:
    """A key in an .npz for each name: the name itself where that is safe."""
    keys: dict[str, None] = {}
    own = {name for name in names if is_safe_key(name)}
    for name, stem in zip(names, safe_names(names), strict=True):
        key = name if name in own else stem
        while key in keys or (key in own and key != name):
            key += "_"
        keys[key] = None
    return list(keys)


# files


class Staging:
    """Files that are written under passing names and appear when the block ends; where it fails, none does.

    Raises SaveError. What is there under a target's name is replaced, never written through: a link stays unfollowed.
    """

    def __init__(self) -> None:
        self._written: list[tuple[str, str]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            while kind is None and self._written:
                passing, target = self._written[0]
                with _told(target):
                    os.replace(passing, target)
                del self._written[0]
        finally:
            for passing, _ in self._written:
                with suppress(OSError):
                    os.unlink(passing)

    @contextmanager
    def open(self, target: str) -> Iterator[IO[bytes]]:
        """A new file for what `target` shall hold."""
        directory, name = os.path.split(target)
        passing = os.path.join(directory, f".{name[:40]}.{os.urandom(6).hex()}.tmp")
        with _told(target):
            if os.path.exists(target) and not os.path.isfile(target):
                raise OSError(0, "it is a directory" if os.path.isdir(target) else "it is a device, not a file")
            with open(passing, "xb") as file:
                self._written.append((passing, target))
                yield file
                file.flush()
                os.fsync(file.fileno())


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Errors of the system as SaveError."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise SaveError(path, getattr(error, "strerror", None) or str(error)) from None


def save_npy(staging: Staging, target: str, array: np.ndarray, type: ElementType) -> None:
    """Save one tensor as .npy."""
    with staging.open(target) as file:
        _write_npy(file, storable(array, type))


def save_npz(staging: Staging, target: str, tensors: Mapping[str, tuple[np.ndarray, ElementType]]) -> None:
    """Save tensors by key as an uncompressed .npz."""
    with staging.open(target) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for key, (array, type) in tensors.items():
            # A ZipInfo of its own has a fixed date: the same tensors give the same bytes.
            with archive.open(zipfile.ZipInfo(f"{key}.npy"), "w", force_zip64=True) as entry:
                _write_npy(entry, storable(array, type))


def save_directory(staging: Staging, directory: str, tensors: Sequence[Saved]) -> list[str]:
    """Save each tensor as .npy in a directory, made if it is not there, beside an index.json; return the paths."""
    with _told(directory):
        os.makedirs(directory, exist_ok=True)
    files = [f"{stem}.npy" for stem in safe_names(tensor.name for tensor in tensors)]
    rows = []
    for file, tensor in zip(files, tensors, strict=True):
        save_npy(staging, os.path.join(directory, file), tensor.array, tensor.element_type)
        rows.append(_index_row(file, tensor))
    with staging.open(os.path.join(directory, INDEX)) as index:
        index.write(json.dumps({"tensors": rows}, indent=1).encode() + b"\n")
    return [os.path.join(directory, file) for file in files]


def directory_targets(directory: str, names: Sequence[str]) -> list[str]:
    """The paths that `save_directory` would write for tensors of these names."""
    return [os.path.join(directory, file) for file in (*(f"{stem}.npy" for stem in safe_names(names)), INDEX)]


def _index_row(file: str, tensor: Saved) -> dict[str, Any]:
    return {
        "file": file,
        "name": tensor.name,
        "names": list(tensor.names),
        "layer": {"id": tensor.layer_id, "name": tensor.layer_name},
        "element_type": tensor.element_type.name,
        "shape": list(tensor.array.shape),
        "dtype": stored_dtype(tensor.array.dtype).name,
    }


# arrays


def stored_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype in the file: bf16 and narrower floats, which .npy does not know, become f32, strings fixed-width."""
    if dtype.isbuiltin == _OF_ANOTHER_PACKAGE:
        return np.dtype(np.float32)
    return np.dtype(np.str_) if dtype.kind == "T" else dtype


def storable(array: np.ndarray, type: ElementType) -> np.ndarray:
    """The array as .npy can hold it; every value stays the same. Raises ValueError where one would not."""
    if type is STRING:
        texts = array.reshape(-1).tolist()
        if any(text.endswith("\0") for text in texts):
            raise ValueError("a string ends with a NUL character, which .npy cannot hold")
        return np.array(texts, np.str_).reshape(array.shape)
    return plain(array)


def plain(array: np.ndarray) -> np.ndarray:
    """The array with a dtype of NumPy's own: ml_dtypes' floats become f32, which holds all their values."""
    return array.astype(np.float32) if array.dtype.isbuiltin == _OF_ANOTHER_PACKAGE else array


def _write_npy(file: IO[bytes], array: np.ndarray) -> None:
    """Write header and elements; unlike ndarray.tofile, a full disk is an OSError that says so."""
    header = {
        "descr": np.lib.format.dtype_to_descr(array.dtype),
        "fortran_order": False,
        "shape": array.shape,
    }
    np.lib.format.write_array_header_1_0(file, header)
    data = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    for start in range(0, data.size, _PIECE):
        file.write(data[start : start + _PIECE].data)
