"""Behaviour over a grid of parameters, and the borders between behaviours.

In comes an automaton, values for some of its parameters and a crew to do the work; out goes the
verdict at each point of the grid. A border is where the verdict changes along one parameter; it is
enclosed by bisection. Points are tasks of a `Campaign`: they may be done by any number of workers,
in any order, and a journal keeps what is done; the map does not depend on it.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Protocol

from dyverse.abstraction.evidence.classify import classify
from dyverse.abstraction.evidence.verdict import (
    Converges,
    Escapes,
    Repeats,
    Verdict,
    certainty,
    verdict_name,
)
from dyverse.abstraction.language.word import Lasso, word_text
from dyverse.abstraction.portrait.field import Box
from dyverse.abstraction.survey.attractors import search
from dyverse.abstraction.survey.identity import attractors
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.errors import ModelError, Problem, did_you_mean
from dyverse.simulation.simulate import DEFAULTS, Options

UNDECIDED = "undecided"
SHARES = (0.5, 0.3, 0.7)  # of a bracket: where to look next if the first are undecided

Settings = dict[str, float]
Answer = dict[str, Any]  # JSON: behaviour, word, time, evidence, certainty


class Rounds(Protocol):
    """Does rounds of tasks, as `dyverse.campaign.campaign.Campaign` does."""

    def results(self, tasks: Iterable[Any]) -> list[Any]:
        """The result of every task, in their order."""

    def stream(self, tasks: Iterable[Any]) -> Iterator[Any]:
        """The same, one by one, as they become known."""


@dataclass(frozen=True, slots=True)
class PointWork:
    """The work at one point: make the automaton at these settings and classify its run.

    Other processes must be able to read ``make``: `partial(with_parameters, automaton)` will do.
    """

    make: Callable[[Settings], WrittenAutomaton]
    until: float
    options: Options = DEFAULTS
    box: Box | None = None  # in which all attractors are looked for
    starts: int = 0

    def __call__(self, settings: Settings) -> Answer:
        """The answer at ``settings``."""
        model = self.make(settings)
        if self.box is None:
            return answer(classify(model, until=self.until, options=self.options)[0])
        found = search(
            model, until=self.until, box=self.box, starts=self.starts, options=self.options
        )
        every, own = attractors(found)
        return answer(found.verdict) | {"attractors": every, "attractor": own}


def with_parameters(automaton: WrittenAutomaton, settings: Mapping[str, float]) -> WrittenAutomaton:
    """The same automaton with other values of some parameters."""
    known = dict(automaton.parameters)
    problems = [
        Problem(f"unknown parameter {name!r}{did_you_mean(name, known)}")
        for name in settings
        if name not in known
    ]
    if problems:
        raise ModelError(problems, file=automaton.name)
    return replace(automaton, parameters=tuple((known | dict(settings)).items()))


def answer(verdict: Verdict) -> Answer:
    """A verdict as JSON."""
    word = verdict.word
    found: Answer = {
        "behaviour": verdict_name(verdict),
        "word": str(word) if isinstance(word, Lasso) else word_text(word),
        "time": verdict.time,
        "evidence": str(verdict),
        "certainty": certainty(verdict),
    }
    if isinstance(verdict, Converges):
        found["equilibrium"] = verdict.evidence.point.values.tolist()
    if isinstance(verdict, Repeats):
        found["period"] = verdict.evidence.orbit.period
    if isinstance(verdict, Escapes):
        found["blow_up"] = verdict.evidence.blow_up
    return found


@dataclass(frozen=True, slots=True)
class Spaced(Sequence[float]):
    """So many numbers from ``low`` to ``high``, evenly spaced and never all in memory."""

    low: float
    high: float
    number: int

    def __len__(self) -> int:
        return self.number

    def __getitem__(self, place: Any) -> Any:  # a number, or a tuple of them for a slice
        if isinstance(place, slice):
            return tuple(self[i] for i in range(*place.indices(self.number)))
        i = range(self.number)[place]
        step = (self.high - self.low) / (self.number - 1)
        return self.high if i == self.number - 1 else self.low + i * step


@dataclass(frozen=True, slots=True)
class Axis:
    """A parameter and the values it takes on the grid."""

    name: str
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class Map:
    """The behaviour at each point of the grid; the last axis changes fastest.

    A behaviour is kept as its place in ``kinds``: four bytes a point.
    """

    axes: tuple[Axis, ...]
    kinds: tuple[str, ...] = ()
    codes: array[int] = field(default_factory=lambda: array("I"))

    @property
    def size(self) -> int:
        """The number of points of the grid."""
        return math.prod(len(axis.values) for axis in self.axes)

    @property
    def points(self) -> Iterator[Settings]:
        """The settings of each point, made one by one."""
        return map(self.point, range(self.size))

    def point(self, place: int) -> Settings:
        """The settings of one point."""
        found: list[tuple[str, float]] = []
        for axis in reversed(self.axes):
            place, rest = divmod(place, len(axis.values))
            found.append((axis.name, axis.values[rest]))
        return dict(reversed(found))

    @property
    def behaviours(self) -> tuple[str, ...]:
        """The behaviour at each point."""
        return tuple(self.kinds[code] for code in self.codes)

    @property
    def counts(self) -> dict[str, int]:
        """How often each behaviour occurs, the most frequent first."""
        common = Counter(self.codes).most_common()
        return {self.kinds[code]: count for code, count in common}


@dataclass(frozen=True, slots=True)
class Border:
    """Between ``low`` and ``high`` of one parameter the behaviour changes."""

    settings: tuple[tuple[str, float], ...]  # of the other parameters
    name: str
    low: float
    high: float
    below: str
    above: str
    narrowed: bool = True  # as far as was asked for


Take = Callable[[Settings, Answer], None]  # is handed each point with its answer


def parameter_map(
    axes: Sequence[Axis], rounds: Rounds, take: Take = lambda point, found: None
) -> Map:
    """The behaviour at each point of the grid; whole answers are handed to ``take`` as they come.

    Points are made, and answers forgotten, one by one: there may be millions of them.
    """
    grid = Map(tuple(axes))
    kinds: dict[str, int] = {}
    codes = array("I")
    for point, found in zip(grid.points, rounds.stream(grid.points), strict=True):
        codes.append(kinds.setdefault(found["behaviour"], len(kinds)))
        take(point, found)
    return replace(grid, kinds=tuple(kinds), codes=codes)


def borders(
    found: Map, name: str, rounds: Rounds, *, width: float, steps: int = 60
) -> tuple[Border, ...]:
    """The borders along the parameter ``name``, each between values at most ``width`` apart.

    A bracket stays wider, and says so, where the points in it are undecided.
    """
    wide, done = list(_brackets(found, name)), []
    for _ in range(steps):
        done += [border for border in wide if border.high - border.low <= width]
        wide = [border for border in wide if border.high - border.low > width]
        if not wide:
            break
        wide, stuck = _narrowed(wide, rounds)
        done += (replace(border, narrowed=False) for border in stuck)
    done += (replace(border, narrowed=border.high - border.low <= width) for border in wide)
    return tuple(sorted(done, key=lambda border: (border.settings, border.low)))


def _narrowed(wide: list[Border], rounds: Rounds) -> tuple[list[Border], list[Border]]:
    """Each bracket cut at a decided point; those in which there seems to be none are stuck."""
    narrow: list[Border] = []
    for share in SHARES:
        answers = rounds.results([_between(border, share) for border in wide])
        pairs = [(b, item["behaviour"]) for b, item in zip(wide, answers, strict=True)]
        narrow += [
            half for b, found in pairs if found != UNDECIDED for half in _cut(b, share, found)
        ]
        wide = [border for border, found in pairs if found == UNDECIDED]
        if not wide:
            break
    return narrow, wide


def _cut(border: Border, share: float, behaviour: str) -> list[Border]:
    """The parts of a bracket over which the behaviour changes: one, or two if there is a third."""
    place = border.low + share * (border.high - border.low)
    below = replace(border, high=place, above=behaviour)
    above = replace(border, low=place, below=behaviour)
    return [half for half in (below, above) if half.below != half.above]


def _between(border: Border, share: float) -> Settings:
    place = border.low + share * (border.high - border.low)
    return dict(border.settings) | {border.name: place}


def _brackets(found: Map, name: str) -> Iterator[Border]:
    """Neighbours along ``name`` with different behaviour; undecided points are passed over."""
    names = [axis.name for axis in found.axes]
    if name not in names:
        raise ModelError([Problem(f"no axis {name!r}{did_you_mean(name, names)}")], file="<map>")
    values = found.axes[names.index(name)].values
    step = math.prod(len(axis.values) for axis in found.axes[names.index(name) + 1 :])
    upwards = _upwards(values)
    for block in range(0, found.size, step * len(values)):
        for first in range(block, block + step):
            yield from _along(found, name, (first + step * i for i in upwards))


def _upwards(values: Sequence[float]) -> Sequence[int]:
    """The places of ``values`` from the least to the greatest."""
    if isinstance(values, Spaced):
        return range(len(values))
    return sorted(range(len(values)), key=values.__getitem__)


def _along(found: Map, name: str, places: Iterator[int]) -> Iterator[Border]:
    """The brackets of one row of points, along which the parameter ``name`` increases."""
    decided = (i for i in places if found.kinds[found.codes[i]] != UNDECIDED)
    for low, high in pairwise(decided):
        if found.codes[low] != found.codes[high]:
            below, above = found.point(low), found.point(high)
            others = tuple((other, value) for other, value in below.items() if other != name)
            kinds = found.kinds[found.codes[low]], found.kinds[found.codes[high]]
            yield Border(others, name, below[name], above[name], *kinds)
