"""What jumps are called: impact, accumulation, touch, release, stick, slip."""

from __future__ import annotations

import numpy as np

from dyverse.automaton.interface import Event, State, Visit
from dyverse.generation.location import Modes, Node

ROUNDING = 1e-12  # share of the largest impulse of a node


def rigid_events(before: State, visits: tuple[Visit, ...], after: State) -> tuple[Event, ...]:
    """One event per impact, then one per way in which the contact word has changed.

    A contact that closes without an impulse is a touch.
    """
    impacts = [visit for visit in visits if _is_impact(visit) and contacts_hit(visit)]
    named = [_impact(visit, before, after) for visit in impacts]
    return tuple(named) + _changes(before, after, {c for event in named for c in event.contacts})


def _is_impact(visit: Visit) -> bool:
    node = visit.before.location
    return isinstance(node, Node) and node.kind == "impact"


def contacts_hit(visit: Visit) -> tuple[str, ...]:
    """The contacts that took an impulse, not counting what rounding leaves of none."""
    sizes = {name: float(np.linalg.norm(impulse)) for name, impulse in visit.result.items()}
    least = max(sizes.values(), default=0.0) * ROUNDING
    return tuple(name for name, size in sizes.items() if size > least)


def _impact(visit: Visit, before: State, after: State) -> Event:
    kind, remark = "impact", "; ".join(visit.remarks)
    if visit.accumulates is not None:
        kind = "accumulation"
        remark = f"impacts accumulated at {visit.accumulates:.6g} s"
    return Event(
        time=visit.before.time,
        kind=kind,
        source=before.location,
        target=after.location,
        contacts=contacts_hit(visit),
        remark=remark,
        accumulates=visit.accumulates,
    )


def _changes(before: State, after: State, hit: set[str]) -> tuple[Event, ...]:
    assert isinstance(before.location, Modes)
    assert isinstance(after.location, Modes)
    old, new = dict(before.location.closed), dict(after.location.closed)
    kinds: dict[str, list[str]] = {}
    for name in {**old, **new}:
        was, is_now = old.get(name), new.get(name)
        if was is None and name not in hit:
            kinds.setdefault("touch", []).append(name)
        elif is_now is None:
            kinds.setdefault("release", []).append(name)
        elif was is not None and was != is_now and {was, is_now} != {"trans", "slip"}:
            kinds.setdefault("stick" if is_now == "stick" else "slip", []).append(name)
    return tuple(
        Event(
            time=after.time,
            kind=kind,
            source=before.location,
            target=after.location,
            contacts=tuple(names),
        )
        for kind, names in kinds.items()
    )
