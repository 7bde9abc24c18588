"""Element types: their two spellings in IR, their NumPy dtype in memory, their width in the .bin; the specification's
type sets.

https://docs.openvino.ai/2026/documentation/openvino-ir-format.html
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Self

import ml_dtypes
import numpy as np


class Kind(Enum):
    """What the values of an element type are."""

    FLOAT = "float"
    SIGNED = "signed integer"
    UNSIGNED = "unsigned integer"
    BOOLEAN = "boolean"
    STRING = "string"
    DYNAMIC = "dynamic"


@dataclass(frozen=True, slots=True, eq=False)
class ElementType:
    """One element type: `name` stands in `element_type`, `precision` on ports, `bits` is its width in the .bin.

    `dtype` is what an array of it has in memory. A type narrower than a byte is storage: in memory it is int8 or
    uint8 (f4e2m1 is ml_dtypes' float4, and nf4, whose codes are levels, is float32).
    """

    name: str
    precision: str
    dtype: np.dtype
    bits: int
    kind: Kind

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"ElementType({self.name})"

    @property
    def is_float(self) -> bool:
        return self.kind is Kind.FLOAT

    @property
    def is_integer(self) -> bool:
        return self.kind in (Kind.SIGNED, Kind.UNSIGNED)

    @property
    def is_storage(self) -> bool:
        """Whether arithmetic refuses it: narrower than a byte, so "Convert first"."""
        return 0 < self.bits < 8

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the greatest value of an integer type."""
        if self.kind is Kind.SIGNED:
            return -(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1
        return 0, (1 << self.bits) - 1


def _rows() -> tuple[ElementType, ...]:
    floats: list[tuple[str, str, object, int]] = [
        ("f64", "FP64", np.float64, 64),
        ("f32", "FP32", np.float32, 32),
        ("f16", "FP16", np.float16, 16),
        ("bf16", "BF16", ml_dtypes.bfloat16, 16),
        ("f8e4m3", "F8E4M3", ml_dtypes.float8_e4m3fn, 8),
        ("f8e5m2", "F8E5M2", ml_dtypes.float8_e5m2, 8),
        ("f8e8m0", "F8E8M0", ml_dtypes.float8_e8m0fnu, 8),
        ("f4e2m1", "F4E2M1", ml_dtypes.float4_e2m1fn, 4),
        ("nf4", "NF4", np.float32, 4),
    ]
    rows = [
        ElementType(name, precision, np.dtype(dtype), bits, Kind.FLOAT)  # type: ignore[call-overload]  # ml_dtypes' scalars
        for name, precision, dtype, bits in floats
    ]
    signed = [(f"i{bits}", bits, Kind.SIGNED) for bits in (64, 32, 16, 8, 4)]
    unsigned = [(f"u{bits}", bits, Kind.UNSIGNED) for bits in (64, 32, 16, 8, 6, 4, 3, 2)]
    for name, bits, kind in signed + unsigned:
        dtype = np.dtype(f"{name[0]}{max(bits, 8) // 8}")
        rows.append(ElementType(name, name.upper(), dtype, bits, kind))
    rows.append(ElementType("u1", "BIN", np.dtype("u1"), 1, Kind.UNSIGNED))
    rows.append(ElementType("boolean", "BOOL", np.dtype("bool"), 8, Kind.BOOLEAN))
    rows.append(ElementType("string", "STRING", np.dtypes.StringDType(), 0, Kind.STRING))
    rows.append(ElementType("dynamic", "UNSPECIFIED", np.dtype(object), 0, Kind.DYNAMIC))
    return tuple(rows)


ELEMENT_TYPES = _rows()
BY_NAME = {row.name: row for row in ELEMENT_TYPES}

DYNAMIC = BY_NAME["dynamic"]
STRING = BY_NAME["string"]
BOOLEAN = BY_NAME["boolean"]
F32, F16, I64, I32 = BY_NAME["f32"], BY_NAME["f16"], BY_NAME["i64"], BY_NAME["i32"]

_BY_PRECISION = (
    {row.precision: row for row in ELEMENT_TYPES}
    | BY_NAME
    | {"U1": BY_NAME["u1"], "bin": BY_NAME["u1"], "undefined": DYNAMIC}
)
_BY_DTYPE = {row.dtype: row for row in reversed(ELEMENT_TYPES) if not row.is_storage and row is not DYNAMIC}


def parse_element_type(text: str) -> ElementType | None:
    """The type that `element_type`, `destination_type` and their like name; letter case does not matter."""
    name = text.lower()
    return DYNAMIC if name == "undefined" else BY_NAME.get(name)


def parse_precision(text: str) -> ElementType | None:
    """The type that a port's `precision` names: the upper-case name, or exactly the lower-case element type."""
    return _BY_PRECISION.get(text)


def likely_type(text: str) -> ElementType | None:
    """The type somebody meant with a spelling that is none: `F32`, `fp32`, `float`, `bool`, `FP32 `."""
    name = text.strip().lower()
    words = {
        "float": "f32",
        "double": "f64",
        "half": "f16",
        "bool": "boolean",
        "bin": "u1",
        "int": "i32",
        "long": "i64",
    }
    words |= {row.precision.lower(): row.name for row in ELEMENT_TYPES}
    words |= {row.dtype.name: row.name for row in _BY_DTYPE.values() if row is not STRING}
    name = words.get(name, name)
    return BY_NAME.get(name)


def element_type_of(dtype: np.dtype) -> ElementType | None:
    """The element type an array of `dtype` (any byte order) holds, or None."""
    if dtype.kind in "UT":
        return STRING
    return _BY_DTYPE.get(dtype.newbyteorder("="))


class TypeSet(frozenset[ElementType]):
    """A set of element types with the words the specification has for it."""

    words: str

    def __new__(cls, words: str, members: object) -> Self:
        made = super().__new__(cls, members)  # type: ignore[call-overload]  # frozenset's own signature is wider
        made.words = words
        return made

    def __str__(self) -> str:
        return self.words


def types(words: str, *names: str) -> TypeSet:
    """A type set of the named types."""
    return TypeSet(words, (BY_NAME[name] for name in names))


ANY = TypeSet("any type", (row for row in ELEMENT_TYPES if row is not DYNAMIC))
FLOAT = TypeSet("any floating-point type", (row for row in ELEMENT_TYPES if row.is_float and not row.is_storage))
INTEGER = TypeSet("any integer type", (row for row in ELEMENT_TYPES if row.is_integer and not row.is_storage))
NUMERIC = TypeSet("any numeric type", FLOAT | INTEGER)
BOOLEANS = types("boolean", "boolean")
INDEX = types("i32 or i64", "i32", "i64")
