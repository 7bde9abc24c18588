"""How tensors lie in the .bin: by hand for the odd ones, by OpenVINO for every type."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from irrun import run_ir
from irrun.types.element import BY_NAME, ELEMENT_TYPES, parse_element_type, parse_precision
from irrun.types.packing import PackingError, stored_size, unpack
from tests.irtext import packed_strings


def octets(*values: int) -> np.ndarray:
    return np.array(values, np.uint8)


@pytest.mark.parametrize(
    ("name", "data", "values"),
    [
        ("u1", octets(0x83), [1, 0, 0, 0, 0, 0, 1, 1]),
        ("u2", octets(0b00011011), [3, 2, 1, 0]),
        ("u4", octets(0x21, 0x43), [1, 2, 3, 4]),
        ("i4", octets(0xF1, 0x87), [1, -1, 7, -8]),
        ("u3", octets(0x1B, 0x1B, 0xF0), [4, 5, 6, 7, 0, 1, 2, 3]),
        ("u6", octets(0x12, 0x34, 0xE4), [49, 34, 19, 4]),
        ("nf4", octets(0x70, 0x0F), [-1, 0, 1, -1]),
        ("f4e2m1", octets(0x10, 0xF7), [0, 0.5, 6, -6]),
        ("boolean", octets(0, 1, 2), [False, True, True]),
        ("f16", octets(0, 0x3C), [1]),
        ("i16", octets(0xFE, 0xFF), [-2]),
    ],
)
def test_unpack(name: str, data: np.ndarray, values: list):
    array = unpack(BY_NAME[name], data, len(values))
    assert array.dtype == BY_NAME[name].dtype
    assert array.astype(np.float64).tolist() == values


def test_strings():
    data = np.frombuffer(packed_strings(np.array(["ab", "", "é"])), np.uint8)
    assert unpack(BY_NAME["string"], data, 3).tolist() == ["ab", "", "é"]
    assert stored_size(BY_NAME["string"], 3) == 20


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (octets(), "nothing"),
        (octets(9, 0, 0, 0), "it holds 9"),
        (octets(3, 0, 0, 0), "need 20 bytes"),
        (octets(3, 0, 0, 0, *[0] * 12, 9, 0, 0, 0), "do not rise"),
        (octets(3, 0, 0, 0, *[0] * 12, 1, 0, 0, 0, 0xFF), "not UTF-8"),
    ],
)
def test_strings_that_are_none(data: np.ndarray, said: str):
    with pytest.raises(PackingError, match=said):
        unpack(BY_NAME["string"], data, 3)


@pytest.mark.parametrize(
    ("name", "count", "size"), [("u1", 9, 2), ("u3", 3, 3), ("u6", 5, 6), ("u4", 3, 2), ("f64", 2, 16)]
)
def test_stored_size(name: str, count: int, size: int):
    assert stored_size(BY_NAME[name], count) == size


def test_both_spellings_of_every_type():
    for row in ELEMENT_TYPES:
        assert parse_element_type(row.name) is row
        assert parse_element_type(row.name.upper()) is row
        assert parse_precision(row.precision) is row
        assert parse_precision(row.name) is row
    for text in ("fp32", "F32", "F16", "BOOLEAN", "bool", "DYNAMIC", "float", "", " FP32", "Q78"):
        assert parse_precision(text) is None
    for text in ("FP32", "BOOL", "bool", "BIN", "UNSPECIFIED", "float", "", "f32 "):
        assert parse_element_type(text) is None


CONVERTIBLE = [
    row for row in ELEMENT_TYPES if row.name not in ("string", "dynamic", "boolean", "f64", "i64", "u64", "u32")
]


def const_to_f32(name: str, count: int, offset: int, size: int) -> str:
    precision = BY_NAME[name].precision
    return f"""<net name="c" version="11"><layers>
    <layer id="0" name="c" type="Const" version="opset1"><data element_type="{name}" shape="{count}" offset="{offset}" size="{size}"/>
    <output><port id="0" precision="{precision}"><dim>{count}</dim></port></output></layer>
    <layer id="1" name="v" type="Convert" version="opset1"><data destination_type="f32"/>
    <input><port id="0"/></input><output><port id="1" precision="FP32" names="v"><dim>{count}</dim></port></output></layer>
    <layer id="2" name="r" type="Result" version="opset1"><input><port id="0"/></input></layer></layers>
    <edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
    <edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>"""


@pytest.mark.oracle
@pytest.mark.parametrize("offset", [0, 3, 9])
@pytest.mark.parametrize("row", CONVERTIBLE, ids=str)
def test_every_packing_in_openvino(row, offset: int, openvino, tmp_path):
    """The wide integers are left out: the CPU plugin narrows them."""
    rng = np.random.default_rng(offset)
    count = 48
    size = stored_size(row, count)
    data = rng.integers(0, 256, offset + size, np.uint8)
    if row.name == "i32":
        data[offset + 3 :: 4] &= 0x80  # the CPU plugin rounds large integers on its own
    path = tmp_path / "c.xml"
    path.write_text(const_to_f32(row.name, count, offset, size))
    path.with_suffix(".bin").write_bytes(data.tobytes())
    compiled = openvino.compile_model(path, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    np.testing.assert_array_equal(*(flushed(array) for array in (run_ir(path)["v"], compiled({})[0])))


def flushed(array: np.ndarray) -> np.ndarray:
    """Without subnormals: the CPU plugin folds them to zero."""
    return np.where(np.abs(array) < np.finfo(np.float32).tiny, np.float32(0), array)


def test_f8_as_ml_dtypes_has_it():
    codes = np.arange(256, dtype=np.uint8)
    for name, dtype in (("f8e4m3", ml_dtypes.float8_e4m3fn), ("f8e5m2", ml_dtypes.float8_e5m2)):
        np.testing.assert_array_equal(unpack(BY_NAME[name], codes, 256).view(np.uint8), codes)
        assert unpack(BY_NAME[name], codes, 256).dtype == dtype
