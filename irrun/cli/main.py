"""The command `irrun`: its sub-commands, the default one, and what happens when anything at all goes wrong."""

from __future__ import annotations

import difflib
import errno
import gc
import io
import json
import os
import signal
import sys
import threading
from collections.abc import Sequence
from importlib import import_module
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

import click

from irrun import __version__
from irrun.cli.status import ExitStatus

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = {
    "run": "irrun.cli.run",
    "show": "irrun.cli.show",
    "check": "irrun.cli.check",
    "explain": "irrun.cli.explain",
    "ops": "irrun.cli.ops",
}
"""Each command and the module that holds it, as `command`."""

DEFAULT = "run"
_OWN_OPTIONS = ("-h", "--help", "--version")
_COMPLETE = "_IRRUN_COMPLETE"
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What writing to a stream ends with where there is no room behind it; saving files has its own findings."""


class CommandLine(click.Group):
    """A group whose commands are imported when they are used, and whose default command is `run`."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """All commands, in the order of their use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # click's
        """The command of this name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(COMMANDS[cmd_name]).command
        assert isinstance(command, click.Command)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command in front of arguments that begin with no command."""
        if args and args[0] not in COMMANDS and args[0] not in _OWN_OPTIONS:
            if not ctx.resilient_parsing:
                _refuse_misspelt(args[0], ctx)
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands, the options of the default command, and files."""
        from click import shell_completion as completion

        found = super().shell_complete(ctx, incomplete)
        default = self.get_command(ctx, DEFAULT)
        assert default is not None
        with click.Context(default, info_name=DEFAULT, parent=ctx, resilient_parsing=True) as context:
            known = {item.value for item in found}
            found += [item for item in default.shell_complete(context, incomplete) if item.value not in known]
        return found if incomplete.startswith("-") else [*found, completion.CompletionItem(incomplete, type="file")]


def _refuse_misspelt(word: str, context: click.Context) -> None:
    """Say so if a word is neither an option nor a file, and looks like no path."""
    if word.startswith("-") or "." in word or "/" in word or os.sep in word or os.path.lexists(word.replace("\0", "")):
        return
    near = difflib.get_close_matches(word.lower(), COMMANDS, 1, 0.5)
    meant = f"; did you mean {near[0]}?" if near else f"; the commands are {', '.join(COMMANDS)}"
    raise click.UsageError(f"there is no command or file {word!r}{meant}", context)


@click.command(cls=CommandLine, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="irrun %(version)s")
def command_line() -> None:
    """Run and check OpenVINO IR, without OpenVINO.

    \b
    irrun model.xml --input data=x.npy            run, and print the outputs
    irrun model.xml --random 0 --save results     run on random inputs, and keep the outputs
    irrun show model.xml                          one line a layer, with types and shapes
    irrun check model.xml                         everything that is wrong with it
    irrun explain IR401                           what a finding means
    irrun ops Gather                              what an operation takes and gives

    Without a command, `irrun MODEL` is `irrun run MODEL`; `irrun run --help` lists its options.

    \b
    Exit codes:
      0    run: every output was computed, and is as expected; check: nothing found
      1    run: not so; check: there are findings
      2    usage, or a file that cannot be read
      130  interrupted

    \b
    Completion, in the start-up file of the shell:
      bash  eval "$(_IRRUN_COMPLETE=bash_source irrun)"
      zsh   eval "$(_IRRUN_COMPLETE=zsh_source irrun)"
      fish  _IRRUN_COMPLETE=fish_source irrun | source
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; nothing escapes as a traceback, unless IRRUN_DEBUG is set."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    _prepare_streams()
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _terminated)
    # Importing and reading make many objects and hardly any garbage; looking for it takes an eighth of a short run.
    gc.disable()
    try:
        status = _told(given)
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        _leave_streams()
        return ExitStatus.PIPE_CLOSED
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        _leave_streams()
        return ExitStatus.FAILED
    finally:
        gc.enable()
    return status


def _told(arguments: list[str]) -> int:
    """Do what the arguments ask for, and say in one line what went wrong."""
    try:
        return _dispatched(arguments)
    except click.ClickException as error:
        error.show()
        _as_json(arguments, error.format_message())
        return ExitStatus.UNUSABLE
    except (KeyboardInterrupt, click.Abort):
        click.echo("irrun: interrupted", err=True)
        return ExitStatus.INTERRUPTED
    except MemoryError:
        click.echo("irrun: there is not enough memory", err=True)
        _as_json(arguments, "there is not enough memory")
        return ExitStatus.FAILED
    except BrokenPipeError:
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            click.echo(f"irrun: the output cannot be written: {error.strerror}", err=True)
            raise
        return _failed(arguments, error)


def _failed(arguments: list[str], error: Exception) -> int:
    """Say that irrun itself is wrong, in one line; the traceback is for whoever asks for it."""
    from irrun.diag.render.text import printable

    if os.environ.get("IRRUN_DEBUG"):
        import traceback

        traceback.print_exception(error)
    said = printable(" ".join(f"{type(error).__name__}: {error}".split())[:500])
    said = f"internal error in irrun: {said}; please report it"
    send = "with the command line, the model, `irrun --version`, and what IRRUN_DEBUG=1 prints"
    click.echo(f"{said} {send}", err=True)
    _as_json(arguments, said)
    return ExitStatus.UNUSABLE


def _dispatched(arguments: list[str]) -> int:
    instruction = os.environ.get(_COMPLETE)
    if instruction:
        from click.shell_completion import shell_complete

        return shell_complete(command_line, {}, "irrun", _COMPLETE, instruction)
    try:
        with command_line.make_context("irrun", arguments) as context:
            command_line.invoke(context)
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    return ExitStatus.OK


def _as_json(arguments: list[str], said: str) -> None:
    """With --json, what cannot be a report is one too: whoever reads it need not read stderr."""
    if "--json" in arguments:
        click.echo(json.dumps({"irrun": __version__, "error": said, "findings": [], "outputs": []}))


def _terminated(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001  # what signal() calls
    """Leave by the way of an exception, so that half-written files are cleaned away."""
    sys.exit(ExitStatus.TERMINATED)


def _prepare_streams() -> None:
    """Make both streams ones that any text can be written to, also where the caller has closed them."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115  # it lives as long as the process
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _leave_streams() -> None:
    """Point both streams at nothing: the interpreter flushes them once more when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            os.dup2(nowhere, stream.fileno())
        except (OSError, ValueError):  # a stream without a file needs no care
            continue
