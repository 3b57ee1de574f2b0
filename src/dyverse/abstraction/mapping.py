"""Behaviour over a grid of parameters, and the borders between behaviours.

In comes an automaton, values for some of its parameters and a crew to do the work; out goes the
verdict at each point of the grid. A border is where the verdict changes along one parameter; it is
enclosed by bisection. Points are tasks of a `Campaign`: they may be done by any number of workers,
in any order, and a journal keeps what is done; the map does not depend on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Any, Protocol

from dyverse.abstraction.attractors import search
from dyverse.abstraction.classify import classify
from dyverse.abstraction.field import Box
from dyverse.abstraction.identity import attractors
from dyverse.abstraction.verdict import (
    Converges,
    Escapes,
    Repeats,
    Verdict,
    certainty,
    verdict_name,
)
from dyverse.abstraction.word import Lasso, word_text
from dyverse.automaton.written import WrittenAutomaton
from dyverse.errors import ModelError, Problem, did_you_mean
from dyverse.simulation.simulate import DEFAULTS, Options

UNDECIDED = "undecided"
SHARES = (0.5, 0.3, 0.7)  # of a bracket: where to look next if the first are undecided

Settings = dict[str, float]
Answer = dict[str, Any]  # JSON: behaviour, word, time, evidence, certainty


class Rounds(Protocol):
    """Does rounds of tasks, as `dyverse.campaign.campaign.Campaign` does."""

    def results(self, tasks: Sequence[Any]) -> list[Any]:
        """The result of every task, in their order."""


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
class Axis:
    """A parameter and the values it takes on the grid."""

    name: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Map:
    """An answer for each point of the grid; the last axis changes fastest."""

    axes: tuple[Axis, ...]
    answers: tuple[Answer, ...]

    @property
    def points(self) -> tuple[Settings, ...]:
        """The settings of each answer."""
        names = [axis.name for axis in self.axes]
        values = product(*(axis.values for axis in self.axes))
        return tuple(dict(zip(names, row, strict=True)) for row in values)

    @property
    def behaviours(self) -> tuple[str, ...]:
        """The behaviour at each point."""
        return tuple(found["behaviour"] for found in self.answers)

    @property
    def counts(self) -> dict[str, int]:
        """How often each behaviour occurs, the most frequent first."""
        return dict(Counter(self.behaviours).most_common())


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


def parameter_map(axes: Sequence[Axis], rounds: Rounds) -> Map:
    """The answer at each point of the grid."""
    grid = Map(tuple(axes), ())
    return replace(grid, answers=tuple(rounds.results(grid.points)))


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
    rows: dict[tuple[tuple[str, float], ...], list[tuple[float, str]]] = {}
    for point, behaviour in zip(found.points, found.behaviours, strict=True):
        others = tuple((other, value) for other, value in point.items() if other != name)
        if behaviour != UNDECIDED:
            rows.setdefault(others, []).append((point[name], behaviour))
    for others, row in rows.items():
        row.sort()
        for (low, below), (high, above) in pairwise(row):
            if below != above:
                yield Border(others, name, low, high, below, above)
