"""A document as XTA, which has the automata but not their drawing, nor queries."""

from __future__ import annotations

from collections.abc import Iterator

from dyverse.text.fresh_names import Names
from dyverse.uppaal.language.document import Arrow, Document, Label, Place, Template
from dyverse.uppaal.language.printing import label_text, parameters_text
from dyverse.uppaal.language.printing_code import declarations_text
from dyverse.uppaal.language.words import TAKEN

_WORDS = {
    "select": "select",
    "guard": "guard",
    "synchronisation": "sync",
    "assignment": "assign",
    "probability": "probability",
}


def xta_text(document: Document) -> str:
    """The whole file."""
    parts = [
        declarations_text(document.declarations),
        *("\n".join(_process(template)) for template in document.templates),
        declarations_text(document.system),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _process(template: Template) -> Iterator[str]:
    names = _names(template)
    yield f"process {template.name}({parameters_text(template.parameters)}) {{"
    if template.declarations:
        yield declarations_text(template.declarations)
    yield f"state {', '.join(_state(place, names) for place in template.places)};"
    if template.branchpoints:
        yield f"branchpoint {', '.join(names[point.id] for point in template.branchpoints)};"
    for word, marked in (
        ("commit", [names[p.id] for p in template.places if p.committed]),
        ("urgent", [names[p.id] for p in template.places if p.urgent]),
    ):
        if marked:
            yield f"{word} {', '.join(marked)};"
    if template.initial is not None:
        yield f"init {names[template.initial]};"
    if template.arrows:
        arrows = ",\n".join(_transition(arrow, names) for arrow in template.arrows)
        yield f"trans\n{arrows};"
    yield "}"


def _names(template: Template) -> dict[str, str]:
    """Each place under a name of its own; one without a name is called by its id."""
    names = Names(TAKEN)
    named = {p.id: names.new(p.name) for p in template.places if p.name}
    rest = (*template.places, *template.branchpoints)
    return {p.id: named[p.id] if p.id in named else names.new(p.id) for p in rest}


def _state(place: Place, names: dict[str, str]) -> str:
    invariant, rate = place.label("invariant"), place.label("exponentialrate")
    if invariant is None and rate is None:
        return names[place.id]
    inside = "" if invariant is None else f" {label_text(invariant)}"
    inside += "" if rate is None else f"; {label_text(rate)}"
    return f"{names[place.id]} {{{inside} }}"


def _transition(arrow: Arrow, names: dict[str, str]) -> str:
    sign = "-u->" if ("controllable", "false") in arrow.attributes else "->"
    found: list[tuple[str, Label | None]] = [(w, arrow.label(kind)) for kind, w in _WORDS.items()]
    labels = [f"{word} {label_text(label)};" for word, label in found if label is not None]
    inside = "".join(f" {label}" for label in labels)
    return f"    {names[arrow.source]} {sign} {names[arrow.target]} {{{inside} }}"
