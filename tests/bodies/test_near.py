"""Pairs that are near one another, against all pairs."""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dyverse.bodies.pairs import Rules, touching_pairs
from dyverse.bodies.read import parse_world
from dyverse.bodies.scene import near_pairs, scene, scene_problems
from dyverse.bodies.shape.half_space import HalfSpace
from dyverse.bodies.world import World
from dyverse.errors import ModelError


@given(st.integers(0, 9999))
def test_no_pair_that_overlaps_is_passed_over(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(0, 30))
    centres = random.normal(size=(n, 3)) * random.uniform(0.1, 5, size=3)
    radii = random.uniform(0.01, 1, size=n)
    found = list(near_pairs(centres, radii))
    expected = {
        (i, j)
        for i, j in combinations(range(n), 2)
        if math.dist(centres[i], centres[j]) <= radii[i] + radii[j]
    }
    assert len(found) == len(set(found))
    assert set(found) == expected


@given(st.integers(0, 9999))
def test_no_ball_in_a_wall_is_passed_over(seed: int) -> None:
    random = np.random.default_rng(seed)
    centres, radii = random.normal(size=(30, 3)), random.uniform(0.01, 1, size=30)
    point, normal = random.normal(size=3), random.normal(size=3)
    normal /= np.linalg.norm(normal)
    gaps = [float(np.dot(normal, centre - point)) for centre in centres]
    expected = [i for i, gap in enumerate(gaps) if gap <= radii[i]]
    x, y, z = normal.tolist()
    wall = HalfSpace((x, y, z))
    assert wall.near(tuple(point.tolist()), centres, radii) == expected


def test_bodies_are_not_looked_at_pair_by_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a million pairs of balls and walls, none of which is near."""
    looked: list[object] = []

    def look(*pair: object) -> float:
        looked.append(pair)
        return 1.0

    monkeypatch.setattr("dyverse.bodies.scene._gap", look)
    ball = "body b{0} {{ sphere radius 0.4 mass 1 position ({0}, 1, 0) }}\n"
    wall = "body w{0} {{ plane normal (0, 1, 0) position (0, -{0}, 0) }}\n"
    world = parse_world("".join(ball.format(i) + wall.format(i) for i in range(700)))
    assert not list(scene_problems(world))
    assert not looked


def test_of_a_heap_a_thousand_overlaps_are_told() -> None:
    (ball,) = parse_world("body b { sphere radius 0.4 mass 1 }").bodies
    heap = World(bodies=tuple(replace(ball, name=f"b{i}") for i in range(60)))
    told = [problem.message for problem in scene_problems(heap)]
    assert len(told) == 1000
    assert told[0] == "bodies 'b0' and 'b1' overlap by 0.8 m at the start"


@given(st.integers(0, 9999))
def test_pairs_are_counted_as_they_are_listed(seed: int) -> None:
    random = np.random.default_rng(seed)
    names = [f"b{i}" for i in range(int(random.integers(1, 6)))]
    fixed = {name for name in names if random.random() < 0.4}
    text = "body free { sphere radius 0.1 mass 1 position (0, 5, 0) }\n"
    for i, name in enumerate(names):
        still = " fixed" if name in fixed else ""
        text += f"body {name} {{ sphere radius 0.1 mass 1 position ({i}, 0, 0){still} }}\n"
    for a, b in combinations(names, 2):
        own = f"contact {a} {b} off\n", f"contact {b} {a} {{ friction 0 }}\n"
        text += "" if {a, b} <= fixed else random.choice(["", *own])
    text += random.choice(["", "contact all off\n"])
    world = parse_world(text)
    assert Rules(world).count() == len(list(touching_pairs(world)))


def heavy_on_light(mass: str) -> str:
    return (
        "body low { sphere radius 0.1 mass 1 position (0, 0.1, 0) }\n"
        f"body high {{ sphere radius 0.1 mass {mass} position (0, 0.4, 0) }}\n"
        "body floor { plane normal (0, 1, 0) }\n"
    )


def test_masses_that_differ_too_much_are_refused_where_bodies_may_touch() -> None:
    """On a light body a much heavier one would sink: its motion is behind the last digit."""
    message = r"masses of 'low' and 'high' differ by a factor of 1e\+12.*let 'high' be fixed"
    with pytest.raises(ModelError, match=message):
        scene(parse_world(heavy_on_light("1e12")))
    scene(parse_world(heavy_on_light("1e8")))
    scene(parse_world(heavy_on_light("1e12") + "contact low high off"))
