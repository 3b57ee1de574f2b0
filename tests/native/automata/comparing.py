"""One automaton in both engines, and whether they tell the same story."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dyverse.automaton.interface import Event
from dyverse.automaton.run import Run
from dyverse.native.automata.sheet import Automaton, is_followed
from dyverse.simulation.simulate import Options, simulate

NATIVE = Options(solver="native")


def jumps(run: Run) -> list[Event]:
    """The events; near misses depend on the last digit and are left out."""
    return [event for event in run.events if event.kind != "graze"]


def story(run: Run) -> list[tuple[object, ...]]:
    """What happened, without the times."""
    return [(e.kind, e.source, e.target, e.remark) for e in jumps(run)]


def check_agreement(subject: Automaton, until: float, options: Options = NATIVE) -> tuple[Run, Run]:
    """Run it in both engines, compare how they go and end, and give both."""
    assert is_followed(subject)
    reference = replace(options, solver="reference")
    ours, theirs = (simulate(subject, until=until, options=o) for o in (options, reference))
    assert story(ours) == story(theirs)
    times = [[event.time for event in jumps(run)] for run in (ours, theirs)]
    assert times[0] == pytest.approx(times[1], abs=1e-9)
    assert ours.end.location == theirs.end.location
    assert ours.end.values == pytest.approx(theirs.end.values, abs=1e-8)
    assert ours.stop is theirs.stop
    return ours, theirs
