"""Examples in pages: fences, code blocks, raw pages and plain text, each in its place, with the page's version."""

from __future__ import annotations

import pytest

from irrun.ir.pages import find_examples

LAYER = '<layer type="Abs">\n    <output/>\n</layer>\n'


def found(page: str) -> list[str]:
    return [page[slice(*example.span)] for example in find_examples(page)]


@pytest.mark.parametrize(
    "page",
    [
        f"# Abs\n\n```xml\n{LAYER}```\n",
        f"# Abs\n\n~~~~ xml\n{LAYER}~~~~\nwords < words\n",
        f"text\n```\n{LAYER}```\n```python\nprint('<layer>')\n```\n",
        f"text\n```cpp\n{LAYER}```\n",
        f"unclosed\n```xml\n{LAYER}",
        f"words\n\n.. code-block:: xml\n   :force:\n\n{LAYER.replace('<', '   <', 1)}\nwords\n".replace(
            "\n    <o", "\n       <o"
        ),
    ],
)
def test_blocks_are_found(page: str):
    (example,) = found(page)
    assert example.strip().startswith("<layer")
    assert "words" not in example
    assert "```" not in example


def test_a_block_of_another_language_is_none():
    assert found("```python\nxml = '<layer type=\"Abs\"/>'\n```\n") == []


def test_layers_in_plain_text_are_found():
    page = f'Abs is this:\n\n{LAYER}\nwhere a > b and `<layer>` is a tag.\n\n  <layer ... type="Abs"\n   version="x">\n  </layer>\nend'
    assert found(page) == [LAYER, '  <layer ... type="Abs"\n   version="x">\n  </layer>\n']


def test_a_fragment_is_one_example():
    page = f"<!-- V3 -->\n{LAYER}\n\n<!-- V2 -->\n<... type='Abs'></layer>"
    assert found(page) == [page]


@pytest.mark.parametrize(
    "text", ["", "words", "<html><body/></html>", "<net><layers><layer/></layers></net>", "<a\n<layer>"]
)
def test_other_texts_hold_none(text: str):
    assert found(text) == []


def test_noise_is_blanked_and_places_stay():
    page = '```xml\n|\n|\n| <layer type="Abs">\n|\n|<output/>\n|\n</layer>\n|\n```\n|'
    (example,) = find_examples(page)
    assert len(example.text) == len(page)
    assert "|" not in example.text[slice(*example.span)]
    assert example.text.index("<output/>") == page.index("<output/>")


def test_a_quotation_is_read():
    page = f"he wrote\n\n> ```xml\n{''.join(f'> {line}' + chr(10) for line in LAYER.splitlines())}> ```\n"
    (example,) = find_examples(page)
    assert ">" not in example.text[slice(*example.span)].replace(LAYER.splitlines()[0], "").replace("/>", "").replace(
        "</layer>", ""
    )


def test_the_version_is_the_one_named_last():
    page = (
        f"**Versioned name**: *SoftMax-1*\n```xml\n{LAYER}```\n**Versioned name** : *SoftMax-8*\n```xml\n{LAYER}```\n"
    )
    assert [dict(example.versions) for example in find_examples(page)] == [{"softmax": 1}, {"softmax": 8}]
