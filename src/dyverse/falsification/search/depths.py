"""Reading the depths of a property along a run: many instants at once, and between samples.

Where the depths are made of variables and constants they are compiled once; contact forces and the
like depend on the location and are observed one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import casadi as ca
import numpy as np
from scipy.interpolate import CubicHermiteSpline

from dyverse.automaton.guard.branches import Branches
from dyverse.automaton.interface import Array, HybridAutomaton, State
from dyverse.automaton.run import Arc, Run
from dyverse.expr.buffered import column
from dyverse.expr.symbolic import symbolic
from dyverse.expr.term import Term, symbols
from dyverse.expr.value import value
from dyverse.generation.parts import parts_of

GRID = 17  # instants in a bracket
ZOOMS = 9  # each makes the bracket 8 times shorter
FLAT = 1e-9  # of the margin: a rise that is none

Lowest = tuple[float, float]  # margin, time


class Reader:
    """The depths of all branches as numbers, and the margin: minus the deepest branch."""

    def __init__(self, branches: Branches) -> None:
        self.branches = branches
        self.terms = tuple(dict.fromkeys(term for branch in branches for term in branch))
        self._rows = [[self.terms.index(term) for term in branch] for branch in branches]
        self._names = {symbol.name for term in self.terms for symbol in symbols(term)}

    def is_plain(self, automaton: HybridAutomaton) -> bool:
        """Whether the depths are made of the time, variables and constants alone."""
        return self._names <= {"t", *automaton.variables, *_constants(automaton)}

    def fixed(self, automaton: HybridAutomaton) -> tuple[str, ...]:
        """The constants in the depths."""
        names = self._names & _constants(automaton).keys()
        return tuple(sorted(names - {"t", *automaton.variables}))

    def depths(self, automaton: HybridAutomaton, states: Sequence[State]) -> Array:
        """One row per state, one column per term."""
        if not self.is_plain(automaton):
            seen = (automaton.observe(state) for state in states)
            return np.array([[value(term, known) for term in self.terms] for known in seen])
        fixed = self.fixed(automaton)
        function, _ = _compiled(self.terms, automaton.variables, fixed)
        times = np.array([[state.time for state in states]])
        x = np.array([state.values for state in states]).T
        numbers = np.array([_constants(automaton)[name] for name in fixed])
        return np.asarray(function(times, x, np.tile(numbers[:, None], len(states))).full().T)

    def derivatives(self, automaton: HybridAutomaton, state: State) -> tuple[Array, Array, Array]:
        """The depths' derivatives by time (m, 1), state (m, n) and constants; plain depths only."""
        fixed = self.fixed(automaton)
        _, function = _compiled(self.terms, automaton.variables, fixed)
        numbers = [_constants(automaton)[name] for name in fixed]
        by_time, by_state, by_constant = function(state.time, state.values, numbers)
        return by_time.full(), by_state.full(), by_constant.full()

    def margins(self, depths: Array) -> Array:
        """Minus the deepest branch, for each row of depths."""
        branches = [depths[:, rows].min(axis=1) for rows in self._rows]
        return np.asarray(-np.max(branches, axis=0))

    def deepest(self, depths: Array) -> list[int]:
        """The columns of the branch that is nearest to being broken, or broken most."""
        return max(self._rows, key=lambda rows: float(depths[rows].min()))

    def lowest(self, run: Run, arc: Arc, until: float) -> Lowest:
        """The least margin along one arc, looked for between its samples too."""
        rows = np.flatnonzero(arc.times <= until)
        if not len(rows):
            return np.inf, until
        margins = self.margins(self.depths(run.automaton, [arc.state(int(i)) for i in rows]))
        found = [(float(margins[i]), float(arc.times[i])) for i in rows]
        found += [self._zoomed(run, arc, int(i)) for i in valleys(margins.tolist(), margins.min())]
        return min(found)

    def _zoomed(self, run: Run, arc: Arc, row: int) -> Lowest:
        """The least margin between the neighbours of a sample."""
        ends = [arc.state(row + i) for i in (-1, 0, 1)]
        rates = [run.automaton.flow(state).rate(state.time, state.values) for state in ends]
        times = [state.time for state in ends]
        if not times[0] < times[1] < times[2]:
            return np.inf, times[1]
        curve = CubicHermiteSpline(times, [state.values for state in ends], rates)
        low, high, best = times[0], times[2], (np.inf, times[1])
        for _ in range(ZOOMS):
            grid = np.linspace(low, high, GRID)
            states = [State(float(t), arc.location, curve(t), arc.start.held) for t in grid]
            margins = self.margins(self.depths(run.automaton, states))
            i = int(margins.argmin())
            best = min(best, (float(margins[i]), float(grid[i])))
            low, high = grid[max(0, i - 1)], grid[min(GRID - 1, i + 1)]
        return best


def valleys(margins: list[float], below: float) -> Iterator[int]:
    """The samples about which the margin may go below a number: lowest among their neighbours.

    A valley is taken to be no deeper below its sample than its higher neighbour is above; on a
    plateau, where neighbours differ by rounding, there is none.
    """
    for i in range(1, len(margins) - 1):
        left, here, right = margins[i - 1 : i + 2]
        rise = max(left, right) - here
        if here <= min(left, right) and rise > FLAT * (1 + abs(here)) and here - rise < below:
            yield i


def _constants(automaton: HybridAutomaton) -> Mapping[str, float]:
    """The names whose values never change in a run; those of other automata are observed."""
    parts = parts_of(automaton)
    if parts.only_bodies:
        return parts.only_bodies.scene.values
    return dict(parts.written.parameters) if parts.written else {}


@lru_cache(maxsize=64)
def _compiled(terms: tuple[Term, ...], variables: tuple[str, ...], fixed: tuple[str, ...]) -> Any:
    """The CasADi functions (t, x, constants) -> depths, and -> their derivatives by each."""
    time, x, p = ca.SX.sym("t"), ca.SX.sym("x", len(variables)), ca.SX.sym("p", len(fixed))
    known = {"t": time} | {name: x[i] for i, name in enumerate(variables)}
    known |= {name: p[i] for i, name in enumerate(fixed)}
    depths, arguments = column([symbolic(term, known) for term in terms]), [time, x, p]
    slopes = [ca.jacobian(depths, argument) for argument in arguments]
    return ca.Function("depths", arguments, [depths]), ca.Function("slopes", arguments, slopes)
