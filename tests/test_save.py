"""Saving: names are made safe, values stay the same, and files are whole or not there."""

from __future__ import annotations

import errno
import json
import os
import stat
import zipfile
from pathlib import Path

import hypothesis.strategies as st
import ml_dtypes
import numpy as np
import pytest
from hypothesis import given

from irrun.save import (
    Saved,
    SaveError,
    Staging,
    archive_keys,
    directory_targets,
    is_safe_key,
    safe_names,
    save_directory,
    save_npy,
    save_npz,
)
from irrun.types.element import BY_NAME, STRING

F32 = BY_NAME["f32"]
EVIL = ["../../x", "/etc/x", "a\0b", "x" * 300, "é" * 300, "A", "a", "", ".", "..", "NUL", "con.txt", "a/b", "a\\b", "a:b",
        "-rf", ".hidden", "x.", "tab\t", "\x1b[31m", "\ud800", "İ", "i̇", "ﬁ", "fi"]  # fmt: skip


def saved(name: str, array: np.ndarray, type: str = "f32") -> Saved:
    return Saved(name, (name, "other"), 7, "layer", BY_NAME[type], array)


# names


def check_names(names: list[str], made: list[str]) -> None:
    assert len(made) == len(names)
    assert len({name.casefold() for name in made}) == len(made)
    for name in made:
        assert name
        assert len(name.encode()) <= 110
        assert all(char.isalnum() or char in "._-" for char in name)
        assert name[0] not in ".-"
        assert name.partition(".")[0].lower() not in ("con", "nul", "aux", "prn", "com1", "lpt1")


def test_names_of_evil():
    check_names(EVIL, safe_names(EVIL))


@given(st.lists(st.text(max_size=8)))
def test_any_names(names):
    check_names(names, safe_names(names))


def test_good_names_stay():
    assert safe_names(["mean", "conv1.weight", "数", "a-b_c"]) == ["mean", "conv1.weight", "数", "a-b_c"]
    assert safe_names(["A", "a", "a-2"]) == ["A", "a-2", "a-2-2"]


@given(st.lists(st.one_of(st.sampled_from(EVIL), st.text(max_size=4)), unique=True))
def test_keys_of_archives_are_unique_and_stay_inside(names):
    keys = archive_keys(names)
    assert len(set(keys)) == len(names)
    for name, key in zip(names, keys, strict=True):
        assert is_safe_key(key)
        assert key == name or not is_safe_key(name)


def test_safe_keys():
    assert all(is_safe_key(name) for name in ("a", "a/b:0", "x.npy", "a..b"))
    assert not any(is_safe_key(name) for name in ("../a", "/a", "a/../b", "c:/a", "a\0", "..\\a", "", "x" * 101))


# values


@pytest.mark.parametrize("type", ["bf16", "f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1"])
def test_narrow_floats_become_f32(tmp_path, type):
    array = np.array([[1, 2, 0.5]], BY_NAME[type].dtype)
    with Staging() as staging:
        save_npy(staging, str(tmp_path / "x.npy"), array, BY_NAME[type])
    loaded = np.load(tmp_path / "x.npy")
    assert loaded.dtype == np.float32
    np.testing.assert_array_equal(loaded, [[1, 2, 0.5]])


@pytest.mark.parametrize(
    "array",
    [
        np.array(3.5),
        np.empty((0, 2), np.int8),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.arange(24).reshape(2, 3, 4).transpose(2, 0, 1),
        np.array([True, False]),
        np.array([2**64 - 1], np.uint64),
        np.array([np.nan, -0.0, np.inf], np.float16),
    ],
)
def test_others_stay_as_they_are(tmp_path, array):
    with Staging() as staging:
        save_npy(staging, str(tmp_path / "x.npy"), array, F32)
        save_npz(staging, str(tmp_path / "x.npz"), {"k": (array, F32)})
    for loaded in (np.load(tmp_path / "x.npy"), np.load(tmp_path / "x.npz")["k"]):
        assert loaded.dtype == array.dtype
        assert loaded.shape == array.shape
        assert loaded.tobytes() == array.tobytes()


def test_strings(tmp_path):
    array = np.array([["", "ü\n"], ["abc", "x" * 50]], STRING.dtype)
    with Staging() as staging:
        save_npy(staging, str(tmp_path / "x.npy"), array, STRING)
    assert np.load(tmp_path / "x.npy").tolist() == array.tolist()
    with pytest.raises(SaveError, match="NUL"), Staging() as staging:
        save_npy(staging, str(tmp_path / "y.npy"), np.array(["a\0"], STRING.dtype), STRING)
    assert os.listdir(tmp_path) == ["x.npy"]


def test_the_same_tensors_give_the_same_bytes(tmp_path):
    for name in ("a.npz", "b.npz"):
        with Staging() as staging:
            save_npz(staging, str(tmp_path / name), {"k": (np.arange(3.0), F32)})
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.npz") as archive:
        assert archive.namelist() == ["k.npy"]


def test_a_directory_and_its_index(tmp_path):
    tensors = [
        saved("../../x", np.zeros(2)),
        saved("Y", np.ones((1, 2), ml_dtypes.bfloat16), "bf16"),
        saved("y", np.ones(3)),
    ]
    target = tmp_path / "a" / "b"
    with Staging() as staging:
        files = save_directory(staging, str(target), tensors)
    assert {path.name for path in tmp_path.iterdir()} == {"a"}
    assert sorted(files) == sorted(str(path) for path in target.iterdir() if path.suffix == ".npy")
    assert {*files, str(target / "index.json")} == set(directory_targets(str(target), ["../../x", "Y", "y"]))
    rows = json.loads((target / "index.json").read_text())["tensors"]
    assert [row["name"] for row in rows] == ["../../x", "Y", "y"]
    assert rows[1] == {
        "file": "Y.npy",
        "name": "Y",
        "names": ["Y", "other"],
        "layer": {"id": 7, "name": "layer"},
        "element_type": "bf16",
        "shape": [1, 2],
        "dtype": "float32",
    }
    for row, tensor in zip(rows, tensors, strict=True):
        np.testing.assert_array_equal(np.load(target / row["file"]), tensor.array.astype(row["dtype"]))


# whole or not there


def test_an_error_leaves_what_was_there(tmp_path):
    old = tmp_path / "x.npy"
    old.write_bytes(b"old")
    with pytest.raises(KeyError), Staging() as staging:
        save_npy(staging, str(old), np.zeros(3), F32)
        save_npy(staging, str(tmp_path / "y.npy"), np.zeros(3), F32)
        raise KeyError
    assert os.listdir(tmp_path) == ["x.npy"]
    assert old.read_bytes() == b"old"


def test_an_interrupt_while_writing_leaves_nothing(tmp_path):
    with pytest.raises(KeyboardInterrupt), Staging() as staging, staging.open(str(tmp_path / "x")) as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert os.listdir(tmp_path) == []


def test_a_full_disk_is_said(tmp_path):
    said = r"x\.npy cannot be written: No space left on device"
    with pytest.raises(SaveError, match=said), Staging() as staging, staging.open(str(tmp_path / "x.npy")) as file:
        file.write(b"half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_devices_are_no_targets():
    with pytest.raises(SaveError, match="a device"), Staging() as staging:
        save_npy(staging, "/dev/full", np.zeros(3), F32)
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_places_that_cannot_be_written(tmp_path):
    (tmp_path / "dir.npy").mkdir()
    (tmp_path / "file").write_text("")
    for place in ("none/x.npy", "dir.npy", "file/x.npy", "x" * 300, "a\0b"):
        with pytest.raises(SaveError), Staging() as staging:
            save_npy(staging, str(tmp_path / place), np.zeros(1), F32)
    with pytest.raises(SaveError), Staging() as staging:
        save_directory(staging, str(tmp_path / "file"), [saved("x", np.zeros(1))])
    assert sorted(os.listdir(tmp_path)) == ["dir.npy", "file"]


def test_links_are_replaced_and_never_written_through(tmp_path):
    outside = tmp_path / "outside.npy"
    outside.write_bytes(b"precious")
    target = tmp_path / "out"
    target.mkdir()
    (target / "x.npy").symlink_to(outside)
    os.link(outside, target / "y.npy")
    with Staging() as staging:
        save_directory(staging, str(target), [saved("x", np.zeros(1)), saved("y", np.zeros(1))])
    assert outside.read_bytes() == b"precious"
    assert not (target / "x.npy").is_symlink()


def test_modes_are_those_of_any_new_file(tmp_path):
    with Staging() as staging:
        save_npy(staging, str(tmp_path / "x.npy"), np.zeros(1), F32)
    (tmp_path / "plain").write_text("")
    assert (tmp_path / "x.npy").stat().st_mode == (tmp_path / "plain").stat().st_mode
