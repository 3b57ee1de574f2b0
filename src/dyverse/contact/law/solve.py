"""Solve a contact problem: sweeps first, then the methods that cannot crawl, then sweeps again.

In comes a `ContactProblem`, out goes `Solved`, `NotConverged` or `Inconsistent`; never a wrong
force in silence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dyverse.contact.law.lcp import contradiction, is_linear, paradoxical, solve_linear
from dyverse.contact.law.newton import newton
from dyverse.contact.law.problem import (
    Array,
    ContactProblem,
    Inconsistent,
    Method,
    NotConverged,
    Solution,
    Solved,
    contact_residuals,
    residual,
    rounding,
    scale,
)
from dyverse.contact.law.proximal import EASING, proximal_points
from dyverse.contact.law.sorprox import sorprox


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """When to stop.

    A solution is accepted when its `residual` is at most ``tolerance``. Newton's and Lemke's
    methods get as far as arithmetic goes, so theirs is also accepted at the `rounding` error of the
    residual itself: an ill-conditioned problem cannot be asked for more. When the first sweeps and
    Newton's method have ended above both, the best forces are still accepted up to ``acceptable``:
    redundant contacts cannot meet a ``c`` that has an error of its own. When every method has, they
    are up to ``passable``. By default both are nothing more. ``absolute`` (in units of ``ξ``) is
    what nobody need get below.
    """

    tolerance: float = 1e-12
    acceptable: float = 0.0
    passable: float = 0.0
    absolute: float = 0.0
    relaxation: float = 1.0
    first_sweeps: int = 8  # before Newton's method is tried a first time
    max_sweeps: int = 200  # before it is tried again, and Lemke's where the problem is linear
    hard_cap: int = 5000  # sweeps in all
    restarts: int = 10  # of Newton's method after each long round


DEFAULTS = Options()
PAINLEVE = (
    "Painlevé's paradox, slip with so much friction that a normal force would close the gap; "
    "'without collision' after the law of impact lets it jam"
)
DIVERGED = 1e6  # relative residual
MANY = 3  # times `Options.max_sweeps`, before proximal points and other starts are tried
FEW = 12  # contacts up to which a restart of Newton's method costs less than a round of sweeps


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    """Forces, who found them after how many sweeps, and how wrong they are."""

    forces: Array
    method: Method
    sweeps: int
    residual: float

    def solved(self) -> Solved:
        return Solved(
            forces=self.forces, sweeps=self.sweeps, residual=self.residual, method=self.method
        )


def solve(
    problem: ContactProblem, *, start: Array | None = None, options: Options = DEFAULTS
) -> Solution:
    """Find forces that obey the laws of contact, from ``start`` (zero if left out)."""
    zero = np.zeros((len(problem), 3))
    pressed = (problem.free[0::3] < -options.absolute) | (problem.granted > 0)
    if not pressed.any():
        return Solved(forces=zero, sweeps=0, residual=residual(problem, zero), method="sorprox")
    tolerance = max(options.tolerance, options.absolute / scale(problem))
    best: _Candidate | None = None
    for candidate in _candidates(problem, zero if start is None else start, tolerance, options):
        if candidate is None:
            if best is not None and best.residual <= options.acceptable:
                return best.solved()
            continue
        if _accepted(problem, candidate, tolerance):
            return candidate.solved()
        if best is None or candidate.residual < best.residual:
            best = candidate
    assert best is not None  # there is always a first round
    return _failed(problem, best, tolerance, options)


def _candidates(
    problem: ContactProblem, forces: Array, tolerance: float, options: Options
) -> Iterator[_Candidate | None]:
    """Sweeps, then Newton from where they are, in growing rounds; then Lemke, if it applies.

    After the rounds that cost little come proximal points, which do not need more sweeps. Then
    nothing is yielded once: what is acceptable by then is good enough.
    """
    linear, sweeps = is_linear(problem), 0
    absolute = tolerance * scale(problem)
    many = min(MANY * options.max_sweeps, max(1, options.hard_cap))
    for budget in _budgets(options, linear=linear):
        found, done = sorprox(
            problem,
            forces,
            sweeps=budget - sweeps,
            tolerance=tolerance,
            relaxation=options.relaxation,
        )
        sweeps += done
        swept = _Candidate(found, "sorprox", sweeps, residual(problem, found))
        yield swept
        if swept.residual < DIVERGED:  # else the next round begins where this one did
            forces = found
        yield _improved(problem, forces, sweeps, absolute)
        if not linear and budget == many:
            yield _afresh(problem, sweeps, absolute, options)
            for start in (forces, np.zeros_like(forces)):
                yield from _along(problem, start, sweeps, absolute, options.acceptable)
            yield None
        few = len(problem) <= FEW  # then restarts cost less than a round
        if not linear and budget >= (many if few else options.hard_cap):
            for guess in _other_starts(problem, forces, absolute, restarts=options.restarts):
                yield _improved(problem, guess, sweeps, absolute)
    if linear and (exact := solve_linear(problem)) is not None:
        yield _Candidate(exact, "lcp", sweeps, residual(problem, exact))


def _improved(problem: ContactProblem, forces: Array, sweeps: int, tolerance: float) -> _Candidate:
    """What Newton's method makes of forces."""
    tried = newton(problem, forces, tolerance=tolerance)
    return _Candidate(tried, "newton", sweeps, residual(problem, tried))


def _afresh(problem: ContactProblem, sweeps: int, absolute: float, options: Options) -> _Candidate:
    """As if nothing were known of forces.

    Those held from before can be pressed together so that, where slip hardly begins, sweeps and
    Newton's method creep on from there.
    """
    zero, tolerance = np.zeros((len(problem), 3)), absolute / scale(problem)
    found, _ = sorprox(
        problem,
        zero,
        sweeps=options.first_sweeps,
        tolerance=tolerance,
        relaxation=options.relaxation,
    )
    return _improved(problem, found, sweeps, absolute)


def _along(
    problem: ContactProblem, start: Array, sweeps: int, tolerance: float, acceptable: float
) -> Iterator[_Candidate]:
    """Proximal points, until they are acceptable and get no better."""
    before = np.inf
    for point in proximal_points(problem, start, tolerance=tolerance):
        left = residual(problem, point)
        yield _Candidate(point, "newton", sweeps, left)
        if before / EASING < left <= acceptable:
            return
        before = left


def _other_starts(
    problem: ContactProblem, forces: Array, tolerance: float, *, restarts: int
) -> Iterator[Array]:
    """Yield forces from which to restart, the same on every call.

    Newton's method can stop at a local minimum of ``‖F‖``, and sweeps can cycle. Friction turned
    up step by step is the next best start; forces at random are the last. Of 3000 problems made to
    be hard, these leave one or two open.
    """
    if restarts == 0:
        return
    yield from _rising_friction(problem, tolerance)
    random = np.random.default_rng(len(forces))
    size = max(float(forces.max()), scale(problem) / float(problem.normal_scale.max()))
    for _ in range(restarts):
        guess = size * random.normal(size=forces.shape) * (1.0, 0.3, 0.3)
        guess[:, 0] = np.abs(guess[:, 0])
        yield guess


def _rising_friction(problem: ContactProblem, tolerance: float) -> Iterator[Array]:
    """Solutions with no friction, then with a quarter, a half and three quarters of it."""
    forces = solve_linear(replace(problem, friction=0 * problem.friction))
    if forces is None:
        return
    yield forces
    for share in (0.25, 0.5, 0.75):
        easier = replace(problem, friction=share * problem.friction)
        forces = newton(easier, forces, tolerance=tolerance)
        yield forces


def _budgets(options: Options, *, linear: bool) -> Iterator[int]:
    """Sweeps allowed up to the end of each round."""
    cap = max(1, options.hard_cap)
    budget = min(options.max_sweeps, cap)
    if options.first_sweeps < budget:
        yield options.first_sweeps
    yield budget
    while not linear and budget < cap:
        budget = min(3 * budget, cap)
        yield budget


def _accepted(problem: ContactProblem, candidate: _Candidate, tolerance: float) -> bool:
    """Apply the rule of `Options`."""
    if candidate.residual <= tolerance or candidate.method == "sorprox":
        return candidate.residual <= tolerance
    return candidate.residual <= rounding(problem, candidate.forces)


def _failed(
    problem: ContactProblem, best: _Candidate, tolerance: float, options: Options
) -> Solution:
    """Say what is true: good enough by request, proven impossible, or not converged."""
    if best.residual <= max(options.acceptable, options.passable):
        return best.solved()
    if culprits := contradiction(problem):
        painleve = bool(paradoxical(problem)[list(culprits)].any())
        why = "no forces keep these contacts from closing"
        return Inconsistent(contacts=culprits, why=PAINLEVE if painleve else why)
    left = contact_residuals(problem, best.forces)
    bad = np.flatnonzero(left > tolerance * scale(problem))
    return NotConverged(
        forces=best.forces,
        sweeps=best.sweeps,
        residual=best.residual,
        worst=tuple(bad[np.argsort(-left[bad])].tolist()),
    )
