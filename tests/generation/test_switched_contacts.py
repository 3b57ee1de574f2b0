"""Contacts under a condition: switched by time, automata and bodies, in all engines."""

from __future__ import annotations

import math

import pytest

from dyverse import Options, simulate
from dyverse.automaton.run import Run, Stop
from dyverse.bodies.build import contact, plane, sphere, world
from dyverse.bodies.describe import world_text
from dyverse.bodies.read import parse_world
from dyverse.errors import ModelError
from dyverse.exporters.listing import listing
from dyverse.generation.automaton import generate
from dyverse.generation.model import parse_model
from dyverse.native.many import simulate_many
from dyverse.simulation.sensitivity import sensitivities

SOLVERS = ["reference", "native", "cvode"]
SHELF = """\
parameter open = 1.5
gravity (0, -10, 0)
body ball { sphere radius 0.1  mass 1  position (0, 5.1, 0) }
body floor { plane normal (0, 1, 0) }
body shelf { plane normal (0, 1, 0)  position (0, 1.8, 0) }
contact ball shelf { restitution 0  friction 0.5  when CONDITION }
contact ball floor { restitution 0.5 }
"""


def run_of(text: str, until: float, solver: str, settings: dict[str, float] | None = None) -> Run:
    automaton = parse_model(text).automaton(settings)
    return simulate(automaton, until=until, options=Options(solver=solver))


@pytest.mark.parametrize("solver", SOLVERS)
def test_what_rests_on_a_shelf_falls_when_it_is_taken_away(solver: str) -> None:
    """On the shelf at 0.8 s, off it at 1.5 s, on the floor 1.8 m below √(3.6/10) s later."""
    run = run_of(SHELF.replace("CONDITION", "t < open"), 2.3, solver)
    kinds = [(event.kind, event.contacts[0]) for event in run.events]
    assert kinds == [("impact", "ball-shelf"), ("release", "ball-shelf"), ("impact", "ball-floor")]
    times = [event.time for event in run.events]
    assert times == pytest.approx([0.8, 1.5, 1.5 + 0.6], abs=1e-8)
    later = run_of(SHELF.replace("CONDITION", "t < open"), 2.3, solver, {"open": 1.9})
    assert later.times("release") == pytest.approx([1.9], abs=1e-8)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("condition", "hits"), [("open > 1", 1.5), ("open < 1", 0)])
def test_a_parameter_alone_decides_for_good(solver: str, condition: str, hits: float) -> None:
    run = run_of(SHELF.replace("CONDITION", condition), 0.95, solver)
    assert len(run.times("impact")) == (1 if hits else 0)
    assert run.final["ball.y"] == pytest.approx(1.9 if hits else 5.1 - 5 * 0.95**2, abs=1e-8)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_contact_that_is_switched_on_inside_a_body_is_a_fault(solver: str) -> None:
    run = run_of(SHELF.replace("CONDITION", "t > 0.9"), 2.3, solver)
    assert run.stop is Stop.FAULT
    assert run.end.time == pytest.approx(0.9, abs=1e-8)
    depth = 1.9 - (5.1 - 5 * 0.9**2)
    assert f"contact ball-shelf is switched on while its bodies overlap by {depth:.6g} m" in (
        run.message
    )


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_platform_holds_only_what_comes_from_above(solver: str) -> None:
    """Thrown up through it at 8 m/s, the ball lands on the shelf on its way down."""
    text = SHELF.replace("CONDITION", "ball.vy <= 0").replace("0, 5.1, 0)", "0, 0.2, 0)")
    text = text.replace("mass 1  position", "mass 1  velocity (0, 8, 0)  position")
    run = run_of(text, 1.6, solver)
    down = 0.8 + math.sqrt(2 * (0.2 + 3.2 - 1.9) / 10)
    assert run.times("impact") == pytest.approx([down], abs=1e-8)
    assert run.final["ball.y"] == pytest.approx(1.9, abs=1e-9)


GAIT = """\
gravity (0, -10, 0)
body foot { sphere radius 0.1  mass 1  position (0, 0.1, 0) }
body floor { plane normal (0, 1, 0) }
contact foot floor { restitution 0  when CONDITION }
automaton gait {
  clock c
  int step
  location stance { invariant c <= 0.5 }
  location swing { invariant c <= 0.4 }
  initial stance
  edge stance -> swing { when c >= 0.5  do c := 0, step := step + 1 }
  edge swing -> stance { when c >= 0.4  do c := 0, step := step + 1 }
}
system gait
force foot (0, 0, 0)
"""


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("condition", ["gait.stance", "gait.step < 1", "not gait.step == 1"])
def test_an_automaton_lets_a_foot_through_the_floor(solver: str, condition: str) -> None:
    """In swing from 0.5 s on it falls through the floor; stance after that finds it there."""
    run = run_of(GAIT.replace("CONDITION", condition), 0.8, solver)
    assert run.times("release") == pytest.approx([0.5], abs=1e-8)
    assert run.final["foot.y"] == pytest.approx(0.1 - 5 * 0.3**2, abs=1e-8)
    if condition != "gait.step < 1":
        fault = run_of(GAIT.replace("CONDITION", condition), 1.5, solver)
        assert fault.stop is Stop.FAULT
        assert fault.end.time == pytest.approx(0.9, abs=1e-8)
        assert "contact foot-floor is switched on while" in fault.message


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_contact_that_is_switched_on_in_time_is_hit_as_any_other(solver: str) -> None:
    """In a swing a force lifts the foot, which comes back after the floor is there again."""
    text = GAIT.replace("CONDITION", "gait.stance").replace("(0, 0, 0)", "(0, 13*gait.swing, 0)")
    run = run_of(text, 1.3, solver)
    lifted = 0.5 * 3 * 0.4**2
    speed = 3 * 0.4
    down = 0.9 + (speed + math.sqrt(speed**2 + 20 * lifted)) / 10
    assert run.times("impact")[0] == pytest.approx(down, abs=1e-8)


def test_many_runs_switch_as_one_does() -> None:
    made = parse_world(SHELF.replace("CONDITION", "t < open"))
    many = simulate_many(made, {"open": [1.2, 1.7]}, until=1.9)
    for row, moment in enumerate((1.2, 1.7)):
        one = simulate(generate(made, {"open": moment}), until=1.9, options=Options())
        assert many.final[row] == pytest.approx(one.end.values, abs=1e-9)


def test_conditions_are_written_in_text_and_python_alike() -> None:
    made = world(
        sphere("ball", radius=0.1, mass=1, position=(0, 1, 0)),
        plane("floor", normal=(0, 1, 0)),
        contact("ball", "floor", restitution=0.5, when="t < 3 and ball.x > -1"),
    )
    assert parse_world(world_text(made)) == made
    assert "when t < 3 and ball.x > -1" in world_text(made)
    text = "\n".join(listing(generate(made).skeleton, made))
    assert "contact ball-floor is open, whatever its gap, unless t < 3 and ball.x > -1" in text


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("bal.x > 0", "unknown body 'bal'"),
        ("normal_force[ball, floor] > 0", "are for properties only"),
        ("t > 1 when t < 2", "two conditions; join them by 'and'"),
        ("open", "expected a condition such as 'open > 0'"),
        ("always t > 1", "a condition is about one instant"),
    ],
)
def test_what_is_wrong_with_a_condition_is_told(condition: str, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        parse_world(SHELF.replace("CONDITION", condition))


def test_when_a_shelf_is_taken_away_can_be_varied() -> None:
    """The ball lands as much later as the shelf is taken away later: y by -v, v by g."""
    run = run_of(SHELF.replace("CONDITION", "t < open"), 2.3, "reference")
    found = sensitivities(run, ("open",))
    assert found.event_times[:, 0] == pytest.approx([0, 1, 1], abs=1e-8)
    assert found.final[[1, 7], 0] == pytest.approx([-1, 10], abs=1e-7)
