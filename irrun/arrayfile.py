"""Arrays from .npy and .npz files: pickles refused, .npy mapped, .npz entries read only when they are asked for.

https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
"""

from __future__ import annotations

import lzma
import math
import os
import stat
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Sequence
from typing import IO, Any

import numpy as np

from irrun.memory import size_text

_SHOWN = 200
_ZIP_START = b"PK"
_BROKEN = (
    *(ValueError, TypeError, KeyError, EOFError, OSError, RuntimeError, SyntaxError, OverflowError, MemoryError),
    *(struct.error, tokenize.TokenError, zipfile.BadZipFile, zlib.error, lzma.LZMAError),
)
"""What NumPy, which reads the header as Python, and zipfile raise at files that are broken, truncated, encrypted or packed
in a way they do not know.
"""


class ArrayFileError(Exception):
    """A file gives no array: `code` is the finding's, `path` the file, `hint` what to write instead."""

    def __init__(self, path: str, said: str, hint: str | None = None, code: str = "IR611") -> None:
        super().__init__(f"{path[:_SHOWN]}: {said}")
        self.path = path
        self.hint = hint
        self.code = code


def split_key(text: str) -> tuple[str, str | None]:
    """`file.npz:key` as its two parts; a file that exists under the whole text has no key."""
    if os.path.lexists(_safe(text)):
        return text, None
    for place, char in enumerate(text):
        if char == ":" and os.path.isfile(_safe(text[:place])):
            return text[:place], text[place + 1 :]
    path, ending, key = text.partition(".npz:")
    return (f"{path}.npz", key) if ending else (text, None)


def _safe(path: str) -> str:
    """The path, or an empty one where it holds what no path can hold."""
    return "" if "\0" in path else path


def read_array(text: str, names: Sequence[str] = (), limit: int | None = None) -> np.ndarray:
    """The array of `file.npy`, mapped from the file, or that of `file.npz:key`.

    Without a key, an archive's only entry, or the first one of these `names`, is taken. `limit` is how many bytes may
    be read into memory. Raises ArrayFileError.
    """
    path, key = split_key(text)
    if not _is_archive(path):
        if key is not None:
            raise ArrayFileError(path, "it is no .npz, so it has no entries")
        return _read_npy(path)
    archive = Archive(path)
    if key is None:
        own = [name for name in names if name in archive.keys]
        if not own and len(archive.keys) != 1:
            raise ArrayFileError(path, "which entry is meant?", hint=f"{path}:KEY; {archive.listed}")
        key = own[0] if own else archive.keys[0]
    return archive.read(key, limit)


def _is_archive(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return False
            return file.read(2) == _ZIP_START
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None


def _unreadable(path: str, error: Exception) -> ArrayFileError:
    said = getattr(error, "strerror", None) or " ".join(str(error).split())[:_SHOWN] or type(error).__name__
    hint = None
    if "pickle" in said or "Object arrays" in said:
        said, hint = "it is no .npy or .npz of plain numbers; pickled objects are never read", "numpy.save(path, array)"
    return ArrayFileError(path, said[:1].lower() + said[1:], hint)


def _read_npy(path: str) -> np.ndarray:
    try:
        with open(path, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return _from_stream(path, file)
            extents, fortran, dtype = _header(path, file)
            start, size = file.tell(), os.fstat(file.fileno()).st_size
        needed = math.prod(extents) * dtype.itemsize
        _check_length(path, needed, size - start)
        if needed == 0:
            return np.empty(extents, dtype)
        return np.memmap(path, dtype, "r", start, extents, "F" if fortran else "C")
    except _BROKEN as error:
        raise _unreadable(path, error) from None


def _from_stream(path: str, file: IO[bytes]) -> np.ndarray:
    """An array from a pipe, which cannot be mapped."""
    array: np.ndarray = np.lib.format.read_array(file, allow_pickle=False)
    if array.dtype.hasobject:
        raise ArrayFileError(path, "it holds no plain numbers")
    return array


def _header(path: str, file: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Extents, whether the first one runs fastest, and dtype, as an .npy declares them."""
    start = file.read(np.lib.format.MAGIC_LEN)
    if len(start) < np.lib.format.MAGIC_LEN or not start.startswith(np.lib.format.MAGIC_PREFIX):
        raise ArrayFileError(path, "it is neither .npy nor .npz", "numpy.save(path, array)")
    version = (start[6], start[7])
    if version == (1, 0):
        found = np.lib.format.read_array_header_1_0(file)
    elif version in ((2, 0), (3, 0)):
        found = np.lib.format.read_array_header_2_0(file)
    else:
        raise ArrayFileError(path, f"it is .npy of version {version[0]}.{version[1]}; 1.0 to 3.0 are read")
    extents, fortran, dtype = found
    if dtype.hasobject:
        raise ArrayFileError(path, "it holds pickled objects, which are never read", "numpy.save(path, array)")
    if any(extent < 0 for extent in extents):
        raise ArrayFileError(path, f"it declares the shape {list(extents)}")
    return extents, fortran, dtype


def _check_length(path: str, declared: int, there: int) -> None:
    if declared > there:
        raise ArrayFileError(path, f"it is cut off: {declared} bytes of numbers are declared, {there} are there")


class Archive:
    """An .npz: its keys, and each entry read when it is asked for. Raises ArrayFileError."""

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            with zipfile.ZipFile(path) as archive:
                names = archive.namelist()
        except _BROKEN as error:
            raise _unreadable(path, error) from None
        self._entries = {name.removesuffix(".npy"): name for name in names if name.endswith(".npy")}
        self.keys = tuple(self._entries)

    @property
    def listed(self) -> str:
        """The keys, for a hint."""
        more = f" and {len(self.keys) - 20} more" if len(self.keys) > 20 else ""
        return f"it holds {', '.join(self.keys[:20])}{more}" if self.keys else "it holds no arrays"

    def read(self, key: str, limit: int | None = None) -> np.ndarray:
        """The array of this key; one that declares more than `limit` bytes is refused before it is unpacked."""
        entry = self._entries.get(key)
        if entry is None:
            raise ArrayFileError(self.path, f"it has no entry {key[:_SHOWN]!r}", hint=self.listed)
        path = f"{self.path}:{key}"
        try:
            with zipfile.ZipFile(self.path) as archive, archive.open(entry) as file:
                extents, _, dtype = _header(path, file)
                needed, stored = math.prod(extents) * dtype.itemsize, archive.getinfo(entry).file_size - file.tell()
            _check_length(path, needed, stored)
            if limit is not None and needed > limit:
                said = f"{dtype}{list(extents)} takes {size_text(needed)}, the limit is {size_text(limit)}"
                raise ArrayFileError(path, said, "a .npy is mapped and needs no memory", code="IR608")
            with zipfile.ZipFile(self.path) as archive, archive.open(entry) as file:
                array: np.ndarray = np.lib.format.read_array(file, allow_pickle=False)
                return array
        except _BROKEN as error:
            raise _unreadable(path, error) from None
