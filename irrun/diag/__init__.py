"""What there is to say about a model: the table of codes, findings as data, and how they are shown."""

from irrun.diag.codes import CODES, Blocks, Code, Severity
from irrun.diag.finding import MOST_ALIKE, Finding, Fix, IRError, Label, Proof, Report

__all__ = ["CODES", "MOST_ALIKE", "Blocks", "Code", "Finding", "Fix", "IRError", "Label", "Proof", "Report", "Severity"]
