"""What a run came to: its outputs and findings, and the exit code they make."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from irrun.cli.status import ExitStatus
from irrun.compare import Comparison
from irrun.diag import Finding, Severity
from irrun.results import Tensor
from irrun.save import Saved
from irrun.statistics import Statistics, statistics

UNREADABLE = frozenset({"IR001", "IR611"})
"""Codes of files that were named on the command line and cannot be read."""


@dataclass(frozen=True, slots=True)
class Expected:
    """An output beside its reference: where that came from, and how they compare."""

    source: str
    comparison: Comparison


@dataclass(slots=True)
class Output:
    """An output that was computed: the tensor, the files it was saved to, and what it was compared with."""

    tensor: Saved
    files: list[str] = field(default_factory=list)
    expected: list[Expected] = field(default_factory=list)

    @property
    def array(self) -> np.ndarray:
        return self.tensor.array

    @property
    def statistics(self) -> Statistics | None:
        return statistics(self.array)


@dataclass(slots=True)
class Outcome:
    """What there is to print; `stops` are the findings that kept an output from being computed, saved or right."""

    model: str
    inputs: list[tuple[Tensor, str | None]] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    stops: list[Finding] = field(default_factory=list)

    def add(self, findings: Iterable[Finding]) -> None:
        """Take findings that stop nothing; one that is there already is not taken twice."""
        self.findings += [each for each in dict.fromkeys(findings) if each not in self.findings]

    def stop(self, findings: Iterable[Finding]) -> None:
        """Take findings that stop the run."""
        self.stops += findings
        self.findings = [each for each in self.findings if each not in self.stops]

    @property
    def status(self) -> ExitStatus:
        if any(finding.code in UNREADABLE for finding in self.stops):
            return ExitStatus.UNUSABLE
        return ExitStatus.FAILED if self.stops else ExitStatus.OK

    def shown(self, *, notes: bool) -> list[Finding]:
        """What a person should see: what stopped the run comes last; notes that stop nothing are for the curious."""
        return [each for each in self.findings if notes or each.severity is not Severity.NOTE] + self.stops
