"""Seeded damage to files: byte flips, tags deleted and doubled, values swapped, numbers replaced by extremes, cuts,
splices, and what people do to fragments.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tests.damage import damage

EXTREMES = [
    *(b"0", b"-1", b"1", b"-0", b"255", b"65536", b"2147483647", b"2147483648", b"4294967297", b"1000000000000"),
    *(b"9223372036854775807", b"9223372036854775808", b"99999999999999999999", b"1e9", b"1e400", b"nan", b"inf", b""),
    *(
        b"?",
        b"...",
        b"1..8",
        b"0x1",
        b"+1",
        b" 1",
        b"\xd9\xa1",
        b"true",
        b"\x00",
        b"\x1b[2J",
        b"&amp;",
        b"&e;",
        b"9" * 5000,
    ),
]
_MOST_DAMAGED = 4_000
"""The damages that people do look for their place in all of a text: of more bytes than this, in its beginning."""

_TAG = re.compile(rb"<[^>]*>")
_NUMBER = re.compile(rb"\d+")
_QUOTED = re.compile(rb"\"[^\"]*\"")


class Original(NamedTuple):
    """The bytes of a file, and of the .bin beside it."""

    data: bytes
    weights: bytes = b""


def _flip(data: bytearray, rng: random.Random, _others: Sequence[bytes]) -> None:
    data[rng.randrange(len(data))] = rng.randrange(256)


def _spans(pattern: re.Pattern[bytes], data: bytearray) -> list[tuple[int, int]]:
    return [match.span() for match in pattern.finditer(data)]


def _delete_tag(data: bytearray, rng: random.Random, _others: Sequence[bytes]) -> None:
    if tags := _spans(_TAG, data):
        start, end = rng.choice(tags)
        del data[start:end]


def _double_tag(data: bytearray, rng: random.Random, _others: Sequence[bytes]) -> None:
    if tags := _spans(_TAG, data):
        start, end = rng.choice(tags)
        at = rng.choice(tags)[1]
        data[at:at] = data[start:end]


def _extreme(data: bytearray, rng: random.Random, _others: Sequence[bytes]) -> None:
    if numbers := _spans(_NUMBER, data):
        start, end = rng.choice(numbers)
        data[start:end] = rng.choice(EXTREMES)


def _swap_values(data: bytearray, rng: random.Random, _others: Sequence[bytes]) -> None:
    values = _spans(_QUOTED, data)
    if len(values) > 1:
        (a, b), (c, d) = sorted(rng.sample(values, 2))
        data[c:d], data[a:b] = data[a:b], data[c:d]


def _cut(data: bytearray, rng: random.Random, _others: Sequence[bytes]) -> None:
    del data[rng.randrange(len(data)) :]


def _repeat(data: bytearray, rng: random.Random, _others: Sequence[bytes]) -> None:
    start = rng.randrange(len(data))
    piece = data[start : start + rng.randrange(1, 200)]
    data[start:start] = piece * rng.choice([1, 2, 50])


def _splice(data: bytearray, rng: random.Random, others: Sequence[bytes]) -> None:
    other = rng.choice(others)
    data[rng.randrange(len(data)) :] = other[rng.randrange(len(other) + 1) :]


def _as_people_write(data: bytearray, rng: random.Random, _others: Sequence[bytes]) -> None:
    text = data[:_MOST_DAMAGED].decode("utf-8", "replace")
    data[:_MOST_DAMAGED] = damage(text, rng.randrange(1 << 30)).encode()


DAMAGES: tuple[Callable[[bytearray, random.Random, Sequence[bytes]], None], ...] = (
    *(_flip, _delete_tag, _double_tag, _extreme, _extreme, _swap_values, _cut, _repeat, _splice, _as_people_write),
)


def mutated(seed: int, originals: Sequence[Original]) -> Original:
    """One of the originals with one to five damages, the same for the same seed."""
    rng = random.Random(seed)
    original = rng.choice(originals)
    to_weights = bool(original.weights) and rng.random() < 0.1
    data = bytearray(original.weights if to_weights else original.data)
    others = [rng.choice(originals).data]
    for _ in range(rng.choice([1, 1, 1, 2, 3, 5])):
        if data:
            rng.choice(DAMAGES)(data, rng, others)
    return Original(original.data, bytes(data)) if to_weights else Original(bytes(data), original.weights)
