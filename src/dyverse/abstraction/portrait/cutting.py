"""A location cut in two by a plane, for behaviours that one location cannot tell apart.

In comes an automaton and a cut; out goes the automaton with two locations instead of one, which
flow alike and whose domains meet where the variable has the level. [carter2011] §7 Edges between
the two have guards and no reset, and letters of their own. An edge into the location leads to the
part where its reset ends, an edge out of it leaves from both; edges that the domains rule out are
dropped, which is asked of a linear program. If an edge is kept into both parts its letter gets a
number, since each combination of guard and reset has its own letter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from string import ascii_lowercase

import numpy as np
from scipy.optimize import linprog

from dyverse.automaton.guard.robustness import atom, normal
from dyverse.automaton.interface import Array
from dyverse.automaton.written.written import Start, WrittenAutomaton, WrittenEdge, WrittenLocation
from dyverse.expr.derivative import derivative
from dyverse.expr.formula import And, Compare, Formula, both
from dyverse.expr.term import Number, Symbol, Term, symbols
from dyverse.expr.value import value


@dataclass(frozen=True, slots=True)
class Cut:
    """Where to cut: ``variable = level`` in ``location``."""

    location: str
    variable: str
    level: float

    def __str__(self) -> str:
        return f"{self.location} cut at {self.variable} = {self.level:.6g}"

    @property
    def parts(self) -> tuple[str, str]:
        """The names of the part below and the part above."""
        return f"{self.location}_1", f"{self.location}_2"


def cut_automaton(automaton: WrittenAutomaton, cut: Cut) -> WrittenAutomaton:
    """The same automaton with the location of ``cut`` in two parts."""
    locations = tuple(part for place in automaton.locations for part in _parts(place, cut))
    domains = {place.name: place.invariant for place in locations}
    edges = tuple(
        edge for whole in automaton.edges for edge in _copies(whole, cut, domains, automaton)
    )
    return replace(
        automaton,
        locations=locations,
        edges=(*edges, *_between(cut, {edge.action for edge in automaton.edges})),
        initial=_start(automaton, cut),
    )


def _parts(place: WrittenLocation, cut: Cut) -> Iterator[WrittenLocation]:
    if place.name != cut.location:
        yield place
        return
    variable, level = Symbol(cut.variable), Number(cut.level)
    below, above = Compare("<=", variable, level), Compare(">=", variable, level)
    for name, side in zip(cut.parts, (below, above), strict=True):
        yield replace(place, name=name, invariant=both(place.invariant, side))


def _copies(
    edge: WrittenEdge, cut: Cut, domains: dict[str, Formula], automaton: WrittenAutomaton
) -> list[WrittenEdge]:
    """What becomes of an edge: a copy for each part that it may leave and enter."""
    sources = cut.parts if edge.source == cut.location else (edge.source,)
    copies: list[WrittenEdge] = []
    for source in sources:
        domain = domains.get(str(source), And(()))
        entering = [
            replace(copy, source=source)
            for copy in _entering(edge, cut)
            if is_possible(automaton, both(domain, copy.guard))
        ]
        if len(entering) > 1 and edge.action:
            entering = [
                replace(copy, action=f"{edge.action}{n}") for n, copy in enumerate(entering, 1)
            ]
        copies += entering
    return copies


def _entering(edge: WrittenEdge, cut: Cut) -> Iterator[WrittenEdge]:
    """The edge into each part, with the guard that its reset ends there."""
    if edge.target != cut.location:
        yield edge
        return
    after: Term = next(
        (a.value for a in edge.reset if a.target == cut.variable), Symbol(cut.variable)
    )
    level, (below, above) = Number(cut.level), cut.parts
    yield replace(edge, target=below, guard=both(edge.guard, Compare("<=", after, level)))
    yield replace(edge, target=above, guard=both(edge.guard, Compare(">", after, level)))


def _between(cut: Cut, used: set[str]) -> Iterator[WrittenEdge]:
    """The edges from part to part, with two new letters."""
    variable, level, (below, above) = Symbol(cut.variable), Number(cut.level), cut.parts
    letters = _fresh(used)
    yield WrittenEdge(
        source=below, target=above, guard=Compare(">", variable, level), action=next(letters)
    )
    yield WrittenEdge(
        source=above, target=below, guard=Compare("<", variable, level), action=next(letters)
    )


def _fresh(used: set[str]) -> Iterator[str]:
    for number in count():
        for letter in ascii_lowercase:
            if (name := f"{letter}{number or ''}") not in used:
                yield name


def _start(automaton: WrittenAutomaton, cut: Cut) -> Start:
    start = automaton.initial
    if start.location != cut.location:
        return start
    return replace(start, location=cut.parts[dict(start.values).get(cut.variable, 0.0) > cut.level])


def part_of(cut: Cut, location: str, values: Array, variables: tuple[str, ...]) -> str:
    """The location in which a state is after the cut."""
    if location != cut.location:
        return location
    return cut.parts[int(values[variables.index(cut.variable)] > cut.level)]


def is_possible(automaton: WrittenAutomaton, formula: Formula) -> bool:
    """Whether some state may satisfy ``formula``: not if its linear conditions exclude each other.

    Conditions that are not linear, and alternatives, are left out; so a *no* is sure.
    """
    rows, limits = [], []
    for depth in _conditions(normal(formula)):
        affine = _affine(automaton, depth)
        if affine is not None:
            scale = max(float(np.abs(affine[0]).max()), 1e-300)
            rows.append(-affine[0] / scale)
            limits.append((affine[1] + automaton.margin) / scale)
    if not rows:
        return True
    size = len(automaton.variables)
    found = linprog(np.zeros(size), np.array(rows), np.array(limits), bounds=(None, None))
    return bool(found.status != 2)  # 2: proved to have no solution


def _conditions(formula: Formula) -> Iterator[Term]:
    """The depths of the comparisons that must all hold; an equality is two of them."""
    match formula:
        case And(parts=parts):
            for part in parts:
                yield from _conditions(part)
        case Compare(relation=relation) if relation != "!=":
            depth = atom(formula, margin=0.0).depth
            yield depth
            if relation == "==":
                yield -depth
        case _:
            return


def _affine(automaton: WrittenAutomaton, term: Term) -> tuple[Array, float] | None:
    """Slope and offset of a term that is linear in the variables, else nothing."""
    names, known = automaton.variables, {**dict(automaton.parameters), "t": 0.0}
    slopes = [derivative(term, name) for name in names]
    changing = {*names, "t"}
    if any(symbol.name in changing for slope in slopes for symbol in symbols(slope)):
        return None
    if any(symbol.name == "t" for symbol in symbols(term)):
        return None
    offset = value(term, known | dict.fromkeys(names, 0.0))
    slope = np.array([value(each, known) for each in slopes])
    return (slope, offset) if np.isfinite(slope).all() and np.isfinite(offset) else None
