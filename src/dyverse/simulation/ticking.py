"""Time from one tick to the next, in which invariants must hold up to the margin of guards.

An invariant such as ``c <= 1`` ends where the guard ``c >= 1`` begins to hold. If that is a tick,
the edge is taken there; but rounding may put the end of the invariant a little before the tick. So
where invariants alone end a stretch of time, it goes on to the tick if they hold until then up to
the margin within which guards are read. If not, the run is locked where the first of them ended.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from dyverse.automaton.interface import Flow, State
from dyverse.flow.follow import Followed, OnStep, follow
from dyverse.flow.step import Solver
from dyverse.simulation.masked import LOCKS, loosened
from dyverse.simulation.options import Options


def pass_time(
    flow: Flow,
    names: tuple[str, ...],
    integrator: Solver,
    state: State,
    *,
    until: float,
    margin: float,
    options: Options,
    on_step: OnStep | None = None,
) -> Followed:
    """Follow ``flow`` from ``state`` to its first event or to ``until``.

    ``names`` are those of its signals, ``margin`` is that of guards.
    """
    on = partial(follow, until=until, options=options.follow, on_step=on_step)
    resting = None if state.stretch is None else state.stretch.resting
    found = on(flow, integrator, state.time, state.values, resting=resting)
    if options.tick is None or not is_locked(found, names):
        return found
    loose, time = loosened(flow, names, margin), float(found.times[-1])
    rest = on(loose, integrator, time, found.states[-1], resting=found.resting)
    return found if is_locked(rest, names) else _joined(found, rest)


def is_locked(followed: Followed, names: tuple[str, ...]) -> bool:
    """Whether it ended because time may not pass, and for nothing else."""
    signals = followed.crossing.signals if followed.crossing else ()
    return bool(signals) and all(names[i].startswith(LOCKS) for i in signals)


def _joined(first: Followed, rest: Followed) -> Followed:
    """Both as one stretch."""
    return replace(
        rest,
        times=np.concatenate([first.times, rest.times[1:]]),
        states=np.concatenate([first.states, rest.states[1:]]),
        grazes=first.grazes + rest.grazes,
        steps=first.steps + rest.steps,
    )
