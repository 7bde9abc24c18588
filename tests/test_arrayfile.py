"""Arrays from files: what NumPy writes comes back, and what is no array of numbers is said to be none."""

from __future__ import annotations

import os
import zipfile

import numpy as np
import pytest

from irrun.arrayfile import Archive, ArrayFileError, read_array, split_key
from irrun.types.shape import Shape

ARRAYS = [
    np.arange(6, dtype=np.float32).reshape(2, 3),
    np.asfortranarray(np.arange(6).reshape(2, 3)),
    np.arange(3, dtype=">i4"),
    np.array(2.5),
    np.empty((0, 4), np.float16),
    np.array([True, False]),
    np.array(["ab", "ü"]),
]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: f"{array.dtype}-{array.shape}")
def test_what_numpy_writes_comes_back(tmp_path, array):
    np.save(tmp_path / "x.npy", array)
    np.savez(tmp_path / "x.npz", a=array)
    np.savez_compressed(tmp_path / "y.npz", a=array)
    for place in ("x.npy", "x.npz:a", "y.npz"):
        read = read_array(str(tmp_path / place))
        assert read.dtype == array.dtype
        np.testing.assert_array_equal(read, array)


def test_npy_is_mapped(tmp_path):
    with open(tmp_path / "big.npy", "wb") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": (1 << 33, 16)})
        file.truncate(file.tell() + (1 << 39))  # half a terabyte, and a hole in the disk
    array = read_array(str(tmp_path / "big.npy"))
    assert isinstance(array, np.memmap)
    assert array.shape == (1 << 33, 16)
    assert array[-1, -1] == 0


def test_keys(tmp_path):
    np.savez(tmp_path / "a.npz", **{"x:0": np.zeros(1), "y": np.ones(2)})
    path = str(tmp_path / "a.npz")
    assert split_key(f"{path}:x:0") == (path, "x:0")
    assert split_key(path) == (path, None)
    assert split_key("no.npz:k") == ("no.npz", "k")
    assert split_key("no.npy") == ("no.npy", None)
    assert read_array(f"{path}:x:0").shape == (1,)
    assert read_array(path, names=("z", "y")).shape == (2,)
    with pytest.raises(ArrayFileError, match="which entry is meant"):
        read_array(path)
    with pytest.raises(ArrayFileError, match="no entry 'z'") as caught:
        read_array(f"{path}:z")
    assert caught.value.hint == "it holds x:0, y"


def test_a_name_that_looks_like_a_key(tmp_path):
    np.save(tmp_path / "a.npz:b.npy", np.ones(1))
    assert read_array(str(tmp_path / "a.npz:b.npy")).shape == (1,)


def header(shape: object, descr: str = "<f4") -> bytes:
    text = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "neither .npy nor .npz"),
        (b"1,2,3\n", "neither .npy nor .npz"),
        (b"\x93NUMPY", "neither"),
        (b"\x93NUMPY\x01\x00\xff\xff{", "header cannot be read"),
        (b"\x93NUMPY\x09\x00", "version 9.0"),
        (header((4,))[:-1] + b"\n1234", "cut off: 16 bytes of numbers are declared, 4 are there"),
        (header((-1,)), "declares the shape"),
        (header((1 << 70,)), "cut off"),
        (header("(1 + 1,)"), "header cannot be read"),
        (header((1,), "|O") + b"\x80\x04K\x01.", "pickled objects"),
        (header((1,), "no type"), "header cannot be read"),
        (b"PK\x03\x04 and then nothing", "zip"),
    ],
)
def test_broken_files(tmp_path, content, said):
    path = tmp_path / "x.npy"
    path.write_bytes(content)
    with pytest.raises(ArrayFileError, match=said) as caught:
        read_array(str(path))
    assert str(caught.value).startswith(str(path))
    assert caught.value.code == "IR611"


def test_pickles_are_never_read(tmp_path):
    class Evil:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "evil"),)

    np.save(tmp_path / "x.npy", np.array([Evil()], object), allow_pickle=True)
    np.savez(tmp_path / "x.npz", allow_pickle=True, a=np.array([Evil()], object))
    for place in ("x.npy", "x.npz:a"):
        with pytest.raises(ArrayFileError, match="pickled objects"):
            read_array(str(tmp_path / place))
    assert not (tmp_path / "evil").exists()


def test_files_that_are_none(tmp_path):
    for place in ("none.npy", "none.npz:a", "a\0b", "x" * 5000):
        with pytest.raises(ArrayFileError):
            read_array(str(tmp_path / place))
    with pytest.raises(ArrayFileError, match="irectory"):
        read_array(str(tmp_path))


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path):
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", header((1 << 28,)) + bytes(1 << 20))  # declares a gigabyte, holds a megabyte
        with archive.open("b.npy", "w") as entry:
            entry.write(header((1 << 24,)))
            for _ in range(64):
                entry.write(bytes(1 << 20))
    with pytest.raises(ArrayFileError, match="cut off"):
        read_array(f"{path}:a")
    with pytest.raises(ArrayFileError, match=r"takes 64\.0 MiB, the limit is 1\.0 MiB") as caught:
        read_array(f"{path}:b", limit=1 << 20)
    assert caught.value.code == "IR608"
    assert read_array(f"{path}:b", limit=1 << 30).shape == (1 << 24,)
    refused = read_array(f"{path}:b", limit=1 << 10, shape=Shape.of(2, 3))
    assert (refused.shape, refused.base.nbytes if refused.base is not None else 0) == ((1 << 24,), 4)


def test_entries_are_read_when_asked_for(tmp_path):
    path = tmp_path / "x.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("good.npy", header((1,)) + b"\0\0\x80\x3f")
        archive.writestr("bad.npy", b"nothing of the kind")
        archive.writestr("notes.txt", b"not an array")
    archive_ = Archive(str(path))
    assert archive_.keys == ("good", "bad")
    np.testing.assert_array_equal(archive_.read("good"), np.array([1], np.float32))
    with pytest.raises(ArrayFileError):
        archive_.read("bad")
    with pytest.raises(ArrayFileError, match="no entry"):
        archive_.read("notes.txt")


def test_a_damaged_entry(tmp_path):
    path = tmp_path / "x.npz"
    np.savez(path, a=np.arange(1000))
    content = bytearray(path.read_bytes())
    content[1000] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(ArrayFileError, match="CRC"):
        read_array(str(path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_pipes(tmp_path):
    import threading

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(header((1,)) + b"\0\0\x80\x3f"))
    writer.start()
    np.testing.assert_array_equal(read_array(str(pipe)), np.array([1], np.float32))
    writer.join()
    writer = threading.Thread(target=lambda: pipe.write_bytes(header((2,)) + b"\0\0\x80\x3f"))
    writer.start()
    with pytest.raises(ArrayFileError, match="cut off"):
        read_array(str(pipe))
    writer.join()
