"""Mechanisms against closed forms, other ways to write them, and independent integrations."""

from __future__ import annotations

import math
from collections.abc import Callable

import casadi as ca
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from dyverse.automaton.interface import Array
from dyverse.automaton.run import Run, Stop
from dyverse.errors import ModelError
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.generation.model import parse_model
from dyverse.generation.skeleton.location import FREE_FLIGHT
from dyverse.generation.symbolic.bodies import SymbolicBodies
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate

G = 9.81
DOWN = f"gravity (0, -{G}, 0)\n"
SOLVERS = ("native", "reference", "cvode")
FRAME = "body frame { point  fixed }\ncontact all off\n"


def followed(
    text: str, until: float, solvers: tuple[str, ...] = SOLVERS
) -> tuple[dict[str, float], Run]:
    """The last state of a run by name, with all signals; the engines agree on it."""
    automaton = automaton_of(text)
    runs = [simulate(automaton, until=until, options=Options(solver=s)) for s in solvers]
    assert [run.solver for run in runs] == list(solvers)
    for run in runs[1:]:
        assert run.end.values == pytest.approx(runs[0].end.values, abs=1e-7)
        assert [event.kind for event in run.events] == [event.kind for event in runs[0].events]
    return automaton.observe(runs[0].arcs[-1].end), runs[0]


def automaton_of(text: str) -> RigidBodyAutomaton:
    return generate(parse_model(text).world)


def integrated(field: Callable[[float, Array], list[float]], start: list[float], t: float) -> Array:
    found = solve_ivp(field, (0, t), start, rtol=1e-12, atol=1e-12, method="DOP853")
    return np.asarray(found.y[:, -1])


def test_a_pendulum_swings_as_its_equation_says() -> None:
    """(I + m l²) φ'' = -m g l sin φ, and whole turns are counted."""
    inertia, spin = 0.4 * 0.1**2 + 1, 7.0
    text = f"""{DOWN}{FRAME}body bob {{ sphere radius 0.1  mass 1  position (0, -1, 0)
        velocity ({spin}, 0, 0)  spin (0, 0, {spin}) }}
        joint hang {{ revolute frame bob  at (0, 0, 0)  axis (0, 0, 1) }}"""
    end, _ = followed(text, 3.0)
    angle, rate = integrated(lambda _, y: [y[1], -G * math.sin(y[0]) / inertia], [0.0, spin], 3.0)
    assert angle > 2 * math.pi
    assert (end["hang.angle"], end["hang.rate"]) == pytest.approx((angle, rate), abs=1e-7)


def test_a_double_pendulum_agrees_with_its_equations() -> None:
    """Two points on rods: the equations of Lagrange, solved by another integrator."""
    a, b = 1.2, 2.0
    text = f"""{DOWN}{FRAME}
        body one {{ sphere radius 0.05  mass 1  position ({math.sin(a)}, {-math.cos(a)}, 0) }}
        body two {{ sphere radius 0.05  mass 2
          position ({math.sin(a) + math.sin(b)}, {-math.cos(a) - math.cos(b)}, 0) }}
        joint rod1 {{ distance frame one }}
        joint rod2 {{ distance one two }}"""

    def field(_: float, y: Array) -> list[float]:
        p, q, u, v = y
        s, c = math.sin(p - q), math.cos(p - q)
        mass = np.array([[3.0, 2 * c], [2 * c, 2.0]])
        load = [-2 * v**2 * s - 3 * G * math.sin(p), 2 * u**2 * s - 2 * G * math.sin(q)]
        return [u, v, *np.linalg.solve(mass, load)]

    p, q, *_ = integrated(field, [a, b, 0.0, 0.0], 2.0)
    end, _ = followed(text, 2.0)
    place = [math.sin(p) + math.sin(q), -math.cos(p) - math.cos(q)]
    assert [end["two.x"], end["two.y"]] == pytest.approx(place, abs=1e-7)


def test_two_halves_welded_are_one_body() -> None:
    """Two balls on a line, thrown and spinning: inertia by Steiner's rule."""
    small, apart = 0.4 * 0.1**2, 0.5
    moments = (4 * small / 2, 2 * small + 2 * apart**2, 2 * small + 2 * apart**2)
    spin = np.array([0.3, 1.0, 2.0])
    thrown = np.array([1.0, 2.0, 0.0])
    velocities = [thrown + np.cross(spin, (x, 0, 0)) for x in (-apart, apart)]
    halves = "".join(
        f"body h{i} {{ sphere radius 0.1  mass 1  position ({x}, 0, 0)"
        f" velocity {tuple(map(float, v))}  spin {tuple(map(float, spin))} }}\n"
        for i, (x, v) in enumerate(zip((-apart, apart), velocities, strict=True))
    )
    whole = f"""body w {{ sphere radius 0.1  mass 2  inertia {moments}  velocity (1, 2, 0)
        spin {tuple(map(float, spin))} }}"""
    two, _ = followed(f"{DOWN}{FRAME}{halves}joint glue {{ weld h0 h1 }}", 2.0)
    one, _ = followed(f"{DOWN}{FRAME}{whole}", 2.0)
    for axis in "xyz":
        middle = (two[f"h0.{axis}"] + two[f"h1.{axis}"]) / 2
        assert middle == pytest.approx(one[f"w.{axis}"], abs=1e-8)
    for part in "wxyz":
        assert two[f"h1.q{part}"] == pytest.approx(one[f"w.q{part}"], abs=1e-7)


def test_a_heavy_top_precesses_steadily() -> None:
    """(A - C) Ω² cos θ - C s Ω + m g l = 0 with its spin s about its own axis, apart from Ω's."""
    A0, C, m, length, tilt, precession = 0.05, 0.02, 1.0, 0.3, 0.5, 1.5
    A = A0 + m * length**2
    spin = (m * G * length + (A - C) * precession**2 * math.cos(tilt)) / (C * precession)
    axis = np.array([math.sin(tilt), math.cos(tilt), 0.0])
    turn = np.array([0.0, precession, 0.0]) + spin * axis
    velocity = np.cross(turn, length * axis)
    text = f"""{DOWN}{FRAME}body top {{ sphere radius 0.05  mass {m}  inertia ({A0}, {C}, {A0})
        position {tuple(map(float, length * axis))}  rotation (0, 0, {-tilt})
        velocity {tuple(map(float, velocity))}  spin {tuple(map(float, turn))} }}
        joint tip {{ spherical frame top  at (0, 0, 0) }}"""
    end, _ = followed(text, 0.4)
    assert end["top.y"] == pytest.approx(length * math.cos(tilt), abs=1e-7)
    across, angle = length * math.sin(tilt), 0.4 * precession
    around = [across * math.cos(angle), -across * math.sin(angle)]
    assert [end["top.x"], end["top.z"]] == pytest.approx(around, abs=1e-6)
    inwards = m * across * precession**2
    pull = [-inwards * math.cos(angle), m * G, inwards * math.sin(angle)]
    assert [end[f"tip.f{axis}"] for axis in "xyz"] == pytest.approx(pull, abs=1e-5)


FOUR_BAR = f"""{DOWN}contact all off
body frame {{ point  fixed }}
body crank {{ box size (0.1, 1, 0.1)  mass 1  position (0, 0.5, 0)  velocity (-1, 0, 0)
  spin (0, 0, 2) }}
body rod {{ box size (2, 0.1, 0.1)  mass 1  position (1, 1, 0)  velocity (-2, 0, 0) }}
body rocker {{ box size (0.1, 1, 0.1)  mass 1  position (2, 0.5, 0)  velocity (-1, 0, 0)
  spin (0, 0, 2) }}
joint a {{ revolute frame crank  at (0, 0, 0)  axis (0, 0, 1) }}
joint b {{ revolute crank rod  at (0, 1, 0)  axis (0, 0, 1) }}
joint c {{ revolute rod rocker  at (2, 1, 0)  axis (0, 0, 1) }}
joint d {{ revolute rocker frame  at (2, 0, 0)  axis (0, 0, 1) }}
"""


def test_a_four_bar_in_space_closes_although_it_is_redundant() -> None:
    automaton = automaton_of(FOUR_BAR)
    joints = automaton.dynamics.joints
    assert joints is not None
    assert joints.at(automaton.start().values).K.shape[1] == 17  # of 20 conditions
    end, run = followed(FOUR_BAR, 1.0, SOLVERS[:2])
    assert np.abs(joints.at(run.arcs[-1].end.values).error).max() < 1e-10
    assert end["energy"] == pytest.approx(automaton.observe(run.arcs[0].start)["energy"], rel=1e-7)


SLIDER_CRANK = f"""{DOWN}contact all off
body frame {{ point  fixed }}
body crank {{ box size (0.3, 0.05, 0.05)  mass 0.5  position (0, 0.15, 0)  rotation (0, 0, pi/2)
  velocity (-0.9, 0, 0)  spin (0, 0, 6) }}
body rod {{ box size (1, 0.05, 0.05)  mass 1  position ({math.sqrt(0.91) / 2}, 0.15, 0)
  rotation (0, 0, {-math.asin(0.3)})  velocity (-1.8, 0, 0) }}
body piston {{ box size (0.2, 0.1, 0.1)  mass 0.8  position ({math.sqrt(0.91)}, 0, 0)
  velocity (-1.8, 0, 0) }}
joint main {{ revolute frame crank  at (0, 0, 0)  axis (0, 0, 1) }}
joint big {{ revolute crank rod  at (0, 0.3, 0)  axis (0, 0, 1) }}
joint small {{ revolute rod piston  at ({math.sqrt(0.91)}, 0, 0)  axis (0, 0, 1) }}
joint bore {{ prismatic frame piston  axis (1, 0, 0)  length {math.sqrt(0.91)} }}
"""


def test_a_piston_is_where_its_crank_says() -> None:
    """x = r cos φ + √(l² - r² sin² φ), and energy is kept."""
    end, run = followed(SLIDER_CRANK, 1.0, SOLVERS[:2])  # CVODE takes very short steps here
    angle = math.pi / 2 + end["main.angle"]
    place = 0.3 * math.cos(angle) + math.sqrt(1 - 0.09 * math.sin(angle) ** 2)
    assert abs(end["main.angle"]) > 2 * math.pi
    assert end["bore.length"] == pytest.approx(place, abs=1e-10)
    before = automaton_of(SLIDER_CRANK).observe(run.arcs[0].start)["energy"]
    assert end["energy"] == pytest.approx(before, abs=1e-8)


@pytest.mark.long
@pytest.mark.parametrize("text", [FOUR_BAR, SLIDER_CRANK], ids=["four-bar", "slider-crank"])
def test_loops_stay_closed_for_a_thousand_seconds(text: str) -> None:
    automaton = automaton_of(text)
    run = simulate(automaton, until=1000.0, options=Options(solver="native"))
    assert run.stop is Stop.HORIZON
    assert automaton.dynamics.joints is not None
    for arc in run.arcs:
        for values in arc.states[:: max(1, len(arc.states) // 1000)]:
            assert np.abs(automaton.dynamics.joints.at(values).error).max() < 1e-10


@pytest.mark.parametrize("exact", [False, True], ids=["reactions", "free speeds"])
@pytest.mark.parametrize("text", [FOUR_BAR, SLIDER_CRANK], ids=["four-bar", "slider-crank"])
def test_expressions_accelerate_as_numbers_do(text: str, exact: bool) -> None:
    automaton = automaton_of(text)
    bodies = SymbolicBodies(automaton.world, exact=exact)
    state = simulate(automaton, until=0.2).end
    rate = ca.Function("f", bodies.arguments, [bodies.rate(FREE_FLIGHT)])
    found = rate(0.0, state.values, bodies.numbers, bodies.remembered(state))
    expected = automaton.flow(state).rate(0.0, state.values)
    assert np.asarray(found).ravel() == pytest.approx(expected, abs=1e-9)


def test_a_pendulum_at_a_wall_bounces_back_and_loses_what_restitution_says() -> None:
    """A point on a light rod from φ = -1 rad hits a wall at the lowest point: half the speed."""
    text = f"""{DOWN}body frame {{ point  fixed }}
        body bob {{ sphere radius 0.1  mass 1  position ({math.sin(-1)}, {-math.cos(-1)}, 0) }}
        body wall {{ plane normal (-1, 0, 0)  position (0.1, 0, 0) }}
        joint rod {{ revolute frame bob  at (0, 0, 0)  axis (0, 0, 1)  angle -1 }}
        contact bob wall {{ restitution 0.5  friction 0.3 }}"""
    automaton = automaton_of(text)
    run = simulate(automaton, until=1.2, options=Options(solver="reference"))
    hit = [event.time for event in run.events if event.kind == "impact"]
    inertia = 1.004
    speed = math.sqrt(2 * G * (1 - math.cos(1)) / inertia)
    before, after = run.arcs[0].end, run.arcs[1].start
    rates = [automaton.observe(state)["rod.rate"] for state in (before, after)]
    assert len(hit) == 1
    assert rates == pytest.approx([speed, -speed / 2], abs=1e-8)


def test_a_block_in_a_guide_stops_at_a_wall_with_friction() -> None:
    """All motion along the wall is taken by the guide: nothing rubs, and it bounces to rest."""
    text = """gravity (-10, 0, 0)
        body rail { point  fixed  position (0, 1, 0) }
        body block { sphere radius 0.1  mass 1  position (1.1, 0, 0) }
        body wall { plane normal (1, 0, 0) }
        joint slide { prismatic rail block  axis (1, 0, 0)  length 1 }
        contact block wall { restitution 0.5  friction 0.4 }
        contact rail block off"""
    end, run = followed(text, 3.0)
    times = [event.time for event in run.events if event.kind == "impact"]
    fall = math.sqrt(2 * 1 / 10)
    assert times[:3] == pytest.approx([fall, 2 * fall, 2.5 * fall], abs=1e-8)
    assert end["slide.length"] == pytest.approx(0, abs=1e-9)
    assert end["normal_force[block,wall]"] == pytest.approx(10)


HINGED = f"""{DOWN}{FRAME}body arm {{ sphere radius 0.1  mass 1  position (0, -1, 0) }}
joint hinge {{ revolute frame arm  at (0, 0, 0)  axis (0, 0, 1) __ }}
"""


def test_a_motor_and_damping_act_along_the_coordinate() -> None:
    """(I + m l²) φ'' = -m g l sin φ - k (φ - 1) - c φ'."""
    text = HINGED.replace("__", "damping 0.7") + "torque hinge -20*(hinge.angle - 1)"
    end, _ = followed(text, 1.5)

    def field(_: float, y: Array) -> list[float]:
        return [y[1], (-G * math.sin(y[0]) - 20 * (y[0] - 1) - 0.7 * y[1]) / 1.004]

    angle, rate = integrated(field, [0.0, 0.0], 1.5)
    assert (end["hinge.angle"], end["hinge.rate"]) == pytest.approx((angle, rate), abs=1e-7)


def test_a_slider_is_pushed_along_its_rail() -> None:
    text = """body rail { point  fixed }
        body block { box size (0.1, 0.1, 0.1)  mass 2  position (0, 1, 0) }
        joint slide { prismatic rail block  axis (3, 0, 4)  damping 0.5 }
        force slide 3
        contact all off"""
    end, _ = followed(text, 1.0)
    speed = 6 * (1 - math.exp(-0.25))
    assert end["slide.rate"] == pytest.approx(speed, abs=1e-9)
    assert end["slide.length"] == pytest.approx(6 - 4 * speed, abs=1e-9)
    assert [end["block.x"], end["block.z"]] == pytest.approx(
        [0.6 * end["slide.length"], 0.8 * end["slide.length"]]
    )


@pytest.mark.parametrize(("bound", "moves"), [(4.9, True), (5.1, False)])
def test_friction_of_a_joint_holds_up_to_its_bound(bound: float, moves: bool) -> None:
    text = HINGED.replace("__", f"friction {bound}") + "torque hinge 5"
    end, _ = followed(text, 0.2)
    assert (abs(end["hinge.angle"]) > 1e-6) is moves


def test_a_joint_with_friction_comes_to_rest_and_stays() -> None:
    """Without gravity a torque f slows it by f / I: it stops when it has turned by I ω² / 2f."""
    text = HINGED.replace(DOWN, "").replace("__", "friction 2")
    text = text.replace(
        "position (0, -1, 0)", "position (0, -1, 0) velocity (3, 0, 0) spin (0, 0, 3)"
    )
    end, _ = followed(text, 2.0)
    assert end["hinge.angle"] == pytest.approx(1.004 * 9 / 4, abs=1e-8)
    assert end["hinge.rate"] == pytest.approx(0, abs=1e-9)


def test_a_pendulum_pulls_as_hard_as_its_closed_form_says() -> None:
    """The rod pulls by m (g cos φ + l φ'²), whichever end is named first, or as a revolute."""
    text = f"""{DOWN}{FRAME}
        body bob {{ sphere radius 0.1  mass 2  position (0, -1, 0)  velocity (3, 0, 0) }}
        joint rod {{ distance frame bob }}
        joint same {{ distance bob (0, 0, 0) }}"""
    end, _ = followed(text.replace("joint same", "# joint same"), 0.6)
    x, y = end["bob.x"], end["bob.y"]
    pull = 2 * (-G * y + end["bob.vx"] ** 2 + end["bob.vy"] ** 2)
    assert [end["rod.fx"], end["rod.fy"]] == pytest.approx([-pull * x, -pull * y], rel=1e-6)
    both, _ = followed(text, 0.6)  # the same twice: each takes half
    assert [both["rod.fx"], both["same.fx"]] == pytest.approx([-pull * x / 2, pull * x / 2])


def test_reactions_are_what_newtons_law_misses() -> None:
    """m r'' = m g + f and, about the joint, the torque that keeps an arm in its plane."""
    text = f"""gravity (0, 0, -{G})
        contact all off
        body frame {{ point  fixed }}
        body arm {{ box size (1, 0.1, 0.1)  mass 2  position (0.5, 0, 0)  velocity (0, 1, 0)
          spin (0, 0, 2) }}
        joint hinge {{ revolute frame arm  at (0, 0, 0)  axis (0, 0, 1) }}"""
    end, _ = followed(text, 0.3)
    x, y = end["arm.x"], end["arm.y"]
    force = [end[f"hinge.f{axis}"] for axis in "xyz"]
    assert force == pytest.approx([-2 * 4 * x, -2 * 4 * y, 2 * G], abs=1e-6)
    torque = [end[f"hinge.m{axis}"] for axis in "xyz"]
    assert torque == pytest.approx([2 * G * y, -2 * G * x, 0], abs=1e-6)


def test_a_contact_takes_load_off_a_joint() -> None:
    """A bar on a hinge whose other end lies on the floor: each carries half of the weight."""
    text = f"""{DOWN}body frame {{ point  fixed  position (0, 0.1, 0) }}
        body floor {{ plane normal (0, 1, 0) }}
        body bar {{ mass 2  inertia (0.1, 0.1, 0.1)  position (0.5, 0.1, 0)
          part tip {{ sphere radius 0.1  at (0.5, 0, 0) }} }}
        joint hinge {{ revolute frame bar  at (0, 0.1, 0)  axis (0, 0, 1) }}
        contact all {{ restitution 0 }}"""
    end, _ = followed(text, 0.1)
    assert end["normal_force[floor,bar.tip]"] == pytest.approx(G)
    assert end["hinge.fy"] == pytest.approx(G)


def test_an_automaton_reads_an_angle_and_drives_a_motor() -> None:
    """It turns the arm to and fro: each switch is where the angle passes 0.4 rad."""
    text = (
        HINGED.replace("__", "damping 2")
        + """
        torque hinge -60*(hinge.angle - control.target)
        automaton control {
          real target = 0.5
          location up { target' = 0 }
          location down { target' = 0 }
          edge up -> down { when hinge.angle > 0.4  do target := -0.5 }
          edge down -> up { when hinge.angle < -0.4  do target := 0.5 }
          initial up
        }
        system control"""
    )
    automaton = parse_model(text).automaton()
    run = simulate(automaton, until=2.0, options=Options(solver="reference"))
    place = automaton.variables.index("hinge.angle")
    switched = [arc.start.values[place] for arc in run.arcs[1:]]
    assert len(switched) > 2
    assert switched == pytest.approx([0.4 * (-1) ** i for i in range(len(switched))], abs=1e-8)


def test_a_model_with_automata_names_joints_that_do_not_fit() -> None:
    text = f"{FRAME}body arm {{ point  mass 1  position (0, -1, 0) }}\n"
    text += "joint rod { distance arm frame  length 2 }\n"
    text += "automaton a { location on  initial on }\nsystem a"
    with pytest.raises(ModelError, match="joint 'rod' does not fit at the start"):
        parse_model(text)
