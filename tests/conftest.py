"""What every test stands on: floating-point errors are raised, Hypothesis is repeatable, shared data is found."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import hypothesis
import numpy as np
import pytest

hypothesis.settings.register_profile(
    "irrun",
    deadline=None,
    derandomize=True,
    max_examples=50,
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.function_scoped_fixture],
)
hypothesis.settings.load_profile("irrun")


@pytest.fixture(autouse=True)
def raised_errors():
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        yield


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared test data, from IRRUN_SHARED."""
    place = os.environ.get("IRRUN_SHARED")
    if not place:
        pytest.skip("IRRUN_SHARED is not set")
    return Path(place)


@pytest.fixture(scope="session")
def openvino():
    """OpenVINO's Core, the oracle; its telemetry would start a process that tries the network."""
    sys.modules["openvino_telemetry"] = None
    module = pytest.importorskip("openvino", reason="openvino has no wheel here")
    return module.Core()
