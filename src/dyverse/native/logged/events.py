"""The events of a run from the records of the runtime's log, which ``c/dyverse.h`` describes.

They need the locations and impacts alone, so they are there long before arcs and visits would be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dyverse.automaton.interface import Array, Event
from dyverse.generation.naming import Hit, hit_of, instant_events
from dyverse.generation.skeleton.location import Modes
from dyverse.native.logged.naming import SHOCK, Naming, said
from dyverse.native.logged.record import GRAZE, MODES, SETTLED, VISIT


def events(
    records: Iterable[tuple[int, Array]], naming: Naming, location: Modes
) -> Iterator[Event]:
    """What happened from ``location`` on, in every instant that ended."""
    hits: list[Hit] = []
    before = location
    for kind, record in records:
        if kind == VISIT:
            hits.extend(_hits(record, naming))
        elif kind == MODES:
            location = naming.location(record)
        elif kind == SETTLED:
            yield from instant_events(float(record[0]), before, hits, location)
            before, hits = location, []
        elif kind == GRAZE:
            yield _graze(record, naming, location)


def _hits(visit: Array, naming: Naming) -> Iterator[Hit]:
    """The impact, if it is one at which some contact took an impulse."""
    node, _ = naming.node(visit)
    if visit[4] == SHOCK:
        yield Hit(naming.rested(visit), *said(visit))
    if node.kind == "contact":
        return
    impulses = {name: impulse.tolist() for name, impulse in naming.found(visit).items()}
    if contacts := hit_of(impulses):
        yield Hit(contacts, *said(visit), naming.rested(visit))


def _graze(record: Array, naming: Naming, location: Modes) -> Event:
    time, signal, least = record.tolist()
    return Event(
        time=time,
        kind="graze",
        source=location,
        target=location,
        remark=f"{naming.signal(location, int(signal))} came down to {least:.1e}",
    )
