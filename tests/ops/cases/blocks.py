"""Cases of the operations that regroup dims and blocks."""

from __future__ import annotations

import numpy as np

from tests.ops.case import OpCase
from tests.ops.cases.movement import CUBE, WORDS, i64, refused


def shuffled(data, axis: int, group: int, order, *, note: str) -> OpCase:
    wanted = np.take(data, order, axis)
    return OpCase("ShuffleChannels-1", [data], [wanted], {"axis": str(axis), "group": str(group)}, note)


SIX = np.arange(12, dtype=np.float32).reshape(2, 6)
SHUFFLE = [
    shuffled(SIX, 1, 3, [0, 2, 4, 1, 3, 5], note="three groups"),
    shuffled(SIX, -1, 2, [0, 3, 1, 4, 2, 5], note="two groups from the end"),
    shuffled(CUBE, 1, 1, [0, 1, 2], note="one group"),
    shuffled(WORDS, 0, 2, [0, 1], note="strings"),
    shuffled(np.zeros((0, 4), np.int8), 1, 2, [0, 2, 1, 3], note="no elements"),
    refused("ShuffleChannels-1", "no multiple of 4, as group has it", SIX, note="no multiple", group="4"),
    refused("ShuffleChannels-1", "group is 0", SIX, note="no group", group="0"),
    refused("ShuffleChannels-1", "axis 2 is outside", SIX, note="axis out of range", axis="2"),
]


def regrouped(op: str, data, wanted, mode: str, *, size: int = 2, note: str) -> OpCase:
    data = np.asarray(data)
    attributes = {"block_size": str(size), "mode": mode}
    return OpCase(op, [data], [np.asarray(wanted, data.dtype)], attributes, f"{mode} {note}")


DEEP = np.arange(8, dtype=np.int32).reshape(1, 8, 1)
PICTURE = np.arange(8, dtype=np.float32).reshape(1, 8, 1, 1)
DEPTH = [
    regrouped("DepthToSpace-1", DEEP, [[[0, 4], [1, 5], [2, 6], [3, 7]]], "blocks_first", note="1-D"),
    regrouped("DepthToSpace-1", DEEP, [[[0, 1], [2, 3], [4, 5], [6, 7]]], "depth_first", note="1-D"),
    regrouped("DepthToSpace-1", PICTURE, [[[[0, 2], [4, 6]], [[1, 3], [5, 7]]]], "blocks_first", note="2-D"),
    regrouped("DepthToSpace-1", PICTURE, [[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]], "depth_first", note="2-D"),
    regrouped("DepthToSpace-1", DEEP, DEEP, "depth_first", size=1, note="blocks of one"),
    regrouped(
        "DepthToSpace-1", WORDS[None, :, :], [[["a", "é", "bc", WORDS[1, 1], "", "z"]]], "depth_first", note="strings"
    ),
    regrouped("SpaceToDepth-1", [[[0, 4], [1, 5]]], [[[0], [1], [4], [5]]], "blocks_first", note="1-D"),
    regrouped("SpaceToDepth-1", [[[0, 4], [1, 5]]], [[[0], [4], [1], [5]]], "depth_first", note="1-D"),
    regrouped(
        "SpaceToDepth-1", [[[[0, 2], [4, 6]], [[1, 3], [5, 7]]]], PICTURE.astype(int), "blocks_first", note="2-D"
    ),
    regrouped("SpaceToDepth-1", [[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]], PICTURE.astype(int), "depth_first", note="2-D"),
    regrouped("SpaceToDepth-1", np.zeros((0, 1, 4), bool), np.zeros((0, 2, 2)), "depth_first", note="no elements"),
    refused(
        "DepthToSpace-1",
        "dim 1 of data is 3, which is no multiple of 2",
        CUBE,
        note="depth",
        mode="depth_first",
        block_size="2",
    ),
    refused(
        "SpaceToDepth-1",
        "dim 2 of data is 4, which is no multiple of 3",
        CUBE,
        note="space",
        mode="depth_first",
        block_size="3",
    ),
    refused("SpaceToDepth-1", "rank 3 or more", SIX, note="rank 2", mode="depth_first"),
    refused("DepthToSpace-1", "block_size is 0", CUBE, note="no block", mode="blocks_first", block_size="0"),
]


def in_batch(op: str, data, block, begin, end, wanted, *, note: str) -> OpCase:
    data = np.asarray(data)
    return OpCase(op, [data, i64(*block), i64(*begin), i64(*end)], [np.asarray(wanted, data.dtype)], {}, note)


BATCH = [
    in_batch("BatchToSpace-2", [[1], [2], [3], [4]], [1, 2], [0, 0], [0, 0], [[1, 3], [2, 4]], note="two parts"),
    in_batch("BatchToSpace-2", [[1], [2], [3]], [1, 3], [0, 1], [0, 1], [[2]], note="cropped"),
    in_batch(
        "BatchToSpace-2",
        np.arange(4.0).reshape(4, 1, 1),
        [1, 2, 2],
        [0, 0, 0],
        [0, 0, 1],
        [[[0], [2]]],
        note="two spatial dims",
    ),
    in_batch("BatchToSpace-2", WORDS[:, :2], [1, 2], [0, 0], [0, 0], [["a", "é", "bc", WORDS[1, 1]]], note="strings"),
    in_batch("SpaceToBatch-2", [[1, 3], [2, 4]], [1, 2], [0, 0], [0, 0], [[1], [2], [3], [4]], note="two parts"),
    in_batch("SpaceToBatch-2", [[5]], [1, 3], [0, 1], [0, 1], [[0], [5], [0]], note="padded"),
    in_batch(
        "SpaceToBatch-2",
        [[[0.0, 1], [2, 3]]],
        [1, 2, 2],
        [0, 0, 0],
        [0, 0, 0],
        np.arange(4.0).reshape(4, 1, 1),
        note="two spatial dims",
    ),
    in_batch("SpaceToBatch-2", np.zeros((0, 4), np.uint8), [1, 2], [0, 0], [0, 0], np.zeros((0, 2)), note="no batch"),
    refused(
        "BatchToSpace-2",
        "dim 0 of data is 3, which is no multiple",
        np.zeros((3, 1)),
        i64(1, 2),
        i64(0, 0),
        i64(0, 0),
        note="batch",
    ),
    refused(
        "BatchToSpace-2", "the crops of axis 1 are 3", np.zeros((2, 1)), i64(1, 2), i64(0, 2), i64(0, 1), note="crops"
    ),
    refused(
        "BatchToSpace-2",
        "block_shape has 2 at 0; 1 is expected",
        np.zeros((2, 1)),
        i64(2, 1),
        i64(0, 0),
        i64(0, 0),
        note="block of batch",
    ),
    refused(
        "SpaceToBatch-2",
        "dim 1 of data is 3, which is no multiple",
        np.zeros((2, 3)),
        i64(1, 2),
        i64(0, 0),
        i64(0, 0),
        note="space",
    ),
    refused(
        "SpaceToBatch-2",
        "pads_begin has -1 at 1; 0 or more",
        np.zeros((2, 3)),
        i64(1, 2),
        i64(0, -1),
        i64(0, 0),
        note="negative",
    ),
    refused("SpaceToBatch-2", "rank 2 or more", np.zeros(2), i64(1), i64(0), i64(0), note="rank 1"),
    refused(
        "SpaceToBatch-2",
        "there is one for each dim",
        np.zeros((2, 2)),
        i64(1, 1, 1),
        i64(0, 0, 0),
        i64(0, 0, 0),
        note="lengths",
    ),
]

CASES = [*SHUFFLE, *DEPTH, *BATCH]
