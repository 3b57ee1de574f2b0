"""The work of ``dyverse simulate``: run, observe once, write the files, tell the outcome."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import typer

from dyverse.automaton.escape import with_escapes
from dyverse.automaton.interface import Edge, HybridAutomaton, State
from dyverse.automaton.run import Run
from dyverse.cli.arguments.opened import DEFAULT_UNTIL, opened
from dyverse.cli.arguments.outputs import check_outputs
from dyverse.cli.arguments.settings import parse_settings
from dyverse.cli.arguments.signals import in_pieces
from dyverse.cli.terminal.interrupts import Watch
from dyverse.cli.terminal.reported import INTERRUPTED, print_json, say
from dyverse.cli.work.told import tell
from dyverse.errors import ModelError, Problem
from dyverse.exporters.run_json import run_json
from dyverse.exporters.table import check_parquet, csv_sink, parquet_sink
from dyverse.flow.follow import Options as FollowOptions
from dyverse.flow.step import Accuracy
from dyverse.generation.parts import parts_of
from dyverse.simulation.choice import parse_choice
from dyverse.simulation.observing import Sink, pour
from dyverse.simulation.requirement.properties import Outcome, Watcher
from dyverse.simulation.simulate import NoNativeEngineWarning, Options, check_solver, simulate

TIGHTER = 0.01  # absolute tolerance over relative


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """What to write, and where."""

    csv: str | None = None
    parquet: str | None = None
    plot: str | None = None

    def check(self, model: str) -> None:
        """Refuse at once what could not be written in the end."""
        check_outputs(model, {"--csv": self.csv, "--parquet": self.parquet, "--plot": self.plot})
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
    tick: float | None = None
    escape: float | None = None
    choice: str = "priority"
    trust: bool = False

    def check(self, model: str) -> None:
        """Refuse numbers that make no sense, and solvers that are not there."""
        check_solver(self.solver)
        problems = {
            "--until": self.until is None or 0 <= self.until < math.inf,
            "--rtol": 1e-15 <= self.rtol < 1,
            "--max-events": self.max_events >= 1,
            "--tick": self.tick is None or 0 < self.tick < math.inf,
            "--escape": self.escape is None or 0 < self.escape < math.inf,
        }
        wishes = {
            "--until": "must be a finite time, 0 or later",
            "--rtol": "must lie between 1e-15 and 1",
            "--max-events": "must be 1 or more",
            "--tick": "must be a finite time over 0",
            "--escape": "must be a finite time over 0",
        }
        for option, fine in problems.items():
            if not fine:
                raise ModelError([Problem(wishes[option])], file=option)
        parse_choice(self.choice, _ask)
        self.files.check(model)


def simulate_model(model: str, order: Order, *, as_json: bool, all_events: bool) -> int:
    """Simulate ``model`` and report; the answer is the exit code."""
    order.check(model)
    found = opened(model, "trust" if order.trust else "run")
    wish = found.until(order.until)
    end = found.model.until({}, DEFAULT_UNTIL) if wish is None else wish
    found, texts, step = in_pieces(found, found.set(order.settings), end)
    settings = parse_settings(found.world, texts, more=found.model.settable())
    automaton = _escaping(found.automaton(settings), order.escape)
    until = found.model.until(settings, DEFAULT_UNTIL) if wish is None else wish
    run, interrupted = _run(automaton, until, order, longest_step=step, visible=not as_json)
    known = found.model.values(settings)
    watchers = [Watcher(run, claim, known) for claim in found.properties]
    outcomes = _observe(run, order.files, watchers, title=found.name)
    if as_json:
        print_json(run_json(run, outcomes))
    else:
        tell(run, outcomes, all_events=all_events)
    return INTERRUPTED if interrupted else 0


def _escaping(automaton: HybridAutomaton, within: float | None) -> HybridAutomaton:
    """The network that comes to rest where its jumps pile up, if that was asked for."""
    if within is None:
        return automaton
    parts = parts_of(automaton)
    if parts.network is None or parts.bodies:
        raise ModelError(
            [Problem("is for networks: bodies come to rest by themselves")], file="--escape"
        )
    return with_escapes(parts.network, within=within)


def _run(
    automaton: HybridAutomaton, until: float, order: Order, *, longest_step: float, visible: bool
) -> tuple[Run, bool]:
    """The run, and whether Ctrl-C was pressed, even if too late to change it."""
    accuracy = Accuracy(
        relative=order.rtol, absolute=TIGHTER * order.rtol, longest_step=longest_step
    )
    with Watch(until, visible=visible) as watch:
        options = Options(
            solver=order.solver,
            follow=FollowOptions(accuracy=accuracy),
            max_events=order.max_events,
            progress=watch,
            tick=order.tick,
            choice=parse_choice(order.choice, _ask),
        )
        with warnings.catch_warnings(record=True, category=NoNativeEngineWarning) as notices:
            warnings.simplefilter("always", NoNativeEngineWarning)
            run = simulate(automaton, until=until, options=options)
    for notice in notices:
        say(str(notice.message))
    if run.solver != order.solver and not notices:
        say(f"the {order.solver} engine does not know all of this; the {run.solver} engine ran")
    return run, watch.interrupts > 0


def _ask(state: State, edges: tuple[Edge, ...], may_wait: bool) -> int | None:
    """Let the user choose one of the enabled edges, or to wait."""
    say(f"at t = {state.time:.9g} s in {state.location} these edges are enabled:")
    for number, edge in enumerate(edges, start=1):
        say(f"  {number}: {getattr(edge, 'action', '') or 'jump'}, {edge.source} -> {edge.target}")
    if may_wait:
        say("  w: wait")
    wish = "1" if len(edges) == 1 else f"1 to {len(edges)}"
    while True:
        answer = typer.prompt(f"which one ({wish}{', or w' if may_wait else ''})", err=True).strip()
        if answer == "w" and may_wait:
            return None
        if answer.isdecimal() and 1 <= int(answer) <= len(edges):
            return int(answer) - 1


def _observe(run: Run, files: Files, watchers: list[Watcher], *, title: str) -> tuple[Outcome, ...]:
    """Observe the run once for everyone who needs it: properties, tables and the picture."""
    with ExitStack() as stack:
        sinks: list[Sink] = [*watchers, *_tables(run, files, stack)]
        if files.plot:
            sinks.append(_picture(run, files.plot, title, stack))
        pour(run, sinks)
    for path in filter(None, (files.csv, files.parquet, files.plot)):
        say(f"wrote {path}")
    return tuple(watcher.outcome() for watcher in watchers)


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
