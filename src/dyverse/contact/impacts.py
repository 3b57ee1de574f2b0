"""Laws of impact by name: how the impulses of contacts that are hit together are found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from dyverse.contact.law.impact import ImpactSolution, solve_impact
from dyverse.contact.law.poisson import solve_poisson
from dyverse.contact.law.problem import Array, Inconsistent, NotConverged
from dyverse.contact.law.sequence import Endless, solve_sequence

Friction = Callable[[Array], Array]  # slip speeds (n,) -> μ (n,)
Impulses = ImpactSolution | NotConverged | Inconsistent | Endless


class Solve(Protocol):
    """How one law finds the impulses of contacts that share bodies."""

    def __call__(
        self,
        matrix: Array,
        approach: Array,
        e_N: Array,
        e_T: Array,
        friction: Friction,
        *,
        noise: float,
    ) -> Impulses:
        """Impulses from the Delassus matrix, γ⁻ (n, 3), and the coefficients of the contacts.

        Slower than ``noise`` (m/s) is not at all.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactLaw:
    """What is asked of a law of impact besides its impulses.

    Contacts that touch and part may be pushed together by the impact. By Newton's law at once they
    would be next in the same instant, and so for ever; so they take part, and without restitution.
    Laws under which nobody approaches in the end, whatever the coefficients, let them keep it.
    """

    name: str
    solve: Solve
    is_one: bool  # whether all contacts are struck at once
    keeps: bool  # whether contacts that touch and part have restitution
    is_newton_alone: bool  # whether it is Newton's law for one contact with friction
    listed: tuple[str, ...] = ()  # what a listing says of it
    native: int | None = None  # its number in the C runtime, if that has it


def _newton(
    matrix: Array, approach: Array, e_N: Array, e_T: Array, friction: Friction, *, noise: float
) -> Impulses:
    slips = np.hypot(approach[:, 1], approach[:, 2])
    return solve_impact(matrix, approach, e_N, e_T, friction(slips))


NEWTON = ImpactLaw(
    name="newton", solve=_newton, is_one=True, keeps=False, is_newton_alone=True, native=0
)
SEQUENCE = ImpactLaw(
    name="sequence",
    solve=solve_sequence,
    is_one=False,
    keeps=True,
    is_newton_alone=True,
    listed=(
        "impact sequence: while contacts that touch have normal_speed < 0, an impact node goes",
        "from en to ex with those alone whose normal_speed is least, and then from en again",
    ),
    native=1,
)
POISSON = ImpactLaw(
    name="poisson",
    solve=solve_poisson,
    is_one=True,
    keeps=True,
    is_newton_alone=False,
    listed=(
        "impact poisson: an impact node is gone through twice, from en to ex without restitution,",
        "then for further impulses, the normal ones at least restitution times the first, that let",
        "no normal_speed be negative; friction is at most friction times the impulse of its phase",
    ),
    native=2,
)
IMPACT_LAWS = {law.name: law for law in (NEWTON, POISSON, SEQUENCE)}
