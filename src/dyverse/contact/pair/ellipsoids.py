"""Two ellipsoids: their common normal, and what else is found in the same way."""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca

from dyverse.contact.pair.kinematics import SX, Pair, Touch

STEPS = 11  # of Newton's method; ten reach 1e-12 for axes up to 1 : 30
SHARES = (1.0, 0.3, 0.05)  # of a step: the first that makes nothing worse is taken
WORSE = 1e-13  # of the distance: what comes from rounding
TINY = 1e-300
DIGITS = 2.0**50

Better = Callable[[SX], tuple[SX, SX]]
"""From a unit vector n: what is to be as great as can be, and the way to a better one."""


def touch(r_a: SX, r_b: SX, first: SX, second: SX) -> Touch:
    """``g = n·(r_b - r_a) - √(nᵀ A n) - √(nᵀ B n)`` with the unit vector n that makes it greatest.

    That is where ``r_b - r_a - A n/√(nᵀ A n) - B n/√(nᵀ B n) = g n``, four equations for n and g:
    the points at which both have that normal are g apart along it.
    """
    (a, b), between = (spread(shape) for shape in (first, second)), r_b - r_a

    def better(n: SX) -> tuple[SX, SX]:
        (reach_a, arm_a, bent_a), (reach_b, arm_b, bent_b) = support(a, n), support(b, n)
        gap = ca.dot(n, between) - reach_a - reach_b
        uphill = between - arm_a - arm_b
        bent = bent_a + bent_b + ca.fmax(gap, 0.0) * ca.DM.eye(3)
        stiff = bent + (ca.trace(bent) + TINY) * n @ n.T  # n itself is no way to go
        return gap, solved(stiff, uphill - ca.dot(n, uphill) * n)

    n = greatest(better, between / (ca.norm_2(between) + TINY), between)
    (reach_a, arm_a, _), (reach_b, arm_b, _) = support(a, n), support(b, n)
    return Touch(ca.dot(n, between) - reach_a - reach_b, n, arm_a, -arm_b)


def spread(ellipsoid: SX) -> SX:
    """``A = R diag(a²) Rᵀ`` of an ellipsoid."""
    axes, turned = ellipsoid[:3], ca.reshape(ellipsoid[3:], 3, 3)
    return turned @ ca.diag(axes**2) @ turned.T


def support(spread: SX, n: SX) -> tuple[SX, SX, SX]:
    """How far an ellipsoid reaches along n, to which point, and the derivative of that by n."""
    pressed = spread @ n
    reach = ca.sqrt(ca.dot(n, pressed))
    return reach, pressed / reach, spread / reach - pressed @ pressed.T / reach**3


def greatest(better: Better, start: SX, scale: SX) -> SX:
    """The unit vector for which something is greatest, by Newton's method.

    What is found is rounded to fifty binary digits, which have no derivative: the derivatives are
    those of one more step from there, as the implicit function theorem has them.
    """
    n, worse = start, WORSE * ca.norm_2(scale)
    for _ in range(STEPS):
        here, step = better(n)
        tries = [_unit(n + share * step) for share in SHARES]
        n = tries[-1]
        for one in reversed(tries[:-1]):
            n = ca.if_else(better(one)[0] >= here - worse, one, n)
    n = _unit(ca.floor(DIGITS * n) / DIGITS)
    return _unit(n + better(n)[1])


def solved(stiff: SX, right: SX) -> SX:
    """The solution of three linear equations, by Cramer's rule."""
    x, y, z = ca.horzsplit(stiff)
    volume = ca.dot(x, ca.cross(y, z))
    return (
        ca.vertcat(
            ca.dot(right, ca.cross(y, z)),
            ca.dot(x, ca.cross(right, z)),
            ca.dot(x, ca.cross(y, right)),
        )
        / volume
    )


def _unit(vector: SX) -> SX:
    return vector / ca.norm_2(vector)


def _pressed(solid: str) -> str:
    terms = (
        f"dot(axes[{solid}], {unit})^2 * dot(axis_{axis}[{solid}], normal[α,β])"
        f" * axis_{axis}[{solid}]"
        for axis, unit in (("x", "(1, 0, 0)"), ("y", "(0, 1, 0)"), ("z", "(0, 0, 1)"))
    )
    return " + ".join(terms)


def listed_reach(solid: str) -> tuple[str, str]:
    """What is said of the point at which an ellipsoid has the normal of a contact."""
    return (
        f"reach[{solid},α,β] = sqrt(dot(normal[α,β], pressed[{solid},α,β]))",
        f"pressed[{solid},α,β] = {_pressed(solid)}",
    )


LISTED = (
    "gap[α,β] = dot(normal[α,β], position[B] - position[A]) - reach[A,α,β] - reach[B,α,β]",
    "normal[α,β] = greatest(gap[α,β])",
    "arm[A,α,β] = pressed[A,α,β] / reach[A,α,β]",
    *listed_reach("A"),
    *listed_reach("B"),
)
ELLIPSOIDS = Pair("ellipsoids", touch, (3, 3), LISTED)
