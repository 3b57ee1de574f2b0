"""Systems that depend on time with a period: orbits, rest, words without the phase."""

import math

import numpy as np
import pytest

from dyverse.abstraction.evidence.classify import classify
from dyverse.abstraction.evidence.forced import phased, with_phase
from dyverse.abstraction.evidence.verdict import Converges, Repeats, Undecided, verdict_name
from dyverse.abstraction.language.word import lasso
from dyverse.abstraction.survey.survey import survey
from dyverse.automaton.interface import State
from dyverse.automaton.surface.discontinuous import DiscontinuousSystem, discontinuous_automaton
from dyverse.automaton.written.writing import assignments, automaton, edge, location, term
from dyverse.automaton.written.written import Start, WrittenAutomaton
from dyverse.errors import ModelError
from dyverse.simulation.simulate import Options, simulate

NATIVE = Options(solver="native")
TURN = 2 * math.pi


def swing(force: str, *, start: float = 0.0, period: float = TURN) -> WrittenAutomaton:
    return automaton(
        variables="x v",
        locations=[location("on", {"x": "v", "v": f"{force} - 0.2*v"})],
        initial=("on", {"x": start}),
        period=period,
    )


def bumper(e: float, omega: float) -> WrittenAutomaton:
    """A driven oscillator that hits a wall."""
    return automaton(
        variables="x v",
        parameters={"e": e, "w": omega},
        locations=[location("free", {"x": "v", "v": "-x - 0.1*v + cos(w*t)"})],
        edges=[edge("free", "free", "x >= 0.5 and v > 0", {"v": "-e*v"}, action="h")],
        initial=("free", {"x": -1}),
        period=TURN / omega,
    )


def block(force: float, start: float) -> WrittenAutomaton:
    """A mass on a spring with dry friction, pushed."""
    above, below = (
        assignments({"x": "v", "v": f"-4*x {sign} 0.5 + {force}*cos(t)"}) for sign in "-+"
    )
    return discontinuous_automaton(
        DiscontinuousSystem(
            variables=("x", "v"),
            surface=term("v"),
            above=above,
            below=below,
            along="v",
            period=term("2*pi"),
            initial=Start("slip_minus", (("x", start),)),
        )
    )


def test_a_linear_oscillator_answers_with_the_period_of_its_force() -> None:
    """x'' + 0.2 x' + x = cos t: amplitude 1/0.2, multipliers exp(-0.1 · 2π)."""
    verdict, run = classify(swing("cos(t) - x"), until=200, options=NATIVE)
    assert isinstance(verdict, Repeats)
    orbit = verdict.evidence.orbit
    assert orbit.period == pytest.approx(TURN)
    assert [abs(m) for m in orbit.multipliers] == pytest.approx([math.exp(-0.1 * TURN)] * 2)
    ((place, states),) = orbit.round.track
    assert (place, states.shape[1]) == ("on", 2)
    assert states[:, 0].max() == pytest.approx(5, rel=1e-3)
    assert verdict.word == ()
    assert verdict_name(verdict) == "orbit within on"
    assert run.automaton.variables == ("x", "v")
    assert run.events == ()


def test_an_impact_each_period_is_one_letter() -> None:
    verdict, _ = classify(bumper(0.7, 1.0), until=200, options=NATIVE)
    assert isinstance(verdict, Repeats)
    assert verdict.word == lasso("", "h")
    assert verdict.evidence.orbit.period == pytest.approx(TURN)
    assert verdict.evidence.orbit.locations == ("free",)


def test_an_orbit_may_take_several_periods_of_the_force() -> None:
    """The second road: the state after one and after n periods, by simulation."""
    model = bumper(0.8, 2.6)
    verdict, _ = classify(model, until=600, options=NATIVE)
    assert isinstance(verdict, Repeats)
    rounds = verdict.evidence.orbit.period / (TURN / 2.6)
    assert rounds == pytest.approx(round(rounds), abs=1e-6)
    far = simulate(model, until=1500, options=NATIVE)
    states = [far.at(1200 + n * TURN / 2.6).values for n in range(8)]
    back = [n for n in range(1, 8) if np.abs(states[n] - states[0]).max() < 1e-5]
    assert back[0] == round(rounds) > 1


def test_friction_holds_against_a_weak_force_for_ever() -> None:
    """At |4 x| + 0.3 < 0.5 it is stuck, whatever the phase."""
    verdict, _ = classify(block(0.3, 0.5), until=100, options=NATIVE)
    assert isinstance(verdict, Converges)
    assert verdict_name(verdict) == "equilibrium in stick"
    assert len(verdict.evidence.point.values) == 2
    assert abs(4 * verdict.evidence.point.values[0]) + 0.3 < 0.5


def test_and_not_against_a_strong_one() -> None:
    verdict, _ = classify(block(2.0, 0.0), until=100, options=NATIVE)
    assert not isinstance(verdict, Converges)
    assert set(verdict.word if isinstance(verdict.word, tuple) else verdict.word.cycle) <= set(
        "abcd"
    )


def test_chaos_is_undecided() -> None:
    verdict, _ = classify(swing("x - x^3 + 0.3*cos(t) + 0.05*v"), until=200, options=NATIVE)
    assert isinstance(verdict, Undecided)


def test_without_a_period_time_decides_nothing() -> None:
    model = automaton(
        variables="x", locations=[location("on", {"x": "-x + cos(t)"})], initial=("on", {})
    )
    assert isinstance(classify(model, until=50, options=NATIVE)[0], Undecided)


def test_the_automaton_with_its_phase_runs_alike() -> None:
    model = bumper(0.7, 1.3)
    start = with_phase(model, model.start())
    one, other = (
        simulate(m, s, until=30) for m, s in ((model, model.start()), (phased(model), start))
    )
    assert other.end.values[:2] == pytest.approx(one.end.values, abs=1e-6)
    assert other.end.values[2] == pytest.approx(30 % (TURN / 1.3), abs=1e-6)
    late = with_phase(model, State(20.0, "free", np.zeros(2)))
    assert late.values[2] == pytest.approx(20 % (TURN / 1.3))


def test_a_survey_of_a_forced_system_has_its_orbit_and_its_language() -> None:
    found = survey(bumper(0.7, 1.0), until=200, options=NATIVE)
    assert [orbit.period for orbit in found.orbits] == pytest.approx([TURN])
    assert str(found.behaviour) == "free for ever"
    assert "depends on time" in found.found.resting[0].remark


@pytest.mark.parametrize(("period", "message"), [(1.0, "does not repeat"), (-1.0, "finite time")])
def test_a_period_that_is_none_is_refused(period: float, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        swing("cos(t)", period=period)
