"""dyverse's solver, compiled by itself with the tolerance that is asked of everyone."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import dyverse
from benchmarks.peers.contacts.task import TOLERANCE, Problem, load
from benchmarks.peers.measure import Answer, best, say
from dyverse.native.compile import SOURCES, compiler

METHODS = {1: "sorprox", 2: "newton", 3: "lcp"}
OWN = "#define DV_TOLERANCE 1e-12"


def compiled(folder: Path) -> ctypes.CDLL:
    """The runtime's sources with another tolerance, and the entrance of solver.c."""
    own = Path(__file__).with_name("solver.c")
    places = {path: folder / path.relative_to(SOURCES) for path in SOURCES.glob("**/*.[ch]")}
    for path, place in (places | {own: folder / own.name}).items():
        text = path.read_text(encoding="utf-8")
        if path.name == "solve.c":
            assert OWN in text
            text = text.replace(OWN, f"#define DV_TOLERANCE {TOLERANCE}")
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, encoding="utf-8")
    target = folder / "solver.so"
    chosen = compiler()
    command = [*chosen.command, *chosen.flags, "-w", "-shared", str(folder / "solver.c")]
    subprocess.run([*command, "-o", str(target), "-lm"], check=True)
    return ctypes.CDLL(str(target))


def answer(library: ctypes.CDLL, problem: Problem) -> Answer:
    n = len(problem.mu)
    library.bench_room.restype = ctypes.c_long
    arrays = [np.ascontiguousarray(a) for a in (problem.G, problem.c, problem.mu, problem.c)]
    arrays += [
        np.zeros(library.bench_room(n) + 5 * n),
        np.zeros(n * n + 14 * n + 8, dtype=np.int32),
    ]
    arrays[3] = np.zeros(3 * n)
    sweeps = ctypes.c_int()
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]

    def solve() -> int:
        return int(library.bench_solve(n, *pointers, ctypes.byref(sweeps)))

    method = solve()
    return {
        "problem": problem.name,
        "contacts": n,
        "seconds": best(solve),
        "residual": problem.residual(arrays[3]),
        "solver": METHODS.get(method, "not solved"),
        "sweeps": sweeps.value,
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        library = compiled(Path(folder))
        answers = [answer(library, problem) for problem in load(sys.argv[1])]
    say(*({"peer": "dyverse", "version": dyverse.__version__, **found} for found in answers))
