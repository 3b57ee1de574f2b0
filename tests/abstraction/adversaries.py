"""Systems that tempt one to say *for ever*, each with what it truly does in the long run.

Slow variables that seize or free a system late, neutral directions, weak attraction, tori, chaos,
ghosts of orbits that are no more, relays of any degree, impacts, blow-up. `judged` compares a
verdict with the truth: *undecided* is always allowed, a claim must be right.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from dyverse.abstraction.evidence.verdict import (
    Converges,
    Repeats,
    Unclassified,
    Undecided,
    Verdict,
)
from dyverse.automaton.surface.discontinuous import DiscontinuousSystem, discontinuous_automaton
from dyverse.automaton.written.writing import assignments, automaton, edge, location, term
from dyverse.automaton.written.written import Start, WrittenAutomaton
from tests.abstraction.systems import drilling, logistic, metronome, relay, rings
from tests.catalogue import bouncing_ball, swapper, thermostat

Truth = Literal["converges", "repeats", "escapes", "ends", "none"]
Numbers = dict[str, float]
Rates = dict[str, str]


@dataclass(frozen=True, slots=True)
class Adversary:
    """A system and its truth: where it converges to, or with which period it repeats."""

    name: str
    make: Callable[[], WrittenAutomaton]
    truth: Truth
    until: float = 100.0
    at: Numbers = field(default_factory=dict)
    period: float | None = None
    must: bool = False  # whether undecided is not enough


def judged(case: Adversary, verdict: Verdict) -> Literal["right", "undecided", "wrong"]:
    """Whether a verdict is the truth."""
    if isinstance(verdict, Undecided):
        return "right" if case.truth == "none" else "undecided"
    return "right" if _agrees(case, verdict) else "wrong"


def _agrees(case: Adversary, verdict: Verdict) -> bool:
    match verdict:
        case Converges(evidence=evidence):
            names = case.make().variables
            found = dict(zip(names, evidence.point.values.tolist(), strict=True))
            near = all(math.isclose(found[n], x, abs_tol=1e-3) for n, x in case.at.items())
            return case.truth == "converges" and near
        case Repeats(evidence=evidence):
            period = evidence.orbit.period
            right = case.period is None or math.isclose(period, case.period, rel_tol=1e-3)
            return case.truth == "repeats" and right
        case Unclassified():
            return case.truth == "ends"
        case _:
            return case.truth == type(verdict).__name__.lower()


def flow(rates: Rates, start: Numbers) -> WrittenAutomaton:
    """One location and nothing else."""
    return automaton(
        variables=" ".join(rates), locations=[location("on", rates)], initial=("on", start)
    )


def forced(rates: Rates, start: Numbers, period: float = 2 * math.pi) -> WrittenAutomaton:
    """One location that depends on time with a period."""
    return automaton(
        variables=" ".join(rates),
        locations=[location("on", rates)],
        initial=("on", start),
        period=period,
    )


def seizing(rate: Rates, when: str, start: Numbers) -> WrittenAutomaton:
    """A thermostat with one more variable, which may jam it: then it cools down for ever."""
    return automaton(
        variables="T w",
        locations=[
            location("on", {"T": "0.5*(30 - T)", **rate}),
            location("off", {"T": "0.5*(10 - T)", **rate}),
            location("jammed", {"T": "0.5*(10 - T)"}),
        ],
        edges=[
            edge("on", "jammed", when, action="j"),
            edge("off", "jammed", when, action="j"),
            edge("on", "off", "T >= 22", action="off"),
            edge("off", "on", "T <= 18", action="on"),
        ],
        initial=("on", {"T": 20, **start}),
    )


def wearing(share: float, when: str) -> WrittenAutomaton:
    """The same, but the variable changes from round to round."""
    return automaton(
        variables="T w",
        parameters={"k": share},
        locations=[
            location("on", {"T": "0.5*(30 - T)"}),
            location("off", {"T": "0.5*(10 - T)"}),
            location("jammed", {"T": "0.5*(10 - T)"}),
        ],
        edges=[
            edge("on", "jammed", when, action="j"),
            edge("on", "off", "T >= 22", {"w": "k*w"}, action="off"),
            edge("off", "on", "T <= 18", action="on"),
        ],
        initial=("on", {"T": 20, "w": 1}),
    )


def surface(
    s: str, above: Rates, below: Rates, start: Numbers, place: str = "slip_plus", along: str = ""
) -> WrittenAutomaton:
    """Two fields and the surface between them."""
    return discontinuous_automaton(
        DiscontinuousSystem(
            variables=tuple(above),
            surface=term(s),
            above=assignments(above),
            below=assignments(below),
            along=along,
            initial=Start(place, tuple(start.items())),
        )
    )


def double(damping: float, start: Numbers, place: str = "slip_plus") -> WrittenAutomaton:
    """x'' = -sign(x) - c x'."""
    above, below = ({"x": "v", "v": f"0 {side} 1 - ({damping})*v"} for side in "-+")
    return surface("x", above, below, start, place)


def block(x: float) -> WrittenAutomaton:
    """A mass on a spring with Coulomb friction: it rests anywhere in |x| ≤ 1/2."""
    above, below = ({"x": "v", "v": f"-x {sign} 0.5"} for sign in "-+")
    return surface("v", above, below, {"x": x, "v": 0.0}, "slip_minus", along="v")


def on_belt(ageing: float) -> WrittenAutomaton:
    """Stick-slip on a belt; the grip grows while it sticks and is lost in slip."""
    slip = {"x": "v", "v": "-x + 0.6 + 0.4/(1 + 3*(1 - v))", "a": "-5*a"}
    return automaton(
        variables="x v a",
        parameters={"k": ageing},
        locations=[
            location("stick", {"x": "1", "a": "k*(1 - a)"}),
            location("slip", slip),
        ],
        edges=[
            edge("stick", "slip", "x >= 1 + 0.3*a", {"v": "0.999"}, action="s"),
            edge("slip", "stick", "v >= 1", {"v": "1"}, action="g"),
        ],
        initial=("stick", {"x": 0, "v": 1, "a": 0}),
    )


def impacting(gap: float, e: float, omega: float) -> WrittenAutomaton:
    """A driven oscillator that hits a wall; the phase is a variable of its own."""
    hit = edge("free", "free", "x >= d and v > 0", {"v": "-e*v"}, action="h")
    turn = edge("free", "free", "p >= period", {"p": "0"}, action="t")
    return automaton(
        variables="x v p",
        parameters={"d": gap, "e": e, "w": omega, "period": 2 * math.pi / omega},
        locations=[location("free", {"x": "v", "v": "-x - 0.1*v + cos(w*p)", "p": "1"})],
        edges=[hit, turn],
        initial=("free", {"x": -1, "v": 0, "p": 0}),
    )


def switching(a: Rates, b: Rates, start: Numbers) -> WrittenAutomaton:
    """Two linear fields that take turns at the axes."""
    return automaton(
        variables="x y",
        locations=[location("one", a), location("two", b)],
        edges=[
            edge("one", "two", "x*y < 0", action="p"),
            edge("two", "one", "x*y > 0", action="q"),
        ],
        initial=("one", start),
    )


RADIUS = "(x^2 + y^2)"


def hopf(mu: str, start: Numbers, sign: str = "-") -> WrittenAutomaton:
    """r' = mu r ∓ r³, with the angle growing by one per second."""
    grow = f"({mu} {sign} {RADIUS})"
    return flow({"x": f"-y + x*{grow}", "y": f"x + y*{grow}"}, start)


def lorenz(rho: float) -> WrittenAutomaton:
    rates = {"x": "10*(y - x)", "y": f"x*({rho} - z) - y", "z": "x*y - 8/3*z"}
    return flow(rates, {"x": 1, "y": 1, "z": 20})


def roessler(c: float) -> WrittenAutomaton:
    rates = {"x": "-y - z", "y": "x + 0.2*y", "z": f"0.2 + z*(x - {c})"}
    return flow(rates, {"x": 1, "y": 1, "z": 0})


def oscillator(mu: str, more: Rates, start: Numbers) -> WrittenAutomaton:
    """van der Pol's, with other variables beside it."""
    return flow({"x": "y", "y": f"({mu} - x^2)*y - x", **more}, {"x": 1, **start})


def may_leonard() -> WrittenAutomaton:
    """Three species that replace each other, ever more slowly: a heteroclinic cycle."""
    rates = {
        a: f"{a}*(1 - {a} - 0.8*{b} - 1.4*{c})"
        for a, b, c in (("x", "y", "z"), ("y", "z", "x"), ("z", "x", "y"))
    }
    return flow(rates, {"x": 0.5, "y": 0.3, "z": 0.2})


def ratchet(step: float, most: float) -> WrittenAutomaton:
    """A thermostat whose every stroke tightens it a little, until it is stuck."""
    return automaton(
        variables="T n",
        parameters={"d": step, "most": most},
        locations=[
            location("on", {"T": "0.5*(30 - T)"}),
            location("off", {"T": "0.5*(10 - T)"}),
            location("stuck", {"T": "15 - T"}),
        ],
        edges=[
            edge("on", "stuck", "n >= most", action="s"),
            edge("on", "off", "T >= 22", {"n": "n + d"}, action="off"),
            edge("off", "on", "T <= 18", action="on"),
        ],
        initial=("on", {"T": 20}),
    )


def counted(most: int) -> WrittenAutomaton:
    """A clock that stops after so many strokes."""
    return automaton(
        variables="c n",
        locations=[location("go", {"c": "1"}), location("over")],
        edges=[
            edge("go", "over", f"n >= {most}", action="o"),
            edge("go", "go", "c >= 1", {"c": "0", "n": "n + 1"}, action="p"),
        ],
        initial=("go", {}),
    )


def reaching(speed: str, goal: str) -> WrittenAutomaton:
    """x grows to 1, where it would leave; it gets there only in the limit, or just touches it."""
    return automaton(
        variables="x y",
        locations=[location("near", {"x": speed, "y": "1 - y"}), location("gone", {"x": "-x - 3"})],
        edges=[edge("near", "gone", goal, action="g")],
        initial=("near", {}),
    )


VDP = 6.6632868593  # the period of van der Pol's oscillator, s
TWO = 2 * math.pi
HALF_SQUARE = 4 * math.sqrt(2)


def _case(
    name: str,
    make: Callable[[], WrittenAutomaton],
    truth: Truth,
    *,
    until: float = 100.0,
    at: Numbers | None = None,
    period: float | None = None,
    must: bool = False,
) -> Adversary:
    return Adversary(name, make, truth, until, at or {}, period, must)


SLOW = (
    _case(
        "a slow variable jams it at 51 s",
        lambda: seizing({"w": "0.02*(1 - w)"}, "w >= 0.64", {}),
        "converges",
        at={"T": 10},
    ),
    _case(
        "it jams at 51 s, and 60 s are looked at, until just before",
        lambda: seizing({"w": "0.02*(1 - w)"}, "w >= 0.64", {}),
        "converges",
        until=50.0,
    ),
    _case(
        "it jams in a window on the way only",
        lambda: seizing({"w": "0.02*(1 - w)"}, "w >= 0.64 and w <= 0.66", {}),
        "converges",
        at={"T": 10},
    ),
    _case(
        "it jams in a window just before the limit",
        lambda: seizing({"w": "0.1*(1 - w)"}, "w >= 0.9995 and w <= 0.9997", {}),
        "converges",
        at={"T": 10},
    ),
    _case(
        "it never jams",
        lambda: seizing({"w": "0.1*(1 - w)"}, "w >= 1.5", {}),
        "repeats",
        must=True,
    ),
    _case(
        "it jams after 1000 s of drift", lambda: seizing({"w": "1e-3"}, "w >= 1", {}), "converges"
    ),
    _case(
        "it jams after thirty years",
        lambda: seizing({"w": "1e-9"}, "w >= 1", {}),
        "converges",
    ),
    _case(
        "a drift below rounding jams it",
        lambda: seizing({"w": "1e-13"}, "w >= 1", {"w": 0.5}),
        "converges",
    ),
    _case(
        "a number written as a variable does not jam it",
        lambda: seizing({"w": "0"}, "w >= 1", {"w": 0.5}),
        "repeats",
        must=True,
    ),
    _case(
        "wear that tends to nothing jams it on the way",
        lambda: wearing(0.95, "w <= 0.3 and w >= 0.2"),
        "converges",
        at={"T": 10},
    ),
    _case(
        "wear that tends to nothing jams it at the end",
        lambda: wearing(0.9, "w <= 3e-4 and w >= 2e-4"),
        "converges",
        at={"T": 10},
    ),
    _case("wear does no harm", lambda: wearing(0.9, "w <= -1"), "repeats", until=200, must=True),
    _case("a clock stops after a thousand strokes", lambda: counted(1000), "converges"),
    _case("a metronome drifts", metronome, "none"),
    _case("a metronome drifts by 1e-12", lambda: metronome(1e-12), "none"),
    _case(
        "damping that fades: the oscillation dies in the end",
        lambda: oscillator("1 - w", {"w": "0.01"}, {}),
        "none",  # at w > 1 it comes to rest, and w goes on for ever
    ),
    _case(
        "damping that fades to a level below zero",
        lambda: oscillator("1 - w", {"w": "0.02*(2 - w)"}, {}),
        "converges",
        until=500,
        at={"x": 0, "y": 0, "w": 2},
    ),
    _case(
        "the number of an oscillator is a variable",
        lambda: oscillator("m", {"m": "0"}, {"m": 1}),
        "repeats",
        period=VDP,
        must=True,
    ),
    _case(
        "an odometer beside an oscillator",
        lambda: oscillator("1", {"s": "1"}, {}),
        "none",
    ),
    _case("grip that ages", lambda: on_belt(0.5), "repeats", until=200),
    _case("each stroke tightens it by 1e-12", lambda: ratchet(1e-12, 1), "converges"),
    _case("each stroke tightens it", lambda: ratchet(0.01, 0.5), "converges", at={"T": 15}),
    _case(
        "bursts: a slow oscillation turns a fast one on and off",
        lambda: oscillator("4*u", {"u": "0.02*v", "v": "-0.02*u"}, {"u": 1}),
        "none",
    ),
    _case(
        "an integrator winds up behind an oscillator",
        lambda: oscillator("1", {"s": "1e-4*x^2"}, {}),
        "none",
    ),
    _case(
        "a sum is kept: one of a continuum of orbits",
        lambda: oscillator("a + b", {"a": "0.1*(b - a)", "b": "0.1*(a - b)"}, {"a": 1}),
        "repeats",
        period=VDP,
    ),
    _case("grip that ages slowly", lambda: on_belt(1e-3), "repeats", until=60),
)

WEAK = (
    _case("a centre", lambda: flow({"x": "y", "y": "-x"}, {"x": 1}), "none"),
    _case("a pendulum", lambda: flow({"x": "y", "y": "-sin(x)"}, {"x": 1}), "none"),
    _case(
        "predator and prey",
        lambda: flow({"x": "x*(1 - y)", "y": "y*(x - 1)"}, {"x": 2, "y": 1}),
        "none",
    ),
    _case("x' = -x^3", lambda: flow({"x": "-x^3"}, {"x": 1}), "converges", at={"x": 0}, must=True),
    _case("x' = -x^5", lambda: flow({"x": "-x^5"}, {"x": -1}), "converges", at={"x": 0}),
    _case("x' = -x^2 from the right", lambda: flow({"x": "-x^2"}, {"x": 1}), "converges"),
    _case("x' = -x^2 from the left", lambda: flow({"x": "-x^2"}, {"x": -1e-3}), "escapes"),
    _case("x' = x^3 from very near", lambda: flow({"x": "x^3"}, {"x": 1e-3}), "escapes"),
    _case(
        "a centre manifold that attracts",
        lambda: flow({"x": "-x^3 + x*y", "y": "-y - x^2"}, {"x": 0.5, "y": 0.5}),
        "converges",
        at={"x": 0, "y": 0},
    ),
    _case(
        "a centre manifold that repels, slowly",
        lambda: flow({"x": "x*y", "y": "-y + x^2"}, {"x": 0.01}),
        "escapes",
    ),
    _case(
        "a spiral damped by the third power",
        lambda: flow({"x": "y", "y": "-x - y^3"}, {"x": 1}),
        "converges",
        at={"x": 0, "y": 0},
    ),
    _case("damping of 1e-9", lambda: flow({"x": "y", "y": "-x - 1e-9*y"}, {"x": 1}), "converges"),
    _case("driven by 1e-9", lambda: flow({"x": "y", "y": "-x + 1e-9*y"}, {"x": 1}), "escapes"),
    _case(
        "just past the birth of an orbit",
        lambda: hopf("0.01", {"x": 0.5}),
        "repeats",
        until=500,
        period=TWO,
    ),
    _case(
        "just before",
        lambda: hopf("-0.01", {"x": 0.5}),
        "converges",
        until=500,
        at={"x": 0, "y": 0},
    ),
    _case("right at the birth of an orbit", lambda: hopf("0", {"x": 0.5}), "converges"),
    _case("the ghost of an equilibrium", lambda: flow({"x": "1e-4 + x^2"}, {"x": -1}), "escapes"),
    _case("numbers swap", swapper, "none"),
)

UNSTABLE = (
    _case(
        "inside an unstable orbit",
        lambda: hopf("-1", {"x": 0.999}, "+"),
        "converges",
        at={"x": 0, "y": 0},
    ),
    _case("outside an unstable orbit", lambda: hopf("-1", {"x": 1.001}, "+"), "escapes"),
    _case(
        "a hair outside an unstable orbit",
        lambda: hopf("-0.1", {"x": 0.1**0.5 + 1e-9}, "+"),
        "escapes",
    ),
    _case(
        "between an unstable orbit and a stable one",
        lambda: rings(),
        "repeats",
        period=TWO,
        must=True,
    ),
    _case(
        "on a saddle's own line",
        lambda: flow({"x": "x", "y": "-y"}, {"x": 1e-12, "y": 1}),
        "escapes",
    ),
    _case(
        "a saddle with a growth of 1e-4",
        lambda: flow({"x": "1e-4*x", "y": "-y"}, {"x": 1e-8, "y": 1}),
        "escapes",
    ),
    _case(
        "exactly on a saddle",
        lambda: flow({"x": "x", "y": "-y"}, {}),
        "converges",
        at={"x": 0, "y": 0},
    ),
    _case(
        "on the way into a saddle",
        lambda: flow({"x": "x", "y": "-y"}, {"y": 1}),
        "converges",
        at={"x": 0, "y": 0},
    ),
    _case(
        "inside a ring that repels, far from it",
        lambda: hopf("-1 + 0.5*(x^2 + y^2)^2", {"x": 1.0}),
        "converges",
    ),
    _case("ever slower from saddle to saddle", may_leonard, "none", until=300),
    _case(
        "one of two wells",
        lambda: flow({"x": "v", "v": "x - x^3 - 0.2*v"}, {"x": 1, "v": 1.2}),
        "converges",
    ),
)

MANY = (
    _case(
        "a torus",
        lambda: flow(
            {"x": "y", "y": "(1 - x^2)*y - x", "u": "v", "v": "(1 - u^2)*v - 2*u"}, {"x": 1, "u": 1}
        ),
        "none",
    ),
    _case(
        "a torus that is nearly closed",
        lambda: flow({"x": "y", "y": "-x", "u": "v", "v": "-4.0004*u"}, {"x": 1, "u": 1}),
        "none",
    ),
    _case("Lorenz's chaos", lambda: lorenz(28), "none", until=60),
    _case("Lorenz's rest", lambda: lorenz(14), "converges", at={"z": 13}),
    _case("Lorenz before his chaos: a long transient", lambda: lorenz(23.5), "none", until=40),
    _case("Lorenz's orbit", lambda: lorenz(350), "repeats", until=40),
    _case("Rössler once round", lambda: roessler(2.3), "repeats", until=200),
    _case("Rössler twice round", lambda: roessler(3.5), "repeats", until=300),
    _case("Rössler's chaos", lambda: roessler(5.7), "none", until=200),
    *(
        _case(f"logistic {r}", partial(logistic, r), "repeats", until=300, period=n, must=True)
        for r, n in ((2.8, 1), (3.2, 2), (3.5, 4), (3.83, 3))
    ),
    _case("logistic chaos", lambda: logistic(3.9), "none", until=300),
    _case("logistic at 4", lambda: logistic(4.0), "none", until=300),
    _case("logistic, the ghost of period three", lambda: logistic(3.82842), "none", until=300),
    _case("logistic at the first doubling", lambda: logistic(3.0), "repeats", until=300, period=1),
)

JUMPING = (
    _case("a thermostat", thermostat, "repeats", period=20 * math.log(1.5), must=True),
    _case("a ball bounces out", bouncing_ball, "ends"),
    _case("a ball that gains", lambda: bouncing_ball(e=1.05), "escapes", until=60),
    _case("a ball without loss", lambda: bouncing_ball(e=1.0), "none", until=60),
    _case("a double integrator under a relay", lambda: double(0, {"x": 1}), "none"),
    _case("a damped one", lambda: double(0.5, {"x": 1}), "converges", at={"x": 0, "v": 0}),
    _case("one that gains", lambda: double(-0.05, {"x": 0.1}), "escapes"),
    _case("one that gains, started on the surface", lambda: double(-0.1, {}, "stick"), "ends"),
    _case(
        "a relay of degree three",
        lambda: surface(
            "x",
            {"x": "v", "v": "a", "a": "-a - 2*v - 1"},
            {"x": "v", "v": "a", "a": "-a - 2*v + 1"},
            {"x": 1},
        ),
        "repeats",
        must=True,
    ),
    _case("a relay that slides to rest", relay, "converges", must=True),
    _case(
        "both sides push off",
        lambda: surface("x", {"x": "1 - x"}, {"x": "-1 - x"}, {"x": 1e-8}),
        "converges",
        at={"x": 1},
    ),
    _case(
        "begun where both push off",
        lambda: surface("x", {"x": "1 - x"}, {"x": "-1 - x"}, {}, "stick"),
        "ends",
    ),
    _case("Coulomb friction", lambda: block(3.2), "converges"),
    _case(
        "Coulomb friction, at rest from the start",
        lambda: block(0.3),
        "converges",
        at={"x": 0.3, "v": 0},
    ),
    _case("an impact oscillator", lambda: impacting(0.5, 0.7, 1.0), "repeats", until=200),
    _case("one with less room", lambda: impacting(0.0, 0.5, 2.8), "repeats", until=200),
    _case(
        "two stable fields that switch and grow",
        lambda: switching(
            {"x": "-0.1*x + 8*y", "y": "-x - 0.1*y"},
            {"x": "-0.1*x + y", "y": "-8*x - 0.1*y"},
            {"x": 1, "y": 0.1},
        ),
        "escapes",
        until=60,
    ),
    _case(
        "two fields that switch and die out",
        lambda: switching(
            {"x": "-0.1*x + y", "y": "-x - 0.1*y"},
            {"x": "-0.1*x + 2*y", "y": "-2*x - 0.1*y"},
            {"x": 1, "y": 0.1},
        ),
        "converges",
        at={"x": 0, "y": 0},
    ),
    _case(
        "a goal reached in the limit only",
        lambda: reaching("1 - x", "x >= 1"),
        "converges",
        at={"x": 1, "y": 1},
    ),
    _case(
        "a goal just not reached",
        lambda: reaching("0.99 - x", "x >= 1"),
        "converges",
        at={"x": 0.99},
        must=True,
    ),
    _case(
        "drilling", lambda: drilling(6000, 55_000), "repeats", until=300, period=4.632935, must=True
    ),
    _case(
        "drilling until it turns", lambda: drilling(6000, 51_421), "converges", until=300, must=True
    ),
)

FRICTION = (
    _case(
        "a stiff spring with friction",
        lambda: surface(
            "v",
            {"x": "v", "v": "-1e4*x - 30*v - 1"},
            {"x": "v", "v": "-1e4*x - 30*v + 1"},
            {"x": 0.1},
            "slip_minus",
            along="v",
        ),
        "converges",
    ),
    _case(
        "an epidemic ends at one of many equilibria",
        lambda: flow({"s": "-s*i", "i": "s*i - 0.5*i"}, {"s": 0.99, "i": 0.01}),
        "converges",
    ),
    _case(
        "a slope on which it just does not hold: it creeps",
        lambda: surface(
            "v",
            {"x": "v", "v": "0.501 - 0.5 - 1e-3*v"},
            {"x": "v", "v": "0.501 + 0.5 - 1e-3*v"},
            {"x": 0},
            along="v",
        ),
        "none",  # x goes on for ever, at a speed that tends to 1
    ),
    _case(
        "static friction over kinetic: it sticks in the end",
        lambda: drilling(6000, 60_000),
        "converges",
        until=300,
        must=True,
    ),
)

ESCAPING = (
    _case("x' = x", lambda: flow({"x": "x"}, {"x": 1}), "escapes", until=500, must=True),
    _case("x' = x^2", lambda: flow({"x": "x^2"}, {"x": 1}), "escapes", must=True),
    _case(
        "x' = x^3 - x from outside",
        lambda: flow({"x": "x^3 - x"}, {"x": 1.1}),
        "escapes",
        must=True,
    ),
    _case("x' = exp(x)", lambda: flow({"x": "exp(x)"}, {"x": 0}), "escapes", must=True),
    _case(
        "two variables blow up",
        lambda: flow({"x": "x*y", "y": "x^2"}, {"x": 1, "y": 0}),
        "escapes",
        must=True,
    ),
    _case("a spiral outwards", lambda: hopf("0.2", {"x": 1}, "+ 0*"), "escapes", until=500),
    _case(
        "it grows to a distant level",
        lambda: flow({"x": "x*(1 - x/1e12)"}, {"x": 1}),
        "converges",
        at={},
    ),
    _case("a fraction that ends", lambda: flow({"x": "-1/x"}, {"x": 1}), "ends"),
    _case("a root that ends", lambda: flow({"x": "-sqrt(x)"}, {"x": 1}), "converges"),
    _case("it drifts off", lambda: flow({"x": "1", "y": "x"}, {"x": 1}), "escapes"),
)

FORCED = (
    _case("a clockwork", lambda: flow({"x": "cos(t)"}, {"x": 1}), "none"),
    _case("a clockwork that is wound", lambda: forced({"x": "cos(t)"}, {"x": 1}), "none"),
    _case(
        "a driven swing",
        lambda: forced({"x": "v", "v": "-x - 0.2*v + cos(t)"}, {}),
        "repeats",
        period=TWO,
        must=True,
    ),
    _case(
        "a driven swing without damping, in tune",
        lambda: forced({"x": "v", "v": "-x + cos(t)"}, {}),
        "escapes",
    ),
    _case(
        "a driven swing without damping, out of tune",
        lambda: forced({"x": "v", "v": "-2*x + cos(t)"}, {}),
        "none",
    ),
    _case(
        "a driven swing in two wells",
        lambda: forced({"x": "v", "v": "x - x^3 - 0.2*v + 0.1*cos(t)"}, {"x": 1}),
        "repeats",
        period=TWO,
        must=True,
    ),
    _case(
        "a driven swing that jumps between wells",
        lambda: forced({"x": "v", "v": "x - x^3 - 0.15*v + 0.3*cos(t)"}, {"x": 1}),
        "none",
    ),
    _case(
        "a swing whose string is pulled: it grows",
        lambda: forced({"x": "v", "v": "-(1 + 0.5*cos(2*t))*x"}, {"x": 1}, math.pi),
        "escapes",
    ),
    _case(
        "a force that wears out what it drives",
        lambda: forced({"x": "v", "v": "-x - 0.2*v + cos(t)", "w": "1e-6*x^2"}, {}),
        "none",
    ),
)

ADVERSARIES: tuple[Adversary, ...] = (
    *SLOW, *WEAK, *UNSTABLE, *MANY, *JUMPING, *FRICTION, *ESCAPING, *FORCED,
)  # fmt: skip
