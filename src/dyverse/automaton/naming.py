"""What the jumps of a hand-written automaton are called."""

from __future__ import annotations

from collections.abc import Iterator

from dyverse.automaton.interface import Event, HybridAutomaton, State, Visit
from dyverse.automaton.jump import jump
from dyverse.automaton.node import NodePlace

JUMP = "jump"


def written_events(
    automaton: HybridAutomaton, before: State, visits: tuple[Visit, ...], after: State
) -> tuple[Event, ...]:
    """One event per jump from a dynamical location to the next, through nodes or not.

    An automaton is a value, so the jumps of the instant are found again by taking them: the first
    enabled edge each time, and the visits as they were. The kind is the first action on the way.
    """
    return () if before is after else tuple(_replay(automaton, before, list(visits)))


def _replay(automaton: HybridAutomaton, state: State, visits: list[Visit]) -> Iterator[Event]:
    while edges := automaton.enabled(state):
        source, actions, passed = state.location, [], []
        state = jump(automaton, edges[0], state)
        actions.append(getattr(edges[0], "action", ""))
        while isinstance(state.location, NodePlace):
            passed.append(visits.pop(0))
            state = passed[-1].after
            edge = automaton.enabled(state)[0]
            actions.append(getattr(edge, "action", ""))
            state = jump(automaton, edge, state)
        yield Event(
            time=state.time,
            kind=next(filter(None, actions), JUMP),
            source=source,
            target=state.location,
            remark="; ".join(f"{visit.method}: {visit.sweeps} sweeps" for visit in passed),
        )
