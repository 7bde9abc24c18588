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
import warnings
import zipfile
import zlib
from collections.abc import Sequence
from typing import IO, Any

import numpy as np

from irrun.diag.words import listed
from irrun.memory import size_text
from irrun.types.shape import ANY_SHAPE, Shape

_SHOWN = 200
_ZIP_START = b"PK"
_BROKEN = (
    *(ValueError, TypeError, KeyError, EOFError, OSError, RuntimeError, SyntaxError, OverflowError, MemoryError),
    *(struct.error, tokenize.TokenError, zipfile.BadZipFile, zlib.error, lzma.LZMAError),
)
"""What NumPy, which reads the header as Python, and zipfile raise at files that are broken, truncated, encrypted or
packed in a way they do not know.
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


def read_array(text: str, names: Sequence[str] = (), limit: int | None = None, shape: Shape = ANY_SHAPE) -> np.ndarray:
    """The array of `file.npy`, mapped from the file, or that of `file.npz:key`.

    Without a key, an archive's only entry, or the first one of these `names`, is taken. `limit` is how many bytes may
    be read into memory. Of an entry that has another shape than this, and so will be refused, no more than that is
    read: its elements are all zero. Raises ArrayFileError.
    """
    path, key = split_key(text)
    try:
        with open(path, "rb") as file:
            regular = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
            if not regular or file.peek(2)[:2] != _ZIP_START:
                if key is not None:
                    raise ArrayFileError(path, "it is no .npz, so it has no entries")
                return _mapped(path, file) if regular else _from_stream(path, file, limit)
    except _BROKEN as error:
        raise _unreadable(path, error) from None
    archive = Archive(path)
    if key is None:
        own = [name for name in names if name in archive.keys]
        if not own and len(archive.keys) != 1:
            raise ArrayFileError(path, "which entry is meant?", hint=f"{path}:KEY; {archive.listed}")
        key = own[0] if own else archive.keys[0]
    return archive.read(key, limit, shape)


def _unreadable(path: str, error: Exception) -> ArrayFileError:
    said = getattr(error, "strerror", None) or " ".join(str(error).split())[:_SHOWN] or type(error).__name__
    hint = None
    if "pickle" in said or "Object arrays" in said:
        said, hint = "it is no .npy or .npz of plain numbers; pickled objects are never read", "numpy.save(path, array)"
    return ArrayFileError(path, said[:1].lower() + said[1:], hint)


def _mapped(path: str, file: IO[bytes]) -> np.ndarray:
    extents, fortran, dtype = _header(path, file)
    start, size = file.tell(), os.fstat(file.fileno()).st_size
    needed = math.prod(extents) * dtype.itemsize
    _check_length(path, needed, size - start)
    if needed == 0:
        return np.empty(extents, dtype)
    return np.memmap(path, dtype, "r", start, extents, "F" if fortran else "C")


def _from_stream(path: str, file: IO[bytes], limit: int | None) -> np.ndarray:
    """An array from a pipe, which cannot be mapped."""
    extents, fortran, dtype = _header(path, file)
    needed = math.prod(extents) * dtype.itemsize
    _check_limit(path, dtype, extents, limit)
    data = file.read(needed)
    _check_length(path, needed, len(data))
    return np.frombuffer(data, dtype).reshape(extents, order="F" if fortran else "C")


def _header(path: str, file: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Extents, whether the first one runs fastest, and dtype, as an .npy declares them."""
    start = file.read(np.lib.format.MAGIC_LEN)
    if len(start) < np.lib.format.MAGIC_LEN or not start.startswith(np.lib.format.MAGIC_PREFIX):
        raise ArrayFileError(path, "it is neither .npy nor .npz", "numpy.save(path, array)")
    version = (start[6], start[7])
    if version not in ((1, 0), (2, 0), (3, 0)):
        raise ArrayFileError(path, f"it is .npy of version {version[0]}.{version[1]}; 1.0 to 3.0 are read")
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a header as Python 2 wrote it is read all the same
            extents, fortran, dtype = read(file)
    except _BROKEN:
        raise ArrayFileError(path, "its .npy header cannot be read") from None
    if dtype.hasobject:
        raise ArrayFileError(path, "it holds pickled objects, which are never read", "numpy.save(path, array)")
    if any(extent < 0 for extent in extents):
        raise ArrayFileError(path, f"it declares the shape {list(extents)}")
    return extents, fortran, dtype


def _check_length(path: str, declared: int, there: int) -> None:
    if declared > there:
        raise ArrayFileError(path, f"it is cut off: {declared} bytes of numbers are declared, {there} are there")


def _check_limit(path: str, dtype: np.dtype[Any], extents: tuple[int, ...], limit: int | None) -> None:
    needed = math.prod(extents) * dtype.itemsize
    if limit is not None and needed > limit:
        said = f"{dtype}{list(extents)} takes {size_text(needed)}, the limit is {size_text(limit)}"
        raise ArrayFileError(path, said, "a .npy file is mapped and needs no memory", code="IR608")


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
        return f"it holds {listed(self.keys)}" if self.keys else "it holds no arrays"

    def read(self, key: str, limit: int | None = None, shape: Shape = ANY_SHAPE) -> np.ndarray:
        """The array of this key; one that declares more than `limit` bytes is refused before it is unpacked, and one
        of another shape is not unpacked.
        """
        entry = self._entries.get(key)
        if entry is None:
            raise ArrayFileError(self.path, f"it has no entry {key[:_SHOWN]!r}", hint=self.listed)
        path = f"{self.path}:{key}"
        try:
            with zipfile.ZipFile(self.path) as archive, archive.open(entry) as file:
                extents, _, dtype = _header(path, file)
                needed, stored = math.prod(extents) * dtype.itemsize, archive.getinfo(entry).file_size - file.tell()
            _check_length(path, needed, stored)
            if not shape.admits(extents):
                return np.broadcast_to(np.zeros((), dtype), extents)
            _check_limit(path, dtype, extents, limit)
            with zipfile.ZipFile(self.path) as archive, archive.open(entry) as file:
                array: np.ndarray = np.lib.format.read_array(file, allow_pickle=False)
                return array
        except _BROKEN as error:
            raise _unreadable(path, error) from None
