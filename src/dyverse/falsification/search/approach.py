"""Ways to a location: how far a run is from an edge that leads on, and a descent along that.

The margin of a property over locations is flat: a run is there or it is not. What is not flat is
how near the guards on the way come to holding. A run that has got to within n edges of the location
is n - 1 and a share away from it, where the share grows with what the nearest guard of an edge that
leads on is missed by; a simplex of points walks down that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from scipy.optimize import minimize

from dyverse.automaton.interface import Array
from dyverse.automaton.run import Run
from dyverse.falsification.question import Question
from dyverse.falsification.search.slopes import run_at
from dyverse.falsification.system import Place
from dyverse.falsification.visited import Eye, Way, present, ways
from dyverse.generation.parts import parts_of
from dyverse.interrupts import insist
from dyverse.simulation.observing import pour

RUNS = 30  # for each unknown
REACH = 0.25  # how far apart the first points are, in widths
THERE = 0.0  # how far a run is that gets there


def distance(question: Question, point: Array) -> float:
    """How far the run at ``point`` is from the nearest location of the property it misses."""
    insist()
    run = run_at(question, point)
    parts = parts_of(run.automaton)
    own = tuple(ways(parts))
    eye = Eye(parts, own)
    pour(run, [eye])
    seen = {place for arc in run.arcs for place in present(parts, arc.location)}
    seen |= _jumped_to(run)
    left = [_far(goal, own, seen, eye.depths) for goal in question.system.goals]
    return min((amount for amount in left if amount > THERE), default=THERE)


def _jumped_to(run: Run) -> set[Place]:
    """Places in which no time passes are not among the arcs."""
    parts = parts_of(run.automaton)
    return {place for event in run.events for place in present(parts, event.target)}


def _far(goal: Place, own: tuple[Way, ...], seen: set[Place], depths: Mapping[Way, float]) -> float:
    """Edges that are still to be taken, the next of them in shares by what its guard is missed."""
    if goal in seen:
        return THERE
    steps = _steps(goal, own)
    leading = [
        (steps[target] + _share(depths.get(way, -math.inf)))
        for way in own
        if (way.owner, way.source) in seen and (target := (way.owner, way.target)) in steps
    ]
    return min(leading, default=math.inf)


def _steps(goal: Place, own: tuple[Way, ...]) -> dict[Place, int]:
    """How many edges lead from each place of an automaton to the goal, at least."""
    found, front = {goal: 0}, {goal}
    while front:
        steps = 1 + found[next(iter(front))]
        before = {(w.owner, w.source) for w in own if (w.owner, w.target) in front} - found.keys()
        found |= dict.fromkeys(before, steps)
        front = before
    return found


def _share(depth: float) -> float:
    """Of one edge: nothing where its guard holds, nearly all of it where that is far away."""
    missed = max(0.0, -depth)
    return 1.0 if math.isinf(missed) else missed / (1 + missed)


def approach(question: Question, starts: Array, *, most: float) -> tuple[Array, int]:
    """The point nearest to a location that the property speaks of, and the runs that it took.

    From the best of ``starts``; ``most`` runs at most, one for each start at least.
    """
    amounts = [distance(question, start) for start in starts]
    best, least, runs = starts[int(np.argmin(amounts))], min(amounts), len(starts)

    def amount(point: Array) -> float:
        nonlocal best, least, runs
        if runs >= most or least == THERE:
            raise StopIteration
        runs += 1
        found = distance(question, point)
        if found < least:
            best, least = point.copy(), found
        return found if math.isfinite(found) else 1e300

    for _ in range(2):  # a simplex that has collapsed begins again from where it is
        try:
            minimize(
                amount,
                best,
                method="Nelder-Mead",
                bounds=list(zip(question.low, question.high, strict=True)),
                options={
                    "initial_simplex": _simplex(question, best),
                    "maxfev": RUNS * len(best),
                    "xatol": 0.0,
                    "fatol": 1e-9,
                },
            )
        except StopIteration:
            break
    return best[None, :], runs


def _simplex(question: Question, point: Array) -> Array:
    """A point and, for each unknown, one beside it, inside the ranges."""
    step = REACH * question.width
    sides = np.where(point + step <= question.high, step, -step)
    return np.vstack([point, point + np.diag(sides)])
