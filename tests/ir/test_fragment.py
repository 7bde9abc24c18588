"""Fragments: whatever is broken, the layers are the same, and what is said points at the original characters."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irrun.diag import Finding, Report
from irrun.ir.document import Layer
from irrun.ir.fragment import Fragment, read_fragment
from irrun.source import Source
from tests.damage import DAMAGES


def read(text: str) -> tuple[Fragment, list[Finding]]:
    report = Report()
    return read_fragment(Source("page", text), report), list(report)


def without_places(layers: tuple[Layer, ...]) -> list[Layer]:
    def ports(listed):
        return tuple(port._replace(at=0) for port in listed)

    return [replace(x, inputs=ports(x.inputs), outputs=ports(x.outputs), at=0, data_at=None) for x in layers]


def said(finding: Finding) -> tuple[str, int | None, int | None]:
    return finding.code, finding.line, finding.column


# well-formed fragments of every shape

NAMES = st.sampled_from(["ReduceMean", "Gather", "Einsum", "Split", "EmbeddingBagPackedSum", "Const"])
DATA = st.sampled_from(
    [
        {},
        {"axis": "1"},
        {"keep_dims": "true"},
        {"equation": "ab...,ac...->...bc"},
        {"strides": "1,1", "auto_pad": "explicit"},
        {"name": "a &amp; b", "type": "max"},
    ]
)
COMMENTS = st.sampled_from(["", "<!-- axes -->", "<!-- value is: [1, -1.5] -->", "<!-- a - b, c > d -->"])


@st.composite
def port(draw, id: int) -> str:
    precision = draw(st.sampled_from(["", ' precision="FP32"', ' precision="I64"']))
    dims = [f"<dim>{dim}</dim>" for dim in draw(st.lists(st.integers(0, 300), max_size=3))]
    comment = draw(COMMENTS)
    if not dims and not comment and draw(st.booleans()):
        return f'<port id="{id}"{precision}/>'
    return "\n".join([f'<port id="{id}"{precision}>', *([comment] if comment else []), *dims, "</port>"])


@st.composite
def layer(draw, number: int) -> str:
    inputs = [draw(port(id)) for id in range(draw(st.integers(0, 3)))]
    outputs = [draw(port(id)) for id in range(draw(st.integers(1, 2)))]
    data = "".join(f' {name}="{value}"' for name, value in draw(DATA).items())
    parts = [
        f'<layer id="{number}" type="{draw(NAMES)}"{draw(st.sampled_from(["", " version=" + chr(34) + "opset3" + chr(34)]))}>'
    ]
    parts += [f"<data{data}/>"] if data else []
    parts += ["<input>", *inputs, "</input>"] if inputs else []
    return "\n".join([*parts, "<output>", *outputs, "</output>", "</layer>"])


@st.composite
def fragment(draw) -> str:
    text = "\n".join(draw(layer(number)) for number in range(draw(st.integers(1, 3))))
    return draw(
        st.sampled_from([text, text.replace("\n", ""), text.replace("\n", "\n    "), text.replace("\n", "\r\n")])
    )


@given(fragment())
def test_what_is_well_formed_is_read_without_a_word(text: str):
    read_layers, findings = read(text)
    assert findings == []
    assert len(read_layers.layers) == text.count("<layer")


@pytest.mark.parametrize("name", sorted(DAMAGES))
@given(text=fragment(), seed=st.integers(0, 10_000))
def test_a_damaged_fragment_reads_to_the_same_layers(name: str, text: str, seed: int):
    damaged = DAMAGES[name](text, Random(seed))
    if damaged is None:
        return
    mended, findings = read(damaged.text)
    assert without_places(mended.layers) == without_places(read(text)[0].layers)
    assert [finding.code for finding in findings] == ([] if damaged.code is None else [damaged.code])
    for finding in findings:
        span = finding.place.span
        assert span.start <= damaged.span.start < span.end or damaged.span.start <= span.start < damaged.span.end


INDEPENDENT = ["comma", "unquoted", "stray_end", "comment_broken", "odd_space", "ellipsis_in_a_tag"]


@given(text=fragment(), seed=st.integers(0, 10_000), count=st.integers(2, 4))
def test_several_damages_in_one_fragment(text: str, seed: int, count: int):
    random = Random(seed)
    damaged = text
    for _ in range(count):
        done = DAMAGES[random.choice(INDEPENDENT)](damaged, random)
        damaged = damaged if done is None else done.text
    assert without_places(read(damaged)[0].layers) == without_places(read(text)[0].layers)


def test_every_damage_is_done():
    text = (
        '<layer id="1" type="Pad">\n<data mode="edge"/>\n<input>\n<port id="0" precision="FP32"><dim>2</dim></port>\n'
        '<port id="1">\n<!-- value is [1] -->\n<dim>1</dim>\n</port>\n</input>\n<output>\n<port id="2"/>\n</output>\n</layer>'
    )
    for name, damage in DAMAGES.items():
        assert any(damage(text, Random(seed)) is not None for seed in range(20)), name


@given(st.text(alphabet="<>/!-\"' =.,abdeilmnoprtuxy0\n\u2026\u00a0[]&;", max_size=200))
def test_any_text_is_read(text: str):
    mended, findings = read(text)
    for finding in findings:
        assert 0 <= finding.place.span.start <= finding.place.span.end <= len(text)
    assert isinstance(mended, Fragment)
