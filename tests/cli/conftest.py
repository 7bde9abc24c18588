"""What tests of the command line share: a call within the process, and one in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from irrun.cli.main import main

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ended:
    """How a call ended, and what it printed."""

    status: int
    out: str
    err: str


@pytest.fixture
def irrun(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """Call the command line in this process."""

    def call(*arguments: object) -> Ended:
        before = signal.getsignal(signal.SIGTERM)
        capsys.readouterr()
        try:
            status = main([str(argument) for argument in arguments])
        finally:
            signal.signal(signal.SIGTERM, before)
        said = capsys.readouterr()
        return Ended(int(status), said.out, said.err)

    return call


def environment(**more: str) -> dict[str, str]:
    """The environment of a process that imports irrun from this checkout."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "IRRUN_DEBUG")}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **more}


@pytest.fixture
def process() -> Callable[..., Ended]:
    """Call the command line in a process of its own."""

    def call(*arguments: object, cwd: Path | None = None, stdin: bytes = b"", **more: str) -> Ended:
        command = [sys.executable, "-m", "irrun", *map(str, arguments)]
        ended = subprocess.run(
            command, input=stdin, capture_output=True, cwd=cwd, env=environment(**more), timeout=60, check=False
        )
        return Ended(ended.returncode, ended.stdout.decode(), ended.stderr.decode())

    return call
