"""Tables and JSON of what was measured."""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import Row

MIB = 1 << 20


def heading(peers: Sequence[str]) -> str:
    """The first line of the table: irrun's time over each peer's, then what each row was."""
    ratios = "".join(f"{f'/{peer}':>10}" for peer in peers)
    return f"{'case':44}{'ms':>10}{ratios}{'GB/s':>8}{'ulp':>8}{'ulp ov':>10}{'MiB':>7}{'MiB ov':>8}"


def line(row: Row, peers: Sequence[str]) -> str:
    """One row of the table."""
    own = row.by["irrun"]
    other = row.by.get("openvino")
    ratios = "".join(f"{_number(row.ratio(peer), 2):>10}" for peer in peers)
    note = f"  {row.case.note}" if row.case.note else ""
    return (
        f"{row.case.name:44}{own.seconds * 1e3:10.3f}{ratios}{row.case.moved / own.seconds / 1e9:8.1f}"
        f"{own.error:8.2f}{_number(other.error if other else None, 2):>10}"
        f"{_mib(own.peak):>7}{_mib(other.peak if other else None):>8}{note}"
    )


def summary(rows: Iterable[Row], peers: Sequence[str]) -> list[str]:
    """Geometric mean and worst row, by suite and element type."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.case.suite, row.case.element), []).append(row)
    lines = [f"{'geometric mean (worst)':44}" + "".join(f"{f'/{peer}':>16}" for peer in peers)]
    for (suite, element), group in groups.items():
        cells = ""
        for peer in peers:
            ratios = [ratio for row in group if (ratio := row.ratio(peer)) is not None]
            cells += f"{_means(ratios):>16}"
        lines.append(f"{suite + ' ' + element:44}{cells}")
    return lines


def write_json(path: Path, rows: Iterable[Row], threads: int, rounds: int) -> None:
    """Write what was measured, with what it was measured on."""
    path.parent.mkdir(parents=True, exist_ok=True)
    about = {
        "machine": platform.machine(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "threads": threads,
        "rounds": rounds,
    }
    path.write_text(json.dumps({"about": about, "rows": [_as_data(row) for row in rows]}, indent=1) + "\n")


def _as_data(row: Row) -> dict[str, Any]:
    by = {
        name: {"seconds": each.seconds, "least": each.least, "ulp": each.error, "peak": each.peak}
        for name, each in row.by.items()
    }
    ratios = {peer: row.ratio(peer) for peer in row.by if peer != "irrun"}
    return {
        "suite": row.case.suite,
        "case": row.case.name,
        "bytes": row.case.moved,
        "by": by,
        "ratios": ratios,
        "note": row.case.note,
    }


def _means(ratios: list[float]) -> str:
    if not ratios:
        return "-"
    return f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f} ({max(ratios):.2f})"


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}" if value < 1e6 else f"{value:.1e}"


def _mib(size: int | None) -> str:
    return "-" if size is None else f"{size / MIB:.1f}"
