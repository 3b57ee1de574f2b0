"""Many runs of one world in one call: settings in, arrays out, on all cores."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.automaton.run import Stop
from dyverse.bodies.world import World
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.given import check_kind, check_time
from dyverse.native.engine import DEFAULTS, Options, c_options
from dyverse.native.library import CRows, Engine
from dyverse.native.model import NativeModel, native_model
from dyverse.native.preparation import Prepared, Settings, prepare
from dyverse.native.sharing import Progress, Work, share_out
from dyverse.native.stops import stop_of

KINDS = ("", "impact", "accumulation", "touch", "release", "stick", "slip", "graze")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Many:
    """What became of n runs; rows are runs."""

    variables: tuple[str, ...]
    contacts: tuple[str, ...]
    properties: tuple[str, ...]
    codes: NDArray[np.int32]  # (n,) how each ended, a `Code`
    times: Array  # (n,) when (s)
    final: Array  # (n, variables)
    counts: NDArray[np.int64]  # (n,) events
    paths: NDArray[np.uint64]  # (n,) the same for runs with the same events at the same contacts
    event_times: Array  # (n, limit), not a number after the last
    event_kinds: NDArray[np.int32]  # (n, limit), an index into `KINDS`, 0 after the last
    event_contacts: NDArray[np.int32]  # (n, limit, 2): its first contact, and how many there are
    least: Array  # (n, properties) the least depth: negative where the property failed
    least_at: Array  # (n, properties) when that was (s)
    failed_at: Array  # (n, properties) when the property first failed (s), or not a number

    @property
    def stops(self) -> tuple[Stop | None, ...]:
        """Why each run ended; None for a run that is an error (see `codes`)."""
        return tuple(map(stop_of, self.codes.tolist()))

    def column(self, variable: str) -> Array:
        """The final value of one variable in every run."""
        return np.asarray(self.final[:, self.variables.index(variable)])

    def path(self, run: int) -> str:
        """The events of one run in words, as far as they were kept: ``impact ball-floor, …``."""
        kept = min(int(self.counts[run]), self.event_kinds.shape[1])
        words = [
            f"{KINDS[kind]} {self.contacts[first]}" + (f" and {count - 1} more" * (count > 1))
            for kind, (first, count) in zip(
                self.event_kinds[run, :kept].tolist(),
                self.event_contacts[run, :kept].tolist(),
                strict=True,
            )
        ]
        return ", ".join(words + ["…"] * bool(kept < self.counts[run]))


def simulate_many(
    model: World | RigidBodyAutomaton,
    settings: Settings,
    *,
    until: float,
    events: int = 64,
    workers: int | None = None,
    options: Options = DEFAULTS,
    progress: Progress | None = None,
) -> Many:
    """Run ``model`` once for each of ``settings``; of each the first ``events`` are kept.

    ``settings`` is a list of settings by name, or columns: ``{"K": [1.0, 1.5, 2.0]}``. They mean
    what they mean to `dyverse.generation.automaton.generate`; a row that cannot be is a
    `ModelError` that names it. When ``progress`` says no, the runs that are left stop as
    `Stop.INTERRUPTED`.
    """
    hint = "of a model with bodies and no automata, model.world"
    check_kind(model, (World, RigidBodyAutomaton), "a world or its automaton", hint)
    check_time(until, "'until'")
    base = RigidBodyAutomaton(model) if isinstance(model, World) else model
    native = native_model(base.world, base.scene)
    prepared = prepare(base, native, settings)
    result = _empty(base, native, len(prepared), events)
    chosen = c_options(native, base, options)

    def rows(first: int, last: int) -> CRows:
        return _rows(prepared, result, first, last)

    def engine() -> Engine:
        return Engine(native.library, native.structure, chosen)

    share_out(Work(len(prepared), rows, engine, until), workers, progress)
    return result


def _rows(prepared: Prepared, result: Many, first: int, last: int) -> CRows:
    numbers, starts = prepared.rows(first, last)
    mine = {
        part.name: getattr(result, part.name)[first:last]
        for part in fields(Many)
        if part.name not in ("variables", "contacts", "properties")
    }
    finals = mine.pop("final")
    room = result.event_times.shape[1]
    return CRows(last - first, room, numbers=numbers, starts=starts, finals=finals, **mine)


def _empty(base: RigidBodyAutomaton, native: NativeModel, n: int, events: int) -> Many:
    properties = native.code.properties
    return Many(
        variables=base.variables,
        contacts=base.contacts,
        properties=properties,
        codes=np.zeros(n, dtype=np.int32),
        times=np.zeros(n),
        final=np.zeros((n, len(base.variables))),
        counts=np.zeros(n, dtype=np.int64),
        paths=np.zeros(n, dtype=np.uint64),
        event_times=np.full((n, events), np.nan),
        event_kinds=np.zeros((n, events), dtype=np.int32),
        event_contacts=np.zeros((n, events, 2), dtype=np.int32),
        least=np.full((n, len(properties)), np.inf),
        least_at=np.full((n, len(properties)), np.nan),
        failed_at=np.full((n, len(properties)), np.nan),
    )
