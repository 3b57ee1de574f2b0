"""Joints in C: the same runs as those of the reference engine."""

from __future__ import annotations

import numpy as np
import pytest

from dyverse.automaton.run import Run
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.generation.model import parse_model
from dyverse.native.many import simulate_many
from dyverse.simulation.options import Options
from dyverse.simulation.sensitivity import sensitivities
from dyverse.simulation.simulate import simulate
from tests.native.comparing import first_difference

SOLVERS = ("native", "reference")
NATIVE = Options(solver="native")
DOWN = "gravity (0, -9.81, 0)\n"
FRAME = "body frame { point  fixed }\ncontact all off\n"
PUSHED = "velocity (2, 0, 0)  spin (0, 0, 2)"
ARM = f"body arm {{ sphere radius 0.1  mass 1  position (0, -1, 0)  {PUSHED} }}\n"
MECHANISMS = {
    "stopped": (
        f"{DOWN}{FRAME}{ARM}joint hinge {{ revolute frame arm  at (0, 0, 0)  axis (0, 0, 1) }}\n"
        "joint low { stop frame arm  gap hinge.angle + 0.1*arm.qz + 0.3  restitution 0.6 }\n"
        "joint high { stop arm frame  gap 0.1 - arm.x^2 - arm.y - 0.1  restitution 0.6 }",
        2.0,
    ),
    "limited": (
        f"{DOWN}{FRAME}{ARM}joint hinge {{ revolute frame arm  at (0, 0, 0)  axis (0, 0, 1)"
        "  limits [-0.3, 0.4]  restitution 0.6 }",
        2.0,
    ),
    "rubbing": (
        f"{DOWN}{FRAME}{ARM}joint hinge {{ revolute frame arm  at (0, 0, 0)  axis (0, 0, 1)"
        "  friction 2  damping 0.1 }\ntorque hinge 3*sin(4*t)",
        2.0,
    ),
    "slider": (
        """gravity (-10, 0, 0)
        body rail { point  fixed  position (0, 1, 0) }
        body block { sphere radius 0.1  mass 1  position (1.1, 0, 0) }
        body wall { plane normal (1, 0, 0) }
        joint slide { prismatic rail block  axis (1, 0, 0)  length 1  limits [-1, 1.5] }
        contact block wall { restitution 0.5  friction 0.4 }
        contact rail block off""",
        1.5,
    ),
    "hammer": (  # it hits the floor, driven by functions of functions that jump
        f"""{DOWN}body frame {{ point  fixed  position (0, 1, 0) }}
        body floor {{ plane normal (0, 1, 0) }}
        body arm {{ sphere radius 0.1  mass 1  position (1, 1, 0) }}
        joint hinge {{ revolute frame arm  at (0, 1, 0)  axis (0, 0, 1)  friction 0.2
                      limits [-1.5, 0.01]  restitution 0.2 }}
        contact all off
        contact arm floor {{ restitution 0.3  friction 0.4  rolling 0.001 }}
        input u = sign(sin(20*t)) + floor(3*t)
        torque hinge max(u, 0) - abs(min(u, sign(t - 0.3)))""",
        1.56,  # it has come to rest by then
    ),
    "ropes": (
        f"{DOWN}body hook {{ point  fixed }}\n"
        + "".join(
            f"body ball{i} {{ sphere radius 0.05  mass {i + 1}"
            f"  position ({0.3 * i}, {-0.5 - 0.2 * i}, 0.1)  velocity (1, 2, 0) }}\n"
            for i in range(3)
        )
        + "joint line0 { rope hook ball0  length 0.6  restitution 0.3 }\n"
        "joint line1 { rope ball0 ball1  length 0.5  restitution 0 }\n"
        "joint rod { distance ball1 ball2 }\n"
        "contact all { restitution 0.5  friction 0.2 }",
        1.0,
    ),
    "doubled": (
        f"{DOWN}body frame {{ point  fixed }}\n"
        "body one { box size (0.1, 1, 0.1)  mass 1  position (0, -0.5, 0)  velocity (1.5, 0, 0)"
        "  spin (0, 0, 3) }\n"
        "body two { sphere radius 0.1  mass 2  position (0, -1.5, 0)  velocity (4.5, 0, 0)"
        "  spin (0, 0, 3) }\n"
        "body wall { plane normal (-1, 0, 0)  position (0.7, 0, 0) }\n"
        "joint hip { revolute frame one  at (0, 0, 0)  axis (0, 0, 1) }\n"
        "joint knee { revolute one two  at (0, -1, 0)  axis (0, 0, 1)  limits [-1, 1.5] }\n"
        "contact all off\ncontact two wall { restitution 0.7  friction 0.3 }",
        1.2,
    ),
    "space": (
        f"{DOWN}{FRAME}body top {{ box size (0.2, 0.6, 0.3)  mass 2  position (0, 0.4, 0)"
        "  velocity (0.8, 0, 0.4)  spin (1, 9, -2) }\n"
        "body tail { sphere radius 0.05  mass 0.3  position (0, 0.9, 0)"
        "  velocity (1.8, 0, 0.9)  spin (1, 0, -2) }\n"
        "joint tip { spherical frame top  at (0, 0, 0) }\n"
        "joint rod { distance top tail  from (0, 0.7, 0) }",
        1.0,
    ),
    "moved": (
        "gravity (0, -9.81, 0)\ncontact all off\n"
        "body cart { point  moves (0.2*sin(5*t), 0, 0) }\n"
        "body bob { sphere radius 0.1  mass 1  position (0, -1, 0)  velocity (1, 0, 0) }\n"
        "joint rod { revolute cart bob  at (0, 0, 0)  axis (0, 0, 1) }",
        2.0,
    ),
}


def made(name: str) -> RigidBodyAutomaton:
    return generate(parse_model(MECHANISMS[name][0]).world)


@pytest.mark.parametrize("name", MECHANISMS)
def test_both_engines_follow_a_mechanism_alike(name: str) -> None:
    automaton, until = made(name), MECHANISMS[name][1]
    runs = [simulate(automaton, until=until, options=Options(solver=s)) for s in SOLVERS]
    assert [run.solver for run in runs] == list(SOLVERS)
    assert first_difference(*runs) is None
    assert runs[0].end.values == pytest.approx(runs[1].end.values, abs=2e-8)


def chain(links: int) -> str:
    """Boxes in a row, joined end to end; the first hangs on a frame."""
    text = [f"{DOWN}{FRAME}"]
    for i in range(links):
        held, x = f"l{i - 1}" if i else "frame", 0.1 * i
        shape = "box size (0.1, 0.02, 0.02)  mass 0.1"
        text.append(f"body l{i} {{ {shape}  position ({x + 0.05}, 0, 0) }}")
        text.append(f"joint j{i} {{ revolute {held} l{i}  at ({x}, 0, 0)  axis (0, 0, 1) }}")
    return "\n".join(text)


def test_a_chain_keeps_together_and_keeps_its_energy() -> None:
    automaton = generate(parse_model(chain(30)).world)
    run = simulate(automaton, until=0.3, options=NATIVE)
    assert run.solver == "native"
    before, after = (automaton.observe(state)["energy"] for state in (run.arcs[0].start, run.end))
    assert after == pytest.approx(before, abs=1e-9)
    assert automaton.dynamics.joints is not None
    assert np.abs(automaton.dynamics.joints.at(run.end.values).error).max() < 1e-11


def test_a_short_chain_falls_as_in_the_reference_engine() -> None:
    automaton = generate(parse_model(chain(4)).world)
    ends = [simulate(automaton, until=0.4, options=Options(solver=s)).end.values for s in SOLVERS]
    assert ends[0] == pytest.approx(ends[1], abs=1e-8)


def test_many_runs_are_those_one_by_one() -> None:
    text = MECHANISMS["limited"][0].replace(PUSHED, "velocity (v, 0, 0)  spin (0, 0, v)")
    world = parse_model(f"parameter v = 1\n{text}").world
    speeds = [0.5, 1.0, 3.0]
    many = simulate_many(world, {"v": speeds}, until=1.5)
    for i, speed in enumerate(speeds):
        one = simulate(generate(world, {"v": speed}), until=1.5, options=NATIVE)
        assert many.final[i] == pytest.approx(one.end.values, abs=1e-12)
        assert many.counts[i] == len(one.events)


def test_a_run_that_is_cut_goes_on_as_if_it_had_not_been() -> None:
    automaton = made("doubled")
    whole = simulate(automaton, until=1.0, options=NATIVE)
    first = simulate(automaton, until=0.45, options=NATIVE)
    rest = simulate(automaton, first.end, until=1.0, options=NATIVE)
    assert rest.end.values == pytest.approx(whole.end.values, abs=1e-9)


def test_slopes_of_a_run_go_through_the_impact_on_a_limit() -> None:
    """Against differences of two runs."""
    limited = MECHANISMS["limited"][0].replace("restitution 0.6", "restitution e")
    world = parse_model(f"parameter e = 0.6\n{limited}").world

    def run(e: float) -> Run:
        return simulate(generate(world, {"e": e}), until=0.6, options=NATIVE)

    slopes = np.asarray(sensitivities(run(0.6), ["e"]).final).ravel()
    step = 1e-5
    differences = (run(0.6 + step).end.values - run(0.6 - step).end.values) / (2 * step)
    assert np.abs(differences).max() > 0.4
    assert slopes == pytest.approx(differences, abs=1e-8)
