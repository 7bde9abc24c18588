"""How element types lie in the .bin, and their unpacking: little-endian, back to back, sub-byte types packed.

u1 has the most significant bit first; u2, u4, i4, nf4 and f4e2m1 the least significant; u3 and u6 are split over
groups of three bytes; strings are a count, count + 1 offsets and UTF-8 text.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from irrun.types.element import STRING, ElementType

Bytes = np.ndarray

NF4_LEVELS = np.array(
    [
        *(-1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635),
        *(-0.18477343022823334, -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725),
        *(0.24611230194568634, 0.33791524171829224, 0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0),
    ],
    np.float32,
)
"""The 16 levels of nf4 by their code: the quantiles of a normal distribution (QLoRA, Dettmers et al. 2023)."""


class PackingError(ValueError):
    """The bytes are not a tensor of this type."""


def stored_size(type: ElementType, count: int) -> int:
    """How many bytes `count` elements take in the .bin: whole groups of three for u3 and u6; for strings the least
    there can be.
    """
    if type is STRING:
        return 4 + 4 * (count + 1) if count else 0
    if type.name == "u3":
        return -(-count // 8) * 3
    if type.name == "u6":
        return -(-count // 4) * 3
    return -(-count * type.bits // 8)


def unpack(type: ElementType, data: Bytes, count: int) -> np.ndarray:
    """The first `count` elements that `data`, a uint8 array, holds: a 1-D array, a view of `data` where the type
    allows it.

    Raises PackingError for strings whose count or offsets do not fit.
    """
    if type is STRING:
        return _strings(data, count)
    unpacker = _UNPACKERS.get(type.name)
    if unpacker is not None:
        return unpacker(data)[:count].astype(type.dtype, copy=False)
    if type.name == "boolean":
        if data.size and data.max() > 1:
            return data != 0
        return data.view(np.bool_)
    little = type.dtype.newbyteorder("<") if type.dtype.kind in "fiu" else type.dtype
    return np.frombuffer(data, little, count)


def _u1(data: Bytes) -> np.ndarray:
    return np.unpackbits(data)


def _u2(data: Bytes) -> np.ndarray:
    return ((data[:, None] >> np.array([0, 2, 4, 6], np.uint8)) & 3).reshape(-1)


def _nibbles(data: Bytes) -> np.ndarray:
    return ((data[:, None] >> np.array([0, 4], np.uint8)) & 15).reshape(-1)


def _i4(data: Bytes) -> np.ndarray:
    return (_nibbles(data) ^ 8).view(np.int8) - np.int8(8)


def _u3(data: Bytes) -> np.ndarray:
    groups = data.reshape(-1, 3)
    pairs = np.array([6, 4, 2, 0], np.uint8)
    low = np.concatenate([(groups[:, :1] >> pairs) & 3, (groups[:, 1:2] >> pairs) & 3], axis=1)
    return (low | (np.unpackbits(groups[:, 2:], axis=1) << 2)).reshape(-1)


def _u6(data: Bytes) -> np.ndarray:
    groups = data.reshape(-1, 3)
    nibbles = np.array([4, 0], np.uint8)
    low = np.concatenate([(groups[:, :1] >> nibbles) & 15, (groups[:, 1:2] >> nibbles) & 15], axis=1)
    high = (groups[:, 2:] >> np.array([6, 4, 2, 0], np.uint8)) & 3
    return (low | (high << 4)).reshape(-1)


def _nf4(data: Bytes) -> np.ndarray:
    return NF4_LEVELS[_nibbles(data)]


def _f4e2m1(data: Bytes) -> np.ndarray:
    import ml_dtypes

    return _nibbles(data).view(ml_dtypes.float4_e2m1fn)


_UNPACKERS: dict[str, Callable[[Bytes], np.ndarray]] = {
    "u1": _u1,
    "u2": _u2,
    "u3": _u3,
    "u4": _nibbles,
    "u6": _u6,
    "i4": _i4,
    "nf4": _nf4,
    "f4e2m1": _f4e2m1,
}


def _strings(data: Bytes, count: int) -> np.ndarray:
    if count == 0:
        return np.empty(0, STRING.dtype)
    words = data[: data.size // 4 * 4].view("<u4") if data.size >= 4 else None
    if words is None or words[0] != count:
        said = "nothing" if words is None else words[0]
        raise PackingError(f"the packed tensor says it holds {said} strings, the shape says {count}")
    if words.size < count + 2:
        raise PackingError(f"{count} strings need {4 * (count + 2)} bytes before their text, there are {data.size}")
    ends = words[1 : count + 2].astype(np.int64)
    text = data[4 * (count + 2) :]
    if ends[0] != 0 or (np.diff(ends) < 0).any() or ends[-1] > text.size:
        raise PackingError(f"the offsets of the strings do not rise from 0 to at most {text.size}")
    try:
        strings = [text[a:b].tobytes().decode() for a, b in pairwise(ends)]
    except UnicodeDecodeError as error:
        raise PackingError(f"the text of the strings is not UTF-8: {error.reason}") from None
    return np.array(strings, STRING.dtype)
