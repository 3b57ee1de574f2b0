"""Requirements in text along runs, against closed forms; zero-time states and events in order.

The ball falls from 2.5 m: it hits the floor at √(5/g), with √(5g) downwards, and leaves it with 0.8
of that; the time between impacts i and i + 1 is 2·0.8ⁱ⁺¹√(5/g).
"""

from __future__ import annotations

import math

import pytest

from dyverse.automaton.run import Run
from dyverse.bodies.world import Property
from dyverse.expr.term import as_term
from dyverse.generation.model import parse_model
from dyverse.simulation.requirement.properties import Broken, Kept, Open, Outcome
from dyverse.simulation.requirement.properties import outcome as became
from dyverse.simulation.simulate import Options, simulate
from dyverse.text.parse import parse_formula, parse_requirement
from tests.exporters.sample_runs import SPRING, sample

G = 9.81
FIRST, SPEED = math.sqrt(5 / G), math.sqrt(5 * G)
BALL = f"""
gravity (0, -{G}, 0)
body ball {{ sphere radius 0.5  mass 1  position (0, 3, 0) }}
body floor {{ plane normal (0, 1, 0) }}
contact ball floor {{ restitution 0.8 }}
"""


def flight(count: int) -> float:
    """The time of an impact, counted from 1."""
    return FIRST * (1 + 2 * sum(0.8**i for i in range(1, count)))


def outcome(run: Run, text: str) -> Outcome:
    return became(run, Property(name="p", requirement=parse_requirement(text)), {})


@pytest.fixture(scope="module", params=["reference", "native"])
def ball(request: pytest.FixtureRequest) -> Run:
    options = Options(solver=request.param)
    return simulate(parse_model(BALL).automaton(), until=4.0, options=options)


def broken(run: Run, text: str) -> Broken:
    found = outcome(run, text)
    assert isinstance(found, Broken), found
    return found


def test_how_often_something_happens_is_a_number(ball: Run) -> None:
    assert broken(ball, "always count(impact[ball,floor]) < 3").time == pytest.approx(flight(3))
    found = outcome(ball, "always[0, 2] count(impact[ball,floor]) < 3")
    assert isinstance(found, Kept)
    assert found.leeway == math.inf


def test_an_event_sees_the_state_behind_it_and_those_before_in_the_same_instant(ball: Run) -> None:
    hit = "always impact[ball,floor] implies"
    assert isinstance(outcome(ball, f"{hit} ball.vy > 0"), Kept)
    assert isinstance(outcome(ball, f"{hit} once[0, 0] ball.vy < 0"), Kept)
    assert isinstance(outcome(ball, f"{hit} ball.vy < 0"), Broken)
    harder = broken(ball, f"{hit} historically[0, 0] ball.vy > {-SPEED + 1e-6}")
    assert harder.time == pytest.approx(FIRST, abs=1e-9)
    assert harder.worst.margin == pytest.approx(-1e-6, rel=1e-3)
    assert harder.worst.decides == parse_formula(f"ball.vy > {-SPEED + 1e-6}")


def test_a_fall_from_rest_never_rises_above_its_start(ball: Run) -> None:
    """The cubics about the start turn there, and their rounding is no height."""
    kept = outcome(ball, "always ball.y <= 3")
    assert isinstance(kept, Kept)
    assert kept.worst.margin == 0
    assert broken(ball, "eventually ball.y > 3").worst.margin == pytest.approx(0, abs=1e-300)


def test_a_deadline_after_an_event_is_missed_when_it_has_passed(ball: Run) -> None:
    """After the second impact the ball gets 2.5·0.8⁴ = 1.024 m high, half of its flight later."""
    late = "always impact[ball,floor] implies eventually[0, 1] ball.y > 0.5 + 1.5"
    found = broken(ball, late)
    assert found.time == pytest.approx(flight(2) + 1, abs=1e-8)
    assert found.worst.margin == pytest.approx(2.5 * 0.8**6 - 1.5, abs=1e-8)  # after the third
    assert found.worst.time == pytest.approx(flight(3) + 0.8**3 * FIRST, abs=1e-6)
    assert found.until == pytest.approx(3.0)  # what comes later has no second to be seen


def test_what_a_run_is_too_short_for_is_open(ball: Run) -> None:
    """The fourth impact is at 3.501 s, and the run ends at 4 s."""
    claim = parse_requirement("always impact[ball,floor] implies always[0, 1] ball.y >= 0.4")
    for until, kind in ((3.6, Open), (3.4, Kept)):
        over = Property(name="p", requirement=claim, until=as_term(until))
        assert over.over({}) == pytest.approx(until + 1)
        assert isinstance(became(ball, over, {}), kind)


def test_within_a_time_after_another_something_lasts(ball: Run) -> None:
    """Faster than 4 m/s for 0.3 s: on the way down, from 4/g on."""
    fast = "eventually always[0, 0.1] ball.vy < -4"
    assert isinstance(outcome(ball, fast), Kept)
    never = broken(ball, "eventually always[0, 0.4] ball.vy < -4")
    assert never.worst.margin == pytest.approx(-(4 - G * (FIRST - 0.4)), abs=1e-7)


def test_until_and_since_are_mirror_images() -> None:
    """x = cos 2t is 0.2 above 0.1 until it falls, and 0.2 above it since it rises."""
    run, low = sample(SPRING, math.pi), math.acos(-0.1) / 2
    for share, kind in ((1e-3, Kept), (-1e-3, Broken)):
        after = low + share
        assert isinstance(outcome(run, f"m.x > -0.3 until[0, {after}] m.x < -0.1"), kind)
        end = f"t > {math.pi - 1e-9}"
        since = f"always {end} implies (m.x > -0.3 since[0, {after}] m.x < -0.1)"
        assert isinstance(outcome(run, since), kind)


def test_the_past_begins_where_the_run_does() -> None:
    run = sample(SPRING, 3.0)
    assert isinstance(outcome(run, "always once m.x >= 1 - 1e-9"), Kept)
    assert isinstance(outcome(run, "always t > 1 implies not historically m.x > 0"), Kept)
    before = broken(run, "always once[0.5, 1] m.x > -2")  # there is nothing half a second before
    assert before.time == 0
    assert before.worst.margin == -math.inf


def test_a_violation_is_certain_as_soon_as_all_windows_have_a_state_that_fails() -> None:
    """Of the windows that begin from 7/8 s on to 1 s, the last has failed at its first state."""
    run = sample(SPRING, 3.0)
    late = "eventually[0, 0.125] always[1, 1] historically[0, 0.125] t < 0.5"
    assert broken(run, late).time == pytest.approx(1.0, abs=1e-9)
    assert broken(run, "eventually[1, 1.125] historically[0, 0.125] t < 0.5").time == (
        pytest.approx(1.0, abs=1e-9)
    )


def test_chained_comparisons_are_two() -> None:
    run = sample(SPRING, 3.0)
    found = broken(run, "always -0.5 < m.x < 2")
    assert found.time == pytest.approx(math.pi / 3, abs=1e-8)
    assert found.worst.margin == pytest.approx(-0.5, abs=1e-8)


LAMP = """
automaton lamp {
  clock c
  int n = 0 in [0, 99]
  location off { invariant c <= 2 }
  location flash { committed }
  location on { invariant c <= 1 }
  initial off
  edge off -> flash { when c >= 2  do c := 0, n := n + 1  action press }
  edge flash -> on { }
  edge on -> off { when c >= 1  do c := 0  action release }
}
system lamp
"""


@pytest.mark.parametrize("solver", ["reference", "native"])
@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("always action[press] implies lamp.flash", None),
        ("always lamp.flash implies eventually[0, 0] lamp.on", None),
        ("always lamp.flash implies once[0, 0] lamp.off", None),
        ("always lamp.on implies once[0, 1] action[press]", None),
        ("always action[press] implies eventually[1, 1] action[release]", None),
        ("always action[press] implies not eventually[0.1, 2.5] action[press]", None),
        ("always action[press] implies eventually[0.1, 2] action[press]", 4.0),
        ("always count(action[press]) == lamp.n", None),
        ("always count(action[press]) < 3", 8.0),
        ("lamp.off until[2, 2] lamp.flash", None),
        ("lamp.off until[0, 1.5] lamp.flash", 1.5),
        ("always lamp.off before lamp.flash", None),
    ],
)
def test_states_of_one_instant_are_seen_in_their_order(
    text: str, time: float | None, solver: str
) -> None:
    """Off for 2 s, on for 1 s; nothing of it has an error."""
    run = simulate(parse_model(LAMP).automaton(), until=12.0, options=Options(solver=solver))
    found = outcome(run, text)
    if time is None:
        assert isinstance(found, Kept), found
    else:
        assert isinstance(found, Broken), found
        assert found.time == pytest.approx(time, abs=1e-9)
        assert not found.marginal


SAW = """
automaton saw {
  real T = 18
  location up { T' = 1  invariant T <= 22 }
  location down { T' = -1  invariant T >= 18 }
  initial up
  edge up -> down { when T >= 22 }
  edge down -> up { when T <= 18 }
}
"""


@pytest.mark.parametrize("solver", ["reference", "native"])
def test_properties_name_locations_of_an_automaton_that_runs_alone(solver: str) -> None:
    """It goes up and down for 4 s each."""
    asked = "property p: always[0, 8] saw.down implies eventually[0, 3.9] saw.up"
    model = parse_model(SAW + asked)
    run = simulate(model.automaton(), until=12.0, options=Options(solver=solver))
    found = became(run, model.properties[0], {})
    assert isinstance(found, Broken)
    assert found.time == pytest.approx(7.9)
    assert isinstance(outcome(run, "always[0, 8] saw.down implies eventually[0, 4] saw.up"), Kept)
    assert model.written().name == "saw"  # behaviours of it are still found


def test_a_run_that_ends_in_the_middle_of_an_instant_leaves_its_window_open() -> None:
    """At 0.25 s n becomes 2, and then leaves its range: what it would have been is not known."""
    text = """
    automaton a {
      int n = 1 in [0, 3]
      clock c
      location first { invariant c <= 0.25 }
      location second { urgent }
      initial first
      edge first -> second { when c >= 0.25  do n := n + 1 }
      edge second -> first { do n := n + 2, c := 0 }
    }
    """
    run = simulate(parse_model(text).automaton(), until=1, options=Options(solver="reference"))
    assert run.end.time == pytest.approx(0.25)
    assert isinstance(outcome(run, "eventually[0.25, 0.25] n >= 3"), Open)
    assert isinstance(outcome(run, "always[0.25, 0.25] n < 3"), Open)
    assert isinstance(outcome(run, "always[0, 0.25] n < 2"), Broken)
    assert isinstance(outcome(run, "eventually[0, 0.2] n >= 2"), Broken)
