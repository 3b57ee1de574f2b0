"""Networks from text in Python: the same values as in `component` and `network`, in fewer words.

An instance with parameters is a function that returns a component::

    def tank(name, outflow):
        return component(name, [place("open", {f"{name}.level": -outflow})])

    levels = [Variable("left.level", start=1), Variable("right.level", start=1)]
    both = network(tank("left", 0.5), tank("right", 0.25), shared=levels)

An edge with ``sync="go!"`` or ``"go?"`` is half of a synchronisation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dyverse.automaton.network.component import (
    Action,
    Channel,
    Component,
    NetworkEdge,
    Place,
    Procedure,
    Variable,
)
from dyverse.automaton.network.network import Assigning, Network
from dyverse.automaton.written.writing import Assignments, assignments
from dyverse.errors import ModelError, Problem
from dyverse.text.parse import parse_formula


def place(
    name: str,
    rates: Assignments | None = None,
    *,
    invariant: str = "true",
    urgent: bool = False,
    committed: bool = False,
) -> Place:
    """A location of a component; clocks without a rate run at 1, other variables stand still."""
    return Place(
        name=name,
        rates=assignments(rates or {}),
        invariant=parse_formula(invariant),
        urgent=urgent,
        committed=committed,
    )


def edge(
    source: str,
    target: str,
    guard: str = "true",
    reset: Assignments | None = None,
    *,
    sync: str = "",
    action: str = "",
    priority: int = 0,
    urgent: bool = False,
    procedure: Procedure | None = None,
) -> NetworkEdge:
    """An edge of a component; ``action`` is what an internal one is called."""
    return NetworkEdge(
        source=source,
        target=target,
        guard=parse_formula(guard),
        reset=assignments(reset or {}),
        action=_action(sync) if sync else None,
        procedure=procedure,
        priority=priority,
        urgent=urgent,
        name=action,
    )


def _action(sync: str) -> Action:
    if sync[-1] not in "!?":
        raise ModelError([Problem(f"{sync!r} neither sends nor receives; write '{sync}!'")])
    return Action(sync[:-1], sync[-1] == "!")


def component(
    name: str,
    places: str | Sequence[Place],
    *edges: NetworkEdge,
    initial: str = "",
    priority: int = 0,
) -> Component:
    """One automaton; plain places can be names with spaces between them, the first is initial."""
    made = tuple(map(place, places.split())) if isinstance(places, str) else tuple(places)
    return Component(
        name=name,
        places=made,
        edges=edges,
        initial=initial or made[0].name,
        priority=priority,
    )


def network(
    *components: Component,
    shared: Iterable[Variable] = (),
    channels: Iterable[Channel] = (),
    parameters: Mapping[str, float] | None = None,
    assignments: Assigning = "concurrent",
    name: str = "network",
) -> Network:
    """Components that run together over the ``shared`` variables."""
    return Network(
        name=name,
        components=components,
        shared=tuple(shared),
        channels=tuple(channels),
        parameters=tuple((parameters or {}).items()),
        assignments=assignments,
    )
