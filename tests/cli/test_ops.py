"""`irrun ops`, and a user's own operations on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from irrun.ops import REGISTRY, opsets
from tests.ops.test_own_operations import MY_OPS, text


@pytest.fixture
def own(tmp_path: Path):
    """A file of own operations and a model that uses one, `my_ops.py` and `own.xml`."""
    before = dict(REGISTRY)
    (tmp_path / "my_ops.py").write_text(MY_OPS)
    (tmp_path / "own.xml").write_text(text("extension", [-1, 3]))
    yield tmp_path
    REGISTRY.clear()
    REGISTRY.update(before)


def test_all_are_listed(irrun):
    ended = irrun("ops")
    assert ended.status == 0
    assert len(ended.out.splitlines()) == len(opsets.FACTS)


@pytest.mark.parametrize("name", ["ReduceMean", "reducemean", "ReduceMean-1"])
def test_one_is_described(irrun, name: str):
    ended = irrun("ops", name)
    assert ended.status == 0
    assert ended.out.startswith("ReduceMean-1 (reduction; opset1 to opset16)\n")
    assert "keep_dims  boolean; default false" in ended.out


@pytest.mark.parametrize(
    ("name", "said"),
    [("ReduceMeen", "did you mean ReduceMean?"), ("Gather-9", "there is Gather-1, Gather-7, Gather-8"), ("Q", "Q")],
)
def test_one_that_does_not_exist(irrun, name: str, said: str):
    ended = irrun("ops", name)
    assert ended.status == 2
    assert said in ended.err


def test_an_own_operation_is_run(irrun, own: Path):
    model, file = own / "own.xml", own / "my_ops.py"
    ended = irrun(model, "--ops", file, "--input", "0=[[-1, 2, -3]]")
    assert ended.status == 0, ended.err
    assert "-0.5" in ended.out
    assert irrun("check", model, "--ops", file).status == 0
    assert "Leaky-extension" in irrun("ops", "Leaky", "--ops", file).out


def test_without_its_file_it_is_unknown(irrun, own: Path):
    ended = irrun("check", own / "own.xml")
    assert ended.status == 1
    assert "there is no operation 'Leaky'" in ended.out


def test_a_file_that_fails_is_said(irrun, own: Path):
    (own / "my_ops.py").write_text("1 / 0")
    ended = irrun(own / "own.xml", "--ops", own / "my_ops.py")
    assert ended.status == 2
    assert "ZeroDivisionError" in ended.err
