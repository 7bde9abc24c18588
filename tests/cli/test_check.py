"""`irrun check`: findings on stdout, and an exit code."""

from __future__ import annotations

import json
import os

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
    assert ended.out.endswith("\n\n1 error, 1 warning; --fix mends some of it\n")


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
    assert (ended.status, ended.out.splitlines()[-1]) == (1, "2 files: 1 error")
    ended = irrun("check", good, tmp_path / "none.xml", broken)
    assert (ended.status, ended.out.splitlines()[-1]) == (2, "3 files: 2 errors")


FRAGMENT = """<layer type="ReduceMean" ...>
<input><port id="0"><dim>2</dim><dim>2</dim></port><port id="1"/></input>
<output><port id="2"><dim>2</dim></port></output>
</layer>
"""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_pipes_and_loops_in_a_directory_are_no_trap(process, tmp_path):
    write_mean(tmp_path)
    os.mkfifo(tmp_path / "pipe.xml")
    (tmp_path / "loop.xml").symlink_to(tmp_path / "loop.xml")
    (tmp_path / "around").symlink_to(tmp_path)
    for path in (tmp_path, tmp_path / "*"):
        assert process("check", str(path)).out.splitlines()[-1].endswith("no findings")


def test_directories_patterns_and_stdin(irrun, process, tmp_path):
    (tmp_path / "docs" / "deep").mkdir(parents=True)
    (tmp_path / "docs" / "deep" / "page.md").write_text(f"# Page\n\n```xml\n{FRAGMENT}```\n")
    (tmp_path / "docs" / "words.md").write_text("# Nothing of IR\n")
    (tmp_path / "docs" / "code.py").write_text(FRAGMENT)
    (tmp_path / "docs" / ".hidden.xml").write_text(FRAGMENT)
    write_mean(tmp_path)
    assert irrun("check", tmp_path).out.splitlines()[-1] == "2 files: 1 note"
    assert irrun("check", tmp_path / "docs").out.splitlines()[-1] == "1 file: 1 note"
    assert irrun("check", tmp_path / "docs" / "**" / "*.md").out.splitlines()[-1] == "1 file: 1 note"
    assert irrun("check", tmp_path / "*.none").status == 2
    ended = process("check", "-", stdin=FRAGMENT.encode())
    assert (ended.status, ended.out.splitlines()[1], ended.out.splitlines()[-1]) == (0, "  --> <stdin>:1:26", "1 note")


def test_a_file_that_is_named_and_holds_none(irrun, tmp_path):
    path = tmp_path / "words.md"
    path.write_text("# Nothing of IR\n")
    ended = irrun("check", path)
    assert ended.status == 1
    assert ended.out == f"error[IR006]: {path} holds neither a <net> nor a <layer>\n  --> {path}\n\n1 error\n"


def test_select_and_ignore(irrun, tmp_path):
    path = tmp_path / "fragment.xml"
    path.write_text(FRAGMENT.replace("</input>", ""))
    assert irrun("check", path).out.splitlines()[-1] == "1 warning, 1 note; --fix mends some of it"
    assert irrun("check", path, "--select", "ir012").out.splitlines()[-1] == "1 warning; --fix mends some of it"
    assert irrun("check", path, "--select", "IR010").out.splitlines()[-1] == "1 note"
    assert irrun("check", path, "--ignore", "IR010,IR4").out.splitlines()[-1] == "1 warning; --fix mends some of it"
    assert irrun("check", path, "--select", "IR0", "--ignore", "IR01").out == "no findings\n"
    assert irrun("check", path, "--select", "IR9").status == 2


def test_verbose_says_what_was_checked(irrun, tmp_path):
    path = tmp_path / "fragment.xml"
    path.write_text(FRAGMENT)
    out = irrun("check", path, "--verbose", "--ignore", "IR0").out
    assert (
        out == f"{path}:1:1: ReduceMean-1: read, shapes\nno findings; 1 example read, 1 with shapes, 0 with numbers\n"
    )


@pytest.mark.parametrize("form", ["text", "concise", "json", "github", "sarif"])
def test_formats_have_nothing_else_on_stdout(irrun, tmp_path, form):
    path = tmp_path / "fragment.xml"
    path.write_text(FRAGMENT)
    ended = irrun("check", path, "--format", form)
    assert (ended.status, ended.err) == (0, "")
    if form in ("json", "sarif"):
        assert json.loads(ended.out)
        assert "IR010" in ended.out
    if form == "json":
        assert irrun("check", path, "--json").out == ended.out


def test_a_bare_layer_runs(irrun, tmp_path):
    path = tmp_path / "fragment.xml"
    path.write_text(FRAGMENT)
    ended = irrun("run", path, "--input", "data=[[1, 4], [2, 8]]", "--input", "axes=0")
    assert (ended.status, ended.out.splitlines()[-1]) == (0, "  [1.5 6. ]")
    path.write_text(FRAGMENT * 2)
    assert irrun("run", path).status == 1
    assert irrun("run", path, "--layer", 1, "--input", "0=[[1, 4], [2, 8]]", "--input", "1=0").status == 0


def test_fix_rewrites_in_place(irrun, tmp_path):
    path = write_mean(tmp_path)
    irrun("check", path, "--fix")  # its input ports say nothing of their tensors
    text = path.read_text()
    path.write_text(text.replace("<dim>2</dim>", "<dim>8</dim>").replace("ReduceMean", "reducemean"))
    path.chmod(0o640)
    link = tmp_path / "link.xml"
    link.symlink_to(path)
    (tmp_path / "link.bin").symlink_to(path.with_suffix(".bin"))
    ended = irrun("check", link, "--fix")
    assert (ended.status, path.read_text()) == (0, text)
    assert ended.out.startswith("no findings; ")
    assert ended.out.endswith(" fixed\n")
    assert (link.is_symlink(), path.stat().st_mode & 0o777) == (True, 0o640)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link.bin", "link.xml", "mean.bin", "mean.xml"]
    assert irrun("check", link, "--fix").out == "no findings\n"


def test_diff_writes_nothing(irrun, process, tmp_path):
    path = write_mean(tmp_path)
    irrun("check", path, "--fix")
    assert (irrun("check", path, "--diff").status, irrun("check", path, "--diff").out) == (0, "")
    broken = path.read_text().replace("ReduceMean", "reducemean")
    path.write_text(broken)
    ended = irrun("check", path, "--diff")
    assert (ended.status, path.read_text()) == (1, broken)
    assert ended.out.startswith("--- a/")
    assert [line.count("ReduceMean") for line in ended.out.splitlines() if line.startswith("+<")] == [1]
    assert process("check", "-", "--diff", stdin=broken.encode()).out.splitlines()[0] == "--- a/<stdin>"
    assert irrun("check", path, "--diff", "--ignore", "IR205").out == ""


def test_fixes_that_change_numbers_are_asked_for(irrun, tmp_path):
    path = write_mean(tmp_path)
    path.write_text(path.read_text().replace("keep_dims", "keepdims"))
    assert irrun("check", path, "--fix").out.splitlines()[-1].startswith("1 warning")
    assert "keepdims" in path.read_text()
    assert irrun("check", path, "--fix", "--unsafe-fixes").status == 0
    assert "keep_dims" in path.read_text()
    assert irrun("check", path, "--unsafe-fixes").status == 2
    assert irrun("check", "-", "--fix").status == 2
    assert irrun("check", tmp_path / "none.xml", "--fix").status == 2
