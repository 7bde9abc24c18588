"""Make this example with OpenVINO itself: its serializer writes model.xml and model.bin, NumPy the expected outputs.

Run it from anywhere: python examples/openvino-serialized/make.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # it would start a process that tries the network

import openvino as ov
from openvino import opset13 as opset


def main() -> None:
    """Write the model, its inputs and the outputs they give."""
    here = Path(__file__).parent
    table = (np.arange(40, dtype=np.float32).reshape(10, 4) - 20) / 8
    indices = opset.parameter([-1, 3], np.int64, name="indices")
    weights = opset.parameter([-1, 3], np.float32, name="weights")
    bags = opset.embedding_bag_packed_sum(opset.constant(table), indices, weights)
    bags.set_friendly_name("bags")
    bags.output(0).set_names({"bags"})
    mean = opset.reduce_mean(bags, opset.constant(np.array([0], np.int64)), keep_dims=False)
    mean.set_friendly_name("mean")
    mean.output(0).set_names({"mean", "average, over bags"})
    for parameter in (indices, weights):
        parameter.output(0).set_names({parameter.friendly_name})
    ov.serialize(ov.Model([bags, mean], [indices, weights], "openvino-serialized"), here / "model.xml")

    chosen = np.array([[0, 9, 4], [3, 3, 1]])
    factors = np.array([[1, 0.5, -1], [2, 0.25, 4]], np.float32)
    summed = (table.astype(np.float64)[chosen] * factors[..., None]).sum(1)
    for folder, arrays in (
        ("inputs", {"indices": chosen, "weights": factors}),
        ("outputs", {"bags": summed.astype(np.float32), "mean": summed.mean(0).astype(np.float32)}),
    ):
        (here / folder).mkdir(exist_ok=True)
        for name, array in arrays.items():
            np.save(here / folder / f"{name}.npy", array)


if __name__ == "__main__":
    main()
