"""The XML of an UPPAAL file as a document; what is not known is named, never dropped."""

from __future__ import annotations

from typing import Any

from dyverse.errors import Problem, Span, did_you_mean
from dyverse.uppaal.files.xmltree import XmlElement, XmlTree
from dyverse.uppaal.language.document import (
    Arrow,
    Attributes,
    Document,
    Kept,
    Label,
    Place,
    Template,
)
from dyverse.uppaal.language.parse import Rule, parsed
from dyverse.uppaal.language.source import Source
from dyverse.uppaal.language.syntax import Declaration, Remark

ROOTS = ("nta", "project")
LABELS: dict[str, Rule | None] = {  # kind -> how its text is read; None: not at all
    "select": "select_part",
    "guard": "guard_part",
    "synchronisation": "sync_part",
    "assignment": "update_part",
    "probability": "rate_part",
    "invariant": "guard_part",
    "exponentialrate": "rate_part",
    "comments": None,
    "testcode": None,
    "testcodeEnter": None,
    "testcodeExit": None,
}
AT_PLACES = ("invariant", "exponentialrate", "comments", "testcodeEnter", "testcodeExit")
AT_ARROWS = ("select", "guard", "synchronisation", "assignment", "probability", "comments")


class XmlReader:
    """Reads one file; the problems found on the way are in ``problems``."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.text = file, text
        self.problems: list[Problem] = []
        self._moved: list[Remark] = []  # comments of labels, on their way to the declarations

    def document(self, tree: XmlTree) -> Document:
        """The whole file."""
        root = tree.root
        if root.tag not in ROOTS:
            self._add(f"this is no UPPAAL model: the root is <{root.tag}>, not <nta>", root.span)
            return Document()
        self._known(root, ("declaration", "template", "lsc", "instantiation", "system", "queries"))
        templates = tuple(self._template(child) for child in root.all("template"))
        declarations = (*self._part(root, "declaration", "global_part"), *self._taken())
        system = [*root.all("instantiation"), *root.all("system")]
        found = tuple(item for child in system for item in self._read(child, "system_part") or ())
        return Document(
            declarations=declarations,
            templates=templates,
            system=(*found, *self._taken()),
            charts=tuple(map(kept, root.all("lsc"))),
            queries=None if (queries := root.first("queries")) is None else kept(queries),
            doctype=tree.doctype,
            remarks=tuple(root.remarks),
            file=self.file,
            source=self.text,
        )

    def _template(self, element: XmlElement) -> Template:
        tags = ("name", "parameter", "declaration", "location", "branchpoint", "init", "transition")
        self._known(element, tags)
        name = self._name(element, required=True)
        places = tuple(self._place(child) for child in element.all("location"))
        points = tuple(self._place(child) for child in element.all("branchpoint"))
        arrows = tuple(self._arrow(child) for child in element.all("transition"))
        initial = self._initial(element, places)
        self._check_ends(element, {place.id for place in (*places, *points)})
        local = self._part(element, "declaration", "local_part")
        return Template(
            name or "",
            self._part(element, "parameter", "parameter_part"),
            (*local, *self._taken()),
            places,
            points,
            initial,
            arrows,
            _attributes(element),
            _attributes(element.first("name")),
            _attributes(element.first("parameter")),
            tuple(element.remarks),
            element.span,
        )

    def _place(self, element: XmlElement) -> Place:
        branch = element.tag == "branchpoint"
        self._known(element, () if branch else ("name", "label", "urgent", "committed"))
        attributes = {k: v for k, v in element.attributes.items() if k != "id"}
        identity = element.attributes.get("id", "")
        if not identity:
            self._add(f"this <{element.tag}> has no id", element.span)
        return Place(
            identity,
            self._name(element, required=False),
            self._labels(element, AT_PLACES),
            element.first("urgent") is not None,
            element.first("committed") is not None,
            tuple(attributes.items()),
            _attributes(element.first("name")),
            element.span,
        )

    def _arrow(self, element: XmlElement) -> Arrow:
        self._known(element, ("source", "target", "label", "nail"))
        return Arrow(
            self._ref(element, "source"),
            self._ref(element, "target"),
            self._labels(element, (*AT_ARROWS, "testcode")),
            _attributes(element),
            tuple(_attributes(nail) for nail in element.all("nail")),
            element.span,
        )

    def _labels(self, element: XmlElement, allowed: tuple[str, ...]) -> tuple[Label, ...]:
        return tuple(self._label(child, allowed) for child in element.all("label"))

    def _label(self, element: XmlElement, allowed: tuple[str, ...]) -> Label:
        attributes = dict(element.attributes)
        kind = attributes.pop("kind", "")
        source = element.source
        value: Any = source.text  # what the rule of the kind gives
        if kind not in allowed:
            hint = did_you_mean(kind, allowed) or f" (known: {', '.join(allowed)})"
            self._add(f"a label of kind {kind!r} is not supported here{hint}", element.span)
        elif (rule := LABELS[kind]) is not None:
            value = None if source.blank else self._parsed(source, rule)
        return Label(kind, value, tuple(attributes.items()), element.span)

    def _name(self, element: XmlElement, *, required: bool) -> str | None:
        named = element.first("name")
        if named is None or named.source.blank:
            if required:
                self._add(f"this <{element.tag}> has no name", element.span)
            return None
        text = named.source.text.strip()
        start = len(named.source.text) - len(named.source.text.lstrip())
        span = named.source.span(start, start + len(text))
        if not (text.isidentifier() and text.isascii()):
            self._add(f"{text!r} cannot be a name: letters, digits and '_' only", span)
        return text

    def _initial(self, element: XmlElement, places: tuple[Place, ...]) -> str | None:
        if element.first("init") is None:
            self._add("this template has no initial location: <init ref=…/>", element.span)
            return None
        return self._ref(element, "init")

    def _ref(self, element: XmlElement, tag: str) -> str:
        child = element.first(tag)
        if child is None or not child.attributes.get("ref"):
            self._add(f"this <{element.tag}> has no <{tag} ref=…/>", element.span)
            return ""
        return child.attributes["ref"]

    def _check_ends(self, element: XmlElement, ids: set[str]) -> None:
        """Every reference leads to a place of the template, and no place is there twice."""
        places = [*element.all("location"), *element.all("branchpoint")]
        seen: set[str] = set()
        for place in places:
            if (identity := place.attributes.get("id", "")) in seen:
                self._add(f"the id {identity!r} is used twice", place.span)
            seen.add(identity)
        ends = [end for arrow in element.all("transition") for end in arrow.children]
        for end in [*ends, *element.all("init")]:
            ref = end.attributes.get("ref")
            if ref and ref not in ids:
                self._add(f"no location has the id {ref!r}{did_you_mean(ref, ids)}", end.span)

    def _part(self, element: XmlElement, tag: str, rule: Rule) -> tuple[Any, ...]:
        found = [self._read(child, rule) or () for child in element.all(tag)]
        return tuple(item for items in found for item in items)

    def _read(self, element: XmlElement, rule: Rule) -> tuple[Any, ...] | None:
        self._known(element, ())
        tree: tuple[Any, ...] | None = self._parsed(element.source, rule)
        return tree

    def _parsed(self, source: Source, rule: Rule) -> Any:  # what the rule gives
        found = parsed(source, rule)
        self._moved += found.remarks
        if found.problem is not None:
            self.problems.append(found.problem)
        return found.tree

    def _taken(self) -> tuple[Declaration, ...]:
        taken, self._moved = self._moved, []
        return tuple(taken)

    def _known(self, element: XmlElement, tags: tuple[str, ...]) -> None:
        text = element.source
        if tags and not text.blank:
            start = len(text.text) - len(text.text.lstrip())
            place = text.span(start, len(text.text.rstrip()))
            self._add(f"there is text directly inside <{element.tag}>", place)
        for child in element.children:
            if child.tag not in tags:
                hint = did_you_mean(child.tag, tags)
                message = f"<{child.tag}> inside <{element.tag}> is not supported{hint}"
                self._add(message, child.span)

    def _add(self, message: str, span: Span) -> None:
        self.problems.append(Problem(message, span))


def kept(element: XmlElement) -> Kept:
    """An element as it is; blank text around children is left out."""
    text = element.source.text
    children = tuple(map(kept, element.children))
    return Kept(element.tag, _attributes(element), text if text.strip() else "", children)


def _attributes(element: XmlElement | None) -> Attributes:
    return () if element is None else tuple(element.attributes.items())
