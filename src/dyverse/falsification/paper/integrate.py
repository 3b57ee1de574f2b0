"""ODE(f, x, τ) as a function with derivatives: Dormand and Prince's pair in fixed steps.

The embedded method tells what a step errs by, so that the error of a whole set of trajectories can
be asked about.  [hairer1993] II.5
"""

from __future__ import annotations

from typing import Any

import casadi as ca
from scipy.integrate import RK45

from dyverse.automaton.interface import Array

Vector = Any  # an SX or MX expression


def integrator(rate: ca.Function, steps: int) -> ca.Function:
    """(y, a, τ) -> y(τ) and the square of its error, for ``y' = rate(y, a)`` in equal ``steps``."""
    y, a, length = (
        ca.MX.sym(name, size)
        for name, size in (("y", rate.numel_in(0)), ("a", rate.numel_in(1)), ("h", 1))
    )
    one = _step(rate)
    end, error = y, ca.MX(0)
    for _ in range(steps):
        end, erred = one(end, a, length / steps)
        error += erred
    return ca.Function("ode", [y, a, length], [end, error])


def _step(rate: ca.Function) -> ca.Function:
    """One step: its end, and the square of its difference to the embedded solution."""
    y, a, h = (
        ca.SX.sym(name, size)
        for name, size in (("y", rate.numel_in(0)), ("a", rate.numel_in(1)), ("h", 1))
    )
    slopes: list[Vector] = []
    for row in RK45.A:
        slopes.append(rate(_moved(y, h, row, slopes), a))
    end = _moved(y, h, RK45.B, slopes)
    slopes.append(rate(end, a))
    wrong = _moved(ca.SX.zeros(y.shape), h, RK45.E, slopes)
    return ca.Function("step", [y, a, h], [end, ca.sumsqr(wrong)])


def _moved(y: Vector, h: Vector, weights: Array, slopes: list[Vector]) -> Vector:
    moved = y
    for weight, slope in zip(weights, slopes, strict=False):
        if weight:
            moved = moved + h * float(weight) * slope
    return moved
