"""How far a run is from breaking a property that has steps: locations, integers, truths.

The margin of such a property is flat: a run is there or it is not. What is not flat is how near the
guards on the way come to holding. At every state of a run each comparison of the broken property is
so far away: nothing where it holds; a share of one by what it is missed by, if it is of reals; and
if it is of locations or integers, the edges that must still be taken, the next of them in shares by
what its guard is missed by. What must hold together is added, of what may hold one or the other the
nearer counts, and of all states of the run the nearest.

How many edges are missing for locations and integers changes only with these, so it is worked out
once for each of their values; a state at which it is more already than another is away in all is
not looked at.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property

import numpy as np

from dyverse.automaton.guard.robustness import Depth, fold, normal, robustness_of
from dyverse.automaton.interface import Array
from dyverse.automaton.run import Arc, Between, Run
from dyverse.expr.formula import Compare, Formula, formula_symbols
from dyverse.expr.term import symbols
from dyverse.expr.value import value
from dyverse.falsification.question import Question
from dyverse.falsification.search.slopes import run_at
from dyverse.falsification.system import Place, formula_of
from dyverse.falsification.visited import Way, present, ways
from dyverse.generation.parts import parts_of
from dyverse.interrupts import insist
from dyverse.simulation.observing import Row, pour

THERE = 0.0  # how far a run is that breaks the property
LEAST = 1e-9  # what everyone else is away at least
GRID, ZOOMS = 5, 4  # instants about the nearest one, and how often these are looked at closer

Known = Mapping[str, float]
Help = tuple[float, Way]  # an edge, and how often it must be taken beside once


def distance(question: Question, point: Array) -> float:
    """How far the run at ``point`` is from breaking the property."""
    insist()
    return Nearness(question, run_at(question, point)).least()


class Nearness:
    """A sink that keeps how near a run comes."""

    def __init__(self, question: Question, run: Run) -> None:
        self._run, self._parts = run, parts_of(run.automaton)
        self._ways = tuple(ways(self._parts))
        self._broken = normal(formula_of(question.system.claim), negated=True)
        self._places = set(self._parts.places())
        self._best: tuple[float, int, float] = (math.inf, 0, 0.0)  # amount, part, time
        self._steps: dict[Place, dict[Place, int]] = {}
        self._here: set[Place] = set()
        self._depths: dict[int, Depth] = {}  # of formulas that live as long as this
        self._known_help: dict[tuple[int, tuple[float, ...]], list[Help]] = {}
        self._bounds: dict[tuple[float, ...], float] = {}
        self._stepwise: dict[int, bool] = {}

    def least(self) -> float:
        """Of all states, also between the samples about the nearest."""
        pour(self._run, [self])
        amount, place, time = self._best
        part = self._run.parts[place] if self._run.parts else None
        if amount == THERE or not isinstance(part, Arc):
            return amount
        return min(amount, self._between(part, time))

    def take(self, row: Row) -> None:
        """Look at one state, if it may be nearer."""
        if self._at_least(row.known) >= self._best[0]:
            return
        amount = self._amount(set(present(self._parts, row.state.location)), row.known)
        self._best = min(self._best, (amount, row.place, row.state.time))

    def _between(self, arc: Arc, time: float) -> float:
        times = arc.times
        row = int(np.searchsorted(times, time))
        low, high = times[max(0, row - 1)], times[min(len(times) - 1, row + 1)]
        here, best = set(present(self._parts, arc.location)), math.inf
        within = Between(self._run.automaton, arc)
        for _ in range(ZOOMS):
            grid = np.linspace(low, high, GRID)
            states = [within(float(t)) for t in grid]
            found = [self._amount(here, self._run.automaton.observe(state)) for state in states]
            i = int(np.argmin(found))
            best = min(best, found[i])
            low, high = grid[max(0, i - 1)], grid[min(GRID - 1, i + 1)]
        return best

    def _amount(self, here: set[Place], known: Known) -> float:
        self._here = here
        return float(fold(self._broken, lambda part: self._comparison(part, known), sum, min))

    def _depth(self, formula: Formula, known: Known) -> float:
        """How deep inside a formula a state is; each formula is put together once."""
        found = self._depths.get(id(formula))
        if found is None:
            found = self._depths[id(formula)] = robustness_of(formula)
        return found(known)

    def _at_least(self, known: Known) -> float:
        """The edges that locations and integers alone are away."""
        key = self._steps_at(known)
        if key not in self._bounds:
            self._bounds[key] = float(
                fold(self._broken, lambda part: self._edges(part, known), sum, min)
            )
        return self._bounds[key]

    def _edges(self, part: Compare, known: Known) -> float:
        if not self._is_stepwise(part) or self._depth(part, known) >= 0:
            return THERE
        return max(LEAST, min((more for more, _ in self._help(part, known)), default=math.inf))

    def _comparison(self, part: Compare, known: Known) -> float:
        depth = self._depth(part, known)
        if depth >= 0:
            return THERE
        if not _names(part) & self._stepped:
            return max(LEAST, _share(-depth))
        ahead = (more + self._ahead(way, known) for more, way in self._help(part, known))
        return max(LEAST, min(ahead, default=math.inf))

    def _help(self, part: Compare, known: Known) -> list[Help]:
        """The edges that help, and how many more must be taken beside them."""
        if not self._is_stepwise(part):
            return self._helping(part, known)
        key = id(part), self._steps_at(known)
        if key not in self._known_help:
            self._known_help[key] = self._helping(part, known)
        return self._known_help[key]

    def _helping(self, part: Compare, known: Known) -> list[Help]:
        names = _names(part)
        helping = (way for way in self._ways if names & self._touched[way.number])
        return [(more, way) for way in helping if (more := self._more(way, part, known)) < math.inf]

    def _steps_at(self, known: Known) -> tuple[float, ...]:
        return tuple([known[name] for name in self._in_order])

    @cached_property
    def _in_order(self) -> list[str]:
        return sorted(self._stepped)

    def _is_stepwise(self, part: Compare) -> bool:
        """Whether it changes only by edges, and these change it by what changes only by edges."""
        found = self._stepwise.get(id(part))
        if found is None:
            names = _names(part)
            resets = (item for way in self._ways for item in way.reset if item.target in names)
            read = {symbol.name for item in resets for symbol in symbols(item.value)}
            found = self._stepwise[id(part)] = names | read <= self._stepped
        return found

    @cached_property
    def _touched(self) -> dict[int, set[str]]:
        """The names that each edge changes."""
        return {
            way.number: {item.target for item in way.reset}
            | {".".join(place) for place in self._places if place[0] == way.owner}
            for way in self._ways
        }

    @cached_property
    def _stepped(self) -> set[str]:
        """The names that change only by edges: locations, integers and truths."""
        network = self._parts.network
        declared = network.shared if network else ()
        numbers = {item.name for item in declared if item.kind in ("int", "bool")}
        return {".".join(place) for place in self._places} | numbers

    def _more(self, way: Way, part: Compare, known: Known) -> float:
        """How often an edge must be taken beside once; infinitely often, if it does not help."""
        before = self._depth(part, known)
        gain = self._depth(part, {**known, **self._behind(way, known)}) - before
        if not gain > 0:
            return math.inf
        return max(0.0, math.ceil(-before / gain - 1e-9) - 1.0)

    def _behind(self, way: Way, known: Known) -> dict[str, float]:
        """What is different behind an edge."""
        own = {f"{owner}.{name}": 0.0 for owner, name in self._places if owner == way.owner}
        own[f"{way.owner}.{way.target}"] = 1.0
        return own | {item.target: value(item.value, known) for item in way.reset}

    def _ahead(self, way: Way, known: Known) -> float:
        """How far it is to take an edge once."""
        source = (way.owner, way.source)
        if source in self._here:
            return _share(self._missed(way, known))
        return 1.0 + self._far(source, known)

    def _far(self, goal: Place, known: Known) -> float:
        """Edges that are still to be taken to a place, the next of them in shares."""
        steps = self._steps_to(goal)
        leading = [
            steps[target] + _share(self._missed(way, known))
            for way in self._ways
            if (way.owner, way.source) in self._here
            and (target := (way.owner, way.target)) in steps
        ]
        return min(leading, default=math.inf)

    def _missed(self, way: Way, known: Known) -> float:
        """What keeps an edge from being taken: its guard, and nobody to take it with."""
        own = max(0.0, -self._depth(way.guard, known))
        return own + self._waiting(way, known) if way.channel else own

    def _waiting(self, way: Way, known: Known) -> float:
        """How far the other half of a synchronisation is: a guard, or a contact that closes."""
        others = [
            max(0.0, -self._depth(other.guard, known))
            for other in self._ways
            if other.channel == way.channel
            and other.sends != way.sends
            and (other.owner, other.source) in self._here
        ]
        found = min([*others, *self._contacts(way.channel, known)], default=math.inf)
        return 0.0 if way.sends and math.isinf(found) else found  # perhaps a broadcast

    def _contacts(self, channel: str, known: Known) -> list[float]:
        """How far contacts are from closing that offer a channel on it."""
        bodies = self._parts.bodies
        pairs = bodies.scene.contacts if bodies else ()
        names = [p.name.replace("-", ",") for p in pairs for o in p.offers if o.channel == channel]
        return [
            max(0.0, known[f"gap[{name}]"]) + max(0.0, known[f"normal_speed[{name}]"])
            for name in names
        ]

    def _steps_to(self, goal: Place) -> dict[Place, int]:
        """How many edges lead from each place of an automaton to the goal, at least."""
        if goal not in self._steps:
            found, front = {goal: 0}, {goal}
            while front:
                steps = 1 + found[next(iter(front))]
                back = ((w.owner, w.source) for w in self._ways if (w.owner, w.target) in front)
                before = set(back) - found.keys()
                found |= dict.fromkeys(before, steps)
                front = before
            self._steps[goal] = found
        return self._steps[goal]


def _names(part: Compare) -> set[str]:
    return {symbol.name for symbol in formula_symbols(part)}


def _share(missed: float) -> float:
    """Of one edge: nothing where it can be taken, nearly all of it where that is far away."""
    return 1.0 if math.isinf(missed) else missed / (1 + missed)
