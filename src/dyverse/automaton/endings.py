"""Why a run ended before its time, in words; every engine says the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dyverse.automaton.interface import Event, State
from dyverse.automaton.run import Stop

WORDS = {
    Stop.HORIZON: "the time asked for was reached",
    Stop.INTERRUPTED: "interrupted; what was computed is kept",
    Stop.MAX_EVENTS: "as many events as were allowed (--max-events)",
    Stop.NOT_CONVERGED: "a computation node found no answer",
    Stop.INCONSISTENT: "the laws of contact have no solution here",
    Stop.LIVELOCK: "jumps without end in one instant",
    Stop.CHATTERING: "a function that jumps changes sides without end, or has no side",
    Stop.DEADLOCK: "no edge to take, and no time may pass",
    Stop.TIMELOCK: "no edge to take, and an invariant lets no time pass",
    Stop.FAULT: "the model did what it must not",
    Stop.SOLVER: "the integrator cannot go on",
    Stop.CRAWLING: "thousands of steps in which hardly any time passes",
}
CRAWL_STEPS = 2000  # so many steps in a row
CRAWL = 1e-9  # s: that take less than this each crawl; nearer events are one event
PILED = 8  # intervals between events that shrink, one after the other, before they are Zeno's


def recent(state: State, events: Sequence[Event]) -> tuple[float, ...]:
    """When the last events were, by which it is told whether they pile up.

    ``state`` is where the run began, perhaps by going on from another.
    """
    before = () if state.memory is None else state.memory.recent
    times = [*before, *(event.time for event in events)]
    return tuple(np.unique(times)[-PILED - 1 :].tolist())


def piled(times: Sequence[float]) -> bool:
    """Whether events have come ever faster; where that ends there is no end of jumps."""
    gaps = np.diff(times)
    return len(gaps) == PILED and bool((np.diff(gaps) < 0).all())


def endless(times: Sequence[float], state: State, *, most: int) -> str:
    """Why there are too many jumps in one instant: they have piled up, or go in a circle."""
    if piled(times):
        gaps = np.diff(times)
        share = gaps[-1] / gaps[-2]
        end = times[-1] + gaps[-1] * share / (1 - share)
        return f"jumps accumulate at {end:.9g} s (Zeno), in {state.location}"
    return f"over {most} jumps at {state.time} s, in {state.location}"


def where(state: State) -> str:
    """A location and a time."""
    return f"{state.location} at {state.time:.9g} s"


def locked(state: State, names: Sequence[str]) -> str:
    """Nothing can happen: these signals forbid time to pass."""
    return f"no edge is enabled in {where(state)}, but time ends: {', '.join(names)}"


def within_tick(state: State, names: Sequence[str]) -> str:
    """Time ends before the next tick."""
    return f"time ends within a tick in {where(state)}: {', '.join(names)}"


def outside(state: State) -> str:
    """Time started or stopped to pass where it may not."""
    return f"the invariant does not hold in {where(state)}"


def idle(state: State) -> str:
    """Jumps that do not help."""
    return f"no time passes in {where(state)}"


def no_way_out(state: State) -> str:
    """Behind a computation node no guard holds."""
    return f"no edge leaves {state.location} at {state.time} s"


def enough(events: Sequence[Event], state: State) -> str:
    """As many events as were allowed."""
    return f"{len(events)} events by {state.time} s"


def unanswered(state: State, failure: str) -> str:
    """A computation node found no answer."""
    return f"at {state.time:.9g} s: {failure}"


def crawling(time: float) -> str:
    """Steps have become so short that the run would hardly get any further."""
    return (
        f"{CRAWL_STEPS} steps in a row took less than {CRAWL * CRAWL_STEPS:g} s, at"
        f" t = {time:.17g} s: forces grow without bound, or are no better known than rounding lets"
    )


def faulty(state: State, fault: Exception) -> str:
    """An assignment or a procedure failed."""
    return f"at {state.time:.9g} s in {state.location}: {fault}"
