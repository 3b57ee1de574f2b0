"""Several surfaces of discontinuity: the composition of systems with one surface each.

[carter2011] §5: a location of the composition is one location of each system, and an edge moves one
of them. The letters of system n carry its number: a1, b1, …, a2, … Systems act on each other by
reading each other's variables; each has its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, product

from dyverse.automaton.surface.discontinuous import (
    LOCATIONS,
    DiscontinuousSystem,
    Rules,
    edges_of,
    locations_of,
    period_of,
)
from dyverse.automaton.written.written import Start, WrittenAutomaton, WrittenEdge, WrittenLocation
from dyverse.errors import ModelError, Problem
from dyverse.expr.formula import both
from dyverse.expr.term import symbols

Places = tuple[str, ...]


def composed_automaton(
    systems: Sequence[DiscontinuousSystem], *, rules: Rules = "complete"
) -> WrittenAutomaton:
    """The hybrid automaton of systems with one surface each."""
    name = " || ".join(system.name for system in systems)
    if problems := [Problem(message) for message in dict.fromkeys(_problems(systems))]:
        raise ModelError(problems, file=name)
    every = tuple(product(LOCATIONS, repeat=len(systems)))
    return WrittenAutomaton(
        name=name,
        variables=tuple(chain.from_iterable(system.variables for system in systems)),
        parameters=tuple(dict(chain.from_iterable(s.parameters for s in systems)).items()),
        locations=tuple(map(_location, product(*map(locations_of, systems)))),
        edges=tuple(edge for places in every for edge in _edges(systems, places, rules)),
        initial=Start(
            composed_name(tuple(system.initial.location for system in systems)),
            tuple(chain.from_iterable(system.initial.values for system in systems)),
        ),
        period=next((p for p in map(period_of, systems) if p is not None), None),
    )


def composed_name(places: Places) -> str:
    """The name of a location of the composition."""
    return ",".join(places)


def _location(parts: tuple[WrittenLocation, ...]) -> WrittenLocation:
    return WrittenLocation(
        composed_name(tuple(part.name for part in parts)),
        tuple(chain.from_iterable(part.rates for part in parts)),
        both(*(part.invariant for part in parts)),
    )


def _edges(
    systems: Sequence[DiscontinuousSystem], places: Places, rules: Rules
) -> Iterator[WrittenEdge]:
    for n, system in enumerate(systems):
        for edge in edges_of(system, rules):
            if edge.source == places[n]:
                target = (*places[:n], str(edge.target), *places[n + 1 :])
                yield replace(
                    edge,
                    source=composed_name(places),
                    target=composed_name(target),
                    action=f"{edge.action}{n + 1}",
                )


def _problems(systems: Sequence[DiscontinuousSystem]) -> Iterator[str]:
    periods = {period for period in map(period_of, systems) if period is not None}
    if len(periods) > 1:
        yield f"systems with several periods: {', '.join(f'{p:g}' for p in sorted(periods))}"
    owners = Counter(name for system in systems for name in system.variables)
    yield from (f"variable {name!r} is in {n} systems" for name, n in owners.items() if n > 1)
    values: dict[str, float] = {}
    for name, value in chain.from_iterable(system.parameters for system in systems):
        if values.setdefault(name, value) != value:
            yield f"parameter {name!r} is {values[name]:g} in one system and {value:g} in another"
    for system in systems:
        if system.control is None or system.sliding is None:
            yield from _foreign(system, set(owners) - set(system.variables))


def _foreign(system: DiscontinuousSystem, others: set[str]) -> Iterator[str]:
    """The surface, or what its higher derivatives come from, must not move with other systems."""
    normal = system.normal
    further = (*normal.shared, normal.above, normal.below) if normal.degree > 1 else ()
    for symbol in chain.from_iterable(map(symbols, (system.surface, *further))):
        if symbol.name in others:
            yield (
                f"the surface of {system.name!r} depends on {symbol.name!r} of another system; "
                "give its control and its sliding field"
            )
