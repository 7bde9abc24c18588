"""A digest of what the kernels give for large work of every kind; `python -m tests.kernels.work THREADS` prints it."""

from __future__ import annotations

import hashlib
import math
import sys

import ml_dtypes
import numpy as np

from irrun.kernels.bags import bags, packed
from irrun.kernels.parallel import set_num_threads
from irrun.kernels.reduce import L2, MEAN, SUM, reduce

DTYPES = [np.float32, np.float16, np.float64, ml_dtypes.bfloat16, np.int32, np.int64, np.uint8]
SHAPES = [
    ((64, 24, 1700), (2,)),
    ((64, 24, 1700), (0,)),
    ((64, 24, 1700), (0, 2)),
    ((1501, 1800), (0,)),
    ((3000, 768), (1,)),
    ((32, 640, 128), (1,)),
    ((20, 60, 2048), (0, 2)),
]
FAR = ((4200, 2048), (1,))  # in no cache


def digest() -> str:
    """Reduce and gather enough, of values of many digits, that several threads take part."""
    generator = np.random.default_rng(0)
    seen = hashlib.sha256()
    values = (generator.random(64 * 24 * 1700 + 100_000, dtype=np.float32) * 20 + 30).clip(0, 99)
    for dtype in DTYPES:
        narrow = values.astype(dtype)
        for shape, axes in SHAPES:
            seen.update(reduce(narrow[: math.prod(shape)].reshape(shape), axes, MEAN).tobytes())
    seen.update(reduce(np.resize(values, FAR[0]), FAR[1], MEAN).tobytes())
    data = values[: math.prod(SHAPES[0][0])].reshape(SHAPES[0][0])
    seen.update(reduce(data, (0, 2), SUM).tobytes() + reduce(data, (0, 2), L2).tobytes())
    indices = generator.integers(0, 500, (4000, 20))
    offsets = np.sort(generator.integers(0, indices.size, 3001))
    for dtype in (np.float32, np.float16, ml_dtypes.bfloat16, np.float64, np.int32):
        for width in (64, 66):
            table = (generator.random((500, width)) * 9).astype(dtype)
            weights = (generator.random(indices.shape) * 3).astype(dtype)
            seen.update(packed(table, indices, weights).tobytes())
            seen.update(bags(table, indices.reshape(-1), offsets, mean=True).tobytes())
    return seen.hexdigest()


if __name__ == "__main__":
    set_num_threads(int(sys.argv[1]))
    print(digest())
