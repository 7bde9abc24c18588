"""Matrix operations: products of matrices, and Einstein's summation convention.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/matrix/matmul-1.html
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from irrun.kernels.products import sum_of_products
from irrun.ops.attributes import boolean
from irrun.ops.broadcasting import broadcast_dims
from irrun.ops.declare import Attribute, Input, OpError, Output, op
from irrun.types.dim import UNKNOWN, Dim
from irrun.types.element import NUMERIC
from irrun.types.fact import Fact
from irrun.types.shape import Shape

Dims = tuple[Dim, ...]

# products of matrices


def _product(a: Fact, b: Fact, transpose_a: bool, transpose_b: bool) -> Shape:
    for name, fact in (("a", a), ("b", b)):
        if fact.rank == 0:
            raise OpError(f"{name} is a scalar; rank 1 or more is expected", at=name, kind="rank")
    if a.dims is None or b.dims is None:
        return Shape()
    left, right = _transposed(a.dims, transpose_a), _transposed(b.dims, transpose_b)
    columns, rows = left[-1], right[-2 if len(right) > 1 else -1]
    if columns.meet(rows) is None:
        message = f"a is {_shown(a, transpose_a)}, b is {_shown(b, transpose_b)}: {columns} columns meet {rows} rows"
        raise OpError(message, at="b", against="a", kind="dims")
    batch = broadcast_dims(left[:-2], right[:-2])
    if batch is None:
        message = f"a is {a.shape}, b is {b.shape}: the dims before the last two cannot be broadcast"
        raise OpError(message, at="b", against="a", kind="dims")
    return Shape((*batch, *left[-2:-1], *(right[-1:] if len(right) > 1 else ())))


def _transposed(dims: Dims, transpose: bool) -> Dims:
    return (*dims[:-2], dims[-1], dims[-2]) if transpose and len(dims) > 1 else dims


def _shown(fact: Fact, transpose: bool) -> str:
    return f"{fact.shape}{' transposed' if transpose and fact.rank != 1 else ''}"


@op(
    "MatMul-1",
    types={"T": NUMERIC},
    attributes=[Attribute("transpose_a", boolean, default=False), Attribute("transpose_b", boolean, default=False)],
    inputs=[Input("a", "T"), Input("b", "T")],
    outputs=[Output("T")],
    shape=_product,
)
def matmul(a: np.ndarray, b: np.ndarray, transpose_a: bool = False, transpose_b: bool = False) -> np.ndarray:
    """The products of the matrices in the last two dims, those before broadcast; a vector is a row on the left and a
    column on the right, whatever is to be transposed.

    BLAS adds floats, narrow ones in f32; integers are exact and wrap.

    >>> matmul([[1, 2], [3, 4]], [10, 1])
    array([12, 34])
    """
    a, b = (
        array.swapaxes(-1, -2) if transpose and array.ndim > 1 else array
        for array, transpose in ((np.asarray(a), transpose_a), (np.asarray(b), transpose_b))
    )
    return sum_of_products(np.matmul, (a, b), a.shape[-1], np.float32)


# Einstein's summation convention


class Equation(NamedTuple):
    """The labels of each operand's dims, and of the result's; `...` stands for any number of them."""

    operands: tuple[tuple[str, ...], ...]
    result: tuple[str, ...]


_ELLIPSIS = "..."
_SUBSCRIPT = re.compile(r"[A-Za-z]*(?:\.\.\.[A-Za-z]*)?", re.ASCII)
_LABEL = re.compile(r"\.\.\.|[A-Za-z]", re.ASCII)


@lru_cache
def parse_equation(text: str) -> Equation:
    """The equation that `ij,jk->ik` writes; without an arrow the result has, after `...`, what stands once, in order.

    Raises ValueError for what is none.
    """
    left, arrow, right = text.partition("->")
    subscripts = [*left.split(","), *([right] if arrow else [])]
    for subscript in subscripts:
        if not _SUBSCRIPT.fullmatch(subscript):
            raise ValueError(f"{subscript!r} is no subscript: letters, and at most one ... among them, are expected")
    operands = tuple(tuple(_LABEL.findall(subscript)) for subscript in left.split(","))
    labels = [label for operand in operands for label in operand]
    if not arrow:
        once = sorted(label for label in set(labels) if label != _ELLIPSIS and labels.count(label) == 1)
        return Equation(operands, (*([_ELLIPSIS] if _ELLIPSIS in labels else []), *once))
    result = tuple(_LABEL.findall(right))
    for label in result:
        if label != _ELLIPSIS and label not in labels:
            raise ValueError(f"the result has {label}, which no operand has")
        if result.count(label) > 1:
            raise ValueError(f"the result has {label} twice")
    return Equation(operands, result)


def equation(text: str) -> str:
    """An equation such as `ij,jk->ik`."""
    parse_equation(text)
    return text


def _summation(*inputs: Fact, equation: str) -> Shape:
    operands, result = parse_equation(equation)
    if len(operands) != len(inputs):
        message = f"the equation {equation} has {len(operands)} operands, but there are {len(inputs)} inputs"
        raise OpError(message, at="equation")
    dims: dict[str, Dims | None] = {_ELLIPSIS: ()}
    for position, (labels, fact) in enumerate(zip(operands, inputs, strict=True)):
        name = f"inputs {position}"
        for label, part in _parts(name, labels, fact).items():
            known = dims.get(label, part)
            joined = None if known is None or part is None else broadcast_dims(known, part)
            if joined is None and known is not None and part is not None:
                message = f"{name} says {label} is {_text(part)}, but before it is {_text(known)}, and neither is 1"
                raise OpError(message, at=name, kind="dims")
            dims[label] = joined
    found = [dims[label] for label in result]
    return Shape(None if None in found else tuple(dim for part in found for dim in part or ()))


def _text(dims: Dims) -> str:
    return str(dims[0]) if len(dims) == 1 else str(Shape(dims))


def _parts(name: str, labels: tuple[str, ...], fact: Fact) -> dict[str, Dims | None]:
    """The dims that each label of one operand stands for; None for an ellipsis of unknown length."""
    if fact.dims is None:
        return {label: None if label == _ELLIPSIS else (UNKNOWN,) for label in labels}
    letters = [label for label in labels if label != _ELLIPSIS]
    hidden = len(fact.dims) - len(letters)
    if hidden < 0 or (hidden > 0 and len(letters) == len(labels)):
        message = f"{name} is {fact.shape}, of rank {len(fact.dims)}, but its subscript is {''.join(labels)}"
        raise OpError(message, at=name, against="equation", kind="rank")
    parts: dict[str, Dims | None] = {}
    start = 0
    for label in labels:
        stop = start + (hidden if label == _ELLIPSIS else 1)
        part, known = fact.dims[start:stop], parts.get(label)
        met = Shape(part) if known is None else Shape(known).meet(Shape(part))
        if met is None:
            message = f"{name} is {fact.shape}, but {label} stands for one dim in {''.join(labels)}"
            raise OpError(message, at=name, against="equation", kind="dims")
        parts[label] = met.dims
        start = stop
    return parts


@op(
    "Einsum-7",
    types={"T": NUMERIC},
    attributes=[Attribute("equation", equation)],
    inputs=[Input("inputs", "T", variadic=True)],
    outputs=[Output("T")],
    shape=_summation,
)
def einsum(*inputs: np.ndarray, equation: str) -> np.ndarray:
    """Products of the inputs' elements, summed over the labels that the result does not have.

    Floats are added in f64 and rounded once; integers are exact and wrap.

    >>> einsum([[1, 2], [3, 4]], [10, 1], equation="ij,j->i")
    array([12, 34])
    """
    arrays = [np.asarray(array) for array in inputs]
    operands, result = parse_equation(equation)
    hidden = [
        array.ndim - len(labels) + 1 if _ELLIPSIS in labels else 0
        for array, labels in zip(arrays, operands, strict=True)
    ]
    most = max(hidden, default=0)
    numbers = {
        label: number for number, label in enumerate(dict.fromkeys(label for labels in operands for label in labels))
    }
    sublists = [_numbered(labels, numbers, count, most) for labels, count in zip(operands, hidden, strict=True)]
    kept = _numbered(result, numbers, most, most)
    sizes: dict[int, int] = {}
    for array, sublist in zip(arrays, sublists, strict=True):
        for number, size in zip(sublist, array.shape, strict=True):
            sizes[number] = max(size, sizes.get(number, 0))
    terms = int(np.prod([size for number, size in sizes.items() if number not in kept], dtype=np.float64))

    def product(*wide: np.ndarray) -> np.ndarray:
        given = [part for pair in zip(wide, sublists, strict=True) for part in pair]
        return np.asarray(np.einsum(*given, kept, optimize=len(wide) > 1))

    return sum_of_products(product, arrays, terms)


def _numbered(labels: tuple[str, ...], numbers: dict[str, int], hidden: int, most: int) -> list[int]:
    """The labels as NumPy's numbers; dims under an ellipsis have their own, aligned at the end."""
    first = len(numbers) + most - hidden
    found: list[int] = []
    for label in labels:
        found += range(first, first + hidden) if label == _ELLIPSIS else [numbers[label]]
    return found
