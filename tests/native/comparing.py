"""Whether two runs tell the same story: events of the same kinds, at the same times and places."""

from __future__ import annotations

from dyverse.automaton.interface import Event
from dyverse.automaton.run import Run


def first_difference(native: Run, reference: Run, *, tolerance: float = 1e-7) -> str | None:
    """The first event on which the runs differ, in words; nothing if they agree."""
    for number, (ours, theirs) in enumerate(zip(native.events, reference.events, strict=False)):
        if not same(ours, theirs, tolerance):
            return f"event {number}: {ours} is not {theirs}"
    if len(native.events) != len(reference.events):
        return f"{len(native.events)} events, not {len(reference.events)}"
    return None


def same(ours: Event, theirs: Event, tolerance: float) -> bool:
    """The same kind, contacts, target and time."""
    return (
        ours.kind == theirs.kind
        and ours.contacts == theirs.contacts
        and ours.target == theirs.target
        and abs(ours.time - theirs.time) <= tolerance * max(1.0, theirs.time)
    )
