"""Generation: tensors made of a few numbers.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/generation/range-4.html
"""

from __future__ import annotations

import math

import numpy as np

from irrun.kernels.cast import is_float
from irrun.kernels.notice import notice
from irrun.kernels.rounding import narrow
from irrun.ops.attributes import element_type_in
from irrun.ops.axes import expect_scalar
from irrun.ops.declare import Attribute, Input, OpError, Output, op
from irrun.types.dim import LIMIT, UNKNOWN, Dim
from irrun.types.element import BOOLEANS, INDEX, NUMERIC, ElementType, TypeSet, element_type_of
from irrun.types.fact import Fact
from irrun.types.shape import Shape

Number = int | float


# Range


def _number(array: np.ndarray, name: str, whole: bool) -> Number:
    """A scalar as Python has it, truncated if the result is `whole`; raises OpError for one that is not finite."""
    if not is_float(array.dtype):
        return int(array)
    number = float(array)
    if not math.isfinite(number):
        raise OpError(f"{name} is {number}; a finite number is expected", at=name)
    return math.trunc(number) if whole else number


def _count(start: Number, stop: Number, step: Number) -> int:
    """How many numbers there are; raises OpError where the step leads nowhere."""
    if step == 0:
        raise OpError("step is 0", at="step", hint="where the result is of integers, step counts without its fraction")
    if isinstance(start, int) and isinstance(stop, int) and isinstance(step, int):
        return max(-((start - stop) // step), 0)
    return max(math.ceil((stop - start) / step), 0)


def _numbers(start: np.ndarray, stop: np.ndarray, step: np.ndarray, type: ElementType) -> tuple[Number, Number, Number]:
    named = (("start", start), ("stop", stop), ("step", step))
    first, last, every = (_number(array, name, type.is_integer) for name, array in named)
    return first, last, every


def _ranged(start: Fact, stop: Fact, step: Fact, output_type: ElementType) -> Shape:
    if step.value is None:
        return Shape.unknown(1)
    if start.value is not None and stop.value is not None:
        return Shape.of(_count(*_numbers(start.value, stop.value, step.value, output_type)))
    every = _number(step.value, "step", output_type.is_integer)
    if start.interval is None or stop.interval is None:
        _count(0, 0, every)
        return Shape.unknown(1)
    # The result is the longer the farther apart start and stop are, in the direction of the step.
    (near, far), (short, long) = ((int(low), int(high)) for low, high in (start.interval, stop.interval))
    if every < 0:
        near, far, short, long = -far, -near, -long, -short
    low, high = _count(far, short, abs(every)), _count(near, long, abs(every))
    return Shape.of(Dim(low, None if abs(near) >= LIMIT or abs(long) >= LIMIT else high))


def _ranged_1(start: Fact, stop: Fact, step: Fact) -> Shape:
    return _ranged(start, stop, step, step.type)


def _range(start: np.ndarray, stop: np.ndarray, step: np.ndarray, type: ElementType) -> np.ndarray:
    first, last, every = _numbers(start, stop, step, type)
    count = _count(first, last, every)
    if not type.is_integer:
        return narrow(first + every * np.arange(count, dtype=np.float64), type.dtype)
    # Modulo 2^64, which keeps every integer type's numbers.
    word = np.uint64
    words = np.arange(count, dtype=word) * word(int(every) % 2**64) + word(int(first) % 2**64)
    least, greatest = type.limits
    ends = (first, first + (count - 1) * every)
    if count and not (least <= min(ends) and max(ends) <= greatest):
        notice(f"numbers up to {ends[1]} do not fit {type} and wrap")
    return words.astype(type.dtype)


@op(
    "Range-1",
    types={"T": NUMERIC},
    inputs=[Input(name, "T", dims="", steers=True) for name in ("start", "stop", "step")],
    outputs=[Output("T")],
    shape=_ranged_1,
)
def range_1(start: np.ndarray, stop: np.ndarray, step: np.ndarray) -> np.ndarray:
    """The numbers start, start + step, start + 2 step and so on before stop.

    >>> range_1(np.array(7), np.array(0), np.array(-3))
    array([7, 4, 1])
    """
    type = element_type_of(start.dtype)
    assert type is not None, "T is numeric"
    return _range(start, stop, step, type)


@op(
    "Range-4",
    attributes=[Attribute("output_type", element_type_in(NUMERIC))],
    inputs=[Input(name, NUMERIC, dims="", steers=True) for name in ("start", "stop", "step")],
    outputs=[Output("output_type")],
    shape=_ranged,
)
def range_4(start: np.ndarray, stop: np.ndarray, step: np.ndarray, output_type: ElementType) -> np.ndarray:
    """The numbers start, start + step, start + 2 step and so on before stop, in a type of their own; for one of
    integers, start, stop and step lose their fractions first.
    """
    return _range(start, stop, step, output_type)


# Eye


def _extent(fact: Fact, name: str) -> Dim:
    """The number that a tensor of one element holds, as a dim; raises OpError where it is none."""
    expect_scalar(fact, name, or_1d=True)
    if fact.value is not None and int(fact.value.reshape(-1)[0]) < 0:
        raise OpError(f"{name} is {int(fact.value.reshape(-1)[0])}; 0 or more is expected", at=name)
    return fact.extents[0] if fact.interval is not None and fact.extents else UNKNOWN


def _matrices(
    num_rows: Fact, num_columns: Fact, diagonal_index: Fact, batch_shape: Fact | None, output_type: ElementType
) -> Shape:
    expect_scalar(diagonal_index, "diagonal_index", or_1d=True)
    matrix = (_extent(num_rows, "num_rows"), _extent(num_columns, "num_columns"))
    if batch_shape is None:
        return Shape(matrix)
    if batch_shape.value is not None and (batch_shape.value < 0).any():
        raise OpError(f"batch_shape is {batch_shape.value.tolist()}; dims of 0 or more are expected", at="batch_shape")
    batch = batch_shape.extents
    return Shape() if batch is None else Shape(batch + matrix)


EYE_TYPES = TypeSet("any numeric type or boolean", NUMERIC | BOOLEANS)


@op(
    "Eye-9",
    # Boolean is OpenVINO's, not the page's.
    attributes=[Attribute("output_type", element_type_in(EYE_TYPES))],
    inputs=[
        Input("num_rows", INDEX, steers=True),
        Input("num_columns", INDEX, steers=True),
        Input("diagonal_index", INDEX),
        Input("batch_shape", INDEX, dims="batch_rank", optional=True, steers=True),
    ],
    outputs=[Output("output_type")],
    shape=_matrices,
)
def eye(
    num_rows: np.ndarray,
    num_columns: np.ndarray,
    diagonal_index: np.ndarray,
    batch_shape: np.ndarray | None,
    output_type: ElementType,
) -> np.ndarray:
    """Ones on a diagonal, above the main one where its index is positive, and zeros elsewhere, for each of a batch.

    >>> from irrun.types.element import I64
    >>> eye(np.array(2), np.array(3), np.array(1), None, I64)
    array([[0, 1, 0],
           [0, 0, 1]])
    """
    rows, columns, diagonal = (int(each.reshape(-1)[0]) for each in (num_rows, num_columns, diagonal_index))
    matrix = np.eye(rows, columns, min(max(diagonal, -rows), columns), dtype=output_type.dtype)
    batch = () if batch_shape is None else tuple(batch_shape.tolist())
    return np.broadcast_to(matrix, (*batch, rows, columns)) if batch else matrix
