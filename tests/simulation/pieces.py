"""Runs in pieces: each goes on from the end of the one before, and all together are one run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import strategies as st

from dyverse.automaton.interface import Event, HybridAutomaton, State
from dyverse.automaton.run import Run, Stop
from dyverse.simulation.simulate import Options, simulate

NEAR = (0.0, 1e-12, -1e-12, 1e-13, -1e-13)  # s: how far from an event to cut


def pieces(
    automaton: HybridAutomaton,
    until: float,
    cuts: Sequence[float],
    options: Sequence[Options],
) -> list[Run]:
    """The run cut at these times; the options are used in turn."""
    runs: list[Run] = []
    state: State | None = None
    for i, end in enumerate((*sorted(cuts), until)):
        runs.append(simulate(automaton, state, until=end, options=options[i % len(options)]))
        state = runs[-1].end
        if runs[-1].stop is not Stop.HORIZON:
            break
    return runs


def jumps(runs: Sequence[Run]) -> list[Event]:
    """All events; near misses are told by one digit or not at all, and are left out."""
    return [event for run in runs for event in run.events if event.kind != "graze"]


def story(runs: Sequence[Run]) -> list[tuple[object, ...]]:
    """What happened, without the times."""
    return [(e.kind, e.source, e.target, e.contacts, e.remark) for e in jumps(runs)]


def assert_same(whole: Run, parts: Sequence[Run], *, times: float = 1e-8) -> None:
    """The pieces tell the events of the whole run, none twice and none lost, and end as it does."""
    assert story(parts) == story([whole])
    ours, theirs = ([event.time for event in jumps(runs)] for runs in (parts, [whole]))
    assert ours == pytest.approx(theirs, abs=times)
    assert parts[-1].stop is whole.stop
    assert words(parts[-1].message) == words(whole.message)
    end, last = whole.end, parts[-1].end
    assert last.location == end.location
    assert last.time == pytest.approx(end.time, abs=times)
    np.testing.assert_allclose(last.values, end.values, rtol=1e-7, atol=1e-7)


def words(message: str) -> str:
    """A message without the digits of its times."""
    return re.sub(r"[0-9.e-]+ s", "time", message)


def cuts_of(whole: Run, draw: st.DataObject) -> list[float]:
    """Times to cut a run at: any, or those of its events up to a few digits."""
    end = float(whole.end.time)
    anywhere = st.floats(0.0, end)
    moments = sorted({event.time for event in whole.events})
    if not moments:
        return draw.draw(st.lists(anywhere, min_size=1, max_size=3))
    near = st.builds(lambda time, by: time + by, st.sampled_from(moments), st.sampled_from(NEAR))
    found = draw.draw(st.lists(st.one_of(anywhere, near, near), min_size=1, max_size=4))
    return [time for time in found if 0 <= time < end]


def with_solver(options: Options, *solvers: str) -> list[Options]:
    """The same options for each of these solvers."""
    return [replace(options, solver=solver) for solver in solvers]
