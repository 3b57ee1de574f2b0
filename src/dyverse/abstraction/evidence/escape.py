"""Numerical evidence that a run leaves every bounded region, in finite or in infinite time.

In come the arcs of a run; out goes how it has grown.

- A run that the integrator cannot follow any further *blows up* if its speed has grown by many
  powers of ten, if each took less time than the one before, so that the times have a limit, and if
  the state went no less far in each of them, so that the state has none. A run that only comes to
  where its field ends (x' = -1/x) gets less and less far.
- A run that can be followed *grows without bound* if its largest variable has grown by very many
  powers of ten, far beyond what a model's numbers are about, and the last ones took no longer than
  those before.

Neither is proved: a field can turn round at any distance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dyverse.abstraction.portrait.field import Fields
from dyverse.automaton.interface import Array
from dyverse.automaton.run import Arc

BLOWN = 8  # powers of ten by which the speed of a run that blows up has grown
FAR = 30  # powers of ten by which a run that can be followed has grown
LAST = 4  # powers of ten that are looked at more closely
FASTER = 0.95  # each of them takes at most this share of the time of the one before
STEADY = 1.02  # and if it can be followed, at most this share


@dataclass(frozen=True, slots=True, eq=False)
class Escape:
    """How a run has grown; ``blow_up`` is when it is beyond all bounds, if that is finite (s)."""

    variable: str
    powers: int
    last: float  # how long the last power of ten took (s)
    blow_up: float | None = None

    def __str__(self) -> str:
        if self.blow_up is not None:
            return (
                f"{self.variable} blows up: its speed has grown by {self.powers} powers of ten in "
                f"ever shorter times, which add up to {self.blow_up:.9g} s"
            )
        return (
            f"{self.variable} has grown by {self.powers} powers of ten, "
            f"the last within {self.last:.3g} s"
        )


def blows_up(fields: Fields, arcs: Sequence[Arc]) -> Escape | None:
    """Evidence that the end of these arcs is a blow-up in finite time."""
    arc = next((arc for arc in reversed(arcs) if len(arc.times) > 1), None)
    if arc is None:
        return None
    speeds = np.array([np.abs(fields[arc.location].rate(row)).max() for row in arc.states])
    times, rows = _powers(arc.times, speeds)
    gaps, ways = np.diff(times), np.abs(np.diff(arc.states[rows], axis=0)).max(axis=1)
    if len(gaps) < max(BLOWN, LAST + 1) or not (
        (gaps[-LAST:] <= FASTER * gaps[-LAST - 1 : -1]).all()
        and (ways[-LAST:] >= FASTER * ways[-LAST - 1 : -1]).all()
    ):
        return None
    share = float(gaps[-1] / gaps[-2])
    limit = float(times[-1] + gaps[-1] * share / (1 - share))
    return Escape(_largest(fields, arc.states[-1]), len(gaps), float(gaps[-1]), limit)


def grows(fields: Fields, arcs: Sequence[Arc]) -> Escape | None:
    """Evidence that a run that can be followed grows without bound."""
    states = np.vstack([arc.states for arc in arcs])
    sizes = np.maximum(np.abs(states).max(axis=1), 1.0)
    times, _ = _powers(np.concatenate([arc.times for arc in arcs]), sizes)
    gaps = np.diff(times)
    if len(gaps) < FAR or gaps[-LAST:].max() > STEADY * gaps[-FAR // 2 : -LAST].max():
        return None
    return Escape(_largest(fields, states[-1]), len(gaps), float(gaps[-1]))


def _largest(fields: Fields, state: Array) -> str:
    return fields.automaton.variables[int(np.argmax(np.abs(state)))]


def _powers(times: Array, sizes: Array) -> tuple[Array, list[int]]:
    """When each further power of ten was reached, between samples along the logarithm."""
    most = np.log10(np.maximum.accumulate(np.where(np.isfinite(sizes), sizes, 0.0)) + 1e-300)
    goals = most[0] + np.arange(max(int(most[-1] - most[0]), 0) + 1)
    rows = np.minimum(np.searchsorted(most, goals), len(times) - 1)
    before = np.maximum(rows - 1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.clip((goals - most[before]) / (most[rows] - most[before]), 0, 1)
    share = np.where(np.isnan(share), 1.0, share)
    return times[before] + share * (times[rows] - times[before]), rows.tolist()
