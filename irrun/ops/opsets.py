"""Which operations there are: 245 pairs of type and version, their category, and the opsets that hold them.

https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/available-opsets.html
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import NamedTuple

NEWEST = 17

USUAL_SPELLINGS = {"ReLU": "Relu", "PReLU": "PRelu", "SoftMax": "Softmax", "Constant": "Const"}
"""The specification's name of a type -> what IR files spell as well, or, for Const, alone."""

_TABLE = """
[activation]
Clamp-1 1-16
Elu-1 1-16
Exp-1 1-16
Gelu-2 2-6
Gelu-7 7-16
HardSigmoid-1 1-16
HSigmoid-5 5-16
HSwish-4 4-16
Identity-16 16
LogSoftmax-5 5-16
Mish-4 4-16
PReLU-1 1-16
ReLU-1 1-16
Selu-1 1-16
Sigmoid-1 1-16
SoftMax-1 1-7
SoftMax-8 8-16
SoftPlus-4 4-16
SoftSign-9 9-16
Swish-4 4-16
[arithmetic]
Abs-1 1-16
Acos-1 1-16
Acosh-3 4-16
Add-1 1-16
Asin-1 1-16
Asinh-3 4-16
Atan-1 1-16
Atanh-3 4-16
Ceiling-1 1-16
Cos-1 1-16
Cosh-1 1-16
CumSum-3 3-16
Divide-1 1-16
Erf-1 1-16
ErfInv-17 17
Floor-1 1-16
FloorMod-1 1-16
Log-1 1-16
Maximum-1 1-16
Minimum-1 1-16
Mod-1 1-16
Multiply-1 1-16
Negative-1 1-16
Power-1 1-16
Round-5 5-16
SegmentMax-16 16
Sign-1 1-16
Sin-1 1-16
Sinh-1 1-16
Sqrt-1 1-16
SquaredDifference-1 1-16
Subtract-1 1-16
Tan-1 1-16
Tanh-1 1-16
[bitwise]
BitwiseAnd-13 13-16
BitwiseLeftShift-15 15-16
BitwiseNot-13 13-16
BitwiseOr-13 13-16
BitwiseRightShift-15 15-16
BitwiseXor-13 13-16
[comparison]
Equal-1 1-16
Greater-1 1-16
GreaterEqual-1 1-16
IsFinite-10 10-16
IsInf-10 10-16
IsNaN-10 10-16
Less-1 1-16
LessEqual-1 1-16
NotEqual-1 1-16
[condition]
Bucketize-3 3-16
If-8 8-16
NonZero-3 3-16
Select-1 1-16
[convolution]
BinaryConvolution-1 1-16
Convolution-1 1-16
ConvolutionBackpropData-1 1-16
DeformableConvolution-1 1-7
DeformableConvolution-8 8-16
GroupConvolution-1 1-16
GroupConvolutionBackpropData-1 1-16
[detection]
DeformablePSROIPooling-1 1-16
DetectionOutput-1 1-7
DetectionOutput-8 8-16
ExperimentalDetectronDetectionOutput-6 6-16
ExperimentalDetectronGenerateProposalsSingleImage-6 6-16
ExperimentalDetectronPriorGridGenerator-6 6-16
ExperimentalDetectronROIFeatureExtractor-6 6-16
GenerateProposals-9 9-16
PriorBox-1 1-7
PriorBox-8 8-16
PriorBoxClustered-1 1-16
Proposal-1 1-3
Proposal-4 4-16
PSROIPooling-1 1-16
RegionYolo-1 1-16
ReorgYolo-1 2-16
ROIAlign-3 3-8
ROIAlign-9 9-16
ROIAlignRotated-15 15-16
ROIPooling-1 2-16
[generation]
Eye-9 9-16
Multinomial-13 13-16
RandomUniform-8 8-16
Range-1 1-3
Range-4 4-16
[image]
BGRtoNV12-17 17
GridSample-9 9-16
I420toBGR-8 8-16
I420toRGB-8 8-16
Interpolate-1 1-3
Interpolate-4 4-10
Interpolate-11 11-16
NV12toBGR-8 8-16
NV12toRGB-8 8-16
RGBtoNV12-17 17
[infrastructure]
Assign-3 3-5
Assign-6 6-16
Constant-1 1-16
Loop-5 5-16
Parameter-1 1-17
ReadValue-3 3-5
ReadValue-6 6-16
Result-1 1-16
TensorIterator-1 1-16
[logical]
LogicalAnd-1 1-16
LogicalNot-1 1-16
LogicalOr-1 1-16
LogicalXor-1 1-16
Xor-1 1
[matrix]
Einsum-7 7-16
GroupedMatMul-17 17
Inverse-14 14-16
MatMul-1 1-16
[movement]
BatchToSpace-2 2-16
Broadcast-1 1-2
Broadcast-3 3-16
Col2Im-15 15-16
Concat-1 1-16
DepthToSpace-1 1-16
ExtractImagePatches-3 3-16
Gather-1 1-6
Gather-7 7
Gather-8 8-16
GatherElements-6 6-16
GatherND-5 5-7
GatherND-8 8-16
GatherTree-1 1-16
Pad-1 1-11
Pad-12 12-16
Reverse-1 1
ReverseSequence-1 1-16
Roll-7 7-16
ScatterElementsUpdate-3 3-11
ScatterElementsUpdate-12 12-16
ScatterNDUpdate-3 4-14
ScatterNDUpdate-15 15-16
ScatterUpdate-3 3-16
ShuffleChannels-1 1,3-16
Slice-8 8-16
SliceScatter-15 15-16
SpaceToBatch-2 2-16
SpaceToDepth-1 1-16
Split-1 1-16
StridedSlice-1 1-16
Tile-1 1-16
Transpose-1 1-16
Unique-10 10-16
VariadicSplit-1 1-16
[normalization]
BatchNormInference-1 1-4
BatchNormInference-5 5-16
GRN-1 1-16
GroupNormalization-12 12-16
LRN-1 1-16
MVN-1 2-5
MVN-6 6-16
NormalizeL2-1 1-16
[pooling]
AdaptiveAvgPool-8 8-16
AdaptiveMaxPool-8 8-16
AvgPool-1 1-13
AvgPool-14 14-15
AvgPool-16 16
MaxPool-1 1-7
MaxPool-8 8-13
MaxPool-14 14-16
[quantization]
FakeConvert-13 13-16
FakeQuantize-1 1-16
[reduction]
ReduceL1-4 4-16
ReduceL2-4 4-16
ReduceLogicalAnd-1 1-16
ReduceLogicalOr-1 1-16
ReduceMax-1 1-16
ReduceMean-1 1-16
ReduceMin-1 1-16
ReduceProd-1 1-16
ReduceSum-1 1-16
[sequence]
CTCGreedyDecoder-1 1-16
CTCGreedyDecoderSeqLen-6 6-16
CTCLoss-4 4-16
GRUCell-3 3-16
GRUSequence-5 5-16
LSTMCell-1 1-3
LSTMCell-4 4-16
LSTMSequence-5 5-16
OneHot-1 1-15
OneHot-16 16
RNNCell-1 1,3-16
RNNSequence-5 5-16
ScaledDotProductAttention-13 13-16
[shape]
Reshape-1 1-16
ShapeOf-1 1-2
ShapeOf-3 3-17
Squeeze-1 1-14
Squeeze-15 15-16
Unsqueeze-1 1-16
[signals]
DFT-7 7-16
IDFT-7 7-16
IRDFT-9 9-16
ISTFT-16 16
RDFT-9 9-16
STFT-15 15-16
[sort]
ExperimentalDetectronTopKROIs-6 6-16
MatrixNms-8 8-16
MulticlassNms-8 8
MulticlassNms-9 9-16
NMSRotated-13 13-16
NonMaxSuppression-1 1-2
NonMaxSuppression-3 3
NonMaxSuppression-4 4
NonMaxSuppression-5 5-8
NonMaxSuppression-9 9-16
SearchSorted-15 15-16
TopK-1 1-2
TopK-3 3-10
TopK-11 11-16
[sparse]
EmbeddingBagOffsets-15 15-16
EmbeddingBagOffsetsSum-3 3-16
EmbeddingBagPacked-15 15-16
EmbeddingBagPackedSum-3 3-16
EmbeddingSegmentsSum-3 3-16
SparseFillEmptyRows-16 16
[type]
Convert-1 1-17
ConvertLike-1 1-16
ConvertPromoteTypes-14 14-16
StringTensorPack-15 15-16
StringTensorUnpack-15 15-16
"""


class OpsetFact(NamedTuple):
    """One operation of one version: what it is called, where it belongs, which opsets hold it."""

    type: str
    version: int
    category: str
    opsets: tuple[int, ...]

    @property
    def name(self) -> str:
        """The versioned name: `ReduceMean-1`."""
        return f"{self.type}-{self.version}"


def _read(table: str) -> tuple[OpsetFact, ...]:
    facts = []
    category = ""
    for line in table.split("\n"):
        if line.startswith("["):
            category = line.strip("[]")
        elif line:
            name, _, held = line.partition(" ")
            type, _, version = name.rpartition("-")
            facts.append(OpsetFact(type, int(version), category, _numbers(held)))
    return tuple(facts)


def _numbers(held: str) -> tuple[int, ...]:
    numbers: list[int] = []
    for part in held.split(","):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return tuple(numbers)


FACTS = _read(_TABLE)


def _by_type() -> Mapping[str, tuple[OpsetFact, ...]]:
    table: dict[str, list[OpsetFact]] = {}
    for fact in FACTS:
        table.setdefault(fact.type.lower(), []).append(fact)
    return {key: tuple(facts) for key, facts in table.items()}


BY_TYPE = _by_type()
"""Lower-case type -> its versions, oldest first."""

OPSETS: Mapping[str, int] = {f"opset{number}": number for number in range(1, NEWEST + 1)}
"""What a layer's `version` may say -> the opset's number."""


def held_by(type: str, opset: int) -> OpsetFact | None:
    """The version of an operation (in any letter case) that an opset holds, or None."""
    return next((fact for fact in BY_TYPE.get(type.lower(), ()) if opset in fact.opsets), None)


_LONGEST = 100
"""No type is longer, and to look for something like it would take long."""


def nearest(type: str) -> str | None:
    """The type with the nearest spelling, or None where none is near."""
    near = difflib.get_close_matches(type[:_LONGEST].lower(), BY_TYPE, 1, 0.75)
    return BY_TYPE[near[0]][0].type if near else None


def opset_range(fact: OpsetFact) -> str:
    """`opset3 to opset16`."""
    first, last = fact.opsets[0], fact.opsets[-1]
    return f"opset{first}" if first == last else f"opset{first} to opset{last}"
