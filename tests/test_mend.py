"""What is certain is mended, at its place, once; everything else in the file stays byte for byte."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irrun import IRError, check_ir, run_ir
from irrun.mend import diff, mend
from tests.damage import DAMAGES
from tests.ir.test_fragment import fragment, read, without_places
from tests.models import AXES, DATA, MEAN, WANTED, changed

ROOT = Path(__file__).parent
FILES = [
    *sorted((ROOT / "golden" / "whole").iterdir()),
    *sorted((ROOT / "golden" / "fragments").iterdir()),
    *sorted((ROOT.parent / "examples").glob("*/model.xml")),
]
LEFT = {"ellipsis", "comment_with_markup"}


def mended(text: str, **options) -> str:
    options.setdefault("weights", AXES)
    return mend("text", text.encode(), **options).data.decode()


# whole IR


def test_a_clean_model_stays_as_it_is():
    done = mend("mean.xml", MEAN.encode(), weights=AXES)
    assert (done.data, done.count) == (MEAN.encode(), 0)


PORTS = re.compile(r"<dim>\d+</dim>")


@pytest.mark.parametrize(
    "broken",
    [
        PORTS.sub("", MEAN),
        PORTS.sub("<dim>?</dim>", MEAN),
        PORTS.sub("<dim>9</dim>", MEAN),
        re.sub(r' precision="\w+"', "", MEAN),
        MEAN.replace('precision="FP32"', 'precision="F32"').replace('precision="I64"', 'precision="int64"'),
        MEAN.replace('precision="FP32"', 'precision="I8"'),
        re.sub(r"</dim></port>", "</dim><dim>4</dim></port>", MEAN),
        MEAN.replace('type="ReduceMean"', 'type="ReduceMeann"'),
        MEAN.replace('type="ReduceMean"', 'type="reducemean"'),
        MEAN.replace('type="Const"', 'type="Constant"'),
        MEAN.replace('size="8"', 'size="4"'),
        MEAN.replace('element_type="f32"', 'element_type="FP32"'),
        MEAN.replace("opset1", "OPSET1", 1),
        re.sub(r' precision="\w+"', "", PORTS.sub("", MEAN.replace("ReduceMean", "RedduceMean"))),
    ],
)
def test_what_was_computed_is_written_again(broken: str):
    assert broken != MEAN
    done = mended(broken)
    assert done == MEAN
    assert list(check_ir(text=done, weights=AXES)) == []


def test_a_dim_that_is_declared_as_unknown_stays():
    text = PORTS.sub("<dim>-1</dim>", MEAN)
    assert mended(text) == text
    one_wrong = changed(text, ('"mean"><dim>-1</dim><dim>-1</dim>', '"mean"><dim>-1</dim><dim>7</dim>'))
    assert mended(one_wrong) == changed(one_wrong, ("<dim>7</dim>", "<dim>1</dim>"))


def test_a_person_writes_no_dims_and_the_model_runs_the_same(tmp_path):
    path = tmp_path / "mean.xml"
    path.write_text(mended(PORTS.sub("", MEAN)))
    assert (run_ir(path, {"data": DATA}, weights=AXES)[0] == WANTED).all()


def test_dims_take_the_lines_of_the_ports_around():
    text = (
        MEAN.replace("<dim>", "\n      <dim>")
        .replace("</dim></port>", "</dim>\n    </port>")
        .replace("<port", "\n    <port")
    )
    lines = re.sub(r"(\n    <port id=\"2\"[^>]*)>(?:\s*<dim>\d</dim>)+\s*</port>", r"\1/>", text)
    assert lines != text
    assert mended(lines) == text


@pytest.mark.parametrize("type", ["ReduceMa", "Foo", "ReduceM"])
def test_a_type_that_may_be_two_stays(type: str):
    text = MEAN.replace('type="ReduceMean"', f'type="{type}"')
    assert mended(text) == text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("keep_dims=", "keepdims="),
        ('keep_dims="true"', 'keep_dims="yes"'),
        ('keep_dims="true"', 'keep_dims="on"'),
    ],
)
def test_what_changes_the_numbers_is_not_safe(old: str, new: str):
    model = MEAN.replace('keep_dims="false"', 'keep_dims="true"')
    model = mended(model)
    text = changed(model, (old, new))
    assert new in mended(text)
    assert mended(text, unsafe=True) == model


@pytest.mark.parametrize(
    ("comment", "right"),
    [
        ("a -- b", "a - - b"),
        ("--", "- - "),
        ("a---b -- c-", "a- - -b - - c- "),
        (" x -- y -- z ", " x - - y - - z "),
        ("->" * 30 + "--" * 30, None),
    ],
)
def test_hyphens_in_a_comment_are_mended_at_once(comment: str, right: str | None):
    text = (
        f'<layer type="Abs">\n<input><port id="0"/></input> <!--{comment}-->\n<output><port id="1"/></output></layer>'
    )
    done = mend("fragment", text.encode())
    if right is not None:
        assert done.data.decode() == text.replace(f"<!--{comment}-->", f"<!--{right}-->")
    assert mend("fragment", done.data).count == 0
    assert list(check_ir(text=done.data.decode())) == []


@pytest.mark.parametrize(
    "text",
    [
        '<layer type="Abs" ' + 'x="A' * 60 + '">\n<input><port/></input>\n<output><port/></output></layer>',
        (
            '<layer type="Abs"><input><port><dim>2</dim></port></input>\n'
            '<output><port>\n<diprecision="FP32"><dim>3</dim></port></output></layer>'
        ),
    ],
    ids=["attributes", "a dim that is none in the text"],
)
def test_a_second_time_changes_nothing_however_much_there_was(text: str):
    done = mend("fragment", text.encode())
    assert mend("fragment", done.data).data == done.data


def test_only_wanted_codes():
    text = changed(MEAN, ('type="ReduceMean"', 'type="reducemean"')).replace('precision="FP32"', 'precision="I8"')
    done = mended(text, wanted=lambda code: code == "IR205")
    assert done == text.replace("reducemean", "ReduceMean")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_encodings_and_line_ends_stay(encoding: str):
    model = MEAN.replace("\n", "\r\n").replace('name="mean"', 'name="mitté\U0001f600"')
    broken = PORTS.sub("<dim>7</dim>", model)
    done = mend("mean.xml", broken.encode(encoding), weights=AXES)
    assert done.data == model.encode(encoding)


# fragments


@pytest.mark.parametrize("name", sorted(DAMAGES))
@given(text=fragment(), seed=st.integers(0, 10_000))
def test_damages_are_mended(name: str, text: str, seed: int):
    damaged = DAMAGES[name](text, Random(seed))
    if damaged is None:
        return
    done = mended(damaged.text, wanted=lambda code: code < "IR030")
    layers, findings = read(done)
    assert without_places(layers.layers) == without_places(read(text)[0].layers)
    assert {finding.code for finding in findings} <= {"IR010"}
    assert mended(done, wanted=lambda code: code < "IR030") == done


@pytest.mark.parametrize(
    "name",
    ["port_ends_in_itself", "stray_end", "unquoted", "precision_of_others", "as_text_of_data", "data_not_closed"],
)
@given(text=fragment(), seed=st.integers(0, 10_000))
def test_what_was_damaged_is_as_it_was(name: str, text: str, seed: int):
    damaged = DAMAGES[name](text, Random(seed))
    if damaged is not None and "> >" not in damaged.text:
        assert mended(damaged.text, wanted=lambda code: code < "IR030") == text


def test_dims_of_a_fragment_are_filled_in():
    text = '<layer type="Abs">\n  <input><port id="0"><dim>2</dim></port></input>\n  <output><port id="1"/></output>\n</layer>\n'
    assert mended(text) == text.replace('<port id="1"/>', '<port id="1"><dim>2</dim></port>')
    hidden = text.replace("<input>", "... <input>")
    assert mended(hidden) == hidden


# all files


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_second_time_changes_nothing(path: Path):
    data = path.read_bytes()
    once = mend(str(path), data, weights=AXES, directory=path, unsafe=True)
    again = mend(str(path), once.data, weights=AXES, directory=path, unsafe=True)
    assert (again.data, again.count) == (once.data, 0)
    assert len(once.report) <= len(check_ir(path, weights=AXES))


def test_examples_of_the_specification_a_second_time(shared):
    for path in sorted((shared / "spec-examples").glob("*.xml")):
        once = mend(path.name, path.read_bytes())
        assert mend(path.name, once.data).count == 0, path
        left = {finding.code for finding in once.report if finding.code.startswith("IR0")}
        assert left <= {"IR010", "IR021"}, path


def test_models_that_run_give_the_same_numbers(shared):
    for path in sorted((shared / "cases").glob("*/model.xml")):
        feeds = {file.stem: np.load(file) for file in path.parent.glob("*.npy") if not file.stem.startswith("expect")}
        try:
            before = run_ir(path, feeds)
        except IRError:
            continue
        done = path.parent / "mended.xml"
        again = mend(str(path), path.read_bytes(), directory=path)
        weights = path.with_suffix(".bin")
        after = run_ir(_file(again.data), feeds, weights=str(weights) if weights.exists() else None)
        assert list(before) == list(after)
        for name in before:
            assert np.array_equal(before[name], after[name], equal_nan=before[name].dtype.kind == "f"), path
        assert not done.exists()


def _file(data: bytes):
    import io

    return io.BytesIO(data)


# diffs


def test_a_diff_is_what_patch_takes():
    assert diff("/a.xml", b"x\ny\n", b"x\nz\n") == "--- a/a.xml\n+++ b/a.xml\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n"
    assert diff("a", b"x", b"y").count("\\ No newline at end of file") == 2
    assert diff("a", b"x", b"x") == ""
