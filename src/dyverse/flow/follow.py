"""Following the flow of one location: step after step, until an event or a given time.

Comes in: a flow, a solver and a start. Goes out: sampled states from the start to the event or the
end, and the event itself. After each step the flow is asked to `settle`: it moves the state back
onto its constraints, and may refresh what it remembers from the last step (a direction of slip).
The solver is started anew only if the state moved by more than ``drift``.

An event right after the end, so soon that it would be one with an event at the end, is *due*: it
counts as one at the end. So rounding does not decide whether an event is before a given time.

A field may have functions that switch (`dyverse.automaton.sides`). Where one does, the stretch ends
too: the field is another from there on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from dyverse.automaton.endings import CRAWL, CRAWL_STEPS
from dyverse.automaton.interface import Array, Floored, Flow, Limiting, Meeting, Samples
from dyverse.automaton.offering import offers
from dyverse.automaton.switched import Switches
from dyverse.flow.chain import chained
from dyverse.flow.events import (
    Crossing,
    Detection,
    Found,
    Graze,
    first_crossing,
)
from dyverse.flow.grid import Flags, Grid
from dyverse.flow.step import (
    Accuracy,
    CrawlingError,
    IntegrationError,
    Part,
    Solver,
    Step,
    straight,
)

PARTS = 4  # how often a step is divided on which a switching function swings too fast
OnStep = Callable[[float, Array], bool]


@dataclass(frozen=True, slots=True)
class Options:
    """How to follow: accuracy of the steps, how to look for events, and the drift to tolerate."""

    accuracy: Accuracy = field(default_factory=Accuracy)
    detection: Detection = field(default_factory=Detection)
    drift: float = 1e-11  # a larger move by `settle`, in any variable, restarts the solver,
    costly_drift: float = 5e-10  # or this, if it is a multistep method and must start small again


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """One stretch of the flow. ``stopped`` says that ``on_step`` ended it."""

    times: Array  # (k,), increasing, from the start to the end
    states: Array  # (k, n)
    crossing: Crossing | None
    grazes: tuple[Graze, ...]
    stopped: bool
    steps: int
    resting: Flags  # signals that have still not risen at the end
    due: Crossing | None = None  # right after the end, with the end's time and its own state


def follow(
    flow: Flow,
    solver: Solver,
    time: float,
    values: Array,
    *,
    until: float,
    resting: Flags | None = None,
    options: Options | None = None,
    on_step: OnStep | None = None,
) -> Followed:
    """Follow ``flow`` from ``values`` at ``time`` to its first event, or to ``until``.

    ``resting`` marks the watched signals that were just reset to about zero (the flow's own flags
    if not given); see `events`. A signal that is neither positive nor resting at the start ends
    the stretch at once. ``on_step`` hears of each step or chain of steps, and stops the stretch by
    returning False: nothing computed is lost.
    """
    path = _Path(flow, options or Options(), time, values, resting)
    if path.outside():
        return path.result()
    first_step = None
    while path.time < until and path.open:
        marching = solver.steps(
            flow.rate,
            path.time,
            path.values,
            until=until,
            accuracy=path.options.accuracy,
            first_step=first_step,
            sharp=path.begins_sharply(),
            excess=flow.excess if offers(flow, Limiting) else None,
            relaxation=flow.relaxation if offers(flow, Limiting) else None,
        )
        try:
            for step in chained(marching):
                moved = path.take(step)
                path.check_pace()
                if path.crossing is None and on_step is not None:
                    path.stopped = not on_step(path.time, path.values)
                first_step = step.proposal
                if moved or not path.open:
                    break
        except IntegrationError as error:
            error.followed = path.result()
            raise
    return path.result(path.due() if path.open else None)


def _is_resolved(grid: Grid, first: int) -> bool:
    """Whether signals from ``first`` on change between samples as their rates there say.

    The field does not depend on a function that has not switched yet, so steps may be longer than
    it takes a switching function to swing to and fro. Of one that is held off its zero, such as the
    friction of a joint that rests at its limit, noise alone is left: too little to get there.
    """
    length = np.diff(grid.times)[:, None] / 2
    rates, values = grid.rates[:, first:], grid.values[:, first:]
    gained = length * (rates[1:] + rates[:-1])
    most = length * (np.abs(rates[1:]) + np.abs(rates[:-1]))
    missed = np.abs(np.diff(values, axis=0) - gained)
    little = 1e-6 * np.abs(values[1:]) + 1e-12
    seen = values.max(axis=0) - values.min(axis=0)
    far = 10 * (most + missed) <= np.minimum(np.abs(values[1:]), np.abs(values[:-1]))
    return bool((far | (missed <= 0.2 * most + little) & (most <= seen + little)).all())


def _joined(parts: list[Found]) -> Found:
    """What was found on parts of a step, as found on one."""
    first, *others = (part.grid for part in parts)
    grid = Grid(
        np.concatenate([first.times, *(other.times[1:] for other in others)]),
        np.concatenate([first.states, *(other.states[1:] for other in others)]),
        np.concatenate([first.values, *(other.values[1:] for other in others)]),
        np.concatenate([first.rates, *(other.rates[1:] for other in others)]),
        np.any([part.grid.blind for part in parts], axis=0),
    )
    last = parts[-1]
    grazes = tuple(graze for part in parts for graze in part.grazes)
    return Found(last.crossing, grazes, grid, last.resting)


class _Path:
    """What has been followed so far."""

    def __init__(
        self, flow: Flow, options: Options, time: float, values: Array, resting: Flags | None
    ) -> None:
        self.flow = flow
        self.options = options
        self.time = time
        self.values = np.array(values, dtype=np.float64)
        self.times = [np.array([time])]
        self.states = [self.values[None, :]]
        self.grazes: list[Graze] = []
        self.crossing: Crossing | None = None
        self.stopped = False
        self.steps = 0
        self._counted, self._since = 0, time  # steps since it was last seen whether they crawl
        self.grid: Grid | None = None  # of the last step
        own = np.array(flow.resting if resting is None else resting)
        self.count = len(own)  # signals of the flow; behind them come those of switches
        self.resting = own
        self._switches = flow if offers(flow, Switches) and flow.switches else None
        if self._switches is not None:
            self.resting = np.concatenate([own, self._switches.touching])
        self.floors = np.zeros(len(self.resting))
        if offers(flow, Floored):
            self.floors[: self.count] = flow.floors
        self.meets = flow.meets if offers(flow, Meeting) else None
        found = self._sample(self.times[0], self.states[0])
        self.signals, self.rates = found.values[0], found.rates[0]

    @property
    def open(self) -> bool:
        """Whether there may be more."""
        return self.crossing is None and not self.stopped

    def begins_sharply(self) -> bool:
        """Whether an event may come soon: a signal rises from zero, or nothing is held in place.

        Where contacts are closed, forces are watched, whose rates nobody knows. They do not start
        from zero, and steps of high order are dear there.
        """
        free = not np.isnan(self.rates).any()
        return self.steps == 0 and (free or bool(self.resting.any()))

    def check_pace(self) -> None:
        """Give up where time hardly passes any more; of short steps, a chain counts as one."""
        self._counted += 1
        if self.crossing is not None or self._counted < CRAWL_STEPS:
            return
        if self.time - self._since < CRAWL * self._counted:
            raise CrawlingError(time=self.time)
        self._counted, self._since = 0, self.time

    def outside(self) -> bool:
        """Whether the start is an event already."""
        late = np.flatnonzero(~self.resting & (self.signals <= 0))
        if late.size:
            crossing = Crossing(self.time, self.values, tuple(late.tolist()))
            self.crossing = self._sorted(crossing)
        return bool(late.size)

    def _sample(self, times: Array, values: Array) -> Samples:
        """The signals of the flow, and those of functions that switch."""
        found = self.flow.sample(times, values)
        if self._switches is None:
            return found
        more = self._switches.surfaces(times, values)
        values = np.hstack([found.values, more.values])
        return Samples(values, np.hstack([found.rates, more.rates]))

    def _sorted(self, crossing: Crossing) -> Crossing:
        """Signals of the flow apart from those of functions that switch."""
        own = tuple(i for i in crossing.signals if i < self.count)
        owners = self._switches.owners if self._switches else ()
        switched = {owners[i - self.count] for i in crossing.signals if i >= self.count}
        return replace(crossing, signals=own, switched=tuple(sorted(switched)))

    def take(self, step: Step) -> bool:
        """Go along ``step`` to its first event or its end; whether the state was then moved."""
        found = self._search(step, self.resting)
        self.steps += 1
        self.grazes.extend(graze for graze in found.grazes if graze.signal < self.count)
        self.resting, self.grid = found.resting, found.grid
        if found.crossing is not None:
            self._end(found, self._sorted(found.crossing))
            return False
        return self._settle(step, found)

    def _search(self, step: Step, resting: Flags, level: int = 0) -> Found:
        """The first event on a step, or on parts of it if it swings too fast to be seen."""
        found = first_crossing(
            step,
            self._sample,
            resting=resting,
            floors=self.floors,
            meets=self.meets,
            detection=self.options.detection,
        )
        if self._switches is None or level == PARTS or _is_resolved(found.grid, self.count):
            return found
        times = found.grid.times.tolist()
        parts: list[Found] = []
        for start, end in pairwise(times):
            parts.append(self._search(Part(step, start, end), resting, level + 1))
            resting = parts[-1].resting
            if parts[-1].crossing is not None:
                break
        return _joined(parts)

    def _end(self, found: Found, crossing: Crossing) -> None:
        """Keep the rows before the event, and the event itself."""
        self.crossing = crossing
        inner = slice(1, int(np.searchsorted(found.grid.times, crossing.time)))
        self.times.append(found.grid.times[inner])
        self.states.append(found.grid.states[inner])
        if crossing.time > self.time:
            self.times.append(np.array([crossing.time]))
            self.states.append(crossing.values[None, :])
        self.time, self.values = crossing.time, crossing.values

    def due(self) -> Crossing | None:
        """The event that is due, looked for along a line."""
        if self.grid is None:
            return None
        passed = self.time - float(self.times[0][0])
        soon = min(self.options.detection.together, 0.01 * passed)
        ahead = self.grid.values[-1] + soon * np.minimum(self.grid.rates[-1], 0.0)
        if not (~self.resting & (ahead <= 0)).any():
            return None
        line = straight(self.flow.rate, self.time, self.values, self.time + soon)
        crossing = self._search(line, self.resting).crossing
        return crossing and self._sorted(replace(crossing, time=self.time))

    def _settle(self, step: Step, found: Found) -> bool:
        """Keep all rows, and end the last on the constraints."""
        settled = self.flow.settle(step.end, step.last)
        moved = bool(np.any(np.abs(settled - step.last) > self._drift(step)))
        self.time, self.values = step.end, settled if moved else step.last
        self.times.append(found.grid.times[1:])
        self.states.append(np.concatenate((found.grid.states[1:-1], self.values[None])))
        return moved

    def _drift(self, step: Step) -> Array | float:
        """How far each variable may drift; where a restart is costly, never less than it errs."""
        if step.proposal is not None:
            return self.options.drift
        errs = 0.5 * self.options.accuracy.relative * np.abs(step.last)
        return np.asarray(np.maximum(self.options.costly_drift, errs))

    def result(self, due: Crossing | None = None) -> Followed:
        """Everything, as read-only arrays."""
        times, states = np.concatenate(self.times), np.concatenate(self.states)
        times.flags.writeable = states.flags.writeable = False
        return Followed(
            times,
            states,
            self.crossing,
            tuple(self.grazes),
            self.stopped,
            self.steps,
            self.resting[: self.count],
            due,
        )
