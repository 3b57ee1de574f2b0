"""One box: a run in its middle, a draft that all its runs go the same way, and what is true of it.

What a box is said to be is what the checker finds (`dyverse.certificate`), not what was drafted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from dyverse.automaton.interface import Array, HybridAutomaton
from dyverse.automaton.run import Run, Stop
from dyverse.campaign.campaign import GIVEN_UP
from dyverse.certificate.check import verdict
from dyverse.certificate.file import Box, Broken, Leg, Question, Unproved
from dyverse.certificate.system import System
from dyverse.enclosure.deadline import OutOfTime, before, keep_to_time
from dyverse.enclosure.program import Undecided
from dyverse.generation.model import Model, parse_model
from dyverse.generation.parts import parts_of
from dyverse.interrupts import insist
from dyverse.proving.branches import Word, all_runs, drafted, word_of
from dyverse.proving.course import NOT_FOUND, Undrafted
from dyverse.proving.draft import BETWEEN, Draft
from dyverse.proving.grid import Grid
from dyverse.proving.jumps import jumps
from dyverse.proving.pacing import SPAN
from dyverse.proving.skeleton import Happening, grazing, settled, skeleton
from dyverse.proving.writing import plain
from dyverse.simulation.choice import Choice
from dyverse.simulation.simulate import Options, simulate

Json = Any  # whatever the json module takes

DEGREES = {0: 0, 1: 8, 2: 5, 3: 3, 4: 2}  # of polynomials, by the number of unknowns; else 1


@dataclass(frozen=True, slots=True)
class Way:
    """How to draft a proof."""

    beyond: float = 0.0  # how much longer than asked to follow a run, as share of the time
    share: float = 0.03  # of their first impulse, from which on to see impacts as accumulating
    span: float = SPAN  # of steps
    grazes: float | None = None  # where in the box, from -1 to 1, a run may only touch what it hits
    divides: bool = False  # whether to follow every outcome of an impact that may have several


UNSURE = ("border: which is less", "border: a sign", "border: a step")  # as balls say it
JUMPING = "unsupported: runs come to where a rate jumps (if, sign, floor, ceil)"
SHORTEST = SPAN / 27  # which is worth its while where runs stay at a kink
WAYS = (
    Way(),
    Way(share=1e-4),
    Way(beyond=0.05),
    Way(span=SPAN / 3),
    Way(span=SPAN / 9),
    Way(span=SHORTEST),
    Way(grazes=-1.0),
    Way(grazes=1.0),
    Way(divides=True),
)


def _by(choice: Choice) -> Options:
    """How to simulate the run by which a proof is drafted."""
    return Options(solver="native", choice=choice)


@dataclass(frozen=True, slots=True)
class Task:
    """Decides boxes of one question; ``keep`` says whether proofs are handed back."""

    question: Question
    keep: bool
    end: float = math.inf  # when a box is given up (s since 1970)

    def __call__(self, halves: list[int]) -> Json:
        """The verdict on a box, or why there is none and which unknown to halve, or neither."""
        insist()
        try:
            with before(self.end):
                keep_to_time()
                return self._decided(halves)
        except OutOfTime:
            return GIVEN_UP

    def _decided(self, halves: list[int]) -> Json:
        attempt = _Attempt(_prepared(self.question), tuple(halves))
        why = closer = ""
        for way in WAYS:
            if way.span < SPAN and not why.startswith("too wide"):
                continue
            if way.span <= SHORTEST and not attempt.prepared.system.has_kinks:
                continue
            if way.divides and why != BETWEEN:
                continue
            if way.grazes is not None and not why.startswith("grazing"):
                continue
            try:
                box = attempt.box(way)
                found = verdict(attempt.prepared.system, box)
            except (Undrafted, Unproved, Undecided) as error:
                why = why or str(error)
                if way.span < SPAN and not str(error).startswith("too wide"):
                    closer = str(error)  # what shorter steps left
            else:
                return {"verdict": found, "box": plain(box) if self.keep else None}
        if why.startswith((NOT_FOUND, *UNSURE)) and attempt.prepared.system.has_jumps:
            closer = JUMPING
        return {"why": closer or why, "split": attempt.widest()}


@dataclass(frozen=True, slots=True, eq=False)
class _Prepared:
    """What all boxes of a question share."""

    question: Question
    system: System
    model: Model


@lru_cache(maxsize=2)
def _prepared(question: Question) -> _Prepared:
    return _Prepared(question, System(question), parse_model(question.text))


class _Attempt:
    """One attempt to decide a box."""

    def __init__(self, prepared: _Prepared, halves: tuple[int, ...]) -> None:
        self.prepared, self._halves = prepared, halves
        self._ends = ends(prepared.question, halves)
        self._wide = [i for i, (low, high) in enumerate(self._ends) if low < high]
        degree = DEGREES.get(len(self._wide), 1)
        self._grid = Grid(tuple(degree * (i in self._wide) for i in range(len(self._ends))))
        self._draft: Draft | None = None

    def box(self, way: Way) -> Box:
        """The box with a proof, as drafted in some way."""
        system, share = self.prepared.system, (1 + (way.grazes or 0.0)) / 2
        middle = (1 - share) * self._ends[:, 0] + share * self._ends[:, 1]
        names = [name for name, _, _ in self.prepared.question.unknowns]
        settings = {name: float(text) for name, text in self.prepared.question.settings}
        settings |= dict(zip(names, middle.tolist(), strict=True))
        end = Draft(system, self._grid, self._values(), way.span).until
        automaton = self.prepared.model.automaton(settings)
        until = (1 + way.beyond) * end
        groups: dict[Word, tuple[Leg, ...]] = {}
        for run in all_runs(lambda choice: simulate(automaton, until=until, options=_by(choice))):
            group = tuple(self._legs(automaton, run, way, end))
            broken = isinstance(group[0][-1].then, Broken)
            if broken != system.claim.dual:  # one run will do
                return Box(self._halves, self._grid.degrees, group[0], others=group[1:])
            groups |= {word_of(legs): legs for legs in group}
        first, *others = groups.values()
        return Box(self._halves, self._grid.degrees, first, others=tuple(others))

    def _legs(
        self, automaton: HybridAutomaton, run: Run, way: Way, end: float
    ) -> Iterator[tuple[Leg, ...]]:
        """The legs of all ways that a run, and those near it, can go to the ``end``."""
        system = self.prepared.system
        if run.stop is not Stop.HORIZON:
            raise Undrafted(f"unsupported: a run ends early: {run.message or run.stop.value}")
        whole = list(_happenings(system, automaton, run))
        if way.share < WAYS[0].share and not any(h.rests for h in whole):
            raise Undrafted("border: nothing accumulates")
        happenings = settled(whole, way.share)
        if way.grazes is not None:
            happenings = grazing(happenings)
        late = [h for h in happenings if (h.closing or h.move) and h.time > end]
        if way.beyond and not late:
            raise Undrafted("border: nothing happens soon after the end")

        def again() -> Draft:
            self._draft = Draft(system, self._grid, self._values(), way.span, divides=way.divides)
            return self._draft

        return drafted(again, happenings)

    def _values(self) -> Array:
        """The values of all runs of the grid, (values, runs)."""
        low, high = self._ends[:, :1], self._ends[:, 1:]
        own = (low + high) / 2 + (high - low) / 2 * self._grid.points.T
        fixed = np.array([float(x.mid()) for x in self.prepared.system.numbers])
        return np.vstack([own, np.repeat(fixed[:, None], len(self._grid), axis=1)])

    def widest(self) -> int | None:
        """The unknown that matters most to where runs have got, as far as is known.

        Every other time it is the one that was halved least, for some matter only to what happens.
        None if all ranges are single numbers.
        """
        if len(self._wide) < 2:
            return next(iter(self._wide), None)
        if self._draft is None or len(self._halves) % 2:
            return min(self._wide, key=lambda i: sum(half // 2 == i for half in self._halves))
        influence = self._draft.influence()
        return max(self._wide, key=lambda i: float(influence[i]))


def _happenings(system: System, automaton: HybridAutomaton, run: Run) -> Iterator[Happening]:
    """What happens in a run."""
    found: Iterator[Happening] = iter([Happening((), run.end.time)])
    if system.bodies is not None:
        rigid = parts_of(automaton).bodies
        assert rigid is not None
        found = skeleton(system.bodies, rigid.dynamics, run)
    return found if system.automata is None else jumps(system.automata, automaton, run, found)


def ends(question: Question, halves: tuple[int, ...]) -> Array:
    """The least and the greatest value of each unknown in a box, (unknowns, 2)."""
    found = np.array([[float(low), float(high)] for _, low, high in question.unknowns])
    for half in halves:
        i, upper = divmod(half, 2)
        found[i, 1 - upper] = found[i].mean()
    return found.reshape(len(question.unknowns), 2)
