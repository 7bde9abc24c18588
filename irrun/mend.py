"""What `irrun check --fix` does: mend what has one right answer, again and again until nothing is left to mend."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from irrun.check import check_bytes
from irrun.diag import IRError, Report
from irrun.ir.edits import applied
from irrun.ir.reader import with_text
from irrun.pipeline import WeightsLike, content_of
from irrun.source import Edit

ROUNDS = 100
"""A mended type has other dims, and these another layer's; more rounds than this are never needed for what people
write.
"""


@dataclass(frozen=True, slots=True)
class Mended:
    """The bytes of a file after its fixes, how many were made, and what is still to say."""

    data: bytes
    count: int
    report: Report


def mend(
    name: str,
    data: bytes,
    *,
    weights: WeightsLike = None,
    directory: Path | None = None,
    unsafe: bool = False,
    wanted: Callable[[str], bool] = lambda _: True,
) -> Mended:
    """Make the fixes of a file whose codes are `wanted`, those that change what is computed only if `unsafe`.

    Nothing but the stretches of the edits changes; a second call changes nothing. A file whose fixes never come to an
    end stays as it is.
    """
    count = 0
    report, readable = _checked(name, data, weights, directory)
    untouched = Mended(data, 0, report)
    for _ in range(ROUNDS):
        groups = [fix.make() for fix in report.fixes if wanted(fix.code) and (fix.safe or unsafe)]
        if not readable or not any(groups):
            break
        made = 0

        def change(text: str, groups: list[Sequence[Edit]] = groups) -> str:
            nonlocal made
            text, made = applied(text, groups)
            return text

        changed = with_text(data, change)
        after, still_readable = _checked(name, changed, weights, directory)
        if changed == data or not still_readable:
            break
        data, report, count = changed, after, count + made
    else:
        return untouched
    return Mended(data, count, report)


def mend_file(
    path: str, *, weights: WeightsLike = None, unsafe: bool = False, wanted: Callable[[str], bool] = lambda _: True
) -> tuple[bytes, Mended]:
    """The bytes of a file (`-` is stdin), and what they are after its fixes; nothing is written."""
    report = Report()
    try:
        name, data, directory = content_of(sys.stdin.buffer if path == "-" else path, report)
    except IRError as error:
        return b"", Mended(b"", 0, Report(error.findings))
    return data, mend(name, data, weights=weights, directory=directory, unsafe=unsafe, wanted=wanted)


def _checked(name: str, data: bytes, weights: WeightsLike, directory: Path | None) -> tuple[Report, bool]:
    report = Report()
    try:
        check_bytes(name, data, report, weights=weights, directory=directory, mending=True)
    except IRError as error:
        return Report(error.findings), False
    return report, True


def diff(name: str, before: bytes, after: bytes) -> str:
    """The unified diff of two versions of a file, as `patch` takes it; empty where they are the same."""
    old, new = (data.decode("utf-8", "replace").splitlines(keepends=True) for data in (before, after))
    path = name.lstrip("/")
    lines = difflib.unified_diff(old, new, f"a/{path}", f"b/{path}")
    return "".join([line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines])
