"""Cases of operations on bits."""

from __future__ import annotations

import numpy as np

from tests.ops.elementwise import one, two

T, F = True, False
U8, I8, I32, I64 = np.uint8, np.int8, np.int32, np.int64

CASES = [
    two("BitwiseAnd-13", [[0b1100], [-1]], [0b1010, 7], [[0b1000, 0b0100], [0b1010, 7]], I32, note="broadcast"),
    two("BitwiseOr-13", [0b1100], [0b1010], [0b1110], U8, note="u8"),
    two("BitwiseXor-13", [0b1100, -1], [0b1010, 2**40], [0b0110, -(2**40) - 1], I64, note="i64"),
    *(
        two(op, [F, F, T, T], [F, T, F, T], wanted, bool, note="booleans")
        for op, wanted in [
            ("BitwiseAnd-13", [F, F, F, T]),
            ("BitwiseOr-13", [F, T, T, T]),
            ("BitwiseXor-13", [F, T, T, F]),
        ]
    ),
    one("BitwiseNot-13", [0, 5], [255, 250], U8, note="u8"),
    one("BitwiseNot-13", [[0], [-8]], [[-1], [7]], I64, note="i64"),
    one("BitwiseNot-13", [T, F], [F, T], bool, note="booleans"),
    two("BitwiseLeftShift-15", [[1, -3]], [[4], [1]], [[16, -48], [2, -6]], I32, note="broadcast"),
    two("BitwiseLeftShift-15", [1, 200], [7, 1], [128, 144], U8, note="bits fall out"),
    two("BitwiseLeftShift-15", [1, 1, 1], [31, 32, -1], [-(2**31), 0, 0], I32, note="counts", notice="outside [0, 31]"),
    two("BitwiseRightShift-15", [-8, 9, -1], [1, 3, 63], [-4, 1, -1], I64, note="the sign is kept"),
    two("BitwiseRightShift-15", [200, 255], [1, 7], [100, 1], U8, note="u8"),
    two(
        "BitwiseRightShift-15",
        [-100, 100],
        [8, -1],
        [-1, 0],
        I8,
        note="counts",
        notice="b has 2 shift counts outside [0, 7]",
    ),
]
