"""Many runs of bodies with automata in one call: one system at many settings, on all cores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.expr.formula import Formula, formula_symbols
from dyverse.generation.coupled.automaton import CoupledAutomaton
from dyverse.generation.coupled.jumps import joint
from dyverse.native.automata.library import CRows, Engine
from dyverse.native.automata.many import ManyAutomata, c_rows, empty
from dyverse.native.automata.options import DEFAULTS, Options
from dyverse.native.coupled.engine import made
from dyverse.native.coupled.model import CoupledModel, coupled_model
from dyverse.native.many import KINDS
from dyverse.native.sharing import Progress, Work, share_out

BODIES = tuple(reversed(KINDS[1:]))  # of events, counted from the end


def can_watch_all(automaton: CoupledAutomaton, watched: Sequence[Formula]) -> bool:
    """Whether all of ``watched`` speak of variables, parameters, places and time alone."""
    network = automaton.network
    known = {"t", *automaton.variables, *(name for name, _ in network.parameters)}
    known |= {f"{c.name}.{place.name}" for c in network.components for place in c.places}
    return all(symbol.name in known for part in watched for symbol in formula_symbols(part))


def simulate_many_coupled(
    automata: Sequence[CoupledAutomaton],
    *,
    until: float,
    watched: Sequence[Formula] = (),
    ends: Array | None = None,
    events: int = 64,
    workers: int | None = None,
    options: Options = DEFAULTS,
    progress: Progress | None = None,
) -> ManyAutomata:
    """Run each of ``automata`` once, which are one system at different settings.

    ``watched`` are formulas that `can_watch_all`, each until its own time (a row of ``ends`` per
    run, else all the time). See `dyverse.native.automata.many.simulate_many_automata`.
    """
    model = coupled_model(automata[0], watched=tuple(watched))
    numbers, outside, starts = _numbers(model, automata, ends)
    result = empty(model.automata, len(automata), events, BODIES)
    positions = model.automata.positions(joint(automata[0].start()).places)

    def rows(first: int, last: int) -> CRows:
        given = {"numbers": numbers, "outside": outside, "starts": starts}
        return c_rows(result, positions, first, last, **given)

    def engine() -> Engine:
        return made(model, automata[0], options)

    share_out(Work(len(automata), rows, engine, until), workers, progress)
    return result


def _numbers(
    model: CoupledModel, automata: Sequence[CoupledAutomaton], ends: Array | None
) -> tuple[Array, Array, Array]:
    """Rows of numbers of the automata, of the bodies, and of first values."""
    limit = np.full((len(automata), len(model.automata.sheet.watched)), np.inf)
    limit = limit if ends is None else ends
    pairs = zip(automata, limit.tolist(), strict=True)
    own = [model.automata.numbers(one.network, row) for one, row in pairs]
    bodies = [model.bodies.numbers(one.scene) for one in automata]
    return np.array(own), np.array(bodies), np.array([one.start().values for one in automata])
