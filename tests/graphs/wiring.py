"""A graph under construction: its tensors with their values, its layers as text, and what each layer must compute."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from xml.sax.saxutils import quoteattr

import numpy as np
from hypothesis import strategies as st

from irrun.ops import REGISTRY, opsets
from irrun.types.element import BY_NAME, ElementType, Kind
from tests.irtext import dims_text

Arrays = list[np.ndarray]
Reference = Callable[..., object]
Maker = Callable[["Wiring"], None]
T = TypeVar("T")

WORDS = np.array(["", "a", "b", "é", "a text of many words"])

MAKERS: dict[str, Maker] = {}
"""The maker of each operation, by its versioned name."""


def makes(*names: str) -> Callable[[Callable[[Wiring, str], None]], Callable[[Wiring, str], None]]:
    """Register a maker for these operations; it is told which one it makes."""

    def register(maker: Callable[[Wiring, str], None]) -> Callable[[Wiring, str], None]:
        for name in names:
            assert any(fact.name == name for fact in opsets.FACTS), name
            MAKERS[name] = lambda wiring, name=name: maker(wiring, name)
        return maker

    return register


def available() -> list[str]:
    """The operations that irrun has and that have a maker."""
    held = {operation.name for operation in REGISTRY.values()}
    return [name for name in MAKERS if name in held]


class Unfit(Exception):
    """A maker finds no operands for its operation in this graph."""


@dataclass(frozen=True, eq=False)
class Tensor:
    """A tensor: its type, what it holds, where it comes from.

    `rough` says that its elements are rounded, so that two right implementations may differ in the last digits.
    """

    type: ElementType
    value: np.ndarray
    layer: int
    port: int
    rough: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        return self.value.shape

    @property
    def rank(self) -> int:
        return self.value.ndim


@dataclass
class Layer:
    """A layer that is wired: what it must compute of its inputs, and how near; `products` of them are its terms.

    Where `inferred` is false, OpenVINO infers less, or more than is certain.
    """

    name: str
    outputs: list[Tensor]
    reference: Reference
    tolerance: float
    products: bool
    inferred: bool


@dataclass(repr=False)
class Wiring:
    """A graph that grows; draws come from Hypothesis, bulk values from a generator that Hypothesis seeds.

    Where it is `dynamic`, Parameters have dims of which only bounds are known; where it is `steered`, axes, counts and
    shapes may be fed too, or be computed of dims. Where it is `extreme`, values reach the limits of their types.
    """

    draw: Callable[[st.SearchStrategy], object]
    random: np.random.Generator
    types: Sequence[ElementType]
    dynamic: bool
    empty: bool
    steered: bool = False
    extreme: bool = False
    tensors: list[Tensor] = field(default_factory=list)
    layers: dict[str, Layer] = field(default_factory=dict)
    feeds: list[np.ndarray] = field(default_factory=list)
    smooth: bool = True
    chained_constants: bool = False
    notes: list[str] = field(default_factory=list)
    _fed: set[int] = field(default_factory=set)
    _unfed: set[int] = field(default_factory=set)
    _open: set[int] = field(default_factory=set)
    _texts: list[str] = field(default_factory=list)
    _edges: list[str] = field(default_factory=list)
    _weights: bytearray = field(default_factory=bytearray)
    _used: set[tuple[int, int]] = field(default_factory=set)

    def __repr__(self) -> str:
        return f"<{' -> '.join(layer.name for layer in self.layers.values())}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What Hypothesis prints of a graph that is wrong, beside what is wrong with it."""
        printer.text(repr(self))

    # draws

    def integer(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def choice(self, items: Sequence[T]) -> T:
        if not items:
            raise Unfit
        return self.draw(st.sampled_from(items))

    def coin(self) -> bool:
        return self.draw(st.booleans())

    def extent(self) -> int:
        return self.integer(0 if self.empty and self.integer(0, 5) == 0 else 1, 4)

    def shape(self, least: int = 0, most: int = 4) -> tuple[int, ...]:
        return tuple(self.extent() for _ in range(self.integer(least, most)))

    def values(self, type: ElementType, shape: Sequence[int], low: int = -5, high: int = 6) -> np.ndarray:
        """Small whole numbers: exact in every type, and so are short sums and products of them; in an extreme graph
        others too.
        """
        if type.kind is Kind.STRING:
            return self.random.choice(WORDS, shape).astype(type.dtype)
        if type.name == "boolean":
            return self.random.integers(0, 2, shape).astype(bool)
        if type.kind.value == "unsigned integer":
            low = max(low, 0)
        made = np.asarray(self.random.integers(low, high, shape), type.dtype)
        if not self.extreme or high < 6 or (not type.is_integer and not self.integer(0, 1)):
            return made
        least, greatest = type.limits if type.is_integer else (-np.inf, np.inf)
        odd = [least, least + 1, greatest // 3, greatest] if type.is_integer else [least, greatest, np.nan, -0.0]
        chosen = np.array(odd, type.dtype)[self.random.integers(0, 4, shape)]
        return np.where(self.random.random(shape) < 0.2, chosen, made).astype(type.dtype)

    # tensors

    def tensor(self, fits: Callable[[Tensor], bool], make: Callable[[], Tensor]) -> Tensor:
        """A tensor of the graph that fits, or, now and then, or where none does, a new one."""
        found = [tensor for tensor in self.tensors if fits(tensor)]
        if found and self.integer(0, 3):
            return self.choice(found[-6:])
        return make()

    def of(
        self,
        types: Callable[[ElementType], bool],
        least: int = 0,
        most: int = 4,
        where: Callable[[Tensor], bool] | None = None,
    ) -> Tensor:
        """A tensor of such a type and of a rank from `least` to `most`."""
        wanted = [type for type in self.types if types(type)]

        def make() -> Tensor:
            made = self.source(self.choice(wanted), self.shape(least, most))
            if where is not None and not where(made):
                raise Unfit
            return made

        return self.tensor(lambda t: t.type in wanted and least <= t.rank <= most and (where is None or where(t)), make)

    def source(self, type: ElementType, shape: Sequence[int]) -> Tensor:
        """A new Parameter, or a Const."""
        value = self.values(type, shape)
        made = (
            self.parameter(type, value)
            if self.integer(0, 3) or type.kind is Kind.STRING
            else self.constant(value, type)
        )
        self.tensors.append(made)
        return made

    def broadcastable(self, tensor: Tensor, type: ElementType | None = None) -> Tensor:
        """A tensor that NumPy's rule brings together with this one without changing its shape, or, now and then, changing it."""
        wanted = type or tensor.type

        def fits(other: Tensor) -> bool:
            if other.type is not wanted:
                return False
            try:
                return len(np.broadcast_shapes(other.shape, tensor.shape)) <= 5
            except ValueError:
                return False

        def make() -> Tensor:
            dims = [1 if self.integer(0, 2) == 0 else dim for dim in tensor.shape[self.integer(0, tensor.rank) :]]
            return self.source(wanted, dims)

        return self.tensor(fits, make)

    # layers

    def parameter(self, type: ElementType, value: np.ndarray) -> Tensor:
        dims = [str(dim) for dim in value.shape]
        if self.dynamic:
            dims = [self.choice([dim, dim, "?", f"{max(int(dim) - 1, 0)}..{int(dim) + 2}"]) for dim in dims]
        declared = dims_text([int(dim) if dim.isdecimal() else -1 for dim in dims])
        data = f'<data shape="{",".join(dims)}" element_type="{type}"/>'
        self.feeds.append(value)
        self.notes.append(f"p{len(self._texts)} = {','.join(dims)} {value.tolist()}")
        self._fed.add(len(self._texts))
        return self._wire("Parameter", "opset1", data, [], [(type, value, declared)], f"p{len(self._texts)}")[0]

    def constant(self, value: np.ndarray, type: ElementType | None = None) -> Tensor:
        type = type or {np.dtype("i8"): BY_NAME["i64"], np.dtype("i4"): BY_NAME["i32"]}[value.dtype]
        self.notes.append(f"c{len(self._texts)} = {value.tolist()}")
        stored = np.ascontiguousarray(value).tobytes()
        shape = ", ".join(map(str, value.shape))
        data = f'<data element_type="{type}" shape="{shape}" offset="{len(self._weights)}" size="{len(stored)}"/>'
        self._weights += stored
        return self._wire("Const", "opset1", data, [], [(type, value, dims_text(value.shape))], f"c{len(self._texts)}")[
            0
        ]

    def positions(self, values: object) -> Tensor:
        """A Const or a Parameter of i32 or i64."""
        array = np.asarray(values, self.choice([np.int32, np.int64]))
        if self.integer(0, 2):
            return self.constant(array)
        return self.parameter(BY_NAME["i32" if array.itemsize == 4 else "i64"], array)

    def steering(self, values: object, dtype: type[np.signedinteger] = np.int64) -> Tensor:
        """A Const of what decides a shape; in a steered graph it may be fed, or be computed of a tensor's dims."""
        array = np.asarray(values, dtype)
        way = self.integer(0, 3) if self.steered else 0
        if way < 2 or array.size == 0:
            return self.constant(array)
        return self.parameter(BY_NAME[array.dtype.name.replace("nt", "")], array) if way == 2 else self._derived(array)

    def indices(self, values: object) -> Tensor:
        """The same, of i32 or i64."""
        return self.steering(values, self.choice([np.int32, np.int64]))

    def _derived(self, array: np.ndarray) -> Tensor:
        """A tensor that has these values: some dims, and what they lack."""
        type = BY_NAME[array.dtype.name.replace("nt", "")]
        data = self.of(lambda kind: True, 1)
        shape = self.layer(
            "ShapeOf-3", [data], lambda x: np.array(x.shape), {"output_type": type}, types=[type], tolerance=0
        )[0]
        places = self.random.integers(0, data.rank, array.shape)
        inputs = [shape, self.constant(places), self.constant(np.array(0))]
        dims = self.layer("Gather-8", inputs, lambda s, i, _: s[i], {"batch_dims": 0}, tolerance=0)[0]
        if self.coin():
            rest = self.constant(array - dims.value, type)
            return self.layer("Add-1", [dims, rest], np.add, tolerance=0)[0]
        rest = self.constant(array + dims.value, type)
        return self.layer("Subtract-1", [rest, dims], np.subtract, tolerance=0)[0]

    def layer(
        self,
        name: str,
        inputs: Sequence[Tensor],
        reference: Reference,
        attributes: Mapping[str, object] | None = None,
        types: Sequence[ElementType] | None = None,
        rough: bool = False,
        jumps: bool = False,
        tolerance: float = 4.0,
        products: bool = False,
        inferred: bool = True,
    ) -> list[Tensor]:
        """Wire an operation.

        `reference` computes its outputs of the input arrays, floats in f64; `types` are theirs, the first input's where
        not given. `rough` results are rounded; an operation that `jumps` turns a last digit into another result.
        `tolerance` is in units in the last place of the largest input, or of the largest product of them.
        """
        if jumps and any(tensor.rough for tensor in inputs):
            self.smooth = False
        self._note_constants(inputs)
        inferred = inferred and not any(tensor.layer in self._open for tensor in inputs)
        if not inferred:
            self._open.add(len(self._texts))
        values = compute(reference, [tensor.value for tensor in inputs])
        types = list(types or [inputs[0].type] * len(values))
        type, _, _ = name.partition("-")
        fact = next(fact for fact in opsets.FACTS if fact.name == name)
        opset = f"opset{self.choice(sorted(fact.opsets))}"
        written = " ".join(f"{key}={quoteattr(_text(value))}" for key, value in (attributes or {}).items())
        results = []
        for value, each in zip(values, types, strict=True):
            array = rounded(value, each)
            declared = dims_text([-1] * array.ndim if self.dynamic else array.shape)
            results.append((each, array, declared))
        made = self._wire(
            type, opset, f"<data {written}/>" if written else "", inputs, results, f"{name}_{len(self._texts)}"
        )
        rough = rough or any(tensor.rough for tensor in inputs)
        made = [Tensor(t.type, t.value, t.layer, t.port, rough and t.type.is_float) for t in made]
        self.layers[f"{name}_{len(self._texts) - 1}"] = Layer(name, made, reference, tolerance, products, inferred)
        self.tensors += made
        return made

    def _note_constants(self, inputs: Sequence[Tensor]) -> None:
        """Note which layers depend on a feed, and whether one that does not feeds another such."""
        id = len(self._texts)
        if any(tensor.layer in self._fed for tensor in inputs):
            self._fed.add(id)
        else:
            self._unfed.add(id)
            self.chained_constants |= any(tensor.layer in self._unfed for tensor in inputs)

    def _wire(
        self,
        type: str,
        opset: str,
        data: str,
        inputs: Sequence[Tensor],
        outputs: Sequence[tuple[ElementType, np.ndarray, str]],
        name: str,
    ) -> list[Tensor]:
        id = len(self._texts)
        ports = "".join(f'<port id="{place}" precision="{each.type.precision}"/>' for place, each in enumerate(inputs))
        for place, each in enumerate(inputs):
            self._edges.append(
                f'<edge from-layer="{each.layer}" from-port="{each.port}" to-layer="{id}" to-port="{place}"/>'
            )
            self._used.add((each.layer, each.port))
        first = len(inputs)
        made = [Tensor(element, value, id, first + place) for place, (element, value, _) in enumerate(outputs)]
        shown = "".join(
            f'<port id="{first + place}" precision="{element.precision}" names="t{id}_{place}">{dims}</port>'
            for place, (element, _, dims) in enumerate(outputs)
        )
        body = f"{data}{f'<input>{ports}</input>' if inputs else ''}<output>{shown}</output>"
        self._texts.append(f'<layer id="{id}" name="{name}" type="{type}" version="{opset}">{body}</layer>')
        return made

    def finish(self) -> tuple[str, bytes]:
        """The .xml and .bin: what no layer uses is a model output."""
        texts, edges = list(self._texts), list(self._edges)
        for layer in self.layers.values():
            for tensor in layer.outputs:
                if (tensor.layer, tensor.port) not in self._used:
                    id = len(texts)
                    edges.append(
                        f'<edge from-layer="{tensor.layer}" from-port="{tensor.port}" to-layer="{id}" to-port="0"/>'
                    )
                    port = f'<input><port id="0" precision="{tensor.type.precision}"/></input>'
                    texts.append(f'<layer id="{id}" name="r{id}" type="Result" version="opset1">{port}</layer>')
        body = "\n".join(texts)
        wires = "\n".join(edges)
        xml = f'<net name="random" version="11">\n<layers>\n{body}\n</layers>\n<edges>\n{wires}\n</edges>\n</net>\n'
        return xml, bytes(self._weights) or b"\0"


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)


def compute(reference: Reference, arrays: Sequence[np.ndarray]) -> Arrays:
    """What plain NumPy makes of the arrays, floats in f64."""
    wide = [array.astype(np.float64) if array.dtype.kind in "fV" else array for array in arrays]
    with np.errstate(all="ignore"):
        result = reference(*wide)
    return [np.asarray(each) for each in (result if isinstance(result, (tuple, list)) else [result])]


def rounded(value: np.ndarray, type: ElementType) -> np.ndarray:
    """The value in its element type."""
    with np.errstate(all="ignore"):
        return value.astype(type.dtype)
