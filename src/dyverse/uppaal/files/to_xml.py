"""A document as the XML that UPPAAL reads; reading it again gives the document back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, count

from dyverse.uppaal.language.document import (
    Arrow,
    Attributes,
    Doctype,
    Document,
    Kept,
    Label,
    Place,
    Template,
)
from dyverse.uppaal.language.printing import label_text, parameters_text
from dyverse.uppaal.language.printing_code import declarations_text

_TEXT = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}
_QUOTED = _TEXT | {'"': "&quot;", "\n": "&#10;", "\t": "&#9;"}


def xml_text(document: Document) -> str:
    """The whole file."""
    return "\n".join(_document(document)) + "\n"


def _document(document: Document) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="utf-8"?>'
    if document.doctype is not None:
        yield _doctype(document.doctype)
    yield "<nta>"
    body = chain(
        _remarks(document.remarks),
        [_element("declaration", declarations_text(document.declarations))],
        *map(_template, with_own_ids(document.templates)),
        *map(_kept, document.charts),
        [_element("system", declarations_text(document.system))],
        [] if document.queries is None else _kept(document.queries),
    )
    yield from _indented(body)
    yield "</nta>"


def with_own_ids(templates: tuple[Template, ...]) -> tuple[Template, ...]:
    """The templates with ids that stand once in the file: XML has one space of them for all."""
    ids = [place.id for t in templates for place in (*t.places, *t.branchpoints)]
    if len(set(ids)) == len(ids):
        return templates
    numbers = count()
    return tuple(_renumbered(template, numbers) for template in templates)


def _renumbered(template: Template, numbers: Iterator[int]) -> Template:
    every = (*template.places, *template.branchpoints)
    new = {place.id: f"id{next(numbers)}" for place in every}
    return replace(
        template,
        places=tuple(replace(place, id=new[place.id]) for place in template.places),
        branchpoints=tuple(replace(point, id=new[point.id]) for point in template.branchpoints),
        initial=new.get(template.initial or ""),
        arrows=tuple(
            replace(a, source=new.get(a.source, a.source), target=new.get(a.target, a.target))
            for a in template.arrows
        ),
    )


def _doctype(doctype: Doctype) -> str:
    if doctype.public is not None:
        return f"<!DOCTYPE {doctype.name} PUBLIC {_id(doctype.public)} {_id(doctype.system or '')}>"
    system = "" if doctype.system is None else f" SYSTEM {_id(doctype.system)}"
    return f"<!DOCTYPE {doctype.name}{system}>"


def _id(text: str) -> str:
    return f'"{text}"' if '"' not in text else f"'{text}'"


def _remarks(remarks: tuple[str, ...]) -> Iterator[str]:
    yield from (f"<!--{remark}-->" for remark in remarks)


def _template(template: Template) -> Iterator[str]:
    yield _open("template", template.attributes)
    body = chain(
        _remarks(template.remarks),
        [_element("name", template.name, template.name_attributes)],
        _parameters(template),
        [_element("declaration", declarations_text(template.declarations))],
        *map(_place, template.places),
        *(_point(point) for point in template.branchpoints),
        [] if template.initial is None else [_open("init", (("ref", template.initial),), "/")],
        *map(_arrow, template.arrows),
    )
    yield from _indented(body)
    yield "</template>"


def _parameters(template: Template) -> Iterator[str]:
    if template.parameters or template.parameter_attributes:
        text = parameters_text(template.parameters)
        yield _element("parameter", text, template.parameter_attributes)


def _place(place: Place) -> Iterator[str]:
    yield _open("location", (("id", place.id), *place.attributes))
    if place.name is not None:
        yield "\t" + _element("name", place.name, place.name_attributes)
    yield from _indented(map(_label, place.labels))
    if place.urgent:
        yield "\t<urgent/>"
    if place.committed:
        yield "\t<committed/>"
    yield "</location>"


def _point(point: Place) -> Iterator[str]:
    yield _open("branchpoint", (("id", point.id), *point.attributes), "/")


def _arrow(arrow: Arrow) -> Iterator[str]:
    yield _open("transition", arrow.attributes)
    yield "\t" + _open("source", (("ref", arrow.source),), "/")
    yield "\t" + _open("target", (("ref", arrow.target),), "/")
    yield from _indented(map(_label, arrow.labels))
    yield from _indented(_open("nail", nail, "/") for nail in arrow.nails)
    yield "</transition>"


def _label(label: Label) -> str:
    return _element("label", label_text(label), (("kind", label.kind), *label.attributes))


def _kept(kept: Kept) -> Iterator[str]:
    if kept.text or not kept.children:
        inside = escaped(kept.text) + "".join(map(_inline, kept.children))
        yield f"{_open(kept.tag, kept.attributes)}{inside}</{kept.tag}>"
        return
    yield _open(kept.tag, kept.attributes)
    yield from _indented(chain.from_iterable(map(_kept, kept.children)))
    yield f"</{kept.tag}>"


def _inline(kept: Kept) -> str:
    inside = escaped(kept.text) + "".join(map(_inline, kept.children))
    return f"{_open(kept.tag, kept.attributes)}{inside}</{kept.tag}>"


def _element(tag: str, text: str, attributes: Attributes = ()) -> str:
    return f"{_open(tag, attributes)}{escaped(text)}</{tag}>"


def _open(tag: str, attributes: Attributes, end: str = "") -> str:
    words = "".join(f' {name}="{_quoted(value)}"' for name, value in attributes)
    return f"<{tag}{words}{end}>"


def _indented(lines: Iterator[str]) -> Iterator[str]:
    return (f"\t{line}" for line in lines)


def escaped(text: str) -> str:
    """Text between tags."""
    return "".join(_TEXT.get(letter, letter) for letter in text)


def _quoted(text: str) -> str:
    return "".join(_QUOTED.get(letter, letter) for letter in text)
