"""A whole UPPAAL file: declarations, templates with their drawing, the system, the queries.

The same value comes from XML and from XTA; what only a drawing has (coordinates, nails, colours)
is missing in the second. Everything known is kept, so that a file survives being read and written.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dyverse.errors import Span
from dyverse.uppaal.language.expression import Expression
from dyverse.uppaal.language.syntax import (
    Declaration,
    Parameter,
    Selection,
    Synchronisation,
    SystemLine,
)

Attributes = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Doctype:
    """The identifiers of the DTD; it is never fetched."""

    name: str = "nta"
    public: str | None = "-//Uppaal Team//DTD Flat System 1.5//EN"
    system: str | None = "http://www.it.uu.se/research/group/darts/uppaal/flat-1_5.dtd"


@dataclass(frozen=True, slots=True)
class Kept:
    """An element that is kept as it is: a query, say."""

    tag: str
    attributes: Attributes = ()
    text: str = ""
    children: tuple[Kept, ...] = ()


LabelValue = (
    Expression | tuple[Expression, ...] | tuple[Selection, ...] | Synchronisation | str | None
)


@dataclass(frozen=True, slots=True)
class Label:
    """What is written at a location or an edge; ``kind`` says how it was read.

    A guard, invariant, probability or exponential rate is an expression, an assignment a tuple of
    them, a selection a tuple of selections, a synchronisation one; everything else is text.
    """

    kind: str
    value: LabelValue
    attributes: Attributes = ()
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Place:
    """A location of a template, or a branchpoint."""

    id: str
    name: str | None = None
    labels: tuple[Label, ...] = ()
    urgent: bool = False
    committed: bool = False
    attributes: Attributes = ()
    name_attributes: Attributes = ()
    span: Span | None = field(default=None, compare=False, repr=False)

    def label(self, kind: str) -> Label | None:
        """The label of that kind, if there is one with a value."""
        return _label(self.labels, kind)


@dataclass(frozen=True, slots=True)
class Arrow:
    """An edge of a template, between ids of places."""

    source: str
    target: str
    labels: tuple[Label, ...] = ()
    attributes: Attributes = ()
    nails: tuple[Attributes, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)

    def label(self, kind: str) -> Label | None:
        """The label of that kind, if there is one with a value."""
        return _label(self.labels, kind)


def _label(labels: tuple[Label, ...], kind: str) -> Label | None:
    found = (label for label in labels if label.kind == kind)
    return next((label for label in found if label.value not in (None, ())), None)


@dataclass(frozen=True, slots=True)
class Template:
    """A parametrised automaton."""

    name: str
    parameters: tuple[Parameter, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    places: tuple[Place, ...] = ()
    branchpoints: tuple[Place, ...] = ()
    initial: str | None = None
    arrows: tuple[Arrow, ...] = ()
    attributes: Attributes = ()
    name_attributes: Attributes = ()
    parameter_attributes: Attributes = ()
    remarks: tuple[str, ...] = ()  # XML comments
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """An UPPAAL file; ``system`` holds instantiations and the line ``system …;``."""

    declarations: tuple[Declaration, ...] = ()
    templates: tuple[Template, ...] = ()
    system: tuple[Declaration, ...] = ()
    charts: tuple[Kept, ...] = ()  # live sequence charts
    queries: Kept | None = None
    doctype: Doctype | None = field(default_factory=Doctype)
    remarks: tuple[str, ...] = ()
    file: str = field(default="<model>", compare=False, repr=False)
    source: str = field(default="", compare=False, repr=False)

    @property
    def line(self) -> SystemLine | None:
        """The line ``system …;``."""
        return next((item for item in self.system if isinstance(item, SystemLine)), None)
