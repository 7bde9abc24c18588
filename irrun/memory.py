"""What a run may allocate: known from shapes before it starts, and refused where it is too much."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from irrun.bind import Call
from irrun.diag import Report
from irrun.types.fact import Fact

_NEVER_ASKED = 64 << 20
"""Below this many bytes nobody asks the system what is free."""


@dataclass(eq=False)
class Budget:
    """The most bytes that computed tensors may take at one time; None is what is free when it is first asked."""

    max_memory: int | None = None

    @cached_property
    def _limit(self) -> int | None:
        return free_memory() if self.max_memory is None else self.max_memory

    def allows(self, count: int, call: Call, facts: Sequence[Fact], report: Report) -> bool:
        """Whether `count` bytes may be taken when a call computes tensors of these facts; if not, the finding says
        so.
        """
        if self.max_memory is None and count <= _NEVER_ASKED:
            return True
        if self._limit is None or count <= self._limit:
            return True
        shown = ", ".join(map(str, facts))
        needed = f"the run would need {size_text(count)} here, the limit is {size_text(self._limit)}"
        call.say(report, "IR608", f"{shown}: {needed}")
        return False


def bytes_of(fact: Fact) -> int:
    """How many bytes a tensor of this fact takes at least."""
    count = max(fact.type.dtype.itemsize, 1)
    for dim in fact.shape.dims or ():
        count *= dim.low
    return count


def free_memory() -> int | None:
    """How many bytes this process may still allocate, or None where the system does not say."""
    limits = []
    try:
        with open("/proc/meminfo", "rb") as file:
            limits += [int(line.split()[1]) * 1024 for line in file if line.startswith(b"MemAvailable:")]
        with open("/sys/fs/cgroup/memory.max", "rb") as maximum, open("/sys/fs/cgroup/memory.current", "rb") as current:
            text = maximum.read().strip()
            if text != b"max":
                limits.append(int(text) - int(current.read()))
    except (OSError, ValueError):
        pass  # not every system has these files; what was read counts
    if not limits and "SC_AVPHYS_PAGES" in getattr(os, "sysconf_names", ()):
        limits.append(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return min(limits) if limits else None


def size_text(count: int) -> str:
    """A number of bytes for people: `12 bytes`, `1.5 GiB`."""
    if count < 1024:
        return f"{count} bytes"
    value = float(count)
    for unit in ("KiB", "MiB", "GiB", "TiB", "PiB"):
        value /= 1024
        if value < 1024:
            return f"{value:.1f} {unit}"
    return f"{value / 1024:.1f} EiB"
