"""The contact solver in C by itself, on heaps and stacks: how wrong it is says the reference."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from benchmarks.peers.contacts.task import TOLERANCE
from benchmarks.peers.contacts.with_dyverse import compiled
from benchmarks.solve import pack, stack

from dyverse.contact.law.problem import ContactProblem, Solved, residual
from dyverse.contact.law.solve import solve


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    return compiled(tmp_path_factory.mktemp("solver"))


def solution(
    library: ctypes.CDLL, problem: ContactProblem
) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.float64]], int]:
    """Forces, and after how many sweeps they were found."""
    n = len(problem)
    library.bench_room.restype = ctypes.c_long
    found, sweeps = np.zeros((n, 3)), ctypes.c_int()
    arrays = [np.ascontiguousarray(a) for a in (problem.matrix, problem.free, problem.friction)]
    arrays += [found, np.zeros(library.bench_room(n) + 5 * n)]
    arrays.append(np.zeros(n * n + 14 * n + 8, dtype=np.int32))
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
    assert library.bench_solve(n, *pointers, ctypes.byref(sweeps)) > 0
    return found, sweeps.value


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("contacts", [3, 10, 20, 50])
def test_heaps_are_solved(library: ctypes.CDLL, contacts: int, seed: int) -> None:
    problem = pack(contacts, np.random.default_rng(seed))
    assert residual(problem, solution(library, problem)[0]) <= TOLERANCE


@pytest.mark.parametrize("seed", [0, 2, 5, 12])
def test_heaps_need_few_sweeps(library: ctypes.CDLL, seed: int) -> None:
    """Newton's method alone begins well after 1800 of them or more."""
    problem = pack(30, np.random.default_rng(seed))
    forces, sweeps = solution(library, problem)
    assert residual(problem, forces) <= TOLERANCE
    assert sweeps == 600


def test_a_tall_stack_is_solved(library: ctypes.CDLL) -> None:
    problem = stack(100)
    assert residual(problem, solution(library, problem)[0]) <= TOLERANCE


def test_one_contact_is_what_the_reference_finds(library: ctypes.CDLL) -> None:
    """Sticking and slipping, by the formula and by sweeps."""
    for problem in (stack(1), pack(1, np.random.default_rng(2))):
        found = solve(problem)
        assert isinstance(found, Solved)
        assert solution(library, problem)[0] == pytest.approx(found.forces, abs=1e-9)
