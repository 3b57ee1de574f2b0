"""Long-term behaviours, and their languages derived from a labelled transition system.

A behaviour is an equilibrium in a location or a cycle of locations repeated for ever ([carter2011]
§5). Its language is the set of words of all runs that end so: those that lead to the location, or
that lead to the cycle and then follow it. Expressions come from the system by eliminating its
locations one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from dyverse.abstraction.language.expression import (
    EMPTY,
    EPSILON,
    Expression,
    Letter,
    concat,
    omega,
    star,
    union,
)
from dyverse.abstraction.language.simplify import simplify
from dyverse.abstraction.language.word import primitive_root
from dyverse.abstraction.omega.automata import BuchiAutomaton, FiniteAutomaton
from dyverse.abstraction.omega.lts import Lts, Step
from dyverse.errors import ModelError, Problem, did_you_mean

_START, _END = 0, 1  # besides the locations, which are strings


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """The run stays in ``location`` for ever; its word is finite."""

    location: str
    name: str = ""

    def __str__(self) -> str:
        return self.name or f"equilibrium in {self.location}"


@dataclass(frozen=True, slots=True)
class Cycle:
    """The run goes through ``locations`` and round again for ever."""

    locations: tuple[str, ...]
    name: str = ""

    def __post_init__(self) -> None:
        if not self.locations:
            raise ModelError([Problem("a cycle needs at least one location")], file="<behaviour>")

    def __str__(self) -> str:
        return self.name or f"{' '.join(self.locations)} for ever"

    @property
    def round(self) -> tuple[tuple[str, str], ...]:
        """Its moves from location to location, once round."""
        places = primitive_root(self.locations)
        return tuple(zip(places, (*places[1:], places[0]), strict=True))


Behaviour = Equilibrium | Cycle


def check_behaviours(system: Lts, behaviours: Iterable[Behaviour]) -> None:
    """Say which behaviours the system cannot have, and which are there twice."""
    problems: list[Problem] = []
    seen: dict[object, Behaviour] = {}
    for behaviour in behaviours:
        problems += _problems(system, behaviour)
        other = seen.setdefault(_identity(behaviour), behaviour)
        if other is not behaviour:
            problems.append(Problem(f"{behaviour} and {other} are the same behaviour"))
    if problems:
        raise ModelError(problems, file="<behaviour>")


def _problems(system: Lts, behaviour: Behaviour) -> list[Problem]:
    places = behaviour.locations if isinstance(behaviour, Cycle) else (behaviour.location,)
    unknown = [place for place in dict.fromkeys(places) if place not in system.locations]
    if unknown or isinstance(behaviour, Equilibrium):
        hints = ((place, did_you_mean(place, system.locations)) for place in unknown)
        return [Problem(f"{behaviour}: unknown location {place!r}{hint}") for place, hint in hints]
    missing = [move for move in behaviour.round if _between(system, *move) == EMPTY]
    return [Problem(f"{behaviour}: no step leads from {a!r} to {b!r}") for a, b in missing]


def _identity(behaviour: Behaviour) -> object:
    """Equal for behaviours that differ in name or in where the cycle begins."""
    if isinstance(behaviour, Equilibrium):
        return behaviour.location
    moves = behaviour.round
    return min(moves[n:] + moves[:n] for n in range(len(moves)))


def derive(system: Lts, behaviour: Behaviour) -> Expression:
    """The language of ``behaviour`` from the initial locations of ``system``."""
    check_behaviours(system, [behaviour])
    if isinstance(behaviour, Equilibrium):
        return words_between(system, system.initial, [behaviour.location])
    once = concat(*(_between(system, *move) for move in behaviour.round))
    way = words_between(system, system.initial, [behaviour.locations[0]])
    return simplify(concat(way, omega(simplify(once))))


def behaviour_automaton(system: Lts, behaviour: Behaviour) -> FiniteAutomaton | BuchiAutomaton:
    """The same language as an automaton, which stays small where expressions grow long.

    For a cycle, a run may at any step begin to follow it, in copies of its locations.
    """
    check_behaviours(system, [behaviour])
    if isinstance(behaviour, Equilibrium):
        return FiniteAutomaton(system, frozenset({behaviour.location}))
    moves = behaviour.round
    names = [f"{start} [{n}]" for n, (start, _) in enumerate(moves)]
    steps = list(system.steps)
    for n, (source, target) in enumerate(moves):
        there = names[(n + 1) % len(moves)]
        for step in (s for s in system.outgoing(source) if s.target == target):
            steps += [Step(here, step.letter, there) for here in (source, names[n])]
    locations = (*system.locations, *names)
    followed = Lts(locations, system.alphabet, tuple(dict.fromkeys(steps)), system.initial)
    return BuchiAutomaton(followed, frozenset(names))


def _between(system: Lts, source: str, target: str) -> Expression:
    """The letters that lead from ``source`` to ``target``; ∅ if none does."""
    steps = (step for step in system.outgoing(source) if step.target == target)
    return union(*(Letter(step.letter) for step in steps))


Place = str | int
Ways = dict[tuple[Place, Place], Expression]


def words_between(system: Lts, sources: Iterable[str], targets: Iterable[str]) -> Expression:
    """All words that lead from one of ``sources`` to one of ``targets``."""
    ways: Ways = {}
    for step in system.steps:
        _add(ways, step.source, step.target, Letter(step.letter))
    for source in sources:
        _add(ways, _START, source, EPSILON)
    for target in targets:
        _add(ways, target, _END, EPSILON)
    for place in _quiet_first(system):
        ways = _without(ways, place)
    return ways.get((_START, _END), EMPTY)


def _quiet_first(system: Lts) -> list[str]:
    """The locations by the number of their steps, which keeps expressions short."""
    busy = Counter(end for step in system.steps for end in {step.source, step.target})
    return sorted(system.locations, key=lambda place: (busy[place], place))


def _without(ways: Ways, place: Place) -> Ways:
    """The ways between all other places, those through ``place`` included."""
    kept = {ends: words for ends, words in ways.items() if place not in ends}
    around = star(ways.get((place, place), EMPTY))
    for (start, end), entering in ways.items():
        if end == place != start:
            for (middle, goal), leaving in ways.items():
                if middle == place != goal:
                    _add(kept, start, goal, concat(entering, around, leaving))
    return kept


def _add(ways: Ways, start: Place, end: Place, words: Expression) -> None:
    ways[start, end] = simplify(union(ways.get((start, end), EMPTY), words))
