"""The command itself: default command, exit codes, streams, and what happens when something is wrong."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from irrun import __version__
from irrun.cli.status import ExitStatus
from tests.cli.conftest import Ended, environment
from tests.cli.models import passing, write_mean


def test_help_names_every_command(irrun):
    ended = irrun("--help")
    assert ended.status == 0
    for word in (
        "run",
        "show",
        "check",
        "explain",
        "ops",
        "  130  interrupted\n",
        "\n    fish  _IRRUN_COMPLETE=fish_source",
    ):
        assert word in ended.out
    assert irrun("-h").out == ended.out


def test_version(irrun):
    assert irrun("--version").out == f"irrun {__version__}\n"


@pytest.mark.parametrize("command", ["run", "show", "check", "explain", "ops"])
def test_each_command_has_help_with_an_example(irrun, command):
    for option in ("-h", "--help"):
        ended = irrun(command, option)
        assert ended.status == 0
        example = f"  irrun {'model.xml' if command == 'run' else command} "
        assert [line for line in ended.out.splitlines() if line.startswith(example)], "the examples stand in lines"
        assert "\\b" not in ended.out


def test_nothing_at_all_is_usage(irrun):
    ended = irrun()
    assert ended.status == ExitStatus.UNUSABLE
    assert "Usage" in ended.out + ended.err


def test_run_is_the_default(irrun, tmp_path):
    model = write_mean(tmp_path)
    said = irrun(model, "--input", "data=[[1,2,3],[4,5,9]]")
    assert said.status == 0
    assert said.out == "y: f32[2]\n  min 2, max 6, mean 4\n  [2. 6.]\n"
    assert irrun("run", model, "--input", "data=[[1,2,3],[4,5,9]]") == said
    assert irrun("--input", "data=[[1,2,3],[4,5,9]]", model) == said
    assert irrun("-m", model, "-i", "data=[[1,2,3],[4,5,9]]") == said


def test_a_misspelt_command(irrun, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ended = irrun("chekc", "a.xml")
    assert ended.status == 2
    assert "did you mean check?" in ended.err
    assert ended.out == ""


def test_a_file_named_like_a_command(irrun, tmp_path, monkeypatch):
    write_mean(tmp_path, "check")
    monkeypatch.chdir(tmp_path)
    os.rename("check.xml", "check")
    os.symlink("check", "chekc")
    os.symlink("check.bin", "chekc.bin")
    for arguments in (["run", "check"], ["chekc"]):  # a file beats a misspelt command
        assert irrun(*arguments, "--random", 1).status == 0


def test_usage_errors(irrun, tmp_path):
    model = write_mean(tmp_path)
    wrong = [["--no-such"], ["-m", model, model], ["run"], [model, "--max-memory", "much"], [model, "--rtol", "-1"]]
    for arguments in wrong:
        ended = irrun(*arguments)
        assert (ended.status, ended.out) == (2, ""), arguments
        assert "Usage:" in ended.err


def test_usage_errors_are_json_too(irrun):
    ended = irrun("--json", "--no-such")
    assert ended.status == 2
    assert "no-such" in json.loads(ended.out)["error"]


@pytest.mark.parametrize(
    "arguments",
    ["--help", "--version", "run --help", "show -h", "check", "--no-such", "chekc a.xml", "explain IR401"],
)
def test_what_needs_no_arrays_imports_none(arguments):
    script = (
        "import sys; from irrun.cli.main import main; main(sys.argv[1:]); "
        "print([each for each in ('numpy', 'networkx', 'lxml', 'ml_dtypes') if each in sys.modules], file=sys.stderr)"
    )
    command = [sys.executable, "-c", script, *arguments.split()]
    ended = subprocess.run(command, capture_output=True, env=environment(), text=True, timeout=60, check=False)
    assert ended.stderr.splitlines()[-1] == "[]"


def test_a_mistake_of_irrun_is_one_line(irrun, tmp_path, monkeypatch):
    def broken(*arguments: object) -> None:
        raise KeyError("some\nthing")

    monkeypatch.setattr("irrun.cli.job.perform", broken)
    monkeypatch.delenv("IRRUN_DEBUG", raising=False)
    ended = irrun("--json", write_mean(tmp_path))
    assert ended.status == 2
    assert ended.err.startswith("internal error in irrun: KeyError:")
    assert ended.err.count("\n") == 1
    assert "internal error" in json.loads(ended.out)["error"]
    monkeypatch.setenv("IRRUN_DEBUG", "1")
    ended = irrun(write_mean(tmp_path))
    assert ended.status == 2
    assert ended.err.startswith("Traceback")
    assert "internal error" in ended.err.splitlines()[-1]


def test_control_characters_never_reach_the_terminal(irrun, tmp_path):
    model = tmp_path / "a\x1b[31m.xml"
    model.write_text(passing(("x\u202e\x85", "f32", "1"), names=["o\u200f\x9b"]))
    calls = [(model, "--random", 0), ("show", model), (model,), ("check", model), (model, "--input", "\x1b=1")]
    for ended in [irrun(*arguments) for arguments in calls]:
        assert "\x1b" not in ended.out + ended.err
        assert all(char.isprintable() for char in (ended.out + ended.err).replace("\n", "")), ended


def test_output_that_the_stream_cannot_encode(process, tmp_path):
    model = tmp_path / "m.xml"
    model.write_text(passing(("x", "f32", "1"), names=["größe 数"]), encoding="utf-8")
    ended = process(model, "--random", 0, PYTHONIOENCODING="ascii")
    assert ended.status == 0
    assert ended.out.startswith("gr\\xf6\\xdfe \\u6570: f32[1]")


def test_python_m(process):
    assert process("--version").out == f"irrun {__version__}\n"


# signals and pipes


def _slow_model(directory: Path) -> tuple[Path, Path]:
    """A model that waits for a pipe, so that a signal comes in the middle."""
    model, pipe = write_mean(directory), directory / "pipe"
    os.mkfifo(pipe)
    return model, pipe


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals(tmp_path, number, status):
    model, pipe = _slow_model(tmp_path)
    command = [sys.executable, "-m", "irrun", str(model), "--input", f"data={pipe}", "--save", str(tmp_path / "out")]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    with open(pipe, "wb"):  # opened when irrun has opened it to read
        time.sleep(0.2)
        running.send_signal(number)
        out, err = running.communicate(timeout=60)
    assert running.returncode == status
    assert out == b""
    assert err == (b"irrun: interrupted\n" if number == signal.SIGINT else b"")
    assert not (tmp_path / "out").exists()


def test_a_reader_that_has_gone(tmp_path):
    layers = [(f"layer_{number}", "f32", "1,2,3") for number in range(1500)]
    model = tmp_path / "big.xml"
    model.write_text(passing(*layers))
    for arguments in (["show", model], [model, "--random", "0"]):
        command = [sys.executable, "-m", "irrun", *map(str, arguments)]
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
        assert running.stdout is not None
        running.stdout.read(1)
        running.stdout.close()
        assert running.stderr is not None
        err = running.stderr.read()
        running.stderr.close()
        assert running.wait(60) in (0, ExitStatus.PIPE_CLOSED)
        assert err == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device here")
def test_streams_that_take_nothing(tmp_path):
    model = write_mean(tmp_path)

    def call(redirection: str, *arguments: object) -> Ended:
        words = " ".join(shlex.quote(str(word)) for word in (sys.executable, "-m", "irrun", *arguments))
        ended = subprocess.run(
            ["sh", "-c", f"{words} {redirection}"], capture_output=True, text=True, env=environment(), check=False
        )
        return Ended(ended.returncode, ended.stdout, ended.stderr)

    said = "irrun: the output cannot be written: No space left on device\n"
    for arguments in (["--help"], ["show", model], [model, "--random", 0]):
        assert call(">/dev/full", *arguments) == Ended(1, "", said)
        assert call(">&-", *arguments) == Ended(0, "", "")
    assert call("2>&-", model) == Ended(1, "", "")
    assert call("2>/dev/full", model).status == 1


def test_colours(process, tmp_path):
    model = write_mean(tmp_path)
    assert "\x1b" not in process(model).err
    assert "\x1b[1;31m" in process(model, "--color", "always", NO_COLOR="1").err
    assert "\x1b" not in process(model, "--color", "never").err


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no terminals here")
def test_colours_on_a_terminal(tmp_path):
    model = write_mean(tmp_path)
    settings = [({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
    for more, coloured in settings:
        master, slave = os.openpty()
        command = [sys.executable, "-m", "irrun", str(model)]
        ended = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=slave, env=environment(**more), timeout=60, check=False
        )
        os.close(slave)
        said = os.read(master, 65536)
        os.close(master)
        assert ended.returncode == 1
        assert (b"\x1b[" in said) == coloured


# completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(process, shell):
    ended = process(_IRRUN_COMPLETE=f"{shell}_source")
    assert ended.status == 0
    assert "_IRRUN_COMPLETE" in ended.out


def test_completion_of_commands_options_and_files(process):
    def complete(*words: str) -> set[str]:
        line = " ".join(["irrun", *words])
        ended = process(_IRRUN_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=str(len(words)))
        return set(ended.out.split())

    assert {"plain,check", "file,ch"} <= complete("ch")
    assert "plain,--save-inputs" in complete("--save")
    assert "plain,--save-inputs" in complete("model.xml", "--save")
    assert "plain,--fail-on" in complete("check", "--fail")
    for words in (["show", "mo"], ["check", "mo"], ["run", "mo"], ["--json", "mo"], ["model.xml", "--weights", "mo"]):
        assert "file,mo" in complete(*words)


def test_stdin_is_a_model(process):
    ended = process("-", "--random", 0, stdin=passing(("x", "i64", "2")).encode())
    assert ended.status == 0
    assert ended.out.startswith("out_0: i64[2]\n")


def test_values_come_through_exactly(irrun, tmp_path):
    np.save(tmp_path / "x.npy", np.array([[0.1, 0.2, 0.3], [1e-45, -0.0, 3e38]], np.float32))
    model = tmp_path / "m.xml"
    model.write_text(passing(("x", "f32", "2,3")))
    report = json.loads(irrun(model, "--input", f"x={tmp_path / 'x.npy'}", "--json").out)
    assert np.array(report["outputs"][0]["values"], np.float32).tobytes() == np.load(tmp_path / "x.npy").tobytes()
