"""What tensors are before they exist: element types, dims, shapes, and facts that join them."""

from irrun.types.dim import Dim
from irrun.types.element import ElementType
from irrun.types.fact import Fact
from irrun.types.shape import Shape

__all__ = ["Dim", "ElementType", "Fact", "Shape"]
