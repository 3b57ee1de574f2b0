"""From a point towards a violation: steps along the linear model, within a trust region.

Each step solves a small linear program: move the unknowns and the instant so that the least depth
of the branch becomes as large as possible, not further than the model is trusted and not past the
ends of the arc. With as many depths active as there are unknowns this is Newton's method, so the
number of steps does not grow as a window gets narrower. A descent looks at one arc of the run only:
what happens before, say a start on the boundary of the property, hides nothing that comes later.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import linprog

from dyverse.automaton.interface import Array
from dyverse.automaton.run import Run
from dyverse.falsification.question import Question
from dyverse.falsification.search.depths import Reader
from dyverse.falsification.search.slopes import Instant, Slopes, run_at, slopes

STEPS = 40
START, SMALLEST = 0.5, 1e-13  # radius of trust, in widths of the ranges
NOTHING = 1e-12  # a promised gain that is none
NARROWER = 4.0  # times, is a region behind a bad step
WORTH = 0.1  # share of the promised gain that makes a step good
PACE = 8  # steps, by what these gained together a descent is judged


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Descent:
    """Where a descent stands: the lowest margin within one arc, and how many runs it took.

    It ``creeps`` if it was given up because it was too slow.
    """

    point: Array
    here: Instant
    margin: float
    runs: int
    creeps: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """How far the linear model is trusted: unknowns in widths of their ranges, time in horizons."""

    unknowns: Array
    time: float

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left."""
        return bool(self.time < SMALLEST)

    def widened(self) -> Region:
        """Twice as far, behind a good step."""
        return Region(np.minimum(2 * self.unknowns, 1.0), min(2 * self.time, 1.0))

    def narrowed(self, model: Slopes) -> Region:
        """Behind a bad step, a quarter of the change that the model told.

        What promised most is to blame: where one unknown is steep and turns soon, the others are
        trusted as before.
        """
        steep = np.abs(model.by_unknown).max(axis=0)
        told = steep * self.unknowns
        kept = _levelled(told, told.sum() / NARROWER)
        share = np.divide(kept, told, out=np.full(len(told), 1 / NARROWER), where=told > 0)
        return Region(self.unknowns * share, self.time / NARROWER)


def _levelled(amounts: Array, total: float) -> Array:
    """The amounts, the largest of them cut to one level so that they add up to the total."""
    order = np.sort(amounts)
    below = np.concatenate([[0.0], np.cumsum(order)[:-1]])
    levels = (total - below) / np.arange(len(order), 0, -1)
    return np.asarray(np.minimum(amounts, levels[np.argmax(levels <= order)]))


def descend(
    question: Question,
    reader: Reader,
    start: Array,
    *,
    arc: int,
    enough: float = 0.0,
    most: float = np.inf,
) -> Descent:
    """Go down in one arc from ``start`` until the margin is below ``enough`` or no step helps.

    There are ``most`` runs at most, but at least one.
    """
    return _down(question, reader, look(question, reader, start, arc), arc, enough, most)


def descend_nearest(
    question: Question, reader: Reader, start: Array, *, rank: int, most: float = np.inf
) -> Descent:
    """The same in the arc that is nearest to a violation, or next to it by ``rank``."""
    run = run_at(question, start)
    arc = nearest_arcs(question, reader, run, rank + 1)[-1]
    best = _within(question, reader, start, run, arc)
    return _down(question, reader, best, arc, 0.0, most)


def _down(
    question: Question, reader: Reader, best: Descent, arc: int, enough: float, most: float
) -> Descent:
    start, model, runs = best.point, None, 1
    region = Region(np.full(len(start), START), START)
    margins: list[float] = []
    for _ in range(STEPS):
        margins.append(best.margin)
        if not np.isfinite(best.margin) or best.margin < enough or region.is_empty:
            break
        if _is_too_slow(margins, enough):
            return replace(best, runs=runs, creeps=True)
        if runs + 1 + (2 * len(start) if model is None else 0) > most:
            break
        if model is None:
            model = slopes(question, reader, best.point, best.here)
            runs += model.runs
        move, promised = _step(question, best.point, model, region)
        if promised <= NOTHING * max(1.0, abs(best.margin)) or _is_still(question, move):
            break
        tried = look(question, reader, best.point + move, arc)
        runs, gain = runs + 1, best.margin - tried.margin
        good = gain > WORTH * promised
        region = region.widened() if good else region.narrowed(model)
        if gain > 0:
            best, model = tried, None
    return replace(best, runs=runs)


def _is_too_slow(margins: list[float], enough: float) -> bool:
    """Whether all steps that are left would not get there at the pace of the last ones.

    Where runs swing, margins have ripples; in one of them a descent creeps for ever.
    """
    if len(margins) <= PACE or enough == -np.inf:
        return False
    pace = (margins[-1 - PACE] - margins[-1]) / PACE
    return pace * (STEPS - len(margins)) < margins[-1] - enough


def _is_still(question: Question, move: Array) -> bool:
    """Whether only the instant would move; `look` has already found the best one."""
    return bool(np.all(np.abs(move) <= SMALLEST * question.width))


def look(question: Question, reader: Reader, point: Array, arc: int) -> Descent:
    """The least margin of one arc of the run at ``point``, moved into the ranges."""
    inside = question.placed(np.clip(point, question.low, question.high)[None, :])[0]
    return _within(question, reader, inside, run_at(question, inside), arc)


def _within(question: Question, reader: Reader, inside: Array, run: Run, arc: int) -> Descent:
    place = min(arc, len(run.arcs) - 1)
    margin, time = reader.lowest(run, run.arcs[place], question.until)
    return Descent(point=inside, here=Instant(run, place, time), margin=margin, runs=1)


def nearest_arcs(question: Question, reader: Reader, run: Run, count: int) -> list[int]:
    """The arcs of a run that are nearest to a violation, nearest first."""
    margins = [reader.lowest(run, arc, question.until)[0] for arc in run.arcs]
    return sorted(range(len(margins)), key=lambda place: margins[place])[:count]


def _step(question: Question, point: Array, model: Slopes, region: Region) -> tuple[Array, float]:
    """The move of the unknowns that the model likes best, and the gain that it promises.

    The program's variables are the moves (in widths), that of the instant (in horizons), and the
    least depth s: maximise s with depths + slopes · moves >= s, the instant kept within its arc.
    """
    k, m, width = len(point), len(model.depths), question.width
    room = np.where(width > 0, width, 1.0)
    falls = np.hstack([-model.by_unknown, -model.by_time[:, None], np.ones((m, 1))])
    early = np.concatenate([model.ends_by_unknown[0], [-1.0, 0.0]])
    late = np.concatenate([-model.ends_by_unknown[1], [1.0, 0.0]])
    low = np.maximum((question.low - point) / room, -region.unknowns)
    high = np.minimum((question.high - point) / room, region.unknowns)
    found = linprog(
        np.concatenate([np.zeros(k + 1), [-1.0]]),
        A_ub=np.vstack([falls, early, late]),
        b_ub=np.concatenate([model.depths, [-model.ends[0], model.ends[1]]]),
        bounds=[*zip(low, high, strict=True), (-region.time, region.time), (None, None)],
    )
    if found.status != 0 or found.x is None:
        return np.zeros(k), 0.0
    return np.asarray(found.x[:k] * room), float(found.x[-1] - model.depths.min())
