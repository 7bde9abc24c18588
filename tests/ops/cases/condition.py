"""Cases of NonZero."""

from __future__ import annotations

import numpy as np

from tests.ops.case import OpCase
from tests.ops.cases.movement import EMPTY, TRUTH, WORDS


def places(data, wanted, *, wide: bool = True, note: str) -> OpCase:
    outputs = [np.array(wanted, np.int64 if wide else np.int32)]
    return OpCase("NonZero-3", [data], outputs, {"output_type": "i64" if wide else "i32"}, note, data_dependent=True)


CASES = [
    places(np.array([[0, 3], [5, 0]], np.int8), [[0, 1], [1, 0]], note="matrix"),
    places(np.array([np.nan, -0.0, 1], np.float32), [[0, 2]], note="NaN is not zero"),
    places(TRUTH, [[0, 0, 1], [0, 2, 2]], wide=False, note="booleans"),
    places(WORDS[0], [[0, 1]], note="strings"),
    places(np.float32(3), [[0]], note="scalar"),
    places(np.float32(0), np.zeros((1, 0)), note="scalar zero"),
    places(EMPTY, np.zeros((2, 0)), note="no elements"),
]
