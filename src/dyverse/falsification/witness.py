"""Witnesses: a candidate counts only when the reference engine, 100 × tighter, agrees.

Besides the witness itself two variants help people: the *nearest*, which changes as little as
possible of the model's own numbers, and the *deepest*, which breaks the property worst.
"""

from __future__ import annotations

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.falsification.branches import violations
from dyverse.falsification.descent import descend, nearest_arcs
from dyverse.falsification.groping import grope
from dyverse.falsification.question import Question, probe
from dyverse.falsification.reading import Reader
from dyverse.falsification.slopes import run_at
from dyverse.falsification.verdict import Witness
from dyverse.flow.step import Accuracy
from dyverse.simulation.properties import Broken

TIGHT = Accuracy(relative=1e-12, absolute=1e-14)  # 100 times tighter than a search
NEAR = 10.0  # times the disagreement of the two engines: nearer to zero is marginal
LEAST = 1e-9
HALVINGS = 40
AWAY = 0.01  # how far a nearest witness keeps from the boundary, as share of its distance
SMALLER = 8  # shares to try, each a tenth of the one before: what is broken may be thin


def replay(question: Question, point: Array) -> Witness | None:
    """The run at ``point`` by the reference engine; None where it keeps the property."""
    settings = question.at(point)
    found = question.system.judge(settings, question.bounds, TIGHT)
    if not isinstance(found.outcome, Broken):
        return None
    lowest = found.outcome.worst
    seen = float(probe(question, point[None, :]).margins[0])
    unsure = max(LEAST, NEAR * abs(seen - lowest.margin)) if np.isfinite(seen) else LEAST
    return Witness(
        settings=settings,
        run=found.run,
        time=found.outcome.time,
        margin=lowest.margin,
        worst_time=lowest.time,
        marginal=bool(-lowest.margin <= unsure),
    )


def deepest(question: Question, point: Array) -> Witness | None:
    """Go on from a violation to the worst one that a descent finds."""
    match question.system.descent:
        case "none":
            return None
        case "simplex":
            return replay(question, grope(question, point, enough=-np.inf)[0])
        case "slopes":
            pass
    reader = Reader(violations(question.system.claim.formula))
    (arc,) = nearest_arcs(question, reader, run_at(question, point), 1)
    return replay(question, descend(question, reader, point, arc=arc, enough=-np.inf).point)


def nearest(question: Question, point: Array) -> Witness | None:
    """Put unknowns back to the model's own values, then go back towards them all."""
    own, changed = question.nominal, point.copy()
    for i in range(len(point)):
        tried = changed.copy()
        tried[i] = own[i]
        if _is_broken(question, tried):
            changed = tried
    return replay(question, _back(question, own, changed))


def _back(question: Question, own: Array, point: Array) -> Array:
    """As near to ``own`` on the way from ``point`` as the property stays broken, but not quite."""
    kept, broken = 0.0, 1.0
    if _is_broken(question, own):
        return own
    for _ in range(HALVINGS):
        middle = (kept + broken) / 2
        if _is_broken(question, own + middle * (point - own)):
            broken = middle
        else:
            kept = middle
    shares = (broken * (1 + AWAY * 0.1**i) for i in range(SMALLER))
    away = (own + share * (point - own) for share in shares if share < 1)
    found = next((one for one in away if _is_broken(question, one)), None)
    return own + broken * (point - own) if found is None else found


def _is_broken(question: Question, point: Array) -> bool:
    return bool(probe(question, point[None, :]).margins[0] < 0)
