"""Soup of every kind is read in time linear in its size, and says no more than it must."""

from __future__ import annotations

import time

import pytest

from irrun import check_ir

LAYER = '<layer type="Abs">'
HOSTILE = {
    "nested unknown elements": lambda n: LAYER + "<a>" * n + "</a>" * n,
    "nested layers": lambda n: "<layer>" * n,
    "nested bodies": lambda n: LAYER + "<body><layers><layer>" * n,
    "nested ports": lambda n: LAYER + "<input>" + "<port>" * n,
    "comments that do not end": lambda n: LAYER + "<!-- x\n" * n,
    "comments on one line": lambda n: LAYER + "<!-- " * n + "-->",
    "broken comments": lambda n: LAYER + "< -- x\n" * n + "<a> -->",
    "comments with odd ends": lambda n: LAYER + "<!-- x ->\n" * n + " -->",
    "quotes that do not end": lambda n: LAYER + '<port id="' * n,
    "typographic quotes": lambda n: LAYER + "<port id=\u201cx" * n,
    "attributes": lambda n: "<layer type='Abs' " + " ".join(f'a{i}="1"' for i in range(n)) + ">",
    "dims that end with their start": lambda n: LAYER + "<input><port>" + "<dim>5<dim>" * n,
    "ports that end in themselves": lambda n: LAYER + "<input>" + "<port/><dim>1</dim></port>" * n,
    "elements and sections": lambda n: LAYER + "<a/><input/>" * n,
    "value comments": lambda n: LAYER + "<input><port>" + "<!-- value: [1, 2, -->" * n + "</port></input></layer>",
    "lists in lists": lambda n: LAYER + f"<input><port><!-- value: {'[' * n} --></port></input></layer>",
    "less than": lambda n: LAYER + "< " * n,
    "code blocks": lambda n: ".. code-block:: xml\n\n  <layer\n" * n,
    "fences": lambda n: "```\n<layer>\n" * n,
    "versioned names": lambda n: "**Versioned name**" + " " * n + "<layer>",
    "white space": lambda n: "<layer" + " " * n + "type='Abs'" + " " * n + "/" + " " * n,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_four_times_the_text_takes_no_sixteen_times_as_long(name: str):
    def seconds(count: int) -> float:
        text = HOSTILE[name](count)
        start = time.process_time()
        check_ir(text=text)
        return time.process_time() - start

    seconds(10)
    least = min(seconds(500) for _ in range(3))
    assert min(seconds(2_000) for _ in range(3)) < max(12 * least, 1)


@pytest.mark.parametrize(("before", "levels", "code"), [(LAYER, 50_000, "IR027"), ("", 1_000_000, "IR002")])
def test_countless_levels_are_one_finding(before: str, levels: int, code: str):
    assert [finding.code for finding in check_ir(text=before + "<a>" * levels + "</a>" * levels)] == [code]


def test_repairs_of_one_kind_are_said_a_thousand_times_at_most():
    assert sum(finding.code == "IR010" for finding in check_ir(text=LAYER + "... " * 5_000)) == 1_000
