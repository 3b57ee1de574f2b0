"""Boxes and rods on each other: faces, edges that cross, and lines that are parallel."""

from __future__ import annotations

import math
import re

import pytest

from dyverse.bodies.build import box, capsule, contact_all, plane, world
from dyverse.bodies.gather import Part
from dyverse.bodies.read import parse_world
from dyverse.bodies.shape.box import Box
from dyverse.bodies.world import World
from dyverse.errors import ModelError
from dyverse.generation.automaton import generate
from tests.simulation.test_solid_closed_forms import DOWN, G, end_of, run_of

FLOOR = plane("floor", normal=(0, 1, 0))
ENGINES = ("native", "reference")


def scene(*parts: Part, restitution: float = 0.0, friction: float = 0.5) -> World:
    law = contact_all(restitution=restitution, friction=friction)
    return world(*parts, law, gravity=DOWN)


def block(name: str, size: tuple[float, float, float], place: tuple[float, float, float]) -> Part:
    return box(name, size=size, mass=1, position=place)


@pytest.mark.parametrize("solver", ENGINES)
def test_blocks_that_are_dropped_come_to_stand_on_each_other(solver: str) -> None:
    """Each on its own face, at the height of those below, which bear its weight, too."""
    low, high = block("low", (0.3, 0.2, 0.3), (0, 0.1, 0)), block("high", (0.2,) * 3, (0, 0.32, 0))
    run = run_of(scene(FLOOR, low, high), 0.3, solver)
    seen = end_of(run)
    assert (seen["low.y"], seen["high.y"]) == pytest.approx((0.1, 0.3), abs=1e-8)
    bottom = sum(v for k, v in seen.items() if re.match(r"normal_force\[floor", k))
    between = sum(v for k, v in seen.items() if re.match(r"normal_force\[low", k))
    assert (bottom, between) == pytest.approx((2 * G, G), rel=1e-7)


def test_blocks_of_one_size_stand_on_each_other() -> None:
    """All their corners and edges meet, and no edge pushes to the side."""
    size = (0.4, 0.2, 0.4)
    run = run_of(scene(FLOOR, block("a", size, (0, 0.1, 0)), block("b", size, (0, 0.3, 0))), 1.0,
                 "native")  # fmt: skip
    seen = end_of(run)
    assert [seen[f"b.{c}"] for c in "xyz"] == pytest.approx([0, 0.3, 0], abs=1e-8)
    assert {name for event in run.events for name in event.contacts if "edge" in name} == set()


@pytest.mark.parametrize("solver", ENGINES)
def test_planks_touch_where_their_edges_cross(solver: str) -> None:
    low = box("low", size=(0.1, 0.2, 1), position=(0, 0.1, 0), fixed=True)
    high = box("high", size=(1, 0.1, 0.1), mass=1, position=(0.01, 0.4, 0))
    run = run_of(scene(low, high, friction=0.5), 0.5, solver)
    crossing = {f"low.edge_z{i}-high.edge_x{j}" for i in (3, 4) for j in (1, 3)}
    assert {name for event in run.events for name in event.contacts} == crossing
    sag = 1e-4 * max(Box((0.1, 0.2, 1.0)).rounding, Box((1.0, 0.1, 0.1)).rounding)
    assert end_of(run)["high.y"] == pytest.approx(0.25, abs=sag)


def test_a_rod_lies_on_another_by_its_ends() -> None:
    log = capsule("log", radius=0.1, length=1, position=(0, 0.1, 0), fixed=True)
    rod = capsule("rod", radius=0.05, length=0.6, mass=1, position=(0, 0.4, 0.1))
    run = run_of(scene(log, rod), 0.6, "native")
    assert run.events[0].contacts == ("log-rod.end1", "log-rod.end2")
    assert run.events[0].time == pytest.approx(math.sqrt(2 * 0.15 / G), abs=1e-9)
    assert end_of(run)["rod.y"] == pytest.approx(0.25, abs=1e-8)


@pytest.mark.parametrize("turn", [0.0, 1e-3, 0.5])
def test_engines_agree_on_rods_that_are_nearly_parallel(turn: float) -> None:
    log = capsule("log", radius=0.1, length=1, position=(0, 0.1, 0), fixed=True)
    rod = capsule(
        "rod", radius=0.05, length=0.6, mass=1, position=(0.03, 0.4, 0.1), rotation=(0.1, turn, 0)
    )
    runs = [run_of(scene(log, rod), 0.19, solver) for solver in ENGINES]
    stories = [[(event.kind, event.contacts) for event in run.events] for run in runs]
    assert stories[0] == stories[1]
    assert runs[0].end.values == pytest.approx(runs[1].end.values, abs=1e-6)


TEXT = """\
body a { box size (1, 1, 1)  mass 1  position (0, 3, 0) }
body b { box size (1, 1, 1)  mass 1 }
property apart: always gap[a.corner1,b] > 0 and gap[a,b.corner2] > 0
property over: always gap[a.edge_x1,b.edge_z3] > 0
"""


def test_signals_name_corners_and_edges_of_both() -> None:
    assert len(generate(parse_world(TEXT)).contacts) == 160


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("gap[a,b]", "'a' touches 'b' at several points; write one, a.corner1"),
        ("gap[a.corner1,b.corner1]", "'a.corner1' and 'b.corner1' do not touch each other"),
        ("gap[a.edge1,b.edge_x1]", "body 'a' has no feature 'edge1' there; it touches by corner1"),
    ],
)
def test_what_does_not_touch_is_said(wrong: str, message: str) -> None:
    with pytest.raises(ModelError) as caught:
        parse_world(TEXT.replace("gap[a.corner1,b]", wrong))
    assert message in str(caught.value)
