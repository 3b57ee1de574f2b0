"""The atoms of a requirement along a run, as curves: at samples, and between them.

In come the rows of a run, out go `Cells` and a curve for each atom. Every state of the run is a
point, also one in which no time passes; between the samples of an arc lies a `Strip`. What lies
behind the end of a run that was cut off may be anything: it is taken for the best or for the worst.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from dyverse.automaton.guard.robustness import UNDEFINED
from dyverse.automaton.interface import Array
from dyverse.automaton.run import Arc, Between, Run
from dyverse.simulation.observing import Row
from dyverse.simulation.requirement.curves import Cells, Curve, everywhere, together
from dyverse.simulation.requirement.gauge import Gauge
from dyverse.simulation.requirement.happening import Happening
from dyverse.simulation.requirement.pieces import Work
from dyverse.simulation.requirement.strips import Strip, monotone

BEYOND = 4.0  # grains behind the end of a run, where what is not known begins
AHEAD = 1.0  # s, how long that lasts at least


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """The margins of all atoms at one state."""

    time: float
    margins: Array


class Curves(NamedTuple):
    """The curves of all atoms over the same cells."""

    cells: Cells
    atoms: list[Curve]

    def up_to(self, time: float) -> Curves:
        """The same as long as it is not later than that (s); its last state is a point."""
        kept = (self.cells.start < time) | (self.cells.end <= time)
        start, end = self.cells.start[kept], self.cells.end[kept]
        atoms = [_up_to(curve, time) for curve in self.atoms]
        if end[-1] > time:  # inside a stretch
            start, end = np.append(start, time), np.append(np.minimum(end, time), time)
            atoms = [together([curve, _last_of(curve)]) for curve in atoms]
        return Curves(Cells(start, end), atoms)

    def followed_by(self, amount: float, cut: float, until: float, *, at_once: bool) -> Curves:
        """The same with atoms that have one value behind its end, or even at its last instant.

        It lasts to the time ``until``, or for a while; there is a point at the time ``cut`` (s).
        """
        last = float(self.cells.end[-1])
        first = last + BEYOND * self.cells.grain
        edges = [first, cut] if first < cut < np.inf else [first]
        edges.append(max(edges[-1] + AHEAD, until if until < np.inf else 0.0))
        new = [(last, last)] * at_once
        for low, high in pairwise(edges):
            new += [(low, high), (high, high)]
        start, end = (np.array(times) for times in zip(*new, strict=True))
        longer = Cells(np.append(self.cells.start, start), np.append(self.cells.end, end))
        return self._lengthened(longer, amount)

    def _lengthened(self, cells: Cells, amount: float) -> Curves:
        """The same with one value in all further cells."""
        more = everywhere(amount, cells)[np.arange(len(self.cells.start), len(cells.start))]
        return Curves(cells, [together([curve, more]) for curve in self.atoms])


def _up_to(curve: Curve, time: float) -> Curve:
    rows = np.flatnonzero((curve.start < time) | (curve.end <= time))
    return curve.between(rows, curve.start[rows], np.minimum(curve.end[rows], time))


def _last_of(curve: Curve) -> Curve:
    """The end of a curve, as a point in a cell of its own."""
    rows, time = np.array([len(curve) - 1]), curve.end[-1:]
    return replace(curve.between(rows, time, time), cell=curve.cell[-1:] + 1)


class Columns(NamedTuple):
    """The samples of a part of a run: times, and signals by name; one number is the same at all."""

    times: Array
    signals: Mapping[str, Array]


@dataclass(frozen=True, slots=True, eq=False)
class Watched:
    """Points and strips in the order of time."""

    gauge: Gauge
    parts: tuple[Point | Strip, ...]

    def look_closer(self, level: float, until: float = np.inf) -> Work[bool]:
        """Make all that may be at a level up to a time exact; whether anything was not."""
        if not abs(level) < UNDEFINED / 10:
            return False
        found = False
        for part in self.parts:
            if isinstance(part, Strip):
                found |= yield from part.look_closer(level, until)
        return found

    def curves(self, *, sure: bool = False) -> Curves:
        """The curve of every atom; with ``sure``, atoms that have no error are beyond doubt."""
        start = np.array([float(_times(part)[0]) for part in self.parts])
        end = np.array([float(_times(part)[-1]) for part in self.parts])
        made, exact = _Drawn(self.parts, len(self.gauge.atoms)), self.gauge.exact
        atoms = [made.curve(i, sure=sure and bool(known)) for i, known in enumerate(exact)]
        return Curves(Cells(start, end), atoms)


class _Drawn:
    """The points and the intervals of all strips, each with the place of its part."""

    def __init__(self, parts: tuple[Point | Strip, ...], atoms: int) -> None:
        points = [(i, part) for i, part in enumerate(parts) if isinstance(part, Point)]
        strips = [(i, part) for i, part in enumerate(parts) if isinstance(part, Strip)]
        count = [len(strip.times) - 1 for _, strip in strips]
        self._at = np.array([i for i, _ in points], dtype=np.intp)
        self._times = np.array([point.time for _, point in points])
        self._amounts = np.array([point.margins for _, point in points]).reshape(len(points), atoms)
        self._on = np.repeat(np.array([i for i, _ in strips], dtype=np.intp), count)
        empty = np.zeros(0)
        self._low = np.concatenate([empty, *(strip.times[:-1] for _, strip in strips)])
        self._high = np.concatenate([empty, *(strip.times[1:] for _, strip in strips)])
        none = np.zeros((0, 4, atoms))
        self._cubics = np.concatenate([none, *(strip.cubics for _, strip in strips)])
        sizes = np.array([strip.sizes for _, strip in strips]).reshape(len(strips), atoms)
        self._sizes = np.repeat(sizes, count, axis=0)

    def curve(self, atom: int, *, sure: bool) -> Curve:
        """All of one atom in order; if it is ``sure``, only its sign counts."""
        amounts, cubics = self._amounts[:, atom], self._cubics[:, :, atom]
        if sure:
            steps = np.repeat(_sure(cubics[:, :1]), 4, axis=1)
            on, low, high, value = self._on, self._low, self._high, steps
            amounts = _sure(amounts)
        else:
            sizes = self._sizes[:, atom]
            on, low, high, value = monotone(cubics, self._low, self._high, self._on, sizes)
        cell = np.concatenate([self._at, on])
        order = np.argsort(cell, kind="stable")
        start = np.concatenate([self._times, low])[order]
        end = np.concatenate([self._times, high])[order]
        levels = np.repeat(amounts[:, None], 4, axis=1)
        return Curve(
            cell[order],
            start,
            end,
            np.concatenate([levels, value])[order],
            np.full(len(cell), atom, dtype=np.intp),
            np.stack([start, end], axis=1),
        )


def _sure(margins: Array) -> Array:
    return np.where(margins >= 0, UNDEFINED, -UNDEFINED)


def _times(part: Point | Strip) -> Array:
    return np.array([part.time]) if isinstance(part, Point) else part.times


class _Read:
    """What was read of one part of a run: rows, or at once the signals of all of them."""

    def __init__(self, columns: Columns | None = None) -> None:
        self._columns = columns
        self._times: list[float] = []
        self._known: list[Mapping[str, float]] = []

    def add(self, time: float, known: Mapping[str, float]) -> None:
        """One state more."""
        self._times.append(time)
        self._known.append(known)

    def columns(self, names: Collection[str]) -> Columns:
        """The times, and these signals at them."""
        if self._columns is not None:
            return self._columns
        there = [name for name in names if name in self._known[0]]
        columns = {name: np.array([known[name] for known in self._known]) for name in there}
        return Columns(np.array(self._times), columns)


class Reader:
    """A sink that keeps the margins of all atoms."""

    def __init__(self, run: Run, gauge: Gauge, happening: Happening) -> None:
        self._run, self._gauge, self._happening = run, gauge, happening
        self._read: dict[int, _Read] = {}  # by the part of the run
        self._first: dict[int, Array] = {}  # at its first state, with what happens there
        self._sizes: dict[int, Array] = {}  # of the numbers in each atom that may change

    def take(self, row: Row) -> None:
        """Read one state."""
        known = self._happening.later(row.place, row.known)
        if row.place not in self._read:
            self._begin(row.place, known)
        self._read[row.place].add(row.state.time, known)

    def take_arc(self, place: int, arc: Arc, names: Collection[str]) -> bool:
        """Read all states of an arc, if its variables are all that is asked for."""
        variables = self._run.automaton.variables
        own = [name for name in names if name in variables]
        if not len(arc.times) or not set(names).issubset([*own, *self._happening.names]):
            return False
        columns = {name: arc.states[:, variables.index(name)] for name in own}
        first = {name: float(column[0]) for name, column in columns.items()}
        self._begin(place, self._happening.later(place, first))
        counts = self._happening.later(place, {})
        columns |= {name: np.array(counts[name]) for name in counts}
        self._read[place] = _Read(Columns(arc.times, columns))
        return True

    def _begin(self, place: int, known: Mapping[str, float]) -> None:
        self._read[place] = _Read()
        if self._happening.at(place):
            self._first[place] = self._gauge({**known, **self._happening.at(place)})
        sizes = self._gauge.sizes(known)
        self._sizes[place] = np.where(self._gauge.exact, np.inf, sizes)

    def watched(self, cut: float, end: float) -> Watched:
        """All that was seen up to ``end`` (s), with a point at the time ``cut``."""
        return Watched(self._gauge, tuple(self._parts(cut, end)))

    def _parts(self, cut: float, end: float) -> Iterator[Point | Strip]:
        for place, read in self._read.items():
            times, columns = read.columns(self._happening.spoken)
            if times[0] > end:
                return
            margins = self._gauge.all(columns, len(times))
            first = self._first.get(place, margins[0])
            new = np.append(True, np.diff(times) > 0)
            new[-1] |= not new[:-1].any()
            part = self._run.parts[place]
            if not isinstance(part, Arc) or new.sum() < 2:
                yield Point(float(times[0]), first if place in self._first else margins[-1])
                continue
            yield Point(float(times[0]), first)
            yield from self._strips(place, part, times[new], margins[new], cut, end)

    def _strips(
        self, place: int, arc: Arc, times: Array, margins: Array, cut: float, end: float
    ) -> Iterator[Point | Strip]:
        within = Between(self._run.automaton, arc)

        def look(time: float) -> Array:
            known = self._run.seen(within(time), self._happening.spoken)
            return self._gauge(self._happening.later(place, known))

        cuts = sorted(time for time in {cut, end} if times[0] < time < times[-1])
        for time in set(cuts).difference(times.tolist()):
            row = int(np.searchsorted(times, time))
            times, margins = (
                np.insert(times, row, time),
                np.insert(margins, row, look(time), axis=0),
            )
        rows = [0, *np.searchsorted(times, cuts).tolist(), len(times) - 1]
        for first, last in pairwise(rows):
            if times[first] < end:
                part = slice(first, last + 1)
                yield Strip(times[part], margins[part], look, self._sizes[place])
                yield Point(float(times[last]), margins[last])
