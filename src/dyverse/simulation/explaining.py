"""Why an integrator could not go on, in the words of the model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dyverse.automaton.interface import HybridAutomaton, Location
from dyverse.automaton.network.moves import Places
from dyverse.automaton.network.network import Network
from dyverse.automaton.run import Run, Stop
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.bodies.world import World
from dyverse.expr.domain import at_edge
from dyverse.expr.printing import term_text
from dyverse.expr.term import Term
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.coupled.automaton import CoupledAutomaton
from dyverse.generation.coupled.jumps import Joint


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
    match automaton:
        case WrittenAutomaton(locations=locations):
            found = (place for place in locations if place.name == location)
            yield from (rate.value for place in found for rate in place.rates)
        case Network():
            assert isinstance(location, Places)
            places = (automaton.moves.place(i, name) for i, name in enumerate(location))
            yield from (rate.value for place in places for rate in place.rates)
        case RigidBodyAutomaton(world=world):
            yield from _loads(world)
        case CoupledAutomaton(world=world, network=network):
            assert isinstance(location, Joint)
            yield from _loads(world)
            yield from _rates(network, location.places)


def _loads(world: World) -> Iterator[Term]:
    yield from (item.formula for item in world.inputs if item.formula is not None)
    for load in world.loads:
        yield from (*load.vector, *(load.at or ()))
