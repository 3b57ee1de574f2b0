"""Hand-written automata with their numbers left open."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

from dyverse.automaton.guard.robustness import robustness
from dyverse.automaton.interface import State
from dyverse.automaton.jump import jump
from dyverse.automaton.symbolic import SymbolicAutomaton, symbolic_depth
from dyverse.automaton.written.symbolic import SymbolicWritten
from dyverse.errors import ModelError
from dyverse.text.parse import parse_formula
from tests.catalogue import CATALOGUE, bouncing_ball, thermostat


@pytest.mark.parametrize("name", CATALOGUE)
def test_rates_starts_and_resets_are_those_of_the_automaton(name: str) -> None:
    automaton = CATALOGUE[name].make()
    symbols = SymbolicWritten(automaton)
    arguments = [symbols.time, symbols.state, symbols.values]
    start = ca.Function("x", [symbols.values], [symbols.start()])(symbols.numbers)
    assert np.asarray(start).ravel() == pytest.approx(automaton.start().values)
    values = np.linspace(0.3, 1.7, len(automaton.variables))
    for place in automaton.locations:
        state = State(0.5, place.name, values)
        rate = ca.Function("f", arguments, [symbols.rate(place.name)])
        expected = automaton.flow(state).rate(0.5, values)
        assert np.asarray(rate(0.5, values, symbols.numbers)).ravel() == pytest.approx(expected)
        for edge in automaton.outgoing(place.name):
            reset = ca.Function("r", arguments, [symbols.reset(edge)])
            after = jump(automaton, edge, state).values
            assert np.asarray(reset(0.5, values, symbols.numbers)).ravel() == pytest.approx(after)


def test_only_chosen_numbers_are_unknown() -> None:
    answer: SymbolicAutomaton = SymbolicWritten(bouncing_ball(), ("e", "y"))
    assert answer.numbers.tolist() == [0.8, 10.0]
    slope = ca.Function("j", [answer.values], [ca.jacobian(answer.start(), answer.values)])
    assert np.asarray(slope(answer.numbers)).tolist() == [[0, 1], [0, 0]]


def test_a_guard_is_negative_before_it_is_enabled() -> None:
    symbols = SymbolicWritten(thermostat())
    (edge,) = symbols.automaton.outgoing("on")
    guard = ca.Function("g", [symbols.state, symbols.values], [symbols.guard(edge)])
    assert float(guard(20, symbols.numbers)) == pytest.approx(-2)


@pytest.mark.parametrize(
    "text", ["x < 1 and y >= 2", "x == 1 or not y > 2", "not (x < y and y < 3)", "x != y", "true"]
)
def test_depths_are_robustnesses(text: str) -> None:
    x = ca.SX.sym("x", 2)
    formula = parse_formula(text)
    depth = ca.Function("d", [x], [symbolic_depth(formula, {"x": x[0], "y": x[1]})])
    for numbers in ([0.0, 0.0], [1.0, 2.5], [3.0, -1.0]):
        expected = robustness(formula, {"x": numbers[0], "y": numbers[1]})
        assert float(depth(numbers)) == pytest.approx(expected)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ModelError, match="no parameter or variable 'g2'; did you mean 'g'"):
        SymbolicWritten(bouncing_ball(), ("g2",))
