"""The families of elementwise operations: of one input, and of two that are broadcast.

A member is its name and its arithmetic, and what it has of its own: types, attributes, which way it is monotone.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np

from irrun.ops.broadcasting import AUTO_BROADCAST, NUMPY, PDPD, aligned, broadcast
from irrun.ops.declare import Attribute, Input, Kernel, Output, Rule, op
from irrun.types.element import BOOLEAN, NUMERIC, ElementType, TypeSet
from irrun.types.fact import Fact
from irrun.types.shape import Shape

_K = TypeVar("_K", bound=Kernel)


def unary(
    name: str,
    types: TypeSet = NUMERIC,
    *,
    attributes: Sequence[Attribute] = (),
    output: str | ElementType = "T",
    shape: Rule | None = None,
    monotone: str | None = None,
) -> Callable[[_K], _K]:
    """Declare an operation of `data` that gives a tensor of its shape; a rule `shape` has more to check."""
    return op(
        name,
        types={"T": types},
        attributes=attributes,
        inputs=[Input("data", "T", dims="*shape")],
        outputs=[Output(output, dims="*shape")],
        shape=shape,
        monotone=monotone,
    )


def binary(
    name: str,
    types: TypeSet = NUMERIC,
    *,
    attributes: Sequence[Attribute] = (),
    output: str | ElementType = "T",
    monotone: str | None = None,
    decided: Callable[[Fact, Fact], np.ndarray | None] | None = None,
) -> Callable[[Kernel], Kernel]:
    """Declare an operation of `a` and `b`, of one type, that are broadcast as `auto_broadcast` says.

    The decorated function has `a`, `b` and the operation's own attributes; all its broadcasting is NumPy's. `decided`
    gives a result of booleans where what is known of the inputs decides every element.
    """

    def declare(arithmetic: Kernel) -> Kernel:
        def settled(auto_broadcast: str, broadcast_axis: int | None, **own: Any) -> Kernel:
            function = partial(arithmetic, **own) if own else arithmetic
            if auto_broadcast != PDPD:
                return function
            return lambda a, b: function(a, aligned(np.asarray(a), np.asarray(b), auto_broadcast, broadcast_axis))

        def kernel(
            a: np.ndarray, b: np.ndarray, auto_broadcast: str = NUMPY, broadcast_axis: int | None = None, **own: Any
        ) -> np.ndarray:
            return settled(auto_broadcast, broadcast_axis, **own)(a, b)

        def rule(a: Fact, b: Fact, auto_broadcast: str, broadcast_axis: int | None, **_own: Any) -> Shape | Fact:
            shape = broadcast(("a", a), ("b", b), auto_broadcast, broadcast_axis)
            value = decided(a, b) if decided is not None and auto_broadcast != PDPD else None
            return shape if value is None else Fact.of(BOOLEAN, value)

        kernel.__name__, kernel.__doc__, kernel.__module__ = (
            arithmetic.__name__,
            arithmetic.__doc__,
            arithmetic.__module__,
        )
        kernel.__signature__ = rule.__signature__ = _with_broadcasting(arithmetic)  # type: ignore[attr-defined]  # for inspect
        return op(
            name,
            types={"T": types},
            attributes=[*AUTO_BROADCAST, *attributes],
            inputs=[Input("a", "T"), Input("b", "T")],
            outputs=[Output(output)],
            shape=rule,
            monotone=monotone,
            settled=settled,
        )(kernel)

    return declare


def _with_broadcasting(arithmetic: Kernel) -> inspect.Signature:
    """The signature of a kernel of two inputs: the attributes of broadcasting come before its own."""
    a, b, *own = inspect.signature(arithmetic).parameters.values()
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    shared = [inspect.Parameter(each.parameter, kind, default=each.default) for each in AUTO_BROADCAST]
    return inspect.Signature([a, b, *shared, *own])
