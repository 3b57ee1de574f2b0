"""Impacts by Poisson's law as equations, for a given pattern of contacts in each of its phases.

As `dyverse.contact.law.poisson` solves them. In compression a contact separates, sticks or slips as
in `dyverse.generation.symbolic.impact`, without restitution. In expansion its normal impulse is
e_N times that of compression, or more and then ``γ_N⁺ = 0``; and with any impulse at all it sticks
or slips. Given which, impulses are the solution of equations and have derivatives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import casadi as ca
import numpy as np

from dyverse.automaton.interface import Array
from dyverse.contact.law.poisson import Phases
from dyverse.expr.buffered import column
from dyverse.expr.symbolic import SX
from dyverse.generation.symbolic.impact import Granted, Outcome, SymbolicImpact
from dyverse.generation.symbolic.motion import length

if TYPE_CHECKING:
    from dyverse.generation.symbolic.bodies import SymbolicBodies


@dataclass(frozen=True, slots=True)
class Course:
    """What one contact does in an impact."""

    compression: Outcome
    expansion: Outcome
    pushed: bool  # in expansion by more than is granted, so that it does not close

    @property
    def outcome(self) -> Outcome:
        """As of one impact: slip that ends is none."""
        return self.compression if self.expansion == "separated" else self.expansion


def courses(names: tuple[str, ...], found: Phases, e_N: Array, mu: Array) -> dict[str, Course]:
    """The courses of contacts, from the impulses of both phases in their frames."""
    first, second = found.compression.forces, found.expansion.forces
    least = 1e-7 * float(np.abs(found.impulses).max(initial=0.0))
    granted = found.restitution_scale * e_N * first[:, 0]
    return {
        name: Course(
            _outcome(first[k], mu[k], least),
            _outcome(second[k], mu[k], least),
            bool(second[k, 0] - granted[k] > least),
        )
        for k, name in enumerate(names)
    }


def _outcome(impulse: Array, mu: float, least: float) -> Outcome:
    normal, tangential = float(impulse[0]), float(np.hypot(*impulse[1:]))
    if normal <= least:
        return "separated"
    return "stick" if tangential < (1 - 1e-7) * mu * normal else "slip"


def phased_impact(
    bodies: SymbolicBodies, pattern: Mapping[str, Course], *, granted: Granted = "all"
) -> SymbolicImpact:
    """The equations of both phases at the contacts of ``pattern``.

    Unknown are the impulses of all contacts in compression, then in expansion; and last, if a part
    of the restitution is ``granted``, its scale, so that energy stays the same.
    """
    names = [name for name in bodies.contacts.names if name in pattern]
    rows = [bodies.rows(bodies.contacts.index[name]) for name in names]
    size = 3 * len(rows)
    unknown = ca.SX.sym("L", 2 * size + (granted == "part"))
    first, second = unknown[:size], unknown[size : 2 * size]
    scale = unknown[-1] if granted == "part" else ca.SX(granted == "all")
    W = ca.horzcat(*(row.W for row in rows))
    before = column([row.speed for row in rows])
    pressed = before + W.T @ (bodies.inverse_mass @ (W @ first))
    change = bodies.inverse_mass @ (W @ (first + second))
    response = before + W.T @ change
    equal: list[SX] = []
    for k, (name, row) in enumerate(zip(names, rows, strict=True)):
        own, course = slice(3 * k, 3 * k + 3), pattern[name]
        contact = bodies.contacts.index[name]
        mu = ca.SX(0) if row.smooth else bodies.friction(contact, row.slip_speed)
        gone = course.compression == "separated"
        normal = first[3 * k] if gone else pressed[3 * k]
        equal.append(_rubbed(normal, first[own], pressed[own], mu, course.compression))
        more = second[3 * k] - scale * row.restitution * first[3 * k]
        aim = response[own] + scale * row.tangential_restitution * before[own]
        normal = response[3 * k] if course.pushed else more
        equal.append(_rubbed(normal, second[own], aim, mu, course.expansion))
    whole = first + second
    lost = -ca.dot(whole, before + W.T @ change / 2)
    if granted == "part":
        equal.append(lost)
    return SymbolicImpact(
        pattern={name: pattern[name].outcome for name in names},
        state=bodies.state,
        values=bodies.values,
        impulses=unknown,
        after=ca.vertcat(bodies.coordinates, bodies.speeds + change),
        response=response,
        equalities=column(equal),
        inequalities=lost,
    )


def _rubbed(normal: SX, impulse: SX, aim: SX, mu: SX, outcome: Outcome) -> SX:
    """``normal`` = 0, and Coulomb's law: ``aim`` is what friction opposes."""
    if outcome == "separated" or mu.is_zero():
        return ca.vertcat(normal, impulse[1:])
    if outcome == "stick":
        return ca.vertcat(normal, aim[1:])
    return ca.vertcat(normal, length(aim[1:]) * impulse[1:] + mu * impulse[0] * aim[1:])
