"""The operations, in the specification's own categories; a category is imported when a model first holds one of it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from irrun.ops import declare
from irrun.ops.declare import Attribute, Input, Operation, OpError, Output, op
from irrun.ops.opsets import OpsetFact

if TYPE_CHECKING:
    from irrun.ops.declare import REGISTRY

__all__ = ["MODULES", "REGISTRY", "Attribute", "Input", "OpError", "Operation", "Output", "find", "op"]

MODULES = {
    "activation": ("activation",),
    "arithmetic": ("arithmetic",),
    "bitwise": ("bitwise",),
    "comparison": ("comparison",),
    "condition": ("condition",),
    "generation": ("generation",),
    "infrastructure": ("infrastructure",),
    "logical": ("logical",),
    "matrix": ("matrix",),
    "movement": ("blocks", "enlarging", "gather", "movement", "scatter", "slicing"),
    "reduction": ("reduction",),
    "sequence": ("sequence",),
    "shape": ("shape",),
    "sort": ("sort",),
    "sparse": ("sparse",),
    "type": ("type_conversion",),
}
"""The specification's category -> the modules that declare its operations."""


def find(fact: OpsetFact) -> Operation | None:
    """The declaration of an operation of the opsets, or None where irrun does not have it yet."""
    _load(fact.category)
    return declare.REGISTRY.get((fact.type, fact.version))


@cache
def _load(category: str) -> None:
    for module in MODULES.get(category, ()):
        import_module(f"irrun.ops.{module}")


def __getattr__(name: str) -> Any:
    """REGISTRY holds every operation, so asking for it imports them all."""
    if name != "REGISTRY":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    for category in MODULES:
        _load(category)
    return declare.REGISTRY
