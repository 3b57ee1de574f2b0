"""Forced systems: what depends on time, and repeats with a period that is given.

In comes an automaton whose rates, guards and resets repeat in t after its ``period``; out goes the
same with the phase, t modulo the period, as a variable of its own, which an edge in every location
sets back. That one does not depend on time, so all evidence of the long run can be looked for in
it; each period its run passes a section. What is found is told without the phase, and without the
letters of its edges.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dyverse.abstraction.evidence.verdict import Converges, Repeats, Verdict
from dyverse.abstraction.language.word import Lasso, Word
from dyverse.abstraction.portrait.field import PERIOD, PHASE, STROBE
from dyverse.abstraction.portrait.orbits import Orbit
from dyverse.automaton.interface import Array, Assignment, State
from dyverse.automaton.run import Arc, Run
from dyverse.automaton.written.written import WrittenAutomaton, WrittenEdge, WrittenLocation
from dyverse.expr.formula import Compare
from dyverse.expr.rewrite import Rewrite, rewritten, rewritten_formula, substitution
from dyverse.expr.term import Number, Symbol


def phased(automaton: WrittenAutomaton) -> WrittenAutomaton:
    """The automaton with its phase as a variable; it must have a period."""
    assert automaton.period is not None
    rewrite = substitution({"t": Symbol(PHASE)})
    again = Compare(">=", Symbol(PHASE), Symbol(PERIOD))
    back = (Assignment(PHASE, Number(0.0)),)
    strobes = (
        WrittenEdge(source=p.name, target=p.name, guard=again, reset=back, action=STROBE)
        for p in automaton.locations
    )
    return replace(
        automaton,
        variables=(*automaton.variables, PHASE),
        parameters=(*automaton.parameters, (PERIOD, automaton.period)),
        locations=tuple(_location(place, rewrite) for place in automaton.locations),
        edges=(*(_edge(edge, rewrite) for edge in automaton.edges), *strobes),
        period=None,
    )


def _location(place: WrittenLocation, rewrite: Rewrite) -> WrittenLocation:
    rates = (*_assignments(place.rates, rewrite), Assignment(PHASE, Number(1.0)))
    return WrittenLocation(place.name, rates, rewritten_formula(place.invariant, rewrite))


def _edge(edge: WrittenEdge, rewrite: Rewrite) -> WrittenEdge:
    guard = rewritten_formula(edge.guard, rewrite)
    return replace(edge, guard=guard, reset=_assignments(edge.reset, rewrite))


def _assignments(given: tuple[Assignment, ...], rewrite: Rewrite) -> tuple[Assignment, ...]:
    return tuple(Assignment(a.target, rewritten(a.value, rewrite)) for a in given)


def with_phase(automaton: WrittenAutomaton, state: State) -> State:
    """A state with the phase that it has at its time."""
    assert automaton.period is not None
    phase = state.time % automaton.period
    return State(state.time, state.location, np.append(state.values, phase), state.held)


def _without(state: State) -> State:
    return State(state.time, state.location, state.values[:-1], state.held)


def unphased_run(automaton: WrittenAutomaton, run: Run) -> Run:
    """A run as one of the automaton itself."""
    parts = tuple(
        Arc(start=_without(arc.start), times=arc.times, states=arc.states[:, :-1])
        for arc in run.arcs
    )
    events = tuple(event for event in run.events if event.kind != STROBE)
    return Run(automaton=automaton, parts=parts, events=events, stop=run.stop, message=run.message)


def unphased(verdict: Verdict) -> Verdict:
    """A verdict about the automaton itself."""
    match verdict:
        case Repeats(word=word, evidence=evidence):
            found = replace(evidence, orbit=_orbit(evidence.orbit))
            return replace(verdict, word=_lasso(word), evidence=found)
        case Converges(evidence=evidence):
            point = replace(evidence.point, values=evidence.point.values[:-1])
            return replace(
                verdict, word=_word(verdict.word), evidence=replace(evidence, point=point)
            )
        case _:
            return replace(verdict, word=_word(verdict.word))


def _word(word: Word) -> Word:
    return tuple(letter for letter in word if letter != STROBE)


def _lasso(word: Lasso | Word) -> Lasso | Word:
    if not isinstance(word, Lasso):
        return _word(word)
    cycle = _word(word.cycle)
    return Lasso(_word(word.prefix), cycle).reduced() if cycle else _word(word.prefix)


def _orbit(orbit: Orbit) -> Orbit:
    """The orbit where stretches that the phase has cut are one again."""
    start, end = _without(orbit.round.start), _without(orbit.round.end)
    track = tuple(_joined(orbit.letters, orbit.round.track))
    return Orbit(_word(orbit.letters), replace(orbit.round, start=start, end=end, track=track))


def _joined(letters: Word, track: tuple[tuple[str, Array], ...]) -> Iterator[tuple[str, Array]]:
    """Each stretch up to a letter of its own; the first goes on where the last one is cut."""
    rows: list[Array] = []
    pieces: list[tuple[str, Array]] = []
    for (place, states), letter in zip(track, letters, strict=True):
        rows.append(states[:, :-1])
        if letter != STROBE:
            pieces.append((place, np.vstack(rows)))
            rows = []
    if not pieces:
        yield track[0][0], np.vstack(rows)
        return
    place, first = pieces[0]
    yield place, np.vstack([*rows, first])
    yield from pieces[1:]
