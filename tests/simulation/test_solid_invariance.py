"""What holds of solids of every shape: no place or direction is special, and what impacts keep."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

from dyverse.automaton.run import Run
from dyverse.bodies.build import (
    box,
    capsule,
    compound,
    contact_all,
    cylinder,
    disc,
    ellipsoid,
    part,
    plane,
    polyhedron,
    sphere,
    world,
)
from dyverse.bodies.shape.solid import Given
from dyverse.bodies.world import Body
from dyverse.expr.rotation import from_angles, matrix
from dyverse.expr.value import NUMBERS
from dyverse.generation.automaton import generate
from dyverse.native.engine import simulate_native
from tests.bodies.test_parts import as_angles

Array = NDArray[np.float64]
VERTICES = ((-0.15, -0.05, -0.05), (-0.15, -0.05, 0.05), (0.05, -0.05, 0), (0.25, 0.15, 0))
SHAPES = ("box", "capsule", "cylinder", "disc", "ellipsoid", "parts", "polyhedron")


def solid(kind: str, given: Given) -> Body:
    match kind:
        case "box":
            return box("solid", size=(0.3, 0.2, 0.1), **given)
        case "capsule":
            return capsule("solid", radius=0.05, length=0.3, **given)
        case "cylinder":
            return cylinder("solid", radius=0.1, length=0.3, **given)
        case "disc":
            return disc("solid", radius=0.15, rounding=0.02, **given)
        case "ellipsoid":
            return ellipsoid("solid", axes=(0.15, 0.1, 0.05), **given)
        case "polyhedron":
            return polyhedron("solid", vertices=VERTICES, **given)
        case _:
            ends = [part(box(n, size=(0.1, 0.2, 0.05)), at=(x, 0, 0), rotation=(0.3, x, 0.2))
                    for n, x in (("a", -0.1), ("b", 0.1))]  # fmt: skip
            inertia = (0.02, 0.03, 0.025, 0.004, -0.003, 0.002)
            own: Given = {**given, "inertia": inertia}
            return compound("solid", *ends, **own)


def fallen(kind: str, turn: Array, shift: Array) -> tuple[Run, Array]:
    """A solid that falls onto a floor, all of it turned and shifted; where it is then."""
    lies: Array = np.array(matrix(from_angles((0.4, 0.5, 0.6), NUMBERS)))
    given: Given = {
        "mass": 1,
        "position": (turn @ [0, 0.5, 0] + shift).tolist(),
        "velocity": (turn @ [1, -1, 0.5]).tolist(),
        "spin": (turn @ [1, 2, 3]).tolist(),
        "rotation": as_angles((turn @ lies).tolist()),
    }
    floor = plane("floor", normal=(turn @ [0, 1, 0]).tolist(), position=shift.tolist())
    law = contact_all(restitution=0.4, friction=0.3)
    down = (turn @ [0, -9.81, 0]).tolist()
    run = simulate_native(generate(world(solid(kind, given), floor, law, gravity=down)), until=0.25)
    seen = run.automaton.observe(run.end)
    vectors = [[seen[f"solid.{c}"] for c in names] for names in (("x", "y", "z"), *SPEEDS)]
    vectors[0] = (np.array(vectors[0]) - shift).tolist()
    return run, np.array(vectors) @ turn


SPEEDS = (("vx", "vy", "vz"), ("wx", "wy", "wz"))


@pytest.mark.parametrize("kind", SHAPES)
def test_no_place_and_no_direction_is_special(kind: str) -> None:
    plain, here = fallen(kind, np.eye(3), np.zeros(3))
    turn: Array = np.array(matrix(from_angles((0.7, -0.4, 1.1), NUMBERS)))
    moved, there = fallen(kind, turn, np.array([3.0, -2.0, 1.0]))
    assert [(e.kind, e.contacts) for e in plain.events] == [
        (e.kind, e.contacts) for e in moved.events
    ]
    assert any(event.kind == "impact" for event in plain.events)
    assert there == pytest.approx(here, abs=1e-6)


def momenta(run: Run, state: Mapping[str, float]) -> Array:
    """Momentum and angular momentum of a solid and what hits it, about the origin."""
    total = np.zeros(6)
    for body in ("solid", "ball"):
        placed = run.automaton.scene.body(body)  # type: ignore[attr-defined]
        place, speed, spin = (
            np.array([state[f"{body}.{c}"] for c in names]) for names in ("xyz", *SPEEDS)
        )
        tensor = np.array(placed.inertia_matrix)
        if f"{body}.qw" in state:
            axes: Array = np.array(matrix([state[f"{body}.q{c}"] for c in "wxyz"]))
            tensor = axes @ tensor @ axes.T
        total[:3] += placed.mass * speed
        total[3:] += placed.mass * np.cross(place, speed) + tensor @ spin
    return total


def thrown(kind: str) -> Body:
    """A ball, or something long, that flies at a solid in the middle."""
    given: Given = {"mass": 0.5, "position": (1, 0.05, 0.02), "velocity": (-3, 0, 0)}
    given |= {"spin": (0, 5, 1), "rotation": (0.3, 0.2, 0.1)}
    match kind:
        case "ball":
            return sphere("ball", radius=0.1, **given)
        case "rod":
            return capsule("ball", radius=0.05, length=0.4, **given)
        case "egg":
            return ellipsoid("ball", axes=(0.1, 0.2, 0.15), **given)
        case "rock":
            return polyhedron("ball", vertices=VERTICES, **given)
        case _:
            return box("ball", size=(0.1, 0.3, 0.2), **given)


@pytest.mark.parametrize(
    ("kind", "other"),
    [
        *((kind, "ball") for kind in SHAPES),
        *((kind, other) for kind in ("box", "capsule", "parts") for other in ("rod", "block")),
        *(("polyhedron", other) for other in ("rod", "block", "rock")),
        *(("ellipsoid", other) for other in ("rod", "egg")),
    ],
)
def test_impacts_keep_momentum_and_make_no_energy(kind: str, other: str) -> None:
    given: Given = {"mass": 1, "spin": (1, 2, 3), "rotation": (0.4, 0.5, 0.6)}
    law = contact_all(restitution=0.7, friction=0.4)
    run = simulate_native(generate(world(solid(kind, given), thrown(other), law)), until=0.6)
    assert [event.kind for event in run.events][:1] == ["impact"]
    states = [run.automaton.observe(state) for arc in run.arcs for state in (arc.start, arc.end)]
    found = [momenta(run, state) for state in states]
    assert np.ptp(found, axis=0) == pytest.approx(np.zeros(6), abs=1e-7)
    energies = np.array([state["energy"] for state in states])
    assert np.diff(energies).max() < 1e-8
    assert energies[-1] < energies[0] - 0.01
