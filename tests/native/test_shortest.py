"""Least admissible forces in C, by Newton's method on the dual; the reference has another road."""

from __future__ import annotations

import ctypes
import subprocess

import numpy as np
import pytest

from dyverse.contact.law.problem import Array
from dyverse.contact.law.sharing import Load, least, share
from dyverse.native.compile import SOURCES, compiler

ENTRANCE = """
#include "law.c"
int shortest(int n, int k, double *forces, double *changes, double *mu, int *sticks, double *soft,
             double *u, double *memory, int *ints) {
    dv_load load = {.n = n, .k = k, .forces = forces, .changes = changes, .mu = mu,
                    .sticks = sticks, .soft = soft, .force = 1.0, .acceleration = 1.0};
    return dv_shortest_admissible(&load, u, memory, ints);
}
"""
MARGIN = 1e-9


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("shortest")
    (folder / "entrance.c").write_text(ENTRANCE)
    chosen = compiler()
    command = [*chosen.command, *chosen.flags, "-w", f"-I{SOURCES}", "-shared"]
    target = folder / "shortest.so"
    subprocess.run([*command, str(folder / "entrance.c"), "-o", str(target), "-lm"], check=True)
    return ctypes.CDLL(str(target))


def load_of(seed: int, contacts: int, changes: int) -> Load:
    """Some forces that are admissible, less what they share with the changes."""
    random = np.random.default_rng(seed)
    sticking, mu = random.random(contacts) < 0.7, random.uniform(0.2, 0.9, contacts)
    angle = random.uniform(0, 2 * np.pi, contacts)
    slip = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    rows = random.normal(size=(changes + 1, contacts, 3))
    rows[0, :, 0] = random.uniform(0, 3, contacts)
    within = random.uniform(0, 1, contacts) * mu * rows[0, :, 0]
    rows[0, :, 1:] = within[:, None] * slip
    tied = -(mu[:, None] * slip) * rows[:, :, :1]
    rows[:, :, 1:] = np.where(sticking[:, None], rows[:, :, 1:], tied)
    basis = np.linalg.qr(rows[1:].reshape(changes, -1).T)[0].T
    forces = rows[0].ravel() - basis.T @ (basis @ rows[0].ravel())
    return Load(
        forces=forces.reshape(-1, 3),
        changes=basis.reshape(changes, -1, 3),
        friction=mu,
        sticking=sticking,
        softness=np.ones((contacts, 2)),
    )


def shortest(library: ctypes.CDLL, load: Load, dual: Array) -> Array | None:
    """Forces, if they are found; ``dual`` is where the search begins, and where it ends."""
    n, k = load.forces.shape[0], len(load.changes)
    arrays = [
        np.array(a, order="C") for a in (load.forces, load.changes, load.friction, load.softness)
    ]
    sticks, m = load.sticking.astype(np.int32), 3 * n
    work = [np.zeros((k + 8) * m + 9 * n + m * m), np.zeros(3 * m + n + 8, dtype=np.int32)]
    order = (*arrays[:3], sticks, arrays[3], dual, *work)
    pointers = [ctypes.c_void_p(np.asarray(array).ctypes.data) for array in order]
    return arrays[0] if library.shortest(n, k, *pointers) else None


def slack(load: Load, forces: Array) -> float:
    """What the contact with the least to spare has to spare."""
    reserve = load.friction * forces[:, 0] - np.hypot(forces[:, 1], forces[:, 2])
    return float(min(forces[:, 0].min(), reserve[load.sticking].min(initial=np.inf)))


@pytest.mark.parametrize("seed", range(40))
def test_forces_are_those_of_the_central_path(library: ctypes.CDLL, seed: int) -> None:
    load = load_of(seed, 4 + seed % 9, 1 + seed % 4)
    found = shortest(library, load, np.zeros(load.forces.size))
    assert found is not None
    slow = least(load, share(load, margin=MARGIN), margin=MARGIN)
    assert slack(load, found) >= -1e-11
    assert found == pytest.approx(slow, abs=1e-5)
    assert np.linalg.norm(found) <= np.linalg.norm(slow) + 1e-9


def test_a_search_may_begin_anywhere(library: ctypes.CDLL) -> None:
    """What was found for other forces is as good a start as none."""
    for seed in range(10):
        load, dual = load_of(seed, 8, 3), np.zeros(24)
        found = shortest(library, load, dual)
        assert shortest(library, load_of(seed + 1, 8, 3), dual) is not None
        again = shortest(library, load, dual)
        assert again == pytest.approx(found, abs=1e-9)


def test_nothing_is_found_where_no_forces_are_admissible(library: ctypes.CDLL) -> None:
    """A ball pulled from both sides: its two normal forces differ by what is given, below zero."""
    load = Load(
        forces=np.array([[-2.0, 0, 0], [-2.0, 0, 0]]),
        changes=np.array([[[1.0, 0, 0], [-1.0, 0, 0]]]) / np.sqrt(2),
        friction=np.zeros(2),
        sticking=np.zeros(2, dtype=bool),
        softness=np.ones((2, 2)),
    )
    assert shortest(library, load, np.zeros(6)) is None
