"""The first event on one step: a watched signal that stops being positive.

Comes in: a step with dense output, and a way to sample the watched signals, which are positive
inside the location. Goes out: the first time at which one of them is no longer positive, with all
that cross there together, and the near misses before it.

The step is sampled on a grid, a chain of steps on one grid for all. `_suspects` marks, for all
signals at once, the intervals where one might have crossed; only these are looked at one by one in
`_Search`. Between two positive samples a signal has crossed and come back only if its rate changed
from falling to rising: that minimum is found, not guessed from the ends, so no collision is stepped
over.

A signal that was just reset to zero is *resting*: it cannot fire before it has risen above
``lift``. It may rise and come down in less than a grid interval; then the top is found first.
If it sinks below ``-depth`` without having risen, it fires at the start of the step, or where it
leaves zero if it has stayed there.

A flow may have *floors*: a signal whose minimum lies at or below its floor has got to zero there,
and so has one that a sample finds below its floor. A slip speed passes zero sideways, hardly ever
through it; below the tolerance it is none, and to follow it further down would only take ever
smaller steps. A flow that *meets* its signals is asked whether such a minimum counts, and its
signals are followed down to zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from dyverse.automaton.interface import Array, Samples
from dyverse.errors import SolverError
from dyverse.flow.chain import Chain
from dyverse.flow.grid import Flags, Grid, armed_on, between, may_wave
from dyverse.flow.root import bracket
from dyverse.flow.step import Step

Sample = Callable[[Array, Array], Samples]
Meets = Callable[[int, float, Array], bool]

REACH = 4  # a dip is looked at if an end's tangent, this many intervals long, meets zero
HALVINGS = 60
LEVEL = 1e-14  # how far above its lowest value a signal is as low as it gets
LEVELS = 3  # how often an interval with an inflection is divided before it is believed


@dataclass(frozen=True, slots=True)
class Detection:
    """How finely to look for events; the values are in the units of the signals."""

    points: int = 9  # samples per step, both ends included
    links: int = 2  # intervals on each step of a chain: these are 8 to 30 times as short
    together: float = 1e-9  # s: signals that cross within this time (and within a hundredth of
    # the step) cross as one event
    graze: float = 1e-9  # a minimum below this that stays positive is a near miss
    depth: float = 1e-9  # a resting signal below minus this sinks, and fires
    lift: float = 1e-13  # a resting signal above this has risen, and is armed again


@dataclass(frozen=True, slots=True, eq=False)
class Crossing:
    """The event: at ``time`` the watched ``signals`` are no longer positive.

    All that get there within `Detection.together` are named, the first of them is at or below
    zero at ``time``.
    """

    time: float
    values: Array  # the state at that time
    signals: tuple[int, ...]
    switched: tuple[int, ...] = ()  # functions of the field that switch there


@dataclass(frozen=True, slots=True)
class Graze:
    """A near miss: signal number ``signal`` has the positive minimum ``value`` at ``time``."""

    time: float
    signal: int
    value: float


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What there is on a step; ``resting`` are the flags to begin the next step with."""

    crossing: Crossing | None
    grazes: tuple[Graze, ...]
    grid: Grid
    resting: Flags


def first_crossing(
    step: Step,
    sample: Sample,
    *,
    resting: Flags,
    floors: Array | None = None,
    meets: Meets | None = None,
    detection: Detection | None = None,
) -> Found:
    """The first event on ``step``, if any, and the near misses before it.

    The step goes on behind the event, where signals may be undefined: what is not a number there
    counts as below zero. If the event is no more than a signal ceasing to exist, it is an error.
    """
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        lowest = np.zeros(len(resting)) if floors is None else floors
        return _find(_Search(step, sample, detection or Detection(), lowest, meets), resting)


def _find(search: _Search, resting: Flags) -> Found:
    grid = search.whole()
    time = search.earliest(grid, resting)
    before = len(grid.times) if time is None else int(np.searchsorted(grid.times, time))
    still = resting & ~(grid.values[1:before] > search.detection.lift).any(axis=0)
    still[list(search.risen)] = False
    if time is None:
        return Found(None, tuple(search.grazes), grid, still)
    grazes = tuple(graze for graze in search.grazes if graze.time < time)
    return Found(search.crossing(time, armed=~still), grazes, grid, still)


@dataclass(slots=True)
class _Search:
    """The search on one step, with what it has found so far."""

    step: Step
    sample: Sample
    detection: Detection
    floors: Array
    meets: Meets | None = None
    roots: dict[int, float] = field(default_factory=dict)  # signal -> where it crosses
    risen: set[int] = field(default_factory=set)  # resting signals with a top between samples
    grazes: list[Graze] = field(default_factory=list)

    @property
    def ends(self) -> Array:
        """Below what a signal counts as zero without having turned."""
        return self.floors if self.meets is None else np.zeros_like(self.floors)

    def earliest(self, grid: Grid, resting: Flags) -> float | None:
        """The first time at which some signal crosses, kept in ``roots`` with its rivals."""
        if (late := np.flatnonzero(~resting & (grid.values[0] <= 0))).size:
            self.roots.update((signal, self.step.start) for signal in late.tolist())
            return self.step.start
        best, there = math.inf, grid.values[0]  # the first crossing so far, and the signals there
        sunk: dict[int, float] = {}
        for i, j, armed in self._scan(grid, resting):
            once = armed and grid.values[i + 1, j] <= 0
            if best < grid.times[i] or (once and best < grid.times[i + 1] and there[j] > 0):
                continue  # it crosses later
            time = self._examine(grid, i, j, armed=armed, level=0)
            if time is None:
                continue
            self.roots[j] = time
            if not armed and time == self.step.start:
                sunk[j] = time = self._sunk(grid, i, j)
            if time < best:
                best, there = time, self._sampled(np.array([time])).values[0]
        for j, time in sunk.items():
            if time > best:  # something else comes first, and then it may not sink
                del self.roots[j]
        return min(self.roots.values(), default=None)

    def _sunk(self, grid: Grid, i: int, j: int) -> float:
        """When a resting signal that sinks on interval ``i`` is too deep."""
        low = float(grid.times[i + 1])
        if grid.values[i + 1, j] >= -self.detection.depth:
            low = self._turn(grid, i, j)[0]
        return self._first_low(self.step.start, low, j, -self.detection.depth)

    def _scan(self, grid: Grid, resting: Flags) -> Iterator[tuple[int, int, bool]]:
        """Suspicious intervals in the order of time, with the signal and whether it is armed."""
        armed = armed_on(grid, resting, self.detection.lift)
        suspects = _suspects(grid, armed, self.detection, self.floors, self.ends)
        for i in range(len(suspects)) if suspects.any() else ():
            for j in np.flatnonzero(suspects[i]).tolist():
                yield i, j, bool(armed[i, j])
                if j in self.risen and not armed[i, j]:
                    armed[i + 1 :, j] = True
                    suspects = _suspects(grid, armed, self.detection, self.floors, self.ends)

    def _examine(self, grid: Grid, i: int, j: int, *, armed: bool, level: int) -> float | None:
        """Where signal ``j`` crosses on interval ``i``, if it does."""
        rises, falls = grid.rates[i, j] > 0, grid.rates[i, j] < 0
        if armed and grid.values[i + 1, j] <= 0:
            return self._root(grid.end(i, j), grid.end(i + 1, j), j)
        if armed and falls and grid.rates[i + 1, j] >= 0:
            return self._dip(grid, i, j)
        if armed and grid.values[i + 1, j] <= self.ends[j]:
            return float(grid.times[i + 1])
        if not armed and (left := self._standstill(grid, i, j)) is not None:
            return left
        if not armed and rises and grid.rates[i + 1, j] < 0:
            return self._hop(grid, i, j)
        if not armed and falls and not may_wave(grid, i, j):
            return self._sinking(grid, i, j)
        return self._divide(grid, i, j, armed=armed, level=level)

    def _dip(self, grid: Grid, i: int, j: int) -> float | None:
        """A falling, then rising signal, positive at both ends: a crossing, a graze or nothing."""
        bottom, value = self._turn(grid, i, j)
        if value <= 0:
            return self._root(grid.end(i, j), (bottom, value), j)
        if value <= self.floors[j] and self._counts(bottom, j):
            flat = grid.rates[i + 1, j] == 0
            return self._first_low(grid.end(i, j)[0], bottom, j, value + LEVEL) if flat else bottom
        if value <= self.detection.graze:
            self.grazes.append(Graze(bottom, j, value))
        return None

    def _counts(self, time: float, j: int) -> bool:
        """Whether being below the floor is being at zero."""
        return self.meets is None or self.meets(j, time, self.states(np.array([time]))[0])

    def _hop(self, grid: Grid, i: int, j: int) -> float | None:
        """A resting signal that rises, then falls: it comes down after its top, if it had one."""
        top, value = self._turn(grid, i, j)
        time, end = grid.end(i + 1, j)
        if value > self.detection.lift:
            self.risen.add(j)
            return self._root((top, value), (time, end), j) if end <= 0 else None
        return self.step.start if end < -self.detection.depth else None

    def _sinking(self, grid: Grid, i: int, j: int) -> float | None:
        """A resting signal that falls from the start: it fires there if it sinks too deep."""
        lowest = grid.values[i + 1, j]
        if grid.rates[i + 1, j] >= 0:
            lowest = min(lowest, self._turn(grid, i, j)[1])
        return self.step.start if lowest < -self.detection.depth else None

    def _standstill(self, grid: Grid, i: int, j: int) -> float | None:
        """Where a resting signal that sinks has left a standstill at zero, if it was in one."""
        first = i - 1 if i > 0 and grid.rates[i - 1, j] == 0 else i
        if grid.values[i + 1, j] >= -self.detection.depth or grid.rates[first, j] != 0:
            return None
        begin, value = grid.end(first, j)
        low = self._first_low(begin, float(grid.times[i + 1]), j, value - LEVEL)
        return low if self.value((begin + low) / 2, j) == value else None

    def _divide(self, grid: Grid, i: int, j: int, *, armed: bool, level: int) -> float | None:
        """Look closer at an interval on which the signal must have turned more than once."""
        length, steepest = grid.times[i + 1] - grid.times[i], np.abs(grid.rates[i : i + 2, j]).max()
        if level == LEVELS or length * steepest <= self.detection.lift:
            sunk = not armed and grid.values[i + 1, j] < -self.detection.depth
            return self.step.start if sunk else None
        finer = self.grid(float(grid.times[i]), float(grid.times[i + 1]))
        for k, signal, risen in self._scan(finer, np.full(grid.values.shape[1], not armed)):
            if signal == j:
                time = self._examine(finer, k, j, armed=risen, level=level + 1)
                if time is not None:
                    return time
        return None

    def crossing(self, time: float, *, armed: Flags) -> Crossing:
        """The event at ``time``, with every armed signal that gets to zero soon after."""
        soon = min(self.detection.together, 0.01 * (self.step.end - self.step.start))
        here = self._sampled(np.array([time]))
        reached = armed & (here.values[0] + soon * np.minimum(here.rates[0], 0.0) <= 0)
        for signal, root in self.roots.items():
            reached[signal] |= root <= time + soon
        if (undefined := np.flatnonzero(reached & np.isneginf(here.values[0]))).size:
            which = f"watched signal {undefined[0]}"
            raise SolverError(f"{which} is not a number at t = {time:.17g} s")
        return Crossing(time, here.states[0], tuple(np.flatnonzero(reached).tolist()))

    def _root(self, inside: tuple[float, float], outside: tuple[float, float], j: int) -> float:
        """The crossing between two (time, value), on the side that is not positive."""
        if inside[1] <= 0:
            return inside[0]
        fine = 1e-18 * (outside[0] - inside[0])
        time = bracket(lambda t: self.value(t, j), *inside, *outside, fine=fine)[1]
        if self.value(time, j) == 0 == self.rate(time, j):
            return self._first_low(inside[0], time, j, 0.0)
        return time

    def _first_low(self, above: float, low: float, j: int, level: float) -> float:
        """Where a signal gets down to ``level`` to stay, as that of a guard at rest on a border."""
        for _ in range(HALVINGS):
            middle = (above + low) / 2
            if not above < middle < low:
                break
            above, low = (middle, low) if self.value(middle, j) > level else (above, middle)
        return low

    def _turn(self, grid: Grid, i: int, j: int) -> tuple[float, float]:
        """Time and value of the turning point of signal ``j`` on interval ``i``."""
        (a, b), (ra, rb) = grid.times[i : i + 2].tolist(), grid.rates[i : i + 2, j].tolist()
        if rb == 0:
            return grid.end(i + 1, j)
        ends = bracket(lambda t: self.rate(t, j), a, ra, b, rb, fine=1e-14 * (b - a))
        time = ends[ra > 0]  # the end without a positive rate: an exact zero is there
        return time, self.value(time, j)

    def value(self, time: float, signal: int) -> float:
        """One signal at one time."""
        times = np.array([time])
        value = float(self.sample(times, self.states(times)).values[0, signal])
        return -math.inf if math.isnan(value) else value

    def rate(self, time: float, signal: int) -> float:
        """The rate of one signal at one time."""
        return float(self._sampled(np.array([time])).rates[0, signal])

    def states(self, times: Array) -> Array:
        """The dense output, equal to the accepted states at both ends."""
        states = self.step.at(times)
        if times[0] <= self.step.start:
            states[0] = self.step.first
        if times[-1] >= self.step.end:
            states[-1] = self.step.last
        return states

    def whole(self) -> Grid:
        """All signals on the whole step, or on each step of a chain."""
        if not isinstance(self.step, Chain):
            return self.grid(self.step.start, self.step.end)
        return self._sampled(between(self.step.knots, self.detection.links))

    def grid(self, start: float, end: float) -> Grid:
        """All signals at equidistant times from ``start`` to ``end``."""
        return self._sampled(between(np.array([start, end]), self.detection.points - 1))

    def _sampled(self, times: Array) -> Grid:
        states = self.states(times)
        samples = self.sample(times, states)
        values, rates = samples.values, samples.rates
        if (unknown := np.isnan(rates)).any():
            rates = np.where(unknown, self._differences(times), rates)
        if (undefined := np.isnan(values)).any():
            values = np.where(undefined, -math.inf, values)
        return Grid(times, states, values, rates, np.asarray(unknown.any(axis=0)))

    def _differences(self, times: Array) -> Array:
        """Rates from the dense output itself, by differences over a ten-millionth of the step."""
        start, end = self.step.start, self.step.end
        small = max(1e-7 * (end - start), 64 * math.ulp(max(abs(start), abs(end))))
        before, after = np.maximum(times - small, start), np.minimum(times + small, end)
        rise = (
            self.sample(after, self.states(after)).values
            - self.sample(before, self.states(before)).values
        )
        return np.asarray(rise / (after - before)[:, None])


def _suspects(grid: Grid, armed: Flags, detection: Detection, floors: Array, ends: Array) -> Flags:
    """The intervals (rows) on which a signal (column) might have crossed."""
    v0, v1, r0, r1 = grid.values[:-1], grid.values[1:], grid.rates[:-1], grid.rates[1:]
    length = (grid.times[1:] - grid.times[:-1])[:, None]
    ahead, behind = v0 + REACH * length * r0, v1 - REACH * length * r1
    low = np.maximum(floors, np.where(grid.blind, 0.0, detection.graze))
    near: Flags = (v1 <= ends) | ((r0 < 0) & (ahead <= low))
    near |= (r1 > 0) & (behind <= low)
    if not near.any():
        return near
    # A cubic through these values and rates is sure to be monotone if no rate is over three times
    # the slope of its chord [fritsch1980]; otherwise it may turn twice.
    chord = 3 * (v1 - v0) / length
    wavy = (r0 < 0) & (r1 < 0) & (np.minimum(r0, r1) < chord)
    wavy |= (r0 >= 0) & (r1 > 0) & (np.maximum(r0, r1) > chord)
    turning = (r0 < 0) & (r1 >= 0)
    fires: Flags = armed & ((v1 <= ends) | turning | wavy)
    if armed.all():
        return np.asarray(near & fires)
    hops = (r0 > 0) & (v0 + length * r0 > detection.lift) & ((v1 <= detection.lift) | wavy)
    sinks = (v1 < -detection.depth) | turning & (ahead < -detection.depth)
    return np.asarray(near & fires | ~armed & (hops | sinks))
