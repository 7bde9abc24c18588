"""What a case says, and how results are compared with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from irrun.ops import REGISTRY, Operation, opsets
from irrun.types.element import BY_NAME, ElementType, element_type_of


@dataclass(frozen=True)
class OpCase:
    """An operation applied to inputs.

    `op` is the versioned name, `attributes` are as IR writes them, `inputs` are arrays; absent optional ones at the end are
    left out. `types` name the inputs' element types where the dtype does not say (sub-byte ones), `output_types` those of the
    outputs. `error` are words of the refusal, in place of outputs; `notice` words of a warning. `rtol` and `atol` bound the
    difference of floating-point outputs (0: equal). A `data_dependent` operation's rule need not give the very shape;
    where it is `promised`, the page lets it expect what this case does not keep.
    """

    op: str
    inputs: Sequence[np.ndarray]
    outputs: Sequence[np.ndarray] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    types: Sequence[str] = ()
    output_types: Sequence[str] = ()
    error: str | None = None
    notice: str | None = None
    rtol: float = 1e-6
    atol: float = 0.0
    data_dependent: bool = False
    promised: bool = False

    @property
    def id(self) -> str:
        shapes = "-".join("x".join(map(str, np.shape(array))) or "scalar" for array in self.inputs)
        return f"{self.op}-{self.note.replace(' ', '_') or shapes}"

    @property
    def operation(self) -> Operation:
        type, _, version = self.op.rpartition("-")
        return REGISTRY[type, int(version)]

    @property
    def opset(self) -> str:
        """The oldest opset that holds the operation."""
        fact = next(fact for fact in opsets.FACTS if fact.name == self.op)
        return f"opset{min(fact.opsets)}"

    @property
    def ir_type(self) -> str:
        return {"Constant": "Const"}.get(self.operation.type, self.operation.type)

    @property
    def input_types(self) -> list[ElementType]:
        return _types(self.inputs, self.types)

    @property
    def result_types(self) -> list[ElementType]:
        return _types(self.outputs, self.output_types)

    @property
    def values(self) -> dict[str, object]:
        """The attributes as the kernel and the rule take them."""
        values = {}
        for attribute in self.operation.attributes:
            if attribute.read is None:
                continue
            written = [self.attributes[name] for name in (attribute.name, *attribute.also) if name in self.attributes]
            text = written[0] if written else None
            values[attribute.parameter] = attribute.default if text is None else attribute.read(text)
        return values


def _types(arrays: Sequence[np.ndarray], names: Sequence[str]) -> list[ElementType]:
    if names:
        return [BY_NAME[name] for name in names]
    return [element_type_of(np.asarray(array).dtype) for array in arrays]


def assert_same(got: np.ndarray, wanted: np.ndarray, rtol: float, atol: float) -> None:
    """Shape, dtype and every element; NaN equals NaN, zeros are equal whatever their sign."""
    got, wanted = np.asarray(got), np.asarray(wanted)
    assert got.shape == wanted.shape
    assert got.dtype == wanted.dtype
    if wanted.dtype.kind in "iubT" or (rtol == 0 and atol == 0):
        np.testing.assert_array_equal(got, wanted)
    else:
        np.testing.assert_allclose(
            got.astype(np.float64), wanted.astype(np.float64), rtol=rtol, atol=atol, equal_nan=True
        )
