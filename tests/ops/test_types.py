"""Element types that operations refuse, and in which words."""

from __future__ import annotations

import pytest

from irrun import check_ir
from irrun.ops import REGISTRY
from irrun.ops.opsets import FACTS
from irrun.types.element import BY_NAME
from tests.irtext import Given, one_operation

REFUSED = [
    ("Add-1", "boolean boolean", "IR301", "a is boolean; any numeric type is expected"),
    ("Add-1", "f32 i32", "IR302", "b is i32, but a is f32; both are T"),
    ("Add-1", "u4 u4", "IR306", "a is u4, a type for storing"),
    ("Multiply-1", "string string", "IR301", "a is string; any numeric type is expected"),
    ("Sin-1", "boolean", "IR301", "data is boolean; any numeric type is expected"),
    ("Abs-1", "nf4", "IR306", "data is nf4, a type for storing"),
    ("CumSum-3", "f32 u8", "IR301", "axis is u8; i32 or i64 is expected"),
    ("IsNaN-10", "i32", "IR301", "data is i32; any floating-point type is expected"),
    ("Equal-1", "i4 i4", "IR306", "a is i4, a type for storing"),
    ("LogicalAnd-1", "i64 i64", "IR301", "a is i64; boolean is expected"),
    ("BitwiseAnd-13", "f32 f32", "IR301", "a is f32; any integer type or boolean is expected"),
    ("BitwiseLeftShift-15", "boolean boolean", "IR301", "a is boolean; any integer type is expected"),
    ("Select-1", "i32 f32 f32", "IR301", "cond is i32; boolean is expected"),
    ("Select-1", "boolean f32 f16", "IR302", "else is f16, but then is f32; both are T"),
]


@pytest.mark.parametrize("op, types, code, said", REFUSED, ids=lambda value: value)
def test_types_that_are_refused(op, types, code, said):
    type, _, version = op.rpartition("-")
    assert (type, int(version)) in REGISTRY
    opset = min(next(fact for fact in FACTS if fact.name == op).opsets)
    given = [Given(BY_NAME[name], "1") for name in types.split()]
    text, weights = one_operation(type, f"opset{opset}", {}, given, [(given[-1].type, [1])])
    errors = [finding for finding in check_ir(text=text, weights=weights) if finding.severity.value == "error"]
    assert [finding.code for finding in errors] == [code]
    assert said in errors[0].message
