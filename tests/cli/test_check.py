"""`irrun check`: findings on stdout, and an exit code."""

from __future__ import annotations

import pytest

from tests.cli.models import MEAN, write_mean


def test_a_clean_model(irrun, tmp_path):
    ended = irrun("check", write_mean(tmp_path))
    assert (ended.status, ended.out, ended.err) == (0, "no findings\n", "")


def test_findings_are_on_stdout(irrun, tmp_path):
    model = write_mean(tmp_path)
    model.write_text(MEAN.replace('names="y"><dim>2<', 'names="y"><dim>5<').replace("keep_dims", "keepdims"))
    ended = irrun("check", model)
    assert (ended.status, ended.err) == (1, "")
    line = model.read_text().splitlines()[5]
    assert f"\n  --> {model}:6:{line.index('keepdims') + 1}\n" in ended.out
    assert "IR401" in ended.out
    assert "IR206" in ended.out
    assert ended.out.endswith("\n\n1 error, 1 warning\n")


@pytest.mark.parametrize(("fail_on", "status"), [("error", 0), ("warning", 1), ("note", 1), ("never", 0)])
def test_fail_on(irrun, tmp_path, fail_on, status):
    model = write_mean(tmp_path)
    model.write_text(MEAN.replace('<data keep_dims="false"/>', '<data keepdims="false"/>'))
    ended = irrun("check", model, "--fail-on", fail_on)
    assert (ended.status, ended.out.splitlines()[-1]) == (status, "1 warning")


def test_several_files(irrun, tmp_path):
    good = write_mean(tmp_path)
    broken = tmp_path / "broken.xml"
    broken.write_text("<net")
    ended = irrun("check", good, broken, good)
    assert (ended.status, ended.out.splitlines()[-1]) == (1, "3 files: 1 error")
    ended = irrun("check", good, tmp_path / "none.xml", broken)
    assert (ended.status, ended.out.splitlines()[-1]) == (2, "3 files: 2 errors")
