"""The names in a model that an editor can complete, with what they stand for."""

from __future__ import annotations

from collections.abc import Iterator

from dyverse.animation.describing.names import signal_names
from dyverse.animation.parts import parts_of
from dyverse.animation.playable import PlayableModel

SIGNALS = 300  # that are told


def words(model: PlayableModel) -> Iterator[tuple[str, str]]:
    """Each name with its kind; the most used first."""
    world, automaton = model.world, model.automaton({})
    parts = parts_of(automaton)
    yield from ((item.name, "parameter") for item in world.parameters)
    yield from ((item.name, "input") for item in world.inputs)
    yield from ((body.name, "body") for body in world.bodies)
    yield from ((claim.name, "property") for claim in world.properties)
    for item in parts.components:
        yield item.name, "automaton"
        yield from ((place.name, "location") for place in item.places)
        actions = (edge.action for edge in item.edges if edge.action is not None)
        yield from ((action.channel, "channel") for action in actions)
    variables = frozenset(automaton.variables)
    for name in signal_names(automaton, parts)[:SIGNALS]:
        yield name, "variable" if name in variables else "signal"
