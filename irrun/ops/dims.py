"""Shapes as named dims: `batch *emb_dims` says rank, equality and order, and so needs no shape rule.

A pattern is names, and at most one `*name` for any number of dims. One name is one dim wherever it stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from irrun.types.dim import Dim
from irrun.types.fact import Fact
from irrun.types.shape import Shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irrun.ops.declare import Operation


@dataclass(frozen=True, slots=True)
class Pattern:
    """Names before the `*name`, the `*name` (empty where there is none), names after it."""

    head: tuple[str, ...]
    rest: str
    tail: tuple[str, ...]

    @property
    def least_rank(self) -> int:
        return len(self.head) + len(self.tail)

    def __str__(self) -> str:
        return f"[{', '.join([*self.head, *([self.rest + '...'] if self.rest else []), *self.tail])}]"


def parse_pattern(text: str) -> Pattern:
    """The pattern that a declaration writes as `num_emb *emb_dims`."""
    names = text.split()
    starred = [place for place, name in enumerate(names) if name.startswith("*")]
    if len(starred) > 1:
        raise ValueError(f"a dims pattern has one * at most: {text}")
    if not starred:
        return Pattern(tuple(names), "", ())
    split = starred[0]
    return Pattern(tuple(names[:split]), names[split][1:], tuple(names[split + 1 :]))


class _Bound(NamedTuple):
    """What a name stands for, and the input that said so."""

    dims: tuple[Dim, ...] | None
    input: str


def match_patterns(operation: Operation, inputs: Sequence[Fact | None]) -> dict[str, _Bound]:
    """What each name of the inputs' patterns stands for.

    Raises OpError where a rank does not fit its pattern, or two inputs contradict each other about a dim.
    """
    bound: dict[str, _Bound] = {}
    for declared, fact in zip(operation.inputs, inputs, strict=False):
        if declared.pattern is not None and fact is not None and not declared.variadic:
            _match(declared.name, declared.pattern, fact, bound)
    return bound


def _match(name: str, pattern: Pattern, fact: Fact, bound: dict[str, _Bound]) -> None:
    from irrun.ops.declare import OpError

    dims = fact.dims
    if dims is None:
        for each in (*pattern.head, *pattern.tail):
            bound.setdefault(each, _Bound((Dim(),), name))
        if pattern.rest:
            bound.setdefault(pattern.rest, _Bound(None, name))
        return
    if len(dims) < pattern.least_rank or (not pattern.rest and len(dims) != pattern.least_rank):
        wanted = f"rank {pattern.least_rank}{' or more' if pattern.rest else ''}"
        raise OpError(f"{name} is {fact.shape}, of rank {len(dims)}, but {pattern} has {wanted}", at=name, kind="rank")
    split = len(dims) - len(pattern.tail)
    for each, dim in zip(pattern.head, dims, strict=False):
        _bind(each, (dim,), name, bound)
    if pattern.rest:
        _bind(pattern.rest, dims[len(pattern.head) : split], name, bound)
    for each, dim in zip(pattern.tail, dims[split:], strict=True):
        _bind(each, (dim,), name, bound)


def _bind(each: str, dims: tuple[Dim, ...], name: str, bound: dict[str, _Bound]) -> None:
    from irrun.ops.declare import OpError

    known = bound.get(each)
    if known is None or known.dims is None:
        bound[each] = _Bound(dims, name)
        return
    met = Shape(known.dims).meet(Shape(dims))
    if met is None:
        here, there = (_text(value) for value in (dims, known.dims))
        message = f"{name} says {each} is {here}, but {known.input} says {there}"
        raise OpError(message, at=name, against=known.input, kind="dims")
    bound[each] = _Bound(met.dims, known.input)


def _text(dims: tuple[Dim, ...]) -> str:
    return str(dims[0]) if len(dims) == 1 else str(Shape(dims))


def outputs_by_pattern(operation: Operation, bound: dict[str, _Bound]) -> list[Shape | Fact]:
    """The outputs' shapes by their patterns."""
    return [Shape(_dims_of(output.pattern, bound)) for output in operation.outputs if output.pattern is not None]


def _dims_of(pattern: Pattern, bound: dict[str, _Bound]) -> tuple[Dim, ...] | None:
    names = (*pattern.head, *((pattern.rest,) if pattern.rest else ()), *pattern.tail)
    parts = [bound[name].dims if name in bound else None for name in names]
    return None if None in parts else tuple(dim for part in parts if part is not None for dim in part)
