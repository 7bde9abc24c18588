"""What was computed, for people and for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from irrun import __version__
from irrun.cli.outcome import Expected, Outcome, Output
from irrun.compare import Comparison
from irrun.diag.render.json import finding_data
from irrun.diag.render.text import printable
from irrun.save import plain, stored_dtype
from irrun.statistics import Statistics
from irrun.types.shape import extents_text

_ROWS, _COLUMNS, _FIRST = 8, 8, 8
_VALUES_IN_JSON = 1000
_WIDTH = 100


# for people


def output_text(output: Output) -> str:
    """The block of one output: name, type, shape; range and mean; values, or the first of them; files; references."""
    tensor = output.tensor
    lines = [f"{printable(tensor.name)}: {tensor.element_type}{extents_text(output.array.shape)}"]
    statistics = output.statistics
    if statistics is not None and statistics.count:
        lines.append(statistics_text(statistics))
    lines += values_text(output.array).splitlines()
    lines += [f"saved to {printable(path)}" for path in output.files]
    lines += [_expected_text(expected) for expected in output.expected]
    return "\n  ".join(lines)


def statistics_text(statistics: Statistics) -> str:
    """`min -1.5, max 3, mean 0.25`, and how many are NaN or infinite."""
    if statistics.least is None or statistics.greatest is None or statistics.mean is None:
        said = []
    else:
        least, greatest, mean = map(number_text, (statistics.least, statistics.greatest, statistics.mean))
        said = [f"min {least}, max {greatest}, mean {mean}"]
    if statistics.nans:
        said.append(f"{statistics.nans} NaN")
    if statistics.infinities:
        said.append(f"{statistics.infinities} infinite")
    return ", ".join(said)


def number_text(value: float) -> str:
    """An integer in full, another number with six digits."""
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def values_text(array: np.ndarray) -> str:
    """The values as NumPy shows them, if they are few; else the first ones in a row, with how many there are."""
    rows = math.prod(array.shape[:-1])
    if array.size == 0:
        return "no values"
    if rows <= _ROWS and (array.ndim == 0 or array.shape[-1] <= _COLUMNS):
        return _shown(array)
    return f"{_shown(first(array, _FIRST))[:-1]} ...] ({array.size} values)"


def first(array: np.ndarray, count: int) -> np.ndarray:
    """The first `count` values in a row."""
    return array.reshape(-1)[:count] if array.flags.c_contiguous else np.asarray(array.flat[:count])


def _shown(array: np.ndarray) -> str:
    if array.dtype.kind == "T":
        return printable(str([text if len(text) <= 40 else f"{text[:40]}…" for text in array.reshape(-1).tolist()]))
    return np.array2string(plain(array), max_line_width=_WIDTH, threshold=_ROWS * _COLUMNS + 1)


def _expected_text(expected: Expected) -> str:
    comparison = expected.comparison
    source = printable(expected.source)
    if comparison.equal:
        relative, absolute = comparison.tolerance.relative, comparison.tolerance.absolute
        within = f"within rtol {relative:g}, atol {absolute:g}" if relative or absolute else "exactly"
        largest = f" (largest difference {number_text(comparison.max_absolute)})" if comparison.max_absolute else ""
        return f"as expected by {source}, {within}{largest}"
    return f"not as expected by {source}: {comparison.said}"


# for programs


def report_json(outcome: Outcome, exit_status: int) -> str:
    """The report of a run as JSON.

    Numbers that JSON has no way to write are the texts "NaN", "Infinity" and "-Infinity". `values` are the first
    thousand of an output, in row-major order; min, max and mean are over finite values, null where there are none.
    """
    return json.dumps(
        {
            "irrun": __version__,
            "model": outcome.model,
            "exit_status": exit_status,
            "inputs": [
                {
                    "name": tensor.name,
                    "names": list(tensor.names),
                    "element_type": tensor.element_type.name,
                    "shape": str(tensor.shape),
                    "source": source,
                }
                for tensor, source in outcome.inputs
            ],
            "outputs": [_output_data(output) for output in outcome.outputs],
            "findings": [finding_data(finding) for finding in [*outcome.stops, *outcome.findings]],
        },
        allow_nan=False,
    )


def _output_data(output: Output) -> dict[str, Any]:
    tensor, statistics = output.tensor, output.statistics
    return {
        "name": tensor.name,
        "names": list(tensor.names),
        "layer": {"id": tensor.layer_id, "name": tensor.layer_name},
        "element_type": tensor.element_type.name,
        "shape": list(output.array.shape),
        "dtype": stored_dtype(output.array.dtype).name,
        "min": None if statistics is None else _number(statistics.least),
        "max": None if statistics is None else _number(statistics.greatest),
        "mean": None if statistics is None else _number(statistics.mean),
        "nan": 0 if statistics is None else statistics.nans,
        "infinite": 0 if statistics is None else statistics.infinities,
        "values": _values(first(output.array, _VALUES_IN_JSON)),
        "files": output.files,
        "expected": [_comparison_data(expected.source, expected.comparison) for expected in output.expected],
    }


def _comparison_data(source: str, comparison: Comparison) -> dict[str, Any]:
    return {
        "source": source,
        "equal": comparison.equal,
        "rtol": comparison.tolerance.relative,
        "atol": comparison.tolerance.absolute,
        "said": comparison.said,
        "first": None if comparison.first is None else list(comparison.first),
        "actual": comparison.actual,
        "expected": comparison.expected,
        "count": comparison.count,
        "size": comparison.size,
        "max_absolute": _number(comparison.max_absolute),
        "max_relative": _number(comparison.max_relative),
        "needs_atol": comparison.needs_atol,
        "needs_rtol": comparison.needs_rtol,
    }


def _values(array: np.ndarray) -> Sequence[Any]:
    return [_number(value) for value in array.tolist()]


def _number(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value
