"""A world with numbers put in: what simulation starts from.

Settings override parameters (those defined by them follow), give values to inputs without formula,
and move the start: ``{"K": 2.5, "u4": 1.0, "ball1.vx": 2.0}``. SI units. What is set may also be a
CasADi expression; whatever follows from it is one then, in the same places.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import islice, product
from types import MappingProxyType
from typing import Any

import numpy as np

from dyverse.bodies.check.resistance import resistance_problems
from dyverse.bodies.check.sanity import number_problems
from dyverse.bodies.check.structure import misplaced, misused
from dyverse.bodies.depth import hidden_depth
from dyverse.bodies.describe import describe
from dyverse.bodies.filling import Filling
from dyverse.bodies.pairs import Rules, neighbours
from dyverse.bodies.placed import PlacedBody, Scene
from dyverse.bodies.shape.compound import Compound
from dyverse.bodies.shape.interface import ROUNDING, Array, Assembled, Endless, Shape
from dyverse.bodies.shapes import Meeting, faces, meetings
from dyverse.bodies.values import setting_problems
from dyverse.bodies.world import Body, World
from dyverse.contact.pair.kinematics import Pair
from dyverse.errors import ModelError, Problem
from dyverse.expr.buffered import Buffered
from dyverse.expr.symbolic import EXPRESSIONS, SX
from dyverse.given import number_problem

NO_SETTINGS: Mapping[str, float] = MappingProxyType({})
LOPSIDED = 1e-6  # of the reach of a body, how far off its centre of mass may be
OVERLAP = 1e-9  # m; bodies that overlap by no more just touch
MOST_OVERLAPS = 1000  # pairs; so many are told, of a heap that has them by the million


def scene(world: World, settings: Mapping[str, float] = NO_SETTINGS) -> Scene:
    """Put numbers into ``world``, or say in one `ModelError` which of them cannot be."""
    problems = list(scene_problems(world, settings))
    if problems:
        raise ModelError(problems)
    try:
        return Filling(world, {name: float(x) for name, x in settings.items()}).scene()
    except (KeyError, TypeError):  # perhaps a world built by hand that no one has checked
        model = describe(world)
        if found := [*misplaced(model), *misused(model)]:
            raise ModelError(found) from None
        raise  # nothing is wrong with the world: it is ours


def scene_problems(world: World, settings: Mapping[str, float] = NO_SETTINGS) -> Iterator[Problem]:
    """Everything wrong with the numbers of ``world`` at these settings."""
    yield from setting_problems(world, settings)
    finite = {name: amount for name, amount in settings.items() if not number_problem(amount)}
    yield from number_problems(world, finite)
    yield from _strangers(world)
    yield from _lopsided(world, finite)
    yield from _overlaps(world, finite)
    yield from _without_length(world, finite)
    yield from resistance_problems(world)


def _without_length(world: World, settings: Mapping[str, float]) -> Iterator[Problem]:
    """Distances and ropes as long as their ends are apart, which is not at all."""
    if not any(joint.kind.word in ("distance", "rope") for joint in world.joints):
        return
    try:
        joints = Filling(world, settings).joints()
    except (KeyError, TypeError, ZeroDivisionError, OverflowError):
        return  # reported elsewhere
    for placed in joints:
        joint = placed.joint
        straight = joint.kind.word in ("distance", "rope") and joint.length is None
        if straight and placed.fitting.length == 0:
            message = f"joint {joint.name!r} has both of its ends in one place; give it a 'length'"
            rope = joint.kind.word == "rope"
            hint = ", the farthest they may be apart" if rope else ", or write 'spherical'"
            yield Problem(message + hint, joint.span)


def _lopsided(world: World, settings: Mapping[str, float]) -> Iterator[Problem]:
    """Bodies of parts whose inertia cannot be worked out about their position."""
    for body in world.bodies:
        if body.is_unmoved or body.inertia is not None or not isinstance(body.shape, Assembled):
            continue
        try:
            shape = body.shape.filled(Filling(world, settings))
            x, y, z = shape.centre if isinstance(shape, Assembled) else (0.0, 0.0, 0.0)
        except ZeroDivisionError:
            hint = "give it an inertia about its position"
            yield Problem(f"{_of_parts(body)} have no volume; {hint}", body.span)
            continue
        except (KeyError, TypeError, OverflowError):
            continue  # reported elsewhere
        if math.hypot(x, y, z) > LOPSIDED * shape.reach:
            hint = "move them so that it is at the body's position, or give an inertia about that"
            if not isinstance(body.shape, Compound):
                hint += "; 'centred' behind the name of a mesh moves them"
            place = f"({x:.6g}, {y:.6g}, {z:.6g})"
            what = f"the centre of mass of {_of_parts(body)} is at {place}"
            yield Problem(f"{what}; {hint}", body.span)


def _of_parts(body: Body) -> str:
    parts = "parts" if isinstance(body.shape, Compound) else "vertices"
    return f"the {parts} of body {body.name!r}"


def _strangers(world: World) -> Iterator[Problem]:
    """Bodies that may touch, and nobody knows how: one problem for every two kinds of shape."""
    kinds = {body.shape.kind: body.shape for body in world.bodies}
    unknown = {
        (a.kind, b.kind)
        for a, b in product(kinds.values(), repeat=2)
        if not meetings(faces(a), faces(b)) and not (a.never_moves and b.never_moves)
    }
    if not unknown:
        return
    for pair in neighbours(world):
        a, b = pair.a, pair.b
        if (a.shape.kind, b.shape.kind) in unknown:
            unknown -= {(a.shape.kind, b.shape.kind), (b.shape.kind, a.shape.kind)}
            one, other = _strange(a.shape, b.shape)
            what = f"{_one(one.word)} and {_one(other.word)} cannot touch yet"
            hint = f"write 'contact {a.name} {b.name} off' to let them pass"
            yield Problem(f"bodies {a.name!r} and {b.name!r}: {what}; {hint}", b.span)


def _strange(a: Shape[Any], b: Shape[Any]) -> tuple[Shape[Any], Shape[Any]]:
    """Shapes of two bodies, or of parts of them, of which nobody knows how they touch."""
    pairs = product(_solids(a), _solids(b))
    return next(((x, y) for x, y in pairs if not meetings(faces(x), faces(y))), (a, b))


def _solids(shape: Shape[Any]) -> list[Shape[Any]]:
    return [part.shape for part in shape.parts] if isinstance(shape, Compound) else [shape]


def _one(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def symbolic_scene(world: World, settings: Mapping[str, SX]) -> Scene:
    """Put expressions into ``world``; its numbers must have been checked by `scene`."""
    return Filling(world, settings, EXPRESSIONS).scene()


def _overlaps(world: World, settings: Mapping[str, float]) -> Iterator[Problem]:
    for i, j, depth in sorted(islice(_overlapping(world, settings), MOST_OVERLAPS)):
        a, b = world.bodies[i], world.bodies[j]
        message = f"bodies {a.name!r} and {b.name!r} overlap by {depth:.6g} m at the start"
        yield Problem(message, b.span)


def _overlapping(world: World, settings: Mapping[str, float]) -> Iterator[tuple[int, int, float]]:
    """Two bodies by number, and how deep they are in each other (m)."""
    filling, rules = Filling(world, settings), Rules(world)
    measures: dict[Pair, Buffered] = {}
    placed = [_try_to_place(body, filling) for body in world.bodies]
    for i, j in _near(placed):
        a, b, first, second = world.bodies[i], world.bodies[j], placed[i], placed[j]
        two = rules.pair(a, b)
        always = two is not None and two.when is None
        if first is None or second is None or not always:
            continue
        gap = min(-hidden_depth(first, second), _gap(first, second, measures))
        if gap < -OVERLAP and a.name != b.name:  # one name twice is reported as that
            yield i, j, -gap


def _near(placed: list[PlacedBody | None]) -> Iterator[tuple[int, int]]:
    """Bodies that may overlap, by number: balls around them do, or reach into what is endless."""
    found = [(i, body) for i, body in enumerate(placed) if body is not None]
    small = [(i, body) for i, body in found if body.shape.reach < math.inf]
    centres = np.array([body.position for _, body in small]).reshape(-1, 3)
    radii = np.array([body.shape.reach for _, body in small])
    for m, n in near_pairs(centres, radii):
        yield small[m][0], small[n][0]
    for i, body in found:
        if body.shape.reach == math.inf and isinstance(body.shape, Endless):
            near = (small[n][0] for n in body.shape.near(body.position, centres, radii))
            yield from ((min(i, j), max(i, j)) for j in near)


def near_pairs(centres: Array, radii: Array) -> Iterator[tuple[int, int]]:
    """Two by two, the balls that overlap or may by rounding; ``centres`` is (n, 3).

    They are swept along the axis over which they are spread most: only those that are side by side
    there are looked at.
    """
    if not len(radii):
        return
    along = centres[:, int(np.ptp(centres, axis=0).argmax())]
    order = np.argsort(along - radii)
    low, high = (along - radii)[order], (along + radii)[order]
    ends = np.searchsorted(low, high, side="right")
    for place, end in enumerate(ends.tolist()):
        one, others = order[place], order[place + 1 : end]
        reach = (radii[one] + radii[others]) * (1 + ROUNDING)
        apart = np.linalg.norm(centres[others] - centres[one], axis=1)
        for other in others[apart <= reach].tolist():
            yield (int(one), other) if one < other else (other, int(one))


def _try_to_place(body: Body, filling: Filling) -> PlacedBody | None:
    try:
        return filling.placed(body)
    except (KeyError, TypeError, ZeroDivisionError, OverflowError):
        return None  # an unknown name, a zero normal or a huge radius, reported elsewhere


def _gap(a: PlacedBody, b: PlacedBody, measures: dict[Pair, Buffered]) -> float:
    """Distance between two surfaces (m), negative where they overlap; zero if it is not known."""
    return min(
        (_one_gap(a, b, met, measures) for met in meetings(faces(a.shape), faces(b.shape))),
        default=0.0,
    )


def _one_gap(a: PlacedBody, b: PlacedBody, met: Meeting, measures: dict[Pair, Buffered]) -> float:
    if met.pair not in measures:
        measures[met.pair] = Buffered(met.pair.approach)
    first, second = (b, a) if met.swapped else (a, b)
    size = met.pair.body
    bodies = (*first.still[:size], *second.still[:size])
    gap, _ = measures[met.pair](np.array(bodies), np.array(met.numbers))
    return float(gap[0])
