"""Automata to run in both engines: the catalogue, and every example that has one."""

from __future__ import annotations

import runpy
from functools import cache
from pathlib import Path

from dyverse.automaton.network.network import Network
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.generation.model import parse_model
from dyverse.text.examples import example_names, example_text
from tests.catalogue import CATALOGUE

NEURONS = Path(__file__).parents[3] / "examples" / "spiking-neurons" / "run.py"
LONGEST = {  # s: the reference engine is slow
    "automatic-transmission": 11.0,
    "belt": 12.0,
    "drillstring": 25.0,
    "relay": 30.0,
    "wind-turbine": 4.0,
}


@cache
def models() -> dict[str, tuple[WrittenAutomaton | Network, float]]:
    """Automata by name, each with a time to run."""
    found: dict[str, tuple[WrittenAutomaton | Network, float]] = {
        f"catalogue {name}": (case.make(), case.until) for name, case in CATALOGUE.items()
    }
    for name in example_names():
        model = parse_model(example_text(name))
        automaton = model.automaton() if model.described else None
        if isinstance(automaton, WrittenAutomaton | Network):
            found[name] = automaton, LONGEST.get(name, model.until({}, 10.0))
    return found


def neurons() -> WrittenAutomaton:
    """The example with a computation node, which is written in Python."""
    made = runpy.run_path(str(NEURONS))["neurons"]()
    assert isinstance(made, WrittenAutomaton)
    return made
