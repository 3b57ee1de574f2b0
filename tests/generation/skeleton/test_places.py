"""The inside of computation nodes: their shape, and that walking through them finds the forces."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dyverse.contact.graph import CompleteGraph
from dyverse.expr.printing import formula_text, term_text
from dyverse.expr.value import holds, value
from dyverse.generation.skeleton.location import Kind, Node
from dyverse.generation.skeleton.names import signal_name
from dyverse.generation.skeleton.places import ForceNode
from dyverse.generation.skeleton.skeleton import RigidEdge, Skeleton

Array = NDArray[np.float64]
ONE = ("ball1-floor",)
TWO = ("ball1-ball2", "ball1-floor")


def skeleton(contacts: tuple[str, ...]) -> Skeleton:
    moving = tuple(body for body in ("ball1", "ball2") if body in " ".join(contacts))
    return Skeleton(contacts, CompleteGraph(contacts), moving=moving)


def jumps(contacts: tuple[str, ...], kind: Kind) -> list[tuple[str, str, str]]:
    whole = skeleton(contacts)
    edges = [
        edge
        for place in whole.node(kind, contacts).places()
        if place.place != "ex"
        for edge in whole.outgoing(place)
    ]
    assert all(isinstance(e.source, Node) and isinstance(e.target, Node) for e in edges)
    return [(str(e.source).split(".")[-1], str(e.target).split(".")[-1], e.rule) for e in edges]


def test_node_of_one_contact_is_the_one_of_figure_9() -> None:
    assert [p.place for p in ForceNode("impact", ONE, ()).places()] == ["en", *"12345", "ex"]
    assert jumps(ONE, "impact") == [
        ("en", "1", "initial_guess"),
        ("1", "2", "normal_estimate"),
        ("2", "3", "normal_accepted"),
        ("2", "3", "normal_zero"),
        ("3", "4", "tangential_estimate"),
        ("4", "5", "tangential_inside"),
        ("4", "5", "tangential_rim"),
        ("5", "1", "repeat"),
        ("5", "ex", "converged"),
    ]


def test_contact_node_has_a_third_projection_for_slip() -> None:
    assert ("4", "5", "tangential_slip") in jumps(ONE, "contact")


@pytest.mark.parametrize("number", [1, 2, 3, 6])
def test_node_of_n_contacts_has_4n_plus_1_steps(number: int) -> None:
    contacts = tuple(f"a{i}-b" for i in range(number))
    places = list(ForceNode("impact", contacts, ()).places())
    assert len(places) == 4 * number + 3
    assert len(set(places)) == len(places)


def test_normals_come_before_tangentials() -> None:
    steps = [rule for _, _, rule in jumps(TWO, "impact") if rule.endswith("estimate")]
    assert steps == ["normal_estimate"] * 2 + ["tangential_estimate"] * 2


def test_impact_estimate_has_the_plus_sign() -> None:
    """With the minus printed in (A1) an approaching pair would be pulled together."""
    whole = skeleton(ONE)
    (edge,) = whole.outgoing(Node("impact", ONE, "1"))
    assert edge.reset[0].target == "phi_N[ball1,floor]"
    assert term_text(edge.reset[0].value) == (
        "-(B1[ball1-floor,ball1-floor] * lambda_T1[ball1,floor]"
        " + B2[ball1-floor,ball1-floor] * lambda_T2[ball1,floor]"
        " + (1 + restitution[ball1,floor]) * normal_speed[ball1,floor])"
        " / A[ball1-floor,ball1-floor]"
    )


def test_exit_changes_velocities_of_moving_bodies_only() -> None:
    whole = skeleton(TWO)
    exits = {kind: list(whole.outgoing(Node(kind, TWO, "9")))[-1] for kind in ("impact", "contact")}
    targets = [assignment.target for assignment in exits["impact"].reset]
    assert targets == [f"ball{i}.{c}{a}" for i in (1, 2) for c in "vw" for a in "xyz"]
    first = exits["contact"].reset[0]
    assert first.target == "acceleration[ball1.vx]"
    assert term_text(first.value).startswith(
        "minv_h[ball1.vx] + minv_W_N[ball1.vx,ball1,ball2] * lambda_N[ball1,ball2]"
    )
    only_ball1 = next(s for s in exits["impact"].reset if s.target == "ball2.vx")
    assert "floor" not in term_text(only_ball1.value)


def test_convergence_is_a_test_of_the_residual() -> None:
    again, done = skeleton(ONE).outgoing(Node("impact", ONE, "5"))
    assert formula_text(again.guard) == "residual[impact{ball1-floor}] > tolerance"
    assert formula_text(done.guard) == "residual[impact{ball1-floor}] <= tolerance"
    assert (again.action, done.action) == ("repeat", "converged")


# Walking through a node on numbers


def matrices(contacts: tuple[str, ...], D: Array) -> dict[str, float]:
    """The names of the Delassus blocks; D is ordered (N, T1, T2) per contact."""
    blocks = {"A": (0, 0), "B1": (0, 1), "B2": (0, 2)}
    blocks |= {f"C{i}{k}": (i, k) for i in (1, 2) for k in (1, 2)}
    return {
        f"{name}[{a},{b}]": float(D[3 * i + row, 3 * j + column])
        for name, (row, column) in blocks.items()
        for i, a in enumerate(contacts)
        for j, b in enumerate(contacts)
    }


def forces(contacts: tuple[str, ...], known: dict[str, float]) -> Array:
    names = ("lambda_N", "lambda_T1", "lambda_T2")
    return np.array([known[signal_name(name, c)] for c in contacts for name in names])


def residual(D: Array, drive: Array, x: Array, mu: float) -> float:
    """How far the forces are from solving the inclusion: distance of a proximal step."""
    worst = 0.0
    xi = D @ x + drive
    for j in range(0, len(x), 3):
        normal = max(0.0, x[j] - xi[j] / D[j, j])
        t = x[j + 1 : j + 3] - xi[j + 1 : j + 3] / max(D[j + 1, j + 1], D[j + 2, j + 2])
        size = float(np.hypot(*t))
        t = t if size <= mu * x[j] else mu * x[j] * t / size
        worst = max(worst, abs(normal - x[j]), float(np.hypot(*(t - x[j + 1 : j + 3]))))
    return worst


def walk(whole: Skeleton, kind: Kind, known: dict[str, float], D: Array, drive: Array) -> int:
    """From entrance to exit along the one enabled edge; returns the number of sweeps."""
    contacts = whole.contacts
    place, sweeps = Node(kind, contacts, "en"), 0
    while place.place != "ex":
        if place.place == str(4 * len(contacts) + 1):
            x = forces(contacts, known)
            known[f"residual[{place.name}]"] = residual(D, drive, x, known["mu"])
            sweeps += 1
        edges: list[RigidEdge] = [e for e in whole.outgoing(place) if holds(e.guard, known)]
        assert len(edges) == 1
        skip = edges[0].rule == "converged"
        new = {} if skip else {a.target: value(a.value, known) for a in edges[0].reset}
        known |= new
        assert isinstance(edges[0].target, Node)
        place = edges[0].target
        assert sweeps < 5000
    return sweeps


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), e=st.floats(0, 1), mu=st.floats(0, 0.8))
def test_walking_through_an_impact_node_solves_the_impact(seed: int, e: float, mu: float) -> None:
    """Newton and Coulomb: Λ_N ≥ 0, ξ_N ≥ 0, Λ_N ξ_N = 0; ‖Λ_T‖ ≤ μ Λ_N, against ξ_T on the rim."""
    rng = np.random.default_rng(seed)
    whole = skeleton(TWO)
    W = rng.normal(size=(6, 12))
    D = W @ W.T + 4 * np.eye(6)
    before = rng.normal(size=6)
    before[[0, 3]] = -abs(before[[0, 3]])
    drive = before * np.array([1 + e, 1, 1] * 2)
    known = matrices(TWO, D) | {"tolerance": 1e-11, "mu": mu}
    for j, contact in enumerate(TWO):
        row = dict(zip(("normal_speed", "slip_1", "slip_2"), before[3 * j :], strict=False))
        row |= {"restitution": e, "tangential_restitution": 0.0, "friction": mu}
        known |= {signal_name(name, contact): float(v) for name, v in row.items()}
    assert walk(whole, "impact", known, D, drive) >= 1
    x = forces(TWO, known)
    xi = D @ x + drive
    for j in (0, 3):
        assert x[j] >= 0
        assert xi[j] >= -1e-9
        assert abs(x[j] * xi[j]) < 1e-9
        t, slip = x[j + 1 : j + 3], xi[j + 1 : j + 3]
        assert np.hypot(*t) <= mu * x[j] + 1e-9
        assert float(t @ slip) == pytest.approx(-mu * x[j] * float(np.hypot(*slip)), abs=1e-8)


@pytest.mark.parametrize(
    ("slip", "push", "expected"),
    [
        ((0.0, 0.0), (-1.0, 0.0), (9.81, 1.0, 0.0)),  # sticks
        ((0.0, 0.0), (-9.0, 0.0), (9.81, 0.5 * 9.81, 0.0)),  # begins to slip
        ((3.0, 4.0), (-9.0, 0.0), (9.81, -0.5 * 9.81 * 0.6, -0.5 * 9.81 * 0.8)),  # slips
    ],
)
def test_walking_through_a_contact_node(
    slip: tuple[float, float], push: tuple[float, float], expected: tuple[float, float, float]
) -> None:
    """A unit mass on a plane with μ = 0.5: the force that holds, limits or opposes it."""
    known = matrices(ONE, np.eye(3)) | {"tolerance": 1e-12, "mu": 0.5}
    row = {"free_normal": -9.81, "free_slip_1": push[0], "free_slip_2": push[1], "friction": 0.5}
    row |= {"slip_1": slip[0], "slip_2": slip[1], "slip_speed": float(np.hypot(*slip))}
    known |= {signal_name(name, ONE[0]): v for name, v in row.items()}
    drive = np.array([-9.81, *push])
    if row["slip_speed"] > 0:
        known["tolerance"] = 1e9  # the residual of this test is the one of a contact at rest
    walk(skeleton(ONE), "contact", known, np.eye(3), drive)
    assert forces(ONE, known) == pytest.approx(expected, abs=1e-10)


def test_node_of_many_contacts_can_be_printed() -> None:
    contacts = tuple(f"a{i}-b" for i in range(190))
    whole = Skeleton(contacts, CompleteGraph(contacts))
    (edge,) = whole.outgoing(Node("impact", contacts, "1"))
    assert term_text(edge.reset[0].value).count("lambda") == 189 + 380
