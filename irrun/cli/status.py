"""How a process of irrun ends."""

from __future__ import annotations

from enum import IntEnum, unique


@unique
class ExitStatus(IntEnum):
    """The exit codes of every command."""

    OK = 0
    """`run`: every requested output was computed, saved and as expected. `check`: nothing at or above --fail-on."""

    FAILED = 1
    """`run`: an output could not be computed or saved, or is not as expected. `check`: there are findings."""

    UNUSABLE = 2
    """The command line makes no sense, a file it names cannot be read, or irrun itself has failed."""

    INTERRUPTED = 130
    """Ctrl-C."""

    PIPE_CLOSED = 141
    """Whoever read the output has gone, as with `irrun show model.xml | head -1`."""

    TERMINATED = 143
    """The system, or another process, asked it to stop (SIGTERM)."""
