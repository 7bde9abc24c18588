"""Every code irrun can report, in one table: its severity, whether it blocks a run, and its explanation.

Ranges follow the passes: IR0xx XML, 1xx structure and graph, 2xx operations and attributes, 3xx types and shapes,
4xx declared against inferred, 5xx weights, 6xx run time, 7xx examples whose numbers are wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Severity(Enum):
    """How bad a finding is; the values are what is printed."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return list(Severity).index(self)

    def __str__(self) -> str:
        return self.value


class Blocks(Enum):
    """What a finding stops: the whole model, a run that depends on its layer, a run with `strict`, or nothing."""

    MODEL = "model"
    LAYER = "layer"
    STRICT = "strict"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Code:
    """A row of the table; `means`, `matters`, `example` and `instead` are what `irrun explain` prints."""

    id: str
    severity: Severity
    blocks: Blocks
    title: str
    means: str
    matters: str
    example: str
    instead: str


def _code(id: str, kind: str, title: str, means: str, matters: str, example: str, instead: str) -> Code:
    severity, blocks = _KINDS[kind]
    return Code(id, severity, blocks, title, means, matters, example, instead)


_KINDS = {
    "fatal": (Severity.ERROR, Blocks.MODEL),
    "error": (Severity.ERROR, Blocks.LAYER),
    "contradiction": (Severity.ERROR, Blocks.STRICT),
    "warning": (Severity.WARNING, Blocks.NOTHING),
    "note": (Severity.NOTE, Blocks.NOTHING),
    "missing": (Severity.NOTE, Blocks.LAYER),
}

_ROWS = (
    # IR0xx: XML
    _code(
        "IR001", "fatal", "the file cannot be read",
        "The file is missing, is a directory, or the system refuses to open it.",
        "Nothing can be said of its content.",
        "irrun modle.xml",
        "irrun model.xml",
    ),
    _code(
        "IR002", "fatal", "the text is not well-formed XML",
        "A tag is not closed, an attribute is given twice or not quoted, an entity is undefined, a `&` or `<` stands bare, "
        "or something follows `</net>`.",
        "OpenVINO's reader lets much of this pass and guesses; every other XML tool stops here.",
        '<layer id="0" id="1" name="x">',
        '<layer id="0" name="x">',
    ),
    _code(
        "IR003", "fatal", "a DOCTYPE with an internal subset is refused",
        "The document declares entities or a DTD of its own.",
        "Entity declarations are how XML files grow without bound or reach for other files; IR needs none.",
        '<!DOCTYPE net [<!ENTITY e "2">]>',
        "no DOCTYPE at all",
    ),
    _code(
        "IR004", "fatal", "the bytes are not text in the declared encoding",
        "The bytes do not decode as UTF-8, or as the encoding the XML declaration names.",
        "Names cannot be read, and a guess would make two different names equal.",
        "a Latin-1 file without encoding=\"ISO-8859-1\"",
        "the file saved as UTF-8",
    ),
    _code(
        "IR005", "fatal", "the file is a Git LFS pointer",
        "The file holds the few lines that Git LFS leaves in place of the real content.",
        "OpenVINO reads such a .bin as weights; the numbers are then the pointer's text.",
        "version https://git-lfs.github.com/spec/v1",
        "git lfs pull",
    ),
    _code(
        "IR006", "fatal", "this is no OpenVINO IR",
        "The root element is not `<net>`.",
        "No layers can be found in it.",
        "<model>...</model>",
        '<net name="m" version="11">...</net>',
    ),
    _code(
        "IR007", "fatal", "the IR version cannot be read",
        "irrun reads IR 10 and 11, the versions OpenVINO reads; others differ in ways that matter.",
        "Versions up to 9 (2018 to 2020) store weights and attributes elsewhere.",
        '<net version="7">',
        '<net version="11">, from a current converter',
    ),
    # IR1xx: structure and graph
    _code(
        "IR101", "fatal", "a required XML attribute is missing",
        "A layer needs id, name, type and version; a port needs id, an output port precision too; an edge needs its four ends.",
        "OpenVINO refuses the file and gives a byte offset.",
        '<layer name="x" type="ReLU" version="opset1">',
        '<layer id="1" name="x" type="ReLU" version="opset1">',
    ),
    _code(
        "IR102", "fatal", "a number cannot be read",
        "Ids, ports, edges and dims are decimal integers; a dim is at least -1.",
        "Two readers would see two different graphs.",
        '<edge from-layer="1.7" ...>',
        '<edge from-layer="1" ...>',
    ),
    _code(
        "IR103", "warning", "an element nobody reads",
        "The schema has no such element at this place, so it and all that it holds are ignored.",
        "A misspelt element is a silent loss.",
        "<ouput><port .../></ouput>",
        "<output><port .../></output>",
    ),
    _code(
        "IR104", "warning", "a second section is ignored",
        "A layer has one `<data>`, `<input>` and `<output>`, a net one `<layers>` and `<edges>`; the first one counts.",
        "What the second one says is lost, as in OpenVINO.",
        '<data keep_dims="true"/><data keep_dims="false"/>',
        '<data keep_dims="true"/>',
    ),
    _code(
        "IR105", "warning", "an XML attribute nobody reads",
        "Layers, ports, edges and dims have a fixed set of attributes; this one is ignored. (An operation's own attributes "
        "belong into `<data>`.)",
        "A misspelt or misplaced attribute is a silent loss.",
        '<layer ... keep_dims="true">',
        '<data keep_dims="true"/>',
    ),
    _code(
        "IR106", "fatal", "two layers have one id",
        "A layer's id is what edges name, so it stands once in its body.",
        "OpenVINO keeps the last one and drops the other silently.",
        '<layer id="2" .../> ... <layer id="2" .../>',
        '<layer id="2" .../> ... <layer id="3" .../>',
    ),
    _code(
        "IR107", "fatal", "two ports of one side have one id",
        "A port's id is what edges name; inside one `<input>` or one `<output>` it stands once.",
        "An edge to it could mean either.",
        '<input><port id="0"/><port id="0"/></input>',
        '<input><port id="0"/><port id="1"/></input>',
    ),
    _code(
        "IR108", "fatal", "an edge names a layer or port that does not exist",
        "The edge's start, or the port at its end, is not in this body.",
        "The consumer would have no input.",
        '<edge from-layer="99" from-port="0" .../>',
        "the id of the layer that produces the tensor",
    ),
    _code(
        "IR109", "warning", "an edge to nowhere",
        "The layer at the edge's end is not in this body; the edge is ignored, as in OpenVINO.",
        "Often a layer was removed and its edges were not.",
        '<edge ... to-layer="99" to-port="0"/>',
        "no such edge",
    ),
    _code(
        "IR110", "fatal", "an input port is fed twice",
        "Two edges end at one port.",
        "Only one tensor can be meant.",
        "two edges with the same to-layer and to-port",
        "one of them",
    ),
    _code(
        "IR111", "error", "an input port is not fed",
        "No edge ends at this port, or a required input of the operation has no port.",
        "The operation cannot be computed.",
        "no edge to port 1 (axes) of a ReduceMean",
        "an edge from the layer that produces it",
    ),
    _code(
        "IR112", "error", "layers form a cycle",
        "Following the edges one comes back to the same layer.",
        "There is no order in which they could be computed; loops are written as Loop or TensorIterator.",
        "a -> b -> a",
        "a graph without a cycle",
    ),
    _code(
        "IR113", "fatal", "the model has no outputs",
        "There is no Result layer (its type is spelt exactly so), and no Assign.",
        "OpenVINO drops every layer of such a model and runs nothing.",
        "a file without <layer type=\"Result\" .../>",
        "a Result after each tensor that is wanted",
    ),
    _code(
        "IR114", "warning", "a layer reaches no Result",
        "Nothing that this layer computes is used by an output.",
        "It is never run, so mistakes in it do not show.",
        "a branch that ends without Result",
        "no such layer, or a Result for it",
    ),
    _code(
        "IR115", "note", "a Parameter is not used",
        "No output depends on this model input.",
        "It need not be fed.",
        "a Parameter without edges",
        "no such Parameter",
    ),
    _code(
        "IR116", "warning", "a tensor name stands on two ports",
        "Tensor names address tensors, so each stands on one port.",
        "OpenVINO renames the later one by adding `_1`.",
        'names="x" on two ports',
        "two names",
    ),
    _code(
        "IR117", "fatal", "names collide in an IR v10 model",
        "In IR v10 the names of Parameters and of the layers before Results are tensor names as well, so they stand once.",
        "OpenVINO refuses the model.",
        'two <layer type="Parameter" name="x">',
        "two names",
    ),
    _code(
        "IR118", "fatal", "an rt_info attribute is given twice",
        "A layer or port holds two `<attribute>` elements of one name.",
        "OpenVINO refuses the file.",
        '<attribute name="fused_names" .../> twice',
        "one of them",
    ),
    _code(
        "IR119", "warning", "text where none belongs",
        "Words stand between elements; nothing reads them.",
        "Often a tag lost its `<`.",
        "layer id=\"1\">",
        "<layer id=\"1\">",
    ),
    _code(
        "IR120", "fatal", "pre-processing that is not understood",
        "A v10 `<pre-process>` may subtract one mean value per channel; anything else in it is not applied by irrun.",
        "Skipping it would change every number.",
        '<pre-process mean-file="m.bin">',
        '<pre-process><channel id="0"><mean value="104"/></channel></pre-process>',
    ),
    _code(
        "IR121", "error", "a port map names what does not exist",
        "A `port_map` or `back_edges` entry names a port or a body layer that is not there.",
        "The body cannot be connected to its operation.",
        '<input external_port_id="9" internal_layer_id="0"/>',
        "the id of an outer port, and of a Parameter or Result of the body",
    ),
    # IR2xx: operations and attributes
    _code(
        "IR201", "error", "there is no such operation",
        "No opset from opset1 to opset17 holds an operation of this type.",
        "OpenVINO refuses the model if an output depends on it.",
        'type="ReduceMeann"',
        'type="ReduceMean"',
    ),
    _code(
        "IR202", "error", "this opset does not hold the operation",
        "The operation exists, but not in the opset that `version` names.",
        "OpenVINO refuses the model if an output depends on it.",
        'type="EmbeddingBagPackedSum" version="opset1"',
        'type="EmbeddingBagPackedSum" version="opset3"',
    ),
    _code(
        "IR203", "error", "there is no such opset",
        "`version` is one of opset1 to opset17, in lower case and without blanks.",
        "OpenVINO refuses the model if an output depends on the layer.",
        'version="OPSET1"',
        'version="opset1"',
    ),
    _code(
        "IR204", "missing", "irrun does not have this operation yet",
        "The operation is part of OpenVINO, but irrun cannot compute it.",
        "Its declared ports are taken as they stand, and what depends on it cannot be run.",
        "an operation that `irrun ops` lists without a mark",
        "a registered function of your own, or another tool",
    ),
    _code(
        "IR205", "warning", "an unusual spelling of the type",
        "OpenVINO reads types without regard to letter case; others do not.",
        "Tools that look for the usual spelling miss the layer.",
        'type="reducemean"',
        'type="ReduceMean"',
    ),
    _code(
        "IR206", "warning", "an attribute the operation does not have",
        "It is ignored, and the default of the one that was meant is used instead.",
        "ONNX's `keepdims` for `keep_dims` silently changes the rank of a result.",
        '<data keepdims="true"/>',
        '<data keep_dims="true"/>',
    ),
    _code(
        "IR207", "error", "a required attribute is missing",
        "The operation has no default for it.",
        "OpenVINO silently takes 0 or an empty value.",
        '<data min="-1"/> for a Clamp',
        '<data min="-1" max="1"/>',
    ),
    _code(
        "IR208", "error", "an attribute's value cannot be read",
        "The text is not a value of the attribute's type.",
        "OpenVINO guesses: `yes` is false, `0,5` is 0, `1.9` is 1.",
        '<data keep_dims="yes"/>',
        '<data keep_dims="true"/>',
    ),
    _code(
        "IR209", "warning", "an attribute's value is followed by something else",
        "The value is read up to the first character that does not belong to it, as OpenVINO does.",
        "Other readers refuse it.",
        '<data alpha="0.5f"/>',
        '<data alpha="0.5"/>',
    ),
    _code(
        "IR210", "error", "an attribute's value is out of range",
        "The specification allows other values, or the inputs' shapes do.",
        "The operation has no meaning for it.",
        '<data axis="9"/> for data of rank 4',
        "a value from the range that the message gives",
    ),
    _code(
        "IR211", "error", "wrong number of inputs",
        "The operation takes fewer inputs than the layer has ports.",
        "It cannot be known which input is meant to be which.",
        "a ReduceMean with three input ports",
        "the inputs the specification lists, in its order",
    ),
    _code(
        "IR212", "error", "wrong number of outputs",
        "The layer lists an output port that the operation does not give.",
        "What is connected to it would have no input.",
        "a ReduceMean with two output ports",
        "the outputs the specification lists",
    ),
    _code(
        "IR213", "error", "the type has another name in IR",
        "This spelling is the name of a class, or of another format; OpenVINO crashes on it or drops the layer.",
        "OpenVINO 2026.4.1 dies of SIGSEGV on `Constant` and ignores an output called `Output`.",
        'type="Constant"',
        'type="Const"',
    ),
    # IR3xx: types and shapes
    _code(
        "IR301", "error", "an input has an element type the operation does not take",
        "The specification lists the types of each input.",
        "OpenVINO refuses the model, at reading or compiling.",
        "boolean data for a ReduceMean",
        "a Convert in front of it",
    ),
    _code(
        "IR302", "error", "inputs that must have one element type differ",
        "The specification gives both inputs the same type letter.",
        "Nothing is converted implicitly.",
        "an f32 table with f16 weights",
        "a Convert in front of one of them",
    ),
    _code(
        "IR303", "error", "an input has the wrong rank",
        "The specification fixes the rank of this input.",
        "The operation has no meaning for it.",
        "1-D indices for an EmbeddingBagPackedSum",
        "a Reshape or Unsqueeze in front of it",
    ),
    _code(
        "IR304", "error", "the shapes of two inputs contradict each other",
        "The specification gives both inputs a common dim, and theirs differ.",
        "Nothing is broadcast here.",
        "weights of shape [3,1] for indices of shape [3,2]",
        "inputs that agree",
    ),
    _code(
        "IR305", "error", "an input does not fit the operation",
        "A rule of the specification for this input is broken.",
        "The operation has no meaning for it.",
        "axis 3 for data of rank 3",
        "a value from the range that the message gives",
    ),
    _code(
        "IR306", "error", "a type narrower than a byte in arithmetic",
        "u1 to u6, i4, nf4 and f4e2m1 are for storing; arithmetic is done in wider types.",
        "OpenVINO runs some of these, with unchecked results.",
        "a ReduceMean over u4 data",
        "a Convert in front of it",
    ),
    _code(
        "IR307", "warning", "an input is accepted against the specification's words",
        "The value has a clear meaning although the text forbids it, and OpenVINO takes it.",
        "Another runtime may refuse it.",
        "axes = [1, -2] for data of rank 3: both are axis 1",
        "axes = [1]",
    ),
    _code(
        "IR308", "error", "the element type is not known",
        "A Parameter without `element_type`, or of type `dynamic`.",
        "No tensor can have this type; OpenVINO fails when it compiles the model.",
        '<data shape="2,3"/>',
        '<data shape="2,3" element_type="f32"/>',
    ),
    # IR4xx: declared against inferred
    _code(
        "IR401", "contradiction", "declared dims of an output differ from the inferred ones",
        "The `<dim>`s of the port contradict what the operation gives for its inputs.",
        "OpenVINO ignores declared dims, so the mistake surfaces far away; irrun runs with the inferred ones.",
        "<dim>2</dim><dim>3</dim> where the result is [2,2]",
        "the inferred dims (or -1 where they are not known)",
    ),
    _code(
        "IR402", "contradiction", "declared precision of an output differs from the inferred type",
        "The port's `precision` contradicts what the operation gives.",
        "OpenVINO ignores declared precision; irrun runs with the inferred type.",
        'precision="I32" on the output of a ReduceMean over f32 data',
        'precision="FP32"',
    ),
    _code(
        "IR403", "contradiction", "declared dims of an input differ from what feeds it",
        "The `<dim>`s of the port contradict the tensor that the edge brings.",
        "Either the edge or the dims are wrong.",
        "an input port of [2,3] fed by a tensor of [2,4]",
        "the producer's dims, or an edge from another layer",
    ),
    _code(
        "IR404", "contradiction", "declared precision of an input differs from what feeds it",
        "The port's `precision` contradicts the tensor that the edge brings.",
        "Either the edge or the precision is wrong.",
        'precision="I64" fed by an f32 tensor',
        "the producer's precision, or an edge from another layer",
    ),
    _code(
        "IR405", "warning", "a port without dims where the rank is known",
        "A port without `<dim>` reads as a scalar, but the tensor has a known rank of at least 1.",
        "Readers that trust the ports see a scalar.",
        '<port id="2" precision="FP32"/> for a tensor of [2,3]',
        "the inferred dims",
    ),
    _code(
        "IR406", "contradiction", "a dim is not an integer",
        "A `<dim>` holds an integer of at least -1; OpenVINO reads the digits it starts with and ignores them.",
        "Nobody can say which extent was meant.",
        "<dim>1.5</dim>",
        "<dim>1</dim>",
    ),
    _code(
        "IR407", "contradiction", "an input port's precision is none",
        "The `precision` of an input port is no element type; OpenVINO does not look at it.",
        "Readers that trust the ports cannot read it.",
        'precision="F32"',
        'precision="FP32"',
    ),
    # IR5xx: weights
    _code(
        "IR501", "fatal", "the weights file is not found",
        "A Const needs bytes from the .bin beside the .xml (same stem), or from the file that was named.",
        "Without it no constant has a value.",
        "model.xml without model.bin",
        "--weights FILE",
    ),
    _code(
        "IR502", "error", "a Const lies beyond the end of the weights file",
        "offset + size is more than the file holds.",
        "The .bin belongs to another .xml, or was cut off.",
        'offset="8" size="8" in a .bin of 8 bytes',
        "the .bin that was written together with the .xml",
    ),
    _code(
        "IR503", "error", "a Const's size does not fit its shape and element type",
        "The stored bytes are fewer than the elements need.",
        "The value would be read from bytes that belong to something else.",
        '<data element_type="f32" shape="4" offset="0" size="8"/>',
        'size="16"',
    ),
    _code(
        "IR504", "warning", "a Const's size is larger than its shape needs",
        "The rest is ignored, as in OpenVINO.",
        "Often the shape or the element type is wrong.",
        '<data element_type="f32" shape="1" offset="0" size="16"/>',
        'size="4"',
    ),
    _code(
        "IR505", "error", "packed strings cannot be read",
        "A string tensor is a count, count + 1 offsets, then UTF-8 text; these bytes are not.",
        "OpenVINO fails without saying where.",
        "a count of 5 for a shape of 3",
        "a .bin as OpenVINO writes it",
    ),
    _code(
        "IR506", "warning", "a Const takes shape and type from its port",
        "Its `<data>` lacks `shape` or `element_type`; in IR of 2020 they stood on the port alone.",
        "OpenVINO of today refuses it.",
        '<data offset="0" size="16"/>',
        '<data element_type="f32" shape="4" offset="0" size="16"/>',
    ),
    _code(
        "IR507", "warning", "boolean bytes other than 0 and 1",
        "They are taken as true.",
        "OpenVINO converts such a byte to its number, so true may become 2.",
        "a boolean Const whose byte is 2",
        "bytes of 0 and 1",
    ),
    # IR6xx: run time
    _code(
        "IR601", "error", "an operation refuses its values",
        "A value that is only known at run time breaks a rule of the operation.",
        "There is no right result.",
        "index 5 in a table of 5 rows",
        "a value from the range that the message gives",
    ),
    _code(
        "IR602", "fatal", "an input is missing",
        "A requested output depends on a Parameter that was not fed.",
        "OpenVINO would compute with uninitialised memory.",
        "irrun model.xml",
        "irrun model.xml --input data=x.npy",
    ),
    _code(
        "IR603", "fatal", "there is no such input",
        "The name is no tensor name, layer name or index of a model input.",
        "Often the name belongs to a layer inside the model.",
        "--input dta=x.npy",
        "--input data=x.npy",
    ),
    _code(
        "IR604", "fatal", "an input has the wrong shape",
        "The array does not fit the Parameter's partial shape.",
        "The model is not made for it.",
        "an array of [1,3,4] for a Parameter of [2,3,4]",
        "an array of the Parameter's shape",
    ),
    _code(
        "IR605", "fatal", "an input's values do not fit its element type",
        "A fraction or a value out of range for an integer, a finite value that would become infinite, or no number at all.",
        "OpenVINO casts silently: 1.7 becomes 1, 300 becomes 44.",
        "[1.5] for an i64 Parameter",
        "[1]",
    ),
    _code(
        "IR606", "warning", "an input was converted to another element type",
        "The array has another type than the Parameter; its values were converted.",
        "Rounding may change them.",
        "a float64 array for an f32 Parameter",
        "x.astype(numpy.float32)",
    ),
    _code(
        "IR607", "fatal", "there is no such output",
        "The name is no output, tensor or layer of the model.",
        "Nothing can be fetched by it.",
        "--output maen",
        "--output mean",
    ),
    _code(
        "IR608", "fatal", "the run would need more memory than there is",
        "The tensors that are alive at one time, known from their shapes, take more than the limit.",
        "The system would stop the process in the middle of the run.",
        "an output of [1000000,1000000] f32",
        "a smaller input, or --max-memory",
    ),
    _code(
        "IR609", "error", "an operation failed inside irrun",
        "The kernel raised an exception that is not a finding; this is a mistake in irrun or in an operation of your own.",
        "No result can be trusted.",
        "an exception in a registered function",
        "a report with the model and its inputs",
    ),
    _code(
        "IR610", "warning", "a result that a person should know about",
        "A sum that wrapped, a mean over nothing, an overflow to infinity from finite inputs.",
        "The number is what the rules give, but seldom what was wanted.",
        "a sum of u8 values beyond 255",
        "a Convert to a wider type in front of it",
    ),
    _code(
        "IR611", "fatal", "a file with values cannot be read",
        "It is not a .npy or .npz of plain numbers (pickled objects are refused), or holds no such entry.",
        "There is nothing to feed.",
        "--input data=x.txt",
        "numpy.save('x.npy', x)",
    ),
)

CODES = {row.id: row for row in _ROWS}
