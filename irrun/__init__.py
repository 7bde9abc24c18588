"""irrun: the reference interpreter and checker for OpenVINO IR.

>>> from irrun import run_ir
>>> results = run_ir("model.xml", {"data": data})      # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from irrun.check import check_ir
    from irrun.diag import Finding, IRError, Report
    from irrun.kernels.parallel import set_num_threads
    from irrun.model import Model
    from irrun.pipeline import load_ir, run_ir
    from irrun.results import Results

__version__ = "0.1.0"
__all__ = ["Finding", "IRError", "Model", "Report", "Results", "check_ir", "load_ir", "run_ir", "set_num_threads"]

_HOMES = {
    "Finding": "irrun.diag",
    "IRError": "irrun.diag",
    "Report": "irrun.diag",
    "Model": "irrun.model",
    "Results": "irrun.results",
    "check_ir": "irrun.check",
    "load_ir": "irrun.pipeline",
    "run_ir": "irrun.pipeline",
    "set_num_threads": "irrun.kernels.parallel",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for: `irrun --help` needs none of them."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'irrun' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
