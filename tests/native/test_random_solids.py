"""All engines on random scenes of solids: thrown onto floors that stand still or are moved."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from dyverse.automaton.run import Run
from dyverse.bodies.build import (
    box,
    capsule,
    compound,
    contact_all,
    cylinder,
    disc,
    ellipsoid,
    no_contact,
    part,
    plane,
    point,
    polyhedron,
    sphere,
    world,
)
from dyverse.bodies.gather import Part
from dyverse.bodies.shape.solid import Given
from dyverse.bodies.world import Body, World
from dyverse.flow.follow import Options as FollowOptions
from dyverse.flow.step import Accuracy
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.native.engine import Options, simulate_native
from dyverse.simulation.simulate import Options as ReferenceOptions
from dyverse.simulation.simulate import simulate
from tests import scenes
from tests.native.comparing import first_difference

CERTAIN = 12  # events: after many, chaos makes runs differ
SOLIDS = (
    "box", "ellipsoid", "capsule", "cylinder", "disc", "polyhedron", "point", "sphere", "parts"
)  # fmt: skip
LONG = ("box", "capsule", "polyhedron")  # and what touches its own kind
OVAL = ("ellipsoid", "capsule")  # and the same
ROUND = ("sphere", "point")  # what touches everything else


def solid(kind: str, name: str, rng: np.random.Generator, x: float) -> Body:
    """A body of some kind, thrown and turned somehow."""
    given: Given = {
        "mass": float(rng.uniform(0.3, 3)),
        "position": (x, float(rng.uniform(0.4, 0.9)), float(rng.uniform(-0.1, 0.1))),
        "velocity": tuple(rng.normal(size=3)),
        "spin": tuple(3 * rng.normal(size=3)),
        "rotation": tuple(rng.uniform(-1, 1, 3)),
    }
    a, b, c = map(float, rng.uniform(0.1, 0.2, 3))
    match kind:
        case "box":
            return box(name, size=(a, b, c), **given)
        case "ellipsoid":
            return ellipsoid(name, axes=(a, b, c), **given)
        case "capsule":
            return capsule(name, radius=a / 2, length=b, **given)
        case "cylinder":
            return cylinder(name, radius=a / 2, length=b, **given)
        case "disc":
            return disc(name, radius=a, rounding=b / 10, **given)
        case "polyhedron":
            corners = ((-3, -1, -1), (-3, -1, 1), (1, -1, 0), (5, 3, 0))  # about the centre of mass
            places = [(a * x / 2, b * y / 2, c * z) for x, y, z in corners]
            return polyhedron(name, vertices=places, **given)
        case "point":
            return point(name, **given)
        case "sphere":
            return sphere(name, radius=a, **given)
        case _:
            own = (part(sphere("head", radius=a), at=(0, b, 0)), part(point("tip"), at=(c, -b, 0)))
            given["inertia"] = (0.02, 0.03, 0.025, 0.004, -0.003, 0.002)
            return compound(name, *own, **given)


def scene(seed: int) -> World:
    """One to three solids over a floor, and perhaps a fixed block that balls can hit."""
    rng = np.random.default_rng(seed)
    shaking = ("0.1*sin(5*t)", "0.02*sin(20*t)", 0)
    moves = shaking if rng.random() < 0.3 else None
    bodies = [plane("floor", normal=(0.1, 1, 0), moves=moves)]
    kinds = ["plane"]
    if rng.random() < 0.3:
        bodies.append(
            box("step", size=(0.4, 0.3, 2), position=(0.3, 0, 0), rotation=(0, 0, 0.3), fixed=True)
        )
        kinds.append("box")
    for i in range(int(rng.integers(1, 4))):
        kinds.append(str(rng.choice(SOLIDS)))
        bodies.append(solid(kinds[-1], f"b{i}", rng, 0.7 * i - 0.7))
    strange = [
        no_contact(one.name, other.name)
        for (one, first), (other, second) in combinations(zip(bodies, kinds, strict=True), 2)
        if not _can_touch(first, second) and not (one.fixed and other.fixed)
    ]
    e, mu = float(rng.choice([0.0, 0.3, 0.5, 0.9])), float(rng.choice([0.0, 0.1, 0.3, 1.0]))
    parts: list[Part] = [*bodies, *strange]
    return world(*parts, contact_all(restitution=e, friction=mu), gravity=scenes.DOWN)


def _can_touch(a: str, b: str) -> bool:
    if "plane" in (a, b):
        return True
    return a in ROUND or b in ROUND or any({a, b} <= {*kinds} for kinds in (LONG, OVAL))


def check(seed: int, *solvers: str) -> None:
    """Up to where a face lands on the floor at once: four impulses with friction are not unique."""
    automaton = generate(scene(seed))
    native = simulate_native(automaton, until=0.6, options=Options(max_events=CERTAIN))
    lands = (e.time for e in native.events if e.kind == "impact" and len(e.contacts) > 2)
    until = min(lands, default=0.6 + 1e-4) - 1e-4
    native = simulate_native(automaton, until=until, options=Options(max_events=CERTAIN))
    for solver in solvers:
        options = ReferenceOptions(solver=solver, max_events=CERTAIN)
        runs = native, simulate(automaton, until=until, options=options)
        assert runs[0].stop is runs[1].stop
        assert first_difference(*runs) is None
        if runs[0].end.values != pytest.approx(runs[1].end.values, abs=1e-6):
            runs = finer(automaton, until, solver)
        assert runs[0].end.values == pytest.approx(runs[1].end.values, abs=1e-6)


def finer(automaton: RigidBodyAutomaton, until: float, solver: str) -> tuple[Run, Run]:
    """Both runs with a thousandth of the tolerance: impacts that graze make errors grow."""
    fine = FollowOptions(accuracy=Accuracy(relative=1e-13, absolute=1e-15))
    native = Options(max_events=CERTAIN, relative=1e-13, absolute=1e-15)
    other = ReferenceOptions(solver=solver, max_events=CERTAIN, follow=fine)
    return (
        simulate_native(automaton, until=until, options=native),
        simulate(automaton, until=until, options=other),
    )


@pytest.mark.parametrize("seed", range(15))
def test_all_engines_tell_the_same_story(seed: int) -> None:
    check(seed, "reference", "cvode")


@pytest.mark.parametrize("seed", [38, 58, 146])
def test_both_engines_tell_the_same_story(seed: int) -> None:
    check(seed, "reference")


@pytest.mark.long
@pytest.mark.parametrize("seed", [*range(15, 30), *range(100, 400)])
def test_both_engines_tell_the_same_story_three_hundred_times(seed: int) -> None:
    check(seed, "reference")
