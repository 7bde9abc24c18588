"""Graphs of random operations: plain NumPy says what each layer gives, OpenVINO what it can.

`python -m tests.test_random_graphs 20000` tries many more than an ordinary run, and `--only Gather-8` wires one operation.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from irrun import IRError
from irrun.kernels.notice import listening
from irrun.ops import REGISTRY, opsets
from irrun.types.element import BY_NAME
from tests.graphs import elementwise, moving, reducing
from tests.graphs.compare import SAFE, wrong_in
from tests.graphs.wiring import MAKERS, Unfit, Wiring, available

GRAPHS = 500
WILD = ("f32", "f64", "f16", "bf16", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "boolean", "string")
FAMILIES = (elementwise, moving, reducing)


@st.composite
def graphs(draw, names: list[str]) -> Wiring:
    """A graph of one to eight of these operations."""
    safe = draw(st.booleans())
    dynamic = not safe and draw(st.booleans())
    wiring = Wiring(
        draw,
        np.random.default_rng(draw(st.integers(0, 2**32 - 1))),
        [BY_NAME[name] for name in (SAFE if safe else WILD)],
        dynamic=dynamic,
        empty=not safe and draw(st.integers(0, 3)) == 0,
        steered=dynamic and draw(st.booleans()),
        extreme=not safe and draw(st.integers(0, 3)) == 0,
    )
    for _ in range(draw(st.integers(1, 8))):
        try:
            MAKERS[draw(st.sampled_from(names))](wiring)
        except Unfit:
            continue
    return wiring


def examine(wiring: Wiring) -> None:
    if not wiring.layers:
        return
    try:
        with listening():
            wrong = wrong_in(wiring)
    except IRError as error:  # a run that fails, where none should
        wrong = [str(error)]
    assert not wrong, "\n".join([*wrong, *wiring.notes, wiring.finish()[0]])


@settings(max_examples=GRAPHS, suppress_health_check=list(HealthCheck))
@given(wiring=graphs(available()))
def test_random_graphs(wiring: Wiring):
    examine(wiring)


def test_every_maker_is_of_a_family():
    assert {maker.__module__ for maker in MAKERS.values()} == {"tests.graphs.wiring"}
    assert len(FAMILIES) == 3


def test_every_operation_is_wired():
    held = {fact.name for fact in opsets.FACTS if (fact.type, fact.version) in REGISTRY}
    assert held - set(MAKERS) == {"Constant-1", "Parameter-1", "Result-1"}


def main() -> None:
    """Try as many graphs as the command line says."""
    parser = argparse.ArgumentParser(description="Compare random graphs with NumPy and OpenVINO.")
    parser.add_argument("count", type=int, nargs="?", default=GRAPHS)
    parser.add_argument("--only", action="append", metavar="OPERATION", help="wire only this operation; repeatable")
    arguments = parser.parse_args()
    tried = 0

    @settings(
        max_examples=arguments.count,
        deadline=None,
        derandomize=False,
        report_multiple_bugs=False,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
        print_blob=False,
    )
    @given(wiring=graphs(arguments.only or available()))
    def many(wiring: Wiring) -> None:
        nonlocal tried
        tried += bool(wiring.layers)
        with np.errstate(all="ignore"):
            examine(wiring)

    started = time.monotonic()
    many()
    print(f"{tried} graphs of {len(arguments.only or available())} operations in {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
