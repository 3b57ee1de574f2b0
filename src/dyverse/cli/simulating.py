"""The work of ``dyverse simulate``: run, observe once, write the files, tell the outcome."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from dyverse.automaton.run import Run, Stop
from dyverse.cli.interrupts import Watch
from dyverse.cli.opened import opened
from dyverse.cli.reported import INTERRUPTED, print_json, say
from dyverse.cli.settings import parse_settings
from dyverse.cli.told import tell
from dyverse.errors import ModelError, Problem
from dyverse.exporters.atomic import check_writable
from dyverse.exporters.run_json import run_json
from dyverse.exporters.table import check_parquet, csv_sink, parquet_sink
from dyverse.expr.value import value
from dyverse.flow.follow import Options as FollowOptions
from dyverse.flow.step import Accuracy
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.simulation.observing import Sink, pour
from dyverse.simulation.properties import Outcome, Watcher
from dyverse.simulation.simulate import NoNativeEngineWarning, Options, check_solver, simulate

DEFAULT_UNTIL = 10.0  # s
TIGHTER = 0.01  # absolute tolerance over relative


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """What to write, and where."""

    csv: str | None = None
    parquet: str | None = None
    plot: str | None = None

    def check(self) -> None:
        """Refuse at once what could not be written in the end."""
        for path in filter(None, (self.csv, self.parquet, self.plot)):
            check_writable(path)
        if self.parquet:
            check_parquet()
        if self.plot:
            from dyverse.exporters.plots import check_suffix  # matplotlib, only when needed

            check_suffix(self.plot)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What to simulate, and how."""

    until: float | None
    settings: tuple[str, ...]
    solver: str
    rtol: float
    max_events: int
    files: Files

    def check(self) -> None:
        """Refuse numbers that make no sense, and solvers that are not there."""
        check_solver(self.solver)
        problems = {
            "--until": self.until is None or 0 <= self.until < math.inf,
            "--rtol": 1e-15 <= self.rtol < 1,
            "--max-events": self.max_events >= 1,
        }
        wishes = {
            "--until": "must be a finite time, 0 or later",
            "--rtol": "must lie between 1e-15 and 1",
            "--max-events": "must be 1 or more",
        }
        for option, fine in problems.items():
            if not fine:
                raise ModelError([Problem(wishes[option])], file=option)
        self.files.check()


def simulate_model(model: str, order: Order, *, as_json: bool, all_events: bool) -> int:
    """Simulate ``model`` and report; the answer is the exit code."""
    order.check()
    found = opened(model)
    automaton = found.automaton(parse_settings(found.world, order.settings))
    until = order.until if order.until is not None else default_until(automaton)
    run = _run(automaton, until, order, visible=not as_json)
    outcomes = _observe(run, order.files, title=found.name)
    if as_json:
        print_json(run_json(run, outcomes))
    else:
        tell(run, outcomes, all_events=all_events)
    return INTERRUPTED if run.stop == Stop.INTERRUPTED else 0


def default_until(automaton: RigidBodyAutomaton) -> float:
    """The model's horizon, else the latest end of its properties, else 10 s."""
    scene = automaton.scene
    if scene.horizon is not None:
        return scene.horizon
    claims = automaton.world.properties
    ends = [value(claim.until, scene.values) for claim in claims if claim.until is not None]
    return max(ends, default=DEFAULT_UNTIL)


def _run(automaton: RigidBodyAutomaton, until: float, order: Order, *, visible: bool) -> Run:
    accuracy = Accuracy(relative=order.rtol, absolute=TIGHTER * order.rtol)
    with Watch(until, visible=visible) as watch:
        options = Options(
            solver=order.solver,
            follow=FollowOptions(accuracy=accuracy),
            max_events=order.max_events,
            progress=watch,
        )
        with warnings.catch_warnings(record=True, category=NoNativeEngineWarning) as notices:
            warnings.simplefilter("always", NoNativeEngineWarning)
            run = simulate(automaton, until=until, options=options)
    for notice in notices:
        say(str(notice.message))
    if watch.interrupts > 1:
        raise KeyboardInterrupt
    return run


def _observe(run: Run, files: Files, *, title: str) -> tuple[Outcome, ...]:
    """Observe the run once for everyone who needs it: properties, tables and the picture."""
    assert isinstance(run.automaton, RigidBodyAutomaton)
    known = run.automaton.scene.values
    watchers = [Watcher(claim, known) for claim in run.automaton.world.properties]
    with ExitStack() as stack:
        sinks: list[Sink] = [*watchers, *_tables(run, files, stack)]
        if files.plot:
            sinks.append(_picture(run, files.plot, title, stack))
        pour(run, sinks)
    for path in filter(None, (files.csv, files.parquet, files.plot)):
        say(f"wrote {path}")
    return tuple(watcher.outcome(run) for watcher in watchers)


def _tables(run: Run, files: Files, stack: ExitStack) -> Iterator[Sink]:
    if files.csv:
        yield stack.enter_context(csv_sink(run, files.csv))
    if files.parquet:
        yield stack.enter_context(parquet_sink(run, files.parquet))


def _picture(run: Run, path: str, title: str, stack: ExitStack) -> Sink:
    """A sink for what the picture shows; it is drawn when the run has been observed."""
    from dyverse.exporters.plots import figure, save
    from dyverse.exporters.plotted import recorder

    kept = recorder(run)
    name = Path(title).name.removesuffix(".drbt").removeprefix("example:")
    stack.callback(lambda: save(figure(run, kept, title=name), path))
    return kept
