"""`irrun run`: feeding, choosing, saving, comparing, reporting."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.cli.models import passing, write_mean

DATA = "data=[[1,2,3],[4,5,9]]"


@pytest.fixture
def mean(tmp_path):
    return write_mean(tmp_path)


@pytest.fixture
def model(tmp_path):
    """Write a model whose outputs are its inputs."""

    def write(*inputs: tuple[str, str, str], names=()):
        path = tmp_path / "passing.xml"
        path.write_text(passing(*inputs, names=names))
        return path

    return write


def report(ended):
    return json.loads(ended.out)


def codes(ended):
    return [finding["code"] for finding in report(ended)["findings"]]


def values(ended, place=0):
    return report(ended)["outputs"][place]["values"]


# feeding


@pytest.mark.parametrize("name", ["data", "data_t", "0"])
def test_names_of_inputs(irrun, mean, name):
    assert values(irrun(mean, "--json", "--input", f"{name}=[[1,2,3],[4,5,9]]")) == [2.0, 6.0]


def test_a_name_may_hold_the_sign(irrun, model):
    path = model(("a", "i64", ""), ("a=b", "i64", ""), ("a=b=[1]", "i64", ""))
    ended = irrun(path, "--json", "--input", "a=1", "--input", "a=b=2", "--input", "a=b=[1]=3")
    assert [output["values"] for output in report(ended)["outputs"]] == [[1], [2], [3]]


def test_other_ways_to_say_it(irrun, mean, tmp_path):
    np.save(tmp_path / "x.npy", np.array([[1, 2, 3], [4, 5, 9]], np.float32))
    for text in (f"data:{tmp_path / 'x.npy'}", f"{tmp_path / 'x.npy'}", "[[1,2,3],[4,5,9]]"):
        assert values(irrun(mean, "--json", "--input", text)) == [2.0, 6.0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[NaN,Infinity,-Infinity]", ["NaN", "Infinity", "-Infinity"]),
        ("[1,2.5,-3e2]", [1.0, 2.5, -300.0]),
        ("[0.1,1e-45,3.4e38]", [float(np.float32(0.1)), float(np.float32(1e-45)), float(np.float32(3.4e38))]),
    ],
)
def test_json(irrun, model, text, expected):
    ended = irrun(model(("x", "f32", "3")), "--json", "--input", f"x={text}")
    assert ended.err == ""
    assert values(ended) == expected


def test_integers_of_64_bits(irrun, model):
    path = model(("x", "i64", "2"))
    ended = irrun(path, "--json", "--input", f"x=[{2**63 - 1},{-(2**63)}]")
    assert values(ended) == [2**63 - 1, -(2**63)]
    assert codes(irrun(path, "--json", "--input", f"x=[{2**63},0]")) == ["IR605"]


def test_strings(irrun, model):
    path = model(("x", "string", "2"))
    assert values(irrun(path, "--json", "--input", 'x=["a","ü"]')) == ["a", "ü"]
    assert "['a', 'b\\n']" in irrun(path, "--input", 'x=["a","b\\n"]').out


def test_arrays_from_files(irrun, mean, tmp_path):
    data = np.array([[1, 2, 3], [4, 5, 9]], np.float32)
    np.save(tmp_path / "x.npy", data)
    np.savez(tmp_path / "one.npz", anything=data)
    np.savez(tmp_path / "all.npz", data_t=data, other=np.zeros(1))
    for place in ("x.npy", "one.npz", "all.npz", "all.npz:data_t"):
        assert values(irrun(mean, "--json", "--input", f"data={tmp_path / place}")) == [2.0, 6.0], place


@pytest.mark.parametrize(
    ("value", "code", "status", "said"),
    [
        ("nothing.npy", "IR611", 2, "no such file"),
        ("[1,2", "IR611", 2, "JSON"),
        ("all.npz:nothing", "IR611", 2, "it holds a, b"),
        ("all.npz", "IR611", 2, "which entry"),
        ("1e999", "IR605", 1, "1e999"),
        ("null", "IR605", 1, "numbers are expected"),
        ("{}", "IR605", 1, "numbers are expected"),
        ('"text"', "IR605", 1, "'text' is no number"),
        ("[[1],[1,2]]", "IR605", 1, "no tensor"),
        ("[1,2]", "IR604", 1, "[2,3]"),
        ("[" * 2000, "IR611", 2, "no such file"),
    ],
)
def test_values_that_are_none(irrun, mean, tmp_path, monkeypatch, value, code, status, said):
    monkeypatch.chdir(tmp_path)
    np.savez("all.npz", a=np.zeros(1), b=np.zeros(1))
    ended = irrun(mean, "--json", "--input", f"data={value}")
    assert ended.status == status
    assert codes(ended) == [code]
    assert said.lower() in json.dumps(report(ended)["findings"]).lower() or "too long" in ended.out


def test_what_is_missing_or_unknown(irrun, mean):
    ended = irrun(mean)
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.startswith("error[IR602]: input data_t: f32[2,3] is not given\n  --> ")
    ended = irrun(mean, "--input", "dta=[1]", "--random", 0)
    assert ended.status == 1
    assert "did you mean data?" in ended.err
    assert irrun(mean, "--input", DATA, "--input", DATA).status == 2
    assert codes(irrun(mean, "--json", "--input", DATA, "--input", "0=[1]")) == ["IR603"]


def test_archives(irrun, model, tmp_path):
    path = model(("a", "f32", "2"), ("b", "i64", ""))
    np.savez(tmp_path / "all.npz", a=np.array([1, 2], np.float32), b=np.array(3))
    archive = tmp_path / "all.npz"
    for option in ("--inputs", "--load-inputs"):
        ended = irrun(path, "--json", option, archive, "--input", "b=4")  # --input counts more
        assert [output["values"] for output in report(ended)["outputs"]] == [[1.0, 2.0], [4]]
        assert [each["source"] for each in report(ended)["inputs"]] == [f"{archive}:a", "4"]
    np.savez(archive, a=np.zeros(2, np.float32), b=np.array(3), c=np.zeros(1))
    assert codes(irrun(path, "--json", "--inputs", archive)) == ["IR603"]
    archive.write_bytes(b"broken")
    ended = irrun(path, "--json", "--inputs", archive, "--random", 0)
    assert (ended.status, codes(ended)) == (2, ["IR611"])


def test_a_conversion_is_said_on_stderr(irrun, mean, tmp_path):
    np.save(tmp_path / "x.npy", np.ones((2, 3)))
    ended = irrun(mean, "--input", f"data={tmp_path / 'x.npy'}")
    assert ended.status == 0
    assert ended.out == "y: f32[2]\n  min 1, max 1, mean 1\n  [1. 1.]\n"
    assert ended.err == "warning[IR606]: input data_t: converted from f64 to f32\n\n1 warning\n"


# random inputs, shapes


def test_random_inputs(irrun, model, tmp_path):
    path = model(("f", "f32", "1000"), ("i", "i64", "1000"), ("g", "bf16", "2,2"))
    kept = tmp_path / "kept.npz"
    ended = irrun(path, "--json", "--random", 7, "--save-inputs", kept)
    floats, integers, _ = (np.array(output["values"]) for output in report(ended)["outputs"])
    assert abs(floats.mean()) < 0.2
    assert 0.8 < floats.std() < 1.2
    assert set(integers) == {0, 1}
    assert sorted(np.load(kept).files) == ["f", "g", "i"]
    again = report(irrun(path, "--json", "--inputs", kept))["outputs"]
    assert [output["values"] for output in again] == [output["values"] for output in report(ended)["outputs"]]
    other = report(irrun(path, "--json", "--random", 8))["outputs"]
    assert other[0]["values"] != again[0]["values"]
    some = report(irrun(path, "--json", "--random", 7, "--input", f"f={kept}"))["outputs"]
    assert some[1]["values"] == again[1]["values"]  # whatever else is given


def test_inputs_are_kept_under_names_that_are_found_again(irrun, model, tmp_path):
    path = model(("../../x", "i64", "2"), ("/etc/y", "i64", "2"), ("7", "i64", "2"))
    kept = tmp_path / "kept.npz"
    first = irrun(path, "--json", "--random", 1, "--save-inputs", kept)
    assert first.status == 0
    assert all(not key.startswith(("/", ".")) for key in np.load(kept).files)
    again = irrun(path, "--json", "--inputs", kept)
    assert again.status == 0, again.out
    assert [o["values"] for o in report(again)["outputs"]] == [o["values"] for o in report(first)["outputs"]]


def test_random_inputs_need_static_dims(irrun, model):
    path = model(("x", "f32", "?,3"))
    ended = irrun(path, "--json", "--random", 0)
    assert (ended.status, codes(ended)) == (1, ["IR602"])
    assert report(ended)["findings"][0]["hint"] == "--shape x=DIMS"
    for shape in ("x=2,3", "x[2,3]", "x:[2,3]", "0=2,?", "x=2..2,-1", "x=[2,3]"):
        assert report(irrun(path, "--json", "--random", 0, "--shape", shape))["outputs"][0]["shape"] == [2, 3], shape


def test_random_inputs_beyond_memory_are_refused_before_they_are_made(irrun, model):
    ended = irrun(model(("x", "f32", "1000000,1000000,1000")), "--json", "--random", 0)
    assert (ended.status, codes(ended)) == (1, ["IR608"])


def test_a_model_that_cannot_be_run_costs_no_random_inputs(irrun, mean):
    mean.write_text(
        mean.read_text().replace('type="ReduceMean"', 'type="ReduceMeann"').replace("2,3", "1000000,1000000")
    )
    found = codes(irrun(mean, "--json", "--random", 0))
    assert found[0] == "IR201"
    assert "IR608" not in found  # that they are too large


def test_shapes_that_contradict(irrun, model):
    path = model(("x", "f32", "1..8,3"))
    for shape in ("x=9,3", "x=2,4", "x=2"):
        ended = irrun(path, "--json", "--random", 0, "--shape", shape)
        assert (ended.status, codes(ended)) == (1, ["IR604"]), shape
    ended = irrun(path, "--json", "--shape", "x=2,3", "--input", "x=[[1,2,3]]")
    assert codes(ended) == ["IR604"]
    assert codes(irrun(path, "--json", "--shape", "z=2,3", "--random", 0)) == ["IR603"]
    for shape in ("x", "x=a", "x=2;3", "=2", "x=5..2,3"):
        assert irrun(path, "--shape", shape, "--random", 0).status == 2
    assert irrun(path, "--shape", "x=2,3", "--shape", "x=2,3", "--random", 0).status == 2


# outputs


def test_outputs_of_any_layer(irrun, mean):
    ended = irrun(mean, "--json", "--input", DATA, "--output", "axes", "--output", "data", "--output", "0")
    assert [(o["name"], o["shape"]) for o in report(ended)["outputs"]] == [("axes", [1]), ("data", [2, 3]), ("0", [2])]
    assert irrun(mean, "--output", "axes").out == "axes: i64[1]\n  min 1, max 1, mean 1\n  [1]\n"  # needs no input
    ended = irrun(mean, "--json", "--input", DATA, "--output", "maen")
    assert (ended.status, codes(ended)) == (1, ["IR607"])


@pytest.mark.parametrize(
    ("type", "shape", "text", "printed"),
    [
        ("f32", "", "2.5", "f32[]\n  min 2.5, max 2.5, mean 2.5\n  2.5"),
        ("f32", "0,3", None, "f32[0,3]\n  no values"),
        ("f32", "3", "[NaN,1,Infinity]", "f32[3]\n  min 1, max 1, mean 1, 1 NaN, 1 infinite\n  [nan  1. inf]"),
        ("f32", "1", "[NaN]", "f32[1]\n  1 NaN\n  [nan]"),
        ("i64", "2,2", "[[1,2],[3,-400]]", "i64[2,2]\n  min -400, max 3, mean -98.5\n  [[   1    2]\n   [   3 -400]]"),
        ("bf16", "2", "[1,1.5]", "bf16[2]\n  min 1, max 1.5, mean 1.25\n  [1.  1.5]"),
        ("i64", "100", str([7] * 100), "i64[100]\n  min 7, max 7, mean 7\n  [7 7 7 7 7 7 7 7 ...] (100 values)"),
        ("string", "1", '["\\u001b[31m"]', "string[1]\n  ['\\x1b[31m']"),
    ],
)
def test_what_is_printed(irrun, model, type, shape, text, printed):
    given = ["--random", "0"] if text is None else ["--input", f"x={text}"]
    ended = irrun(model(("x", type, shape)), *given)
    assert ended.out == f"out_0: {printed}\n"


def test_verbose(irrun, mean):
    ended = irrun(mean, "-v", "--input", DATA)
    assert ended.out.startswith("y: f32[2]")
    lines = ended.err.splitlines()
    assert [line.split()[:3] for line in lines] == [
        ["0", "data", "Parameter-1"],
        ["1", "axes", "Constant-1"],
        ["2", "mean", "ReduceMean-1"],
    ]
    assert "  f32[2,3], i64[1] -> f32[2]  min 2, max 6, mean 4  " in lines[2]
    assert lines[2].endswith(" ms")


def test_json_is_all_there_is_on_stdout(irrun, mean, tmp_path):
    for arguments in ([mean, "--input", DATA, "-v"], [mean], [tmp_path / "none.xml"], [mean, "--input", "data=[NaN]"]):
        ended = irrun("--json", *arguments)
        parsed = json.loads(ended.out, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
        assert parsed["exit_status"] == ended.status
        assert set(parsed) == {"irrun", "model", "exit_status", "inputs", "outputs", "findings"}


def test_findings_in_json(irrun, mean):
    finding = report(irrun("--json", mean))["findings"][0]
    assert finding["place"] == {"file": str(mean), "line": 2, "column": 1, "end_line": 2, "end_column": 61}
    assert finding["severity"] == "error"
    assert finding["layer"] is None or finding["layer"]["id"] == 0


# what cannot be run


def test_files_that_cannot_be_read(irrun, tmp_path):
    devices = [path for path in (Path("/dev/zero"),) if path.exists()]
    for path in (tmp_path / "none.xml", tmp_path, *devices):
        ended = irrun(path, "--json")
        assert (ended.status, codes(ended)) == (2, ["IR001"])
    (tmp_path / "broken.xml").write_text("<net")
    ended = irrun(tmp_path / "broken.xml", "--json")
    assert (ended.status, codes(ended)) == (1, ["IR002"])
    assert irrun(tmp_path / "broken.xml", "--weights", tmp_path / "none.bin").status == 2


def test_weights(irrun, mean, tmp_path):
    mean.with_suffix(".bin").rename(tmp_path / "elsewhere")
    assert codes(irrun(mean, "--json", "--input", DATA)) == ["IR501"]
    assert values(irrun(mean, "--json", "--input", DATA, "--weights", tmp_path / "elsewhere")) == [2.0, 6.0]


def test_strict(irrun, mean):
    mean.write_text(mean.read_text().replace('names="y"><dim>2<', 'names="y"><dim>5<'))
    lenient = irrun(mean, "--json", "--input", DATA)
    assert (lenient.status, codes(lenient)) == (0, ["IR401"])
    strict = irrun(mean, "--json", "--input", DATA, "--strict")
    assert (strict.status, codes(strict), report(strict)["outputs"]) == (1, ["IR401"], [])


@pytest.mark.parametrize(("size", "status"), [("4", 1), ("4b", 1), ("1KiB", 0), ("1k", 0), ("0.5 MB", 0), ("2GiB", 0)])
def test_max_memory(irrun, mean, size, status):
    assert irrun(mean, "--input", DATA, "--max-memory", size).status == status


# saving


def test_saving_everywhere(irrun, mean, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ended = irrun(
        mean, "--input", DATA, "--save", "out", "--save", "all.npz", "--save", "y=y.npy", "--save", "axes=a.npy"
    )
    assert ended.status == 0, ended
    assert "  saved to out/y.npy\n  saved to all.npz\n  saved to y.npy\n" in ended.out
    assert sorted(os.listdir("out")) == ["axes.npy", "index.json", "y.npy"]
    for loaded in (np.load("out/y.npy"), np.load("all.npz")["y"], np.load("y.npy")):
        assert loaded.dtype == np.float32
        np.testing.assert_array_equal(loaded, [2, 6])
    np.testing.assert_array_equal(np.load("a.npy"), [1])
    assert json.loads((tmp_path / "out/index.json").read_text())["tensors"][0]["names"] == ["y", "mean", "res"]


def test_one_output_needs_no_name(irrun, mean, tmp_path):
    assert irrun(mean, "--input", DATA, "--save", tmp_path / "y.npy").status == 0
    assert irrun(mean, "--input", DATA, "-o", "y", "-o", "axes", "--save", tmp_path / "z.npy").status == 2


@pytest.mark.parametrize("save", ["none=x.npy", "y=x.txt", "y=x.npz", "y=x"])
def test_targets_that_make_no_sense(irrun, mean, save):
    assert irrun(mean, "--input", DATA, "--save", save).status == 2


def test_names_never_lead_outside(irrun, model, tmp_path):
    names = ["../../x", "/etc/x", "a", "A", "n" * 300]
    path = model(*[(f"in{place}", "i64", "1") for place in range(5)], names=names)
    (tmp_path / "d").mkdir()
    before = {*os.listdir(tmp_path)}
    for target in ("d/out", "d/all.npz"):
        assert irrun(path, "--random", 0, "--save", tmp_path / target).status == 0
    assert {*os.listdir(tmp_path)} == before
    rows = json.loads((tmp_path / "d/out/index.json").read_text())["tensors"]
    assert [row["name"] for row in rows] == names
    assert sorted(os.listdir(tmp_path / "d/out")) == sorted([*(row["file"] for row in rows), "index.json"])
    assert len(np.load(tmp_path / "d/all.npz").files) == 5


def test_inputs_are_never_written_over(irrun, mean, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("x.npy", np.ones((2, 3), np.float32))
    np.savez("x.npz", data=np.ones((2, 3), np.float32))
    os.mkdir("out")
    os.link("x.npy", "out/y.npy")
    os.symlink("x.npy", "link.npy")
    os.symlink("mean.bin", "bin.npy")
    kept = {name: (tmp_path / name).read_bytes() for name in ("x.npy", "x.npz", "mean.xml", "mean.bin")}
    for target in ("x.npy", "y=x.npy", "out", "link.npy", "./out/../x.npy", "bin.npy", "y=mean.npy/../x.npy"):
        ended = irrun(mean, "--input", "data=x.npy", "--save", target)
        assert ended.status == (1 if "mean.npy" in target else 2), target
    assert irrun(mean, "--inputs", "x.npz", "--save", "x.npz").status == 2
    assert irrun(mean, "--input", "data=x.npz:data", "--save-inputs", "x.npz").status == 2
    assert irrun(mean, "--input", "data=x.npz:data", "--expect", "y=x.npy", "--save", "x.npy").status == 2
    assert irrun(mean, "--input", DATA, "--save", "a.npy", "--save", "y=a.npy").status == 2
    assert kept == {name: (tmp_path / name).read_bytes() for name in kept}


def test_what_cannot_be_saved_is_said(irrun, mean, tmp_path):
    ended = irrun(mean, "--json", "--input", DATA, "--save", tmp_path / "none" / "y.npy")
    assert (ended.status, codes(ended)) == (1, ["IR612"])
    assert values(ended) == [2.0, 6.0]
    assert report(ended)["outputs"][0]["files"] == []


@pytest.mark.skipif(sys.platform == "win32", reason="no limits here")
def test_a_full_disk(process, mean, tmp_path):
    import resource
    import subprocess

    from tests.cli.conftest import environment

    target = tmp_path / "y.npy"
    target.write_bytes(b"old")
    script = (
        "import resource, signal, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)); "
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); from irrun.cli.main import main; sys.exit(main())"
    )
    assert resource.RLIMIT_FSIZE is not None
    command = [sys.executable, "-c", script, str(mean), "--input", DATA, "--save", str(target)]
    ended = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=60, check=False)
    assert ended.returncode == 1
    assert "error[IR612]" in ended.stderr
    assert "File too large" in ended.stderr
    assert target.read_bytes() == b"old"
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".tmp")]


# comparing


def test_what_is_as_expected(irrun, mean, tmp_path):
    np.save(tmp_path / "ref.npy", np.array([2, 6.00001]))
    ended = irrun(mean, "--input", DATA, "--expect", f"y={tmp_path / 'ref.npy'}", "--expect", "axes=[1]")
    assert ended.status == 0
    assert f"  as expected by {tmp_path / 'ref.npy'}, within rtol 1e-05, atol 1e-05 (largest difference " in ended.out
    assert "  as expected by [1], exactly\n" in ended.out


def test_what_is_not(irrun, mean):
    ended = irrun(mean, "--input", DATA, "--expect", "y=[2,5.5]")
    assert ended.status == 1
    assert "not as expected by [2,5.5]: it is 6.0 at [1], 5.5 was expected; 1 of 2 values differ" in ended.out
    assert "error[IR613]: output y differs from [2,5.5]" in ended.err
    assert "--atol 0.5 or --rtol 0.091 would bear it" in ended.err
    for tolerance in (["--atol", "0.5"], ["--rtol", "0.091"]):
        assert irrun(mean, "--input", DATA, "--expect", "y=[2,5.5]", *tolerance).status == 0


def test_a_comparison_in_json(irrun, mean):
    ended = irrun(mean, "--json", "--input", DATA, "--expect", "mean=[2,NaN]", "--rtol", "0", "--atol", "0.25")
    assert (ended.status, codes(ended)) == (1, ["IR613"])
    expected = report(ended)["outputs"][0]["expected"][0]
    assert expected["first"] == [1]
    assert (expected["actual"], expected["expected"], expected["count"], expected["size"]) == ("6.0", "nan", 1, 2)
    assert (expected["rtol"], expected["atol"], expected["needs_atol"], expected["equal"]) == (0.0, 0.25, None, False)


def test_integers_are_compared_exactly(irrun, model):
    path = model(("x", "i64", "1"))
    assert irrun(path, "--input", f"x=[{2**62 + 1}]", "--expect", f"out_0=[{2**62}]").status == 1
    assert irrun(path, "--input", f"x=[{2**62 + 1}]", "--expect", f"out_0=[{2**62 + 1}]").status == 0


def test_references_of_narrow_floats_as_numpy_keeps_them(irrun, model, tmp_path):
    import ml_dtypes

    np.save(tmp_path / "ref.npy", np.array([1, 1.5], ml_dtypes.bfloat16))  # two bytes of nothing in particular
    path = model(("x", "bf16", "2"))
    assert irrun(path, "--input", "x=[1,1.5]", "--expect", f"out_0={tmp_path / 'ref.npy'}").status == 0
    assert irrun(path, "--input", f"x={tmp_path / 'ref.npy'}", "--expect", "out_0=[1,1.5]").status == 0


def test_references_that_cannot_be_read(irrun, mean):
    ended = irrun(mean, "--json", "--input", DATA, "--expect", "y=none.npy")
    assert (ended.status, codes(ended)) == (2, ["IR611"])
    assert codes(irrun(mean, "--json", "--input", DATA, "--expect", "none=[1]")) == ["IR607"]
    assert irrun(mean, "--input", DATA, "-o", "y", "-o", "axes", "--expect", "none").status == 2
