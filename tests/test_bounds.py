"""Bounds of elements: certain answers by hand, and never a wrong one for any values within random bounds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irrun.bounds import bounded
from irrun.kernels.notice import listening
from irrun.ops import REGISTRY, OpError
from irrun.ops.declare import REQUIRED
from irrun.types.dim import LIMIT
from irrun.types.element import BOOLEAN, BY_NAME, I64
from irrun.types.fact import Fact
from irrun.types.shape import Shape

OPEN = (0, LIMIT)


def known(*values: int, type=I64) -> Fact:
    return Fact.of(type, np.array(values, type.dtype))


def between(*pairs: tuple[int, int], type=I64) -> Fact:
    low, high = (np.array(ends, np.int64) for ends in zip(*pairs, strict=True))
    return Fact(type, Shape.of(len(pairs)), None, (low, high))


def result(op: str, *inputs: Fact, **attributes) -> Fact:
    type, _, version = op.rpartition("-")
    operation = REGISTRY[type, int(version)]
    defaults = {each.parameter: 0 if each.default is REQUIRED else each.default for each in operation.attributes}
    values = defaults | attributes
    (shape,) = operation.infer(inputs, values)
    booleans = operation.outputs[0].type is BOOLEAN
    (fact,) = bounded(operation, inputs, values, [Fact(BOOLEAN if booleans else inputs[-1].type, shape)])
    return fact


def ends(fact: Fact) -> list[tuple[int, int]] | None:
    return None if fact.interval is None else [(int(a), int(b)) for a, b in zip(*fact.interval, strict=True)]


@pytest.mark.parametrize(
    "op, inputs, wanted",
    [
        ("Add-1", (between((1, 8)), known(5)), [(6, 13)]),
        ("Add-1", (between(OPEN), known(5)), [(5, LIMIT)]),
        ("Add-1", (between(OPEN), between(OPEN)), [(0, LIMIT)]),
        ("Subtract-1", (between((1, 8)), between((0, 2))), [(-1, 8)]),
        ("Subtract-1", (known(7), between(OPEN)), [(-LIMIT, 7)]),
        ("Subtract-1", (between(OPEN), known(3)), [(-3, LIMIT)]),
        ("Subtract-1", (between(OPEN), between(OPEN)), None),
        ("Multiply-1", (between((2, 8), OPEN), known(3, 4)), [(6, 24), (0, LIMIT)]),
        ("Multiply-1", (between(OPEN), between(OPEN)), [(0, LIMIT)]),
        ("Multiply-1", (between(OPEN), known(0)), [(0, 0)]),
        ("Multiply-1", (between(OPEN), known(-1)), None),
        ("Multiply-1", (between((2**40, 2**41)), between((2**40, 2**41))), None),
        ("Maximum-1", (known(2**40, 5), between(OPEN, OPEN)), [(2**31, LIMIT), (5, LIMIT)]),
        ("Divide-1", (between((7, 9), OPEN), known(2)), [(3, 4), (0, LIMIT)]),
        ("Divide-1", (between((7, 9)), known(0)), None),
        ("Divide-1", (between((7, 9)), between((1, 2))), None),
        ("Maximum-1", (between(OPEN), known(1)), [(1, LIMIT)]),
        ("Minimum-1", (between(OPEN), known(100)), [(0, 100)]),
        ("Minimum-1", (between(OPEN), known(LIMIT)), [(0, LIMIT)]),
        ("Negative-1", (between((1, 8), OPEN),), [(-8, -1), (-LIMIT, 0)]),
        ("Minimum-1", (Fact(I64, Shape.of(1)), known(100)), [(-LIMIT, 100)]),
        ("Add-1", (Fact(I64, Shape.of(1)), known(100)), None),
        ("Add-1", (Fact(I64, Shape.of(1)), Fact(I64, Shape.of(1))), None),
        ("Concat-1", (between((2, 8)), Fact(I64, Shape.of(1)), known(3)), [(2, 8), (-LIMIT, LIMIT), (3, 3)]),
        ("Concat-1", (between(OPEN), known(LIMIT)), [(0, LIMIT), (2**31, LIMIT)]),
        ("Gather-8", (between((2, 8), OPEN), known(1, 0), known(0)), [(0, LIMIT), (2, 8)]),
        ("Gather-8", (between((2, 8), OPEN), between((0, 1)), known(0)), None),
        ("Transpose-1", (between((2, 8), OPEN), known(0)), [(2, 8), (0, LIMIT)]),
        ("ScatterUpdate-3", (between((2, 8), OPEN), known(1), known(7), known(0)), [(2, 8), (7, 7)]),
        ("CumSum-3", (between((1, 2), OPEN, (1, 1)), known(0)), [(1, 2), (1, LIMIT), (2, LIMIT)]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_certain_ends(op, inputs, wanted):
    assert ends(result(op, *inputs)) == wanted


def test_comparisons_are_decided_where_bounds_are_apart():
    dims = between(OPEN, (3, 3), (-1, -1))
    (decided,) = REGISTRY["Equal", 1].infer([dims, known(-1)], {"auto_broadcast": "numpy", "broadcast_axis": None})
    assert decided.value.tolist() == [False, False, True]
    (open_,) = REGISTRY["Equal", 1].infer([dims, known(3)], {"auto_broadcast": "numpy", "broadcast_axis": None})
    assert open_ == Shape.of(3)
    assert result("Less-1", between((0, 4)), known(5)).value.tolist() == [True]
    assert result("Less-1", between((0, 5)), known(5)).value is None


def test_a_choice_that_is_known_moves_bounds():
    fact = result("Select-1", Fact.of(BOOLEAN, np.array([True, False])), between((1, 2), OPEN), between((3, 4), OPEN))
    assert ends(fact) == [(1, 2), (0, LIMIT)]


def test_what_may_have_wrapped_in_its_type_is_open():
    i32, u8 = BY_NAME["i32"], BY_NAME["u8"]
    assert ends(result("Multiply-1", between((2**20, 2**21), type=i32), known(2**20, type=i32))) is None
    assert ends(result("Subtract-1", between((0, 9), type=u8), known(5, type=u8))) is None
    assert ends(result("Add-1", between(OPEN, type=u8), known(5, type=u8))) is None
    assert ends(result("Add-1", between(OPEN, type=i32), known(5, type=i32))) == [(5, LIMIT)]


BINARY = ["Add-1", "Subtract-1", "Multiply-1", "Divide-1", "Maximum-1", "Minimum-1"]
_NUMBERS = st.one_of(
    st.integers(-9, 9), st.integers(-(2**33), 2**33), st.sampled_from([LIMIT, -LIMIT - 1, 2**40, 2**62])
)


@given(data=st.data(), op=st.sampled_from(BINARY), narrow=st.booleans())
def test_ends_hold_every_result(data, op, narrow):
    type = BY_NAME["i32"] if narrow else I64
    least, greatest = type.limits
    facts, values = [], []
    for _ in range(2):
        drawn = sorted(data.draw(st.tuples(_NUMBERS, _NUMBERS, _NUMBERS)))
        low, value, high = (min(max(each, least), greatest) for each in drawn)
        if data.draw(st.booleans()):
            facts.append(known(value, type=type))
        elif data.draw(st.integers(0, 3)) == 0:
            facts.append(Fact(type, Shape.of(1)))
        elif value <= (2**15 if narrow else 2**31) and data.draw(st.booleans()):  # an extent: what is made of it fits
            facts.append(between((low, LIMIT), type=type))
        else:
            facts.append(between((low, high if high < LIMIT else LIMIT - 1), type=type))
            value = min(value, LIMIT - 1)
        values.append(np.array([value], type.dtype))
    fact = result(op, *facts)
    if fact.interval is None:
        return
    try:
        with listening(), np.errstate(all="ignore"):
            exact = REGISTRY[op.removesuffix("-1"), 1].kernel(*values)
    except OpError:
        return
    low, high = fact.interval
    assert low[0] == -LIMIT or low[0] <= exact[0]
    assert exact[0] <= high[0]
