"""Cases of logic."""

from __future__ import annotations

from tests.ops.elementwise import one, two

T, F = True, False
A, B = [[F, T], [F, T]], [[F], [T]]
TABLES = {
    "LogicalAnd-1": [[F, F], [F, T]],
    "LogicalOr-1": [[F, T], [T, T]],
    "LogicalXor-1": [[F, T], [T, F]],
    "Xor-1": [[F, T], [T, F]],
}

CASES = [
    *(two(op, A, B, wanted, bool, note="broadcast") for op, wanted in TABLES.items()),
    two("LogicalOr-1", A, [F, T], [[F, T], [F, T]], bool, note="rows"),
    two(
        "LogicalAnd-1",
        [[T, T], [F, T]],
        [T, F],
        [[T, T], [F, F]],
        bool,
        note="pdpd",
        attributes={"auto_broadcast": "pdpd", "axis": "0"},
    ),
    two("LogicalXor-1", [], [], [], bool, note="no elements", attributes={"auto_broadcast": "none"}),
    one("LogicalNot-1", [[F, T]], [[T, F]], bool, note="matrix"),
    one("LogicalNot-1", T, F, bool, note="scalar"),
]
