"""What jumps are called: impact, accumulation, touch, release, stick, slip."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dyverse.automaton.interface import Event, State, Visit
from dyverse.generation.skeleton.location import Modes, Node


def rigid_events(before: State, visits: tuple[Visit, ...], after: State) -> tuple[Event, ...]:
    """One event per impact, then one per way in which the contact word has changed.

    A contact that closes without an impulse is a touch.
    """
    assert isinstance(before.location, Modes)
    assert isinstance(after.location, Modes)
    hits = [
        Hit(contacts, visit.remarks, visit.accumulates, () if is_shock(visit) else visit.rested)
        for visit in visits
        if (contacts := contacts_hit(visit))
    ]
    return instant_events(after.time, before.location, hits, after.location)


@dataclass(frozen=True, slots=True)
class Hit:
    """An impact: the contacts that took an impulse, and what there is to say of it."""

    contacts: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    accumulates: float | None = None
    rested: tuple[str, ...] = ()  # the contacts that bounced their last


def instant_events(
    time: float, before: Modes, hits: Sequence[Hit], after: Modes
) -> tuple[Event, ...]:
    """The same from what is needed of an instant alone: its time, locations and impacts."""
    named = [event for hit in hits for event in _impact(time, before, hit, after)]
    struck = {contact for hit in hits for contact in hit.contacts}
    return (*named, *_changes(time, before, after, struck))


def _is_impact(visit: Visit) -> bool:
    node = visit.before.location
    return isinstance(node, Node) and node.kind == "impact"


def is_shock(visit: Visit) -> bool:
    """Whether a contact node has stopped contacts by an impact without collision."""
    return visit.method == "shock"


def contacts_hit(visit: Visit) -> tuple[str, ...]:
    """The contacts that took an impulse in an impact."""
    if is_shock(visit):
        return visit.rested
    if not _is_impact(visit):
        return ()
    return hit_of(visit.result)


def hit_of(impulses: Mapping[str, Iterable[float]]) -> tuple[str, ...]:
    """The contacts that took an impulse.

    What is no blow is told as zero, see `dyverse.generation.node.found.blows`.
    """
    return tuple(name for name, impulse in impulses.items() if any(impulse))


def _impact(time: float, before: Modes, hit: Hit, after: Modes) -> Iterator[Event]:
    """An impact of those that bounce on, an accumulation of those that bounced their last."""
    going = tuple(contact for contact in hit.contacts if contact not in hit.rested)
    if going:
        remark = "; ".join(hit.remarks)
        yield Event(
            time=time, kind="impact", source=before, target=after, contacts=going, remark=remark
        )
    if hit.accumulates is not None:
        yield Event(
            time=time,
            kind="accumulation",
            source=before,
            target=after,
            contacts=tuple(contact for contact in hit.contacts if contact in hit.rested),
            remark=f"impacts accumulated at {hit.accumulates:.6g} s",
            accumulates=hit.accumulates,
        )


def changes(before: Modes, after: Modes, hit: Container[str]) -> dict[str, list[str]]:
    """The contacts that touch, release, stick or slip between two locations, by kind of event.

    Those that were ``hit`` may close, but that is no touch.
    """
    old, new = dict(before.closed), dict(after.closed)
    kinds: dict[str, list[str]] = {}
    for name in {**old, **new}:
        was, is_now = old.get(name), new.get(name)
        if was is None and name not in hit:
            kinds.setdefault("touch", []).append(name)
        elif is_now is None:
            kinds.setdefault("release", []).append(name)
        elif was is not None and was != is_now and {was, is_now} != {"trans", "slip"}:
            kinds.setdefault("stick" if is_now == "stick" else "slip", []).append(name)
    return kinds


def _changes(time: float, before: Modes, after: Modes, hit: Container[str]) -> Iterator[Event]:
    for kind, names in changes(before, after, hit).items():
        yield Event(time=time, kind=kind, source=before, target=after, contacts=tuple(names))
