"""One pool of threads for the process, shared by every kernel and started when the first large piece of work comes.

Threads never change a result: a kernel cuts its work by the shapes alone, and a thread only picks which piece is next.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextvars import Context, copy_context
from queue import SimpleQueue

# Waking an idle thread costs about 80 us there and back; below this much work one thread is faster than two.
WORTH_SHARING = 0.35e-3
# In shorter pieces threads wait for one another's Python more than they work.
WORTH_A_PIECE = 0.1e-3


class _Pool:
    """The threads of this process: how many there may be, and the queue where those wait that were started.

    A bare queue takes a third of the time that an executor's futures take, which is felt in work of half a millisecond.
    """

    def __init__(self) -> None:
        self.threads: int | None = None
        self.forget()

    def forget(self) -> None:
        """Drop what a forked child cannot use: threads do not survive a fork, and the lock may have been held."""
        self.lock = threading.Lock()
        self._started = 0
        self._queue: _Queue = SimpleQueue()

    def queue(self) -> _Queue:
        """Return where work is put for the other threads, which are started now if they were not yet."""
        with self.lock:
            while self._started < num_threads() - 1:
                thread = threading.Thread(target=_help, args=(self._queue,), name=f"irrun-{self._started}", daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # the system has no more threads, or the interpreter ends: the caller does it all
                    break
                self._started += 1
            return self._queue

    def resize(self, threads: int) -> None:
        """Let there be `threads`; those that were started finish what is in the queue and end."""
        with self.lock:
            for _ in range(self._started):
                self._queue.put(None)
            self.threads = threads
            self._started = 0
            self._queue = SimpleQueue()


def num_threads() -> int:
    """Return how many threads a kernel may use: what was set, else IRRUN_NUM_THREADS, else the usable CPUs."""
    if _process.threads is None:
        _process.threads = _from_environment(os.environ.get("IRRUN_NUM_THREADS", ""))
    return _process.threads


def set_num_threads(count: int) -> None:
    """Let kernels use `count` threads, the caller's among them; ValueError below 1."""
    if count < 1:
        raise ValueError(f"the number of threads is at least 1, not {count}")
    _process.resize(count)


def share(work: Callable[[int], None], pieces: int, seconds: float, most: int = 64) -> None:
    """Call `work(0)` to `work(pieces - 1)`, each once, on as many threads as pay for work of about `seconds`.

    At most `most` threads, the caller's among them. The caller takes pieces too, and waits only for pieces that were
    begun: callers in many threads cannot block one another. The first exception stops the handing out of pieces and is
    raised. Pieces see the caller's context.
    """
    helpers = min(num_threads(), pieces, most) - 1
    if helpers <= 0 or seconds < max(WORTH_SHARING, pieces * WORTH_A_PIECE):
        for piece in range(pieces):
            work(piece)
        return
    turns = _Turns(work, pieces)
    queue = _process.queue()
    for _ in range(helpers):
        queue.put((turns, copy_context()))
    try:
        turns.take()
    finally:
        turns.finish()
    for error in turns.errors:
        raise error


def share_ranges(work: Callable[[slice], None], size: int, step: int, seconds: float, most: int = 64) -> None:
    """Call `work` with each range of `step`, the last one shorter, that `size` is made of, shared in the same way."""
    if 0 < size <= step:
        work(slice(0, size))
        return

    def work_on(piece: int) -> None:
        work(slice(piece * step, min((piece + 1) * step, size)))

    share(work_on, -(-size // step), seconds, most)


class _Turns:
    """The pieces not yet handed out, and who is at work on the others."""

    def __init__(self, work: Callable[[int], None], pieces: int) -> None:
        self.errors: list[BaseException] = []
        self._work = work
        self._next = 0
        self._pieces = pieces
        self._lock = threading.Lock()
        self._helping = 0
        self._awaited: threading.Lock | None = None

    def take(self) -> None:
        """Work on the next piece until none is left."""
        while (piece := self._draw()) is not None:
            try:
                self._work(piece)
            except BaseException:
                with self._lock:
                    self._next = self._pieces
                raise

    def help(self) -> None:
        """Do so in another thread, if there is still a piece; the caller learns of an exception."""
        with self._lock:
            if self._next >= self._pieces:
                return
            self._helping += 1
        try:
            self.take()
        except BaseException as error:  # noqa: BLE001  # the caller raises it
            self.errors.append(error)
        with self._lock:
            self._helping -= 1
            if self._awaited is not None and not self._helping:
                self._awaited.release()

    def finish(self) -> None:
        """Hand out no more pieces, and wait for those in other hands."""
        with self._lock:
            self._next = self._pieces
            if not self._helping:
                return
            self._awaited = threading.Lock()
            self._awaited.acquire()
        try:
            self._awaited.acquire()
        except BaseException:  # whoever interrupts waits too: the others still write to the caller's memory
            while self._helping:
                time.sleep(0.001)
            raise

    def _draw(self) -> int | None:
        with self._lock:
            if self._next >= self._pieces:
                return None
            self._next += 1
            return self._next - 1


_Queue = SimpleQueue[tuple[_Turns, Context] | None]


def _help(queue: _Queue) -> None:
    """What a thread of the pool does until it is told to end."""
    while (job := queue.get()) is not None:
        turns, context = job
        context.run(turns.help)
        del job, turns, context  # a thread that waits keeps no arrays alive


_process = _Pool()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_process.forget)


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
