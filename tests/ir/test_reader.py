"""Reading XML in any encoding, refusing what is none, and finding every place."""

from __future__ import annotations

import io

import pytest

from irrun import IRError, check_ir, load_ir, run_ir
from irrun.diag import Report
from irrun.ir.document import split_names
from irrun.ir.reader import read_document
from tests.models import AXES, DATA, MEAN, WANTED, changed


def findings(text: str | bytes, weights: bytes = AXES) -> list:
    data = text if isinstance(text, bytes) else text.encode()
    try:
        return list(load_ir(io.BytesIO(data), weights=weights).findings)
    except IRError as error:
        return list(error.findings)


def codes(text: str | bytes) -> list[str]:
    return [finding.code for finding in findings(text)]


NAMED = changed(MEAN, ('name="mean"', 'name="mitté"'))
DECLARED = changed(NAMED, ('<?xml version="1.0"?>', '<?xml version="1.0" encoding="ISO-8859-1"?>'))


@pytest.mark.parametrize(
    "data",
    [
        NAMED.encode(),
        NAMED.encode("utf-8-sig"),
        NAMED.encode("utf-16"),
        NAMED.encode("utf-16-le"),
        NAMED.encode("utf-16-be"),
        NAMED.encode("utf-32"),
        NAMED.encode("utf-32-le"),
        DECLARED.encode("latin-1"),
        ("<!-- first --> \n" + NAMED).encode(),
        b" " * 600 + NAMED.encode(),
        changed(NAMED, ("<net", "<!DOCTYPE net>\n<net")).encode(),
        changed(NAMED, ("<net", '<net xmlns="http://example.org/ir"')).encode(),
        NAMED.replace("\n", "\r\n").encode(),
    ],
    ids=lambda data: repr(data[:24]),
)
def test_encodings_and_prologs(data: bytes):
    results = run_ir(io.BytesIO(data), {"data": DATA}, weights=AXES, outputs=["mitté"])
    assert (results["mitté"] == WANTED).all()
    assert results.findings == ()


@pytest.mark.parametrize(
    ("data", "code", "said"),
    [
        (b"", "IR002", "empty"),
        (b"\0\0\0", "IR002", ""),
        (b"just words", "IR002", ""),
        (b"<model/>", "IR006", "<model>"),
        (b"version https://git-lfs.github.com/spec/v1\noid x", "IR005", "Git LFS"),
        (NAMED.encode("latin-1"), "IR004", "UTF-8"),
        (b'<?xml version="1.0" encoding="klingon"?><net/>', "IR004", "klingon"),
        (b'<!DOCTYPE net [<!ENTITY e "2">]><net version="11"/>', "IR003", "internal subset"),
        (b'<!DOCTYPE net SYSTEM "x" [', "IR003", ""),
        (b'<net version="7"/>', "IR007", "'7'"),
        (b'<net version="11 "/>', "IR007", ""),
        (b"<net/>", "IR007", "no version"),
        (MEAN.replace("</edges>", "").encode(), "IR002", "mismatch"),
        ((MEAN + "<net/>").encode(), "IR002", "extra content"),
        (MEAN.replace('name="m"', 'name="&e;"').encode(), "IR002", "'e' not defined"),
        (b"<net version='11'>" + b"<a>" * 3000 + b"</a>" * 3000 + b"</net>", "IR002", ""),
    ],
)
def test_what_is_no_ir(data: bytes, code: str, said: str):
    found = findings(data)
    assert [finding.code for finding in found] == [code]
    assert said in found[0].message


def test_no_entity_and_no_file_is_read(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("5")
    for dtd in (f'[<!ENTITY e SYSTEM "{secret}">]', f'SYSTEM "{secret}"'):
        text = changed(MEAN, ("<net", f"<!DOCTYPE net {dtd}>\n<net"), ("<dim>2</dim>", "<dim>&e;</dim>"))
        assert codes(text) in (["IR003"], ["IR002"])


@pytest.mark.parametrize(
    ("change", "code", "place"),
    [
        (('<layer id="1" name="axes"', '<layer id="1"'), "IR101", '<layer id="1"'),
        (('id="2" precision="FP32"', 'id="2"'), "IR101", '<port id="2" names="mean"'),
        (('from-port="2"', 'from-port="1.7"'), "IR102", 'from-port="1.7"'),
        (("<dim>2</dim>", "<dim>-5</dim>"), "IR102", "<dim>-5"),
        (("<dim>2</dim>", "<dim>1.5</dim>"), "IR406", "<dim>1.5"),
        (("</edges>", "</edges><extra a='1'><b/></extra>"), "IR103", "<extra"),
        (('<data keep_dims="true"/>', '<data keep_dims="true"/><data/>'), "IR104", "<data/>"),
        (('name="mean" type', 'name="mean" shape="1" type'), "IR105", 'shape="1"'),
        (('<layer id="3"', '<layer id="2"'), "IR106", 'id="2" name="out"'),
        (
            ('<port id="1" precision="I64"><dim>1', '<port id="0" precision="I64"><dim>1'),
            "IR107",
            '<port id="0" precision="I64"',
        ),
        (('from-layer="1"', 'from-layer="9"'), "IR108", 'from-layer="9"'),
        (
            ("</edges>", '<edge from-layer="0" from-port="0" to-layer="9" to-port="0"/></edges>'),
            "IR109",
            'to-layer="9"',
        ),
        (("</edges>", '<edge from-layer="0" from-port="0" to-layer="2" to-port="1"/></edges>'), "IR110", "<edge from"),
        (("<edges>", "words<edges>"), "IR119", "<layers"),
        (
            ('precision="I64"><dim>1</dim></port></input>', 'precision="Q8"><dim>1</dim></port></input>'),
            "IR407",
            'precision="Q8"',
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_places_are_exact(change: tuple[str, str], code: str, place: str):
    text = changed(MEAN, change)
    found = next(finding for finding in findings(text) if finding.code == code)
    line = text.split("\n")[found.line - 1]
    assert line[found.column - 1 :].startswith(place)


def test_columns_count_code_points_and_lines_any_line_end():
    text = changed(MEAN, ('name="axes"', 'name="ächsen😀" odd="1"')).replace("\n", "\r")
    found = next(finding for finding in findings(text) if finding.code == "IR105")
    line = text.split("\r")[found.line - 1]
    assert line[found.column - 1 :].startswith('odd="1"')


def test_a_tag_in_a_comment_is_no_element():
    text = changed(
        MEAN, ("<layers>", "<layers><!-- <layer id='7'> -->"), ('version="opset1"', 'odd="1" version="opset1"')
    )
    found = next(finding for finding in findings(text) if finding.code == "IR105")
    assert text.split("\n")[found.line - 1][found.column - 1 :].startswith('odd="1"')


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a,b", ("a", "b")),
        (r"y\,1,z", ("y,1", "z")),
        ("a,,a, b", ("a", " b")),
        ("", ()),
        ("back\\slash", ("back\\slash",)),
    ],
)
def test_names(text: str, names: tuple[str, ...]):
    assert split_names(text) == names


def test_bodies_are_nested_documents():
    body = MEAN[MEAN.index("<layers>") : MEAN.index("</net>")]
    layer = f'<layer id="7" name="loop" type="TensorIterator" version="opset1"><body>{body}</body></layer></layers>'
    document = read_document("m.xml", changed(MEAN, ("</layers>", layer)).encode(), Report())
    inner = document.layer_by_id[7].bodies["body"]
    assert inner.path == "loop/body/"
    assert inner.title(inner.layers[2]) == "loop/body/mean (id 2)"
    assert [layer.name for layer in inner.layers] == ["data", "axes", "mean", "out"]


def test_rt_info_and_meta_data_are_kept():
    info = '<rt_info><a value="1"/></rt_info><meta_data><MO_version value="2"/></meta_data></net>'
    document = read_document("m.xml", changed(MEAN, ("</net>", info)).encode(), Report())
    assert document.rt_info.children[0].attributes == {"value": "1"}
    assert document.meta_data.children[0].tag == "MO_version"


def test_a_text_is_checked_without_a_file():
    assert [finding.code for finding in check_ir(text=MEAN, weights=AXES)] == []
    assert [finding.code for finding in check_ir(text=MEAN)] == ["IR501"]
