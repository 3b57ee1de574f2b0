"""How long does one contact problem take, by which method, and how exactly is it solved?

Two families, both under gravity: a stack of spheres pushed sideways, where every sphere bears all
that lie above and sweeps alone crawl; and a pack, where each sphere lies on up to three earlier
ones or the floor. The peer is SORPROX alone, which is what the paper iterates.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.table import Cell, Table, best
from dyverse.contact.law.problem import ContactProblem, Inconsistent, contact_problem
from dyverse.contact.law.solve import Options, solve
from dyverse.contact.law.sorprox import sorprox

Array = NDArray[np.float64]

G, FRICTION, SIDE = 9.81, 0.3, 0.5
SIZES = (1, 2, 5, 10, 20, 50, 100)
ALONE = 2000  # sweeps that SORPROX alone is given
SEED = 1


def measure(quick: bool) -> Table:
    """Both families at all sizes."""
    sizes, repeat = (SIZES[:4], 2) if quick else (SIZES, 5)
    rows = [_row("stack", stack(n), repeat) for n in sizes]
    rows += [_row("pack", pack(n, np.random.default_rng(SEED)), repeat) for n in sizes]
    return Table(
        question="solving one contact problem, against SORPROX alone",
        columns=(
            "family",
            "contacts",
            "ms",
            "sweeps",
            "method",
            "residual",
            "SORPROX alone ms",
            "its sweeps",
            "ratio",
        ),
        rows=tuple(rows),
        remarks=(
            f"friction {FRICTION}, tolerance {Options().tolerance:g} on the complementarity "
            f"residual; SORPROX alone is stopped after {ALONE} sweeps, and best of up to {repeat}",
        ),
    )


def _row(family: str, problem: ContactProblem, repeat: int) -> tuple[Cell, ...]:
    found = solve(problem)
    assert not isinstance(found, Inconsistent)
    zero = np.zeros((len(problem), 3))
    tolerance = Options().tolerance
    _, sweeps = sorprox(problem, zero, sweeps=ALONE, tolerance=tolerance, relaxation=1.0)
    own = 1e3 * best(lambda: solve(problem), repeat)
    alone = 1e3 * best(
        lambda: sorprox(problem, zero, sweeps=ALONE, tolerance=tolerance, relaxation=1.0), repeat
    )
    method = getattr(found, "method", "not converged")
    ended: Cell = sweeps if sweeps < ALONE else f"over {ALONE}"
    return (
        family,
        len(problem),
        own,
        found.sweeps,
        method,
        found.residual,
        alone,
        ended,
        own / alone,
    )


def stack(n: int) -> ContactProblem:
    """Spheres one upon another on a floor, pushed sideways a little."""
    ends = [(k - 1, k) for k in range(n)]
    return _problem(n, ends, np.tile([0.0, 0.0, 1.0], (n, 1)))


def pack(n: int, random: np.random.Generator) -> ContactProblem:
    """Contacts of a heap: each sphere lies on up to three of the eight before it, or the floor."""
    ends: list[tuple[int, int]] = []
    bodies = 0
    while len(ends) < n:
        below = random.choice(
            np.arange(max(-1, bodies - 8), bodies), size=min(3, bodies + 1), replace=False
        )
        ends += [(int(b), bodies) for b in below[: n - len(ends)]]
        bodies += 1
    normals = random.normal(size=(n, 3)) * 0.4 + [0, 0, 1]
    return _problem(bodies, ends, normals / np.linalg.norm(normals, axis=1)[:, None])


def _problem(bodies: int, ends: list[tuple[int, int]], normals: Array) -> ContactProblem:
    """The problem of spheres of 1 kg and radius ½ m; body -1 is the floor."""
    W = np.zeros((6 * bodies, 3 * len(ends)))
    for k, ((below, above), normal) in enumerate(zip(ends, normals, strict=True)):
        directions = np.stack([normal, *np.linalg.svd(normal[None])[2][1:]], axis=1)
        turning = np.cross(-normal / 2, directions, axisb=0, axisc=0)
        for body, sign in ((below, -1), (above, 1)):
            if body >= 0:
                place = slice(6 * body, 6 * body + 6)
                W[place, 3 * k : 3 * k + 3] = np.vstack([sign * directions, turning])
    inverse = np.tile([1.0, 1, 1, 10, 10, 10], bodies)
    free = np.tile([SIDE, 0, -G, 0, 0, 0], bodies)
    return contact_problem(W.T @ (inverse[:, None] * W), W.T @ free, FRICTION)
