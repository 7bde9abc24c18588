"""Five thousand mutants in the ordinary run: whatever the bytes, a result or an IRError, in bounded time and memory."""

from __future__ import annotations

import sys

import pytest

from tests.fuzz.mutate import mutated
from tests.fuzz.runner import attack
from tests.fuzz.targets import TARGETS

SHARES = {"model": 2_500, "check": 1_000, "bin": 500, "array": 1_000}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory are set as Linux has them")
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_mutants(target):
    failures = attack(target, range(SHARES[target.name]))
    assert failures == [], "\n".join(f"{failure.seed}: {failure.said}" for failure in failures[:5])


def test_a_seed_is_a_mutant():
    originals = TARGETS[0].originals
    assert mutated(7, originals) == mutated(7, originals)
    assert len({mutated(seed, originals) for seed in range(200)}) > 150
