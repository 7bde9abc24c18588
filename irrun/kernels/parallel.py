"""One pool of threads for the process, shared by every kernel and started when the first large piece of work comes.

Threads never change a result: a kernel cuts its work by the shapes alone, and a thread only picks which piece is next.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context

# Waking an idle thread costs about 80 us there and back; below this much work one thread is faster than two.
WORTH_SHARING = 0.35e-3


class _Pool:
    """The threads of this process: how many there may be, and the pool they live in once it is needed."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.executor: ThreadPoolExecutor | None = None
        self.threads: int | None = None

    def forget(self) -> None:
        """Drop what a forked child cannot use: threads do not survive a fork, and the lock may have been held."""
        self.lock = threading.Lock()
        self.executor = None


_process = _Pool()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_process.forget)


def num_threads() -> int:
    """Return how many threads a kernel may use: what was set, else IRRUN_NUM_THREADS, else the usable CPUs."""
    if _process.threads is None:
        _process.threads = _from_environment(os.environ.get("IRRUN_NUM_THREADS", ""))
    return _process.threads


def set_num_threads(count: int) -> None:
    """Let kernels use `count` threads, the caller's among them; ValueError below 1."""
    if count < 1:
        raise ValueError(f"the number of threads is at least 1, not {count}")
    with _process.lock:
        _process.threads = count
        _process.executor = None  # who still holds the old one finishes with it; its threads end when it is collected


def share(work: Callable[[int], None], pieces: int, seconds: float, most: int = 64) -> None:
    """Call `work(0)` to `work(pieces - 1)`, each once, on as many threads as pay for work of about `seconds`.

    At most `most` threads, the caller's among them. The caller takes pieces too, and waits only for pieces that were
    begun: callers in many threads cannot block one another. The first exception stops the handing out of pieces and is
    raised. Pieces see the caller's context.
    """
    helpers = min(num_threads(), pieces, most) - 1 if seconds >= WORTH_SHARING else 0
    if helpers <= 0:
        for piece in range(pieces):
            work(piece)
        return
    turns = _Turns(work, pieces)
    futures = _submit(turns, helpers)
    try:
        turns.take()
    finally:
        turns.stop()
        begun = [future for future in futures if not future.cancel()]
        errors = [future.exception() for future in begun]
    for error in errors:
        if error is not None:
            raise error


class _Turns:
    """The pieces not yet handed out."""

    def __init__(self, work: Callable[[int], None], pieces: int) -> None:
        self._work = work
        self._next = 0
        self._pieces = pieces
        self._lock = threading.Lock()

    def take(self) -> None:
        """Work on the next piece until none is left."""
        while (piece := self._draw()) is not None:
            try:
                self._work(piece)
            except BaseException:
                self.stop()
                raise

    def stop(self) -> None:
        """Hand out no more pieces."""
        with self._lock:
            self._next = self._pieces

    def _draw(self) -> int | None:
        with self._lock:
            if self._next >= self._pieces:
                return None
            self._next += 1
            return self._next - 1


def _submit(turns: _Turns, helpers: int) -> list[Future[None]]:
    with _process.lock:
        if _process.executor is None:
            _process.executor = ThreadPoolExecutor(max(1, num_threads() - 1), thread_name_prefix="irrun")
        executor = _process.executor
    try:
        return [executor.submit(copy_context().run, turns.take) for _ in range(helpers)]
    except RuntimeError:  # the interpreter is shutting down and starts no more threads: the caller does it all
        return []


def _from_environment(text: str) -> int:
    if not text:
        return _usable_cpus()
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise ValueError(f"IRRUN_NUM_THREADS is a whole number of at least 1, not {text!r}")
    return int(text)


def _usable_cpus() -> int:
    if hasattr(os, "process_cpu_count"):  # Python 3.13
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
