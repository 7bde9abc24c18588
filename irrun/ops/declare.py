"""How an operation is declared: one decorated function that says what the specification's page says, once.

The decorator takes the page's tables: the versioned name, types, attributes, inputs, outputs. The function is the
kernel; its
parameters are the inputs, then the attributes, by their names on the page. A shape rule is a function of the same
parameters over
facts in place of arrays. Both know no context: they return, or raise `OpError`, or `notice` what a person should know.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import numpy as np

from irrun.ops import opsets
from irrun.ops.dims import Pattern, parse_pattern
from irrun.types.element import ElementType, TypeSet
from irrun.types.fact import Fact
from irrun.types.shape import Shape

Kernel = Callable[..., Any]
Rule = Callable[..., Any]
_K = TypeVar("_K", bound=Kernel)


class OpError(Exception):
    """An operation cannot be applied: what contradicts the specification, at which parameter, against which other one.

    `at` and `against` name an input or an attribute as the declaration does; whoever applied the operation knows
    where that stands. `kind` says what kind of contradiction it is: `rank`, `dims` or `value`.
    """

    def __init__(
        self,
        message: str,
        *,
        at: str | None = None,
        against: str | None = None,
        hint: str | None = None,
        kind: str = "value",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.at = at
        self.against = against
        self.hint = hint
        self.kind = kind


class _Required:
    """The default of an attribute that has none."""

    def __repr__(self) -> str:
        return "required"


REQUIRED: Any = _Required()


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute: its name in IR, what reads its text, and its default; no default is required.

    Without `read` it is no text: binding gives it (the value of a Const, the bodies of an If). `parameter` is the name
    of the function's parameter where the attribute's own name cannot be one; `also` are other names that IR has for it.
    """

    name: str
    read: Callable[[str], Any] | None = None
    default: Any = REQUIRED
    parameter: str = ""
    also: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.parameter:
            object.__setattr__(self, "parameter", self.name)


@dataclass(frozen=True, slots=True)
class Input:
    """An input: its name, its type (a letter of `types`, or a type set), its dims pattern (empty for a scalar, None for
    any shape); `optional`, or any number of them; whether it `steers`: the rule reads its value, not its shape alone;
    whether it is there for its `type_only`, which the kernel takes in place of the array.
    """

    name: str
    type: str | TypeSet
    dims: str | None = None
    optional: bool = False
    variadic: bool = False
    parameter: str = ""
    steers: bool = False
    type_only: bool = False
    pattern: Pattern | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pattern", None if self.dims is None else parse_pattern(self.dims))
        if not self.parameter:
            object.__setattr__(self, "parameter", self.name)


@dataclass(frozen=True, slots=True)
class Output:
    """An output: its type (a letter, an element type, an attribute's name, or a function of the facts), its dims
    pattern, and whether there is any number of them, which the rule counts.
    """

    type: str | ElementType | Callable[..., ElementType]
    dims: str | None = None
    variadic: bool = False
    pattern: Pattern | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pattern", None if self.dims is None else parse_pattern(self.dims))


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """One operation of one version, as its page declares it; `max_inputs` is None where it takes any number, and
    `spellings` are all the names that its attributes may have in an IR.
    """

    type: str
    version: int | str
    types: Mapping[str, TypeSet]
    attributes: tuple[Attribute, ...]
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    shape: Rule | None
    kernel: Kernel
    monotone: str | None
    foldable: bool
    settled: Callable[..., Kernel] | None
    required_inputs: int = field(init=False)
    max_inputs: int | None = field(init=False)
    spellings: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        variadic = any(declared.variadic for declared in self.inputs)
        required = sum(not (declared.optional or declared.variadic) for declared in self.inputs)
        written = [attribute for attribute in self.attributes if attribute.read is not None]
        spellings = frozenset(name for attribute in written for name in (attribute.name, *attribute.also))
        object.__setattr__(self, "required_inputs", required)
        object.__setattr__(self, "max_inputs", None if variadic else len(self.inputs))
        object.__setattr__(self, "spellings", spellings)

    @property
    def name(self) -> str:
        """The versioned name: `ReduceMean-1`."""
        return f"{self.type}-{self.version}"

    @property
    def category(self) -> str:
        """The specification's category; of an operation that is in no opset, the module that declares it."""
        fact = next((fact for fact in opsets.FACTS if fact.name == self.name), None)
        return fact.category if fact is not None else str(self.kernel.__module__).rpartition(".")[2]

    def input_at(self, position: int) -> Input | None:
        """The declaration of the input at a position."""
        if position < len(self.inputs):
            return self.inputs[position]
        return self.inputs[-1] if self.inputs and self.inputs[-1].variadic else None

    def input_name(self, position: int) -> str:
        """What messages call the input at a position: `axes`, `inputs 3` of many, `input 5` of none."""
        declared = self.input_at(position)
        if declared is None:
            return f"input {position}"
        return f"{declared.name} {position}" if declared.variadic else declared.name

    def position_of(self, name: str) -> int | None:
        """The position of the input that a message calls `name`."""
        for position, declared in enumerate(self.inputs):
            if declared.name == name:
                return position
            if declared.variadic and name.startswith(f"{declared.name} "):
                return int(name.rpartition(" ")[2])
        return None

    def arguments(self, arrays: Sequence[np.ndarray | None], types: Sequence[ElementType | None]) -> list[Any]:
        """What the kernel takes for inputs of these types: arrays, or the type alone where that is all that counts."""
        declared = [self.input_at(position) for position in range(len(arrays))]
        return [
            type if each is not None and each.type_only else array
            for each, array, type in zip(declared, arrays, types, strict=True)
        ]

    def with_attributes(self, attributes: Mapping[str, Any]) -> Kernel:
        """The kernel as a function of the inputs alone."""
        if self.settled is not None:
            return self.settled(**attributes)
        return partial(self.kernel, **attributes) if attributes else self.kernel

    def apply(self, inputs: Sequence[np.ndarray | None], attributes: Mapping[str, Any]) -> Any:
        """The kernel's result for these inputs, absent optional ones None or left out at the end."""
        return self.kernel(*inputs, *(None,) * (len(self.inputs) - len(inputs)), **attributes)

    def raised_in(self, error: Exception) -> str | None:
        """The line of the kernel's or the rule's own file that an exception comes from."""
        from traceback import extract_tb  # only for what fails

        codes = [getattr(function, "__code__", None) for function in (self.kernel, self.shape)]
        files = {code.co_filename for code in codes if code is not None}
        lines = [frame for frame in extract_tb(error.__traceback__) if frame.filename in files]
        return f"raised in {lines[-1].filename}, line {lines[-1].lineno}: {lines[-1].line}" if lines else None

    def outputs_of(self, result: Any) -> Sequence[Any]:
        """What the kernel returned, output by output: a tuple or a list of them where there may be several."""
        single = len(self.outputs) == 1 and not self.outputs[0].variadic
        return result if isinstance(result, (tuple, list)) and not single else (result,)

    def infer(
        self, inputs: Sequence[Fact | None], attributes: Mapping[str, Any], outputs: int = 1
    ) -> list[Shape | Fact]:
        """What the outputs are for these facts of the inputs: a shape, or a fact where the rule knows more, for each
        output. A rule that only forbids returns None: the dims patterns say the rest. One that cannot count variadic
        outputs gives one result, which holds for each of the `outputs` that there are.

        Raises OpError where the specification forbids the inputs.
        """
        from irrun.ops.dims import match_patterns, outputs_by_pattern

        bound = match_patterns(self, inputs)
        if self.shape is None:
            return outputs_by_pattern(self, bound)
        absent = (None,) * (0 if self.max_inputs is None else len(self.inputs) - len(inputs))
        result = self.shape(*inputs, *absent, **attributes)
        if result is None:
            return outputs_by_pattern(self, bound)
        if isinstance(result, (tuple, list)):
            return list(result)
        return [result] * (outputs if self.outputs[-1].variadic else 1)


REGISTRY: dict[tuple[str, int | str], Operation] = {}
"""Every declared operation by type and version."""


def op(
    name: str,
    *,
    types: Mapping[str, TypeSet] | None = None,
    attributes: Iterable[Attribute] = (),
    inputs: Iterable[Input] = (),
    outputs: Iterable[Output] = (),
    shape: Rule | None = None,
    monotone: str | None = None,
    foldable: bool = True,
    settled: Callable[..., Kernel] | None = None,
) -> Callable[[_K], _K]:
    """Declare the decorated function as the kernel of the operation `name`, a versioned name such as `ReduceMean-1`.

    `monotone` has a sign for each input, the last one for all that follow: `+-` for Subtract, whose result rises with
    its first input and falls with its second; `=` where the result is only known when the input is, as with the indices
    of an operation that moves elements (`+=`); `*` for one that rises where no input is negative. `settled` gives, for
    all the attributes, a kernel of the inputs alone, where that saves what a call costs. The function is returned as it
    is. Raises TypeError, at import, where the name has no version, or where its parameters or the rule's are not the
    inputs, then the attributes.
    """
    type_, _, version = name.partition("-")
    if not (type_ and version):
        raise TypeError(f"{name!r} is no versioned name, such as {type_ or 'ReduceMean'}-1")

    def declare(kernel: _K) -> _K:
        operation = Operation(
            type_,
            int(version) if version.isdecimal() else version,
            dict(types or {}),
            tuple(attributes),
            tuple(inputs),
            tuple(outputs),
            shape,
            kernel,
            monotone,
            foldable,
            settled,
        )
        _check_declaration(operation)
        REGISTRY[operation.type, operation.version] = operation
        return kernel

    return declare


def _check_declaration(operation: Operation) -> None:
    expected = [declared.parameter for declared in operation.inputs] + [
        declared.parameter for declared in operation.attributes
    ]
    for function in (operation.kernel, operation.shape):
        if function is not None and list(inspect.signature(function).parameters) != expected:
            found = ", ".join(inspect.signature(function).parameters)
            raise TypeError(
                f"{operation.name}: {function.__name__} takes ({found}), the page says ({', '.join(expected)})"
            )
    if operation.shape is None and any(output.pattern is None for output in operation.outputs):
        raise TypeError(f"{operation.name}: an output has neither a dims pattern nor a shape rule")
    letters = {declared.type for declared in operation.inputs if isinstance(declared.type, str)}
    if unknown := letters - set(operation.types):
        raise TypeError(f"{operation.name}: types has no {', '.join(sorted(unknown))}")
