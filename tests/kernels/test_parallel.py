from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from irrun.kernels import parallel
from irrun.kernels.bags import packed
from irrun.kernels.notice import listening, notice
from irrun.kernels.parallel import num_threads, set_num_threads, share
from irrun.kernels.reduce import MEAN, reduce
from tests.kernels.work import digest

ROOT = Path(__file__).parents[2]
LONG = 1.0  # seconds of work: worth sharing


@pytest.fixture(autouse=True)
def _threads():
    before = num_threads()
    yield
    set_num_threads(before)


@pytest.fixture(scope="module")
def alone() -> str:
    set_num_threads(1)
    return digest()


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_the_bits_do_not_depend_on_our_threads(threads, alone):
    set_num_threads(threads)
    assert digest() == alone


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_the_bits_do_not_depend_on_the_threads_of_blas(threads, alone):
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": str(threads), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.kernels.work", "2"]
    printed = subprocess.run(
        command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120
    )
    assert printed.stdout.strip() == alone


@pytest.mark.parametrize("pieces", [0, 1, 2, 50])
@pytest.mark.parametrize("threads", [1, 2, 8])
def test_each_piece_is_worked_on_once(threads, pieces):
    set_num_threads(threads)
    done: list[int] = []
    share(done.append, pieces, LONG)
    assert sorted(done) == list(range(pieces))


def test_little_work_starts_no_thread():
    set_num_threads(4)
    where = set()
    share(lambda _: where.add(threading.current_thread()), 50, 1e-4)
    assert where == {threading.current_thread()}


def test_no_more_threads_than_asked_for():
    set_num_threads(8)
    barrier = threading.Barrier(3)
    where = set()

    def work(piece: int) -> None:
        where.add(threading.current_thread().name)
        barrier.wait(10)

    share(work, 3, LONG, most=3)
    assert len(where) == 3


@pytest.mark.parametrize("wrong", [0, 17, 49])
def test_an_exception_comes_out_and_ends_the_work(wrong):
    set_num_threads(3)

    def work(piece: int) -> None:
        if piece == wrong:
            raise ZeroDivisionError(piece)

    with pytest.raises(ZeroDivisionError, match=str(wrong)):
        share(work, 50, LONG)
    share(lambda piece: None, 50, LONG)  # the pool still works


def test_threads_hear_and_obey_the_callers_context():
    set_num_threads(3)
    barrier = threading.Barrier(3)

    def work(piece: int) -> None:
        barrier.wait(10)  # three threads have a piece each
        notice(f"piece {piece}")
        with pytest.raises(FloatingPointError):
            np.float32(3e38) * np.float32(10)

    with listening() as said, np.errstate(over="raise"):
        share(work, 3, LONG)
    assert sorted(said) == ["piece 0", "piece 1", "piece 2"]


def test_kernels_may_be_called_from_eight_threads_at_once(alone):
    set_num_threads(2)
    table = np.random.default_rng(0).random((1000, 64), dtype=np.float32)
    indices = np.random.default_rng(1).integers(0, 1000, (4096, 16))
    data = np.random.default_rng(2).random((64, 40_000), dtype=np.float32)
    expected = packed(table, indices).tobytes() + reduce(data, (1,), MEAN).tobytes()

    def call(_: int) -> bytes:
        return packed(table, indices).tobytes() + reduce(data, (1,), MEAN).tobytes()

    with ThreadPoolExecutor(8) as callers:
        assert set(callers.map(call, range(32))) == {expected}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_has_a_pool_of_its_own():
    set_num_threads(2)
    data = np.random.default_rng(0).random((64, 100_000), dtype=np.float32)
    expected = reduce(data, (1,), MEAN).tobytes()
    child = os.fork()
    if child == 0:
        signal.alarm(60)  # a child that hangs is ended, and the parent sees it
        code = 1
        try:
            code = 0 if reduce(data, (1,), MEAN).tobytes() == expected else 1
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_the_environment_sets_the_threads(monkeypatch):
    for text, threads in (("3", 3), ("1", 1)):
        monkeypatch.setenv("IRRUN_NUM_THREADS", text)
        assert parallel._from_environment(os.environ["IRRUN_NUM_THREADS"]) == threads
    assert parallel._from_environment("") >= 1
    for text in ("0", "-1", "two", "1.5", "²"):
        with pytest.raises(ValueError, match="IRRUN_NUM_THREADS is a whole number of at least 1"):
            parallel._from_environment(text)
    with pytest.raises(ValueError, match="at least 1, not 0"):
        set_num_threads(0)
