"""The operations, in the specification's own categories; importing this declares them all."""

from irrun.ops import (
    arithmetic,
    bitwise,
    blocks,
    comparison,
    condition,
    enlarging,
    gather,
    generation,
    infrastructure,
    logical,
    matrix,
    movement,
    reduction,
    scatter,
    sequence,
    shape,
    slicing,
    sort,
    sparse,
    type_conversion,
)
from irrun.ops.declare import REGISTRY, Attribute, Input, Operation, OpError, Output, op

__all__ = ["REGISTRY", "Attribute", "Input", "OpError", "Operation", "Output", "op"]

CATEGORIES = (
    arithmetic,
    bitwise,
    blocks,
    comparison,
    condition,
    enlarging,
    gather,
    generation,
    infrastructure,
    logical,
    matrix,
    movement,
    reduction,
    scatter,
    sequence,
    shape,
    slicing,
    sort,
    sparse,
    type_conversion,
)
