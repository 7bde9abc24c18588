"""Makers of reductions, of products of matrices, and of sums of bags."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from irrun.types.element import INTEGER, ElementType
from tests.graphs.wiring import Tensor, Unfit, Wiring, makes


def numeric(type: ElementType) -> bool:
    return type.is_float or type in INTEGER


def floating(type: ElementType) -> bool:
    return type.is_float


def _mean(data: np.ndarray, axes: tuple[int, ...], keep: bool) -> np.ndarray:
    count = int(np.prod([data.shape[axis] for axis in axes]))
    if count == 0:
        return data.sum(axes, keepdims=keep)
    if data.dtype.kind == "f":
        return data.sum(axes, keepdims=keep) / count
    exact = np.asarray(data.astype(object).sum(axes, keepdims=keep))
    means = [abs(int(total)) // count * (1 if total >= 0 else -1) for total in exact.ravel()]
    return np.array(means, data.dtype).reshape(exact.shape)


def _extreme(ufunc: np.ufunc, empty: str):
    def reduce(data: np.ndarray, axes: tuple[int, ...], keep: bool) -> np.ndarray:
        if not axes:
            return data
        # Empty reductions give the finite extreme of the type, which f64 does not know: none are drawn.
        return ufunc.reduce(data, axes, keepdims=keep)

    return reduce


def _sum(data: np.ndarray, axes: tuple[int, ...], keep: bool) -> np.ndarray:
    return np.add.reduce(data, axes, dtype=data.dtype, keepdims=keep)


def _root(data: np.ndarray, axes: tuple[int, ...], keep: bool) -> np.ndarray:
    return np.sqrt(np.add.reduce(data * data, axes, keepdims=keep))


ARITHMETIC = {
    "ReduceSum-1": _sum,
    "ReduceMean-1": _mean,
    "ReduceProd-1": lambda data, axes, keep: np.multiply.reduce(data, axes, dtype=data.dtype, keepdims=keep),
    "ReduceMax-1": _extreme(np.maximum, "lowest"),
    "ReduceMin-1": _extreme(np.minimum, "highest"),
    "ReduceL1-4": lambda data, axes, keep: _sum(np.abs(data), axes, keep) if axes else data,
    "ReduceL2-4": lambda data, axes, keep: _root(data, axes, keep) if axes else data,
    "ReduceLogicalAnd-1": lambda data, axes, keep: np.logical_and.reduce(data, axes, keepdims=keep),
    "ReduceLogicalOr-1": lambda data, axes, keep: np.logical_or.reduce(data, axes, keepdims=keep),
}


@makes(*ARITHMETIC)
def reduction(wiring: Wiring, name: str) -> None:
    logical = "Logical" in name
    allowed = (lambda kind: kind.name == "boolean") if logical else floating if "L2" in name else numeric
    extreme = "Max" in name or "Min" in name

    def fits(tensor: Tensor) -> bool:
        # NaN is passed over, and of nothing the type's finite extreme is given.
        return not extreme or (tensor.value.size > 0 and not np.isnan(tensor.value.astype(np.float64)).any())

    data = wiring.of(allowed, where=fits)
    axes = [axis for axis in range(data.rank) if wiring.coin()]
    written = [axis - data.rank if wiring.coin() else axis for axis in axes]
    keep = wiring.coin()
    if not axes and ("L1" in name or "L2" in name):
        wiring.smooth = False  # the page calls it the identity, OpenVINO takes magnitudes

    def reference(data: np.ndarray, axes: np.ndarray) -> np.ndarray:
        return ARITHMETIC[name](data, tuple(int(axis) % data.ndim for axis in axes.ravel()), keep)

    wiring.layer(name, [data, wiring.indices(written)], reference, {"keep_dims": keep}, rough=True)


@makes("MatMul-1")
def matmul(wiring: Wiring, name: str) -> None:
    a = wiring.of(numeric, 1, 4)
    first, second = wiring.coin(), wiring.coin()
    inner = a.shape[-1] if a.rank == 1 or not first else a.shape[-2]
    batch = [1 if wiring.coin() else dim for dim in a.shape[wiring.integer(0, max(a.rank - 2, 0)) : -2]]
    columns = wiring.extent()
    shape = [inner] if wiring.integer(0, 4) == 0 else [*batch, *([columns, inner] if second else [inner, columns])]
    b = wiring.tensor(lambda t: t.type is a.type and t.shape == tuple(shape), lambda: wiring.source(a.type, shape))

    def reference(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        a = a.swapaxes(-1, -2) if first and a.ndim > 1 else a
        b = b.swapaxes(-1, -2) if second and b.ndim > 1 else b
        return np.matmul(a, b)

    attributes = {"transpose_a": first, "transpose_b": second}
    wiring.layer(name, [a, b], reference, attributes, rough=True, tolerance=16, products=True)


def _finite(tensor: Tensor) -> bool:
    return bool(np.isfinite(tensor.value.astype(np.float64)).all())


@makes("Einsum-7")
def einsum(wiring: Wiring, name: str) -> None:
    # What is summed before it is multiplied makes another NaN of infinity and 0.
    first = wiring.of(numeric, 0, 3, where=_finite)
    labels = "abc"[: first.rank]
    sizes = dict(zip(labels, first.shape, strict=True)) | {"d": wiring.extent()}
    second = [label for label in "dcba" if label in sizes and wiring.coin()]
    other = wiring.source(first.type, [sizes[label] for label in second])
    if not _finite(other):
        raise Unfit
    kept = [label for label in sizes if (label in labels or label in second) and wiring.coin()]
    equation = f"{labels},{''.join(second)}->{''.join(kept)}"

    def reference(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.einsum(equation, a, b)

    wiring.layer(name, [first, other], reference, {"equation": equation}, rough=True, tolerance=16, products=True)


def _bags(table: np.ndarray, bags: list[np.ndarray], weights: list[np.ndarray], mean: bool) -> np.ndarray:
    rows = [
        (table[bag] * weight.reshape(-1, *[1] * (table.ndim - 1))).astype(table.dtype)
        for bag, weight in zip(bags, weights, strict=True)
    ]
    summed = [_mean(each, (0,), False) if mean else np.add.reduce(each, 0, dtype=table.dtype) for each in rows]
    return np.array(summed, table.dtype).reshape(len(bags), *table.shape[1:])


@makes("EmbeddingBagPackedSum-3", "EmbeddingBagPacked-15")
def packed(wiring: Wiring, name: str) -> None:
    table = wiring.of(numeric, 1, 3, where=lambda t: t.shape[0] > 0)
    shape = (wiring.extent(), wiring.extent())
    indices = wiring.indices(wiring.random.integers(0, table.shape[0], shape))
    mean = name.endswith("15") and wiring.coin()
    inputs = [table, indices]
    if not mean and wiring.coin():
        inputs.append(wiring.source(table.type, shape))

    def reference(table: np.ndarray, indices: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
        weights = np.ones(indices.shape, table.dtype) if weights is None else weights
        return _bags(table, list(indices), list(weights), mean)

    attributes = {"reduction": "mean" if mean else "sum"} if name.endswith("15") else {}
    wiring.layer(name, inputs, reference, attributes, rough=True, products=len(inputs) > 2)


@makes("EmbeddingBagOffsetsSum-3", "EmbeddingBagOffsets-15", "EmbeddingSegmentsSum-3")
def bags(wiring: Wiring, name: str) -> None:
    table = wiring.of(numeric, 1, 3, where=lambda t: t.shape[0] > 0)
    count, batch = wiring.integer(1, 6), wiring.integer(1, 4)
    index = wiring.choice([np.int32, np.int64])
    where = wiring.random.integers(0, table.shape[0], count).astype(index)
    # OpenVINO refuses an offset at the very end, so a trailing empty bag stays out of what is compared with it.
    starts = np.sort(wiring.random.integers(0, count, batch)).astype(index)
    segments = name == "EmbeddingSegmentsSum-3"
    ids = np.sort(wiring.random.integers(0, batch, count)).astype(index)
    inputs = [table, wiring.constant(where), wiring.constant(ids if segments else starts)]
    if segments:
        inputs.append(wiring.constant(np.asarray(batch, index)))
    default = wiring.integer(0, table.shape[0] - 1) if wiring.coin() else None
    if default is not None:
        inputs.append(wiring.constant(np.asarray(default, index)))
        if wiring.coin():
            inputs.append(wiring.source(table.type, [count]))

    def reference(table: np.ndarray, indices: np.ndarray, *rest: np.ndarray) -> np.ndarray:
        weights = rest[-1] if len(inputs) == (6 if segments else 5) else np.ones(count, table.dtype)
        ends = np.searchsorted(ids, np.arange(batch + 1)) if segments else np.append(starts, count)
        parts = [slice(a, b) for a, b in pairwise(ends)]
        result = _bags(table, [indices[part] for part in parts], [weights[part] for part in parts], mean=False)
        if default is not None:
            result[ends[1:] == ends[:-1]] = table[default]
        return result

    weighted = len(inputs) == (6 if segments else 5)
    wiring.layer(name, inputs, reference, rough=True, tolerance=16, products=weighted)
