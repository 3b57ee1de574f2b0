"""Orbits of bodies with impacts, proved, against closed forms."""

import math

import pytest

from dyverse.automaton.interface import HybridAutomaton
from dyverse.enclosure.interval import Interval
from dyverse.generation.model import parse_model
from dyverse.generation.skeleton.location import FREE_FLIGHT
from dyverse.proving.lasting import Outcome, Sure, Unsure, lasting_system
from dyverse.proving.orbits import orbit
from dyverse.proving.tours import Guess
from dyverse.simulation.simulate import Options, simulate
from dyverse.text.examples import example_text

TABLE = example_text("vibrating-table")
W, E, G, R = 60.0, 0.5, 9.81, 0.01
PERIOD = 2 * math.pi / W
FLOOR = """
gravity (0, -9.81, 0)
body floor { plane normal (0, 1, 0)  %s }
body ball { sphere radius 0.1  mass 1  position (0, 1.1, 0) }
force ball (0, %s, 0)
contact ball floor { restitution %s }
horizon 1
"""


def height(push: float, time: float) -> tuple[float, float]:
    """Place and speed of the ball that bounces once per period, some time before 2π/w.

    It leaves with π g/w, where the phase p of the table has cos p = π(1 - e)/((1 + e) push).
    """
    phase = math.acos(math.pi * (1 - E) / ((1 + E) * push))
    flown, fast = time - phase / W, math.pi * G / W
    table = push * G / W**2 * math.sin(phase)
    return R + table + fast * flown - G * flown**2 / 2, fast - G * flown


def followed(automaton: HybridAutomaton, until: float) -> dict[str, float]:
    """All states at a time."""
    end = simulate(automaton, until=until, options=Options(solver="native")).end
    return dict(zip(automaton.variables, end.values.tolist(), strict=True))


def bounce(push: float, time: float = 64 / 1024) -> Outcome:
    """What is proved of the bounce near its closed form."""
    settings = {"push": push}
    automaton = parse_model(TABLE).automaton(settings)
    values = followed(automaton, time)
    values["ball.y"], values["ball.vy"] = height(push, time)
    values["table.y"] = push * G / W**2 * math.sin(W * time)
    values["table.vy"] = push * G / W * math.cos(W * time)
    guess = Guess(FREE_FLIGHT, values, PERIOD, time)
    return orbit(lasting_system(TABLE, settings), automaton, guess)


def holds(interval: Interval, number: float, slack: float = 1e-12) -> bool:
    return interval[0] - slack <= number <= interval[1] + slack


@pytest.mark.parametrize(("push", "stable"), [(1.3, True), (1.7, False)])
def test_a_ball_bounces_once_per_period_for_ever(push: float, stable: bool) -> None:
    """It attracts up to a push of 1.527; the product of its multipliers is e²."""
    found = bounce(push)
    assert isinstance(found, Sure)
    assert found.stable is stable
    place, speed = height(push, 64 / 1024)
    assert holds(found.at["ball.y"], place)
    assert holds(found.at["ball.vy"], speed)
    assert found.at["ball.y"][1] - found.at["ball.y"][0] < 1e-6
    assert found.period is not None
    assert holds(found.period, PERIOD)
    ((a, b), (c, d)), ((e, f), (g, h)) = found.spectrum
    wide = sum(high - low for low, high in ((a, b), (c, d), (e, f), (g, h)))
    first, second = (complex(sum(r) / 2, sum(i) / 2) for r, i in found.spectrum)
    assert abs(first * second - E**2) < wide
    assert wide < 0.2


def tried(moves: str, force: str, period: float, restitution: float = 1.0) -> Outcome:
    text = FLOOR % (moves, force, restitution)
    automaton = parse_model(text).automaton()
    guess = Guess(FREE_FLIGHT, followed(automaton, 0.25), period, 0.25)
    return orbit(lasting_system(text, {}), automaton, guess)


def test_a_ball_that_loses_energy_never_comes_back() -> None:
    assert isinstance(tried("", "0", 2 * math.sqrt(2 / 9.81), 0.9), Unsure)


def test_a_ball_that_keeps_its_energy_is_on_no_orbit_that_is_alone() -> None:
    assert isinstance(tried("", "0", 2 * math.sqrt(2 / 9.81)), Unsure)


@pytest.mark.parametrize(
    ("moves", "force", "period", "why"),
    [
        ("moves (0, 0.01*sin(9*t), 0)", "sin(4*t)", 1.0, "not plainly multiples of one"),
        ("moves (0, 0.01*sin(9*t), 0)", "0", 1.0, "no multiple of that of the waves"),
        ("", "t^2/100", 1.0, "not as waves"),
        ("moves (0, t/100, 0)", "sin(9*t)", 1.0, "not as waves"),
    ],
)
def test_what_cannot_be_proved_says_why(moves: str, force: str, period: float, why: str) -> None:
    found = tried(moves, force, period)
    assert isinstance(found, Unsure)
    assert why in found.why


def test_bodies_with_automata_are_refused() -> None:
    text = FLOOR % ("", "hand.f", 1) + (
        "automaton hand { real f  location a { f' = 1 } initial a }\nsystem hand\n"
    )
    automaton = parse_model(text).automaton()
    guess = Guess(FREE_FLIGHT, followed(automaton, 0.25), 1.0, 0.25)
    found = orbit(lasting_system(text, {}), automaton, guess)
    assert found == Unsure("unsupported: orbits of bodies that run with automata")
