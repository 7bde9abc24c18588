"""Cases of Tile, Broadcast and Pad."""

from __future__ import annotations

import numpy as np

from tests.ops.case import OpCase
from tests.ops.cases.movement import CUBE, EMPTY, F32, TRUTH, WORDS, i64, refused, scalar

ROW = np.array([[1, 2, 3]], np.int32)


def tiled(data, repeats, wanted, *, note: str, **more) -> OpCase:
    return OpCase("Tile-1", [data, repeats], [np.asarray(wanted, data.dtype)], {}, note, **more)


TILE = [
    tiled(ROW, i64(2, 2), [[1, 2, 3, 1, 2, 3]] * 2, note="both axes"),
    tiled(ROW, i64(2), [[1, 2, 3, 1, 2, 3]], note="fewer repeats than axes"),
    tiled(ROW, np.array([2, 1, 1], np.uint8), [[[1, 2, 3]]] * 2, note="more repeats than axes"),
    tiled(ROW, i64(0, 2), np.zeros((0, 6)), note="zero times"),
    tiled(ROW, i64(-1, 1), np.zeros((0, 3)), note="negative", notice="a negative one counts as 0"),
    tiled(np.float32(2), i64(3), [2, 2, 2], note="scalar"),
    tiled(WORDS[:, :1], i64(1, 2), [["a", "a"], ["é", "é"]], note="strings"),
    tiled(TRUTH, i64(1, 1), TRUTH, note="once"),
    refused("Tile-1", "repeats is .., of rank 0", ROW, scalar(2), note="scalar repeats"),
]


def broadcast(op: str, data, target, wanted, mapping=None, *, mode: str = "numpy", note: str, **more) -> OpCase:
    inputs = [data, i64(*target), *([] if mapping is None else [mapping])]
    return OpCase(op, inputs, [np.asarray(wanted, data.dtype)], {"mode": mode}, note, **more)


COLUMN = np.array([[1], [2]], np.float32)
BROADCAST = [
    broadcast("Broadcast-1", COLUMN, [2, 2, 3], [[[1, 1, 1], [2, 2, 2]]] * 2, note="numpy"),
    broadcast("Broadcast-1", ROW, [2, 3], [[1, 2, 3]] * 2, np.uint8(0), note="a mapping of no use"),
    broadcast("Broadcast-1", i64(1, 2), [2, 3], [[1, 1, 1], [2, 2, 2]], i64(0), mode="explicit", note="explicit"),
    broadcast("Broadcast-3", TRUTH[0], [0, 3], np.zeros((0, 3)), note="to nothing"),
    broadcast("Broadcast-3", ROW, [4, 1], [[1, 2, 3]] * 4, mode="bidirectional", note="both ways"),
    broadcast("Broadcast-3", COLUMN, [3], [[1, 1, 1], [2, 2, 2]], mode="bidirectional", note="to a lower rank"),
    broadcast("Broadcast-3", COLUMN, [2, 4, 1], [[[1]] * 4, [[2]] * 4], i64(0, 2), mode="explicit", note="explicit"),
    broadcast("Broadcast-3", np.float32(7), [1, 2], [[7, 7]], np.zeros(0, np.int64), mode="explicit", note="scalar"),
    broadcast("Broadcast-3", WORDS[:1], [2, 3], [WORDS[0], WORDS[0]], note="strings"),
    refused("Broadcast-3", "has 4 at 1, but data is .2,3.", F32, i64(2, 4), note="another dim"),
    refused("Broadcast-3", "target_shape has 1 elements", F32, i64(3), note="rank too low"),
    refused("Broadcast-3", "dims that differ", F32, i64(2, 2), note="both ways differ", mode="bidirectional"),
    refused(
        "Broadcast-3",
        "where mode is explicit, axes_mapping is expected",
        F32,
        i64(2, 3),
        note="no mapping",
        mode="explicit",
    ),
    refused("Broadcast-3", "where mode is numpy, there is no axes_mapping", F32, i64(2, 3), i64(0, 1), note="mapping"),
    refused(
        "Broadcast-1",
        r"axes_mapping is \[1, 0\]; its axes rise",
        F32,
        i64(3, 2),
        i64(1, 0),
        note="falls",
        mode="explicit",
    ),
    refused(
        "Broadcast-1", "axes_mapping has 2; target_shape", ROW[0], i64(2, 3), i64(2), note="beyond", mode="explicit"
    ),
    refused(
        "Broadcast-1", "it has one axis for each dim", F32, i64(2, 3), i64(0), note="short mapping", mode="explicit"
    ),
    refused("Broadcast-3", "dims of 0 or more", ROW, i64(-1, 3), note="negative"),
]


def padded(
    data, begin, end, wanted, value=None, *, op: str = "Pad-12", mode: str = "constant", note: str, **more
) -> OpCase:
    inputs = [data, i64(*begin), i64(*end), *([] if value is None else [np.asarray(value, data.dtype)])]
    return OpCase(op, inputs, [np.asarray(wanted, data.dtype)], {"pad_mode": mode}, note, **more)


THREE = np.array([1, 2, 3], np.int32)
PAD = [
    padded(F32, [1, 0], [0, 2], [[9] * 5, [0, 1, 2, 9, 9], [3, 4, 5, 9, 9]], 9, op="Pad-1", note="value"),
    padded(THREE, [0], [2], [1, 2, 3, 0, 0], op="Pad-1", note="no value is 0"),
    padded(THREE, [2], [1], [1, 1, 1, 2, 3, 3], op="Pad-1", mode="edge", note="edge"),
    padded(THREE, [2], [2], [3, 2, 1, 2, 3, 2, 1], op="Pad-1", mode="reflect", note="reflect"),
    padded(THREE, [3], [2], [3, 2, 1, 1, 2, 3, 3, 2], op="Pad-1", mode="symmetric", note="symmetric"),
    padded(THREE, [-1], [0], [2, 3], op="Pad-1", note="negative", notice="they crop"),
    padded(F32, [0, 1], [1, 1], [[1, 0, 1, 2, 1], [4, 3, 4, 5, 4], [1, 0, 1, 2, 1]], mode="reflect", note="two axes"),
    padded(THREE, [-1], [2], [2, 3, 7, 7], 7, note="crop and value"),
    padded(THREE, [-1], [2], [2, 3, 2, 1], mode="reflect", note="crop and reflect"),
    padded(THREE, [2], [-2], [2, 1, 1], mode="symmetric", note="symmetric and crop"),
    padded(THREE, [-4], [2], [7], 7, note="cropped beyond the end"),
    padded(THREE, [-2], [-2], [], mode="edge", note="nothing is left"),
    padded(np.zeros((0, 2), np.float32), [1, 0], [0, 0], [[5, 5]], 5, note="around nothing"),
    padded(WORDS[0], [0], [1], ["a", "bc", "", ""], note="strings"),
    padded(TRUTH, [0, 0], [0, 1], [[1, 0, 1, 1], [0, 0, 1, 1]], True, note="booleans"),
    refused(
        "Pad-12", "reflect padding takes at most 2", THREE, i64(3), i64(0), note="reflect too far", pad_mode="reflect"
    ),
    refused("Pad-12", "symmetric padding takes at most 3", THREE, i64(0), i64(4), note="too far", pad_mode="symmetric"),
    refused(
        "Pad-12", "edge padding takes at most 0", EMPTY, i64(1, 0), i64(0, 0), note="edge of nothing", pad_mode="edge"
    ),
    refused("Pad-1", "pads_begin has 2 elements", THREE, i64(0, 0), i64(0, 0), note="other rank", pad_mode="edge"),
    refused(
        "Pad-1", "pad_value is .1., of rank 1", THREE, i64(0), i64(0), THREE[:1], note="1-D value", pad_mode="constant"
    ),
    refused(
        "Pad-1",
        "pads_end says rank is 2, but pads_begin says 3",
        CUBE,
        i64(0, 0, 0),
        i64(0, 0),
        note="lengths differ",
        pad_mode="edge",
    ),
]

CASES = [*TILE, *BROADCAST, *PAD]
