"""Numbers taken out of guards, invariants and assignments, and put among the parameters.

Processes of one template differ in numbers: ``id == 3``, ``id == 4``. With a name for each number
they have the same code, so that a thousand of them are compiled as one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dyverse.automaton.interface import Assignment
from dyverse.automaton.network.component import Component
from dyverse.expr.formula import Formula
from dyverse.expr.rewrite import rewritten, rewritten_formula
from dyverse.expr.term import Number, Symbol, Term

MARK = "="  # begins the name of a number; no parameter has it


def number_of(name: str) -> float | None:
    """The number that a lifted name stands for; none if it is a real parameter."""
    return float.fromhex(name[len(MARK) :]) if name.startswith(MARK) else None


def without_numbers(
    components: Iterable[Component],
) -> tuple[tuple[Component, ...], tuple[str, ...]]:
    """The components with names for numbers, and these names."""
    lifter = _Lifter()
    return tuple(map(lifter.component, components)), tuple(lifter.names)


class _Lifter:
    def __init__(self) -> None:
        self.names: dict[str, None] = {}

    def component(self, item: Component) -> Component:
        """A component; its rates stay as they are, so that constant ones are known as such."""
        places = tuple(replace(p, invariant=self._formula(p.invariant)) for p in item.places)
        edges = tuple(
            replace(
                edge,
                guard=self._formula(edge.guard),
                reset=tuple(Assignment(a.target, self._term(a.value)) for a in edge.reset),
            )
            for edge in item.edges
        )
        return replace(item, places=places, edges=edges)

    def _formula(self, formula: Formula) -> Formula:
        return rewritten_formula(formula, self._named)

    def _term(self, term: Term) -> Term:
        return rewritten(term, self._named)

    def _named(self, term: Term) -> Term:
        if not isinstance(term, Number):
            return term
        name = f"{MARK}{float(term.value).hex()}"
        self.names[name] = None
        return Symbol(name)
