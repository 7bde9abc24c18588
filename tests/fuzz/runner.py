"""Mutants in forked processes: each under a limit of time, all under a limit of memory, a crash kills only its process."""

from __future__ import annotations

import os
import pickle
import resource
import signal
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass

from tests.fuzz.mutate import mutated
from tests.fuzz.targets import Target

SECONDS = 2.0
"""How much of the processor's time a mutant may take; of a clock's, where the machine may be busy, 30 times that."""

BYTES = 512 << 20


class TooLong(BaseException):
    """A mutant took more than its time; no handler of ordinary exceptions may take it for one."""


@dataclass(frozen=True)
class Failure:
    """A mutant that neither worked nor raised IRError: its target, its seed, and what happened."""

    target: str
    seed: int
    said: str


def attack(target: Target, seeds: range) -> list[Failure]:
    """The failures among these mutants of a target."""
    failures: list[Failure] = []
    start = seeds.start
    while start < seeds.stop:
        done, found = _in_child(target, range(start, seeds.stop))
        failures += found
        if done < seeds.stop:
            failures.append(Failure(target.name, done, "the process died"))
        start = done + 1
    return failures


def _in_child(target: Target, seeds: range) -> tuple[int, list[Failure]]:
    """How far a forked process came, and the failures it met."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _limit_memory()
        with os.fdopen(writing, "wb") as pipe:
            for seed in seeds:
                pickle.dump((seed, None), pipe)
                pipe.flush()
                if (failure := _one(target, seed)) is not None:
                    pickle.dump((seed, failure), pipe)
            pickle.dump((seeds.stop, None), pipe)
        os._exit(0)
    os.close(writing)
    last, failures = seeds.start, []
    with os.fdopen(reading, "rb") as pipe:
        for seed, failure in _messages(pipe):
            last = seed
            if failure is not None:
                failures.append(failure)
    os.waitpid(child, 0)
    return last, failures


def _messages(pipe) -> Iterator[tuple[int, Failure | None]]:
    while True:
        try:
            yield pickle.load(pipe)
        except (EOFError, pickle.UnpicklingError):
            return


def _limit_memory() -> None:
    with open("/proc/self/statm", "rb") as file:
        pages = int(file.read().split()[0])
    limit = pages * os.sysconf("SC_PAGE_SIZE") + BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _raise_too_long(_number: int, _frame: object) -> None:
    raise TooLong


def _one(target: Target, seed: int) -> Failure | None:
    mutant = mutated(seed, target.originals)
    signal.signal(signal.SIGALRM, _raise_too_long)
    signal.signal(signal.SIGPROF, _raise_too_long)
    signal.setitimer(signal.ITIMER_REAL, 30 * SECONDS)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    started = time.process_time()
    try:
        target.attack(mutant)
    except TooLong:
        return Failure(target.name, seed, f"took {time.process_time() - started:.1f} s, or never ended")
    except MemoryError:
        return Failure(target.name, seed, "needed too much memory")
    except Exception:  # whatever escapes is what is looked for
        return Failure(target.name, seed, traceback.format_exc())
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
    return None
