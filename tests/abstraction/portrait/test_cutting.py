import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.abstraction.behaviours.initial import initial_abstraction
from dyverse.abstraction.omega.lts import Step
from dyverse.abstraction.portrait.cutting import Cut, cut_automaton, is_possible, part_of
from dyverse.abstraction.portrait.passage import word_of_run
from dyverse.simulation.simulate import simulate
from dyverse.text.parse import parse_formula
from tests.abstraction.systems import drilling
from tests.catalogue import bouncing_ball

CUT = Cut("slip_plus", "x3", 2.0)


def test_only_the_steps_that_the_domains_allow_are_left() -> None:
    """Slip above 2 rad/s is neither entered from the band nor left into it."""
    made = initial_abstraction(
        cut_automaton(drilling(6000, 55_000, "paper"), CUT), letters="actions"
    )
    steps = set(made.lts.steps)
    assert Step("slip_plus_1", "e", "slip_plus_2") in steps
    assert Step("slip_plus_2", "f", "slip_plus_1") in steps
    assert Step("trans_plus", "d", "slip_plus_1") in steps
    assert Step("slip_plus_1", "a", "stick") in steps
    assert {step.letter for step in steps if "slip_plus_2" in (step.source, step.target)} == {
        "e",
        "f",
    }
    assert len(steps) == 8 + 2


def test_an_edge_into_both_parts_gets_two_letters() -> None:
    made = cut_automaton(drilling(6000, 55_000, "paper"), Cut("slip_plus", "x1", 2.0))
    entering = {edge.target: edge.action for edge in made.edges if edge.source == "trans_plus"}
    assert entering == {"stick": "a", "slip_plus_1": "d1", "slip_plus_2": "d2"}


def test_a_cut_changes_no_run() -> None:
    whole = drilling(6000, 55_000)
    one, two = simulate(whole, until=20), simulate(cut_automaton(whole, CUT), until=20)
    assert two.end.values == pytest.approx(one.end.values, abs=1e-7)
    letters = "".join(word_of_run(two))
    assert letters.startswith("bdefabdefa")
    assert letters.replace("e", "").replace("f", "") == "".join(word_of_run(one))


def test_the_reset_says_which_part_is_entered() -> None:
    """A bounce ends with a speed upwards, so above v = -1."""
    made = cut_automaton(bouncing_ball(), Cut("fall", "v", -1.0))
    assert {edge.target for edge in made.edges if edge.action == "bounce"} == {"fall_2"}
    run = simulate(made, until=4)
    assert [event.kind for event in run.events] == ["b", "bounce", "b", "bounce"]
    assert run.events[0].time == pytest.approx(1 / 9.81)


@settings(max_examples=25, deadline=None)
@given(variable=st.sampled_from("yv"), level=st.floats(-12, 12))
def test_any_cut_of_a_bouncing_ball_leaves_its_bounces(variable: str, level: float) -> None:
    whole = simulate(bouncing_ball(), until=6)
    parts = simulate(cut_automaton(bouncing_ball(), Cut("fall", variable, level)), until=6)
    bounces = [event.time for event in parts.events if event.kind.startswith("bounce")]
    assert bounces == pytest.approx([event.time for event in whole.events], abs=1e-8)


def test_the_start_is_in_the_part_where_its_values_are() -> None:
    assert cut_automaton(bouncing_ball(), Cut("fall", "y", 4.0)).initial.location == "fall_2"
    assert cut_automaton(bouncing_ball(), Cut("fall", "v", 4.0)).initial.location == "fall_1"
    assert part_of(CUT, "slip_plus", np.array([0.0, 0, 3]), ("x1", "x2", "x3")) == "slip_plus_2"
    assert part_of(CUT, "stick", np.array([0.0, 0, 3]), ("x1", "x2", "x3")) == "stick"


@pytest.mark.parametrize(
    ("text", "possible"),
    [
        ("y >= 1 and y <= 0", False),
        ("y >= 1 and y < 1", True),  # closed: they meet at y = 1
        ("y >= 1 and (y <= 0 or v <= 0)", True),
        ("y*y <= -1", True),  # not linear: not looked at
        ("y + v >= 1 and y <= 0 and v <= 0.5", False),
        ("y == 2 and y >= 3", False),
        ("y == 2 and y >= 1", True),
        ("true", True),
    ],
)
def test_linear_conditions_that_exclude_each_other_are_impossible(
    text: str, possible: bool
) -> None:
    assert is_possible(bouncing_ball(), parse_formula(text)) is possible
