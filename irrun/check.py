"""What `irrun check` does: files, fragments and pages to findings.

A text whose first tag is `<net>` (or any that no fragment begins with) is a whole IR. Any other text is searched for
examples, and each is checked layer by layer.
"""

from __future__ import annotations

import glob
import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from irrun.diag import IRError, Proof, Report
from irrun.ir.pages import Example, find_examples
from irrun.ir.reader import decoded, is_net
from irrun.pipeline import Readable, WeightsLike, collecting_later, content_of, open_text, weights_of
from irrun.proof import check_example
from irrun.source import At
from irrun.suggest import suggest

SUFFIXES = frozenset({"", ".xml", ".md", ".markdown", ".rst", ".rest", ".txt"})
"""Of the files in a directory, those with these suffixes are looked into."""

_HOLDS_IR = re.compile(rb"<\x00?/?\x00?(?:n\x00?e\x00?t|l\x00?a\x00?y\x00?e\x00?r)", re.IGNORECASE)


def check_ir(path: Readable | None = None, *, text: str | None = None, weights: WeightsLike = None) -> Report:
    """All findings about a file or a text: an IR model, a fragment of one, or a page with examples.

    What is wrong with it is never raised. `weights` names the .bin, or holds its bytes; otherwise it is looked for
    beside the file.
    """
    report = Report()
    try:
        if text is not None:
            check_bytes("<text>", text.encode("utf-8", "surrogatepass"), report, weights=weights)
        elif path is not None:
            name, data, directory = content_of(path, report)
            check_bytes(name, data, report, weights=weights, directory=directory)
        else:
            raise TypeError("check_ir() takes a path or a text")
    except IRError as error:
        return Report(error.findings)
    return report


def check_bytes(
    name: str,
    data: bytes,
    report: Report,
    *,
    weights: WeightsLike = None,
    directory: Path | None = None,
    mending: bool = False,
) -> None:
    """Check the bytes of a file; `directory` is the file that a .bin may lie beside. Its fixes are sought where
    something was found, and, for `mending`, where dims are missing but none are wrong, too.

    Raises IRError where nothing can be read; its findings are then all there is to say.
    """
    examples: tuple[Example, ...] = ()
    if not is_net(data):
        source = decoded(name, data, report)
        examples = find_examples(source.text)
        if not examples and not source.text.lstrip().startswith("<"):
            report.add("IR006", f"{name} holds neither a <net> nor a <layer>", At(source))
            raise IRError(report.findings)
    if not examples:
        with collecting_later():  # until the model is gone
            _check_net(name, data, report, weights, directory, mending)
        return
    stored = weights_of(weights, directory)
    for example in examples:
        check_example(source, example, stored, report)


def _check_net(
    name: str, data: bytes, report: Report, weights: WeightsLike, directory: Path | None, mending: bool
) -> None:
    model = open_text(name, data, report, weights=weights, directory=directory)
    if mending or report.findings:
        suggest(model.calls, model.facts, model.weights, report)
    document = model.document
    report.proofs.append(Proof(f"net {document.name}".rstrip(), document.place(document.at), ("read", "shapes")))


# many files


@dataclass(frozen=True, slots=True)
class Target:
    """A file to check; one that was only come upon is passed over where it holds no IR."""

    path: str
    named: bool


def targets(paths: Iterable[str]) -> list[Target]:
    """The files that paths stand for: files, directories with all below them, patterns, and `-` for stdin; each
    once.
    """
    found: dict[str, Target] = {}
    for path in paths:
        for target in _targets(path):
            found.setdefault(target.path, target)
    return list(found.values())


def _targets(path: str) -> Iterator[Target]:
    if path != "-" and os.path.isdir(path):
        yield from _below(path)
    elif path == "-" or os.path.lexists(path) or not glob.has_magic(path):
        yield Target(path, named=True)
    else:
        matches = sorted(glob.glob(path, recursive=True))
        for match in matches:
            if os.path.isdir(match):
                yield from _below(match)
            else:
                yield Target(match, named=False)
        if not matches:
            yield Target(path, named=True)  # it cannot be read, and that is said


def _below(directory: str) -> Iterator[Target]:
    for parent, directories, files in os.walk(directory):
        directories[:] = sorted(name for name in directories if not name.startswith("."))
        for name in sorted(files):
            if os.path.splitext(name)[1].lower() in SUFFIXES and not name.startswith("."):
                yield Target(os.path.join(parent, name), named=False)


def check_target(target: Target, *, weights: WeightsLike = None) -> Report | None:
    """All findings about one file, or None where it was come upon and holds no IR."""
    if target.path == "-":
        return check_ir(sys.stdin.buffer, weights=weights)
    return None if is_passed_over(target) else check_ir(target.path, weights=weights)


def is_passed_over(target: Target) -> bool:
    """Whether a file was only come upon, and holds no IR, or is a pipe or a device; one that cannot be read is not
    passed over.
    """
    if target.named:
        return False
    if not os.path.isfile(target.path):
        return True
    try:
        return _HOLDS_IR.search(Path(target.path).read_bytes()) is None
    except OSError:
        return False
