"""Sensitivities through a computation node of a hand-written automaton.

Its sweeps are differentiated one by one, and repeated until their derivative has converged as
well; a step that is a Python function is differentiated by central differences.
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from dyverse.automaton.interface import Array, Visit
from dyverse.automaton.node import ComputationNode, Step
from dyverse.automaton.written.symbolic import SymbolicWritten
from dyverse.expr.buffered import column
from dyverse.expr.symbolic import symbolic
from dyverse.simulation.variation.variation import linear

STEADY = 1e-13  # relative change of a derivative that has converged
SWEEPS = 200  # more than the run itself needed
STEP = 1e-6  # of central differences


class Sweeps:
    """The steps of a computation node with their derivatives."""

    def __init__(self, node: ComputationNode, symbols: SymbolicWritten, time: float) -> None:
        self._node, self._symbols, self._time = node, symbols, time
        self._names = (*symbols.variables, *node.local)
        self._own = ca.SX.sym("z", len(self._names))
        self._known = {**symbols.table}
        self._known |= {name: self._own[i] for i, name in enumerate(self._names)}

    def through(self, visit: Visit, X: Array, time: Array) -> Array:
        """Entrance, sweeps until values and derivative have converged, exit."""
        local = len(self._node.local)
        values = np.concatenate([visit.before.values, np.zeros(local)])
        Z = np.vstack([X, np.zeros((local, X.shape[1]))])
        values, Z = self._step(Step("initial guess", self._node.entrance), values, Z, time)
        for sweep in range(visit.sweeps + SWEEPS):
            last = Z
            for step in self._node.steps:
                values, Z = self._step(step, values, Z, time)
            settled = np.abs(Z - last).max(initial=0.0) <= STEADY * np.abs(Z).max(initial=0.0)
            if sweep + 1 >= visit.sweeps and settled:
                break
        values, Z = self._step(Step("converged", self._node.exit), values, Z, time)
        return Z[: len(X)]

    def _step(self, step: Step, values: Array, Z: Array, time: Array) -> tuple[Array, Array]:
        if step.function is not None:
            return self._differences(step, values, Z, time)
        changed = {a.target: symbolic(a.value, self._known) for a in step.assignments}
        after = column([changed.get(name, self._known[name]) for name in self._names])
        arguments = [self._symbols.time, self._own, self._symbols.values]
        slopes = ca.jacobian(after, ca.vertcat(*arguments))
        function = ca.Function("step", arguments, [after, slopes])
        value, matrix = function(self._time, values, self._symbols.numbers)
        found = linear(np.asarray(value).ravel(), np.asarray(matrix), len(values))
        return found.value, found.moved(Z, time)

    def _differences(self, step: Step, values: Array, Z: Array, time: Array) -> tuple[Array, Array]:
        """Central differences along each setting."""

        def at(share: float, column: int) -> Array:
            known = dict(zip(self._names, values + share * Z[:, column], strict=True))
            numbers = self._symbols.numbers.copy()
            numbers[column] += share
            given = dict(self._symbols.automaton.parameters)
            given |= {
                name: number
                for name, number in zip(self._symbols.settings, numbers.tolist(), strict=True)
                if name in given
            }
            now = {"t": self._time + share * float(time[column])}
            changed = step.changes({**given, **now, **{n: float(v) for n, v in known.items()}})
            return np.array([changed.get(name, known[name]) for name in self._names], dtype=float)

        h = 1e-6
        columns = [(at(h, c) - at(-h, c)) / (2 * h) for c in range(Z.shape[1])]
        slopes = np.stack(columns, axis=1) if columns else Z
        changed = at(0.0, 0) if columns else values
        return changed, slopes
