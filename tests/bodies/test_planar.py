"""Scenes in planes as they are written: text, Python, what cannot be."""

import pytest

from dyverse import parse_world
from dyverse.bodies.build import no_contact, plane, sphere, world
from dyverse.bodies.describe import world_text
from dyverse.bodies.scene import scene
from dyverse.errors import ModelError, ParseError

BALL = "body a { sphere radius 1  mass 1 }\n"


def test_planes_are_across_z_unless_it_is_said() -> None:
    assert parse_world(f"planar\n{BALL}").planar == 2
    assert parse_world(f"planar (0, 0, 1)\n{BALL}").planar == 2
    assert parse_world(f"planar (0, -2, 0)\n{BALL}").planar == 1
    assert parse_world(BALL).planar is None


@pytest.mark.parametrize("line", ["planar", "planar (1, 0, 0)", "planar (0, 1, 0)"])
def test_a_world_is_described_as_it_was_written(line: str) -> None:
    own = parse_world(f"{line}\n{BALL}")
    assert world_text(own).splitlines()[0] == line
    assert parse_world(world_text(own)) == own


def test_python_says_the_same() -> None:
    ball = sphere("a", radius=1, mass=1)
    assert world(ball, planar=True) == parse_world(f"planar\n{BALL}")
    assert world(ball, planar=(0, 1, 0)) == parse_world(f"planar (0, 1, 0)\n{BALL}")
    assert world(ball) == parse_world(BALL)
    with pytest.raises(ModelError, match="planes are across an axis"):
        world(ball, planar=(1, 1, 0))


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (f"planar (1, 1, 0)\n{BALL}", r":1:9: planes are across an axis"),
        (f"planar (0, 0, 0)\n{BALL}", r":1:9: planes are across an axis"),
        (f"parameter p = 1\nplanar (0, p, 0)\n{BALL}", r":2:9: planes are across an axis"),
        (f"planar (0, 1)\n{BALL}", r":1:9: planar needs three components"),
        (f"planar\nplanar\n{BALL}", r":2:1: 'planar' is given twice"),
        (
            "planar\nbody a { sphere radius 1  mass 1  velocity (1, 0, 2) }",
            r":2:51: the velocity of body 'a' leaves its plane by 2",
        ),
        (
            "parameter w = 3\nplanar\nbody a { sphere radius 1  mass 1  spin (w, 0, 2) }",
            r":3:41: the spin of body 'a' leaves its plane by 3",
        ),
        (
            "planar (0, 1, 0)\nbody a { sphere radius 1  mass 1  spin (0, 0, 2) }",
            r":2:47: the spin of body 'a' leaves its plane by 2",
        ),
        (
            f"planar\n{BALL}body floor {{ plane normal (0, 0, 1)  position (0, 0, -5) }}",
            r":3:28: in a planar scene nothing comes nearer to 'floor'",
        ),
        (f"planar now\n{BALL}", r":1:8: unknown statement 'now'"),
    ],
)
def test_what_cannot_be_is_told_where_it_is(text: str, match: str) -> None:
    with pytest.raises((ModelError, ParseError), match=match):
        parse_world(text)


def test_a_floor_that_all_move_along_may_be_there_if_nothing_touches_it() -> None:
    ball, floor = sphere("a", radius=1, mass=1), plane("floor", normal=(0, 0, 1))
    own = world(ball, floor, no_contact("a", "floor"), planar=True)
    assert len(scene(own).contacts) == 0


def test_signals_name_the_corners_that_are_there() -> None:
    box = "planar\nbody a { box size (1, 1, 1)  mass 1  position (0, 2, 0) }\n"
    more = "body b { box size (1, 1, 1)  mass 1  position (3, 2, 0) }\n"
    floor = "body floor { plane normal (0, 1, 0) }\n"
    parse_world(box + floor + "property up: always gap[a.corner4,floor] > 0 until 1")
    with pytest.raises(ModelError, match="body 'a' has no feature 'corner5' there"):
        parse_world(box + floor + "property up: always gap[a.corner5,floor] > 0 until 1")
    parse_world(box + more + "property off: always gap[a.corner1,b] > 0 until 1")
    with pytest.raises(ModelError, match="'corner5' there"):
        parse_world(box + more + "property off: always gap[a.corner5,b] > 0 until 1")
    with pytest.raises(ModelError, match="'edge_x1' there"):
        parse_world(box + more + "property off: always gap[a.edge_x1,b.edge_y1] > 0 until 1")
    leaning = floor.replace("(0, 1, 0)", "(0, 1, 0.1)")
    parse_world(box + leaning + "property up: always gap[a.corner5,floor] > 0 until 1")


@pytest.mark.parametrize(
    ("shapes", "count"),
    [
        ("body a { box size (1, 1, 1)  mass 1 }", 4),
        ("body a { box size (1, 1, 1)  mass 1  rotation (0, 0, 1) }", 4),
        ("body a { box size (1, 1, 1)  mass 1  rotation (1, 0, 0) }", 8),
        ("body a { capsule radius 0.1  length 1  mass 1 }", 1),
        ("body a { capsule radius 0.1  length 1  mass 1  rotation (0, 1, 0) }", 2),
        ("body a { cylinder radius 0.1  length 1  mass 1 }", 5),
        (
            "body a { mass 1  inertia (1, 1, 1)  part low { box size (1, 1, 1) }"
            "  part high { box size (1, 1, 1)  at (0, 1, 0)  rotation (1, 0, 0) } }",
            12,
        ),
        (
            "body a { polyhedron vertices (0, 1, 1) (0, 1, -1) (1, -1, 1) (1, -1, -1)"
            " (-1, -1, 1) (-1, -1, -1)  mass 1  inertia 1 }",
            3,
        ),
    ],
)
def test_corners_behind_others_are_no_contacts(shapes: str, count: int) -> None:
    text = f"planar\n{shapes}\nbody floor {{ plane normal (0, 1, 0)  position (0, -9, 0) }}"
    found = scene(parse_world(text)).contacts
    assert len(found) == count
    assert {pair.name for pair in found} <= {
        pair.name for pair in scene(parse_world(text.replace("planar\n", ""))).contacts
    }


def test_starts_out_of_the_plane_cannot_be_set() -> None:
    own = parse_world(f"planar\n{BALL}")
    placed = scene(own, {"a.x": 1.0, "a.z": 2.0, "a.vy": 3.0, "a.wz": 4.0, "a.rz": 5.0}).body("a")
    assert (placed.position, placed.velocity, placed.spin) == ((1, 0, 2), (0, 3, 0), (0, 0, 4))
    for name in ("a.vz", "a.wx", "a.ry"):
        with pytest.raises(ModelError, match=f"cannot set '{name}': unknown name"):
            scene(own, {name: 1.0})


def test_what_is_fixed_or_moved_is_in_no_plane() -> None:
    moved = "body b { sphere radius 1  moves (9, 0, sin(t)) }"
    own = parse_world(f"planar\n{BALL}{moved}")
    assert [body.across for body in own.bodies] == [2, None]
