"""What is left between Model Exchange and our own runs is the error of the tool that integrates.

A tool's CVode keeps to a relative tolerance, and each bounce makes more of what it leaves. So the
same solver without an FMU is as far off, and a finer tolerance brings the FMU as much nearer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dyverse.exporters.c.folder import write_archive
from dyverse.exporters.c.model import AUTOMATA, exported
from dyverse.exporters.fmu.archive import archive
from dyverse.generation.automaton import generate
from dyverse.generation.model import parse_model
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate
from dyverse.text.examples import example_text
from tests.exporters.fmu.building import QUICK, fmu
from tests.native.test_random import scene

fmpy = pytest.importorskip("fmpy")
sundials: Any = pytest.importorskip("fmpy.sundials")

TOLERANCE, STEP, UNTIL = 1e-9, 0.2, 20.0
K, HOT, COLD, LOW, HIGH = 0.1, 30.0, 10.0, 18.0, 22.0  # of the thermostat


def _closed_form() -> Iterator[float]:
    """When it switches: exponentials between its two bounds."""
    yield (time := math.log((HOT - 20) / (HOT - HIGH)) / K)
    while True:
        yield (time := time + math.log((COLD - HIGH) / (COLD - LOW)) / K)
        yield (time := time + math.log((HOT - LOW) / (HOT - HIGH)) / K)


def _by_cvode_alone() -> list[float]:
    """The same by FMPy's CVode on two Python functions, started anew at each switch."""
    now = SimpleNamespace(T=20.0, since=0.0, heats=True)

    def get(row: Any, _: int) -> None:
        row[0], row[1] = now.T, now.since

    def put(row: Any, _: int) -> None:
        now.T, now.since = row[0], row[1]

    def rates(row: Any, _: int) -> None:
        row[0], row[1] = K * ((HOT if now.heats else COLD) - now.T), 1.0

    def signal(row: Any, _: int) -> None:
        row[0] = HIGH - now.T if now.heats else now.T - LOW

    def sizes(row: Any, _: int) -> None:
        row[0] = row[1] = AUTOMATA

    none = SimpleNamespace(apply=lambda _: None)
    solver = sundials.CVodeSolver(
        2, 1, get, put, rates, signal, sizes, lambda _: None, none, 0.0, UNTIL / 50, TOLERANCE
    )
    times, time = [], 0.0
    while time < UNTIL:
        met, _, time = solver.step(time, min(UNTIL, STEP * (math.floor(time / STEP + 1e-9) + 1)))
        if met:
            times.append(time)
            now.heats, now.since = not now.heats, 0.0
            solver.reset(time)
    return times


def test_an_fmu_adds_nothing_to_the_error_of_its_tool(tmp_path: Path) -> None:
    _, _, place = fmu(example_text("thermostat"), tmp_path)
    exact = list(islice(_closed_form(), 5))
    alone = _by_cvode_alone()
    made: Any = fmpy.simulate_fmu(
        str(place),
        fmi_type="ModelExchange",
        stop_time=UNTIL,
        output_interval=STEP,
        relative_tolerance=TOLERANCE,
    )
    assert len(alone) == len(exact)
    errors = []
    for true, other in zip(exact, alone, strict=True):
        near = made["time"][np.argmin(np.abs(made["time"] - true))]
        errors.append(abs(other - true))
        assert near == pytest.approx(other, abs=2e-8)
    assert 1e-7 < errors[-1] < 1e-6  # far over the tolerance of 1e-9: T is 20, and changes slowly


def test_a_finer_tolerance_brings_many_bounces_nearer(tmp_path: Path) -> None:
    """39 impacts among four balls, which make 1e5 of a displacement at the start."""
    world = scene(13)
    automaton = generate(world)
    found, place = exported("model", automaton, world=world), tmp_path / "model.fmu"
    write_archive(place, archive(found, "fmu2", flags=QUICK).files)
    end = simulate(automaton, until=1.0, options=Options(solver="native")).end.values
    names = [state.name for state in found.states]
    errors = []
    for tolerance in (1e-9, 1e-11, 1e-13):
        made: Any = fmpy.simulate_fmu(
            str(place),
            fmi_type="ModelExchange",
            stop_time=1.0,
            output_interval=0.05,
            relative_tolerance=tolerance,
            output=names,
        )
        errors.append(np.abs([made[name][-1] for name in names] - end).max())
    assert errors[0] > 30 * errors[1] > 300 * errors[2]
    assert errors[2] < 1e-5


def test_a_finer_tolerance_brings_the_last_bounces_nearer(tmp_path: Path) -> None:
    """They get shorter, and an absolute error does not: at 1e-9 the last are off by 2e-4 s."""
    model, _, place = fmu(example_text("bouncing-ball"), tmp_path, "fmu2", ("counts",))
    options = Options(solver="native")
    times = [e.time for e in simulate(model.automaton(), until=19.0, options=options).events]
    worst = {}
    for tolerance in (1e-9, 1e-12):
        made: Any = fmpy.simulate_fmu(
            str(place),
            fmi_type="ModelExchange",
            stop_time=19.0,
            output_interval=STEP,
            relative_tolerance=tolerance,
            output=["events"],
        )
        worst[tolerance] = max(float(np.min(np.abs(made["time"] - time))) for time in times)
    assert made["events"][-1] == len(times) == 64
    assert worst[1e-12] < 1e-6 < worst[1e-9] < 2e-4


def test_a_thrown_die_makes_much_of_an_error_by_itself() -> None:
    """Our own run, begun 1e-9 m higher: its later events move by more than 1e-5 s."""
    text = example_text("dice")
    times = []
    for height in ("0.1", "0.100000001"):
        moved = parse_model(text.replace("position (0, 0.1, 0)", f"position (0, {height}, 0)"))
        run = simulate(moved.automaton(), until=0.58, options=Options(solver="native"))
        times.append(np.array([event.time for event in run.events]))
    moves = np.abs(times[1] - times[0])
    assert moves[0] < 2e-9
    assert 1e-6 < moves.max() < 1e-3
