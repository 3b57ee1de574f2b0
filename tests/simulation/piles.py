"""Balls that fall into a box."""

from __future__ import annotations

import numpy as np

from dyverse.bodies.build import contact_all, plane, sphere, world
from dyverse.bodies.world import World

RADIUS = 0.1  # m


def pile(balls: int, *, seed: int = 0, half: float = 0.35) -> World:
    """Balls of 1 kg at random above the floor of a box, ``half`` as wide; e = 0.5, μ = 0.3."""
    random, places = np.random.default_rng(seed), list[np.ndarray]()
    room = half - RADIUS
    while len(places) < balls:
        top = RADIUS + 0.1 * len(places) + 0.3
        place = random.uniform((-room, RADIUS, -room), (room, top, room))
        if all(np.linalg.norm(place - other) > 2 * RADIUS + 1e-3 for other in places):
            places.append(place)
    walls = [
        plane(
            f"{axis}{side}",
            normal=tuple(-s * (a == axis) for a in "xyz"),
            position=tuple(s * half * (a == axis) for a in "xyz"),
        )
        for axis in "xz"
        for side, s in (("low", -1.0), ("high", 1.0))
    ]
    spheres = [
        sphere(f"b{i}", radius=RADIUS, mass=1, position=tuple(place.tolist()))
        for i, place in enumerate(places)
    ]
    return world(
        *spheres,
        plane("floor", normal=(0, 1, 0)),
        *walls,
        contact_all(restitution=0.5, friction=0.3),
        gravity=(0, -9.81, 0),
    )
