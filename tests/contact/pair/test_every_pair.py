"""Every two shapes: a body that falls on another touches it, or `check` names the two of them."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from tests.contact.pair import distances
from tests.contact.pair.distances import Array, Solid, distance

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
    point,
    polyhedron,
    sphere,
    world,
)
from dyverse.bodies.shape.hull import inner_hull, rounding
from dyverse.bodies.shape.solid import Given
from dyverse.bodies.world import Body, World
from dyverse.errors import ModelError
from dyverse.expr import rotation
from dyverse.expr.rotation import from_angles, matrix, times
from dyverse.expr.value import NUMBERS
from dyverse.generation.automaton import generate
from dyverse.simulation.simulate import Options, simulate

SIZE = np.array([0.3, 0.2, 0.25])
TENT = ((-0.2, -0.1, -0.15), (0.25, -0.1, -0.1), (0.0, -0.1, 0.25), (0.02, 0.2, 0.0))
SHAPES = (
    "sphere", "point", "ellipsoid", "capsule", "box", "polyhedron", "cylinder", "disc", "plane",
)  # fmt: skip
EDGED = ("box", "capsule", "polyhedron")
ROUND = ("sphere", "point")
THINNER = 3e-8  # m: what lines are thinner than edges of bodies of this size
UNKNOWN = {
    frozenset(pair)
    for pair in combinations_with_replacement(SHAPES, 2)
    if not {"plane", *ROUND} & set(pair)
    and not any(set(pair) <= known for known in (set(EDGED), {"ellipsoid", "capsule"}))
}
KINDS = ("fixed", "moved", "part", "turned part")
AT, TURN = (0.03, -0.02, 0.04), (0.5, -0.4, 0.3)
LIES = (0.4, 0.7, -0.3)


def body(shape: str, name: str, given: Given) -> Body:
    match shape:
        case "sphere":
            return sphere(name, radius=0.2, **given)
        case "point":
            return point(name, **given)
        case "ellipsoid":
            return ellipsoid(name, axes=SIZE.tolist(), **given)
        case "capsule":
            return capsule(name, radius=0.1, length=0.4, **given)
        case "box":
            return box(name, size=SIZE.tolist(), **given)
        case "polyhedron":
            return polyhedron(name, vertices=TENT, **given)
        case "cylinder":
            return cylinder(name, radius=0.15, length=0.3, **given)
        case "disc":
            return disc(name, radius=0.2, rounding=0.03, **given)
        case _:
            return plane(name, normal=(0, 1, 0))


def solid(shape: str, *, edged: bool) -> Solid:
    """The same in another way; what has edges is rounded where it meets such."""
    ends = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    match shape:
        case "sphere" | "point":
            return Solid(lambda way: np.zeros(3), 0.2 if shape == "sphere" else 0.0)
        case "ellipsoid":
            return Solid(distances.ellipsoid(SIZE))
        case "capsule":
            return Solid(lambda way: np.array([0, 0, 0.2 if way[2] > 0 else -0.2]), 0.1)
        case "box":
            thick = 3e-3 / float((1 / SIZE).sum()) if edged else 0.0
            return Solid(distances.hull(ends * (SIZE / 2 - thick)), thick)
        case "polyhedron":
            thick = rounding(TENT) if edged else 0.0
            inner = inner_hull(TENT, thick)
            assert inner is not None
            return Solid(distances.hull(np.array(inner.points if edged else TENT)), thick)
        case "cylinder":
            return Solid(distances.cylinder(0.15, 0.15))
        case _:
            return Solid(distances.cylinder(0.2, 0.0), 0.03)


def scene(upper: str, lower: str, kind: str) -> World:
    """One falls on the other, which is fixed or moved, whole or a part, perhaps a turned one."""
    falls: Given = {"mass": 1, "position": (0, 0.9, 0), "rotation": LIES, "inertia": (1, 1, 1)}
    still: Given = {"moves": (0, "0.01*sin(5*t)", 0)} if kind == "moved" else {"fixed": True}
    if upper in ROUND:
        del falls["rotation"]
    return world(
        _made(upper, "upper", falls, kind),
        plane("lower", normal=(0, 1, 0), moves=still.get("moves"))
        if lower == "plane"
        else _made(lower, "lower", still, kind),
        contact_all(restitution=0.5, friction=0.3),
        gravity=(0.0 if {upper, lower} <= set(ROUND) else 0.3, -9.81, 0.0),
    )


def _made(shape: str, name: str, given: Given, kind: str) -> Body:
    if "part" not in kind:
        return body(shape, name, given)
    turn = TURN if kind == "turned part" else (0, 0, 0)
    return compound(name, part(body(shape, "one", {}), at=AT, rotation=turn), **given)


def placed(shape: Solid, kind: str, at: Array, lies: tuple[float, ...]) -> Solid:
    axes, offset = matrix(lies), np.zeros(3)
    if "part" in kind:
        offset = np.array(times(axes, AT))
    if kind == "turned part":
        axes = matrix(rotation.product(lies, from_angles(TURN, NUMBERS)))
    x, y, z = at + offset
    return Solid(shape.support, shape.rounding, (x, y, z), axes)


def check(upper: str, lower: str, kind: str) -> None:
    pair = frozenset((upper, lower))
    if pair in UNKNOWN:
        with pytest.raises(ModelError, match=f"an? {upper}.* and an? {lower}.* cannot touch yet"):
            generate(scene(upper, lower, kind))
        return
    run = simulate(generate(scene(upper, lower, kind)), until=1.0, options=Options(max_events=1))
    (event,) = run.events
    assert event.kind == "impact"
    seen = run.seen(run.at(event.time))
    lies = tuple(seen.get(f"upper.q{part}", float(part == "w")) for part in "wxyz")
    at = np.array([seen[f"upper.{axis}"] for axis in "xyz"])
    below = np.array([0, 0.01 * math.sin(5 * event.time) if kind == "moved" else 0.0, 0])
    edged = pair <= set(EDGED)
    first = placed(solid(upper, edged=edged), kind, at, lies)
    if lower == "plane":
        gap = first.farthest(np.array([0.0, -1, 0]))[1] - first.rounding - below[1]
    else:
        gap = distance(placed(solid(lower, edged=edged), kind, below, (1, 0, 0, 0)), first)
    assert abs(gap) <= (THINNER if edged else 0) + 1e-9


PAIRS = [pair for pair in product(SHAPES[:-1], SHAPES) if pair != ("point", "point")]
FEW = [(a, b) for a, b in PAIRS if SHAPES.index(a) <= SHAPES.index(b)]


@pytest.mark.parametrize(("upper", "lower"), FEW)
def test_a_body_touches_what_it_falls_on_or_checks_say_why_not(upper: str, lower: str) -> None:
    check(upper, lower, KINDS[FEW.index((upper, lower)) % len(KINDS)])


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("upper", "lower"), PAIRS)
def test_they_touch_however_they_are_held(upper: str, lower: str, kind: str) -> None:
    check(upper, lower, kind)
