"""Makers of operations that move elements or make them of shapes and positions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irrun.types.element import BY_NAME
from tests.graphs.reducing import numeric
from tests.graphs.wiring import Tensor, Unfit, Wiring, makes

ANY = lambda kind: True  # noqa: E731  # it stands among the sets of types


def _axis(wiring: Wiring, rank: int) -> tuple[int, int]:
    """An axis, and how it is written: from the front or from the end."""
    axis = wiring.integer(0, rank - 1)
    return axis, axis - rank if wiring.coin() else axis


def _moved(
    wiring: Wiring, name: str, inputs: Sequence[Tensor], reference: object, attributes: dict | None = None
) -> None:
    rough = any(tensor.rough for tensor in inputs)
    wiring.layer(name, inputs, reference, attributes, rough=rough, tolerance=0)


@makes("Concat-1")
def concat(wiring: Wiring, name: str) -> None:
    first = wiring.of(ANY, 1)
    axis, written = _axis(wiring, first.rank)
    inputs = [first]
    for _ in range(wiring.integer(0, 2)):
        shape = [wiring.extent() if place == axis else dim for place, dim in enumerate(first.shape)]

        def fits(other: Tensor) -> bool:
            return (
                other.type is first.type
                and other.rank == first.rank
                and all(
                    a == b for place, (a, b) in enumerate(zip(other.shape, first.shape, strict=True)) if place != axis
                )
            )

        inputs.append(wiring.tensor(fits, lambda shape=shape: wiring.source(first.type, shape)))
    _moved(wiring, name, inputs, lambda *arrays: np.concatenate(arrays, axis), {"axis": written})


@makes("Split-1")
def split(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 1, where=lambda t: t.value.size > 0)
    axis, written = _axis(wiring, data.rank)
    count = wiring.choice([n for n in range(1, 5) if data.shape[axis] % n == 0])
    inputs = [data, wiring.indices(written)]
    wiring.layer(
        name,
        inputs,
        lambda x, _: np.split(x, count, axis),
        {"num_splits": count},
        types=[data.type] * count,
        rough=data.rough,
        tolerance=0,
    )


@makes("VariadicSplit-1")
def variadic_split(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 1)
    axis, written = _axis(wiring, data.rank)
    first = wiring.integer(0, data.shape[axis])
    lengths = [first, -1] if wiring.coin() else [first, data.shape[axis] - first]
    inputs = [data, wiring.indices(written), wiring.indices(lengths)]
    wiring.layer(
        name, inputs, lambda x, *_: np.split(x, [first], axis), types=[data.type] * 2, rough=data.rough, tolerance=0
    )


def _factors(wiring: Wiring, size: int) -> list[int]:
    dims: list[int] = []
    while size > 1 and len(dims) < 4:
        factor = wiring.choice([n for n in range(1, size + 1) if size % n == 0])
        dims.append(factor)
        size //= factor
    return [*dims, size] if size != 1 or not dims else dims


@makes("Reshape-1")
def reshape(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, where=lambda t: t.value.size > 0)
    target = _factors(wiring, data.value.size)
    written = list(target)
    if wiring.coin():
        written[wiring.integer(0, len(target) - 1)] = -1
    elif len(written) <= data.rank and wiring.coin():
        written = [0 if place < data.rank and data.shape[place] == dim else dim for place, dim in enumerate(written)]
        _moved(wiring, name, [data, wiring.indices(written)], lambda x, _: x.reshape(target), {"special_zero": True})
        return
    _moved(wiring, name, [data, wiring.indices(written)], lambda x, _: x.reshape(target), {"special_zero": False})


@makes("ShapeOf-3")
def flattened(wiring: Wiring, name: str) -> None:
    """A Reshape by a computed shape: ShapeOf, Gather, Concat, Reshape, as far as irrun has them."""
    data = wiring.of(ANY, 1, where=lambda t: t.value.size > 0)
    type = wiring.choice([BY_NAME["i64"], BY_NAME["i32"]])
    shape = wiring.layer(name, [data], lambda x: np.array(x.shape), {"output_type": type}, types=[type], tolerance=0)[0]
    from tests.graphs.wiring import available

    held = available()
    if not {"Gather-8", "Concat-1", "Reshape-1"} <= set(held):
        return
    place = wiring.integer(0, data.rank - 1)
    at, axis = wiring.constant(np.array([place])), wiring.constant(np.array(0))
    batch = wiring.layer("Gather-8", [shape, at, axis], lambda s, i, _: s[i], {"batch_dims": 0}, tolerance=0)[0]
    rest = wiring.constant(np.array([-1], type.dtype))
    order = [batch, rest] if wiring.coin() else [rest, batch]
    target = wiring.layer("Concat-1", order, lambda a, b: np.concatenate([a, b]), {"axis": 0}, tolerance=0)[0]
    _moved(wiring, "Reshape-1", [data, target], lambda x, s: x.reshape(s), {"special_zero": False})


@makes("Squeeze-1", "Squeeze-15")
def squeeze(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 1, where=lambda t: 1 in t.shape)
    axes = [axis for axis, dim in enumerate(data.shape) if dim == 1 and wiring.coin()]
    if not axes:
        axes = [data.shape.index(1)]
    _moved(wiring, name, [data, wiring.indices(axes)], lambda x, _: np.squeeze(x, tuple(axes)))


@makes("Unsqueeze-1")
def unsqueeze(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 0, 3)
    count = wiring.integer(1, 2)
    places = sorted(
        wiring.choice([[0, 1], [0, data.rank], [data.rank, data.rank + 1]])[:count]
        if count == 2
        else [wiring.integer(0, data.rank)]
    )
    if len(set(places)) < count:
        raise Unfit
    _moved(wiring, name, [data, wiring.indices(places)], lambda x, _: np.expand_dims(x, tuple(places)))


@makes("Transpose-1")
def transpose(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY)
    order = [int(axis) for axis in wiring.random.permutation(data.rank)]
    if wiring.coin():
        _moved(wiring, name, [data, wiring.indices(order)], lambda x, _: x.transpose(order))
    else:
        _moved(wiring, name, [data, wiring.indices(np.zeros(0, int))], lambda x, _: x.T)


@makes("Gather-8", "Gather-7", "Gather-1")
def gather(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 1, where=lambda t: t.value.size > 0)
    axis = wiring.integer(0, data.rank - 1)
    low = -data.shape[axis] if name == "Gather-8" else 0
    places = wiring.random.integers(low, data.shape[axis], wiring.shape(0, 2))
    inputs = [data, wiring.indices(places), wiring.indices(axis)]
    attributes = {} if name == "Gather-1" else {"batch_dims": 0}
    _moved(wiring, name, inputs, lambda x, i, _: np.take(x, i, axis), attributes)


@makes("GatherElements-6")
def gather_elements(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 1, where=lambda t: t.value.size > 0)
    axis, written = _axis(wiring, data.rank)
    shape = [wiring.integer(1, 4) if place == axis else dim for place, dim in enumerate(data.shape)]
    places = wiring.random.integers(0, data.shape[axis], shape)
    _moved(wiring, name, [data, wiring.indices(places)], lambda x, i: np.take_along_axis(x, i, axis), {"axis": written})


@makes("GatherND-8", "GatherND-5")
def gather_nd(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 1, where=lambda t: t.value.size > 0)
    depth = wiring.integer(1, data.rank)
    shape = wiring.shape(1, 2)
    places = np.stack([wiring.random.integers(0, dim, shape) for dim in data.shape[:depth]], -1)

    def reference(x: np.ndarray, i: np.ndarray) -> np.ndarray:
        return x[tuple(np.moveaxis(i, -1, 0))]

    _moved(wiring, name, [data, wiring.indices(places)], reference, {"batch_dims": 0})


@makes("ScatterUpdate-3")
def scatter_update(wiring: Wiring, name: str) -> None:
    data = wiring.of(numeric, 1, where=lambda t: t.value.size > 0)
    axis = wiring.integer(0, data.rank - 1)
    count = wiring.integer(1, data.shape[axis])
    places = wiring.random.permutation(data.shape[axis])[:count]
    updates = wiring.source(data.type, [*data.shape[:axis], count, *data.shape[axis + 1 :]])

    def reference(x: np.ndarray, i: np.ndarray, u: np.ndarray, _: np.ndarray) -> np.ndarray:
        result = x.copy()
        result[(slice(None),) * axis + (i,)] = u
        return result

    _moved(wiring, name, [data, wiring.indices(places), updates, wiring.indices(axis)], reference)


@makes("ScatterElementsUpdate-3")
def scatter_elements(wiring: Wiring, name: str) -> None:
    data = wiring.of(numeric, 1, where=lambda t: t.value.size > 0)
    axis = wiring.integer(0, data.rank - 1)
    places = np.argsort(wiring.random.random(data.shape), axis)
    updates = wiring.source(data.type, data.shape)

    def reference(x: np.ndarray, i: np.ndarray, u: np.ndarray, _: np.ndarray) -> np.ndarray:
        result = x.copy()
        np.put_along_axis(result, i, u, axis)
        return result

    _moved(wiring, name, [data, wiring.indices(places), updates, wiring.indices(axis)], reference)


@makes("ScatterNDUpdate-3", "ScatterNDUpdate-15")
def scatter_nd(wiring: Wiring, name: str) -> None:
    data = wiring.of(numeric, 1, where=lambda t: t.value.size > 0)
    depth = wiring.integer(1, data.rank)
    spots = int(np.prod(data.shape[:depth]))
    chosen = wiring.random.permutation(spots)[: wiring.integer(1, spots)]
    places = np.stack(np.unravel_index(chosen, data.shape[:depth]), -1)
    updates = wiring.source(data.type, [len(chosen), *data.shape[depth:]])

    def reference(x: np.ndarray, i: np.ndarray, u: np.ndarray) -> np.ndarray:
        result = x.copy()
        result[tuple(i.T)] = u
        return result

    _moved(wiring, name, [data, wiring.indices(places), updates], reference)


@makes("SpaceToBatch-2", "BatchToSpace-2")
def batches(wiring: Wiring, name: str) -> None:
    """Rows and columns cut into blocks that become batches, or back."""
    forward = name == "SpaceToBatch-2"
    block = [1, wiring.integer(1, 2), wiring.integer(1, 3)]
    before, after = ([0, wiring.integer(0, 1), wiring.integer(0, 1)] for _ in range(2))
    if forward:
        sizes = [b * wiring.integer(1, 2) - p - q for b, p, q in zip(block, before, after, strict=True)]
        shape = [wiring.integer(1, 2), *sizes[1:]]
    else:
        shape = [block[1] * block[2] * wiring.integer(1, 2), *(wiring.integer(2, 3) for _ in range(2))]
    if min(shape) < 1:
        raise Unfit
    data = wiring.tensor(
        lambda t: t.shape == tuple(shape) and numeric(t.type),
        lambda: wiring.source(wiring.choice([type for type in wiring.types if numeric(type)]), shape),
    )
    inputs = [data, *(wiring.constant(np.array(values)) for values in (block, before, after))]

    def cut(x: np.ndarray, *_: np.ndarray) -> np.ndarray:
        padded = np.pad(x, list(zip(before, after, strict=True)))
        n, h, w = padded.shape
        parts = padded.reshape(n, h // block[1], block[1], w // block[2], block[2])
        return parts.transpose(2, 4, 0, 1, 3).reshape(-1, h // block[1], w // block[2])

    def join(x: np.ndarray, *_: np.ndarray) -> np.ndarray:
        n, h, w = x.shape
        parts = x.reshape(block[1], block[2], n // (block[1] * block[2]), h, w).transpose(2, 3, 0, 4, 1)
        whole = parts.reshape(-1, h * block[1], w * block[2])
        return whole[:, before[1] : whole.shape[1] - after[1], before[2] : whole.shape[2] - after[2]]

    _moved(wiring, name, inputs, cut if forward else join)


@makes("Unique-10")
def unique(wiring: Wiring, name: str) -> None:
    data = wiring.of(lambda kind: numeric(kind) and kind.name != "bf16", 1, where=lambda t: t.value.size > 0)
    i64 = BY_NAME["i64"]

    def reference(x: np.ndarray) -> list[np.ndarray]:
        values, first, inverse, counts = np.unique(x, True, True, True)
        return [values, first, inverse.reshape(-1), counts]

    wiring.layer(
        name,
        [data],
        reference,
        {"sorted": True},
        types=[data.type, i64, i64, i64],
        rough=data.rough,
        jumps=True,
        tolerance=0,
    )


@makes("Slice-8")
def slice_(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 1)
    axes = [axis for axis in range(data.rank) if wiring.coin()] or [0]
    # Backwards from before the first element NumPy takes nothing, and OpenVINO the first one: no such start is drawn.
    starts = [wiring.integer(-max(data.shape[axis], 1), 6) for axis in axes]
    stops = [wiring.integer(-6, 6) for _ in axes]
    steps = [wiring.choice([1, 1, 2, -1, -2]) for _ in axes]
    written = [axis - data.rank if wiring.coin() else axis for axis in axes]
    inputs = [data, *(wiring.constant(np.array(values)) for values in (starts, stops, steps, written))]

    def reference(x: np.ndarray, *_: np.ndarray) -> np.ndarray:
        index = [slice(None)] * x.ndim
        for axis, start, stop, step in zip(axes, starts, stops, steps, strict=True):
            index[axis] = slice(*_clipped(start, stop, step, x.shape[axis]))
        return x[tuple(index)]

    _moved(wiring, name, inputs, reference)


def _clipped(start: int, stop: int, step: int, size: int) -> tuple[int, int | None, int]:
    """Python's slice for the page's rule: negative positions count from the end, and then what is beyond is clipped."""
    start, stop = (position + size if position < 0 else position for position in (start, stop))
    if step > 0:
        return min(max(start, 0), size), min(max(stop, 0), size), step
    start, stop = min(max(start, -1), size - 1), min(max(stop, -1), size - 1)
    if start < 0:
        return 0, 0, 1
    return start, None if stop < 0 else stop, step


@makes("StridedSlice-1")
def strided_slice(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 1, where=lambda t: t.value.size > 0)
    begin = [wiring.integer(0, dim - 1) for dim in data.shape]
    end = [wiring.integer(start + 1, dim) for start, dim in zip(begin, data.shape, strict=True)]
    steps = [wiring.integer(1, 2) for _ in data.shape]
    begin_mask = [int(wiring.coin()) for _ in data.shape]
    end_mask = [int(wiring.coin()) for _ in data.shape]
    inputs = [data, *(wiring.constant(np.array(values)) for values in (begin, end, steps))]

    def reference(x: np.ndarray, *_: np.ndarray) -> np.ndarray:
        return x[
            tuple(
                slice(None if skip_begin else a, None if skip_end else b, step)
                for a, b, step, skip_begin, skip_end in zip(begin, end, steps, begin_mask, end_mask, strict=True)
            )
        ]

    _moved(wiring, name, inputs, reference, {"begin_mask": begin_mask, "end_mask": end_mask})


@makes("Pad-1", "Pad-12")
def pad(wiring: Wiring, name: str) -> None:
    data = wiring.of(numeric, 1, where=lambda t: t.value.size > 0)
    mode = wiring.choice(["constant", "edge", "reflect", "symmetric"])
    limits = [3 if mode in ("constant", "edge") else dim - 1 if mode == "reflect" else dim for dim in data.shape]
    before, after = ([wiring.integer(0, min(limit, 3)) for limit in limits] for _ in range(2))
    inputs = [data, wiring.constant(np.array(before)), wiring.constant(np.array(after))]
    value = wiring.integer(0, 3)
    if mode == "constant":
        inputs.append(wiring.constant(np.array(value).astype(data.type.dtype), data.type))

    def reference(x: np.ndarray, *_: np.ndarray) -> np.ndarray:
        widths = list(zip(before, after, strict=True))
        return np.pad(x, widths, constant_values=value) if mode == "constant" else np.pad(x, widths, mode)

    _moved(wiring, name, inputs, reference, {"pad_mode": mode})


@makes("Tile-1")
def tile(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 0, 3, where=lambda t: t.value.size <= 200)
    repeats = [wiring.integer(1, 3) for _ in range(wiring.integer(max(data.rank - 1, 1), data.rank + 1))]
    _moved(wiring, name, [data, wiring.indices(repeats)], lambda x, _: np.tile(x, repeats))


@makes("Broadcast-3", "Broadcast-1")
def broadcast(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 0, 3)
    target = [wiring.integer(1, 3) if dim == 1 else dim for dim in data.shape]
    target = [wiring.integer(1, 3) for _ in range(wiring.integer(0, 1))] + target
    if not target:
        raise Unfit
    _moved(wiring, name, [data, wiring.indices(target)], lambda x, _: np.broadcast_to(x, target), {"mode": "numpy"})


@makes("Roll-7")
def roll(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 1, where=lambda t: t.value.size > 0)
    axes = [axis for axis in range(data.rank) if wiring.coin()] or [0]
    shifts = [wiring.integer(-5, 5) for _ in axes]
    inputs = [data, wiring.indices(shifts), wiring.indices(axes)]
    _moved(wiring, name, inputs, lambda x, *_: np.roll(x, shifts, axes))


@makes("ReverseSequence-1", "Reverse-1")
def reverse(wiring: Wiring, name: str) -> None:
    if name == "Reverse-1":
        data = wiring.of(ANY, 1)
        axes = [axis for axis in range(data.rank) if wiring.coin()] or [0]
        _moved(wiring, name, [data, wiring.indices(axes)], lambda x, _: np.flip(x, axes), {"mode": "index"})
        return
    data = wiring.of(ANY, 2, where=lambda t: t.value.size > 0)
    lengths = wiring.indices(wiring.random.integers(1, data.shape[1] + 1, data.shape[0]))

    def reference(x: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        result = x.copy()
        for place, length in enumerate(lengths):
            result[place, :length] = x[place, :length][::-1]
        return result

    _moved(wiring, name, [data, lengths], reference, {"batch_axis": 0, "seq_axis": 1})


@makes("DepthToSpace-1", "SpaceToDepth-1")
def blocks(wiring: Wiring, name: str) -> None:
    mode = wiring.choice(["blocks_first", "depth_first"])
    size = 2
    deep = name == "DepthToSpace-1"
    shape = (1, size * size, 2, 3) if deep else (1, 2, 2 * size, size)
    data = wiring.tensor(lambda t: t.shape == shape, lambda: wiring.source(wiring.choice(wiring.types), shape))

    def reference(x: np.ndarray) -> np.ndarray:
        n, c, h, w = x.shape
        if deep:
            split = (
                (n, size, size, c // size**2, h, w) if mode == "blocks_first" else (n, c // size**2, size, size, h, w)
            )
            order = (0, 3, 4, 1, 5, 2) if mode == "blocks_first" else (0, 1, 4, 2, 5, 3)
            return x.reshape(split).transpose(order).reshape(n, c // size**2, h * size, w * size)
        split = x.reshape(n, c, h // size, size, w // size, size)
        order = (0, 3, 5, 1, 2, 4) if mode == "blocks_first" else (0, 1, 3, 5, 2, 4)
        return split.transpose(order).reshape(n, c * size**2, h // size, w // size)

    _moved(wiring, name, [data], reference, {"mode": mode, "block_size": size})


@makes("ShuffleChannels-1")
def shuffle(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 1, where=lambda t: t.value.size > 0)
    axis, written = _axis(wiring, data.rank)
    group = wiring.choice([n for n in range(1, 5) if data.shape[axis] % n == 0])

    def reference(x: np.ndarray) -> np.ndarray:
        moved = np.moveaxis(x, axis, 0)
        parts = moved.reshape(group, -1, *moved.shape[1:]).swapaxes(0, 1).reshape(moved.shape)
        return np.moveaxis(parts, 0, axis)

    _moved(wiring, name, [data], reference, {"axis": written, "group": group})


@makes("TopK-1", "TopK-3", "TopK-11")
def top_k(wiring: Wiring, name: str) -> None:
    data = wiring.of(lambda kind: numeric(kind) and kind.name != "bf16", 1, where=lambda t: t.value.size > 0)
    axis, written = _axis(wiring, data.rank)
    k = wiring.integer(1, data.shape[axis])
    mode = wiring.choice(["max", "min"])
    moved = np.moveaxis(data.value, axis, -1).astype(np.float64)
    if any(len(np.unique(row)) < len(row) for row in moved.reshape(-1, moved.shape[-1])):
        raise Unfit  # which of equal elements comes first is not what is compared here
    attributes = {"axis": written, "mode": mode, "sort": "value"}
    if name != "TopK-1":
        attributes["index_element_type"] = "i32"

    def reference(x: np.ndarray, _: np.ndarray) -> list[np.ndarray]:
        order = np.argsort(x, axis, kind="stable")
        order = np.flip(order, axis) if mode == "max" else order
        places = np.take(order, np.arange(k), axis)
        return [np.take_along_axis(x, places, axis), places.astype(np.int32)]

    inputs = [data, wiring.constant(np.array(k))]
    types = [data.type, BY_NAME["i32"]]
    wiring.layer(name, inputs, reference, attributes, types=types, rough=data.rough, jumps=True, tolerance=0)


@makes("NonZero-3")
def non_zero(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 1)
    wiring.layer(
        name,
        [data],
        lambda x: np.array(np.nonzero(x)),
        {"output_type": "i64"},
        types=[BY_NAME["i64"]],
        jumps=True,
        tolerance=0,
    )


@makes("Range-4")
def range_(wiring: Wiring, name: str) -> None:
    start, step = wiring.integer(-5, 5), wiring.choice([-2, -1, 1, 2])
    stop = wiring.integer(-8, 8)
    inputs = [wiring.constant(np.array(value)) for value in (start, stop, step)]
    target = wiring.choice([type for type in wiring.types if type.name in ("i32", "i64", "f32")])
    wiring.layer(name, inputs, np.arange, {"output_type": target}, types=[target], tolerance=0)


@makes("OneHot-1", "OneHot-16")
def one_hot(wiring: Wiring, name: str) -> None:
    depth = wiring.integer(1, 4)
    shape = wiring.shape(0, 2)
    places = wiring.indices(wiring.random.integers(0, depth, shape))
    on = wiring.of(lambda kind: kind.is_float, 0, 0)
    off = wiring.source(on.type, [])
    axis = wiring.integer(0, len(shape))

    def reference(i: np.ndarray, _: np.ndarray, on: np.ndarray, off: np.ndarray) -> np.ndarray:
        hot = np.expand_dims(i, axis) == np.arange(depth).reshape([-1 if at == axis else 1 for at in range(i.ndim + 1)])
        return np.where(hot, on, off)

    inputs = [places, wiring.constant(np.array(depth)), on, off]
    wiring.layer(name, inputs, reference, {"axis": axis}, types=[on.type], rough=on.rough, tolerance=0)


@makes("Eye-9")
def eye(wiring: Wiring, name: str) -> None:
    rows, columns, shift = wiring.integer(1, 4), wiring.integer(1, 4), wiring.integer(-2, 2)
    inputs = [wiring.constant(np.array(value)) for value in (rows, columns, shift)]
    wiring.layer(
        name,
        inputs,
        lambda *_: np.eye(rows, columns, shift),
        {"output_type": "f32"},
        types=[BY_NAME["f32"]],
        tolerance=0,
    )
