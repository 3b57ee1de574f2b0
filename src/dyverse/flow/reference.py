"""The reference solver: the explicit Runge-Kutta pair DOP853 of order 8(5,3), from SciPy.

Its dense output is of order 7 [hairer1993]; it costs three more rates per step. Where slow slip
makes the flow stiff, the method of `dyverse.flow.chebyshev` takes its place. Slower than the native
solver by the price of Python calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.flow.chebyshev import is_stiff, steps_while_stiff
from dyverse.flow.step import (
    Accuracy,
    Excess,
    IntegrationError,
    Rate,
    Relaxation,
    Segment,
    Step,
    not_finite,
    straight,
    too_short,
)

STIFF = 12  # steps in a row as long as stability lets them be, before another method takes over
FAR_TOO_LONG = 20.0  # rates times step: no step of this method was so long


@dataclass(frozen=True, slots=True)
class Reference:
    """SciPy's DOP853, stepped by hand."""

    def steps(
        self,
        rate: Rate,
        time: float,
        values: Array,
        *,
        until: float,
        accuracy: Accuracy,
        first_step: float | None = None,
        sharp: bool = False,
        excess: Excess | None = None,
        relaxation: Relaxation | None = None,
    ) -> Iterator[Step]:
        """Steps from ``time`` that end exactly at ``until``; see `dyverse.flow.step.Solver`."""
        if until <= time:
            return
        if not values.size:
            yield Segment(time, until, values, values)
        elif too_short(time, until):
            yield straight(rate, time, values, until)
        elif excess is None or relaxation is None:
            yield from _march(_begin(rate, time, values, until, accuracy, first_step))
        else:
            limits = excess, relaxation
            yield from _by_turns(rate, time, values, until, accuracy, first_step, limits)


def _by_turns(
    rate: Rate,
    time: float,
    values: Array,
    until: float,
    accuracy: Accuracy,
    first: float | None,
    limits: tuple[Excess, Relaxation],
) -> Iterator[Step]:
    """Steps of this method, and of that of `dyverse.flow.chebyshev` where they become too short."""
    excess, relaxation = limits
    if first is not None and first * relaxation(time, values) > FAR_TOO_LONG:
        stiff, length = STIFF, first
    else:
        stiff, length = 0, 0.0
    while time < until and not too_short(time, until):
        if stiff < STIFF:
            solver = _begin(rate, time, values, until, accuracy, first)
            _limit(solver, excess)
            for step in _march(solver):
                yield step
                time, values, length = step.end, step.last, step.end - step.start
                stiff = stiff + 1 if is_stiff(length, relaxation(time, values)) else 0
                if stiff == STIFF:
                    break
        for bend in steps_while_stiff(
            rate,
            time,
            values,
            until=until,
            length=length,
            accuracy=accuracy,
            excess=excess,
            relaxation=relaxation,
        ):
            yield bend
            time, values, first = bend.end, bend.last, bend.proposal
        stiff = 0
    if time < until:
        yield straight(rate, time, values, until)


def _begin(
    rate: Rate, time: float, values: Array, until: float, accuracy: Accuracy, first: float | None
) -> Any:  # a DOP853, whose stubs do not know what is used below
    """SciPy's solver at the start; it would loop for ever from a rate that is not a number."""
    from scipy.integrate import DOP853  # a fourth of what dyverse takes to load

    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        solver = DOP853(
            rate,
            time,
            values,
            until,
            max_step=accuracy.longest_step,
            rtol=max(accuracy.relative, 100 * np.finfo(float).eps),  # less, and SciPy warns
            atol=accuracy.absolute,
            first_step=None if first is None else min(first, until - time),
        )
    if (variable := not_finite(solver.f)) is not None:
        raise IntegrationError("at the start", time=time, variable=variable)
    return solver


def _limit(solver: Any, excess: Excess) -> None:
    """Let ``excess`` reject steps, too, that the tolerances would accept."""
    estimated = solver._estimate_error_norm

    def estimate(stages: Array, length: float, scale: Array) -> float:
        norm = float(estimated(stages, length, scale))
        if not norm < 1:
            return norm
        last = solver.y + length * (stages[:-1].T @ solver.B)
        return max(norm, excess(last, length * (stages.T @ solver.E5)))

    solver._estimate_error_norm = estimate


def _march(solver: Any) -> Iterator[Step]:
    """Steps until the solver reaches its bound."""
    while solver.status == "running":
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            message = solver.step()
            variable = not_finite(solver.f)
            if message is not None or variable is not None:
                raise _failure(solver, message or "after a step")
            dense = solver.dense_output()
        yield Curve(dense.t_old, dense.t, dense.y_old, solver.y, solver.h_abs, dense.F)


def _failure(solver: Any, reason: str) -> IntegrationError:
    """The reason SciPy gave, and the variable behind it: a stage of the last try was not finite."""
    return IntegrationError(
        reason.rstrip(".").lower(), time=float(solver.t), variable=not_finite(solver.f, *solver.K)
    )


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A step of DOP853 with its polynomial of degree 7.

    With ``s = (t - start) / (end - start)`` the state is ``first + Σ bᵢ(s) Fᵢ`` where ``b₀ = s``,
    ``b₁ = s (1 - s)``, ``b₂ = s² (1 - s)`` and so on  [hairer1993] §II.6.
    """

    start: float
    end: float
    first: Array
    last: Array
    proposal: float | None
    coefficients: Array  # F, (7, n)

    def at(self, times: Array) -> Array:
        """The states at ``times``, one row per time."""
        share = (times - self.start) / (self.end - self.start)
        factors = np.empty((len(times), len(self.coefficients)))
        factors[:, 0::2] = share[:, None]
        factors[:, 1::2] = 1 - share[:, None]
        basis = np.multiply.accumulate(factors, axis=1)
        return np.asarray(self.first + basis @ self.coefficients)
