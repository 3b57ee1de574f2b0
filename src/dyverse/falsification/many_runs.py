"""Many runs of a model's automata at once, alone or with bodies, in the native engine.

In come settings, a row for each run; out goes what became of the runs and of the formulas that
decide the model's property, or nothing if the native engine cannot run these automata.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.automaton.reading.description import REAL, Described
from dyverse.errors import ModelError
from dyverse.expr.requirement import Plain
from dyverse.expr.term import symbols
from dyverse.expr.value import value
from dyverse.generation.coupled.automaton import CoupledAutomaton
from dyverse.generation.model import Model
from dyverse.generation.parts import parts_of
from dyverse.native.automata.many import ManyAutomata, simulate_many_automata
from dyverse.native.coupled.many import can_watch_all, simulate_many_coupled
from dyverse.native.errors import NativeError
from dyverse.simulation.native import can_run_many, can_run_many_coupled, native_options
from dyverse.simulation.requirement.streamed import parts
from dyverse.simulation.simulate import Options


def many_runs(
    model: Model, claim: Plain, columns: Mapping[str, Array], *, until: float, options: Options
) -> ManyAutomata | None:
    """One run for each row of ``columns``, watched for the model's first property, ``claim``."""
    base = model.automaton()
    if model.described is None or _has_open_ranges(model.described):
        return None
    settings = [dict(zip(columns, row, strict=True)) for row in _rows(columns)]
    end, watched = model.properties[0].until, parts(claim)
    limits = [np.inf if end is None else value(end, model.values(own)) for own in settings]
    ends = np.repeat(np.array(limits)[:, None], len(watched), axis=1)
    chosen = native_options(options)
    try:
        if can_run_many_coupled(base, options) and can_watch_all(base, watched):
            automata = [_coupled(model, own) for own in settings]
            return simulate_many_coupled(
                automata, until=until, watched=watched, ends=ends, events=1, options=chosen
            )
        if can_run_many(base, options):
            rows = [_numbers(model, model.described, own) for own in settings]
            return simulate_many_automata(
                base, rows, until=until, watched=watched, ends=ends, events=1, options=chosen
            )
    except NativeError:
        pass
    return None


def _rows(columns: Mapping[str, Array]) -> list[list[float]]:
    return np.stack(list(columns.values()), axis=1).tolist() if columns else [[]]


def _coupled(model: Model, settings: Mapping[str, float]) -> CoupledAutomaton:
    made = parts_of(model.automaton(settings)).coupled
    assert made is not None
    return made


def _numbers(model: Model, described: Described, settings: Mapping[str, float]) -> dict[str, float]:
    """Every parameter, argument and first value; settings that cannot be are an error."""
    if problems := list(model.problems(settings)):
        raise ModelError(problems)
    known = model.values(settings)
    return {**known, **described.numbers(known, settings)}


def _has_open_ranges(described: Described) -> bool:
    """Whether the range of some variable depends on settings."""
    ranges = (d.limits for d in described.declared if d.limits is not None and d.kind not in REAL)
    return any(symbols(bound) for limits in ranges for bound in limits)
