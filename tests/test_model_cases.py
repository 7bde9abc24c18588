"""The shared model cases, made from public bug reports: each gives its outputs, or fails as its expect.json says."""

from __future__ import annotations

import json
import os
import runpy
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irrun import IRError, load_ir
from irrun.diag import Finding, Report
from irrun.pipeline import open_model

SHARED = os.environ.get("IRRUN_SHARED")
NAMES = sorted(path.parent.name for path in Path(SHARED, "cases").glob("*/expect.json")) if SHARED else []


@pytest.mark.skipif(not SHARED, reason="IRRUN_SHARED is not set")
def test_there_are_cases():
    assert len(NAMES) >= 38


@pytest.mark.parametrize("name", NAMES)
def test_case(shared, tmp_path, name: str):
    folder = shared / "cases" / name
    if (folder / "make_bin.py").exists():
        folder = Path(shutil.copytree(folder, tmp_path / name))
        runpy.run_path(str(folder / "make_bin.py"))
    expect = json.loads((folder / "expect.json").read_text())
    before = _resident()
    report = Report()
    try:
        model = open_model(folder / "model.xml", report)
    except IRError:
        model = None
    feeds = {name: np.load(folder / file) for name, file in expect["inputs"].items()}
    if expect.get("error"):
        _fails(folder, feeds, expect["error"])
        return
    assert model is not None, str(report)
    for given in _ways_to_feed(feeds, expect):
        results = model.run(given)
        for output, wanted in expect["outputs"].items():
            _same(results[output], np.load(folder / wanted["file"]), wanted)
    for finding in expect.get("findings", ()):
        _is_found(results.findings, finding)
    assert _resident() - before < 64 << 20, "a weights file of 5 GiB is mapped, not read"


def _ways_to_feed(feeds: dict[str, np.ndarray], expect: dict[str, Any]) -> list[Any]:
    """By name; and by index where the case asks for it."""
    return [feeds, dict(enumerate(feeds.values()))] if "feed_by" in expect else [feeds]


def _fails(folder: Path, feeds: dict[str, np.ndarray], error: dict[str, Any]) -> None:
    """Loading fails, or for the stage `infer` running, and the printed error says what the case asks for."""
    with pytest.raises(IRError) as raised:
        load_ir(folder / "model.xml").run(feeds)
    if error["stage"] != "infer":
        with pytest.raises(IRError):
            load_ir(folder / "model.xml")
    said = str(raised.value)
    assert all(word in said for word in [*error["mentions"], error.get("layer", "")]), said


def _is_found(findings: tuple[Finding, ...], wanted: dict[str, Any]) -> None:
    words = [wanted["layer"], *wanted["mentions"]]
    said = [f"{finding.severity} {finding.message} {finding.hint or ''}" for finding in findings]
    assert any(text.startswith(wanted["severity"]) and all(word in text for word in words) for text in said), said


def _same(got: np.ndarray, wanted: np.ndarray, told: dict[str, Any]) -> None:
    assert got.dtype == wanted.dtype
    np.testing.assert_allclose(got, wanted, rtol=told.get("rtol", 0), atol=told.get("atol", 0), strict=True)


def _resident() -> int:
    """The bytes of memory that this process holds, where the system says."""
    if not Path("/proc/self/statm").exists():
        return 0
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
