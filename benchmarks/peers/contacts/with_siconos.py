# mypy: ignore-errors
# (it runs where its peer is installed; mypy runs where it is not)
"""Siconos: NSGS on dense and on block-sparse matrices, and its nonsmooth Newton method."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from typing import Any

import numpy as np
import siconos.numerics as sn

from benchmarks.peers.contacts.task import TOLERANCE, Array, Problem, load
from benchmarks.peers.measure import Answer, best, once, say

PATIENCE = 15.0  # s for one solution
SOLVERS = {  # code, function, most iterations
    "NSGS": (sn.SICONOS_FRICTION_3D_NSGS, sn.fc3d_nsgs, 100_000),
    "NSN_AC": (sn.SICONOS_FRICTION_3D_NSN_AC, sn.fc3d_nonsmooth_Newton_AlartCurnier, 200),
}


def dense(problem: Problem) -> Any:
    return sn.FrictionContactProblem(3, len(problem.mu), problem.G, problem.c, problem.mu)


def blocks(problem: Problem) -> Any:
    """The same in 3 x 3 blocks without the zero ones: as Siconos reads it from a file."""
    n, G = len(problem.mu), problem.G
    filled = [(i, j) for i in range(n) for j in range(n) if part(G, i, j).any()]
    first = [sum(i < row for i, _ in filled) for row in range(n + 1)]
    sizes = " ".join(str(3 * i + 3) for i in range(n))
    lines = [f"3 {n} 1 {3 * n} {3 * n} {len(filled)} {n} {n}", sizes, sizes]
    lines += [f"{n + 1} {len(filled)}", numbers(first), numbers([j for _, j in filled])]
    lines += [f"{k} {numbers(part(G, i, j).T.ravel())}" for k, (i, j) in enumerate(filled)]
    lines += [numbers(problem.c), numbers(problem.mu), ""]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "problem.dat")
        with open(path, "w") as file:
            file.write("\n".join(lines))
        return sn.frictionContact_new_from_filename(path)


def part(G: Array, i: int, j: int) -> Array:
    return G[3 * i : 3 * i + 3, 3 * j : 3 * j + 3]


def numbers(values: Any) -> str:
    return " ".join(format(v, ".17g") for v in values)


def answer(problem: Problem, name: str, stored: Any, storage: str) -> Answer:
    """Tighten the solver's own tolerance until the true residual is reached; time that."""
    n = len(problem.mu)
    code, function, most = SOLVERS[name]
    r, u = np.zeros(3 * n), np.zeros(3 * n)
    options = sn.SolverOptions(code)
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = most

    def solve() -> None:
        r[:], u[:] = 0, 0
        function(stored, r, u, options)

    tolerance, residual, took = 10 * TOLERANCE, float("inf"), 0.0
    while residual > TOLERANCE and tolerance > 1e-12 and took < PATIENCE:
        tolerance /= 4
        options.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
        took = once(solve)
        residual = problem.residual(r)
    sweeps = int(options.iparam[sn.SICONOS_IPARAM_ITER_DONE])
    return {
        "problem": problem.name,
        "contacts": n,
        "solver": f"{name}, {storage}",
        "seconds": best(solve, batches=5 if took < 0.1 else 1)
        if residual <= TOLERANCE
        else float("inf"),
        "residual": residual,
        "sweeps": sweeps,
    }


def version() -> str:
    asked = ["dpkg-query", "--show", "--showformat=${Version}", "python3-siconos"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    answers = []
    for problem in load(sys.argv[1]):
        answers.append(answer(problem, "NSGS", dense(problem), "dense"))
        answers.append(answer(problem, "NSGS", blocks(problem), "blocks"))
        answers.append(answer(problem, "NSN_AC", dense(problem), "dense"))
    say(*({"peer": "Siconos", "version": version(), **found} for found in answers))
