"""What counts as evidence of an orbit: near, as said, contracting with its spread, and arriving."""

import numpy as np
import pytest

from dyverse.abstraction.evidence.contraction import (
    NEAR,
    Contraction,
    contraction,
    distance,
    scale_of,
)
from dyverse.abstraction.portrait.field import Fields
from dyverse.abstraction.portrait.orbits import Orbit, orbit
from dyverse.automaton.interface import State
from dyverse.automaton.written.writing import automaton, edge, location
from dyverse.automaton.written.written import WrittenAutomaton


def mapped(change: str) -> WrittenAutomaton:
    """Once a second v := change; 0 is a fixed point of all maps here."""
    return automaton(
        variables="c v",
        locations=[location("wait", {"c": "1"})],
        edges=[edge("wait", "wait", "c >= 1", {"c": "0", "v": change}, action="p")],
        initial=("wait", {}),
    )


def state(v: float, time: float = 0.0) -> State:
    return State(time, "wait", np.array([0.0, v]))


def at_zero(change: str) -> tuple[Fields, Orbit]:
    fields = Fields(mapped(change))
    found = orbit(fields, state(0.0), ("p",), time=1.0)
    assert found is not None
    return fields, found


def seen(change: str, before: float, after: float, scale: float = 1000.0) -> Contraction | None:
    fields, found = at_zero(change)
    return contraction(
        fields, found, [state(before), state(after, 1.0)], scale=np.array([1.0, scale])
    )


def test_a_linear_map_contracts_by_its_multiplier() -> None:
    evidence = seen("0.5*v", 0.4, 0.2)
    assert evidence is not None
    assert evidence.factor == pytest.approx(0.5)
    assert evidence.away == pytest.approx(0.2 / 1000)


def test_half_of_what_a_slope_varies_by_is_added_on_one_side() -> None:
    """The box is [-0.04, 0.4]: 0.3 + v is from 0.26 to 0.7 there."""
    evidence = seen("0.3*v + 0.5*v^2", 0.2 / 0.3, 0.2)
    assert evidence is not None
    assert evidence.factor == pytest.approx(0.7 + 0.44 / 2)


def test_all_of_it_is_added_twice_in_a_ball() -> None:
    """The ball is |v| ≤ 0.4: -0.3 - 0.4 v varies by 0.16."""
    evidence = seen("-0.3*v - 0.2*v^2", -0.2 / 0.3, 0.2)
    assert evidence is not None
    assert evidence.factor == pytest.approx(0.3 + 2 * 0.16)


@pytest.mark.parametrize(
    ("change", "before"), [("0.3*v + 0.75*v^2", 0.6), ("-0.3*v - 0.5*v^2", -0.6)]
)
def test_slopes_below_one_that_vary_too_much_are_no_evidence(change: str, before: float) -> None:
    """The greatest that was seen is 0.9 or 0.7; what is between the places is not known."""
    assert seen(change, before, 0.2) is None
    assert seen(change, before / 10, 0.02) is not None


def test_a_slope_that_changes_its_sign_leads_out_of_a_box_that_ends_soon() -> None:
    """0.3 - 1.2 v is -0.18 at 0.4: 0.4 is mapped beyond the orbit, further than the box reaches."""
    assert seen("0.3*v - 0.6*v^2", 0.2 / 0.3, 0.2) is None
    assert seen("0.3*v - 0.2*v^2", 0.2 / 0.3, 0.2) is not None


def test_far_away_is_no_evidence() -> None:
    assert seen("0.5*v", 0.4, 0.2, scale=0.2 / NEAR * 0.99) is None
    assert seen("0.5*v", 0.4, 0.2, scale=0.2 / NEAR * 1.01) is not None


def test_a_round_that_led_elsewhere_is_no_evidence() -> None:
    assert seen("0.5*v", 0.4, 0.3) is None
    assert seen("0.5*v", 0.1, 0.2) is None


def test_a_run_that_does_not_arrive_is_no_evidence() -> None:
    """Between 0.011 and 0.013 the map throws it away; no derivative is taken just there."""
    window = "0.9*v + 5*max(0, 1e-6 - (v - 0.012)^2)*1e6"
    assert seen("0.9*v", 0.2, 0.18) is not None
    assert seen(window, 0.2, 0.18) is None


def test_an_orbit_that_repels_is_no_evidence() -> None:
    assert seen("1.1*v", 0.2, 0.22) is None


def test_a_variable_that_stands_still_on_the_orbit_is_measured_by_the_run() -> None:
    _, found = at_zero("0.5*v")
    np.testing.assert_allclose(scale_of(found, np.array([1.0, 7.0])), [1, 7])
    np.testing.assert_allclose(scale_of(found, np.zeros(2)), [1, 1])
    assert distance(found, state(0.7), np.array([1.0, 7.0])) == pytest.approx(0.1)
