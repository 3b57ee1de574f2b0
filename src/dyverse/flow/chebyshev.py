"""Steps for slow slip: a Runge-Kutta-Chebyshev method of order 2  [sommeijer1998].

Friction turns the direction of slip within v/(μ g): along the real axis the field is as stiff as
the slip is slow, and steps of an explicit method of few stages get as short. The stability of this
one grows with the square of its stages. Between both ends of a step lies a cubic. The native
runtime has the same method in ``c/chebyshev.c``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.flow.step import Accuracy, Excess, IntegrationError, Rate, Relaxation, not_finite

DAMPED = 2 / 13
MOST_STAGES = 250
SAFE = 2.0  # by which the field may get stiffer within a step
LIMIT = 2.0  # rates times step: more is hardly stable in methods of few stages
GROWTH = 5.0  # from step to step, at most


@dataclass(frozen=True, slots=True, eq=False)
class Bend:
    """A step with the cubic by the states and rates at both ends."""

    start: float
    end: float
    first: Array
    last: Array
    proposal: float | None
    leaving: Array  # the rates at the start,
    arriving: Array  # and at the end

    def at(self, times: Array) -> Array:
        """The states at ``times``, one row per time."""
        length = self.end - self.start
        share = ((times - self.start) / length)[:, None]
        rise = self.last - self.first
        bend = length * self.leaving - rise
        twist = 2 * rise - length * (self.leaving + self.arriving)
        return np.asarray(self.first + share * (rise + (1 - share) * (bend + share * twist)))


def is_stiff(length: float, relaxing: float) -> bool:
    """Whether a step of this length (s) is as long as methods of few stages let it be."""
    return length * relaxing > LIMIT


def steps_while_stiff(
    rate: Rate,
    time: float,
    values: Array,
    *,
    until: float,
    length: float,
    accuracy: Accuracy,
    excess: Excess,
    relaxation: Relaxation,
) -> Iterator[Bend]:
    """Steps from ``time`` on, the first of about ``length`` (s), as long as the field is stiff.

    ``relaxation`` says how fast it pulls together (1/s).
    """
    leaving, relaxing, most = np.asarray(rate(time, values)), relaxation(time, values), GROWTH
    while time < until and is_stiff(length, relaxing):
        length = min(length, accuracy.longest_step, _longest(relaxing))
        if length < 10 * math.ulp(time):
            raise IntegrationError("required step size is too small", time=time)
        end = until if length >= 0.9999 * (until - time) else time + length
        length = end - time
        last = _stages(rate, time, values, leaving, length, relaxing)
        arriving = np.asarray(rate(end, last))
        if (variable := not_finite(arriving)) is not None:
            raise IntegrationError("after a step", time=time, variable=variable)
        error = 0.8 * (values - last) + 0.4 * length * (leaving + arriving)
        missed = max(_norm(error, values, last, accuracy), excess(last, error))
        growth = 0.9 * max(missed, 1e-12) ** (-1 / 3)
        if missed >= 1:
            length, most = length * max(growth, 0.2), 1.0
            continue
        proposal = length * min(growth, most)
        yield Bend(time, end, values, last, proposal, leaving, arriving)
        time, values, leaving, length, most = end, last, arriving, proposal, GROWTH
        relaxing = relaxation(time, values)


def _longest(relaxing: float) -> float:
    """The longest step (s) that the most stages are stable for."""
    return ((MOST_STAGES - 1) ** 2 - 1) / (1.54 * SAFE * relaxing)


def _norm(error: Array, first: Array, last: Array, accuracy: Accuracy) -> float:
    """The error over what is tolerated."""
    size = np.maximum(np.abs(first), np.abs(last))
    return float(np.sqrt(np.mean((error / (accuracy.absolute + accuracy.relative * size)) ** 2)))


def _stages(
    rate: Rate, time: float, values: Array, first: Array, length: float, relaxing: float
) -> Array:
    """The state after a step, by as many stages as are stable."""
    count = min(max(math.ceil(1 + math.sqrt(1 + 1.54 * SAFE * length * relaxing)), 2), MOST_STAGES)
    w0 = 1 + DAMPED / count**2
    root = math.sqrt(w0 * w0 - 1)
    angle = count * math.log(w0 + root)
    slope = count * math.sinh(angle) / root
    w1 = slope * root * root / (count**2 * math.cosh(angle) - w0 * slope)
    b0 = b1 = 1 / (4 * w0 * w0)
    share, a1 = b1 * w1, 1 - b1 * w0  # of the step: where the stage is
    before, now = (1.0, 0.0, 0.0), (w0, 1.0, 0.0)  # T, T' and T'' of two stages
    older, old = values, values + share * length * first
    for _ in range(2, count + 1):
        after = (
            2 * w0 * now[0] - before[0],
            2 * now[0] + 2 * w0 * now[1] - before[1],
            4 * now[1] + 2 * w0 * now[2] - before[2],
        )
        b = after[2] / after[1] ** 2
        mu, nu, push = 2 * b * w0 / b1, -b / b0, 2 * b * w1 / b1
        pushed = push * np.asarray(rate(time + share * length, old)) - a1 * push * first
        older, old = old, (1 - mu - nu) * values + mu * old + nu * older + length * pushed
        share, before, now = w1 * after[2] / after[1], now, after
        b0, b1, a1 = b1, b, 1 - b * after[0]
    return np.asarray(old)
