"""Established times between signals: against closed forms, and against all sorts of runs."""

import math
import random

import pytest
from scipy.special import ellipk, ellipkinc

from dyverse.abstraction.timing.spacing import NotEstablished, established
from dyverse.automaton.network.component import Channel, Component, Variable
from dyverse.automaton.network.network import Network
from dyverse.automaton.network.writing import component, edge, network, place
from dyverse.automaton.signal_bounds import Bounds, signal_bounds
from dyverse.exporters.network import as_network
from dyverse.generation.model import parse_model
from dyverse.simulation.choice import Seeded
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate
from dyverse.text.examples import example_text

CLOSE = 1e-7  # s: the margin of guards and the solver


def example(name: str, **settings: float) -> Network:
    return as_network(parse_model(example_text(name), file=name).automaton(settings))


def written(text: str) -> Network:
    return as_network(parse_model(text).automaton({}))


def check(
    found: Bounds | NotEstablished, first: tuple[float, float], then: tuple[float, float]
) -> None:
    """The truth lies inside, and the bounds are no wider than a billionth."""
    assert isinstance(found, Bounds), found
    assert found.first_high is not None
    assert found.high is not None
    for low, high, (a, b) in (
        (found.first_low, found.first_high, first),
        (found.low, found.high, then),
    ):
        assert low <= a <= b <= high
        assert (low, high) == pytest.approx((a, b), abs=1e-9)


def inside(seen: Bounds, found: Bounds) -> None:
    """What a run shows lies within what is established."""
    assert found.first_low - CLOSE <= seen.first_low
    assert found.low - CLOSE <= seen.low
    assert (seen.first_high or 0) <= (found.first_high or math.inf) + CLOSE
    assert (seen.high or 0) <= (found.high or math.inf) + CLOSE


@pytest.mark.parametrize("rule", ["must", "may"])
def test_a_thermostat_switches_at_logarithms(rule: str) -> None:
    """From a to b in ln((c - a)/(c - b))/k; invariants force it, so both rules agree."""
    swing, begin = 10 * math.log(12 / 8), 10 * math.log(10 / 8)
    model = example("thermostat")
    for signal, first in (("off", begin), ("on", begin + swing)):
        found = established(model, signal, rule=rule)  # type: ignore[arg-type]
        check(found, (first, first), (2 * swing, 2 * swing))
        assert isinstance(found, Bounds)
        assert f"for all runs by the {rule} rule" in str(found)
        inside(signal_bounds([simulate(model, until=40.0)], signal), found)


def test_a_thermostat_from_any_start_in_its_range() -> None:
    found = established(example("thermostat"), "off", ranges={"T": (19.0, 21.0)})
    swing = 20 * math.log(12 / 8)
    first = 10 * math.log(9 / 8), 10 * math.log(11 / 8)
    check(found, first, (swing, swing))
    draw = random.Random(7)
    runs = [simulate(example("thermostat", T=draw.uniform(19, 21)), until=25.0) for _ in range(6)]
    assert isinstance(found, Bounds)
    inside(signal_bounds(runs, "off"), found)


def test_waiting_widens_bounds_by_the_may_rule_only() -> None:
    """Switching is allowed from 21.5 and 18.5 on and forced at 22 and 18."""
    model = written(
        """
        automaton room {
          real T = 20
          location heat { T' = 0.1*(30 - T)  invariant T <= 22 }
          location wait { T' = 0.1*(10 - T)  invariant T >= 18 }
          initial heat
          edge heat -> wait { when T >= 21.5  action off }
          edge wait -> heat { when T <= 18.5  action on }
        }
        """
    )
    short, long = 20 * math.log(11.5 / 8.5), 20 * math.log(12 / 8)
    early, late = 10 * math.log(10 / 8.5), 10 * math.log(10 / 8)
    check(established(model, "off", rule="may"), (early, late), (short, long))
    check(established(model, "off"), (early, early), (short, short))


def test_without_an_invariant_the_may_rule_has_no_upper_bound() -> None:
    steady = component(
        "c", [place("a", {"x": 2})], edge("a", "a", "x >= 3", {"x": 0}, action="full")
    )
    model = network(steady, shared=[Variable("x")])
    check(established(model, "full"), (1.5, 1.5), (1.5, 1.5))
    found = established(model, "full", rule="may")
    assert isinstance(found, Bounds)
    assert (found.high, found.first_high) == (None, None)
    assert found.low == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("signal", "first", "least", "most"),
    [
        ("pickup", 3, 10.5, 10.5),  # 1 s of rest, then 90 degrees at 45 degrees/s
        ("back", 10.5, 10.5, 10.5),  # 360 degrees take 8 s, the outer arm 2 times 0.75 s in between
        ("low", 2.5, 1 / 6, 35 / 6),  # both arms call it so
    ],
)
def test_a_robot_is_timed_to_the_last_digit(
    signal: str, first: float, least: float, most: float
) -> None:
    model = example("robot")
    found = established(model, signal)
    check(found, (first, first), (least, most))
    assert isinstance(found, Bounds)
    inside(signal_bounds([simulate(model, until=50.0)], signal), found)


def test_a_ball_up_to_a_time() -> None:
    """t₁ = √(2h/g), then 2 eⁿ t₁; up to 14 s there are six intervals."""
    model, first = example("bouncing-ball-floor"), math.sqrt(2 * 20 / 9.8)
    found = established(model, "touch", until=14.0)
    check(found, (first, first), (2 * 0.8**6 * first, 2 * 0.8 * first))
    assert "all runs to 14 s" in str(found)
    assert isinstance(found, Bounds)
    inside(signal_bounds([simulate(model, until=14.0)], "touch"), found)


def test_balls_from_a_range_of_heights() -> None:
    found = established(
        example("bouncing-ball-floor"), "bounce", until=6.0, ranges={"ball.y": (19.0, 21.0)}
    )
    low, high = (math.sqrt(2 * h / 9.8) for h in (19, 21))
    check_first = isinstance(found, Bounds) and (found.first_low, found.first_high)
    assert check_first == pytest.approx((low, high), abs=1e-9)
    assert isinstance(found, Bounds)
    draw = random.Random(3)
    for _ in range(4):
        model = example("bouncing-ball-floor", **{"ball.y": draw.uniform(19, 21)})
        inside(signal_bounds([simulate(model, until=6.0)], "bounce"), found)


def test_tanks_up_to_a_time() -> None:
    """Levels fall at 1/2 and rise at 1/4: calls at 1.5, 3.75, 4.875, 5.4375 s."""
    model = example("two-tanks")
    check(established(model, "right", until=5.5), (1.5, 1.5), (3.375, 3.375))
    check(established(model, "left", until=5.5), (3.75, 3.75), (1.6875, 1.6875))


def test_jumps_that_pile_up_are_not_established_for_all_time() -> None:
    found = established(example("bouncing-ball-floor"), "bounce", boxes=40)
    assert isinstance(found, NotEstablished)
    assert "jumps may pile up" in str(found)


def test_a_pendulum_takes_an_elliptic_integral() -> None:
    """From rest at 1 rad to θ takes K(k²) - F(φ, k²), k = sin(1/2), k sin φ = sin(θ/2)."""
    model = written(
        """
        automaton pendulum {
          real x = 1, v
          location swing { x' = v  v' = -sin(x) }
          initial swing
          edge swing -> swing { when x <= 0.9 and v < 0  do x := 1, v := 0  action down }
        }
        """
    )
    k = math.sin(0.5)
    time = float(ellipk(k * k) - ellipkinc(math.asin(math.sin(0.45) / k), k * k))
    check(established(model, "down"), (time, time), (time, time))


def test_all_choices_count() -> None:
    """Two ways lead back, over 2 s or over 5 s; whoever chooses, no run leaves the bounds."""
    twofold = component(
        "c",
        [
            place("a", invariant="x <= 1"),
            place("b", invariant="x <= 2"),
            place("d", invariant="x <= 5"),
        ],
        *[
            edge("a", "b", "x >= 1", {"x": 0}, action="go"),
            edge("a", "d", "x >= 1", {"x": 0}, action="go"),
            edge("b", "a", "x >= 2", {"x": 0}),
            edge("d", "a", "x >= 5", {"x": 0}),
        ],
    )
    model = network(twofold, shared=[Variable("x", "clock")])
    found = established(model, "go")
    check(found, (1, 1), (3, 6))
    runs = [simulate(model, until=60.0, options=Options(choice=Seeded(n))) for n in range(4)]
    seen = signal_bounds(runs, "go")
    assert (seen.low, seen.high) == pytest.approx((3, 6))


@pytest.mark.parametrize("seed", range(3))
def test_no_run_of_a_random_network_leaves_its_bounds(seed: int) -> None:
    """Two levels go up and down between random marks; one may turn early when the other is low."""
    draw = random.Random(seed)

    def level(name: str, other: str) -> Component:
        low, high = draw.uniform(0, 1), draw.uniform(2, 3)
        up, down = draw.uniform(0.5, 2), draw.uniform(-2, -0.5)
        early = f"{name} >= {(low + high) / 2} and {other} <= 1.5"
        return component(
            f"c{name}",
            [
                place("up", {name: up}, invariant=f"{name} <= {high}"),
                place("down", {name: down}, invariant=f"{name} >= {low}"),
            ],
            edge("up", "down", f"{name} >= {high}", action="top"),
            edge("up", "down", early, action="half"),
            edge("down", "up", f"{name} <= {low}", action="turn"),
        )

    levels = level("x", "y"), level("y", "x")
    model = network(*levels, shared=[Variable("x", start=1.2), Variable("y", start=1.7)])
    runs = [simulate(model, until=5.0, options=Options(choice=Seeded(n))) for n in range(3)]
    found = established(model, "turn", until=5.0)
    assert isinstance(found, Bounds)
    inside(signal_bounds(runs, "turn"), found)


def test_a_counter_that_is_read_is_followed_and_one_that_is_not_is_left_out() -> None:
    """Every third tick is loud; ``sum`` grows for ever, but nothing depends on it."""
    ticking = component(
        "c",
        [place("a", invariant="x <= 1")],
        *[
            edge("a", "a", "x >= 1 and n < 2", {"x": 0, "n": "n + 1", "sum": "sum + 1"}),
            edge("a", "a", "x >= 1 and n == 2", {"x": 0, "n": 0, "sum": "sum + 1"}, action="loud"),
        ],
    )
    counters = [Variable("n", "int", 0, 0, 2), Variable("sum", "int")]
    model = network(ticking, shared=[Variable("x", "clock"), *counters])
    check(established(model, "loud"), (3, 3), (3, 3))


def test_a_guard_of_equality_is_met_on_the_way() -> None:
    rising = component(
        "c", [place("a", {"x": 1})], edge("a", "a", "x == 2", {"x": 0}, action="met")
    )
    check(established(network(rising, shared=[Variable("x")]), "met"), (2, 2), (2, 2))


def test_a_handshake_at_an_equality_may_be_missed() -> None:
    """The partner is ready from 3 on, the sender at 2 only: they never meet."""
    sender = component("s", [place("a", {"x": 1})], edge("a", "a", "x == 2", sync="go!"))
    partner = component("r", [place("a", {"y": 1})], edge("a", "a", "y >= 3", sync="go?"))
    model = network(sender, partner, shared=[Variable("x"), Variable("y")])
    assert simulate(model, until=10.0).times("go") == []
    assert isinstance(established(model, "go"), NotEstablished)


def test_who_waits_for_ever_has_no_upper_bound() -> None:
    """After one signal nothing moves any more."""
    once = component(
        "c", [place("a", {"x": 1}), place("b")], edge("a", "b", "x >= 2", action="once")
    )
    found = established(network(once, shared=[Variable("x")]), "once")
    assert isinstance(found, Bounds)
    assert (found.low, found.high) == (0, None)
    assert found.first_high == pytest.approx(2)


def test_signals_that_come_only_after_others_may_stop_for_ever() -> None:
    """The second place is never left: the clock of ``first`` runs on while others signal."""
    busy = component(
        "c",
        [place("a", invariant="x <= 1"), place("b", invariant="x <= 1")],
        edge("a", "b", "x >= 1", {"x": 0}, action="first"),
        edge("b", "b", "x >= 1", {"x": 0}),
    )
    found = established(network(busy, shared=[Variable("x", "clock")]), "first")
    assert isinstance(found, Bounds)
    assert found.high is None


@pytest.mark.parametrize(
    ("rate", "guard", "reason"),
    [
        ("1", "x >= 3 and x < 2", "no run sends it"),
        ("sign(x - 1)", "x >= 3", "not continuous"),
        ("1 - x", "x >= 2", "no run sends it"),
        ("sqrt(x)", "x >= 2", "cannot be enclosed"),
    ],
)
def test_what_cannot_be_established_is_said(rate: str, guard: str, reason: str) -> None:
    item = component("c", [place("a", {"x": rate})], edge("a", "a", guard, action="s"))
    found = established(network(item, shared=[Variable("x")]), "s")
    assert isinstance(found, NotEstablished)
    assert reason in found.reason


def test_a_broadcast_and_a_committed_place_take_no_time() -> None:
    """The floor passes each bounce on at once."""
    model = example("bouncing-ball-floor")
    assert model.channels == (Channel("touch", broadcast=True),)
    bounce, touch = (established(model, name, until=6.0) for name in ("bounce", "touch"))
    assert isinstance(bounce, Bounds)
    assert isinstance(touch, Bounds)
    assert (touch.first_low, touch.high) == (bounce.first_low, bounce.high)
