"""What the jumps of a hand-written automaton are called."""

from __future__ import annotations

from collections.abc import Iterator

from dyverse.automaton.interface import Event, Jump, Visit
from dyverse.automaton.node import NodePlace

JUMP = "jump"


def written_events(jumps: tuple[Jump, ...], visits: tuple[Visit, ...]) -> Iterator[Event]:
    """One event per way from a dynamical location to the next, through nodes or not.

    The kind is the first action on the way.
    """
    passing = iter(visits)
    way: list[Jump] = []
    for jump in jumps:
        way.append(jump)
        if not isinstance(jump.after.location, NodePlace):
            yield _event(way, [next(passing) for _ in way[1:]])
            way = []


def _event(way: list[Jump], visits: list[Visit]) -> Event:
    actions = (getattr(jump.edge, "action", "") for jump in way)
    passed = [f"{visit.method}: {visit.sweeps} sweeps" for visit in visits]
    return Event(
        time=way[-1].after.time,
        kind=next(filter(None, actions), JUMP),
        source=way[0].before.location,
        target=way[-1].after.location,
        remark="; ".join([*passed, *(jump.chosen for jump in way if jump.chosen)]),
        edges=tuple(jump.edge for jump in way),
    )
