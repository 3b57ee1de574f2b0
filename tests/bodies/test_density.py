"""Masses from densities: what a body weighs is what its shapes hold."""

from math import pi

import pytest

from dyverse import ModelError, Options, parse_world, simulate, world_text
from dyverse.bodies.build import sphere, world
from dyverse.generation.automaton import generate

TETRAHEDRON = (
    "polyhedron vertices "
    "(0.75, -0.25, -0.25) (-0.25, 0.75, -0.25) (-0.25, -0.25, 0.75) (-0.25, -0.25, -0.25)"
)
HALVES = "part a { box size (1, 1, 1)  at (1, 0, 0) }  part b { box size (1, 1, 1)  at (-1, 0, 0) }"


@pytest.mark.parametrize(
    ("shape", "volume"),
    [
        ("sphere radius 0.5", pi / 6),
        ("box size (1, 2, 3)", 6.0),
        ("capsule radius 1 length 2", pi * (2 + 4 / 3)),
        ("cylinder radius 1 length 2", 2 * pi),
        ("ellipsoid axes (1, 2, 3)", 8 * pi),
        ("disc radius 1 rounding 0.1", pi * (0.2 + 0.01 * pi + 4e-3 / 3)),
        (TETRAHEDRON, 1 / 6),
        (HALVES, 2.0),
    ],
)
def test_a_body_weighs_what_its_shapes_hold(shape: str, volume: float) -> None:
    text = f"parameter d = 2\nbody b {{ {shape}  density d }}\n"
    given = f"body b {{ {shape}  mass {2 * volume!r} }}\n"
    one, other = (generate(parse_world(made)).scene.bodies[0] for made in (text, given))
    assert one.mass == pytest.approx(2 * volume, rel=1e-14)
    assert one.inertia == pytest.approx(other.inertia, rel=1e-14)


def test_a_density_is_printed_as_it_was_written() -> None:
    found = parse_world("body b { sphere radius 0.5  density 7800 }\n")
    assert "density 7800" in world_text(found)
    assert "mass" not in world_text(found)
    assert parse_world(world_text(found)) == found
    assert world(sphere("b", radius=0.5, density=7800)) == found


@pytest.mark.parametrize("solver", ["reference", "cvode", "native"])
def test_a_heavier_ball_pushes_a_lighter_one_of_the_same_size(solver: str) -> None:
    """e = 1: v₂⁺ = 2 ρ₁ v/(ρ₁ + ρ₂)."""
    text = """
    body a { sphere radius 0.1  density 3000  velocity (1, 0, 0) }
    body b { sphere radius 0.1  density 1000  position (0.5, 0, 0) }
    """
    run = simulate(generate(parse_world(text)), until=1.0, options=Options(solver=solver))
    assert run.signal("b.vx")[1][-1] == pytest.approx(1.5, abs=1e-9)


@pytest.mark.parametrize(
    ("entries", "what"),
    [
        ("sphere radius 1  mass 1  density 2", "has a mass and a density"),
        ("point  density 1", "a point has no volume"),
        ("part a { point }  density 1", "a point has no volume"),
        ("sphere radius 1  density -1", "the density of body 'b' is -1"),
        ("sphere radius 1  density 1 m", "'density' is in kg/m"),
        ("plane normal (0, 1, 0)  density 1", "a plane is fixed and has no density"),
        ("sphere radius 1  density 1  moves (t, 0, 0)", "is moved, whatever its density"),
    ],
)
def test_a_density_that_says_nothing_is_refused(entries: str, what: str) -> None:
    with pytest.raises(ModelError, match=what):
        parse_world(f"body b {{ {entries} }}\n")
