"""What bodies and automata tell about one instant, one after the other.

In come the jumps of the instant and the computation nodes that were passed. Jumps of the bodies in
a row are one passage, told as bodies alone would tell it; each jump of automata is an event of its
own, which says whether they heard the bodies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from dyverse.automaton.interface import Event, Jump, State, Visit
from dyverse.automaton.network.moves import Move
from dyverse.automaton.network.network import Network
from dyverse.generation.coupled.jumps import JointEdge, joint
from dyverse.generation.naming import rigid_events
from dyverse.generation.skeleton.location import Node

BODIES = "bodies"


def coupled_events(
    network: Network,
    before: State,
    visits: tuple[Visit, ...],
    after: State,
    jumps: tuple[Jump, ...],
) -> Iterator[Event]:
    """The events of the way from ``before`` to ``after``."""
    nodes = iter(visits)
    for is_move, group in groupby(jumps, key=_is_move):
        steps = list(group)
        if is_move:
            yield from (_heard(network, jump) for jump in steps if _components(jump))
        else:
            passed = tuple(next(nodes) for jump in steps if _is_in_node(jump.after))
            for event in _passage(steps[0].before, passed, steps[-1].after):
                yield replace(event, source=before.location, target=after.location)


def _passage(left: State, visits: tuple[Visit, ...], reached: State) -> tuple[Event, ...]:
    """What the bodies tell about their way from one dynamical location to another."""
    passed = tuple(replace(visit, before=_of_bodies(visit.before)) for visit in visits)
    return rigid_events(_of_bodies(left), passed, _of_bodies(reached))


def _heard(network: Network, jump: Jump) -> Event:
    """What automata did, and whether they heard the bodies."""
    assert isinstance(jump.edge, JointEdge)
    event = network.event(replace(jump, edge=jump.edge.part))
    if not jump.edge.heard:
        return event
    names = [network.components[i].name for i in _components(jump)]
    who = f"{BODIES} to {', '.join(names)}"
    return replace(event, remark="; ".join(filter(None, (who, jump.chosen))))


def _of_bodies(state: State) -> State:
    return replace(state, location=joint(state).bodies)


def _is_in_node(state: State) -> bool:
    return isinstance(joint(state).bodies, Node)


def _is_move(jump: Jump) -> bool:
    return isinstance(jump.edge, JointEdge) and isinstance(jump.edge.part, Move)


def _components(jump: Jump) -> tuple[int, ...]:
    """The automata that take part in a jump, if any."""
    part = jump.edge.part if isinstance(jump.edge, JointEdge) else None
    return part.components if isinstance(part, Move) else ()
