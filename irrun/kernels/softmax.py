"""SoftMax and its logarithm along an axis: shifted by the greatest element, summed in f64, rounded once."""

from __future__ import annotations

import math

import numpy as np

from irrun.kernels.parallel import share
from irrun.kernels.rounding import narrow

BLOCK = 1 << 16  # elements: each call takes long enough that threads do not wait for one another's Python
LINE = 16  # elements side by side that are fetched together
NANOSECONDS = 8.0


def softmax(data: np.ndarray, axis: int, *, log: bool = False) -> np.ndarray:
    """exp(x) over the sum of exp(x) along the axis, or, with `log`, the logarithm of that."""
    shape = data.shape
    view = np.ascontiguousarray(data).reshape(math.prod(shape[:axis]), shape[axis], math.prod(shape[axis + 1 :]))
    result = np.empty(view.shape, data.dtype)
    if not data.size:
        return result.reshape(shape)
    outer, length, inner = view.shape
    across = min(inner, max(LINE, BLOCK // length))
    rows = max(1, BLOCK // (length * across)) if across == inner else 1
    turns = -(-inner // across)

    def work(piece: int) -> None:
        row, turn = divmod(piece, turns)
        block = slice(row * rows, (row + 1) * rows), slice(None), slice(turn * across, (turn + 1) * across)
        result[block] = narrow(_of_block(view[block].astype(np.float64), log), data.dtype)

    share(work, -(-outer // rows) * turns, data.size * NANOSECONDS * 1e-9)
    return result.reshape(shape)


def _of_block(block: np.ndarray, log: bool) -> np.ndarray:
    """The same along the middle axis of a block, which is overwritten."""
    block -= block.max(axis=1, keepdims=True)
    if log:
        block -= np.log(np.exp(block).sum(axis=1, keepdims=True))
        return block
    np.exp(block, out=block)
    block /= block.sum(axis=1, keepdims=True)
    return block
