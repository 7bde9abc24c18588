"""What moves no element gives a view, and what gathers copies no more than it gathers."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from irrun.ops import REGISTRY

DATA = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def i64(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


VIEWS = {
    "Reshape-1": ([i64(4, 6)], {"special_zero": True}),
    "Squeeze-1": ([i64()], {}),
    "Squeeze-15": ([i64()], {}),
    "Unsqueeze-1": ([i64(0)], {}),
    "Transpose-1": ([i64(2, 0, 1)], {}),
    "Slice-8": ([i64(1), i64(0), i64(-1), i64(2)], {}),
    "StridedSlice-1": ([i64(0, 1), i64(2, 2)], {"begin_mask": (1,), "end_mask": (), "shrink_axis_mask": (0, 1)}),
    "Split-1": ([np.array(1)], {"num_splits": 3}),
    "VariadicSplit-1": ([np.array(2), i64(1, -1)], {}),
    "Broadcast-1": ([i64(5, 2, 3, 4)], {"mode": "numpy"}),
    "Broadcast-3": ([i64(2, 3, 4)], {"mode": "bidirectional"}),
    "Reverse-1": ([i64(1)], {"mode": "index"}),
    "Gather-8": ([np.array(1), np.array(1)], {"batch_dims": 0}),
    "Pad-12": ([i64(0, -1, 0), i64(0, 0, -2)], {"pad_mode": "constant"}),
    "Concat-1": ([], {"axis": 1}),
}


@pytest.mark.parametrize("name", VIEWS)
def test_view(name):
    type, _, version = name.rpartition("-")
    inputs, attributes = VIEWS[name]
    result = REGISTRY[type, int(version)].apply([DATA, *inputs], attributes)
    for array in result if isinstance(result, list) else [result]:
        assert np.shares_memory(array, DATA)


@pytest.mark.parametrize("batch_dims", [0, 1])
def test_gather_copies_what_it_gathers(batch_dims):
    table = np.ones((64, 512, 64), np.float32).transpose(0, 2, 1)
    indices = np.zeros((64, 2), np.int64)
    size = 64 * 2 * 512 * 4 if batch_dims else 64 * 64 * 2 * 512 * 4
    tracemalloc.start()
    result = REGISTRY["Gather", 8].apply([table, indices, np.array(1)], {"batch_dims": batch_dims})
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert result.nbytes == size
    assert peak < 1.2 * size
