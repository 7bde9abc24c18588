"""Who runs a case: each is set up once and then called again and again on the same inputs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from benchmarks.case import Case, Feeds

Runner = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Setting:
    """A case made ready: its inputs, its model as a file, and how many threads each runner may use."""

    case: Case
    feeds: Feeds
    model: Path
    threads: int


def irrun(setting: Setting) -> Runner:
    """Run through the library's own entry."""
    import irrun

    irrun.set_num_threads(setting.threads)
    loaded = irrun.load_ir(setting.model)
    return lambda: loaded.run(setting.feeds)[0]


def openvino(setting: Setting) -> Runner:
    """Run on OpenVINO's CPU plugin: compiled once, inputs shared, f32 arithmetic."""
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # it would start a process that seeks the network
    import openvino as ov  # type: ignore[import-untyped]

    settings = {"INFERENCE_NUM_THREADS": setting.threads, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": "f32"}
    request = ov.Core().compile_model(setting.model, "CPU", settings).create_infer_request()
    for place, array in enumerate(setting.feeds.values()):
        if array.dtype == ml_dtypes.bfloat16:
            tensor = ov.Tensor(array.view(np.uint16), ov.Shape(array.shape), ov.Type.bf16)
        else:
            tensor = ov.Tensor(array, shared_memory=True)
        request.set_input_tensor(place, tensor)

    def run() -> np.ndarray:
        request.infer()
        result = request.get_output_tensor(0)
        if result.element_type == ov.Type.bf16:
            return np.array(result.data).view(ml_dtypes.bfloat16)
        return np.asarray(result.data)

    return run


def numpy(setting: Setting) -> Runner:
    """Run NumPy's plain expression."""
    return lambda: setting.case.numpy(setting.feeds)


def further(name: str) -> Callable[[Setting], Runner | None]:
    """Return the runner of a peer that only some cases know."""

    def make(setting: Setting) -> Runner | None:
        if name not in setting.case.peers:
            return None
        if name == "torch":
            import torch  # type: ignore[import-not-found]

            torch.set_num_threads(setting.threads)
        return setting.case.peers[name](setting.feeds)

    return make
