"""Runs nearby: sensitivities are compared with central differences of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from dyverse.automaton.run import Run
from dyverse.bodies.world import World
from dyverse.generation.automaton import generate
from dyverse.simulation.sensitivity import Sensitivities, sensitivities
from dyverse.simulation.simulate import Options, simulate

Varied = Callable[[str, float], Run]  # a run with one setting moved by so much


def bodies(
    model: World,
    until: float,
    given: Mapping[str, float] | None = None,
    *,
    solver: str = "reference",
) -> Varied:
    """Runs of ``model`` at settings ``given``, with one setting moved from where it is."""
    first = generate(model, given)
    known = dict(zip(first.variables, first.start().values.tolist(), strict=True))
    known |= {**first.scene.constants, **first.scene.values}

    def run(name: str = "", by: float = 0.0) -> Run:
        moved = {**(given or {}), **({name: known[name] + by} if name else {})}
        return simulate(generate(model, moved), until=until, options=Options(solver=solver))

    return run


def checked_sensitivities(
    run: Varied, *names: str, rel: float = 1e-6, step: float = 1e-5
) -> Sensitivities:
    """Sensitivities that agree with central differences in the end and at every event."""
    middle = run("", 0.0)
    found = sensitivities(middle, names)
    for j, name in enumerate(names):
        up, down = run(name, step), run(name, -step)
        assert [e.kind for e in up.events] == [e.kind for e in middle.events]
        final = (up.end.values - down.end.values) / (2 * step)
        assert found.final[:, j] == pytest.approx(final, abs=rel * (1 + np.abs(final).max()))
        pairs = zip(up.events, down.events, strict=True)
        times = [(a.time - b.time) / (2 * step) for a, b in pairs]
        assert found.event_times[:, j] == pytest.approx(times, rel=rel, abs=rel)
    return found
