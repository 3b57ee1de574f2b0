"""Sensitivities of hand-written automata, through guards, resets and computation nodes."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from dyverse.automaton.run import Run
from dyverse.automaton.written.writing import automaton, edge, location, node
from dyverse.automaton.written.written import Start, WrittenAutomaton
from dyverse.simulation.sensitivity import sensitivities
from dyverse.simulation.simulate import simulate
from tests import catalogue
from tests.simulation.varied import Varied, checked_sensitivities


def written(model: WrittenAutomaton, until: float) -> Varied:
    known = dict(zip(model.variables, model.start().values.tolist(), strict=True))

    def run(name: str = "", by: float = 0.0) -> Run:
        parameters = dict(model.parameters)
        if name in parameters:
            parameters[name] += by
        start = tuple((n, v + by * (n == name)) for n, v in known.items())
        moved = replace(
            model,
            parameters=tuple(parameters.items()),
            initial=Start(model.initial.location, start),
        )
        return simulate(moved, until=until)

    return run


@pytest.mark.parametrize("name", [n for n in catalogue.CATALOGUE if n != "zeno ball"])
def test_hand_written_automata_meet_differences(name: str) -> None:
    case = catalogue.CATALOGUE[name]
    model = case.make()
    names = (*(n for n, _ in model.parameters), *model.variables)
    assert checked_sensitivities(written(model, case.until), *names, rel=1e-5).smooth


def test_a_thermostat_meets_its_closed_form() -> None:
    """The first switch at ln((30 - T₀)/(30 - high))/k."""
    run = simulate(catalogue.thermostat(), until=5)
    found = sensitivities(run, ("high", "k", "T"))
    expected = [1 / (0.1 * 8), -math.log(10 / 8) / 0.01, -1 / (0.1 * 10)]
    assert found.event_times[0] == pytest.approx(expected, rel=1e-9)


def _heron(known: dict[str, float]) -> dict[str, float]:
    return {"r": (known["r"] + known["a"] / known["r"]) / 2}


def test_a_node_with_a_python_function_is_differentiated_too() -> None:
    """√a has the derivative 1/(2√a)."""
    root = node(
        "heron",
        local="r",
        entrance={"r": "a"},
        steps={"halve": _heron},  # type: ignore[dict-item]
        converged="abs(r*r - a) <= 1e-12*a",
        exit={"x": "r"},
    )
    model = automaton(
        variables="x c",
        parameters={"a": 2.0},
        locations=[location("wait", {"c": 1}), location("done")],
        nodes=[root],
        edges=[edge("wait", "heron", "c >= 1"), edge("heron", "done")],
        initial=("wait", {}),
    )
    found = sensitivities(simulate(model, until=2), ("a",))
    assert found.final[0, 0] == pytest.approx(1 / (2 * math.sqrt(2)), rel=1e-8)
