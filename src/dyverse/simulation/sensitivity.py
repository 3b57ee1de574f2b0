"""How a run changes with the numbers it was made from: first-order sensitivities through events.

Along an arc S = ∂x/∂p obeys the variational equation S' = A S + B, with A and B the exact
derivatives of the vector field by state and settings. At an event, where a signal g becomes zero,
the time moves by dt/dp = -(g_x S + g_p)/(g_x f⁻ + g_t), the state at the event by
X⁻ = S⁻ + f⁻ dt/dp, behind the jump by X⁺ = R_x X⁻ + R_t dt/dp + R_p, and S⁺ = X⁺ - f⁺ dt/dp (the
saltation matrix). Settings act on rates, resets, guards and the start alike.

Where this is not differentiable (a graze, events at once that move apart, impacts that accumulate)
the event says so, and what follows is one-sided at best.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

import numpy as np

from dyverse.automaton.guard.robustness import robustness
from dyverse.automaton.interface import Array, Event, State, Visit
from dyverse.automaton.run import Arc, Moment, Run
from dyverse.errors import SolverError
from dyverse.expr.formula import Formula
from dyverse.generation.parts import parts_of
from dyverse.given import check_kind
from dyverse.simulation.variation.rigid_variation import RigidVariation
from dyverse.simulation.variation.stretch import Stretch, stretch
from dyverse.simulation.variation.variation import Passage, Variation
from dyverse.simulation.variation.written_variation import WrittenVariation


@dataclass(frozen=True, slots=True, eq=False)
class EventSensitivity:
    """How the time of an event changes; ``smooth`` says whether the run is differentiable there."""

    event: Event
    time: Array  # dt/dp, (k,)
    smooth: bool
    remark: str = ""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Sensitivities:
    """The derivatives of a run by the settings ``names``, one column each."""

    names: tuple[str, ...]
    stretches: tuple[Stretch, ...]  # one per arc
    passages: tuple[Passage, ...]  # one before each arc
    events: tuple[EventSensitivity, ...]  # one per event of the run
    variation: Variation

    @property
    def final(self) -> Array:
        """∂x(T)/∂p at the end of the last arc, (n, k)."""
        return self.stretches[-1].last

    @property
    def event_times(self) -> Array:
        """dt/dp of every event, (events, k)."""
        return np.array([event.time for event in self.events]).reshape(-1, len(self.names))

    @property
    def smooth(self) -> bool:
        """Whether the run is differentiable at all of its events."""
        return not any(passage.remarks for passage in self.passages)

    def at(self, time: float) -> Array:
        """∂x(t)/∂p at a time that is held fixed; at an event, the one after it."""
        return self.stretches[self.arc(time)].at(time)

    def arc(self, time: float) -> int:
        """The number of the arc at a time."""
        starts = [stretch.start for stretch in self.stretches]
        return max(0, bisect_right(starts, time) - 1)


def sensitivities(run: Run, names: Sequence[str]) -> Sensitivities:
    """The derivatives of ``run`` by parameters, ports and starts, given by name.

    The run may come from any solver; only its events and the start of each arc are used.
    """
    check_kind(run, Run, "a run", "simulate(automaton, until=T) makes one")
    variation = _variation(run, names)
    arcs, visits = _ordered(run)
    first = variation.start() if _from_start(run, arcs[0], visits[0]) else _moved(run, names)
    passage = variation.begin(first, visits[0], arcs[0].start)
    passages, stretches = [passage], [stretch(variation, arcs, 0, passage)]
    for i, arc in enumerate(arcs[:-1]):
        instant = float(arc.times[0]) == float(arc.times[-1])
        passage = variation.passage(
            arc,
            stretches[-1].last,
            visits[i + 1],
            arcs[i + 1].start,
            fixed=passage.time if instant else None,
        )
        passages.append(passage)
        stretches.append(stretch(variation, arcs, i + 1, passage))
    return Sensitivities(
        names=tuple(names),
        stretches=tuple(stretches),
        passages=tuple(passages),
        events=tuple(_event(event, arcs, passages) for event in run.events),
        variation=variation,
    )


def margin_gradient(run: Run, sensitivity: Sensitivities, formula: Formula, time: float) -> Array:
    """∂(margin of ``formula``)/∂p at ``time``, where it is least along the run, (k,).

    At a minimum inside an arc the margin does not change with time, so its state derivative at
    the fixed time is enough; a minimum at an event moves with the event, on the side that is less.
    """
    arcs = run.arcs
    i = sensitivity.arc(time)
    state, S = run.at(time), sensitivity.at(time)
    if i > 0 and time == arcs[i].times[0]:
        passage, before = sensitivity.passages[i], arcs[i - 1].end
        if _margin(run, formula, before) <= _margin(run, formula, arcs[i].start):
            state, S = before, passage.before
        else:
            state, S = arcs[i].start, passage.after
        return np.asarray(sensitivity.variation.depth(formula, state).moved(S, passage.time)[0])
    still = np.zeros(S.shape[1])
    return np.asarray(sensitivity.variation.depth(formula, state).moved(S, still)[0])


def _margin(run: Run, formula: Formula, state: State) -> float:
    return robustness(formula, run.automaton.observe(state))


def _variation(run: Run, names: Sequence[str]) -> Variation:
    parts = parts_of(run.automaton)
    if parts.only_bodies is not None:
        return RigidVariation(parts.only_bodies, names)
    if parts.written is not None:
        return WrittenVariation(parts.written, names)
    raise SolverError("sensitivities are known for rigid bodies and written automata only")


def _ordered(run: Run) -> tuple[list[Arc], list[tuple[Visit, ...]]]:
    """The arcs, and the visits before each of them; what follows the last arc is left out."""
    arcs: list[Arc] = []
    visits: list[tuple[Visit, ...]] = [()]
    for part in run.parts:
        match part:
            case Arc():
                arcs.append(part)
                visits.append(())
            case Visit():
                visits[-1] += (part,)
            case Moment():
                pass  # its jumps belong to the passage between two arcs
            case _:
                assert_never(part)
    if not arcs:
        raise SolverError("a run in which no time has passed has no sensitivities")
    return arcs, visits


def _from_start(run: Run, arc: Arc, visits: tuple[Visit, ...]) -> bool:
    """Whether the run begins where the automaton says, not at a state given by hand."""
    begin, start = visits[0].before if visits else arc.start, run.automaton.start()
    same = np.allclose(begin.values, start.values, rtol=1e-9, atol=1e-9)
    return bool(begin.time == start.time and same)


def _moved(run: Run, names: Sequence[str]) -> Array:
    """The derivative of a start given by hand: only names of variables move it."""
    rows = [[float(name == variable) for name in names] for variable in run.automaton.variables]
    return np.array(rows).reshape(len(run.automaton.variables), len(names))


def _event(event: Event, arcs: list[Arc], passages: list[Passage]) -> EventSensitivity:
    """The event with the instant at which it happened."""
    starts = np.array([float(arc.times[0]) for arc in arcs])
    here = np.flatnonzero(starts == event.time)
    if event.kind == "graze" or not len(here):
        unknown = np.full(passages[0].time.shape, np.nan)
        return EventSensitivity(event, unknown, smooth=False, remark=event.remark or event.kind)
    remarks = [remark for i in here for remark in passages[i].remarks]
    time = passages[int(here[0])].time
    return EventSensitivity(event, time, smooth=not remarks, remark="; ".join(remarks))
