"""Impacts as equations: Newton's law and Coulomb's for a given pattern of contacts.

[navarro2018] §2, as `dyverse.contact.law.impact` solves it with all restitution granted. With
γ⁺ = γ⁻ + G Λ and ξ = γ⁺ + E γ⁻ each contact of an impact either *separates* (Λ = 0, ξ_N ≥ 0),
*sticks* (ξ = 0, Λ_N ≥ 0, ‖Λ_T‖ ≤ μ Λ_N) or *slips* (ξ_N = 0, Λ_N ≥ 0, Λ_T opposing ξ_T on the rim
of its disc). Given which, impulses are the solution of equations and have derivatives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import casadi as ca
import numpy as np

from dyverse.automaton.interface import Array
from dyverse.expr.buffered import column
from dyverse.expr.symbolic import SX
from dyverse.generation.symbolic.motion import length
from dyverse.mechanics.closed import REDUNDANT
from dyverse.mechanics.dynamics import Dynamics

if TYPE_CHECKING:
    from dyverse.generation.symbolic.bodies import SymbolicBodies

Outcome = Literal["separated", "stick", "slip"]
Granted = Literal["all", "part", "none"]


@dataclass(frozen=True, slots=True, eq=False)
class ImpactDerivative:
    """How an impact changes with the state before it and the settings, at one solution."""

    after_by_state: Array  # ∂x⁺/∂x⁻, (n, n)
    after_by_values: Array  # ∂x⁺/∂p, (n, k)
    impulses_by_state: Array  # ∂Λ/∂x⁻, (3c, n)
    impulses_by_values: Array  # ∂Λ/∂p, (3c, k)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SymbolicImpact:
    """An impact with a fixed pattern: unknown ``impulses`` with ``equalities`` = 0.

    The pattern is right where ``inequalities`` ≥ 0. The last of them is the energy taken away:
    where it is negative the engine grants less restitution and these equations do not hold.
    """

    pattern: Mapping[str, Outcome]
    state: SX  # x⁻
    values: SX  # settings
    impulses: SX  # Λ: normal, tangent 1, tangent 2 of each contact
    after: SX  # x⁺: the same places, other speeds
    response: SX  # ξ
    equalities: SX
    inequalities: SX

    @property
    def unknowns(self) -> list[SX]:
        """State before, settings, impulses: the arguments of the expressions."""
        return [self.state, self.values, self.impulses]

    def function(self, *expressions: SX) -> Any:
        """A CasADi function of `unknowns`."""
        return ca.Function("impact", self.unknowns, [ca.densify(e) for e in expressions])

    def derivative(self, state: Array, values: Array, impulses: Array) -> ImpactDerivative:
        """Derivatives at a solution, by the implicit function theorem.

        Of the impulses of redundant contacts only some combination is determined; theirs are the
        least. Where the pattern is about to change the derivatives are one-sided.
        """
        n, k = self.state.numel(), self.values.numel()
        results = _jacobians(self)(state, values, impulses.ravel())
        after, tied = (np.asarray(result) for result in results)
        scale = 1 / np.maximum(np.abs(tied[:, n + k :]).max(axis=1, initial=0.0), 1e-300)
        inverse = np.linalg.pinv(scale[:, None] * tied[:, n + k :], rcond=REDUNDANT)
        moved = -inverse @ (scale[:, None] * tied[:, : n + k])
        total = after[:, : n + k] + after[:, n + k :] @ moved
        return ImpactDerivative(total[:, :n], total[:, n:], moved[:, :n], moved[:, n:])


@lru_cache(maxsize=256)
def _jacobians(law: SymbolicImpact) -> Any:
    """State after and equalities, each by everything that is unknown."""
    unknowns = ca.vertcat(*law.unknowns)
    return law.function(*(ca.jacobian(e, unknowns) for e in (law.after, law.equalities)))


def impact(
    bodies: SymbolicBodies, pattern: Mapping[str, Outcome], *, granted: Granted = "all"
) -> SymbolicImpact:
    """The equations of an impact at the contacts of ``pattern``.

    Of the restitution all is ``granted``, none, or a part: then one more unknown, the last of the
    impulses, scales it so that energy stays the same (`dyverse.contact.law.impact.solve_impact`).
    """
    names = [name for name in bodies.contacts.names if name in pattern]
    contacts = [bodies.contacts.index[name] for name in names]
    rows = [bodies.rows(contact) for contact in contacts]
    unknown = ca.SX.sym("L", 3 * len(rows) + (granted == "part"))
    impulses = unknown[: 3 * len(rows)]
    scale = unknown[-1] if granted == "part" else ca.SX(granted == "all")
    W = ca.horzcat(*(row.W for row in rows))
    change = bodies.inverse_mass @ (W @ impulses)
    before = column([row.speed for row in rows])
    e = [c for r in rows for c in (r.restitution, *[r.tangential_restitution] * 2)]
    response = before + W.T @ change + scale * column(e) * before
    equal: list[SX] = []
    weak: list[SX] = []
    for k, (name, contact) in enumerate(zip(names, contacts, strict=True)):
        own = slice(3 * k, 3 * k + 3)
        laws = _laws(bodies, contact, pattern[name], impulses[own], response[own])
        equal.append(laws[0])
        weak.append(laws[1])
    lost = -ca.dot(impulses, before + W.T @ change / 2)
    (equal if granted == "part" else weak).append(lost)
    return SymbolicImpact(
        pattern={name: pattern[name] for name in names},
        state=bodies.state,
        values=bodies.values,
        impulses=unknown,
        after=ca.vertcat(bodies.coordinates, bodies.speeds + change),
        response=response,
        equalities=column(equal),
        inequalities=column(weak),
    )


def _laws(
    bodies: SymbolicBodies, contact: int, outcome: Outcome, impulse: SX, response: SX
) -> tuple[SX, SX]:
    """Three equalities, and what must not be negative; nothing resists turning in no time."""
    if bodies.contacts.follows[contact]:
        return impulse, ca.SX(0, 1)
    if outcome == "separated":
        return impulse, response[0]
    rows = bodies.rows(contact)
    if rows.smooth:
        return ca.vertcat(response[0], impulse[1:]), impulse[0]
    limit = bodies.friction(contact, rows.slip_speed) * impulse[0]
    if bodies.contacts.single[contact]:
        response = ca.vertcat(response[:2], impulse[2])  # there is no other tangent
    if outcome == "stick":
        return response, ca.vertcat(impulse[0], limit**2 - ca.sumsqr(impulse[1:]))
    slides = length(response[1:])
    return ca.vertcat(response[0], slides * impulse[1:] + limit * response[1:]), impulse[0]


def pattern_of(
    dynamics: Dynamics, impulses: Mapping[str, Array], state: Array, *, share: float = 1e-7
) -> dict[str, Outcome]:
    """Which contacts of an impact separated, stuck or slipped, from impulses in their frames.

    ``share`` of the largest impulse counts as none, and so much short of the rim as on it.
    """
    names = [name for name in dynamics.contacts.names if name in impulses]
    contacts = tuple(dynamics.contacts.index[name] for name in names)
    limits = dynamics.frictions(contacts, dynamics.close(contacts, state).slip_speed)
    least = share * max((float(np.linalg.norm(i)) for i in impulses.values()), default=0.0)
    found: dict[str, Outcome] = {}
    for name, mu in zip(names, limits.tolist(), strict=True):
        normal, *tangential = impulses[name].tolist()
        inside = float(np.hypot(*tangential)) < (1 - share) * mu * normal
        found[name] = "separated" if normal <= least else "stick" if inside else "slip"
    return found
