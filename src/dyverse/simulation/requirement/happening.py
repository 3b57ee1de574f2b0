"""Events as signals: whether one happens at a state, and how many have happened.

``impact[ball,floor]`` is 1 at the state right after an impact and 0 at all others, and
``count(impact[ball,floor])`` is how many there have been. They are signals of a run, not of a state
alone, so no automaton knows them; requirements may speak of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dyverse.automaton.interface import Event, Location
from dyverse.automaton.run import Arc, Moment, Part, Run
from dyverse.bodies.signals import COUNT, EVENT, is_event

ALSO = {"accumulation": "impact"}  # the last of impacts that pile up is one


class Happening:
    """What happens at the first state of each part of a run, for names that are ``spoken`` of."""

    def __init__(self, run: Run, names: Iterable[str]) -> None:
        self.spoken = tuple(names)
        self.names = tuple(name for name in self.spoken if is_event(name))
        self._at: dict[int, dict[str, float]] = {}
        self._counts: list[dict[str, float]] = []
        if self.names:
            self._follow(run)

    def at(self, place: int) -> Mapping[str, float]:
        """The signals at the first state of a part; empty if nothing happens there."""
        return self._at.get(place, {})

    def later(self, place: int, known: Mapping[str, float]) -> Mapping[str, float]:
        """All signals at any other state of it."""
        return {**known, **self._counts[place]} if self.names else known

    def _follow(self, run: Run) -> None:
        happened: dict[int, list[Event]] = {}
        for place, event in zip(_places(run), _jumps(run), strict=True):
            happened.setdefault(place, []).append(event)
        counts = dict.fromkeys(self.names, 0.0)
        for place in range(len(run.parts)):
            found = {name: _matching(name, happened.get(place, ())) for name in self.names}
            counts = {
                name: counts[name] + found[name] if COUNT.fullmatch(name) else 0.0
                for name in self.names
            }
            self._counts.append(counts)
            if any(found.values()):
                now = {name: min(found[name], 1.0) for name in self.names}
                counted = {name: counts[name] for name in self.names if COUNT.fullmatch(name)}
                self._at[place] = {**now, **counted}


def _jumps(run: Run) -> list[Event]:
    return [event for event in run.events if event.kind != "graze"]


def _places(run: Run) -> list[int]:
    """The part of the run whose first state each event leads to.

    Bodies tell all that happens in one instant together; each jump of automata leads to a state of
    its own.
    """
    starts = [(i, *start) for i, part in enumerate(run.parts) if (start := _start(part))]
    found, at = list[int](), 0
    for event in _jumps(run):
        own = at + 1 if found and not event.contacts and starts[at][0] == found[-1] else at
        at = next((i for i in range(own, len(starts)) if _leads(event, starts[i])), at)
        at = next((i for i in range(at, len(starts)) if starts[i][1] >= event.time), at)
        found.append(starts[at][0])
    return found


def _leads(event: Event, start: tuple[int, float, Location]) -> bool:
    return start[1] >= event.time and start[2] == event.target


def _start(part: Part) -> tuple[float, Location] | None:
    match part:
        case Arc(start=state) | Moment(state=state):
            return state.time, state.location
        case _:
            return None


def _matching(name: str, events: Iterable[Event]) -> float:
    counted = COUNT.fullmatch(name)
    found = EVENT.fullmatch(counted[1] if counted else name)
    assert found is not None
    kind, a, b, action = found.groups()
    if action is not None:
        return float(sum(event.kind == action for event in events))
    contacts = {f"{a}-{b}", f"{b}-{a}"}
    return float(
        sum(
            ALSO.get(e.kind, e.kind) == kind and not contacts.isdisjoint(e.contacts) for e in events
        )
    )
