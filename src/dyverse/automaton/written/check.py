"""What can be wrong with a hand-written automaton: all of it, each in a sentence."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from random import Random
from typing import TYPE_CHECKING

from dyverse.automaton.interface import Assignment
from dyverse.automaton.node import ENTRANCE, EXIT, ComputationNode, NodePlace
from dyverse.errors import Problem, did_you_mean
from dyverse.expr.formula import And, Compare, Formula, Or
from dyverse.expr.term import (
    CHOICE,
    CONDITIONS,
    CONSTANTS,
    FUNCTIONS,
    Call,
    Symbol,
    Term,
    children,
    symbols,
)
from dyverse.expr.value import value

if TYPE_CHECKING:
    from dyverse.automaton.written.written import WrittenAutomaton

Words = Iterator[str]
PLACES = 4  # at which it is looked whether a term repeats


def problems_of(automaton: WrittenAutomaton) -> list[Problem]:
    """Every problem, in the order in which the automaton is written."""
    checks = (_names, _locations, _edges, _nodes, _start)
    messages = list(chain.from_iterable(check(automaton) for check in checks))
    messages += [] if messages else _period(automaton)
    return [Problem(message) for message in dict.fromkeys(messages)]


def _known(automaton: WrittenAutomaton) -> tuple[str, ...]:
    return (*automaton.variables, *(name for name, _ in automaton.parameters), "t", *CONSTANTS)


def _places(automaton: WrittenAutomaton) -> list[str]:
    return [place.name for place in automaton.locations] + [node.name for node in automaton.nodes]


def _names(automaton: WrittenAutomaton) -> Words:
    yield from twice("name", _known(automaton))
    yield from twice("location or node", _places(automaton))
    yield from not_finite("parameter", automaton.parameters)
    if not automaton.margin >= 0:
        yield f"the margin must not be negative, not {automaton.margin}"


def _locations(automaton: WrittenAutomaton) -> Words:
    for location in automaton.locations:
        where = f"location {location.name!r}"
        yield from assignment_words(where, location.rates, automaton.variables, _known(automaton))
        yield from formula_words(where, location.invariant, _known(automaton))


def _edges(automaton: WrittenAutomaton) -> Words:
    for edge in automaton.edges:
        where = f"edge {edge}"
        yield from _end(where, edge.source, EXIT, automaton)
        yield from _end(where, edge.target, ENTRANCE, automaton)
        yield from formula_words(where, edge.guard, _known(automaton))
        yield from assignment_words(where, edge.reset, automaton.variables, _known(automaton))


def _end(where: str, end: str | NodePlace, place: str, automaton: WrittenAutomaton) -> Words:
    if isinstance(end, NodePlace):
        nodes = [node.name for node in automaton.nodes]
        if end.node not in nodes:
            yield f"{where}: unknown node {end.node!r}{did_you_mean(end.node, nodes)}"
        if end.place != place:
            yield f"{where}: edges enter a node at 'en' and leave it at 'ex', not at {end.place!r}"
    elif end not in (places := _places(automaton)):
        yield f"{where}: unknown location {end!r}{did_you_mean(end, places)}"


def _nodes(automaton: WrittenAutomaton) -> Words:
    left = {e.source.node if isinstance(e.source, NodePlace) else e.source for e in automaton.edges}
    for node in automaton.nodes:
        where = f"node {node.name!r}"
        if node.name not in left:
            yield f"{where}: no edge leaves it"
        if node.max_sweeps < 1:
            yield f"{where}: max_sweeps must be at least 1, not {node.max_sweeps}"
        yield from twice(f"{where}: name", (*node.local, *_known(automaton)))
        yield from _inside(where, node, automaton)


def _inside(where: str, node: ComputationNode, automaton: WrittenAutomaton) -> Words:
    outside, inside = _known(automaton), (*_known(automaton), *node.local)
    targets = (*automaton.variables, *node.local)
    yield from assignment_words(f"{where}, entrance", node.entrance, targets, outside)
    guessed = {assignment.target for assignment in node.entrance}
    for name in node.local:
        if name not in guessed:
            yield f"{where}: local variable {name!r} has no initial guess"
    yield from _steps(where, node, targets, inside)
    yield from formula_words(f"{where}, converged", node.converged, inside)
    if node.residual is not None:
        yield from _term(f"{where}, residual", node.residual, inside)
    yield from assignment_words(f"{where}, exit", node.exit, automaton.variables, inside)


def _steps(
    where: str, node: ComputationNode, targets: Collection[str], known: Collection[str]
) -> Words:
    if not node.steps:
        yield f"{where}: a sweep needs at least one step"
    yield from twice(f"{where}: step", (step.name for step in node.steps))
    for step in node.steps:
        if (step.function is None) == (not step.assignments):
            yield f"{where}, step {step.name!r}: give either assignments or a function"
        yield from assignment_words(
            f"{where}, step {step.name!r}", step.assignments, targets, known
        )


def _start(automaton: WrittenAutomaton) -> Words:
    names = [location.name for location in automaton.locations]
    where = automaton.initial.location
    if where not in names:
        yield f"initial: unknown location {where!r}{did_you_mean(where, names)}"
    for name, _ in automaton.initial.values:
        if name not in automaton.variables:
            yield f"initial: unknown variable {name!r}{did_you_mean(name, automaton.variables)}"
    yield from twice("initial: variable", (name for name, _ in automaton.initial.values))
    yield from not_finite("initial", automaton.initial.values)


def _period(automaton: WrittenAutomaton) -> Words:
    """What does not repeat after the period, by its values at some places and times."""
    period = automaton.period
    if period is None:
        return
    if not 0 < period < math.inf:
        yield f"the period must be a finite time over 0, not {period}"
        return
    random = Random(0)
    for where, term in _timed(automaton):
        for _ in range(PLACES):
            known = {name: random.uniform(-2, 2) for name in automaton.variables}
            known |= dict(automaton.parameters) | {"t": random.uniform(0, 10 * period)}
            now, then = (value(term, known | {"t": known["t"] + n * period}) for n in (0, 1))
            if abs(now - then) > 1e-6 * (1 + abs(now)):
                yield f"{where}: does not repeat after the period {period:g}"


def _timed(automaton: WrittenAutomaton) -> Iterator[tuple[str, Term]]:
    """All terms that depend on time, with where they are."""
    for place in automaton.locations:
        terms = [rate.value for rate in place.rates] + _sides(place.invariant)
        yield from ((f"location {place.name!r}", term) for term in terms if _has_time(term))
    for edge in automaton.edges:
        terms = [a.value for a in edge.reset] + _sides(edge.guard)
        yield from ((f"edge {edge}", term) for term in terms if _has_time(term))


def _has_time(term: Term) -> bool:
    return any(symbol.name == "t" for symbol in symbols(term))


def _sides(formula: Formula) -> list[Term]:
    """The differences that the comparisons of a formula are about."""
    match formula:
        case Compare(left=left, right=right):
            return [left - right]
        case And(parts=parts) | Or(parts=parts):
            return [side for part in parts for side in _sides(part)]
        case _:
            return _sides(formula.part)


def twice(what: str, names: Iterable[str]) -> Words:
    """A sentence for each name that occurs more than once."""
    for name, count in Counter(names).items():
        if count > 1:
            yield f"{what} {name!r} is used twice"


def not_finite(what: str, values: Iterable[tuple[str, float]]) -> Words:
    """A sentence for each number that is not finite."""
    for name, number in values:
        if not math.isfinite(number):
            yield f"{what}: {name!r} is {number}, not a finite number"


def assignment_words(
    where: str,
    assignments: tuple[Assignment, ...],
    targets: Collection[str],
    known: Collection[str],
) -> Words:
    """What is wrong with assignments to ``targets`` that may use the names ``known``."""
    yield from twice(f"{where}: the target", (a.target for a in assignments))
    for assignment in assignments:
        if assignment.target not in targets:
            hint = did_you_mean(assignment.target, targets)
            yield f"{where}: unknown variable {assignment.target!r}{hint}"
        yield from _term(where, assignment.value, known)


def formula_words(where: str, formula: Formula, known: Collection[str]) -> Words:
    """Unknown names and functions in a formula."""
    match formula:
        case Compare(left=left, right=right):
            yield from _term(where, left, known)
            yield from _term(where, right, known)
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from formula_words(where, part, known)
        case _:
            yield from formula_words(where, formula.part, known)


def _term(where: str, term: Term, known: Collection[str]) -> Words:
    if isinstance(term, Symbol) and term.name not in known:
        yield f"{where}: unknown name {term.name!r}{did_you_mean(term.name, known)}"
    if isinstance(term, Call):
        yield from _call(where, term)
    for child in children(term):
        yield from _term(where, child, known)


def _call(where: str, call: Call) -> Words:
    if call.function in CONDITIONS or call.function == CHOICE:
        return
    wanted = FUNCTIONS.get(call.function)
    if wanted is None:
        yield f"{where}: unknown function {call.function!r}{did_you_mean(call.function, FUNCTIONS)}"
    elif wanted != len(call.arguments):
        yield f"{where}: {call.function} takes {wanted} arguments, not {len(call.arguments)}"
