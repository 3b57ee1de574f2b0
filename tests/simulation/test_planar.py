"""Bodies that are kept in planes: the same motion where it would stay there, in all engines.

What is out of the plane does nothing: it is taken up by guides.
"""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse import Options, Run, generate, parse_model, parse_world, sensitivities, simulate
from dyverse.errors import ModelError
from dyverse.generation.parts import parts_of
from dyverse.native.many import simulate_many
from dyverse.session.session import open_session

ENGINES = pytest.mark.parametrize("solver", ["reference", "cvode", "native"])
DOWN = "gravity (0, -9.81, 0)"
BALLS = f"""{DOWN}
body a {{ sphere radius 0.1  mass 1  position (0, 0.5, 0)  velocity (1, 0, 0)  spin (0, 0, 5) }}
body b {{ sphere radius 0.2  mass 2  position (1, 0.4, 0)  velocity (-1, 1, 0) }}
body floor {{ plane normal (0, 1, 0) }}
body wall {{ plane normal (1, 0.2, 0)  position (-1, 0, 0) }}
contact all {{ restitution 0.6  friction 0.3 }}
"""
INCLINE = f"""{DOWN}
body a {{ sphere radius 0.1  mass 1  position (0, 0.1, 0)  velocity (1, 0, 0)  spin (0, 0, 5) }}
body slope {{ plane normal (0.3, 1, 0)  position (0, -0.05, 0) }}
contact all {{ restitution 0.4  friction 0.2  rolling 0.001 }}
"""
PENDULUM = f"""{DOWN}
body frame {{ point  fixed }}
body upper {{ box size (1, 0.1, 0.1)  mass 2  position (0.5, 0, 0) }}
body lower {{ box size (0.1, 1, 0.1)  mass 1  position (1, -0.5, 0) }}
joint hang {{ revolute upper frame  at (0, 0, 0)  axis (0, 0, 1) }}
joint elbow {{
  revolute upper lower  at (1, 0, 0)  axis (0, 0, 1)  limits [-2, 0.5]  restitution 0.5
}}
contact all off
"""
FOUR_BAR = f"""{DOWN}
body base {{ point  fixed }}
body crank {{
  box size (1, 0.1, 0.1)  mass 1  position (0.5, 0, 0)  velocity (0, 0.5, 0)  spin (0, 0, 1)
}}
body rod {{ box size (0.1, 1, 0.1)  mass 1  position (1, 0.5, 0)  velocity (0, 1, 0) }}
body rocker {{
  box size (1, 0.1, 0.1)  mass 1  position (0.5, 1, 0)  velocity (0, 0.5, 0)  spin (0, 0, 1)
}}
joint a {{ revolute base crank  at (0, 0, 0)  axis (0, 0, 1) }}
joint b {{ revolute crank rod  at (1, 0, 0)  axis (0, 0, 1) }}
joint c {{ revolute rod rocker  at (1, 1, 0)  axis (0, 0, 1) }}
joint d {{ revolute rocker base  at (0, 1, 0)  axis (0, 0, 1)  friction 0.1 }}
contact all off
"""
SLIDER_CRANK = f"""{DOWN}
body base {{ point  fixed }}
body crank {{
  box size (0.4, 0.1, 0.1)  mass 1  position (0.2, 0, 0)  velocity (0, 1, 0)  spin (0, 0, 5)
}}
body rod {{
  box size (1, 0.1, 0.1)  mass 1  position (0.9, 0, 0)  velocity (0, 1, 0)  spin (0, 0, -2)
}}
body piston {{ box size (0.1, 0.1, 0.1)  mass 0.5  position (1.4, 0, 0) }}
joint main {{ revolute base crank  at (0, 0, 0)  axis (0, 0, 1) }}
joint big {{ revolute crank rod  at (0.4, 0, 0)  axis (0, 0, 1) }}
joint little {{ revolute rod piston  at (1.4, 0, 0)  axis (0, 0, 1) }}
joint bore {{ prismatic piston base  at (1.4, 0, 0)  axis (1, 0, 0) }}
contact all off
"""
SCENES = [BALLS, INCLINE, PENDULUM, FOUR_BAR, SLIDER_CRANK]
NAMES = ["balls", "incline", "pendulum", "four-bar", "slider-crank"]
Z = "(0, 0, 1)"
STRAY = """force a (0, 0, 7)
torque a (3, -2, 0)
input wind = 2*sin(5*t)
force b (0, 0, wind)
spring a (0, 1, 2) { stiffness 3  length 0.5  damping 0.1 }
"""


def planar(text: str, normal: str = "") -> str:
    return f"planar {normal}\n{text}"


def played(text: str, solver: str = "native", until: float = 2.0) -> Run:
    run = simulate(parse_model(text).automaton(), until=until, options=Options(solver=solver))
    assert run.stop == "horizon", run.message
    return run


def contacts_of(run: Run) -> tuple[str, ...]:
    bodies = parts_of(run.automaton).only_bodies
    assert bodies is not None
    return bodies.contacts


def told(run: Run) -> list[tuple[str, frozenset[str]]]:
    return [(event.kind, frozenset(event.contacts)) for event in run.events]


def along(text: str, axis: int) -> str:
    """The same scene with all components moved on, so that z is another axis."""

    def moved(found: re.Match[str]) -> str:
        parts = found[1].split(", ")
        return f"({', '.join(parts[(i - axis + 2) % 3] for i in range(3))})"

    return re.sub(r"\(([^()]*, [^()]*, [^()]*)\)", moved, text)


@ENGINES
@pytest.mark.parametrize("text", SCENES, ids=NAMES)
def test_motion_that_stays_in_its_plane_is_the_same_event_by_event(text: str, solver: str) -> None:
    until = 0.7 if text in (FOUR_BAR, SLIDER_CRANK) else 2.0  # they go round and round
    free, kept = played(text, solver, until), played(planar(text), solver, until)
    assert told(free) == told(kept)
    near = 1e-8 if solver == "cvode" else 1e-9  # as far as its steps are accurate
    assert [e.time for e in kept.events] == pytest.approx([e.time for e in free.events], abs=near)
    assert kept.final == pytest.approx(free.final, abs=near)


@ENGINES
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_what_leads_out_of_the_plane_does_nothing(axis: int, solver: str) -> None:
    text = along(BALLS + STRAY, axis)
    run = played(planar(text, along("(0, 0, 1)", axis)), solver)
    assert any(event.kind == "impact" for event in run.events)
    letters = "xyz"
    for body in "ab":
        turns = [f"{kind}{other}" for kind in "rw" for other in letters.replace(letters[axis], "")]
        for name in (letters[axis], f"v{letters[axis]}", *turns):
            _, values = run.signal(f"{body}.{name}")
            assert np.all(values == 0.0), name


@pytest.mark.parametrize("axis", [0, 1])
def test_planes_across_any_axis_are_the_same(axis: int) -> None:
    own, other = played(planar(INCLINE)), played(planar(along(INCLINE, axis), along(Z, axis)))
    assert [e.time for e in other.events] == pytest.approx([e.time for e in own.events], abs=1e-9)
    moved = dict(zip("xyz", ("xyz"[(i + axis - 2) % 3] for i in range(3)), strict=True))
    for name in ("x", "y", "vx", "rz", "wz"):
        there = f"a.{name[:-1]}{moved[name[-1]]}"
        assert other.final[there] == pytest.approx(own.final[f"a.{name}"], abs=1e-9)


@ENGINES
def test_balls_at_different_depths_touch_where_their_planes_are(solver: str) -> None:
    """Radii of 1 m, planes 1.2 m apart: seen from the front they meet at 1.6 m."""
    text = """planar
body a { sphere radius 1  mass 1  position (-2, 0, 0)  velocity (1, 0, 0) }
body b { sphere radius 1  mass 1  position (2, 0, 1.2) }
"""
    run = played(text, solver, until=4)
    assert run.times("impact") == pytest.approx([4 - 1.6], abs=1e-9)
    assert (run.final["a.vx"], run.final["b.vx"]) == pytest.approx((0, 1), abs=1e-12)
    assert (run.final["a.z"], run.final["b.z"]) == (0, 1.2)


@given(
    e=st.floats(0, 1),
    mu=st.floats(0, 1),
    vx=st.floats(-3, 3),
    spin=st.floats(-20, 20),
    depth=st.floats(-0.1, 0.1),
)
@settings(max_examples=15, deadline=None)
def test_energy_never_grows(e: float, mu: float, vx: float, spin: float, depth: float) -> None:
    text = f"""planar
{DOWN}
body a {{ sphere radius 0.2  mass 1  position (0, 0.5, {depth})  velocity ({vx}, 0, 0) }}
body b {{ sphere radius 0.1  mass 3  position (0.4, 0.3, 0)  spin (0, 0, {spin}) }}
body floor {{ plane normal (0, 1, 0.3) }}
contact all {{ restitution {e}  friction {mu} }}
"""
    automaton = parse_model(text).automaton()
    run = simulate(automaton, until=1.0, options=Options(max_events=60))
    _, energy = run.signal("energy")
    assert np.all(np.diff(energy) <= 1e-9 * max(energy[0], 1.0))


def test_sensitivities_are_those_of_the_runs_beside() -> None:
    text = planar("parameter push = 1\n" + BALLS + "force a (push, 0, push)")
    world, step = parse_world(text), 1e-6
    found = sensitivities(simulate(generate(world), until=0.6), ["push"])
    settings = ({"push": 1 - step}, {"push": 1 + step})
    low, high = (simulate(generate(world, one), until=0.6).final for one in settings)
    assert len(low) == len(found.final)
    for name, (row,) in zip(low, found.final, strict=True):
        assert row == pytest.approx((high[name] - low[name]) / (2 * step), abs=1e-4), name
        assert row == 0 or name.endswith(("x", "y", "rz", "wz"))


ROCKING = """
gravity (0, -9.81, 0)
body block {{ box size (0.2, 0.8, 0.3)  mass 2  position ({x}, {y}, 0)  rotation (0, 0, 0.1) }}
body floor {{ plane normal (0, 1, 0) }}
contact block floor {{ restitution 0  friction 10 }}
"""


def rocking() -> str:
    """On its left corner, of half sizes 0.1 and 0.4 m."""
    c, s = math.cos(0.1), math.sin(0.1)
    return ROCKING.format(x=0.1 * c - 0.4 * s, y=0.1 * s + 0.4 * c)


@ENGINES
def test_a_block_rocks_on_one_corner_after_the_other(solver: str) -> None:
    """ω⁺/ω⁻ = 1 - 3/2 sin² α with tan α = b/h, one corner at a time."""
    run = played(planar(rocking()), solver, until=0.5)
    assert set(contacts_of(run)) == {f"block.corner{i}-floor" for i in range(1, 5)}
    hit = next(event for event in run.events if event.kind == "impact")
    assert hit.contacts == ("block.corner2-floor",)
    times, spins = run.signal("block.wz")
    before, *_, after = spins[np.abs(times - hit.time) < 1e-12]
    ratio = 1 - 1.5 * math.sin(math.atan(0.1 / 0.4)) ** 2
    assert after / before == pytest.approx(ratio, abs=1e-8)


TUMBLING = f"""{DOWN}
body a {{
  box size (0.4, 0.2, 0.3)  mass 1  position (0, 1, 0)  rotation (0, 0, 0.3)
  velocity (1, 0, 0)  spin (0, 0, 7)
}}
body floor {{ plane normal (-0.1, 1, 0) }}
body wall {{ plane normal (-1, 0, 0)  position (1, 0, 0) }}
contact all {{ restitution 0.4  friction 0.3 }}
"""


@ENGINES
def test_a_box_tumbles_as_it_does_in_space_on_half_as_many_corners(solver: str) -> None:
    """Up to the first bounces that accumulate: how low the last one is depends on how many hit."""
    free, kept = played(TUMBLING, solver, until=0.73), played(planar(TUMBLING), solver, until=0.73)
    assert (len(contacts_of(free)), len(contacts_of(kept))) == (16, 8)
    front = [(e.kind, {name for name in e.contacts if _is_front(name)}) for e in free.events]
    assert len(front) > 4
    assert [(e.kind, set(e.contacts)) for e in kept.events] == front
    near = 1e-7 if solver == "cvode" else 1e-9
    assert [e.time for e in kept.events] == pytest.approx([e.time for e in free.events], abs=near)
    assert kept.final == pytest.approx(free.final, abs=10 * near)


def _is_front(contact: str) -> bool:
    return contact.split("-")[0].endswith(("1", "2", "3", "4"))


STACK = f"""{DOWN}
body low {{ box size (0.4, 0.2, 0.4)  mass 1  position (0, 0.1, 0) }}
body top {{ box size (0.3, 0.2, 0.1)  mass 1  position (0.05, 0.4, 0)  rotation (0, 0, 0.2) }}
body floor {{ plane normal (0, 1, 0) }}
contact all {{ restitution 0.2  friction 0.6 }}
"""


@pytest.mark.parametrize("solver", ["reference", "native"])
def test_boxes_in_a_plane_meet_by_their_corners_alone(solver: str) -> None:
    run = played(planar(STACK), solver, until=1.0)
    between = [name for name in contacts_of(run) if "low" in name and "top" in name]
    assert len(between) == 8
    assert run.final["top.y"] == pytest.approx(0.3, abs=1e-6)
    assert run.final["low.z"] == run.final["top.z"] == run.final["top.qx"] == 0


def test_a_block_that_lies_askew_in_its_plane_turns_about_the_normal() -> None:
    """A box on its edge; in its own axes z is the last row of R_y(0.7) R_x(0.5)."""
    text = """planar
body a { box size (0.4, 0.2, 0.3)  mass 1  rotation (0.5, 0.7, 0) }
torque a (3, 2, 1)
"""
    for solver in ("reference", "native"):
        run = played(text, solver, until=1.0)
        a, b, c = (x**2 / 12 for x in (0.4, 0.2, 0.3))
        axis = np.array(
            [-math.sin(0.7), math.sin(0.5) * math.cos(0.7), math.cos(0.5) * math.cos(0.7)]
        )
        moment = float(axis**2 @ [b + c, a + c, a + b])
        spin = np.array([run.final[f"a.s{i}"] for i in "xyz"])
        assert spin == pytest.approx(axis / moment, rel=1e-9)
        assert run.final["a.z"] == run.final["a.vz"] == 0


def test_what_is_set_by_hand_stays_in_its_plane() -> None:
    session = open_session(parse_model(planar(TUMBLING)))
    session.advance(0.1)
    session.place({"a.vx": 2.0, "a.z": 1.0})
    for name in ("a.vz", "a.sx", "a.qx"):
        with pytest.raises(ModelError, match="body 'a' leaves its plane across z"):
            session.place({name: 0.5})


def test_many_runs_and_sessions_are_the_same_run() -> None:
    text = planar(BALLS)
    run = played(text)
    many = simulate_many(parse_world(text), {"b.z": [0.0, 0.0]}, until=2.0)
    assert many.final[:, 0] == pytest.approx([run.final["a.x"]] * 2, abs=1e-9)
    session = open_session(parse_model(text))
    session.advance(0.7)
    session.advance(2.0)
    assert session.observe("a.x")["a.x"] == pytest.approx(run.final["a.x"], abs=1e-9)
