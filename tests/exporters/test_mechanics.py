"""The listing against the engine: its own lines, evaluated, give the numbers of the mechanics."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from dyverse.automaton.interface import State
from dyverse.bodies.joint.closing import CLOSINGS
from dyverse.bodies.joint.joint import JOINT_KINDS
from dyverse.bodies.read import parse_world
from dyverse.cli.work.building import Order, build_model
from dyverse.exporters.listed.mechanics import flow
from dyverse.exporters.listing import listing
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.generation.flow import RigidFlow
from dyverse.generation.node.walking import node_numbers, walk
from dyverse.generation.skeleton.location import Kind, Modes, Node
from dyverse.generation.skeleton.places import FORCES
from dyverse.mechanics.turning import normalised
from dyverse.text.examples import example_names
from tests.exporters.listed import Listing, Meaning, undefined

WORLD = """
parameter e = 0.7 in [0.5, 0.9]
gravity (0, -9.81, 0.3)
body floor { plane normal (0.1, 2, 0) position (0, -0.1, 0) }
body a { sphere radius 0.5 mass 2 position (0, 0.5, 0) }
body b { sphere radius 0.3 mass 1 inertia 0.07 position (0.9, 0.5, 0) }
body c { sphere radius 0.1 mass 1 position (3, 3, 1) rotation (0.3, 1, 2) }
body peg { sphere radius 0.2 fixed position (0, 5, 0) }
input u = 3*a.vx - t
input port
force a (u, 1, port)
force a (0, a.y, 2)
torque b (0, 0.2, b.wz)
force c (u, 1, 2) at (0.1, -e, a.x)
spring a b { stiffness 3 length 1 damping 0.4 }
spring b (0, 1, 0) { stiffness 5 }
spring a (0, 1, 2) { stiffness 2 + e length 0.1 }
contact all { restitution e friction 0.3 + 0.1/(1 + slip_speed) }
contact a b { restitution 0.2 tangential_restitution 0.1 friction 0.4 }
contact floor b off
contact b peg off
contact c a off
contact c b off
contact c peg off
contact c floor off
"""
READ = {"A", "B1", "B2", "C11", "C12", "C21", "C22", "gap", "normal_speed", "slip_1", "slip_2"}
READ |= {"minv_h", "minv_W_N", "minv_W_T1", "minv_W_T2", "slip_speed"}
READ |= {"restitution", "tangential_restitution", "friction"}
FREE = {"free_normal", "free_slip_1", "free_slip_2"}


TENSOR = "inertia (0.07, 0.08, 0.1, 0.01, 0, 0.02) rotation (0.4, 0.5, 0.6)"


def automaton(inertia: str = "inertia 0.07") -> RigidBodyAutomaton:
    return generate(parse_world(WORLD.replace("inertia 0.07", inertia)))


def listed(made: RigidBodyAutomaton) -> Listing:
    return Listing(tuple(listing(made.skeleton, made.world)))


def moved(made: RigidBodyAutomaton) -> State:
    """The start, a little aside and with some speeds."""
    rng, state = np.random.default_rng(1), made.start()
    speeds = len(made.dynamics.layout.speeds)
    change = 0.05 * rng.normal(size=len(state.values))
    change[-speeds:] = rng.normal(size=speeds)
    values = state.values + change
    normalised(made.dynamics.layout, values)
    return State(0.0, state.location, values)


def meaning(
    made: RigidBodyAutomaton, state: State, forces: dict[str, float], node: str = ""
) -> Meaning:
    numbers = dict(zip(made.variables, state.values.tolist(), strict=True))
    return Meaning(listed(made), numbers | {"t": 0.0} | forces, made.contacts, node)


@pytest.mark.parametrize("inertia", ["inertia 0.07", TENSOR])
@pytest.mark.parametrize("kind", ["impact", "contact"])
def test_every_name_of_a_node_is_worth_what_the_engine_says(kind: Kind, inertia: str) -> None:
    made = automaton(inertia)
    state = moved(made)
    known = meaning(made, state, {}, kind)
    numbers = node_numbers(made, State(0.0, Node(kind, made.contacts, "en"), state.values))
    wanted = READ | FREE if kind == "contact" else READ
    read = {name: x for name, x in numbers.items() if name.partition("[")[0] in wanted}
    assert len(read) > 150
    assert {name: float(known(name)) for name in read} == pytest.approx(read, rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("kind", ["impact", "contact"])
def test_the_residual_of_a_node_is_worth_what_the_engine_says(kind: Kind) -> None:
    made = automaton()
    state = State(0.0, Node(kind, made.contacts, "en"), moved(made).values)
    for place, numbers in islice(walk(made, state), 0, 40, 4):
        forces = {name: x for name, x in numbers.items() if name.startswith(FORCES)}
        residual = f"residual[{place.name}]"
        known = meaning(made, state, forces, kind)
        assert float(known(residual)) == pytest.approx(numbers[residual], rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("inertia", ["inertia 0.07", TENSOR])
@pytest.mark.parametrize("modes", ["stick slip", "slip trans", "slip slip", "stick stick"])
def test_the_flow_of_a_location_meets_the_listed_equations(modes: str, inertia: str) -> None:
    """The forces and accelerations that the engine finds obey each contact's mode."""
    made = automaton(inertia)
    closed = tuple(zip(("floor-a", "a-b"), modes.split(), strict=True))
    state = State(0.0, Modes(closed), moved(made).values)  # type: ignore[arg-type]
    motion = RigidFlow(made.dynamics, state, made.tolerances).motion(0.0, state.values)
    forces = {
        f"{force}[{contact.replace('-', ',')}]": float(x)
        for (contact, _), row in zip(closed, motion.forces, strict=True)
        for force, x in zip(FORCES, row, strict=True)
    }
    known = meaning(made, state, forces)
    rates = made.flow(state).rate(0.0, state.values)
    for name, rate in zip(made.variables, rates, strict=True):
        if name.rpartition(".")[2][0] in "vws":
            assert float(known(f"acceleration[{name}]")) == pytest.approx(rate, abs=1e-9)
    in_modes = {**dict(closed), "a-peg": "open"}
    for definition in known.listing.definitions:
        mode, is_mode, _ = definition.title.partition("[α,β], for")
        for contact in (c for c, its in in_modes.items() if is_mode and its == mode):
            if mode == "trans" and definition.left.startswith("lambda_T"):
                continue  # it holds where slip begins; here its size is checked
            letters = dict(zip("αβ", contact.split("-"), strict=True))
            left, right = (
                known.worth(side, letters) for side in (definition.left, definition.right)
            )
            assert float(left) == pytest.approx(float(right), abs=1e-6)
    if "trans" in modes:
        assert known("friction_force[a,b]") == pytest.approx(abs(known("friction_limit[a,b]")))


def test_the_ranges_and_starts_of_the_model_are_in_init() -> None:
    lines = listed(automaton()).lines
    assert "  e = 0.7 in [0.5, 0.9]" in lines
    assert "  (b.x, b.y, b.z) = (0.9, 0.5, 0)" in lines
    assert "  u = 3 * a.vx - t" in lines
    assert "  port = 0, unless set" in lines


@pytest.mark.parametrize("name", [*example_names(), "balls-20"])
def test_every_name_in_the_listing_of_an_example_is_defined_there(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """As `dyverse build` writes it: bodies, automata, or both."""
    build_model(
        f"example:{name}", Order(rules="complete", graph="complete", display="-"), as_json=False
    )
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 20
    assert undefined(lines) == []


def test_a_listing_that_lacks_a_definition_is_found_out() -> None:
    lines = listed(automaton()).lines
    for lost in ("A[α-β,γ-δ]", "residual[ν]", "tolerance", "(minv_h[α.vx]", "e = 0.7"):
        assert undefined(line for line in lines if not line.strip().startswith(lost)), lost


def test_a_listing_names_the_law_of_impact_if_it_is_a_sequence() -> None:
    made = automaton()
    once = list(listing(made.skeleton, made.world))
    in_turn = list(listing(made.skeleton, replace(made.world, impact="sequence")))
    added = [line for line in in_turn if line not in once]
    assert added[0].strip().startswith("impact sequence: while contacts that touch")
    assert len(in_turn) == len(once) + 2


def test_a_listing_of_parts_and_corners_defines_every_name() -> None:
    parts = "part shell { sphere radius 0.1 } part stem { capsule radius 0.02 length 0.3"
    parts += " rotation (1, 0, 0) }"
    top = f"body top {{ mass 1 inertia (1, 1, 1) position (3, 1, 0) {parts} }}\ncontact all {{}}\n"
    block = "body can { cylinder radius 1 length 2 mass 1 position (-5, 9, 0) }\n"
    block += "body coin { disc radius 1 rounding 0.1 mass 1 position (-5, 20, 0) }\n"
    block += "contact can coin off contact top can off contact top coin off\n"
    block += "contact block can off contact block coin off\n"
    block += "body egg { ellipsoid axes (1, 2, 3) mass 1 position (30, 20, 0) }\n"
    block += "contact egg can off contact egg coin off contact egg block off\n"
    block += "body yolk { ellipsoid axes (1, 2, 3) mass 1 position (30, 40, 0) }\n"
    block += "contact yolk can off contact yolk coin off contact yolk block off\n"
    block += "body block { box size (1, 1, 1) mass 1 position (-9, 1, 0) }\n"
    block += "body tent { polyhedron vertices (-3, -1, -1) (-3, -1, 1) (1, -1, 0) (5, 3, 0)"
    block += " mass 1 inertia (1, 1, 1) position (-30, 5, 0) }\n"
    block += "contact tent can off contact tent coin off contact tent egg off\n"
    block += "contact tent yolk off\n"
    made = generate(
        parse_world(
            WORLD.replace("contact all", f"{top}{block}contact all", 1).replace(
                "contact all {}\n", ""
            )
        )
    )
    assert undefined(listing(made.skeleton, made.world)) == []


def test_joints_are_listed_with_what_they_ask_for() -> None:
    world = parse_world(
        "body frame { point  fixed }\nbody bob { point  mass 1  inertia 1  position (0, -1, 0) }\n"
        "joint rod { revolute frame bob  at (0, 0, 0)  axis (0, 0, 1)  limits [-1, 1] }\n"
    )
    lines = list(flow(world))
    assert (
        "  joint rod { revolute frame bob  at (0, 0, 0)  axis (0, 0, 1)  limits [-1, 1] }" in lines
    )
    assert any("D = 0, two components of 2 vec(rho)" in line for line in lines)
    assert all(JOINT_KINDS[word].asks for word in CLOSINGS)
    assert sum("a contact without friction, frame.rod_" in line for line in lines) == 2
