"""Findings as data, the report that collects them, and the one exception that carries them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from irrun.diag.codes import CODES, Blocks, Code, Severity
from irrun.source import Edit, Place

MOST_ALIKE = 20
"""Of mistakes of one kind in one element, as many are reported; a file of millions says nothing more."""

LayerKey = tuple[str, int]
"""A layer's key: the path of bodies it lies in (`loop/body/`, empty at the top), and its id."""


@dataclass(frozen=True, slots=True)
class Label:
    """A place and what is to be said there: `indices is [3, 2]`."""

    place: Place
    text: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to say about a model.

    `code` is a key of CODES; `message` is one sentence that stands alone; `place` is where the mistake is and `label`
    what is said right there; `related` are the other sides of a contradiction; `hint` is what to write instead.
    Lines and columns count from 1, columns in code points; without a place they are None.
    """

    code: str
    message: str
    place: Place | None = None
    label: str = ""
    related: tuple[Label, ...] = ()
    hint: str | None = None
    layer: LayerKey | None = field(default=None, compare=False)

    @property
    def rule(self) -> Code:
        """The row of the table of codes."""
        return CODES[self.code]

    @property
    def severity(self) -> Severity:
        return self.rule.severity

    @property
    def file(self) -> str | None:
        return None if self.place is None else self.place.source.name

    @property
    def line(self) -> int | None:
        start = self._start
        return None if start is None else start[0]

    @property
    def column(self) -> int | None:
        start = self._start
        return None if start is None else start[1]

    @property
    def _start(self) -> tuple[int, int] | None:
        if self.place is None or self.place.span is None:
            return None
        return self.place.source.position(self.place.span.start)

    @property
    def order(self) -> tuple[str, int, int, int, str, str]:
        """What findings are sorted by: file, line, column, severity, code, message."""
        line, column = self._start or (0, 0)
        return (self.file or "", line, column, self.severity.rank, self.code, self.message)

    def __str__(self) -> str:
        from irrun.diag.render.text import render_finding

        return render_finding(self)


@dataclass(frozen=True, slots=True)
class Proof:
    """An example that was checked: what it is called, where it stands, and what was checked of it: `read`, `shapes`,
    `numbers`.
    """

    title: str
    place: Place
    checked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fix:
    """What would mend a finding of this code; a fix that is not `safe` changes what the model computes.

    The edits are made when they are asked for: all of them belong together.
    """

    code: str
    make: Callable[[], Sequence[Edit]]
    safe: bool = True


class Report:
    """The findings of one or several passes, in the order they were made; iterable, countable, prints itself.

    `proofs` are the examples that were checked, in the order they were met; `fixes` is what would mend the findings.
    """

    def __init__(self, findings: Iterable[Finding] = ()) -> None:
        self._findings: list[Finding] = list(findings)
        self.proofs: list[Proof] = []
        self.fixes: list[Fix] = []

    def add(
        self,
        code: str,
        message: str,
        place: Place | None = None,
        *,
        label: str = "",
        related: Iterable[Label] = (),
        hint: str | None = None,
        layer: LayerKey | None = None,
    ) -> None:
        """Report a finding."""
        self._findings.append(Finding(code, message, place, label, tuple(related), hint, layer))

    def extend(self, findings: Iterable[Finding]) -> None:
        """Take over findings made elsewhere."""
        self._findings.extend(findings)

    def take(self, other: Report, keep: Callable[[Finding], bool] = lambda _: True) -> None:
        """Take over what another report holds, of its findings the ones to keep."""
        self._findings.extend(finding for finding in other.findings if keep(finding))
        self.proofs.extend(other.proofs)
        self.fixes.extend(other.fixes)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, sorted by place."""
        if not self._findings:
            return ()
        return tuple(sorted(self._findings, key=attrgetter("order")))

    @property
    def ok(self) -> bool:
        """Whether there is no error among them."""
        return not any(finding.severity is Severity.ERROR for finding in self._findings)

    def blocking(self, blocks: Blocks) -> list[Finding]:
        """The findings that block `blocks`, in the order they were made."""
        return [finding for finding in self._findings if finding.rule.blocks is blocks]

    def count(self, severity: Severity) -> int:
        """How many findings have this severity."""
        return sum(finding.severity is severity for finding in self._findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self._findings)

    def __str__(self) -> str:
        from irrun.diag.render.text import render_report

        return render_report(self)


class IRError(Exception):
    """A model cannot be read or run; `findings` say why, and printing the error prints them."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__(self.findings)

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.findings))
