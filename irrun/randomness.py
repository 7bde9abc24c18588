"""Random inputs: the same for one seed, whatever else is given."""

from __future__ import annotations

import numpy as np

from irrun.kernels.cast import to_float
from irrun.types.element import BOOLEAN, STRING, ElementType
from irrun.types.packing import NF4_LEVELS


def random_array(type: ElementType, extents: tuple[int, ...], seed: int, place: int) -> np.ndarray:
    """An array for the input at `place`: integers and strings from {0, 1}, booleans, floats normally distributed.

    f8e8m0, which has powers of two alone, gets the nearest ones of absolute values; nf4 gets its levels.
    """
    generator = np.random.default_rng([seed, place])
    if type.name == "nf4":
        return np.asarray(generator.choice(NF4_LEVELS, extents))
    if type.is_float:
        wide = type.dtype in (np.float64, np.float32)
        drawn = np.asarray(generator.standard_normal(extents, type.dtype if wide else np.float32))
        return to_float(np.abs(drawn) if type.name == "f8e8m0" else drawn, type.dtype)
    bits = np.asarray(generator.integers(0, 2, extents, np.uint8))
    if type is STRING:
        return np.array(["0", "1"], STRING.dtype)[bits]
    return bits.astype(np.bool_) if type is BOOLEAN else bits.astype(type.dtype)
