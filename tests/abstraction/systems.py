"""Systems with known equilibria and orbits."""

from __future__ import annotations

import math
from typing import Literal

from dyverse.abstraction.portrait.field import LocationField
from dyverse.automaton.surface.discontinuous import (
    DiscontinuousSystem,
    Rules,
    discontinuous_automaton,
)
from dyverse.automaton.written.writing import assignments, automaton, edge, location, term
from dyverse.automaton.written.written import Start, WrittenAutomaton

DRILLSTRING = {
    "J_r": 2122,
    "J_b": 471.9698,
    "R_b": 0.155575,
    "k_t": 861.5336,
    "c_t": 172.3067,
    "c_r": 425,
    "c_b": 50,
    "mu_c": 0.5,
    "mu_s": 0.8,
    "gamma": 0.9,
    "v_f": 1,
}


def drillstring(u: float, weight: float) -> DiscontinuousSystem:
    """The simplified oilwell drillstring of [carter2011] §2.2."""
    top = {"x1": "(-(c_t + c_r)*x1 - k_t*x2 + c_t*x3 + u)/J_r", "x2": "x1 - x3"}
    pull, most = "c_t*x1 + k_t*x2 - (c_t + c_b)*x3", "W*R_b*mu_s"
    friction = "W*R_b*(mu_c + (mu_s - mu_c)*exp(-gamma/v_f*abs(x3)))"
    return DiscontinuousSystem(
        name="drillstring",
        variables=("x1", "x2", "x3"),
        parameters=(*DRILLSTRING.items(), ("u", u), ("W", weight)),
        surface=term("x3"),
        above=assignments({**top, "x3": f"({pull} - {friction})/J_b"}),
        below=assignments({**top, "x3": f"({pull} + {friction})/J_b"}),
        sliding=assignments(top),
        rising=assignments({**top, "x3": f"({pull} - {most})/J_b"}),
        falling=assignments({**top, "x3": f"({pull} + {most})/J_b"}),
        control=term(f"({pull})/({most})"),
        initial=Start("stick"),
    )


def drilling(u: float, weight: float, rules: Rules = "complete") -> WrittenAutomaton:
    return discontinuous_automaton(drillstring(u, weight), rules=rules)


def torque_balance(u: float, weight: float, speed: float) -> float:
    """What is left of the torque when the string turns at ``speed``: zero at an equilibrium."""
    d = DRILLSTRING
    share = d["mu_c"] + (d["mu_s"] - d["mu_c"]) * math.exp(-d["gamma"] * speed / d["v_f"])
    return u - (d["c_r"] + d["c_b"]) * speed - weight * d["R_b"] * share


def relay(*, delay: float = 0.0, rules: Rules = "complete") -> WrittenAutomaton:
    """A double lag under relay feedback: x' = v, v' = -x - v - 2 sign s with s = v + x - delay·w.

    With ``delay`` = 0 it slides to rest; the lag w of x makes it oscillate if it is large.
    """
    rates = {"x": "v", "w": "4*(x - w)"}
    return discontinuous_automaton(
        DiscontinuousSystem(
            name="relay",
            variables=("x", "v", "w"),
            parameters=(("k", delay),),
            surface=term("x + v - k*w"),
            along="v",
            above=assignments({**rates, "v": "-x - v - 2"}),
            below=assignments({**rates, "v": "-x - v + 2"}),
            initial=Start("slip_plus", (("x", 3.0),)),
        ),
        rules=rules,
    )


def van_der_pol() -> WrittenAutomaton:
    """One location with an unstable equilibrium inside a stable orbit of period 6.6632868593."""
    return automaton(
        name="van der Pol",
        variables="x y",
        locations=[location("osc", {"x": "y", "y": "(1 - x^2)*y - x"})],
        initial=("osc", {"x": 1}),
    )


def rings(cut: Literal[False, True] = False) -> WrittenAutomaton:
    """Stable orbits with radius 1 and 3 and an unstable one with radius 2, in one location or two.

    r' = -r (r² - 1)(r² - 4)(r² - 9)/60, and the angle grows by one per second.
    """
    growth = "(-(x^2 + y^2 - 1)*(x^2 + y^2 - 4)*(x^2 + y^2 - 9)/60)"
    rates = {"x": f"-y + x*{growth}", "y": f"x + y*{growth}"}
    left, right = location("left", rates), location("right", rates)
    return automaton(
        name="rings",
        variables="x y",
        locations=[left, right] if cut else [location("ring", rates)],
        edges=[
            edge("left", "right", "x > 0", action="l"),
            edge("right", "left", "x < 0", action="r"),
        ]
        if cut
        else [],
        initial=("right" if cut else "ring", {"x": 1.5}),
    )


def logistic(r: float, start: float = 0.3) -> WrittenAutomaton:
    """Once a second v := r v (1 - v): period 1 for r < 3, 2 to 3.449, 4 to 3.544, 3 at 3.83."""
    once = edge("wait", "wait", "c >= 1", {"c": "0", "v": "r*v*(1 - v)"}, action="p")
    return automaton(
        name="logistic",
        variables="c v",
        parameters={"r": r},
        locations=[location("wait", {"c": "1"})],
        edges=[once],
        initial=("wait", {"v": start}),
    )


def metronome(drift: float = 1e-3) -> WrittenAutomaton:
    """One letter a second, tick and tack in turn, and a variable that drifts."""
    rates = {"c": "1", "w": str(drift)}
    return automaton(
        name="metronome",
        variables="c w",
        locations=[location("left", rates), location("right", rates)],
        edges=[
            edge("left", "right", "c >= 1", {"c": "0"}, action="p"),
            edge("right", "left", "c >= 1", {"c": "0"}, action="q"),
        ],
        initial=("left", {}),
    )


def flow(invariant: str = "true", leave: str = "false", **rates: str) -> LocationField:
    """The field of a location with these rates, which ``leave`` leads out of."""
    model = automaton(
        variables=" ".join(rates),
        locations=[location("here", rates, invariant=invariant), location("gone")],
        edges=[edge("here", "gone", leave)],
        initial=("here", {}),
    )
    return LocationField(model, "here")
