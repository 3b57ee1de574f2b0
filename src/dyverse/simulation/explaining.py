"""Why an integrator could not go on, in the words of the model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dyverse.automaton.interface import HybridAutomaton, Location
from dyverse.automaton.network.moves import Places
from dyverse.automaton.run import Run, Stop
from dyverse.bodies.world import World
from dyverse.expr.domain import at_edge
from dyverse.expr.printing import term_text
from dyverse.expr.term import Term
from dyverse.generation.coupled.jumps import Joint
from dyverse.generation.parts import parts_of


def explained(run: Run) -> Run:
    """The same run; if a part of its rates is no longer defined where it ended, it is named."""
    if run.stop is not Stop.SOLVER:
        return run
    end = run.end
    part = at_edge(_rates(run.automaton, end.location), run.automaton.observe(end))
    if part is None:
        return run
    return replace(run, message=f"{run.message}: {term_text(part)} is hardly defined there")


def _rates(automaton: HybridAutomaton, location: Location) -> Iterator[Term]:
    """The terms that rates are made from."""
    parts = parts_of(automaton)
    if parts.bodies is not None:
        yield from _loads(parts.bodies.world)
    if parts.network is not None:
        places = location.places if isinstance(location, Joint) else location
        assert isinstance(places, Places)
        found = (parts.network.moves.place(i, name) for i, name in enumerate(places))
        yield from (rate.value for place in found for rate in place.rates)
    if parts.written is not None:
        here = (place for place in parts.written.locations if place.name == location)
        yield from (rate.value for place in here for rate in place.rates)


def _loads(world: World) -> Iterator[Term]:
    yield from (item.formula for item in world.inputs if item.formula is not None)
    for load in world.loads:
        yield from (*load.vector, *(load.at or ()))
