"""Random requirements on random runs: the evaluator beside operators on a dense list of states.

The second road looks at so many states of each arc, so it may miss what lies between two of them:
as much as an atom changes from one to the next. Where both differ by more, it looks closer.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random

import numpy as np
import pytest

from dyverse.automaton.guard.robustness import NOTHING, robustness
from dyverse.automaton.interface import Array, State
from dyverse.automaton.run import Arc, Moment, Run
from dyverse.bodies.world import Property
from dyverse.expr.formula import Compare, formula_symbols
from dyverse.expr.printing import requirement_text
from dyverse.expr.requirement import Requirement, formulas, reach
from dyverse.expr.term import as_term
from dyverse.generation.model import parse_model
from dyverse.simulation.requirement.happening import Happening
from dyverse.simulation.requirement.properties import Broken, Kept, Open, Worst, outcome
from dyverse.simulation.simulate import Options, simulate
from dyverse.text.parse import parse_formula
from tests.simulation.requirements import INFINITE, States, random_requirement

WINDOWS = [(0, 0), (0, 0.3), (0, 1), (0.2, 0.7), (0.5, 1.5), (1, 1.2)]
BALL = """
gravity (0, -9.81, 0)
body ball {{ sphere radius 0.5  mass 1  position (0, {height}, 0)  velocity ({speed}, 0, 0) }}
body floor {{ plane normal (0, 1, 0) }}
contact ball floor {{ restitution 0.7  friction 0.2 }}
"""
TANK = """
automaton tank {{
  real x = {height}
  real y = 0
  clock c
  int n = 0 in [0, 99]
  location up {{ x' = 1 + 0.3*y  y' = -x  invariant x <= 3 }}
  location turn {{ committed }}
  location down {{ x' = -2  y' = x - y  invariant x >= {speed} }}
  initial up
  edge up -> turn {{ when x >= 3  do n := n + 1  action full }}
  edge turn -> down {{ do y := y/2 }}
  edge down -> up {{ when x <= {speed}  do c := 0  action empty }}
}}
system tank
"""
MODELS: dict[str, tuple[str, tuple[str, ...]]] = {
    "ball": (
        BALL,
        (
            *("ball.y > {a:.2f}", "ball.vy < {b:.2f}", "ball.x - ball.y < {b:.2f}", "t > {a:.2f}"),
            *("impact[ball,floor]", "count(impact[ball,floor]) < 3", "abs(ball.vy) > {a:.2f}"),
            *("closed[ball,floor]", "{a:.2f} < ball.y < 3", "max(ball.vy, ball.x) > {a:.2f}"),
        ),
    ),
    "tank": (
        TANK,
        (
            *(
                "tank.x > {a:.2f}",
                "tank.y < {b:.2f}",
                "tank.x*tank.y < {b:.2f}",
                "tank.c < {a:.2f}",
            ),
            *("tank.down", "tank.turn", "tank.n < 2", "action[full]", "count(action[empty]) < 2"),
            *("not (tank.up and tank.y > {b:.2f})", "tank.c < {a:.2f}"),
        ),
    ),
}
UNTIL = 3.0


@cache
def random_run(kind: str, seed: int, solver: str) -> Run:
    draw = Random(seed)
    text = MODELS[kind][0].format(height=1 + 2 * draw.random(), speed=draw.random() - 0.5)
    return simulate(parse_model(text).automaton(), until=6.0, options=Options(solver=solver))


def dense(run: Run, names: list[str], fine: int) -> tuple[Array, list[Mapping[str, float]]]:
    """Times and signals of many states, in order."""
    happening, times = Happening(run, names), list[float]()
    known: list[Mapping[str, float]] = []

    def see(state: State, place: int, *, first: bool) -> None:
        seen = happening.later(place, run.automaton.observe(state))
        times.append(state.time)
        known.append({**seen, **happening.at(place)} if first else seen)

    for place, part in enumerate(run.parts):
        if isinstance(part, Moment):
            see(part.state, place, first=True)
        if isinstance(part, Arc):
            see(part.state(0), place, first=True)
            length = float(part.times[-1] - part.times[0])
            if length > 0:
                first, last = float(part.times[0]), float(part.times[-1])
                inner = np.linspace(first, last, max(2, int(length * fine)) + 1)[1:-1]
                grid = np.union1d(part.times[1:], inner)
                for time in grid.tolist():
                    see(run.within(part, time), place, first=False)
    return np.array(times), known


def by_definition(run: Run, requirement: Requirement, fine: int) -> tuple[float, float]:
    """The margin at the first state, and how far off it may be."""
    names = [s.name for f in formulas(requirement) for s in formula_symbols(f)]
    times, known = dense(run, names, fine)
    steps = [0.0]

    def margin(comparison: Compare) -> Array:
        found = np.array([robustness(comparison, row) for row in known])
        same = np.diff(times) > 0
        steps.append(float(np.abs(np.diff(found))[same].max(initial=0.0)))
        return np.clip(np.where(np.abs(found) <= NOTHING, 0.0, found), -INFINITE, INFINITE)

    found = States(times, margin, UNTIL).margins(requirement)
    return float(found[0]), 2 * max(steps) + 1e-6


def check(kind: str, seed: int) -> None:
    draw = Random(seed)
    run = random_run(kind, seed % 20, draw.choice(("reference", "native")))
    numbers = {"a": 2 * draw.random(), "b": 4 * draw.random() - 2}
    atoms = [parse_formula(text.format(**numbers)) for text in MODELS[kind][1]]
    requirement = random_requirement(draw, 2, draw.sample(atoms, 3), WINDOWS)
    claim = Property(name="p", requirement=requirement, until=as_term(UNTIL))
    assert reach(requirement, {}) + UNTIL <= 6.0
    found = outcome(run, claim, {})
    assert not isinstance(found, Open)
    assert isinstance(found, Broken) == (found.worst.margin < 0)
    for fine in (25, 100, 400):
        wanted, off = by_definition(run, requirement, fine)
        if agree(found.worst, wanted, off):
            return
    raise AssertionError((kind, seed, requirement_text(requirement), found, wanted, off))


def agree(found: Worst, wanted: float, off: float) -> bool:
    if abs(wanted) >= INFINITE / 10:
        return bool(np.isinf(found.margin)) and (found.margin > 0) == (wanted > 0)
    return abs(found.margin - wanted) <= off


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("seed", range(25))
def test_requirements_mean_what_they_say(kind: str, seed: int) -> None:
    check(kind, seed)


@pytest.mark.long
@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("start", range(25, 1000, 75))
def test_very_many_requirements_do(kind: str, start: int) -> None:
    for seed in range(start, start + 75):
        check(kind, seed)


def test_kept_and_broken_are_both_among_them() -> None:
    """So that the others could fail."""
    kinds = set()
    for seed in range(20):
        draw = Random(seed)
        atoms = [parse_formula(f"ball.y > {draw.random() * 2}")]
        requirement = random_requirement(draw, 2, atoms, WINDOWS)
        claim = Property(name="p", requirement=requirement, until=as_term(UNTIL))
        kinds.add(type(outcome(random_run("ball", 0, "reference"), claim, {})))
    assert kinds == {Kept, Broken}
