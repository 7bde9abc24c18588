"""Well-formed XML to a Document, by lxml with entities, DTDs and the network off."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable

from lxml import etree

from irrun.diag import IRError, Report
from irrun.ir.builder import Builder
from irrun.ir.document import Document
from irrun.ir.scan import Elements
from irrun.source import At, Source, Span

LFS_POINTER = b"version https://git-lfs.github.com/spec/"

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_EXACT = {
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
"""A byte order mark -> the encoding of what follows it."""

_WIDE_STARTS = ((b"<\0\0\0", "utf-32-le"), (b"\0\0\0<", "utf-32-be"), (b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
_COMMENT = rb"<!--(?:[^-]++|-(?!->))*+-->"
_INSTRUCTION = rb"<\?(?:[^?]++|\?(?!>))*+\?>"
_DECLARATION = re.compile(rb"(?:\s++|%b)*+(<\?xml\s[^>]*?\?>)" % _COMMENT)
_ENCODING = re.compile(rb"encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_MISC = re.compile(rb"(?:\s++|%b|%b)*+" % (_COMMENT, _INSTRUCTION))
_DOCTYPE = re.compile(rb"<!DOCTYPE(?:[^>\[\"']++|\"[^\"]*\"|'[^']*')*+([\[>]?)", re.DOTALL)
_NET = re.compile(rb"(?:\s++|<!--(?:[^-]++|-(?!->))*+-->|<\?[^>]*+>)*+<(?:net(?![\w-])|!DOCTYPE)", re.IGNORECASE)
_PLACE_IN_MESSAGE = re.compile(r", line \d+, column \d+.*$", re.DOTALL)


def read_document(name: str, data: bytes, report: Report) -> Document:
    """Read the bytes of an .xml file; what is wrong but bearable goes to `report`.

    Raises IRError where no document can be made of it.
    """
    text = _utf8(name, data, report)
    source = Source(name, text)
    root = _parse(_without_prolog(text, source, report), source, report)
    document = Builder(Elements(source), report).build(root)
    if document is None:
        raise IRError(report.findings)
    return document


def is_net(data: bytes) -> bool:
    """Whether a file begins as documents do: its first tag is `<net>`, or it has a DOCTYPE."""
    return _NET.match(data.removeprefix(codecs.BOM_UTF8)) is not None


def decoded(name: str, data: bytes, report: Report) -> Source:
    """The text of any file; raises IRError where it is none."""
    return Source(name, _utf8(name, data, report))


def read_example(source: Source, text: str, span: Span, report: Report) -> Document | None:
    """The net that stands in a page, or None where what stands there is none, or is not well-formed.

    `text` is the page's with what is no XML blanked out.
    """
    data = text[slice(*span)].encode("utf-8", "surrogatepass")
    if not is_net(data):
        return None
    scratch = Report()
    try:
        root = _parse(_without_prolog(data, source, scratch), source, scratch)
    except IRError:
        return None
    return Builder(Elements(source, *span), report).build(root)


def _utf8(name: str, data: bytes, report: Report) -> bytes:
    """The text in UTF-8 without a byte order mark, whatever encoding it came in.

    Raises IRError where the bytes are no text, or one that stands for a file elsewhere.
    """
    if data.startswith(LFS_POINTER):
        report.add(
            "IR005", f"{name} is a Git LFS pointer, not a model", At(Source(name, data)), hint="run: git lfs pull"
        )
        raise IRError(report.findings)
    encoding = _encoding(data)
    try:
        text = data.decode(encoding)
    except LookupError:
        report.add("IR004", f"{name} declares an unknown encoding {encoding!r}", At(Source(name, data)))
        raise IRError(report.findings) from None
    except UnicodeDecodeError as error:
        before = len(data[: error.start].decode(encoding, "replace"))
        place = At(Source(name, data.decode(encoding, "replace")), Span(before, before + 1))
        value = data[error.start : error.end].hex(" ")[:30]
        report.add("IR004", f"the bytes {value} at offset {error.start} are not {encoding.upper()}", place)
        raise IRError(report.findings) from None
    if encoding in ("utf-8", "UTF-8"):
        return data
    return text.encode("utf-8", "surrogatepass")


def _encoding(data: bytes) -> str:
    """What the byte order mark says, the first characters, or the XML declaration."""
    encoding = next((encoding for mark, encoding in _BYTE_ORDER_MARKS if data.startswith(mark)), None)
    encoding = encoding or next((encoding for start, encoding in _WIDE_STARTS if data.startswith(start)), None)
    declared = _DECLARATION.match(data) if encoding is None else None
    if declared is not None and (named := _ENCODING.search(declared[1])) is not None:
        encoding = named[1].decode()
    return encoding or "utf-8"


def with_text(data: bytes, change: Callable[[str], str]) -> bytes:
    """The bytes of a file whose text, which can be read, is changed: in its encoding, with its byte order mark."""
    mark = next((mark for mark, _ in _BYTE_ORDER_MARKS if data.startswith(mark)), b"")
    encoding = _EXACT.get(mark) or _encoding(data)
    return mark + change(data[len(mark) :].decode(encoding)).encode(encoding)


def _without_prolog(text: bytes, source: Source, report: Report) -> bytes:
    """The text with its XML declaration and a bare DOCTYPE blanked out, so that places stay; an internal subset is
    refused.
    """
    declaration = _DECLARATION.match(text)
    if declaration is not None:
        text = _blanked(text, *declaration.span(1))
    misc = _MISC.match(text)
    doctype = None if misc is None else _DOCTYPE.match(text, misc.end())
    if doctype is None:
        return text
    if doctype[1] != b">":
        start = len(text[: doctype.start()].decode())
        place = At(source, Span(start, start + len(doctype[0].decode(errors="replace"))))
        report.add("IR003", "the DOCTYPE has an internal subset: entities and DTDs are not read", place)
        raise IRError(report.findings)
    return _blanked(text, *doctype.span())


def _blanked(text: bytes, start: int, end: int) -> bytes:
    return text[:start] + re.sub(rb"[^\r\n]", b" ", text[start:end]) + text[end:]


def _parse(text: bytes, source: Source, report: Report) -> etree._Element:
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=True,
        remove_comments=True,
        remove_pis=True,
        remove_blank_text=True,
    )
    try:
        root = etree.fromstring(text, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        start = source.offset(line or 1, column or 1)
        said = _PLACE_IN_MESSAGE.sub("", error.msg or "the document is empty")
        place = At(source, Span(start, start + 1))
        report.add("IR002", f"not well-formed XML: {said[:1].lower()}{said[1:]}", place)
        raise IRError(report.findings) from None
    if b"xmlns" in text:
        _leave_default_namespace(root)
    return root


def _leave_default_namespace(root: etree._Element) -> None:
    """Take the default namespace off the tags in it; tags with a prefix keep theirs and so stay unknown."""
    for element in root.iter("*"):
        tag = str(element.tag)
        if tag.startswith("{") and not element.prefix:
            element.tag = tag.partition("}")[2]
