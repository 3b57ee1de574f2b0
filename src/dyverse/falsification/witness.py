"""Witnesses: a candidate counts only where three simulations agree that it breaks the property.

These are what `simulate` shows by default, the reference engine, and the reference engine at 100
times tighter tolerance. The error of a margin is what it changes by in the last of them, and never
less than what guards are read to; a violation within the error is *marginal*. Integers, truths,
locations and modes have none. What was found so is judged by the same evaluator as any other run.

Besides the witness itself three variants help people: the *nearest*, which changes as little as
possible of the model's own numbers, the *deepest*, which breaks the property worst, and the
*simplest*, which leaves whatever does not matter as the model has it, and has short numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_UP, Decimal

import numpy as np

from dyverse.automaton.guard.branches import violations
from dyverse.automaton.guard.robustness import shown
from dyverse.automaton.interface import Array
from dyverse.falsification.question import Question, probe
from dyverse.falsification.search.depths import Reader
from dyverse.falsification.search.descent import descend, nearest_arcs
from dyverse.falsification.search.groping import grope
from dyverse.falsification.search.slopes import run_at
from dyverse.falsification.system import Judged, formula_of
from dyverse.falsification.verdict import Witness
from dyverse.flow.step import Accuracy
from dyverse.simulation.requirement.exactness import resolution
from dyverse.simulation.requirement.properties import Broken, Kept, Open

TIGHTER = 100.0
SEARCH = Accuracy()
TIGHT = Accuracy(relative=SEARCH.relative / TIGHTER, absolute=SEARCH.absolute / TIGHTER)
HALVINGS = 40
AWAY = 0.01  # how far a nearest witness keeps from the boundary, as share of its distance
DIGITS = 8  # fewer than so many make a number shorter
DEEPER = 8  # runs for each unknown, at least, to go down without slopes
SMALLER = 8  # shares to try, each a tenth of the one before: what is broken may be thin


@dataclass(frozen=True, slots=True, eq=False)
class Marginal:
    """A candidate that may be one by error, and why; with a run that breaks the property."""

    why: str
    witness: Witness | None = None


def replay(question: Question, point: Array) -> Witness | Marginal | None:
    """What the simulations at ``point`` agree on; None where all of them keep the property."""
    settings = question.at(point)
    roads = [
        question.system.judge(settings, question.bounds, accuracy, solver)
        for accuracy, solver in ((TIGHT, "reference"), (SEARCH, "native"), (SEARCH, "reference"))
    ]
    broken = [road for road in roads if isinstance(road.outcome, Broken)]
    if not broken:
        return None
    witness = _witness(settings, broken[0], _disagreement(roads))
    if len(broken) == len(roads) and not witness.marginal:
        return witness
    return Marginal(f"{_reason(roads, witness)}{where(question, point)}", witness)


def _disagreement(roads: list[Judged]) -> float:
    """How far off the margin of the first road may be, by what others see."""
    first, *others = (road.outcome.leeway for road in roads)
    return max(0.0 if other == first else abs(other - first) for other in others)


def _witness(settings: dict[str, float], found: Judged, apart: float) -> Witness:
    outcome, least = found.outcome, resolution(found.run.automaton)
    assert isinstance(outcome, Broken)
    return Witness(
        settings=settings,
        run=found.run,
        time=outcome.time,
        margin=outcome.worst.margin,
        worst_time=outcome.worst.time,
        error=0.0 if outcome.leeway == -np.inf else max(apart, least),
        marginal=bool(-outcome.leeway <= apart or -outcome.leeway < least),
        decides=outcome.worst.decides,
    )


def where(question: Question, point: Array) -> str:
    """The unknowns for people, as the end of a sentence; nothing if there are none."""
    values = question.at(point)
    told = ", ".join(f"{u.name} = {values[u.name]:.9g}" for u in question.unknowns)
    return f" (at {told})" if told else ""


def _reason(roads: list[Judged], witness: Witness) -> str:
    """Why a violation that some road shows is none to rely on."""
    missed = f"the property is missed by {abs(shown(witness.margin)):.3g}"
    tight, *others = (road.outcome for road in roads)
    match tight:
        case Kept():
            return f"{missed}, but kept at {TIGHTER:g} times tighter tolerance"
        case Open(why=why):
            return f"{missed}, but the run at tighter tolerance ends before: {why}"
        case Broken() if not all(isinstance(other, Broken) for other in others):
            return f"{missed}, but kept in another simulation"
        case Broken():
            return f"{missed}, which is within the error of {witness.error:.3g}"


def deepest(question: Question, point: Array, *, runs: int) -> Witness | None:
    """Go on from a violation to the worst one that a descent finds.

    Without slopes that takes many runs, so there are as many as the search had, or a few more.
    """
    match question.system.descent:
        case "none":
            return None
        case "simplex":
            most = max(runs, DEEPER * len(point))
            return _confirmed(question, grope(question, point, enough=-np.inf, most=most)[0])
        case "slopes":
            pass
    reader = Reader(violations(formula_of(question.system.claim)))
    (arc,) = nearest_arcs(question, reader, run_at(question, point), 1)
    return _confirmed(question, descend(question, reader, point, arc=arc, enough=-np.inf).point)


def nearest(question: Question, point: Array, *, error: float) -> Witness | None:
    """Put unknowns back to the model's own values, then go back towards them all.

    The property stays broken by more than the ``error``, which may be a bit larger there.
    """
    changed = _restored(question, point, 2 * error)
    return _confirmed(question, _back(question, question.nominal, changed, 2 * error))


def simplest(question: Question, point: Array, *, error: float) -> Witness | None:
    """Put unknowns back to the model's own values, and shorten what is left of them."""
    found = _restored(question, point, 2 * error)
    for i in np.flatnonzero(found != question.nominal).tolist():
        shorter = (_with(found, i, number) for number in _shortened(float(found[i])))
        inside = (one for one in shorter if question.low[i] <= one[i] <= question.high[i])
        broken = (one for one in inside if _is_broken(question, one, 2 * error))
        found = next(broken, found)
    return _confirmed(question, found)


def _shortened(number: float) -> Iterator[float]:
    """The same with one significant digit, with two, and so on, rounded either way."""
    exact = Decimal(number)
    for digits in range(1, DIGITS):
        last = Decimal(1).scaleb(exact.adjusted() - digits + 1)
        rounded = (exact.quantize(last, way) for way in (ROUND_HALF_EVEN, ROUND_DOWN, ROUND_UP))
        yield from map(float, dict.fromkeys(rounded))


def _restored(question: Question, point: Array, error: float) -> Array:
    """One unknown after the other put back, where the property stays broken without it."""
    found = point
    for i, own in enumerate(question.nominal.tolist()):
        tried = _with(found, i, own)
        if _is_broken(question, tried, error):
            found = tried
    return found


def _with(point: Array, i: int, number: float) -> Array:
    changed = point.copy()
    changed[i] = number
    return changed


def _confirmed(question: Question, point: Array) -> Witness | None:
    found = replay(question, point)
    return found if isinstance(found, Witness) else None


def _back(question: Question, own: Array, point: Array, error: float) -> Array:
    """As near to ``own`` on the way from ``point`` as the property stays broken, but not quite."""
    kept, broken = 0.0, 1.0
    if _is_broken(question, own, error):
        return own
    for _ in range(HALVINGS):
        middle = (kept + broken) / 2
        if _is_broken(question, own + middle * (point - own), error):
            broken = middle
        else:
            kept = middle
    shares = (broken * (1 + AWAY * 0.1**i) for i in range(SMALLER))
    away = (own + share * (point - own) for share in shares if share < 1)
    found = next((one for one in away if _is_broken(question, one, error)), None)
    return own + broken * (point - own) if found is None else found


def _is_broken(question: Question, point: Array, error: float) -> bool:
    return bool(probe(question, point[None, :]).margins[0] < -error)
