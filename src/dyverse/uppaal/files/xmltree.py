"""XML text as a tree of elements with their places, read with nothing that could do harm.

No entity is declared or fetched, no DTD is opened, and size and depth are bounded, so that neither
a bomb of entities nor a reference to another file has any effect but a message. A document type
without declarations of its own, as UPPAAL writes it, is allowed and remembered.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

from dyverse.errors import ParseError, Problem, Span
from dyverse.uppaal.language.document import Doctype
from dyverse.uppaal.language.source import Mark, Source

MAX_BYTES = 10_000_000
MAX_DEPTH = 32
MAX_ELEMENTS = 200_000
KEEPS_REMARKS = "template"


@dataclass(slots=True)
class XmlElement:
    """An element; ``source`` is all text directly inside.

    ``remarks`` are the comments in the subtree, but for those inside a template, which keeps them.
    """

    tag: str
    attributes: dict[str, str]
    span: Span
    children: list[XmlElement] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    length: int = 0

    @property
    def source(self) -> Source:
        """The text directly inside, with its places."""
        marks = self.marks or [Mark(0, self.span.line, self.span.column)]
        return Source("".join(self.pieces), tuple(marks))

    def first(self, tag: str) -> XmlElement | None:
        """The first child of that tag."""
        return next((child for child in self.children if child.tag == tag), None)

    def all(self, tag: str) -> list[XmlElement]:
        """The children of that tag."""
        return [child for child in self.children if child.tag == tag]

    def keep(self, data: str, line: int, column: int) -> None:
        """Add a run of characters that stands at this place."""
        self.marks.append(Mark(self.length, line, column))
        self.pieces.append(data)
        self.length += len(data)


@dataclass(frozen=True, slots=True)
class XmlTree:
    """The root element and the document type."""

    root: XmlElement
    doctype: Doctype | None


class _Refused(Exception):  # noqa: N818 - not for users: it becomes a Problem of a ParseError
    def __init__(self, message: str, place: tuple[int, int]) -> None:
        super().__init__(message)
        self.place = place


class _Reader:
    def __init__(self) -> None:
        self.doctype: Doctype | None = None
        self.root: XmlElement | None = None
        self.stack: list[XmlElement] = []
        self.count = 0
        self.early: list[str] = []  # comments before the root
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = False  # each run of characters comes with its own place
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self.parser.StartDoctypeDeclHandler = self._on_doctype
        self.parser.EntityDeclHandler = self._on_entity
        self.parser.SkippedEntityHandler = self._on_skipped
        self.parser.ExternalEntityRefHandler = self._on_external
        self.parser.StartElementHandler = self._on_start
        self.parser.EndElementHandler = self._on_end
        self.parser.CharacterDataHandler = self._on_text
        self.parser.CommentHandler = self._on_comment
        self.parser.ProcessingInstructionHandler = self._on_instruction

    @property
    def place(self) -> tuple[int, int]:
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def _on_doctype(
        self, name: str, system: str | None, public: str | None, has_internal_subset: int
    ) -> None:
        if has_internal_subset:
            raise _Refused(
                "declarations inside DOCTYPE are refused: entities could do harm", self.place
            )
        self.doctype = Doctype(name, public, system)

    def _on_entity(self, name: str, *_: object) -> None:
        raise _Refused(f"the declaration of the entity {name!r} is refused", self.place)

    def _on_skipped(self, name: str, _: object) -> None:
        raise _Refused(
            f"unknown entity '&{name};'; write '&lt;', '&gt;', '&amp;' or the character", self.place
        )

    def _on_external(self, *_: object) -> int:
        raise _Refused("references to other files are refused", self.place)

    def _on_instruction(self, target: str, _: str) -> None:
        raise _Refused(f"the processing instruction {target!r} is not supported", self.place)

    def _on_start(self, tag: str, attributes: dict[str, str]) -> None:
        line, column = self.place
        element = XmlElement(tag, attributes, Span(line, column, column + len(tag) + 1))
        self.count += 1
        if len(self.stack) >= MAX_DEPTH:
            raise _Refused(f"elements may be nested {MAX_DEPTH} levels deep", self.place)
        if self.count > MAX_ELEMENTS:
            raise _Refused(f"a file may have {MAX_ELEMENTS:,} elements", self.place)
        if self.stack:
            self.stack[-1].children.append(element)
        else:
            self.root = element
            element.remarks += self.early
        self.stack.append(element)

    def _on_end(self, _: str) -> None:
        element = self.stack.pop()
        if self.stack and element.tag != KEEPS_REMARKS:
            self.stack[-1].remarks += element.remarks

    def _on_text(self, data: str) -> None:
        if self.stack:
            self.stack[-1].keep(data, *self.place)

    def _on_comment(self, text: str) -> None:
        if self.stack:
            self.stack[-1].remarks.append(text)
        elif self.root is None:
            self.early.append(text)
        else:
            self.root.remarks.append(text)


def read_xml(data: bytes, *, file: str, source: str) -> XmlTree:
    """The tree of an XML file; ``source`` is its text, for messages."""
    if len(data) > MAX_BYTES:
        message = f"the file has {len(data):,} bytes; a model may have {MAX_BYTES:,}"
        raise ParseError([Problem(message)], file=file)
    reader = _Reader()
    try:
        reader.parser.Parse(data, True)
    except _Refused as refusal:
        problem = Problem(str(refusal), _span(*refusal.place))
    except expat.ExpatError as error:
        problem = Problem(f"not well-formed XML: {expat.ErrorString(error.code)}", _error(error))
    except (LookupError, ValueError) as error:  # an encoding that Python does not know
        problem = Problem(f"not readable as XML: {error}", _span(*reader.place))
    else:
        assert reader.root is not None
        return XmlTree(reader.root, reader.doctype)
    raise ParseError([problem], source=source, file=file)


def _error(error: expat.ExpatError) -> Span:
    return _span(error.lineno, error.offset + 1)


def _span(line: int, column: int) -> Span:
    return Span(line, column, column + 1)
