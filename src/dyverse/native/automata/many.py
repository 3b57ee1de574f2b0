"""Many runs of one automaton in one call: settings in, arrays out, on all cores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array, Location
from dyverse.automaton.network.moves import Places
from dyverse.automaton.run import Stop
from dyverse.errors import ModelError, Problem, did_you_mean
from dyverse.expr.formula import Formula
from dyverse.native.automata.library import CRows, Engine
from dyverse.native.automata.model import AutomatonModel, automaton_model
from dyverse.native.automata.options import DEFAULTS, Options
from dyverse.native.automata.sheet import Automaton
from dyverse.native.library import Ints
from dyverse.native.preparation import Settings, tables
from dyverse.native.sharing import Progress, Work, share_out
from dyverse.native.stops import stop_of

SAID = ("variables", "kinds", "places")  # of `ManyAutomata`, the same for all runs


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ManyAutomata:
    """What became of n runs; rows are runs."""

    variables: tuple[str, ...]
    kinds: tuple[str, ...]  # what events are called
    places: tuple[str, ...]  # of all components, one after the other
    codes: NDArray[np.int32]  # (n,) how each ended, a `Code`
    times: Array  # (n,) when (s)
    final: Array  # (n, variables)
    locations: NDArray[np.int32]  # (n, components): indices into `places`
    counts: NDArray[np.int64]  # (n,) events
    paths: NDArray[np.uint64]  # (n,) the same for runs through the same events and locations
    event_times: Array  # (n, limit), not a number after the last
    event_kinds: NDArray[np.int32]  # (n, limit), an index into `kinds`, 0 after the last
    event_edges: NDArray[np.int32]  # (n, limit, 2): edge, contact or signal; of how many
    least: Array  # (n, watched) the least margin: negative where the formula failed
    least_at: Array  # (n, watched) when that was (s)
    failed_at: Array  # (n, watched) when the formula first failed (s), or not a number

    @property
    def stops(self) -> tuple[Stop | None, ...]:
        """Why each run ended; None for a run that is an error (see `codes`)."""
        return tuple(map(stop_of, self.codes.tolist()))

    def column(self, variable: str) -> Array:
        """The final value of one variable in every run."""
        return np.asarray(self.final[:, self.variables.index(variable)])

    def location(self, run: int) -> Location:
        """Where one run ended, if not in a node."""
        names = [self.places[place] for place in self.locations[run].tolist()]
        return names[0] if len(names) == 1 else Places(names)

    def events(self, run: int) -> list[tuple[float, str]]:
        """The times and kinds of the events of one run, as far as they were kept."""
        kept = min(int(self.counts[run]), self.event_kinds.shape[1])
        rows = (self.event_times[run, :kept].tolist(), self.event_kinds[run, :kept].tolist())
        return [(time, self.kinds[kind]) for time, kind in zip(*rows, strict=True)]


ARRAYS = [part.name for part in fields(ManyAutomata) if part.name not in SAID]


def simulate_many_automata(
    automaton: Automaton,
    settings: Settings,
    *,
    until: float,
    watched: Sequence[Formula] = (),
    ends: Array | None = None,
    events: int = 64,
    workers: int | None = None,
    options: Options = DEFAULTS,
    progress: Progress | None = None,
) -> ManyAutomata:
    """Run ``automaton`` once for each of ``settings``; of each the first ``events`` are kept.

    ``settings`` are parameters by name, or variables whose first value is meant: a list of them, or
    columns ``{"k": [0.1, 0.2]}``. ``watched`` are formulas whose least margins are wanted, each
    until its own time (a row of ``ends`` per run, else all the time). When ``progress`` says no,
    the runs that are left stop as `Stop.INTERRUPTED`.
    """
    model = automaton_model(automaton, tuple(watched))
    numbers, starts = _numbers(automaton, model, settings, ends)
    result = empty(model, len(starts), events)
    chosen, positions = (
        options.in_c(automaton.margin, automaton.grain),
        model.positions(automaton.start().location),
    )

    def rows(first: int, last: int) -> CRows:
        return c_rows(result, positions, first, last, numbers=numbers, starts=starts)

    def engine() -> Engine:
        return Engine(model.library, model.structure, chosen)

    share_out(Work(len(starts), rows, engine, until), workers, progress)
    return result


def c_rows(result: ManyAutomata, positions: Ints, first: int, last: int, **given: Array) -> CRows:
    """The arrays of the runs from ``first`` to before ``last``, as the runtime takes them."""
    mine = {name: getattr(result, name)[first:last] for name in ARRAYS}
    own = {name: array[first:last] for name, array in given.items()}
    room = result.event_times.shape[1]
    return CRows(last - first, room, positions, finals=mine.pop("final"), **own, **mine)


def _numbers(
    automaton: Automaton, model: AutomatonModel, settings: Settings, ends: Array | None
) -> tuple[Array, Array]:
    """What tells runs apart: a row of numbers and a row of first values for each."""
    sheet, found = model.sheet, tables(settings)
    places = {name: i for i, name in enumerate((*sheet.parameters, *sheet.names))}
    limit = [np.inf] * len(sheet.watched)
    whole = np.concatenate([model.numbers(automaton, limit), automaton.start().values])
    count, first = sum(len(rows) for _, rows, _ in found), len(whole) - len(sheet.variables)
    table = np.tile(whole, (count, 1))
    for names, rows, where in found:
        _check(automaton, names, rows, places)
        at = [places[name] for name in names]
        own = [i if i < len(sheet.parameters) else i - len(sheet.parameters) + first for i in at]
        table[np.ix_(where, np.array(own, dtype=np.intp))] = rows
    if ends is not None:
        table[:, first - len(sheet.watched) : first] = ends
    return np.ascontiguousarray(table[:, :first]), np.ascontiguousarray(table[:, first:])


def _check(
    automaton: Automaton, names: tuple[str, ...], rows: Array, known: Mapping[str, int]
) -> None:
    problems = [
        Problem(f"no parameter or variable {name!r}{did_you_mean(name, known)}")
        for name in names
        if name not in known
    ]
    problems += [
        Problem(f"cannot set {name!r} to {value}: not a finite number")
        for name, column in zip(names, rows.T, strict=True)
        for value in column[~np.isfinite(column)][:1].tolist()
    ]
    if problems:
        raise ModelError(problems, file=automaton.name)


def empty(model: AutomatonModel, n: int, events: int, others: tuple[str, ...] = ()) -> ManyAutomata:
    """Room for n runs; kinds of events of ``others`` than automata are counted from the end."""
    components, count = model.sheet.components, len(model.sheet.watched)
    return ManyAutomata(
        variables=model.sheet.names,
        kinds=(*model.kinds, *others),
        places=tuple(place.name for item in components for place in item.places),
        codes=np.zeros(n, dtype=np.int32),
        times=np.zeros(n),
        final=np.zeros((n, len(model.sheet.names))),
        locations=np.zeros((n, len(components)), dtype=np.int32),
        counts=np.zeros(n, dtype=np.int64),
        paths=np.zeros(n, dtype=np.uint64),
        event_times=np.full((n, events), np.nan),
        event_kinds=np.zeros((n, events), dtype=np.int32),
        event_edges=np.zeros((n, events, 2), dtype=np.int32),
        least=np.full((n, count), np.inf),
        least_at=np.full((n, count), np.nan),
        failed_at=np.full((n, count), np.nan),
    )
