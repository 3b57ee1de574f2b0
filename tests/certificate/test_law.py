"""Whether contact problems have one solution, against all patterns tried one by one."""

from itertools import product

import numpy as np
import pytest
from flint import arb, arb_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.automaton.interface import Array
from dyverse.certificate.file import Unproved
from dyverse.certificate.law import one_solution
from dyverse.enclosure.matrix import exact


def solutions(G: Array, c: Array, mu: float) -> list[Array]:
    """All solutions of a contact in the plane: open, sticking, or slipping either way."""
    found: list[Array] = [np.zeros(2)] if c[0] >= 0 else []
    stuck: Array = np.linalg.solve(G, -c).astype(np.float64)
    if stuck[0] > 0 and abs(stuck[1]) <= mu * stuck[0]:
        found.append(stuck)
    for sign in (-1, 1):
        normal = -c[0] / (G[0, 0] - sign * mu * G[0, 1])
        forces = np.array([normal, -sign * mu * normal])
        if normal > 0 and sign * (c + G @ forces)[1] > 0:
            found.append(forces)
    return found


def plane(G: Array) -> arb_mat:
    """A contact in the plane as one in space."""
    whole = np.eye(3)
    whole[:2, :2] = G
    return exact(whole)


@settings(max_examples=200)
@given(
    a=st.floats(0.5, 2),
    b=st.floats(-1.5, 1.5),
    d=st.floats(0.5, 3),
    c=st.tuples(st.floats(-2, -0.1), st.floats(-2, 2)),
    mu=st.floats(0, 1.5),
)
def test_where_one_solution_is_claimed_there_is_one(
    a: float, b: float, d: float, c: tuple[float, float], mu: float
) -> None:
    G = np.array([[a, b], [b, d]])
    try:
        one_solution(plane(G), [arb(mu)], [False])
    except Unproved:
        return
    assert len(solutions(G, np.array(c), mu)) == 1


def test_an_example_with_several_solutions_is_refused() -> None:
    G, c = np.array([[1.0, 1.2], [1.2, 2.0]]), np.array([0.1, 2.0])
    assert len(solutions(G, c, 1.5)) > 1
    with pytest.raises(Unproved, match="several solutions"):
        one_solution(plane(G), [arb(1.5)], [False])


def test_spheres_have_one_solution() -> None:
    """No coupling between normal and tangent: m⁻¹ and m⁻¹ + r²/I."""
    one_solution(exact(np.diag([1.0, 3.5, 3.5])), [arb(5)], [False])
    pushed = product((-2.0, -0.1), (-20.0, -1.0, 0.0, 1.0, 20.0))
    found = [solutions(np.diag([1.0, 3.5]), np.array(c), 5.0) for c in pushed]
    assert [len(own) for own in found] == [1] * 10


@pytest.mark.parametrize("mu", [arb(-0.1), arb(0, 0.1), arb("nan")])
def test_friction_must_not_be_negative(mu: arb) -> None:
    with pytest.raises(Unproved):
        one_solution(exact(np.diag([1.0, 3.5, 3.5])), [mu], [False])


def test_contacts_without_friction_need_a_definite_matrix() -> None:
    G = np.zeros((6, 6))
    for i, j in product((0, 3), (0, 3)):
        G[i, j] = 1.0
    with pytest.raises(Unproved, match="several ways"):
        one_solution(exact(G), [arb(0)] * 2, [True, True])
    one_solution(exact(G + np.diag([1.0, 0, 0, 1.0, 0, 0])), [arb(0)] * 2, [True, True])


def test_several_contacts_with_friction_are_refused() -> None:
    with pytest.raises(Unproved, match="several contacts"):
        one_solution(exact(np.eye(6)), [arb(0.1)] * 2, [False, False])
