"""How a run's depths change with the unknowns: the linear model that a descent steps along.

In comes a point with its run and an instant of it; out go the depths of the branch that is broken
most there, their derivatives by the unknowns and by time, and how far the instant may move before
the run's last or next event is reached. Unknowns count in widths of their ranges, time in horizons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dyverse.automaton.interface import Array, State
from dyverse.automaton.run import Arc, Run
from dyverse.falsification.question import Question
from dyverse.falsification.search.depths import Reader
from dyverse.flow.step import Accuracy
from dyverse.generation.parts import parts_of
from dyverse.simulation.sensitivity import sensitivities
from dyverse.simulation.simulate import simulate

STEP = 1e-6  # of a range, for differences
INSTANT = 1e-7  # of the horizon, the same in time


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Slopes:
    """Depths d (all positive: broken) with ∂d/∂θ, ∂d/∂t, and the arc's ends with theirs."""

    depths: Array  # (m,)
    by_unknown: Array  # (m, k)
    by_time: Array  # (m,)
    ends: Array  # (2,): start and end of the arc, seen from the instant
    ends_by_unknown: Array  # (2, k)
    runs: int  # that were made beside this one


@dataclass(frozen=True, slots=True, eq=False)
class Instant:
    """A time of one arc of a run."""

    run: Run
    place: int
    time: float

    @property
    def arc(self) -> Arc:
        """The arc."""
        return self.run.arcs[self.place]

    @property
    def ends(self) -> Array:
        """When the arc begins and ends (s)."""
        return np.array([self.arc.times[0], self.arc.times[-1]])

    def depths(self, reader: Reader, time: float) -> Array:
        """All depths at a time of the same arc; beyond its ends, as if it went straight on."""
        automaton, state = self.run.automaton, self.run.within(self.arc, time)
        if beyond := time - state.time:
            rate = automaton.flow(self.arc.start).rate(state.time, state.values)
            state = State(time, state.location, state.values + beyond * rate, state.held)
        return np.asarray(reader.depths(automaton, [state])[0])


def run_at(question: Question, point: Array) -> Run:
    """The run at ``point``, with all its states."""
    options = question.bounds.options("native", Accuracy())
    automaton = question.system.automaton(question.at(point))
    return simulate(automaton, until=question.until, options=options)


def slopes(question: Question, reader: Reader, point: Array, here: Instant) -> Slopes:
    """The linear model at ``point``: exact through all events, else by differences of runs.

    There are no exact slopes for depths over contact forces, for bodies that run together with
    automata, and behind an event that is not smooth.
    """
    depths = here.depths(reader, here.time)
    branch = reader.deepest(depths)
    exact = _exact(question, reader, point, here)
    by_unknown, ends = exact or _differences(question, reader, point, here)
    return Slopes(
        depths=depths[branch],
        by_unknown=(by_unknown * question.width)[branch],
        by_time=_rate(reader, here, question.until)[branch],
        ends=(here.ends - here.time) / question.until,
        ends_by_unknown=ends * question.width / question.until,
        runs=0 if exact else 2 * len(point),
    )


Derivatives = tuple[Array, Array]  # of the depths (m, k) and of the arc's ends (2, k)


def _exact(question: Question, reader: Reader, point: Array, here: Instant) -> Derivatives | None:
    """By the sensitivities of the run, if it is differentiable up to here."""
    automaton, names = here.run.automaton, [unknown.name for unknown in question.unknowns]
    parts = parts_of(automaton)
    if not (parts.only_bodies or parts.written) or not reader.is_plain(automaton):
        return None
    found = sensitivities(here.run, names)
    behind = found.passages[: here.place + 2]
    if any(passage.remarks for passage in behind):
        return None
    _, by_state, by_constant = reader.derivatives(automaton, here.run.within(here.arc, here.time))
    depths = by_state @ found.stretches[here.place].at(here.time)
    depths += by_constant @ _changes(question, point, reader.fixed(automaton))
    ends = [passage.time for passage in behind[here.place :]]
    return depths, np.array([*ends, *(np.zeros(len(names)),) * (2 - len(ends))])


def _changes(question: Question, point: Array, constants: Sequence[str]) -> Array:
    """How constants change with the unknowns (c, k): parameters may be made of others."""
    steps = STEP * np.where(question.width > 0, question.width, 1.0)
    sides = [
        [question.system.values(question.at(point + s * step)) for s in (-0.5, 0.5)]
        for step in np.diag(steps)
    ]
    rows = [[high[name] - low[name] for name in constants] for low, high in sides]
    return np.array(rows).reshape(len(point), len(constants)).T / steps


def _differences(question: Question, reader: Reader, point: Array, here: Instant) -> Derivatives:
    """The same by runs beside this one; zero where events change."""
    columns = [_difference(question, reader, point, i, here) for i in range(len(point))]
    nothing = np.zeros(len(reader.terms) + 2)
    known = [nothing if column is None else column for column in columns]
    rows = np.array(known).reshape(len(point), len(nothing)).T
    return rows[:-2], rows[-2:]


def _difference(
    question: Question, reader: Reader, point: Array, i: int, here: Instant
) -> Array | None:
    """Change of depths and arc's ends with unknown ``i``; None where events change."""
    step = STEP * float(question.width[i]) * np.eye(len(point))[i]
    around = [np.clip(point + s * step, question.low, question.high) for s in (-1.0, 1.0)]
    apart = float(around[1][i] - around[0][i])
    if apart == 0:
        return np.zeros(len(reader.terms) + 2)
    runs = [run_at(question, one) for one in around]
    if any(not _same_events(run, here.run) for run in runs):
        return None
    instants = [Instant(run, here.place, here.time) for run in runs]
    rows = [np.concatenate([one.depths(reader, one.time), one.ends]) for one in instants]
    return np.asarray((rows[1] - rows[0]) / apart)


def _same_events(one: Run, other: Run) -> bool:
    kinds = [[(event.kind, event.contacts) for event in run.events] for run in (one, other)]
    return kinds[0] == kinds[1]


def _rate(reader: Reader, here: Instant, horizon: float) -> Array:
    start, end = here.ends
    early, late = max(here.time - INSTANT * horizon, start), min(here.time + INSTANT * horizon, end)
    if late <= early:
        return np.zeros(len(reader.terms))
    rise = here.depths(reader, late) - here.depths(reader, early)
    return np.asarray(rise / (late - early) * horizon)
