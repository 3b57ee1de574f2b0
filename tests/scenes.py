"""Rigid-body scenes with known answers, shared by the tests of several packages."""

from __future__ import annotations

import math

import numpy as np

from dyverse.automaton.interface import State
from dyverse.bodies.build import (
    contact_all,
    define,
    force,
    parameter,
    plane,
    sphere,
    spring,
    world,
)
from dyverse.bodies.gather import Part
from dyverse.bodies.world import World
from dyverse.generation.automaton import RigidBodyAutomaton

G = 9.81
DOWN = (0.0, -G, 0.0)


def drop(*, height: float = 20.0, e: float = 0.8, mu: float = 0.0, radius: float = 0.1) -> World:
    """A ball whose lowest point is ``height`` above the floor."""
    return world(
        sphere("ball", radius=radius, mass=1, position=(0, height + radius, 0)),
        plane("floor", normal=(0, 1, 0)),
        contact_all(restitution=e, friction=mu),
        gravity=DOWN,
    )


def bounces(count: int, *, height: float = 20.0, e: float = 0.8) -> list[float]:
    """Impacts at t₁ (1 + 2 Σ eⁱ), t₁ = √(2h/g)."""
    first = math.sqrt(2 * height / G)
    return [first * (1 + 2 * sum(e**i for i in range(1, n + 1))) for n in range(count)]


def slide(*, speed: float = 5.0, mu: object = 0.2, radius: float = 0.1, e: float = 0.0) -> World:
    """A ball set down on a floor with a speed and no spin."""
    return world(
        sphere("ball", radius=radius, mass=1, position=(0, radius, 0), velocity=(speed, 0, 0)),
        plane("floor", normal=(0, 1, 0)),
        contact_all(restitution=e, friction=mu),  # type: ignore[arg-type]
        gravity=DOWN,
    )


def incline(*, angle: float, mu: float) -> World:
    """A ball let go on a plane that rises by ``angle``, seen with the plane level."""
    return world(
        sphere("ball", radius=0.1, mass=1, position=(0, 0.1, 0)),
        plane("floor", normal=(0, 1, 0)),
        contact_all(restitution=0, friction=mu),
        gravity=(G * math.sin(angle), -G * math.cos(angle), 0),
    )


def stack(count: int = 2) -> World:
    """Balls on top of one another, at rest."""
    balls = [
        sphere(f"ball{i + 1}", radius=0.5, mass=1, position=(0, 0.5 + i, 0)) for i in range(count)
    ]
    floor = plane("floor", normal=(0, 1, 0))
    return world(*balls, floor, contact_all(restitution=0.5, friction=0.3), gravity=DOWN)


def interception_game() -> World:
    """The game of [navarro2018] §1.3 with the numbers of the design: K from 1 to 3."""
    return world(
        parameter("K", 2, limits=(1, 3)),
        sphere("ball1", radius=0.5, mass=1, position=(0, 3, 0), velocity=(1, 1, 0)),
        sphere("ball2", radius=0.5, mass=1, position=(1.5, 0, 0)),
        define("u1", "-K*(ball2.x - ball1.x)"),
        define("u2", "-100*ball2.y"),
        define("u3", "-100*(ball2.z - ball1.z)"),
        force("ball2", ("u1", "u2", "u3")),
        contact_all(restitution=0.8, friction=0.3),
        gravity=DOWN,
    )


def three_balls() -> World:
    """Two balls on springs and a third that hits both at once: supplement §9 of the paper."""
    return world(
        parameter("k", 1, limits=(1, 1.5)),
        sphere("ball1", radius=0.6, mass=1, position=(0, 2.66, 0), velocity=(0, -3, 0)),
        sphere("ball2", radius=0.6, mass=1, position=(-1.5, 0, 0)),
        sphere("ball3", radius=0.6, mass=1, position=(1.5, 0, 0)),
        spring("ball2", (0, 0, 0), stiffness="k"),
        spring("ball3", (0, 0, 0), stiffness="k"),
        contact_all(restitution=0.8, friction=0),
    )


def box(half: float = 2.0) -> list[Part]:
    """Six walls about the origin."""
    walls: list[Part] = []
    for axis, letter in enumerate("xyz"):
        for sign in (-1, 1):
            normal, place = [0.0] * 3, [0.0] * 3
            normal[axis], place[axis] = float(-sign), sign * half
            side = "low" if sign < 0 else "high"
            walls.append(plane(f"{side}_{letter}", normal=tuple(normal), position=tuple(place)))
    return walls


def momentum(
    automaton: RigidBodyAutomaton, state: State
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The total linear momentum (kg m/s)."""
    speeds = state.values[automaton.dynamics.layout.v]
    masses = np.array([[body.mass] for body in automaton.scene.moving])
    return np.asarray((masses * speeds.reshape(-1, 6)[:, :3]).sum(axis=0))
