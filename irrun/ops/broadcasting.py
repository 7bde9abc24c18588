"""How shapes of inputs are brought together: NumPy's rule, PaddlePaddle's, or equality, over partial shapes and arrays.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/broadcast-rules.html
"""

from __future__ import annotations

import numpy as np

from irrun.kernels.notice import notice
from irrun.ops.attributes import integer, one_of
from irrun.ops.declare import Attribute, OpError
from irrun.types.dim import Dim, static
from irrun.types.fact import Fact
from irrun.types.shape import Shape

NUMPY, PDPD, NONE = "numpy", "pdpd", "none"
_ONE = static(1)
_read_rule = one_of(NUMPY, PDPD, NONE, "explicit")


def broadcast_rule(text: str) -> str:
    """The value of `auto_broadcast`: `numpy`, `pdpd` or `none`, for which OpenVINO also takes `explicit`."""
    rule = _read_rule(text)
    return NONE if rule == "explicit" else rule


broadcast_rule.__name__ = _read_rule.__name__

AUTO_BROADCAST = (
    Attribute("auto_broadcast", broadcast_rule, default=NUMPY),
    # No page lists it among the attributes; OpenVINO's reader has this name, the broadcasting rules call it axis.
    Attribute("auto_broadcast.auto_broadcast_axis", integer, default=None, parameter="broadcast_axis", also=("axis",)),
)
"""The attributes of an operation that broadcasts; its functions take `auto_broadcast` and `broadcast_axis`."""


# dims and shapes


def broadcast_dim(a: Dim, b: Dim) -> Dim | None:
    """What two dims become under NumPy's rule, or None where they contradict each other: equal, or one of them is 1."""
    if a == b:
        return a
    ways = [a.meet(b), b if a.admits(1) else None, a if b.admits(1) else None]
    result: Dim | None = None
    for way in ways:
        result = way if result is None else result if way is None else result.join(way)
    return result


def broadcast_dims(a: tuple[Dim, ...], b: tuple[Dim, ...]) -> tuple[Dim, ...] | None:
    """What two lists of dims, aligned at their ends, become under NumPy's rule, or None where they cannot."""
    rank = max(len(a), len(b))
    a, b = ((_ONE,) * (rank - len(dims)) + dims for dims in (a, b))
    dims = tuple([broadcast_dim(x, y) for x, y in zip(a, b, strict=True)])
    return None if None in dims else dims  # type: ignore[return-value]  # no None among them now


def broadcast(
    first: tuple[str, Fact], second: tuple[str, Fact], auto_broadcast: str = NUMPY, broadcast_axis: int | None = None
) -> Shape:
    """The shape of two named inputs together; what is certain of it where they are partly known.

    Raises OpError, which names both, where they contradict each other.
    """
    if auto_broadcast == PDPD:
        return _pdpd(first, second, broadcast_axis)
    return _numpy(first, second) if auto_broadcast == NUMPY else _equal(first, second)


def _numpy(first: tuple[str, Fact], second: tuple[str, Fact]) -> Shape:
    (_, a), (_, b) = first, second
    if a.dims is None or b.dims is None:
        return Shape()
    if a.dims == b.dims:
        return a.shape
    dims = broadcast_dims(a.dims, b.dims)
    if dims is None:
        x, y = next(
            (x, y) for x, y in zip(reversed(a.dims), reversed(b.dims), strict=False) if broadcast_dim(x, y) is None
        )
        raise _contradiction(first, second, f"dims {x} and {y} differ, and neither is 1")
    return Shape(dims)


def _equal(first: tuple[str, Fact], second: tuple[str, Fact]) -> Shape:
    met = first[1].shape.meet(second[1].shape)
    if met is None:
        raise _contradiction(first, second, "without auto_broadcast the shapes are equal")
    return met


def _pdpd(first: tuple[str, Fact], second: tuple[str, Fact], axis: int | None) -> Shape:
    """The shape of the first input: from `axis` on, the second one's dims are its dims, or 1."""
    (_, a), (_, b) = first, second
    if axis is not None and axis < -1:
        raise OpError(f"the axis of pdpd broadcasting is {axis}; -1 or more is expected", at="broadcast_axis")
    if a.dims is None or b.dims is None:
        return a.shape
    ranks = len(a.dims), len(b.dims)
    if axis is None and ranks[0] != ranks[1] and any(dim != _ONE for dim in b.dims):
        notice("pdpd broadcasting without an axis aligns the last dims, as the pages say; OpenVINO takes axis 0")
    start = _start(axis, *ranks)
    if start < 0:
        raise _contradiction(first, second, f"pdpd broadcasting expects rank {ranks[0]} or less")
    dims = list(a.dims)
    for place, dim in enumerate(b.dims, start):
        if place >= ranks[0]:
            if not dim.admits(1):
                raise _contradiction(first, second, f"from axis {start} on, dims beyond rank {ranks[0]} are 1")
            continue
        met = dims[place] if dim.admits(1) else dims[place].meet(dim)
        if met is None:
            raise _contradiction(first, second, f"from axis {start} on, {dim} is neither {dims[place]} nor 1")
        dims[place] = met
    return Shape(tuple(dims))


def _start(axis: int | None, rank: int, other_rank: int) -> int:
    return rank - other_rank if axis is None or axis == -1 else axis


def _contradiction(first: tuple[str, Fact], second: tuple[str, Fact], why: str) -> OpError:
    (a_name, a), (b_name, b) = first, second
    message = f"{b_name} is {b.shape}, but {a_name} is {a.shape}: {why}"
    return OpError(message, at=b_name, against=a_name, kind="dims")


# arrays


def aligned(a: np.ndarray, b: np.ndarray, auto_broadcast: str = NUMPY, broadcast_axis: int | None = None) -> np.ndarray:
    """`b` as a view that NumPy's own rule brings together with `a`."""
    if auto_broadcast != PDPD:
        return b
    start = _start(broadcast_axis, a.ndim, b.ndim)
    rest = a.ndim - start - b.ndim
    shape = (*b.shape, *(1,) * rest) if rest >= 0 else b.shape[:rest]
    return b.reshape(shape)
