"""The .bin: memory-mapped, never copied, one read-only view per Const."""

from __future__ import annotations

import errno
import math
import mmap
import os
import stat
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from irrun.ir.reader import LFS_POINTER
from irrun.types.element import ElementType
from irrun.types.packing import unpack

SMALL = 1 << 16
"""A file of up to this many bytes is read at once: a mapping would have to be watched, run after run."""


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The bytes of a .bin, a read-only uint8 array, the name a person knows it by, and the file if it is mapped."""

    name: str
    data: np.ndarray
    path: str | None = None

    def changed(self) -> bool:
        """Whether the mapped file is shorter now than when it was opened: reading beyond its end would be fatal."""
        if self.path is None:
            return False
        try:
            return os.stat(self.path).st_size < self.data.size
        except OSError:
            return False  # removed: the mapping still holds its content


class WeightsError(OSError):
    """The file holds no weights: `code` is the finding's."""

    def __init__(self, code: str, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint


def open_weights(path: str | os.PathLike[str]) -> Weights:
    """Map a .bin, or read it where it is small; opening costs the same for any size.

    Raises WeightsError where the file is missing, is a pipe or a device, a Git LFS pointer, or the .xml itself.
    """
    try:
        with open(path, "rb", opener=_open_regular) as file:
            size = os.fstat(file.fileno()).st_size
            start = file.read(SMALL)
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size > SMALL else None
    except (OSError, ValueError) as error:
        reason = "not found" if isinstance(error, FileNotFoundError) else getattr(error, "strerror", None) or str(error)
        raise WeightsError("IR501", f"weights file {os.fspath(path)}: {reason}") from None
    if start.startswith(LFS_POINTER):
        message = f"weights file {os.fspath(path)} is a Git LFS pointer, not weights"
        raise WeightsError("IR005", message, "run: git lfs pull")
    if start.startswith(b"<?xml"):
        message = f"weights file {os.fspath(path)} is an XML file"
        raise WeightsError("IR501", message, "the weights are the .bin beside the .xml")
    if mapped is None:
        return Weights(os.fspath(path), np.frombuffer(start, np.uint8))
    return Weights(os.fspath(path), np.frombuffer(mapped, np.uint8), os.fspath(path))


def _open_regular(path: str, flags: int) -> int:
    """Open a file that can be mapped; a pipe is refused, without waiting for someone to write to it."""
    file = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    mode = os.fstat(file).st_mode
    if not stat.S_ISREG(mode):
        os.close(file)
        raise OSError(errno.EINVAL, "a directory" if stat.S_ISDIR(mode) else "a pipe or a device, not a file")
    return file


def weights_in_memory(data: bytes | bytearray | memoryview) -> Weights:
    """Weights that are in memory already."""
    view = np.frombuffer(memoryview(data).cast("B"), np.uint8)
    view.flags.writeable = False
    return Weights("in memory", view)


def beside(path: Path) -> Path:
    """The .bin that belongs to an .xml: the same stem."""
    return path.with_suffix(".bin")


@dataclass(frozen=True, eq=False)
class Stored:
    """The value of a Const: where its bytes lie; `array` reads them when it is first asked for."""

    type: ElementType
    extents: tuple[int, ...]
    data: np.ndarray

    @cached_property
    def array(self) -> np.ndarray:
        """The tensor, read-only: a view of the mapped file, or unpacked where the type is narrower than a byte.

        Raises PackingError for strings that cannot be read.
        """
        count = math.prod(self.extents)
        array = unpack(self.type, self.data, count).reshape(self.extents)
        array.flags.writeable = False
        return array

    @cached_property
    def odd_bytes(self) -> int:
        """How many bytes of a boolean tensor are neither 0 nor 1."""
        return int(np.count_nonzero(self.data > 1))
