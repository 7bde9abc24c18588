from __future__ import annotations

import numpy as np
import pytest

from benchmarks.elements import worst_error
from benchmarks.suites import ACCURACY, SUITES
from irrun import load_ir

SMALL = 1 << 22  # bytes
CASES = [case for suite in ("reduce_mean", "bags") for case in SUITES[suite]() if case.moved <= SMALL]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.suite} {case.name}")
def test_a_measured_model_runs_and_is_right(case, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(case.model)
    path.with_suffix(".bin").write_bytes(case.constants)
    feeds = case.feeds()
    with np.errstate(over="ignore"):
        result = load_ir(path).run(feeds)[0]
    exact, magnitude = case.exact(feeds)
    assert worst_error(result, exact, magnitude, case.element) <= (0 if case.element in ("i32", "i64", "u8") else 4)


def test_names_of_cases_are_unique():
    for suites in (SUITES, ACCURACY):
        names = [(case.suite, case.name) for suite in suites.values() for case in suite()]
        assert len(names) == len(set(names))
