import math

import pytest

from dyverse.abstraction.behaviours.behaviour import Cycle, Equilibrium
from dyverse.abstraction.evidence.classify import classify
from dyverse.abstraction.evidence.verdict import (
    Converges,
    Escapes,
    Repeats,
    Unclassified,
    Undecided,
    behaviour_of,
    certainty,
    verdict_name,
)
from dyverse.abstraction.language.word import lasso
from dyverse.automaton.written.writing import automaton, location
from dyverse.simulation.simulate import Options
from tests.abstraction.systems import drilling, logistic, metronome, relay, van_der_pol
from tests.catalogue import bouncing_ball, thermostat


def test_at_45_kn_the_bit_turns() -> None:
    verdict, run = classify(drilling(6000, 45_000), until=300)
    assert isinstance(verdict, Converges)
    assert verdict.word == tuple("bd")
    assert verdict.evidence.point.values[2] == pytest.approx(5.222, abs=5e-4)
    assert behaviour_of(verdict) == Equilibrium("slip_plus")
    assert verdict_name(verdict) == "equilibrium in slip_plus"
    assert run.end.time < 300  # no longer than it takes


def test_at_55_kn_it_sticks_and_slips() -> None:
    verdict, _ = classify(drilling(6000, 55_000), until=300)
    assert isinstance(verdict, Repeats)
    assert verdict.word == lasso("", "bda")
    assert verdict.evidence.orbit.period == pytest.approx(4.633, abs=5e-4)
    assert behaviour_of(verdict) == Cycle(("slip_plus", "stick", "trans_plus"))
    assert "contracts" in str(verdict)


def test_at_60_kn_it_is_stuck() -> None:
    verdict, _ = classify(drilling(6000, 60_000), until=300)
    assert isinstance(verdict, Converges)
    assert verdict.word == tuple("bdabdabda")
    assert behaviour_of(verdict) == Equilibrium("stick")


def test_near_the_border_ten_rounds_of_stick_slip_prove_nothing() -> None:
    """51,421 N goes round eight times and then turns; 2 N more, and it goes round for ever."""
    turning, _ = classify(drilling(6000, 51_421), until=300)
    slipping, _ = classify(drilling(6000, 51_423), until=300)
    assert isinstance(turning, Converges)
    assert turning.word == tuple("bda" * 8 + "bd")
    assert verdict_name(turning) == "equilibrium in slip_plus"
    assert isinstance(slipping, Repeats)


def test_a_short_time_is_not_enough() -> None:
    verdict, _ = classify(drilling(6000, 55_000), until=8)
    assert isinstance(verdict, Undecided)
    assert verdict_name(verdict) == "undecided"
    assert "no evidence" in str(verdict)


def test_a_thermostat_repeats() -> None:
    verdict, _ = classify(thermostat(), until=100)
    assert isinstance(verdict, Repeats)
    assert verdict.word == lasso("", "'off''on'")
    assert verdict.evidence.orbit.period == pytest.approx(20 * math.log(1.5))


def test_jumps_that_pile_up_have_no_behaviour() -> None:
    verdict, _ = classify(bouncing_ball(), until=30)
    assert isinstance(verdict, Unclassified)
    assert set(verdict.word) == {"bounce"}
    assert verdict_name(verdict) == "unclassified"


def test_the_relay_comes_to_rest_on_its_surface() -> None:
    verdict, _ = classify(relay(), until=60)
    assert isinstance(verdict, Converges)
    assert behaviour_of(verdict) == Equilibrium("stick")


def test_an_orbit_within_one_location_has_a_finite_word() -> None:
    """The period of van der Pol's oscillator with damping 1 is 6.6632868593 s."""
    verdict, _ = classify(van_der_pol(), until=60)
    assert isinstance(verdict, Repeats)
    assert verdict.word == ()
    assert verdict.evidence.orbit.period == pytest.approx(6.6632868593, abs=1e-8)
    assert verdict_name(verdict) == "orbit within osc"


@pytest.mark.parametrize("rates", [{"x": "y", "y": "-x"}, {"x": "1", "y": "x"}, {"x": "cos(t)"}])
def test_without_evidence_a_run_is_undecided(rates: dict[str, str]) -> None:
    """A centre, a drift, and a clockwork: none has an attractor of its own."""
    names = "x y" if "y" in rates else "x"
    model = automaton(variables=names, locations=[location("on", rates)], initial=("on", {"x": 1}))
    verdict, _ = classify(model, until=20)
    assert isinstance(verdict, Undecided)


@pytest.mark.parametrize("solver", ["reference", "native"])
@pytest.mark.parametrize(("rate", "time"), [("x^2", 1.0), ("x^3", 0.5), ("exp(x)", math.exp(-1))])
def test_a_run_that_blows_up_escapes(rate: str, time: float, solver: str) -> None:
    model = automaton(
        variables="x", locations=[location("on", {"x": rate})], initial=("on", {"x": 1})
    )
    verdict, _ = classify(model, until=100, options=Options(solver=solver))
    assert isinstance(verdict, Escapes)
    assert verdict.evidence.blow_up == pytest.approx(time, abs=1e-6)
    assert verdict_name(verdict) == "escapes"
    assert behaviour_of(verdict) is None
    assert certainty(verdict) == "numerical"


def test_what_cannot_be_followed_further_is_undecided() -> None:
    model = automaton(
        variables="x", locations=[location("on", {"x": "-1/x"})], initial=("on", {"x": 1})
    )
    verdict, _ = classify(model, until=100, options=Options(solver="native"))
    assert isinstance(verdict, Undecided)
    assert "integration stopped" in str(verdict)
    assert certainty(verdict) is None


def test_more_events_than_are_allowed_decide_nothing() -> None:
    verdict, _ = classify(metronome(), until=300, options=Options(solver="native", max_events=4))
    assert isinstance(verdict, Undecided)


def test_what_still_drifts_is_named() -> None:
    verdict, _ = classify(metronome(), until=300, options=Options(solver="native"))
    assert "w still change from round to round" in str(verdict)


@pytest.mark.parametrize("solver", ["reference", "native"])
def test_a_jump_at_the_end_of_a_piece_is_one_letter(solver: str) -> None:
    """A letter a second for 300 s, which are followed in pieces of 5 s."""
    verdict, run = classify(metronome(), until=300, options=Options(solver=solver))
    assert isinstance(verdict, Undecided)
    assert verdict.word == tuple("pq") * 150
    assert len(run.events) == 300


@pytest.mark.parametrize(("r", "rounds"), [(2.8, 1), (3.2, 2), (3.5, 4), (3.55, 8), (3.83, 3)])
def test_a_period_is_that_of_the_flow_whatever_its_letters(r: float, rounds: int) -> None:
    verdict, _ = classify(logistic(r), until=300, options=Options(solver="native"))
    assert isinstance(verdict, Repeats)
    assert verdict.evidence.orbit.period == pytest.approx(rounds)
    assert verdict.word == lasso("", "p")
