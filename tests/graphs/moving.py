"""Makers of operations that move elements or make them of shapes and positions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irrun.types.element import BOOLEAN, BY_NAME, Kind
from tests.graphs.reducing import numeric
from tests.graphs.wiring import Tensor, Unfit, Wiring, makes

ANY = lambda kind: True  # noqa: E731  # it stands among the sets of types


def _axis(wiring: Wiring, rank: int) -> tuple[int, int]:
    """An axis, and how it is written: from the front or from the end."""
    axis = wiring.integer(0, rank - 1)
    return axis, axis - rank if wiring.coin() else axis


def _moved(
    wiring: Wiring,
    name: str,
    inputs: Sequence[Tensor],
    reference: object,
    attributes: dict | None = None,
    inferred: bool = True,
) -> None:
    rough = any(tensor.rough for tensor in inputs)
    wiring.layer(name, inputs, reference, attributes, rough=rough, tolerance=0, inferred=inferred)


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
    # An element that may be -1 can be any dim; OpenVINO looks at its upper end alone.
    _moved(
        wiring,
        name,
        [data, wiring.indices(written)],
        lambda x, _: x.reshape(target),
        {"special_zero": False},
        inferred=not wiring.steered,
    )


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
    axis, written = _axis(wiring, data.rank)
    batch = 0 if name == "Gather-1" else wiring.integer(0, min(axis, 2))
    low = -data.shape[axis] if name == "Gather-8" else 0
    places = wiring.random.integers(low, data.shape[axis], data.shape[:batch] + wiring.shape(0, 2))
    if batch and np.prod(data.shape[:axis]) == 1:
        wiring.smooth = False  # OpenVINO's CPU plugin crashes
    inputs = [data, wiring.positions(places), wiring.indices(written)]
    attributes = {} if name == "Gather-1" else {"batch_dims": batch}

    def reference(x: np.ndarray, i: np.ndarray, _: np.ndarray) -> np.ndarray:
        result = np.zeros(x.shape[:axis] + i.shape[batch:] + x.shape[axis + 1 :], x.dtype)
        for row in np.ndindex(*x.shape[:batch]):
            result[row] = np.take(x[row], i[row], axis - batch)
        return result

    _moved(wiring, name, inputs, reference, attributes)


@makes("GatherElements-6")
def gather_elements(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 1, where=lambda t: t.value.size > 0)
    axis, written = _axis(wiring, data.rank)
    shape = [wiring.integer(1, 4) if place == axis else dim for place, dim in enumerate(data.shape)]
    places = wiring.random.integers(-data.shape[axis], data.shape[axis], shape)
    _moved(
        wiring, name, [data, wiring.positions(places)], lambda x, i: np.take_along_axis(x, i, axis), {"axis": written}
    )


@makes("GatherND-8", "GatherND-5")
def gather_nd(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 1, where=lambda t: t.value.size > 0)
    batch = wiring.integer(0, min(data.rank - 1, 2))
    depth = wiring.integer(1, data.rank - batch)
    shape = data.shape[:batch] + wiring.shape(0 if batch else 1, 2)
    low = -1 if name == "GatherND-8" else 0
    places = np.stack([wiring.random.integers(low, dim, shape) for dim in data.shape[batch : batch + depth]], -1)

    def reference(x: np.ndarray, i: np.ndarray) -> np.ndarray:
        result = np.zeros(i.shape[:-1] + x.shape[batch + depth :], x.dtype)
        for row in np.ndindex(*x.shape[:batch]):
            result[row] = x[row][tuple(np.moveaxis(i[row], -1, 0))]
        return (
            result.reshape(int(np.prod(result.shape[:batch])), *result.shape[batch:])
            if batch and name == "GatherND-5"
            else result
        )

    _moved(wiring, name, [data, wiring.positions(places)], reference, {"batch_dims": batch})


@makes("ScatterUpdate-3")
def scatter_update(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 1, where=lambda t: t.value.size > 0)
    axis, written = _axis(wiring, data.rank)
    count = wiring.integer(1, data.shape[axis])
    places = wiring.random.permutation(data.shape[axis])[:count]
    if wiring.coin():
        places = places.reshape(wiring.choice([(1, count), (count, 1)]))
    updates = wiring.source(data.type, [*data.shape[:axis], *places.shape, *data.shape[axis + 1 :]])

    def reference(x: np.ndarray, i: np.ndarray, u: np.ndarray, _: np.ndarray) -> np.ndarray:
        result = x.copy()
        result[(slice(None),) * axis + (i,)] = u
        return result

    _moved(wiring, name, [data, wiring.positions(places), updates, wiring.indices(written)], reference)


TOGETHER = {
    "none": lambda _, new: new,
    "sum": lambda old, new: old + new,
    "sub": lambda old, new: old - new,
    "prod": lambda old, new: old * new,
    "min": min,
    "max": max,
}
"""How an element and its update become one."""


def _updated(x: np.ndarray, places: list[tuple[int, ...]], updates: list, how: str, keep: bool = True) -> np.ndarray:
    """The data with one update after the other; without `keep` the first one of a place replaces what was there."""
    wide = x.astype(object)
    met: dict[tuple[int, ...], int] = {}
    for place, update in zip(places, updates, strict=True):
        fresh = not keep and place not in met
        met[place] = met.get(place, int(keep)) + 1
        wide[place] = update if fresh else TOGETHER["sum" if how == "mean" else how](wide[place], update)
    for place, count in met.items() if how == "mean" else ():
        total = wide[place]
        wide[place] = total / count if x.dtype.kind == "f" else total // count
    if x.dtype.kind in "iu":
        wide = np.vectorize(lambda each: int(each) % 2 ** (8 * x.itemsize), otypes=[np.uint64])(wide)
    return wide.astype(x.dtype).reshape(x.shape)


def _may_be_brought_together(wiring: Wiring, data: Tensor, updates: Tensor, *words: str) -> str:
    """How updates are reduced, where no rounding on the way can differ."""
    exact = numeric(data.type) and not data.rough and _small(data) and _small(updates)
    return wiring.choice(["none", *(words if exact else ())])


def _small(tensor: Tensor) -> bool:
    wide = tensor.value.astype(np.float64)
    return bool((np.abs(wide) <= 6).all() and (wide == np.trunc(wide)).all())


@makes("ScatterElementsUpdate-3", "ScatterElementsUpdate-12")
def scatter_elements(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 1, where=lambda t: t.value.size > 0)
    axis, written = _axis(wiring, data.rank)
    shape = [wiring.integer(1, dim) for dim in data.shape]
    updates = wiring.source(data.type, shape)
    how, keep = "none", True
    if name.endswith("12"):
        how = _may_be_brought_together(wiring, data, updates, "sum", "prod", "min", "max", "mean")
        keep = wiring.coin()
    if how == "none":
        places = np.argsort(wiring.random.random([*shape[:axis], data.shape[axis], *shape[axis + 1 :]]), axis)
        places = np.take(places, range(shape[axis]), axis)
    else:
        places = wiring.random.integers(-data.shape[axis], data.shape[axis], shape)
    if how == "mean" and data.type.is_integer:
        wiring.smooth = False  # below 0 OpenVINO's CPU plugin truncates

    def reference(x: np.ndarray, i: np.ndarray, u: np.ndarray, _: np.ndarray) -> np.ndarray:
        spots = [(*at[:axis], int(i[at]) % x.shape[axis], *at[axis + 1 :]) for at in np.ndindex(*i.shape)]
        return _updated(x, spots, [u[at] for at in np.ndindex(*i.shape)], how, keep)

    attributes = {"reduction": how, "use_init_val": keep} if name.endswith("12") else {}
    inputs = [data, wiring.positions(places), updates, wiring.indices(written)]
    wiring.layer(name, inputs, reference, attributes, rough=data.rough or how == "mean", tolerance=float(how == "mean"))


@makes("ScatterNDUpdate-3", "ScatterNDUpdate-15")
def scatter_nd(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 1, where=lambda t: t.value.size > 0)
    depth = wiring.integer(1, data.rank)
    spots = int(np.prod(data.shape[:depth]))
    count = wiring.integer(1, spots)
    updates = wiring.source(data.type, [count, *data.shape[depth:]])
    how = "none" if name.endswith("-3") else _may_be_brought_together(wiring, data, updates, *list(TOGETHER)[1:])
    chosen = wiring.random.permutation(spots)[:count] if how == "none" else wiring.random.integers(0, spots, count)
    places = np.stack(np.unravel_index(chosen, data.shape[:depth]), -1)

    def reference(x: np.ndarray, i: np.ndarray, u: np.ndarray) -> np.ndarray:
        rows = [(*row, *rest) for row in i.tolist() for rest in np.ndindex(*x.shape[depth:])]
        return _updated(x, rows, list(u.reshape(-1)), how)

    _moved(
        wiring, name, [data, wiring.positions(places), updates], reference, {"reduction": how} if how != "none" else {}
    )


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
    inputs = [data, *(wiring.steering(values) for values in (block, before, after))]

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
    index, count = (BY_NAME[wiring.choice(["i32", "i64"])] for _ in range(2))
    in_order = wiring.coin()
    wiring.smooth = False  # of its integers OpenVINO's CPU plugin makes the boolean true, whatever they are
    axis, written = _axis(wiring, data.rank) if wiring.coin() else (None, None)

    def reference(x: np.ndarray, *_: np.ndarray) -> list[np.ndarray]:
        values, first, inverse, counts = np.unique(x, True, True, True, axis)
        inverse = inverse.reshape(-1)
        if not in_order:
            order = np.argsort(first)
            places = np.argsort(order)
            values, first, counts = np.take(values, order, axis or 0), first[order], counts[order]
            inverse = places[inverse]
        return [values, first, inverse, counts]

    wiring.layer(
        name,
        [data] if written is None else [data, wiring.constant(np.array(written))],
        reference,
        {"sorted": in_order, "index_element_type": index, "count_element_type": count},
        types=[data.type, index, index, count],
        rough=data.rough,
        jumps=True,
        tolerance=0,
        inferred=not wiring.dynamic,  # of a dim that may be 0 OpenVINO expects one element at least
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
    inputs = [data, *(wiring.steering(values) for values in (starts, stops, steps, written))]

    def reference(x: np.ndarray, *_: np.ndarray) -> np.ndarray:
        index = [slice(None)] * x.ndim
        for axis, start, stop, step in zip(axes, starts, stops, steps, strict=True):
            index[axis] = slice(*_clipped(start, stop, step, x.shape[axis]))
        return x[tuple(index)]

    _moved(wiring, name, inputs, reference, inferred=_inferred_alike(wiring, starts, stops, steps))


def _inferred_alike(wiring: Wiring, *spans: Sequence[int]) -> bool:
    """Whether OpenVINO infers what is certain of slices of dims that are not known.

    Where one end counts from the other side than the other, or may, it misses the extents between the least and the
    greatest; and a start before the first element, on the way back, it takes for the first.
    """
    clear = all(
        (start < 0) == (stop < 0) and (step > 0 or start >= 0) for start, stop, step in zip(*spans, strict=True)
    )
    return not wiring.dynamic or (clear and not wiring.steered)


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
    masks: dict[str, list[int]] = {
        f"{each}_mask": [] for each in ("begin", "end", "new_axis", "shrink_axis", "ellipsis")
    }
    begin, end, steps, index = [], [], [], []
    axis = 0
    while axis < data.rank or (wiring.integer(0, 5) == 0 and len(begin) < 7):
        if axis == data.rank:
            way = "new_axis"
        else:
            ways = ["slice"] * 4 + ["shrink_axis", "new_axis"] + ["ellipsis"] * (Ellipsis not in index)
            way = wiring.choice(ways)
        for key, mask in masks.items():
            mask.append(int(key == f"{way}_mask"))
        if way == "ellipsis":
            if wiring.coin():
                axis += wiring.integer(0, data.rank - axis)
            index.append(Ellipsis)
            spans = (0, 0, 1)
        elif way == "new_axis":
            index.append(np.newaxis)
            spans = (0, 0, 1)
        elif way == "shrink_axis":
            place = wiring.integer(-data.shape[axis], data.shape[axis] - 1)
            index.append(place)
            spans = (place, place + 1, 1)
            axis += 1
        else:
            first = wiring.integer(-data.shape[axis], data.shape[axis] + 1)
            spans = first, wiring.integer(-6, 6), wiring.choice([1, 1, 2, -1, -2])
            skip_begin, skip_end = (wiring.integer(0, 2) == 0 for _ in range(2))
            masks["begin_mask"][-1], masks["end_mask"][-1] = int(skip_begin), int(skip_end)
            index.append(slice(None if skip_begin else first, None if skip_end else spans[1], spans[2]))
            axis += 1
        for given, value in zip((begin, end, steps), spans, strict=True):
            given.append(value)
    if Ellipsis in index:  # the axes that an ellipsis keeps need not be named
        named = sum(each is not np.newaxis and each is not Ellipsis for each in index)
        assert named <= data.rank
    inputs = [data, *(wiring.steering(values) for values in (begin, end, steps))]
    alike = _inferred_alike(wiring, begin, end, steps)
    _moved(wiring, name, inputs, lambda x, *_: x[tuple(index)], masks, inferred=alike)


@makes("Pad-1", "Pad-12")
def pad(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 1, where=lambda t: t.value.size > 0)
    mode = wiring.choice(["constant", "edge", "reflect", "symmetric"])
    limits = [3 if mode in ("constant", "edge") else dim - 1 if mode == "reflect" else dim for dim in data.shape]
    low = -1 if name == "Pad-12" else 0
    before, after = (
        [wiring.integer(low if dim > 2 else 0, min(limit, 3)) for limit, dim in zip(limits, data.shape, strict=True)]
        for _ in range(2)
    )
    inputs = [data, wiring.steering(before), wiring.steering(after)]
    value: int | str = "" if data.type.kind is Kind.STRING else 0
    if mode == "constant" and data.type.kind is not Kind.STRING and wiring.coin():
        value = 1
        inputs.append(wiring.constant(np.array(value).astype(data.type.dtype), data.type))

    def reference(x: np.ndarray, *_: np.ndarray) -> np.ndarray:
        widths = [(max(p, 0), max(q, 0)) for p, q in zip(before, after, strict=True)]
        padded = np.pad(x, widths, constant_values=value) if mode == "constant" else np.pad(x, widths, mode)
        cut = [slice(max(-p, 0), size - max(-q, 0)) for p, q, size in zip(before, after, padded.shape, strict=True)]
        return padded[tuple(cut)]

    # OpenVINO takes pads that are not known to be 0 or more, though they may be less.
    _moved(wiring, name, inputs, reference, {"pad_mode": mode}, inferred=not wiring.steered)


@makes("Tile-1")
def tile(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 0, 3, where=lambda t: t.value.size <= 200)
    repeats = [
        wiring.integer(0 if wiring.empty else 1, 3) for _ in range(wiring.integer(max(data.rank - 1, 1), data.rank + 1))
    ]
    _moved(wiring, name, [data, wiring.indices(repeats)], lambda x, _: np.tile(x, repeats))


@makes("Broadcast-3", "Broadcast-1")
def broadcast(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 0, 3)
    mode = wiring.choice(["numpy", "explicit", *(["bidirectional"] if name == "Broadcast-3" else [])])
    target = [wiring.integer(1, 3) if dim == 1 else dim for dim in data.shape]
    if mode == "explicit":
        axes = []
        for place in range(len(target)):
            while wiring.integer(0, 3) == 0:
                target.insert(place + len(axes) - place, wiring.integer(1, 3))
                axes.append(None)
            axes.append(place)
        mapping = [place for place, axis in enumerate(axes) if axis is not None]
        if not target:
            raise Unfit

        def explicit(x: np.ndarray, *_: np.ndarray) -> np.ndarray:
            shape = [1 if axis is None else x.shape[axis] for axis in axes]
            return np.broadcast_to(x.reshape(shape), target)

        _moved(wiring, name, [data, wiring.indices(target), wiring.indices(mapping)], explicit, {"mode": mode})
        return
    target = [wiring.integer(1, 3) for _ in range(wiring.integer(0, 1))] + target
    if mode == "bidirectional":
        target = [1 if wiring.integer(0, 2) == 0 else dim for dim in target][wiring.integer(0, len(target)) :]
    if not target:
        raise Unfit

    def reference(x: np.ndarray, _: np.ndarray) -> np.ndarray:
        return np.broadcast_to(x, np.broadcast_shapes(x.shape, target))

    _moved(wiring, name, [data, wiring.indices(target)], reference, {"mode": mode})


@makes("Roll-7")
def roll(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY, 1, where=lambda t: t.value.size > 0)
    axes = [axis for axis in range(data.rank) if wiring.coin()] or [0]
    shifts = [wiring.integer(-5, 5) for _ in axes]
    written = [axis - data.rank if wiring.coin() else axis for axis in axes]
    inputs = [data, wiring.indices(shifts), wiring.indices(written)]
    _moved(wiring, name, inputs, lambda x, *_: np.roll(x, shifts, axes))


@makes("ReverseSequence-1", "Reverse-1")
def reverse(wiring: Wiring, name: str) -> None:
    if name == "Reverse-1":
        data = wiring.of(ANY, 1)
        axes = [axis for axis in range(data.rank) if wiring.coin()] or [0]
        if wiring.coin():
            mask = np.isin(np.arange(data.rank), axes)
            _moved(
                wiring, name, [data, wiring.constant(mask, BOOLEAN)], lambda x, _: np.flip(x, axes), {"mode": "mask"}
            )
            return
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
    deep = name == "DepthToSpace-1"
    space, size = wiring.integer(1, 3), wiring.integer(1, 2)
    batch, channels = wiring.integer(1, 2), wiring.integer(1, 2)
    extents = [wiring.integer(1, 2) for _ in range(space)]
    shape = (batch, channels * size**space, *extents) if deep else (batch, channels, *(size * dim for dim in extents))
    data = wiring.tensor(lambda t: t.shape == shape, lambda: wiring.source(wiring.choice(wiring.types), shape))
    sizes = [size] * space
    first = mode == "blocks_first"

    def reference(x: np.ndarray) -> np.ndarray:
        if deep:
            split = [batch, *sizes, channels, *extents] if first else [batch, channels, *sizes, *extents]
            at = 1 + space if first else 1  # the channels
            inner = 1 if first else 2  # the first axis of the block
            order = [0, at, *(axis for k in range(space) for axis in (2 + space + k, inner + k))]
            return x.reshape(split).transpose(order).reshape(batch, channels, *(size * dim for dim in extents))
        split = [batch, channels, *(each for dim in extents for each in (dim, size))]
        outer, inner_axes = [2 + 2 * k for k in range(space)], [3 + 2 * k for k in range(space)]
        order = [0, *inner_axes, 1, *outer] if first else [0, 1, *inner_axes, *outer]
        return x.reshape(split).transpose(order).reshape(batch, channels * size**space, *extents)

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
    mode, sort = wiring.choice(["max", "min"]), wiring.choice(["value", "index"])
    moved = np.moveaxis(data.value, axis, -1).astype(np.float64)
    if any(len(np.unique(row)) < len(row) for row in moved.reshape(-1, moved.shape[-1])):
        raise Unfit  # which of equal elements comes first is not what is compared here
    attributes = {"axis": written, "mode": mode, "sort": sort}
    index = BY_NAME["i32"]
    if name != "TopK-1":
        index = BY_NAME[wiring.choice(["i32", "i64"])]
        attributes["index_element_type"] = index

    def reference(x: np.ndarray, _: np.ndarray) -> list[np.ndarray]:
        order = np.argsort(x, axis, kind="stable")
        order = np.flip(order, axis) if mode == "max" else order
        places = np.take(order, np.arange(k), axis)
        places = np.sort(places, axis) if sort == "index" else places
        return [np.take_along_axis(x, places, axis), places]

    inputs = [data, wiring.steering(k)]
    types = [data.type, index]
    wiring.layer(name, inputs, reference, attributes, types=types, rough=data.rough, jumps=True, tolerance=0)


@makes("NonZero-3")
def non_zero(wiring: Wiring, name: str) -> None:
    data = wiring.of(lambda kind: numeric(kind) or kind is BOOLEAN, 1)
    wiring.layer(
        name,
        [data],
        lambda x: np.array(np.nonzero(x)),
        {"output_type": "i64"},
        types=[BY_NAME["i64"]],
        jumps=True,
        tolerance=0,
    )


@makes("Range-4", "Range-1")
def range_(wiring: Wiring, name: str) -> None:
    start, step = wiring.integer(-5, 5), wiring.choice([-2, -1, 1, 2])
    stop = wiring.integer(-8, 8)
    if name == "Range-1":
        dtype, type = wiring.choice([(np.int32, BY_NAME["i32"]), (np.int64, BY_NAME["i64"])])
        inputs = [wiring.steering(value, dtype) for value in (start, stop, step)]
        wiring.layer(name, inputs, np.arange, types=[type], tolerance=0)
        return
    inputs = [wiring.indices(value) for value in (start, stop, step)]
    target = wiring.choice([type for type in wiring.types if type.name in ("i32", "i64", "f32")])
    wiring.layer(name, inputs, np.arange, {"output_type": target}, types=[target], tolerance=0)


@makes("OneHot-1", "OneHot-16")
def one_hot(wiring: Wiring, name: str) -> None:
    depth = wiring.integer(1, 4)
    shape = wiring.shape(0, 2)
    way = wiring.choice(["ignore_negative", "normalize"]) if name.endswith("16") else ""
    places = wiring.positions(wiring.random.integers(-depth if way == "normalize" else 0, depth + 2, shape))
    on = wiring.of(ANY, 0, 0)
    off = wiring.source(on.type, [])
    axis, written = _axis(wiring, len(shape) + 1)

    def reference(i: np.ndarray, _: np.ndarray, on: np.ndarray, off: np.ndarray) -> np.ndarray:
        i = np.where(i < 0, i + depth, i)
        hot = np.expand_dims(i, axis) == np.arange(depth).reshape([-1 if at == axis else 1 for at in range(i.ndim + 1)])
        return np.where(hot, on, off)

    inputs = [places, wiring.indices(depth), on, off]
    attributes = {"axis": written} | ({"negative_indices_mode": way} if way else {})
    wiring.layer(name, inputs, reference, attributes, types=[on.type], rough=on.rough, tolerance=0)


@makes("Eye-9")
def eye(wiring: Wiring, name: str) -> None:
    rows, columns, shift = wiring.integer(1, 4), wiring.integer(1, 4), wiring.integer(-5, 5)
    dtype = wiring.choice([np.int32, np.int64])
    inputs = [wiring.steering(value, dtype) for value in (rows, columns, shift)]
    batch = [wiring.integer(1, 2) for _ in range(wiring.integer(0, 2))]
    if batch:
        inputs.append(wiring.steering(batch, dtype))
    target = wiring.choice([type for type in wiring.types if numeric(type)])

    def reference(*_: np.ndarray) -> np.ndarray:
        return np.broadcast_to(np.eye(rows, columns, shift), [*batch, rows, columns])

    wiring.layer(name, inputs, reference, {"output_type": target}, types=[target], tolerance=0)


@makes("Identity-16")
def identity(wiring: Wiring, name: str) -> None:
    _moved(wiring, name, [wiring.of(ANY)], lambda x: x)


@makes("ShapeOf-1")
def shape_of(wiring: Wiring, name: str) -> None:
    data = wiring.of(ANY)
    wiring.layer(name, [data], lambda x: np.array(x.shape, int), types=[BY_NAME["i64"]], tolerance=0)
