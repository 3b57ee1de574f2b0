"""A system with numbers left open and one property: what falsification simulates.

Rigid bodies, automata and both together run in the native engine, thousands a second. Without a
compiler all run in the reference engine. All answer with `Probes`.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array, HybridAutomaton
from dyverse.automaton.reading.description import REAL
from dyverse.automaton.run import Run
from dyverse.bodies.scene import scene_problems
from dyverse.bodies.values import known_values
from dyverse.bodies.world import Property, World
from dyverse.errors import ModelError, Problem
from dyverse.expr.formula import Formula, formula_symbols
from dyverse.expr.requirement import Plain, always, plain
from dyverse.expr.term import symbols
from dyverse.expr.value import value
from dyverse.falsification.many_runs import many_runs
from dyverse.flow.follow import Options as FollowOptions
from dyverse.flow.step import Accuracy
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.generation.model import Model
from dyverse.native.automata.many import ManyAutomata
from dyverse.native.engine import Options as NativeOptions
from dyverse.native.errors import NativeError
from dyverse.native.many import Many, simulate_many
from dyverse.simulation.requirement.properties import Outcome, margin_of, outcome
from dyverse.simulation.requirement.streamed import Seen, Told, can_watch, parts, told
from dyverse.simulation.simulate import NoNativeEngineWarning, Options, simulate


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Probes:
    """What became of n runs; rows are runs."""

    margins: Array  # least margin of the property, negative where it fails
    times: Array  # when that was (s)
    paths: tuple[str, ...]  # equal for runs through the same events
    stops: tuple[str, ...]  # why each ended, a `Stop`; empty where the engine failed
    decided: NDArray[np.bool_]  # whether it breaks the property, or got to its end
    events: NDArray[np.int64]


def joined(parts: Sequence[Probes]) -> Probes:
    """The rows of all parts, one after the other."""
    return Probes(
        margins=np.concatenate([part.margins for part in parts]),
        times=np.concatenate([part.times for part in parts]),
        paths=tuple(path for part in parts for path in part.paths),
        stops=tuple(stop for part in parts for stop in part.stops),
        decided=np.concatenate([part.decided for part in parts]),
        events=np.concatenate([part.events for part in parts]),
    )


def selected(probes: Probes, rows: Sequence[int]) -> Probes:
    """Only these rows."""
    places = list(rows)
    return Probes(
        margins=probes.margins[places],
        times=probes.times[places],
        paths=tuple(probes.paths[row] for row in places),
        stops=tuple(probes.stops[row] for row in places),
        decided=probes.decided[places],
        events=probes.events[places],
    )


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far to follow a run (s, events), and the longest step of its integrator (s)."""

    until: float
    depth: int
    longest_step: float

    def options(self, solver: str, accuracy: Accuracy) -> Options:
        """The simulator's options."""
        limited = replace(accuracy, longest_step=self.longest_step)
        return Options(solver=solver, follow=FollowOptions(accuracy=limited), max_events=self.depth)


Place = tuple[str, str]  # an automaton and one of its locations
Descent = Literal["slopes", "simplex", "none"]


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A run, and what became of the property on it."""

    run: Run
    outcome: Outcome


class System(Protocol):
    """A model whose settings are open; frozen, so that it hashes, prints and travels."""

    @property
    def claim(self) -> Property:
        """The property, to hold at every time up to its end."""

    def problems(self, settings: Mapping[str, float]) -> tuple[Problem, ...]:
        """What is wrong with the model at these settings."""

    def automaton(self, settings: Mapping[str, float]) -> HybridAutomaton:
        """The automaton at these settings."""

    def values(self, settings: Mapping[str, float]) -> Mapping[str, float]:
        """Every parameter and port by name, at these settings."""

    @property
    def descent(self) -> Descent:
        """How a search may go down the margin."""

    @property
    def is_stepped(self) -> bool:
        """Whether the property has steps that a distance leads over: locations, integers."""

    @property
    def is_quick(self) -> bool:
        """Whether many runs are made in one call."""

    def probe(self, columns: Mapping[str, Array], bounds: Bounds) -> Probes:
        """One run for each row of ``columns``."""

    def judge(
        self, settings: Mapping[str, float], bounds: Bounds, accuracy: Accuracy, solver: str
    ) -> Judged:
        """One run, and what became of the property on it."""


@dataclass(frozen=True)
class Bodies:
    """Rigid bodies; the world has exactly the property that is asked about."""

    world: World

    @property
    def claim(self) -> Property:
        """The one property of the world."""
        return self.world.properties[0]

    def problems(self, settings: Mapping[str, float]) -> tuple[Problem, ...]:
        """Numbers that cannot be, bodies that overlap."""
        return tuple(scene_problems(self.world, settings))

    def values(self, settings: Mapping[str, float]) -> dict[str, float]:
        """Every parameter and port by name, at these settings."""
        return known_values(self.world, settings)

    def automaton(self, settings: Mapping[str, float]) -> RigidBodyAutomaton:
        """The automaton at these settings."""
        return generate(self.world, settings)

    @property
    def descent(self) -> Descent:
        """Along slopes if the margin is that of one instant."""
        return descent_of(self.claim)

    @property
    def is_stepped(self) -> bool:
        """Bodies alone have none."""
        return False

    @property
    def is_quick(self) -> bool:
        """Bodies run many at once."""
        return True

    def judge(
        self, settings: Mapping[str, float], bounds: Bounds, accuracy: Accuracy, solver: str
    ) -> Judged:
        """Follow and watch one run."""
        return judged(self, settings, bounds.options(solver, accuracy), bounds.until)

    def probe(self, columns: Mapping[str, Array], bounds: Bounds) -> Probes:
        """Runs of the native engine, or of the reference engine where there is none."""
        claim = watchable(self.claim)
        if claim is None:
            return probed(self, columns, bounds, solver="native")
        try:
            options = NativeOptions(max_events=bounds.depth, longest_step=bounds.longest_step)
            many = simulate_many(
                self._watched, columns, until=bounds.until, events=1, options=options
            )
        except NativeError:
            return probed(self, columns, bounds)
        return _probes(claim, many, _ends(self, columns, bounds))

    @cached_property
    def _watched(self) -> World:
        """The world with the formulas that decide a plain property, each to hold always."""
        claim = watchable(self.claim)
        watched = [
            Property(name=f"part{i}", requirement=always(formula), until=self.claim.until)
            for i, formula in enumerate(parts(claim) if claim else ())
        ]
        return replace(self.world, properties=tuple(watched))


@dataclass(frozen=True)
class Automata:
    """Automata, alone or with bodies; the model has exactly the property that is asked about."""

    model: Model

    @property
    def claim(self) -> Property:
        """The one property of the model."""
        return self.model.properties[0]

    def problems(self, settings: Mapping[str, float]) -> tuple[Problem, ...]:
        """Whatever keeps the model from being put together at these settings."""
        try:
            self.model.automaton(settings)
        except ModelError as error:
            return error.problems
        return ()

    def values(self, settings: Mapping[str, float]) -> dict[str, float]:
        """Every parameter and port by name, at these settings."""
        return self.model.values(settings)

    def automaton(self, settings: Mapping[str, float]) -> HybridAutomaton:
        """The automaton at these settings."""
        return self.model.automaton(settings)

    @property
    def descent(self) -> Descent:
        """Along slopes if the margin is that of one instant."""
        return descent_of(self.claim)

    @cached_property
    def is_stepped(self) -> bool:
        """Whether a property to hold always names a location, an integer or a truth."""
        automata = self.model.described
        assert automata is not None
        if self.descent != "slopes" or automata.surfaces:
            return False
        names = {symbol.name for symbol in formula_symbols(formula_of(self.claim))}
        places = {f"{c.name}.{place.name}" for c in automata.components for place in c.places}
        numbers = {item.name for item in automata.declared if item.kind not in REAL}
        return bool(names & (places | numbers))

    @property
    def is_quick(self) -> bool:
        """Without bodies all run many at once; with bodies it depends on the property."""
        return not self.model.world.bodies

    def judge(
        self, settings: Mapping[str, float], bounds: Bounds, accuracy: Accuracy, solver: str
    ) -> Judged:
        """Follow and watch one run."""
        return judged(self, settings, bounds.options(solver, accuracy), bounds.until)

    def probe(self, columns: Mapping[str, Array], bounds: Bounds) -> Probes:
        """Runs of the native engine, in one call if it can watch the property."""
        options = bounds.options("native", Accuracy())
        claim, many = watchable(self.claim), None
        if claim is not None:
            many = many_runs(self.model, claim, columns, until=bounds.until, options=options)
        if claim is None or many is None:
            return probed(self, columns, bounds, solver="native")
        return _probes(claim, many, _ends(self, columns, bounds))


def judged(
    system: Bodies | Automata, settings: Mapping[str, float], options: Options, until: float
) -> Judged:
    """One run, watched."""
    run = _followed(system, settings, options, until)
    return Judged(run, outcome(run, system.claim, system.values(settings)))


def _followed(
    system: Bodies | Automata, settings: Mapping[str, float], options: Options, until: float
) -> Run:
    """One run; by the reference engine where there is no native one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoNativeEngineWarning)
        return simulate(system.automaton(settings), until=until, options=options)


def system(model: Model, claim: Property) -> Bodies | Automata:
    """The model with that property alone."""
    world = replace(model.world, properties=(claim,))
    return Bodies(world) if model.described is None else Automata(replace(model, world=world))


def probed(
    system: Bodies | Automata,
    columns: Mapping[str, Array],
    bounds: Bounds,
    solver: str = "reference",
) -> Probes:
    """The same, one run after the other."""
    settings = _settings(columns)
    options = bounds.options(solver, Accuracy())
    runs = [_followed(system, own, options, bounds.until) for own in settings]
    both = zip(runs, settings, strict=True)
    found = [margin_of(run, system.claim, system.values(own)) for run, own in both]
    return Probes(
        margins=np.array([worst.margin for worst, _ in found]),
        times=np.array([worst.time for worst, _ in found]),
        paths=tuple(map(path_of, runs)),
        stops=tuple(str(run.stop) for run in runs),
        decided=np.array([decided for _, decided in found], dtype=bool),
        events=np.array([len(run.events) for run in runs], dtype=np.int64),
    )


def _settings(columns: Mapping[str, Array]) -> list[dict[str, float]]:
    """The settings of each row of ``columns``."""
    rows = np.stack(list(columns.values()), axis=1).tolist() if columns else [[]]
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _ends(system: Bodies | Automata, columns: Mapping[str, Array], bounds: Bounds) -> list[float]:
    """Until when the property is asked for, in each row of ``columns``."""
    count, end = max((len(column) for column in columns.values()), default=1), system.claim.until
    if end is None or not symbols(end):
        return [bounds.until if end is None else value(end, {})] * count
    return [value(end, system.values(own)) for own in _settings(columns)]


def path_of(run: Run, until: float = np.inf) -> str:
    """A short name of the events that a run goes through up to that time."""
    kept = (event for event in run.events if event.time <= until)
    events = [(event.kind, event.contacts, str(event.target)) for event in kept]
    return blake2b(repr(events).encode(), digest_size=8).hexdigest()


def watchable(claim: Property) -> Plain | None:
    """The property if it is plain, and engines know all its signals."""
    found = plain(claim.requirement)
    return found if found is not None and can_watch(found) else None


def descent_of(claim: Property) -> Descent:
    """Along slopes if the margin is that of one instant."""
    found = watchable(claim)
    return "slopes" if found is not None and found.kind == "always" else "simplex"


def formula_of(claim: Property) -> Formula:
    """The formula that a plain property claims; others have no slopes to go down."""
    found = watchable(claim)
    assert found is not None
    return found.formula


def _probes(claim: Plain, many: Many | ManyAutomata, ends: list[float]) -> Probes:
    over = [
        stop is not None and stop.covers(end, time)
        for stop, end, time in zip(many.stops, ends, many.times.tolist(), strict=True)
    ]
    found = [_told(claim, many, run, end, over[run]) for run, end in enumerate(ends)]
    return Probes(
        margins=np.array([one.margin for one in found]),
        times=np.array([one.time for one in found]),
        paths=tuple(f"{path:x}" for path in many.paths.tolist()),
        stops=tuple(stop or "" for stop in many.stops),
        decided=np.array([one.is_decided for one in found], dtype=bool),
        events=many.counts,
    )


def _told(claim: Plain, many: Many | ManyAutomata, run: int, end: float, over: bool) -> Told:
    times = enumerate(many.failed_at[run].tolist())  # of two at one time, it looks like a failure
    failed = (None if np.isnan(time) else (time, i) for i, time in times)
    rows = zip(many.least[run].tolist(), many.least_at[run].tolist(), failed, strict=True)
    return told(claim, [Seen(*row) for row in rows], end, over=over)
