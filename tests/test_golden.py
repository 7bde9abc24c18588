"""Models, fragments and pages that carry their expected findings as comments, one file each in golden/.

`<!-- expect IR401:9 -->` stands on the line of the finding, and says its code and its column, or no column where the
reader of XML chooses it. Where a comment would be in the way it stands elsewhere and names the line, `<!-- expect@12
IR013:3 -->`; a finding about the file as a whole is `IR006:-`. Several are separated by blanks. A missing or an extra
finding fails.

`<!-- bin: 0100000000000000 -->` holds the .bin, which is an i64 1 if nothing is said, and `none` if there is none;
`<!-- run: {"feeds": {"data": [1.5]}} -->` runs the model, too: the keys are those of run_ir, and a feed {"float64":
[1.5]} has a type.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irrun import IRError, check_ir, run_ir
from irrun.diag import CODES, Finding
from tests.models import AXES

GOLDEN = Path(__file__).parent / "golden"
FILES = sorted(path for folder in ("whole", "fragments") for path in (GOLDEN / folder).iterdir())
EXPECT = re.compile(r"<!-- expect(?:@(\d+))? ((?:IR\d{3}(?::(?:\d+|-))? ?)+)-->")

ELSEWHERE = {
    "IR001": "cli/test_run.py",
    "IR609": "ops/test_own_operations.py",
    "IR611": "test_arrayfile.py",
    "IR612": "cli/test_run.py",
    "IR613": "cli/test_run.py",
}
"""Codes that no file alone can give, and the tests that have them."""

Expected = tuple[str, str, str]


def text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogateescape")


def expected(text: str) -> Counter[Expected]:
    """Code, line and column of each finding that the comments of a text expect; the column is empty where it is
    open.
    """
    found: Counter[Expected] = Counter()
    for match in EXPECT.finditer(text):
        here = match[1] or str(text.count("\n", 0, match.start()) + 1)
        for item in match[2].split():
            code, _, column = item.partition(":")
            found[code, "-" if column == "-" else here, column] += 1
    return found


def got(findings: list[Finding], wanted: Counter[Expected]) -> Counter[Expected]:
    """The same of what was found."""
    found = Counter((each.code, str(each.line or "-"), str(each.column or "-")) for each in findings)
    opened = {key[:2] for key in wanted if not key[2]}
    return Counter({(*key[:2], "" if key[:2] in opened else key[2]): count for key, count in found.items()})


def directive(text: str, name: str) -> str | None:
    match = re.search(rf"<!-- {name}: (.*?) -->", text, re.DOTALL)
    return None if match is None else match[1]


def feed(value: Any) -> Any:
    if isinstance(value, dict):
        ((dtype, items),) = value.items()
        return np.array(items, dtype)
    return value


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_golden(path: Path):
    text = text_of(path)
    stored = directive(text, "bin")
    weights = AXES if stored is None else None if stored == "none" else bytes.fromhex(stored)
    findings = list(check_ir(path, weights=weights))
    run = directive(text, "run")
    if run is not None:
        options = json.loads(run)
        feeds = {name: feed(value) for name, value in options.pop("feeds", {}).items()}
        try:
            findings = list(run_ir(path, feeds, weights=weights, **options).findings)
        except IRError as error:
            findings += [each for each in error.findings if each not in findings]
    wanted = expected(text)
    assert got(findings, wanted) == wanted, "\n\n".join(map(str, findings))


def test_every_code_has_a_golden():
    codes = {code for path in FILES for code, _, _ in expected(text_of(path))}
    assert sorted(set(CODES) - codes - set(ELSEWHERE)) == []
    assert sorted(codes & set(ELSEWHERE)) == []


@pytest.mark.parametrize("code", ELSEWHERE)
def test_the_other_codes_have_a_test(code: str):
    assert code in (Path(__file__).parent / ELSEWHERE[code]).read_text()
