"""Models of bodies with automata: those of the examples, and random ones."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from dyverse.generation.coupled.automaton import CoupledAutomaton
from dyverse.generation.model import load_model, parse_model

EXAMPLES = Path(__file__).parents[2] / "examples"

AUTOMATA = """
input push = strength*pilot.u - 0.1*b0.vx
force b0 (push, lifting*pilot.u, 0)
torque b0 (0, 0, -0.02*pilot.u)

automaton pilot {
  clock c
  real u = start
  int hits, slides
  location calm { u' = -decay*u }
  location busy { u' = climb - b0.vx  invariant c <= patience }
  location dull
  initial calm
  edge calm -> busy { when c >= wait  sync hit?  do c := 0, hits := hits + 1 }
  edge calm -> busy { when b0.y <= low and b0.vy < -0.1 and c > wait  do c := 0  action low }
  edge busy -> calm { when c >= patience  do c := 0, u := -0.5*u  action tired }
  edge busy -> busy { sync slide?  do slides := slides + 1, u := 0.3*u }
  edge busy -> dull { when u >= limit  do u := kick  action full }
  edge dull -> calm { sync grip?  do c := 0 }
  edge dull -> calm { when b0.x*b0.x >= far  do u := 0  action far }
}

automaton scribe {
  int landed, lifted, stopped
  clock quiet
  location listens
  initial listens
  edge listens -> listens { do landed := landed + 1, quiet := 0  sync land? }
  edge listens -> listens { do lifted := lifted + 1  sync lift? }
  edge listens -> listens { do stopped := stopped + 1  sync grip? }
  edge listens -> listens {
    when quiet >= pause  do quiet := 0, pilot.u := pilot.u + nudge  action nudge
  }
}

system pilot || scribe
"""
RANGES = {
    "strength": (1, 6),
    "start": (-1, 1),
    "decay": (0.2, 3),
    "climb": (0.5, 5),
    "patience": (0.1, 0.5),
    "wait": (0.02, 0.1),
    "low": (0.2, 0.5),
    "limit": (0.3, 1.5),
    "kick": (-4, 4),
    "far": (0.2, 1),
    "pause": (0.2, 0.5),
    "nudge": (-1, 1),
    "m0": (0.3, 2),
    "m1": (0.3, 2),
}
OFFERS = "hit", "land on touch", "lift on release", "grip on stick", "slide on slip", "unheard"
CERTAIN = {"compass-walker/model": 1.2}  # s: one step and the begin of another


def example_models() -> dict[str, tuple[CoupledAutomaton, float]]:
    """Every example with bodies and automata, and how long it runs."""
    found: dict[str, tuple[CoupledAutomaton, float]] = {}
    for path in sorted(EXAMPLES.glob("*/*.drbt")):
        model = load_model(path)
        automaton = model.automaton()
        if isinstance(automaton, CoupledAutomaton):
            name = f"{path.parent.name}/{path.stem}"
            found[name] = automaton, CERTAIN.get(name, model.until({}, 5.0))
    return found


def random_text(seed: int) -> str:
    """One or two balls on a floor, perhaps with a wall, driven by automata that hear them.

    Numbers are parameters, so that few libraries serve all. All bodies move in one plane: where
    friction turns a slow slip, all engines take very short steps.
    """
    rng = np.random.default_rng(seed)
    numbers = {name: rng.uniform(*ends) for name, ends in RANGES.items()}
    numbers |= {"lifting": float(rng.choice([0.0, 3.0])), "e": float(rng.choice([0.0, 0.3, 0.8]))}
    tilt, mu = float(rng.choice([0.0, 0.0, 0.2])), float(rng.choice([0.0, 0.2, 0.6]))
    bodies = [f"body floor {{ plane normal ({tilt}, 1, 0) }}"]
    if rng.random() < 0.4:
        bodies.append("body wall { plane normal (1, 0, 0)  position (-1.2, 0, 0) }")
    bodies += [_ball(i, tilt, rng) for i in range(int(rng.integers(1, 3)))]
    law, offers = f"restitution e  friction {mu}", "  ".join(f"offers {o}" for o in OFFERS)
    rules = [f"contact all {{ {law} }}", f"contact b0 floor {{ {law}  {offers} }}"]
    parameters = [f"parameter {name} = {number!r}" for name, number in numbers.items()]
    return "\n".join(["gravity (0, -9.81, 0)", *parameters, *bodies, *rules]) + AUTOMATA


def random_model(seed: int) -> CoupledAutomaton:
    """The automaton of `random_text`."""
    found = parse_model(random_text(seed)).automaton()
    assert isinstance(found, CoupledAutomaton)
    return found


def _ball(number: int, tilt: float, rng: np.random.Generator) -> str:
    """A ball on the floor or over it."""
    radius, x = round(rng.uniform(0.1, 0.3), 4), round(0.8 * number - 0.5, 3)
    height = radius * math.hypot(tilt, 1) - tilt * x
    height += 0 if rng.random() < 0.5 else rng.uniform(0.2, 1)
    vx, vy = rng.normal(size=2) * (rng.random() < 0.7)
    return (
        f"body b{number} {{ sphere radius {radius}  mass m{number}"
        f"  position ({x}, {height!r}, 0)  velocity ({vx:.4f}, {abs(vy):.4f}, 0) }}"
    )
