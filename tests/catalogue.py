"""Small automata with known facts. Every package is tested over all of them: add a model once."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from dyverse.automaton.run import Stop
from dyverse.automaton.written.writing import automaton, edge, location, node
from dyverse.automaton.written.written import WrittenAutomaton

G = 9.81


def bouncing_ball(
    *, height: float = 10.0, e: float = 0.8, guard: str = "y <= 0 and v < 0"
) -> WrittenAutomaton:
    """A ball over a floor; the sloppy guard ``y <= 0`` must do as well."""
    return automaton(
        name="ball",
        variables="y v",
        parameters={"g": G, "e": e},
        locations=[location("fall", {"y": "v", "v": "-g"})],
        edges=[edge("fall", "fall", guard, {"v": "-e*v"}, action="bounce")],
        initial=("fall", {"y": height}),
    )


def bounces(count: int, *, height: float = 10.0, e: float = 0.8) -> list[float]:
    """Impacts at t₁ (1 + 2 Σ eⁱ), t₁ = √(2h/g)."""
    first = math.sqrt(2 * height / G)
    return [first * (1 + 2 * sum(e**i for i in range(1, n + 1))) for n in range(count)]


def thermostat() -> WrittenAutomaton:
    """Heats towards 30 °C until 22, cools towards 10 °C until 18; starts at 20, heating."""
    return automaton(
        name="thermostat",
        variables="T",
        parameters={"low": 18, "high": 22, "k": 0.1},
        locations=[
            location("on", {"T": "k*(30 - T)"}, invariant="T <= high"),
            location("off", {"T": "k*(10 - T)"}, invariant="T >= low"),
        ],
        edges=[
            edge("on", "off", "T >= high", action="off"),
            edge("off", "on", "T <= low", action="on"),
        ],
        initial=("on", {"T": 20}),
    )


def thermostat_switches(count: int) -> list[float]:
    """First 10 ln(10/8) s from 20 to 22 °C, then 10 ln(12/8) s for each way."""
    return [10 * math.log(10 / 8) + n * 10 * math.log(12 / 8) for n in range(count)]


def swapper() -> WrittenAutomaton:
    """Each second x and y change places."""
    return automaton(
        name="swapper",
        variables="x y c",
        locations=[location("wait", {"c": 1})],
        edges=[edge("wait", "wait", "c >= 1", {"x": "y", "y": "x", "c": 0}, action="swap")],
        initial=("wait", {"x": 1, "y": 2}),
    )


def sign_change() -> WrittenAutomaton:
    """x falls through zero between two locations whose guards negate each other."""
    return automaton(
        name="sign change",
        variables="x",
        locations=[location("positive", {"x": -1}), location("negative", {"x": -1})],
        edges=[
            edge("positive", "negative", "x < 0", action="down"),
            edge("negative", "positive", "x >= 0", action="up"),
        ],
        initial=("positive", {"x": 1}),
    )


def square_root(*, a: float = 2.0, max_sweeps: int = 50) -> WrittenAutomaton:
    """After one second a node finds √a by Heron's rule and leaves it in x."""
    heron = node(
        "heron",
        local="r",
        entrance={"r": "a"},
        steps={"halve": {"r": "(r + a/r)/2"}},
        residual="abs(r*r - a)",
        converged="abs(r*r - a) <= 1e-12*a",
        exit={"x": "r"},
        max_sweeps=max_sweeps,
    )
    return automaton(
        name="square root",
        variables="x c",
        parameters={"a": a},
        locations=[location("wait", {"c": 1}), location("done")],
        nodes=[heron],
        edges=[edge("wait", "heron", "c >= 1", action="root"), edge("heron", "done")],
        initial=("wait", {}),
    )


@dataclass(frozen=True, kw_only=True)
class Case:
    """An automaton, and what a run of it to ``until`` shows."""

    make: Callable[[], WrittenAutomaton]
    until: float
    events: dict[str, list[float]] = field(default_factory=dict)  # times by kind
    final: dict[str, float] = field(default_factory=dict)
    stop: Stop = Stop.HORIZON


CATALOGUE = {
    "ball": Case(make=bouncing_ball, until=6.0, events={"bounce": bounces(3)}),
    "sloppy ball": Case(
        make=lambda: bouncing_ball(guard="y <= 0"), until=6.0, events={"bounce": bounces(3)}
    ),
    "ball on equality": Case(
        make=lambda: bouncing_ball(guard="y == 0 and v < 0"),
        until=6.0,
        events={"bounce": bounces(3)},
    ),
    "zeno ball": Case(make=bouncing_ball, until=20.0, stop=Stop.LIVELOCK, final={"y": 0, "v": 0}),
    "thermostat": Case(
        make=thermostat,
        until=15.0,
        events={"off": thermostat_switches(4)[::2], "on": thermostat_switches(4)[1::2]},
    ),
    "swapper": Case(
        make=swapper,
        until=3.5,
        events={"swap": [1.0, 2.0, 3.0]},
        final={"x": 2, "y": 1, "c": 0.5},
    ),
    "sign change": Case(
        make=sign_change, until=3.0, events={"down": [1.0], "up": []}, final={"x": -2}
    ),
    "square root": Case(
        make=square_root, until=2.0, events={"root": [1.0]}, final={"x": math.sqrt(2)}
    ),
}
