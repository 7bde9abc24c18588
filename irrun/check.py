"""What `irrun check` does: files, fragments and pages to findings.

A text whose first tag is `<net>` (or any that no fragment begins with) is a whole IR. Any other text is searched for
examples, and each is checked layer by layer.
"""

from __future__ import annotations

from pathlib import Path

from irrun.diag import IRError, Report
from irrun.ir.pages import Example, find_examples
from irrun.ir.reader import decoded, is_net
from irrun.pipeline import Readable, WeightsLike, content_of, open_text, weights_of
from irrun.proof import check_example
from irrun.source import At


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
    name: str, data: bytes, report: Report, *, weights: WeightsLike = None, directory: Path | None = None
) -> None:
    """Check the bytes of a file; `directory` is the file that a .bin may lie beside.

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
        open_text(name, data, report, weights=weights, directory=directory)
        return
    stored = weights_of(weights, directory)
    for example in examples:
        check_example(source, example, stored, report)
