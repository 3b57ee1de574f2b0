"""Processes of the format XTA from the parser's reductions; they become templates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from lark import Token, Transformer, v_args

from dyverse.errors import Span
from dyverse.text.tree.builder import Mistake, token_span
from dyverse.uppaal.language import syntax
from dyverse.uppaal.language.document import Arrow, Label, Place, Template
from dyverse.uppaal.language.expression import Expression
from dyverse.uppaal.language.typetree import declared

Items = tuple[syntax.Declaration | Template, ...]


@dataclass(frozen=True, slots=True)
class _Section:
    """One of the lists of a process: its states, say."""

    kind: str
    items: tuple[Any, ...]
    span: Span | None = None


@v_args(inline=True)
class ProcessBuilder(Transformer[Token, Any]):  # any node of the tree
    """The rules about processes."""

    def xta(self, *items: syntax.Declaration | Template) -> Items:
        """A whole file."""
        return items

    def process(self, name: Token, *rest: Any) -> Template:
        """``process P(const int n) { … }``."""
        parameters = tuple(item for item in rest[:-1] if isinstance(item, syntax.Parameter))
        body: Template = rest[-1]
        return replace(body, name=declared(name), parameters=parameters, span=token_span(name))

    def process_body(self, *items: Any) -> Template:
        """Declarations, states, flags, the initial state and transitions."""
        local = (syntax.Variables, syntax.TypeDefinition, syntax.Function, syntax.Remark)
        sections = [item for item in items if isinstance(item, _Section)]
        found = {section.kind: section.items for section in sections}
        if not found:
            return Template("")
        places = _flagged(found["state"], [s for s in sections if s.kind in _FLAGS])
        return Template(
            "",
            declarations=tuple(item for item in items if isinstance(item, local)),
            places=places,
            branchpoints=found.get("branchpoint", ()),
            initial=found["init"][0],
            arrows=found.get("trans", ()),
        )

    def states(self, *places: Place) -> _Section:
        """``state A { x <= 5 }, B;``."""
        return _Section("state", places)

    def state(self, name: Token, *labels: Label) -> Place:
        """``A { invariant; rate }``."""
        return Place(declared(name), str(name), labels, span=token_span(name))

    def invariant(self, value: Expression) -> Label:
        """``x <= 5``."""
        return Label("invariant", value, span=value.span)

    def state_rate(self, value: Expression) -> Label:
        """``; 3``: the rate of an exponential distribution."""
        return Label("exponentialrate", value, span=value.span)

    def branchpoints(self, *names: Token) -> _Section:
        """``branchpoint B1, B2;``."""
        points = tuple(Place(declared(n), span=token_span(n)) for n in names)
        return _Section("branchpoint", points)

    def flags(self, word: Token, *names: Token) -> _Section:
        """``commit A;`` or ``urgent A;``."""
        return _Section(str(word), names)

    def initial(self, name: Token) -> _Section:
        """``init A;``."""
        return _Section("init", (str(name),))

    def transitions(self, *arrows: Arrow) -> _Section:
        """``trans A -> B { … }, -> C { … };``: where no source is written it is the last one."""
        found: list[Arrow] = []
        for arrow in arrows:
            source = arrow.source or (found[-1].source if found else "")
            if not source:
                assert arrow.span is not None
                raise Mistake("the first transition needs a source", arrow.span)
            found.append(replace(arrow, source=source))
        return _Section("trans", tuple(found))

    def transition(self, source: Token | None, sign: Token, target: Token, *labels: Label) -> Arrow:
        """``A -> B { guard x > 3; }``."""
        attributes = (("controllable", "false"),) if sign == "-u->" else ()
        place = token_span(sign if source is None else source)
        return Arrow(str(source or ""), str(target), labels, attributes, span=place)

    def select(self, value: tuple[syntax.Selection, ...]) -> Label:
        """``select i : T;``."""
        return Label("select", value, span=value[0].span)

    def guard(self, value: Expression) -> Label:
        """``guard x > 3;``."""
        return Label("guard", value, span=value.span)

    def synchronise(self, value: syntax.Synchronisation) -> Label:
        """``sync a!;``."""
        return Label("synchronisation", value, span=value.span)

    def assign(self, value: tuple[Expression, ...]) -> Label:
        """``assign x = 0;``."""
        return Label("assignment", value, span=value[0].span)

    def probability(self, value: Expression) -> Label:
        """``probability 3;``."""
        return Label("probability", value, span=value.span)


_FLAGS = ("commit", "urgent")


def _flagged(places: tuple[Place, ...], flags: list[_Section]) -> tuple[Place, ...]:
    names = {place.id for place in places}
    for token in (token for flag in flags for token in flag.items):
        if str(token) not in names:
            raise Mistake(f"unknown state {str(token)!r}", token_span(token))
    words = {word: {str(n) for f in flags if f.kind == word for n in f.items} for word in _FLAGS}
    return tuple(
        replace(
            place,
            committed=place.id in words["commit"],
            urgent=place.id in words["urgent"],
        )
        for place in places
    )
