"""How long it takes from one signal of a network to the next, established for all its runs.

In comes a network and the name of a signal, out go `Bounds` that no run leaves, or why there are
none. All reachable states are followed as boxes (`dyverse.abstraction.timing.stay`) with one more
clock, which each signal resets, until every new box lies in one that was followed before. So the
bounds hold for every run, whatever is chosen and wherever in the start's ranges it begins; they may
be wider than the truth, never tighter. They are about the model as written: a run in numbers meets
its guards up to the margin of its network.

Variables that nothing depends on, such as counters, take no part.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce

from dyverse.abstraction.timing.stay import Rule, Spot, Stay, Unproved
from dyverse.abstraction.timing.truth import narrowed
from dyverse.automaton.network.dependence import depended_on
from dyverse.automaton.network.fixing import with_numbers
from dyverse.automaton.network.moves import Move, Places
from dyverse.automaton.network.network import Network
from dyverse.automaton.signal_bounds import Bounds
from dyverse.enclosure.boxes import Box, covers, cut, is_near, joined, widened
from dyverse.enclosure.interval import Interval, enclosure
from dyverse.enclosure.tube import Motion
from dyverse.expr.formula import both, compare
from dyverse.expr.term import Number, Term

SINCE, TIME = "since last signal", "t"
MOST = 200  # boxes that are followed
PIECES = (1, 8, 64)  # in which a range is cut
OFTEN = 3  # visits after which a clock that only grows is let go, and a trifle rounded up
CROWD: dict[Rule, int] = {"must": 60, "may": 6}  # boxes in one location, before they are joined
ONE: Term = Number(1.0)


@dataclass(frozen=True, slots=True)
class NotEstablished:
    """A signal without bounds, and why."""

    action: str
    reason: str

    def __str__(self) -> str:
        return f"{self.action}: not established: {self.reason}"


@dataclass(frozen=True, slots=True)
class Boxed:
    """A location and a box of states in it; ``begun`` once the signal was given."""

    places: Places
    box: Box
    begun: bool = False


@dataclass(slots=True)
class Found:
    """The times at which signals came, and how long runs waited for them."""

    came: list[Interval] = field(default_factory=list)
    waited: float = 0.0

    @property
    def low(self) -> float:
        """The least time to a signal."""
        return max(0.0, min((low for low, _ in self.came), default=0.0))

    @property
    def high(self) -> float | None:
        """The most, unless there is none."""
        return self.waited if math.isfinite(self.waited) else None


def established(
    network: Network,
    signal: str,
    *,
    rule: Rule = "must",
    until: float = math.inf,
    ranges: Mapping[str, Interval] | None = None,
    boxes: int = MOST,
) -> Bounds | NotEstablished:
    """The times between signals in all runs to ``until`` (s), from all starts in ``ranges``.

    Ranges too wide to be followed as one box are cut into more and more pieces; from each of them
    at most as many ``boxes`` are followed.
    """
    for pieces in PIECES if ranges else (1,):
        try:
            return _Search(network, signal, rule, until).bounds(cut(ranges or {}, pieces), boxes)
        except Unproved as found:
            reason = str(found)
    return NotEstablished(signal, reason)


class _Search:
    def __init__(self, network: Network, signal: str, rule: Rule, until: float) -> None:
        if network.outside or any(e.procedure for c in network.components for e in c.edges):
            raise Unproved("bodies and edges that run code are not followed")
        self.network, self.signal = with_numbers(network), signal
        self.rule, self.until = rule, until
        self.names = (*self._relevant(), SINCE)
        self._whole = {v.name for v in self.network.shared if not v.is_continuous}
        self._spots: dict[Places, Spot] = {}
        self._passed: dict[tuple[Places, bool], list[Box]] = {}
        self.first, self.later = Found(), Found()

    def _relevant(self) -> tuple[str, ...]:
        found, names = depended_on(self.network), self.network.variables
        timed = TIME in found or math.isfinite(self.until)
        return (*(name for name in names if name in found), *((TIME,) if timed else ()))

    def bounds(self, starts: list[Box], boxes: int) -> Bounds:
        """Follow everything, then say what was found."""
        left = deque(map(self._start, starts))
        count, most = 0, boxes * len(starts)
        while left:
            state = self._settled(left.popleft())
            if state is None:
                continue
            count += 1
            if count > most:
                raise Unproved(f"over {most} boxes, and still new ones (jumps may pile up)")
            stay = self._spot(state.places).stay(state.box)
            self._waited(state, stay)
            left += self._after(state, stay)
        if not self.first.came:
            raise Unproved("no run sends it")
        return self._answer(count)

    def _answer(self, count: int) -> Bounds:
        runs = "all runs" if math.isinf(self.until) else f"all runs to {self.until:.9g} s"
        return Bounds(
            action=self.signal,
            low=self.later.low,
            high=self.later.high if self.later.came else None,
            first_low=self.first.low,
            first_high=self.first.high,
            by=f"for {runs} by the {self.rule} rule, enclosed in {count} boxes",
            until=None if math.isinf(self.until) else self.until,
        )

    def _start(self, start: Box) -> Boxed:
        known = {v.name: (v.start, v.start) for v in self.network.shared} | dict(start)
        known |= {SINCE: (0.0, 0.0), TIME: (0.0, 0.0)}
        places = Places(item.initial for item in self.network.components)
        return Boxed(places, {name: known[name] for name in self.names})

    def _settled(self, state: Boxed) -> Boxed | None:
        """What is to be followed of a state: nothing if it was, more if it comes back for ever."""
        passed = self._passed.setdefault((state.places, state.begun), [])
        if any(covers(box, state.box, self.names) for box in passed):
            return None
        box, crowded = state.box, len(passed) >= CROWD[self.rule]
        near = [other for other in passed if is_near(other, box)]
        if len(near) >= OFTEN:
            box = widened(near[-1], box)
        elif crowded:
            more = narrowed(
                self._spot(state.places).invariant, widened(reduce(joined, passed), box)
            )
            box = self._at_any_time(joined(box, more or box))
        again = sum(covers(other, box, self.names[:-1]) for other in passed)
        if again >= (1 if crowded else OFTEN):  # only the clock of the search still grows
            box = {**box, SINCE: (min(other[SINCE][0] for other in (*passed, box)), math.inf)}
        passed.append(box)
        return replace(state, box=box)

    def _at_any_time(self, box: Box) -> Box:
        """The same at any time up to the end: it cannot come back later."""
        if TIME not in box or math.isinf(self.until):
            return box
        return {**box, TIME: (0.0, max(self.until, box[TIME][1]))}

    def _spot(self, places: Places) -> Spot:
        if places not in self._spots:
            invariant = self.network.domain(places)
            if math.isfinite(self.until):
                invariant = both(invariant, compare(TIME, "<=", self.until))
            motion = Motion(dict(self._rates(places)))
            self._spots[places] = Spot(self.network, places, motion, invariant, self.rule)
        return self._spots[places]

    def _rates(self, places: Places) -> Iterator[tuple[str, Term]]:
        clocks = (v.name for v in self.network.shared if v.kind == "clock")
        rates: dict[str, Term] = dict.fromkeys((*clocks, SINCE, TIME), ONE)
        for number, name in enumerate(places):
            rates |= {r.target: r.value for r in self.network.moves.place(number, name).rates}
        return ((name, rate) for name, rate in rates.items() if name in self.names)

    def _waited(self, state: Boxed, stay: Stay) -> None:
        found = self.later if state.begun else self.first
        found.waited = max(found.waited, math.inf if stay.endless else stay.held[SINCE][1])

    def _after(self, state: Boxed, stay: Stay) -> Iterator[Boxed]:
        for move, box in stay.jumps.values():
            after = dict(self._jumped(move, box))
            begun = state.begun
            if move.action == self.signal:
                (self.later if begun else self.first).came.append(box[SINCE])
                after[SINCE], begun = (0.0, 0.0), True
            yield Boxed(move.target, after, begun)

    def _jumped(self, move: Move, box: Box) -> Box:
        """The box after the assignments of a jump."""
        found = dict(box)
        for half in move.halves:
            seen = dict(found) if self.network.assignments == "sequential" else box
            for assignment in half.edge.reset:
                if assignment.target in found:
                    value = enclosure(assignment.value, seen)
                    found[assignment.target] = self._stored(assignment.target, value)
        return found

    def _stored(self, name: str, value: Interval) -> Interval:
        """What a variable takes: of those that count, whole numbers only."""
        if name in self._whole and all(map(math.isfinite, value)):
            return float(math.ceil(value[0])), float(math.floor(value[1]))
        return value
