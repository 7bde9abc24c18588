"""Graphs: what the interpreter adds to NumPy's own calls, beside ONNX's ReferenceEvaluator and OpenVINO.

A thousand small Adds, elementwise operations on tensors of 64 MiB, and a graph that moves data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.case import Case, Feeds
from benchmarks.elements import random_values
from benchmarks.irtext import PRECISIONS

SMALL = (16,)
LARGE = (4096, 4096)
ROWS = (64, 32)
CHAIN = 1_000
ROUNDS = 100


@dataclass(frozen=True, slots=True)
class Node:
    """A layer: its name in IR and in ONNX, the tensors it takes, and NumPy's expression for it."""

    ir: str
    onnx: str
    inputs: tuple[str, ...]
    output: str
    numpy: Callable[..., np.ndarray]
    opset: str = "opset1"
    ir_attributes: Mapping[str, object] = field(default_factory=dict)
    onnx_attributes: Mapping[str, object] = field(default_factory=dict)
    onnx_inputs: int | None = None


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes in order, the inputs' shapes, and constants; the last node gives the output."""

    nodes: Sequence[Node]
    inputs: Mapping[str, tuple[int, ...]]
    constants: Mapping[str, np.ndarray]


def cases() -> Iterator[Case]:
    """Yield the three graphs."""
    yield _case("1,000 Adds of [16]", _chain(), note="per Add: a thousandth")
    yield _case("elementwise, [4096, 4096]", _elementwise(), large=True)
    yield _case("Gather, Concat, Reshape of [64, 32]", _moving())


def _chain() -> Graph:
    nodes = [Node("Add", "Add", (f"t{place}", "step"), f"t{place + 1}", np.add) for place in range(CHAIN)]
    return Graph(nodes, {"t0": SMALL, "step": SMALL}, {})


def _elementwise() -> Graph:
    nodes = [
        Node("Multiply", "Mul", ("a", "b"), "product", np.multiply),
        Node("Add", "Add", ("product", "a"), "sum", np.add),
        Node("Subtract", "Sub", ("sum", "b"), "difference", np.subtract),
        Node("Maximum", "Max", ("difference", "a"), "greater", np.maximum),
        Node("ReLU", "Relu", ("greater",), "result", lambda x: np.maximum(x, np.float32(0))),
    ]
    return Graph(nodes, {"a": LARGE, "b": LARGE}, {})


def _moving() -> Graph:
    """Twice as many rows, half of them picked, in another shape and back: again and again."""
    places = np.random.default_rng(0).permutation(2 * ROWS[0])[: ROWS[0]]
    constants = {
        "places": places,
        "axis": np.array(0),
        "wide": np.array([ROWS[0] // 2, -1]),
        "narrow": np.array(ROWS),
    }
    nodes: list[Node] = []
    now = "data"
    for place in range(ROUNDS):
        names = [f"{step}{place}" for step in ("both", "picked", "wider", "data")]
        nodes += [
            Node(
                "Concat",
                "Concat",
                (now, "data"),
                names[0],
                _stacked,
                ir_attributes={"axis": 0},
                onnx_attributes={"axis": 0},
            ),
            Node("Gather", "Gather", (names[0], "places", "axis"), names[1], _picked, "opset8", onnx_inputs=2),
            Node(
                "Reshape", "Reshape", (names[1], "wide"), names[2], _reshaped, ir_attributes={"special_zero": "false"}
            ),
            Node(
                "Reshape", "Reshape", (names[2], "narrow"), names[3], _reshaped, ir_attributes={"special_zero": "false"}
            ),
        ]
        now = names[3]
    return Graph(nodes, {"data": ROWS}, constants)


def _stacked(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.concatenate([a, b])


def _picked(data: np.ndarray, places: np.ndarray, _: np.ndarray) -> np.ndarray:
    return np.take(data, places, 0)


def _reshaped(data: np.ndarray, shape: np.ndarray) -> np.ndarray:
    return data.reshape(shape)


# a graph as a case


def _case(name: str, graph: Graph, *, large: bool = False, note: str = "") -> Case:
    def feeds() -> Feeds:
        generator = np.random.default_rng(0)
        return {each: random_values(generator, shape, "f32") for each, shape in graph.inputs.items()}

    def exact(given: Feeds) -> tuple[np.ndarray, np.ndarray]:
        result = _evaluated(graph, {each: array.astype(np.float64) for each, array in given.items()})
        return result, np.maximum(np.abs(result), 1)

    model, constants = _as_ir(graph)
    return Case(
        suite="graphs",
        name=name,
        element="f32",
        feeds=feeds,
        model=model,
        constants=constants,
        numpy=lambda given: _evaluated(graph, given),
        exact=exact,
        moved=sum(4 * int(np.prod(shape)) for shape in graph.inputs.values()) * len(graph.nodes),
        large=large,
        note=note,
        peers={"onnx": lambda given: _by_onnx(graph, given)},
    )


def _evaluated(graph: Graph, given: Mapping[str, np.ndarray]) -> np.ndarray:
    tensors = {**graph.constants, **given}
    for node in graph.nodes:
        tensors[node.output] = node.numpy(*[tensors[name] for name in node.inputs])
    return tensors[graph.nodes[-1].output]


def _shapes(graph: Graph) -> dict[str, tuple[int, ...]]:
    tensors: dict[str, np.ndarray] = dict(graph.constants)
    tensors |= {name: np.zeros(shape, np.float32) for name, shape in graph.inputs.items()}
    for node in graph.nodes:
        tensors[node.output] = node.numpy(*[tensors[name] for name in node.inputs])
    return {name: array.shape for name, array in tensors.items()}


def _as_ir(graph: Graph) -> tuple[str, bytes]:
    """The .xml and the .bin."""
    shapes = _shapes(graph)
    layers: list[str] = []
    edges: list[str] = []
    where: dict[str, tuple[int, int]] = {}
    weights = b""
    for name, shape in graph.inputs.items():
        data = f'<data shape="{",".join(map(str, shape))}" element_type="f32"/>'
        where[name] = (len(layers), 0)
        layers.append(_layer(len(layers), name, "Parameter", "opset1", data, "", _port(0, shape, "f32", name)))
    for name, array in graph.constants.items():
        shape_text = ",".join(map(str, array.shape))
        data = f'<data element_type="i64" shape="{shape_text}" offset="{len(weights)}" size="{array.nbytes}"/>'
        weights += array.tobytes()
        where[name] = (len(layers), 0)
        layers.append(_layer(len(layers), name, "Const", "opset1", data, "", _port(0, array.shape, "i64", name)))
    for node in graph.nodes:
        count = len(node.inputs)
        elements = ["i64" if name in graph.constants else "f32" for name in node.inputs]
        ports = [
            _port(at, shapes[name], each) for at, (name, each) in enumerate(zip(node.inputs, elements, strict=True))
        ]
        edges += [_edge(where[name], len(layers), at) for at, name in enumerate(node.inputs)]
        written = " ".join(f'{key}="{value}"' for key, value in node.ir_attributes.items())
        data = f"<data {written}/>" if written else ""
        output = _port(count, shapes[node.output], "f32", node.output)
        where[node.output] = (len(layers), count)
        layers.append(_layer(len(layers), node.output, node.ir, node.opset, data, "".join(ports), output))
    last = graph.nodes[-1].output
    edges.append(_edge(where[last], len(layers), 0))
    layers.append(_layer(len(layers), "result", "Result", "opset1", "", _port(0, shapes[last], "f32"), ""))
    body = "\n".join(layers)
    net = f'<net name="graph" version="11"><layers>\n{body}\n</layers><edges>{"".join(edges)}</edges></net>'
    return f'<?xml version="1.0"?>\n{net}\n', weights


def _layer(id: int, name: str, type: str, opset: str, data: str, inputs: str, output: str) -> str:
    body = data + (f"<input>{inputs}</input>" if inputs else "") + (f"<output>{output}</output>" if output else "")
    return f'<layer id="{id}" name="{name}" type="{type}" version="{opset}">{body}</layer>'


def _port(id: int, shape: tuple[int, ...], element: str, name: str = "") -> str:
    dims = "".join(f"<dim>{size}</dim>" for size in shape)
    names = f' names="{name}"' if name else ""
    return f'<port id="{id}" precision="{PRECISIONS[element]}"{names}>{dims}</port>'


def _edge(source: tuple[int, int], layer: int, port: int) -> str:
    return f'<edge from-layer="{source[0]}" from-port="{source[1]}" to-layer="{layer}" to-port="{port}"/>'


def _by_onnx(graph: Graph, given: Feeds) -> Callable[[], Any]:
    """The ONNX original, run by ONNX's own reference."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    from onnx.reference import ReferenceEvaluator

    nodes = [
        helper.make_node(node.onnx, list(node.inputs[: node.onnx_inputs]), [node.output], **node.onnx_attributes)
        for node in graph.nodes
    ]
    inputs = [helper.make_tensor_value_info(each, TensorProto.FLOAT, shape) for each, shape in graph.inputs.items()]
    last = graph.nodes[-1].output
    output = helper.make_tensor_value_info(last, TensorProto.FLOAT, _shapes(graph)[last])
    constants = [numpy_helper.from_array(array, name) for name, array in graph.constants.items()]
    made = helper.make_graph(nodes, "graph", inputs, [output], constants)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)])
    onnx.checker.check_model(model)
    evaluator = ReferenceEvaluator(model)
    return lambda: evaluator.run(None, given)[0]
