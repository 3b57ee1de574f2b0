"""UPPAAL files to documents: the format is known by its first character, not by its name.

All mistakes in all labels and declarations are reported together, each at its place in the file.
"""

from __future__ import annotations

import codecs
from pathlib import Path

from dyverse.errors import ParseError, Problem
from dyverse.text.file import file_bytes
from dyverse.uppaal.files.from_xml import XmlReader
from dyverse.uppaal.files.xmltree import MAX_BYTES, read_xml
from dyverse.uppaal.language.document import Document, Template
from dyverse.uppaal.language.parse import parsed
from dyverse.uppaal.language.processes import Items
from dyverse.uppaal.language.source import plain
from dyverse.uppaal.language.syntax import Declaration, Instantiation, SystemLine

MAX_ERRORS = 20


def read_document(path: str | Path) -> Document:
    """The document in the file at ``path``, XML or XTA, or a `ParseError`."""
    return parse_document(file_bytes(path, most=MAX_BYTES), file=str(path))


def parse_document(data: bytes | str, *, file: str = "<model>") -> Document:
    """The document that ``data`` is, XML or XTA, or a `ParseError` with all mistakes."""
    raw = data.encode() if isinstance(data, str) else data
    if len(raw) > MAX_BYTES:
        message = f"the file has {len(raw):,} bytes; a model may have {MAX_BYTES:,}"
        raise ParseError([Problem(message)], file=file)
    text = _decoded(raw)
    if text.lstrip().startswith("<"):
        return _from_xml(raw, text, file)
    return _from_xta(text, file)


def _decoded(raw: bytes) -> str:
    """The text; for XML in another encoding good enough to show a line."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16", errors="replace")
    return "\n".join(raw.decode("utf-8-sig", errors="replace").splitlines())


def _from_xml(raw: bytes, text: str, file: str) -> Document:
    tree = read_xml(raw, file=file, source=text)
    reader = XmlReader(file, text)
    document = reader.document(tree)
    if reader.problems:
        problems = sorted(reader.problems, key=_order)
        raise ParseError(problems[:MAX_ERRORS], source=text, file=file)
    return document


def _order(problem: Problem) -> tuple[int, int]:
    return (problem.span.line, problem.span.column) if problem.span else (0, 0)


def _from_xta(text: str, file: str) -> Document:
    found = parsed(plain(text), "xta")
    if found.problem is not None:
        raise ParseError([found.problem], source=text, file=file)
    items: Items = (*found.tree, *found.remarks)
    declarations, system = _halves(items)
    return Document(
        declarations=declarations,
        templates=tuple(item for item in items if isinstance(item, Template)),
        system=system,
        doctype=None,
        file=file,
        source=text,
    )


def _halves(items: Items) -> tuple[tuple[Declaration, ...], tuple[Declaration, ...]]:
    """What is declared before the last process, and what comes behind it or makes the system."""
    last = max((n for n, item in enumerate(items) if isinstance(item, Template)), default=-1)
    before: list[Declaration] = []
    behind: list[Declaration] = []
    for n, item in enumerate(items):
        late = n > last or isinstance(item, Instantiation | SystemLine)
        if not isinstance(item, Template):
            (behind if late else before).append(item)
    return tuple(before), tuple(behind)
