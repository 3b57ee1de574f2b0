"""Many runs of a model's automata at once, in the native engine.

In come settings, a row for each run; out goes what became of the runs and of the formulas that
decide the model's property, or nothing if the native engine cannot run these automata.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from dyverse.automaton.description import REAL, Described
from dyverse.automaton.interface import Array
from dyverse.errors import ModelError
from dyverse.expr.requirement import Plain
from dyverse.expr.term import symbols
from dyverse.expr.value import value
from dyverse.generation.model import Model
from dyverse.native.automata.many import ManyAutomata, simulate_many_automata
from dyverse.native.errors import NativeError
from dyverse.simulation.native_automata import can_run_many, native_options
from dyverse.simulation.simulate import Options
from dyverse.simulation.streamed import parts


def many_runs(
    model: Model, claim: Plain, columns: Mapping[str, Array], *, until: float, options: Options
) -> ManyAutomata | None:
    """One run for each row of ``columns``, watched for the model's first property, ``claim``."""
    base = model.automaton()
    if model.described is None or not can_run_many(base, options):
        return None
    if _has_open_ranges(model.described):
        return None
    end = model.properties[0].until
    rows = list(_numbers(model, model.described, columns))
    ends = [[np.inf if end is None else value(end, row)] for row in rows]
    watched = parts(claim)
    try:
        return simulate_many_automata(
            base,
            rows,
            until=until,
            watched=watched,
            ends=np.repeat(np.array(ends), len(watched), axis=1),
            events=1,
            options=native_options(options),
        )
    except NativeError:
        return None


def _numbers(
    model: Model, described: Described, columns: Mapping[str, Array]
) -> Iterator[dict[str, float]]:
    """Every parameter, argument and first value, row by row; a row that cannot be is an error."""
    table = np.stack(list(columns.values()), axis=1).tolist() if columns else [[]]
    for row in table:
        settings = dict(zip(columns, row, strict=True))
        if problems := list(model.problems(settings)):
            raise ModelError(problems)
        known = model.values(settings)
        yield {**known, **described.numbers(known, settings)}


def _has_open_ranges(described: Described) -> bool:
    """Whether the range of some variable depends on settings."""
    ranges = (d.limits for d in described.declared if d.limits is not None and d.kind not in REAL)
    return any(symbols(bound) for limits in ranges for bound in limits)
