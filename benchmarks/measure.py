"""Measuring a case: every runner in turn, round after round, in one process."""

from __future__ import annotations

import statistics
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import runners
from benchmarks.case import Case
from benchmarks.elements import worst_error
from benchmarks.runners import Runner, Setting

# A runner is called so often in each round that it takes about this long.
SECONDS_PER_ROUND = 0.002
MOST_CALLS = 200
KIBIBYTE = 1024

Make = Callable[[Setting], Runner | None]


@dataclass(frozen=True, slots=True)
class Measured:
    """What one runner took for a case: seconds (median, least), its error in ulp, its peak memory in bytes."""

    seconds: float
    least: float
    error: float
    peak: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One measured case."""

    case: Case
    by: dict[str, Measured] = field(default_factory=dict)

    def ratio(self, peer: str) -> float | None:
        """Return irrun's time over the peer's."""
        return self.by["irrun"].seconds / self.by[peer].seconds if peer in self.by else None


def makers(extra: list[str]) -> dict[str, Make]:
    """The runners in the order in which they take turns."""
    return {"irrun": runners.irrun, "openvino": runners.openvino, "numpy": runners.numpy} | {
        name: runners.further(name) for name in extra
    }


def measure(case: Case, make: Mapping[str, Make], rounds: int, threads: int) -> Row:
    """Set every runner up, check what it gives, then time them in turn."""
    feeds = case.feeds()
    exact, magnitude = case.exact(feeds)
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, "model.xml")
        model.write_text(case.model)
        model.with_suffix(".bin").write_bytes(case.constants)
        setting = Setting(case, feeds, model, threads)
        ready = {name: each(setting) for name, each in make.items()}
        runs = {name: run for name, run in ready.items() if run is not None}
        peaks = {name: _peak(name, run) for name, run in runs.items()} if case.memory else {}
        errors = {name: worst_error(run(), exact, magnitude, case.element) for name, run in runs.items()}
        times = _times(runs, rounds)
    row = Row(case)
    for name, taken in times.items():
        row.by[name] = Measured(statistics.median(taken), min(taken), errors[name], peaks.get(name))
    return row


def _times(runs: Mapping[str, Runner], rounds: int) -> dict[str, list[float]]:
    calls = {name: max(1, min(MOST_CALLS, int(SECONDS_PER_ROUND / _seconds(run, 1)))) for name, run in runs.items()}
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            run()  # untimed: who comes next would find caches as its predecessor left them
            times[name].append(_seconds(run, calls[name]))
    return times


def _seconds(run: Callable[[], Any], calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        run()
    return (time.perf_counter() - start) / calls


def _peak(name: str, run: Runner) -> int | None:
    """Return the bytes a first run takes at its peak, beyond its result; of OpenVINO what the process grows by."""
    if name in ("irrun", "numpy"):
        tracemalloc.start()
        result = run()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak - np.asarray(result).nbytes
    try:
        before = _status("VmRSS")
        Path("/proc/self/clear_refs").write_text("5")  # the highest resident size starts again from here
        result = run()
        return max(0, _status("VmHWM") - before - np.asarray(result).nbytes)
    except OSError:  # not Linux
        return None


def _status(key: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1]) * KIBIBYTE
    raise OSError(f"/proc/self/status has no {key}")
