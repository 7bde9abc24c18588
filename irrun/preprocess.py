"""The `<pre-process>` of old IR: a mean that is subtracted from one input, per channel, before anything else.

Later converters write a Subtract instead. Content other than means is refused, never skipped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from irrun.diag import Report
from irrun.ir.document import Document, Layer, Node
from irrun.ir.weights import Weights, WeightsError
from irrun.ops.attributes import integer, number
from irrun.types.element import ElementType
from irrun.types.shape import extents_text


@dataclass(frozen=True, slots=True, eq=False)
class PreProcess:
    """A mean, of the input's element type and of a shape that broadcasts to the input's, for the Parameter of this
    layer id.
    """

    layer: int
    mean: np.ndarray

    def apply(self, array: np.ndarray) -> np.ndarray:
        """The input less the mean."""
        result: np.ndarray = array - self.mean
        return result

    def __str__(self) -> str:
        if self.mean.size <= 8:
            return f"mean {self.mean.reshape(-1).tolist()} subtracted per channel"
        return f"mean of shape {extents_text(self.mean.shape)} subtracted"


class _Refused(Exception):
    """The content is not understood; the place is a node's."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


def read_pre_process(
    document: Document,
    parameters: Mapping[int, tuple[ElementType, tuple[int, ...] | None]],
    weights: Weights | WeightsError,
    report: Report,
) -> PreProcess | None:
    """The document's pre-processing, or None where there is none; `parameters` are types and static shapes by layer
    id.
    """
    node = document.pre_process
    if node is None or not node.children:
        return None
    try:
        layer = _input_of(document, node, parameters)
        type, extents = parameters[layer.id]
        return PreProcess(layer.id, _mean(node, type, extents, weights))
    except _Refused as refused:
        report.add("IR120", f"<pre-process>: {refused}", document.place(refused.at))
        return None


def _input_of(
    document: Document, node: Node, parameters: Mapping[int, tuple[ElementType, tuple[int, ...] | None]]
) -> Layer:
    """The input it names; without a name the first of rank 4, else the first."""
    layers = [layer for layer in document.layers if layer.id in parameters]
    name = node.attributes.get("reference-layer-name", "").strip()
    if name:
        layers = [layer for layer in layers if layer.name == name]
    if not layers:
        raise _Refused(f"there is no input {name!r}" if name else "there is no input", node.at)
    return next((layer for layer in layers if len(parameters[layer.id][1] or ()) == 4), layers[0])


def _mean(node: Node, type: ElementType, extents: Sequence[int] | None, weights: Weights | WeightsError) -> np.ndarray:
    if extents is None or not 2 <= len(extents) <= 5:
        raise _Refused("it needs an input of static shape and rank 2 to 5", node.at)
    channel_axis = 0 if len(extents) == 3 else 1
    channels, image = extents[channel_axis], tuple(extents[channel_axis + 1 :])
    means: dict[int, np.ndarray] = {}
    for place, channel in enumerate(node.children):
        if channel.tag != "channel" or len(channel.children) != 1 or channel.children[0].tag != "mean":
            raise _Refused(f"only channels with one mean each are understood, not <{channel.tag}>", channel.at)
        number_ = _integer(channel, "id", place)
        if number_ in means or not 0 <= number_ < channels:
            raise _Refused(f"channel {number_} is not one of {channels}, or is given twice", channel.at)
        means[number_] = _channel_mean(channel.children[0], type, image, weights)
    if len(means) != channels:
        raise _Refused(f"there are {len(means)} means for {channels} channels", node.at)
    return np.stack([means[channel] for channel in range(channels)])


def _channel_mean(mean: Node, type: ElementType, image: tuple[int, ...], weights: Weights | WeightsError) -> np.ndarray:
    attributes = mean.attributes
    if "value" in attributes:
        try:
            value = number(attributes["value"])
        except ValueError as error:
            raise _Refused(f"mean is {attributes['value']!r}: {error}", mean.at) from None
        return np.full((1,) * len(image), value).astype(type.dtype)
    if "offset" not in attributes or "size" not in attributes or isinstance(weights, WeightsError):
        raise _Refused("a mean has a value, or offset and size in the weights file", mean.at)
    offset, size = _integer(mean, "offset", 0), _integer(mean, "size", 0)
    needed = int(np.prod(image, dtype=np.int64)) * type.dtype.itemsize
    if size != needed or offset < 0 or offset + size > weights.data.size:
        raise _Refused(f"offset {offset}, size {size}: {needed} bytes of the weights file are expected", mean.at)
    return weights.data[offset : offset + size].view(type.dtype).reshape(image)


def _integer(node: Node, name: str, default: int) -> int:
    text = node.attributes.get(name)
    try:
        return default if text is None else integer(text)
    except ValueError as error:
        raise _Refused(f"{name} is {text!r}: {error}", node.at) from None
