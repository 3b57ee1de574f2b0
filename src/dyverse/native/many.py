"""Many runs of one world in one call: settings in, arrays out, on all cores.

Every run is computed by itself, in an engine that begins anew, and written to its own rows: the
result does not depend on the number of workers. Threads suffice, because the C runtime runs without
the interpreter's lock.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dyverse.automaton.interface import Array
from dyverse.automaton.run import Stop
from dyverse.bodies.scene import Scene, scene
from dyverse.bodies.world import World
from dyverse.errors import SolverError
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.layout import Layout
from dyverse.native.engine import DEFAULTS, STOPS, Options, c_options
from dyverse.native.library import Code, COptions, Engine
from dyverse.native.model import NativeModel, native_model

Settings = Sequence[Mapping[str, float]] | Mapping[str, ArrayLike]
KINDS = ("", "impact", "accumulation", "touch", "release", "stick", "slip", "graze")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Many:
    """What became of n runs; rows are runs."""

    variables: tuple[str, ...]
    properties: tuple[str, ...]
    codes: NDArray[np.int32]  # (n,) how each ended, a `Code`
    times: Array  # (n,) when (s)
    final: Array  # (n, variables)
    counts: NDArray[np.int64]  # (n,) events
    event_times: Array  # (n, limit), not a number after the last
    event_kinds: NDArray[np.int32]  # (n, limit), an index into `KINDS`, 0 after the last
    least: Array  # (n, properties) the least depth: negative where the property failed
    least_at: Array  # (n, properties) when that was (s)

    @property
    def stops(self) -> tuple[Stop | None, ...]:
        """Why each run ended; None for a run that is an error (see `codes`)."""
        return tuple(STOPS.get(Code(code)) for code in self.codes.tolist())

    def column(self, variable: str) -> Array:
        """The final value of one variable in every run."""
        return np.asarray(self.final[:, self.variables.index(variable)])


def simulate_many(
    model: World | RigidBodyAutomaton,
    settings: Settings,
    *,
    until: float,
    events: int = 64,
    workers: int | None = None,
    options: Options = DEFAULTS,
) -> Many:
    """Run ``model`` once for each of ``settings``; of each the first ``events`` are kept.

    ``settings`` is a list of settings by name, or columns: ``{"K": [1.0, 1.5, 2.0]}``. They mean
    what they mean to `dyverse.generation.automaton.generate`.
    """
    base = model if isinstance(model, RigidBodyAutomaton) else RigidBodyAutomaton(model)
    rows = [{**base.settings, **row} for row in _rows(settings)]
    native = native_model(base.world, base.scene)
    numbers, starts = _prepared(base, native, rows)
    result = _empty(base, native, len(rows), events)
    chosen = c_options(native, base, options)

    cancelled = Event()

    def work(part: NDArray[np.intp]) -> None:
        _run_part(native, chosen, part, numbers, starts, result, until, cancelled)

    parts = _parts(len(rows), workers or os.cpu_count() or 1)
    with ThreadPoolExecutor(len(parts)) as pool:
        try:
            list(pool.map(work, parts))
        except BaseException:  # also Ctrl-C: let the workers stop before the pool waits for them
            cancelled.set()
            raise
    return result


def _rows(settings: Settings) -> list[dict[str, float]]:
    if not isinstance(settings, Mapping):
        return [dict(row) for row in settings]
    columns = np.broadcast_arrays(*(np.asarray(c, dtype=float).ravel() for c in settings.values()))
    names = list(settings)
    return [dict(zip(names, row, strict=True)) for row in np.stack(columns, axis=1).tolist()]


def _prepared(
    base: RigidBodyAutomaton, native: NativeModel, rows: list[dict[str, float]]
) -> tuple[Array, Array]:
    """Numbers and start of every run."""
    scenes = [_scene_of(base, row) for row in rows]
    numbers = np.array([native.numbers(one) for one in scenes])
    starts = np.array([Layout(one.bodies).start() for one in scenes])
    return np.ascontiguousarray(numbers), np.ascontiguousarray(starts)


def _scene_of(base: RigidBodyAutomaton, settings: Mapping[str, float]) -> Scene:
    found = scene(base.world, settings)
    assert [body.name for body in found.bodies] == [body.name for body in base.scene.bodies]
    return found


def _empty(base: RigidBodyAutomaton, native: NativeModel, n: int, events: int) -> Many:
    properties = native.code.properties
    return Many(
        variables=base.variables,
        properties=properties,
        codes=np.zeros(n, dtype=np.int32),
        times=np.zeros(n),
        final=np.zeros((n, len(base.variables))),
        counts=np.zeros(n, dtype=np.int64),
        event_times=np.full((n, events), np.nan),
        event_kinds=np.zeros((n, events), dtype=np.int32),
        least=np.full((n, len(properties)), np.inf),
        least_at=np.full((n, len(properties)), np.nan),
    )


def _parts(n: int, workers: int) -> list[NDArray[np.intp]]:
    """Every so-many-th run for each worker: long and short runs are often neighbours."""
    count = max(1, min(workers, n))
    return [np.arange(first, n, count) for first in range(count)]


def _run_part(
    native: NativeModel,
    options: COptions,
    part: NDArray[np.intp],
    numbers: Array,
    starts: Array,
    result: Many,
    until: float,
    cancelled: Event,
) -> None:
    engine = Engine(native.library, native.structure, options)
    for i in part.tolist():
        engine.record_events(result.event_times[i], result.event_kinds[i])
        engine.set(numbers[i], starts[i])
        code = Code.PAUSED
        while code is Code.PAUSED and not cancelled.is_set():
            code = engine.run(until)
        if code in (Code.NO_MEMORY, Code.BAD_MODEL):
            raise SolverError(f"the native engine failed: {code.name.lower()}")
        result.codes[i], result.times[i] = code, engine.time
        result.counts[i] = engine.counts["events"]
        result.final[i] = engine.x
        result.least[i], result.least_at[i] = engine.properties
