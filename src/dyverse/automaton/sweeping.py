"""The fast way through a computation node: its sweeps compiled with CasADi.

Assignments of steps that follow each other become one compiled function; steps that are Python
functions are called between them. What comes in is a state at the entrance, what goes out is the
visit that ends at the exit, or says why it did not get there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby

import casadi as ca
import numpy as np

from dyverse.automaton.guard.robustness import symbolic_truth
from dyverse.automaton.interface import Array, State, Visit
from dyverse.automaton.node import EXIT, ComputationNode, Step
from dyverse.errors import ModelError, Problem, did_you_mean
from dyverse.expr.buffered import Buffered, buffered, column
from dyverse.expr.symbolic import symbolic

Operation = Callable[[float, Array], Array]


class Sweeper:
    """A node made ready to run on the numbers of an automaton with these names."""

    def __init__(
        self, node: ComputationNode, variables: tuple[str, ...], constants: Mapping[str, float]
    ) -> None:
        self._node, self._variables, self._constants = node, len(variables), constants
        self.names = (*variables, *node.local)
        self._enter = self._compiled([Step("initial guess", node.entrance)])
        self._sweep = tuple(self._operations())
        self._leave = self._compiled([Step("converged", node.exit)])
        self._test = self._tested()

    def visit(self, state: State) -> Visit:
        """Pass through the node from ``state`` at its entrance."""
        numbers = np.concatenate([state.values, np.full(len(self._node.local), math.nan)])
        numbers, sweeps, residual, failure = self._iterate(state.time, numbers)
        result = dict(zip(self._node.local, numbers[self._variables :], strict=True))
        if failure is None:
            numbers = self._leave(state.time, numbers)
        after = State(
            state.time, self._node.at(EXIT), numbers[: self._variables].copy(), state.held
        )
        return Visit(
            before=state,
            after=after,
            sweeps=sweeps,
            residual=residual,
            method=self._node.name,
            failure=failure,
            result={name: np.array(number) for name, number in result.items()},
        )

    def _iterate(self, time: float, numbers: Array) -> tuple[Array, int, float, str | None]:
        """Numbers at the test, sweeps, residual, and why there is no answer, if there is none."""
        numbers = self._enter(time, numbers)
        for sweep in range(1, self._node.max_sweeps + 1):
            for operation in self._sweep:
                numbers = operation(time, numbers)
            truth, residual = self._test(time, numbers)
            if not np.isfinite(numbers).all():
                return numbers, sweep, float(residual[0]), self._diverged(numbers, sweep)
            if truth[0]:
                return numbers, sweep, float(residual[0]), None
        failure = f"node {self._node.name!r} did not converge in {sweep} sweeps"
        if not math.isnan(residual[0]):
            failure += f": residual {residual[0]:.1e}"
        return numbers, sweep, float(residual[0]), failure

    def _diverged(self, numbers: Array, sweep: int) -> str:
        name = self.names[int(np.argmin(np.isfinite(numbers)))]
        return f"node {self._node.name!r} diverged: {name} is not finite after {sweep} sweeps"

    def _operations(self) -> Iterator[Operation]:
        for is_function, group in groupby(self._node.steps, lambda s: s.function is not None):
            if is_function:
                yield from (self._called(step) for step in group)
            else:
                yield self._compiled(list(group))

    def _symbols(self) -> tuple[list[ca.SX], dict[str, ca.SX]]:
        time, numbers = ca.SX.sym("t"), ca.SX.sym("x", len(self.names))
        known = {name: ca.SX(number) for name, number in self._constants.items()} | {"t": time}
        known |= {name: numbers[i] for i, name in enumerate(self.names)}
        return [time, numbers], known

    def _compiled(self, steps: list[Step]) -> Operation:
        """The assignments of ``steps``, one step after the other, as one function."""
        arguments, known = self._symbols()
        for step in steps:
            known = known | {a.target: symbolic(a.value, known) for a in step.assignments}
        function = buffered(arguments, [column([known[name] for name in self.names])])
        return lambda time, numbers: function(time, numbers)[0].copy()

    def _tested(self) -> Buffered:
        arguments, known = self._symbols()
        residual = self._node.residual
        error = ca.SX(math.nan) if residual is None else symbolic(residual, known)
        return buffered(arguments, [symbolic_truth(self._node.converged, known), error])

    def _called(self, step: Step) -> Operation:
        """A step that is a Python function."""

        def operation(time: float, numbers: Array) -> Array:
            known = dict(zip(self.names, numbers.tolist(), strict=True))
            changed = step.changes({**self._constants, "t": time, **known})
            if unknown := [name for name in changed if name not in known]:
                raise ModelError([Problem(self._stray(step, unknown[0]))], file=self._node.name)
            return np.array([changed.get(name, known[name]) for name in self.names], dtype=float)

        return operation

    def _stray(self, step: Step, name: str) -> str:
        hint = did_you_mean(name, self.names)
        return f"step {step.name!r} returned {name!r}, which is no variable{hint}"
