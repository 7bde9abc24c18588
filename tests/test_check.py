"""What is checked of a file, a fragment or a page, and what is said of it."""

from __future__ import annotations

import numpy as np
import pytest

from irrun import IRError, check_ir, load_ir, run_ir
from irrun.diag import Report, Severity

MEAN = """\
<layer ... type="ReduceMean" ...>
    <data keep_dims="true"/>
    <input>
        <port id="0"><dim>2</dim><dim>3</dim></port>
        <port id="1">
            <dim>1</dim> <!-- value is [1] -->
        </port>
    </input>
    <output>
        <port id="2"><dim>2</dim><dim>1</dim></port>
    </output>
</layer>
"""


def said(report: Report) -> list[tuple[str, int | None, int | None]]:
    return [(finding.code, finding.line, finding.column) for finding in report if finding.severity is not Severity.NOTE]


def changed(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


def test_the_two_pages(shared):
    means, bag = (check_ir(shared / "spec" / name) for name in ("reduce-mean-1.txt", "embedding-bag-packed-sum-3.txt"))
    assert [proof.checked for proof in means.proofs] == [("read", "shapes")] * 4
    assert [proof.title for proof in means.proofs] == ["ReduceMean-1 (id 1)"] * 4
    assert [(x.code, x.line, x.column) for x in means] == [("IR010", line, 33) for line in (136, 210, 278, 349)]
    assert [proof.checked for proof in bag.proofs] == [("read", "shapes", "numbers")]
    assert [(x.code, x.line, x.column) for x in bag] == [("IR010", 34, 8), ("IR010", 34, 41), ("IR011", 44, 9)]
    assert means.ok
    assert bag.ok


def test_all_examples_of_the_specification_are_read(shared):
    paths = sorted((shared / "spec-examples").glob("*.xml"))
    assert len(paths) == 272
    for path in paths:
        report = check_ir(path)
        assert report.proofs, path
        assert not [finding for finding in report if finding.code < "IR200" and finding.severity is Severity.ERROR]


def test_examples_of_the_specification_that_contradict_it(shared):
    wrong = {
        (path.stem, finding.code)
        for path in (shared / "spec-examples").glob("*.xml")
        for finding in check_ir(path)
        if finding.code[:3] in ("IR3", "IR4", "IR6", "IR7")
    }
    assert wrong == {("Roll_7.2", "IR304"), ("Concat_1.1", "IR703"), ("Concat_1.2", "IR703")}


def test_a_fragment_is_checked():
    report = check_ir(text=MEAN)
    assert [finding.code for finding in report] == ["IR010", "IR010"]
    assert [(proof.title, proof.checked) for proof in report.proofs] == [("ReduceMean-1", ("read", "shapes"))]


def test_dims_are_held_against_the_operation():
    report = check_ir(text=changed(MEAN, ("<dim>1</dim></port>\n    </output>", "<dim>3</dim></port>\n    </output>")))
    assert said(report) == [("IR401", 10, 9)]


def test_the_value_makes_the_axes_known():
    report = check_ir(text=changed(MEAN, ("value is [1]", "value is [2]")))
    assert said(report) == [("IR305", 5, 9)]


@pytest.mark.parametrize("type", ["reducemean", "Constant"])
def test_other_spellings(type: str):
    report = check_ir(text=changed(MEAN, ("ReduceMean", type)))
    assert [finding.code for finding in report if finding.code in ("IR023", "IR205")] == [
        "IR205" if type == "reducemean" else "IR023"
    ]


SUM = """\
<layer type="EmbeddingBagPackedSum">
    <input>
        <port id="0"> <!-- [[1.5, 2], [10, 20]] --><dim>2</dim><dim>2</dim></port>
        <port id="1"> <!-- indices value is: [[0, 1], [1, 1]] --><dim>2</dim><dim>2</dim></port>
    </input>
    <output>
        <port id="2"> <!-- output value is: [[11.5, 22.], [20., 40.]] --><dim>2</dim><dim>2</dim></port>
    </output>
</layer>
"""


def test_numbers_are_proved():
    report = check_ir(text=SUM)
    assert list(report) == []
    assert report.proofs[0].checked == ("read", "shapes", "numbers")


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (("11.5", "11.6"), ("IR701", 7, 23)),
        (("40.", "39."), ("IR701", 7, 23)),
        (("[[0, 1], [1, 1]]", "[[0, 1], [1, 2]]"), ("IR601", 4, 9)),
        (("[[0, 1], [1, 1]]", "[[0, 1], [1, 0.5]]"), ("IR702", 4, 23)),
        (("[[0, 1], [1, 1]]", "[0, 1, 1]"), ("IR702", 4, 23)),
        (("[[11.5, 22.], [20., 40.]]", "[[11.5, 22.]]"), ("IR702", 7, 23)),
    ],
)
def test_wrong_numbers(change: tuple[str, str], place: tuple[str, int, int]):
    report = check_ir(text=changed(SUM, change))
    assert said(report) == [place]
    assert not report.ok


SHAPE = """<layer type="ShapeOf" version="opset3">
    <input><port id="0"><dim>2</dim><dim>3</dim></port></input>
    <output><port id="1"> <!-- output value is: [2, 3] --><dim>2</dim></port></output>
</layer>
"""


def test_numbers_that_follow_from_shapes_are_proved():
    report = check_ir(text=SHAPE)
    assert (list(report), report.proofs[0].checked) == ([], ("read", "shapes", "numbers"))
    assert said(check_ir(text=changed(SHAPE, ("[2, 3]", "[2, 4]")))) == [("IR701", 3, 27)]


@pytest.mark.parametrize(
    ("comment", "wrong"),
    [
        ("concatenated axis: 8 + 16 + 32 = 48", "8 + 16 + 32 = 48, which is 56"),
        ("37 = 2 + 32 + 4 = begin + size + end", "2 + 32 + 4 = 37, which is 38"),
        ("2 * 3 - 1 = 6", "2 * 3 - 1 = 6, which is 5"),
        ("4 = 6 - 2", None),
        ("7 / 2 = 3", None),
        ("7 / 2 = 4", None),
        ("7 / 0 = 4", None),
        ("k = 3", None),
        ("3 = k = 4", None),
        ("1 + 1 >= 1", None),
        ("2 + 2 == 5", None),
        ("x[1 + 1] = 3", None),
    ],
)
def test_sums_in_comments(comment: str, wrong: str | None):
    text = changed(
        MEAN, ("<dim>1</dim></port>\n    </output>", f"<dim>1</dim> <!-- {comment} --></port>\n    </output>")
    )
    found = [finding.message.partition(" says ")[2] for finding in check_ir(text=text) if finding.code == "IR703"]
    assert found == ([] if wrong is None else [wrong])


def test_the_difference_shows_both():
    (finding,) = check_ir(text=changed(SUM, ("11.5", "11.6")))
    assert "prints 11.6 at [0, 0], the result is 11.5" in finding.message
    assert "[11.5, 22.0, 20.0, 40.0]" in finding.label


@pytest.mark.parametrize("text", ["", "words", "a < b", "<html><body>layer</body></html>", "\x00\x01", "<", "# page\n"])
def test_what_is_no_ir_is_one_finding(text: str):
    (finding,) = check_ir(text=text)
    assert finding.severity is Severity.ERROR
    assert finding.code in ("IR002", "IR006")


def test_what_is_not_shown_is_not_missing():
    text = changed(MEAN, ('<data keep_dims="true"/>', "<data ... />"), ("<dim>3</dim>", "..."))
    assert said(check_ir(text=text)) == []
    assert said(check_ir(text='<layer type="Gather"> <input> ... </input> <output> ... </output> </layer>')) == []


def test_a_net_in_a_page_is_checked_in_its_place():
    net = '<net name="m" version="11">\n<layers>\n<layer id="0" name="a" type="What" version="opset1"/>\n</layers>\n</net>\n'
    report = check_ir(text=f"# A page\n\n```xml\n{net}```\n")
    assert said(report) == [("IR113", 4, 1), ("IR201", 6, 24)]


# running


def test_a_fragment_runs(tmp_path):
    path = tmp_path / "fragment.xml"
    path.write_text(MEAN)
    data = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert run_ir(path, {"data": data, "axes": [1]})[0].tolist() == [[1.0], [4.0]]
    assert run_ir(path, {"data": data})[0].tolist() == [[1.0], [4.0]]
    assert run_ir(path, {"input_0": data, "axes": [0]})[0].tolist() == [[1.5, 2.5, 3.5]]


def test_one_layer_of_several(tmp_path):
    path = tmp_path / "page.md"
    path.write_text(f"```xml\n{MEAN}```\n```xml\n{SUM}```\n")
    assert run_ir(path, layer=1)[0].tolist() == [[11.5, 22.0], [20.0, 40.0]]
    with pytest.raises(IRError, match="holds 2 bare layers"):
        load_ir(path)
    with pytest.raises(IRError, match="no layer 2"):
        load_ir(path, layer=2)
