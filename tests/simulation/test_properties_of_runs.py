"""Properties along a run: first violations to closed forms, short ones not passed over."""

import math
from dataclasses import replace

import pytest

from dyverse.automaton.run import Ending, Run, Stop
from dyverse.bodies.world import Property
from dyverse.expr.requirement import always
from dyverse.expr.term import as_term
from dyverse.generation.model import parse_model
from dyverse.simulation.requirement.properties import Broken, Kept, Open, Outcome
from dyverse.simulation.requirement.properties import outcome as became
from dyverse.simulation.simulate import Options, simulate
from dyverse.text.parse import parse_formula
from tests.exporters.sample_runs import BOUNCE, SPRING, sample


def claimed(formula: str, until: float | None = None) -> Property:
    end = None if until is None else as_term(until)
    return Property(name="claim", requirement=always(parse_formula(formula)), until=end)


def outcome(text: str, formula: str, *, run_until: float, until: float | None = None) -> Outcome:
    return became(sample(text, run_until), claimed(formula, until), {})


def broken(*arguments: str, run_until: float, until: float | None = None) -> Broken:
    found = outcome(*arguments, run_until=run_until, until=until)
    assert isinstance(found, Broken)
    return found


def test_first_violation_meets_the_closed_form() -> None:
    """x = cos 2t falls below -1/2 at t = π/3, and is least at π/2."""
    found = broken(SPRING, "m.x > -0.5", run_until=3.0)
    assert found.time == pytest.approx(math.pi / 3, abs=1e-8)
    assert found.worst.margin == pytest.approx(-0.5, abs=1e-9)
    assert found.worst.time == pytest.approx(math.pi / 2, abs=1e-4)
    assert not found.marginal


@pytest.mark.parametrize(("depth", "marginal"), [(1e-8, False), (5e-10, True)])
def test_a_dip_between_samples_is_found(depth: float, marginal: bool) -> None:
    """x = cos 2t is below -1 + 1e-9 for 4.5e-5 s only."""
    found = broken(SPRING, f"m.x > -1 + {depth}", run_until=3.0)
    assert found.time == pytest.approx(math.pi / 2, abs=1e-3)
    assert found.marginal == marginal


def test_of_two_dips_between_samples_the_first_counts() -> None:
    """cos 2t - t/10 has minima where sin 2t = -1/20, the second π/10 lower than the first."""
    first = (math.pi + math.asin(0.05)) / 2
    low = math.cos(2 * first) - first / 10
    found = broken(SPRING, f"m.x - t/10 > {low + 1e-8!r}", run_until=6.0)
    assert found.time == pytest.approx(first, abs=1e-3)
    assert found.worst.time == pytest.approx(first + math.pi, abs=1e-3)
    assert found.worst.margin == pytest.approx(-1e-8 - math.pi / 10, abs=1e-8)


@pytest.mark.parametrize("claim", ["t > 0.01 or m.vx > -0.03", "t < 2.99 or abs(t - 2.997) > 1e-4"])
def test_what_happens_in_the_first_and_the_last_interval_is_seen(claim: str) -> None:
    """vx = -2 sin 2t is -0.04 at 0.01 s; the first samples of a run are further apart."""
    assert broken(SPRING, claim, run_until=3.0).worst.margin < 0


def test_a_property_is_asked_for_until_its_end_only() -> None:
    held = outcome(SPRING, "m.x > -0.5", run_until=3.0, until=1.0)
    assert isinstance(held, Kept)
    assert held.until == 1.0
    assert held.worst.margin == pytest.approx(math.cos(2) + 0.5, abs=1e-8)
    late = broken(SPRING, "m.x > -0.5", run_until=3.0, until=1.05)
    assert late.time == pytest.approx(math.pi / 3, abs=1e-8)


def test_a_violation_from_the_start_is_at_zero() -> None:
    assert broken(SPRING, "m.x < 0", run_until=3.0).time == 0.0


def test_a_jump_violates_at_its_instant() -> None:
    """The first impact, at √(2·2.5/9.81), turns the ball's velocity round."""
    found = broken(BOUNCE, "ball.vy <= 0 or gap[ball,floor] > 1", run_until=2.0)
    assert found.time == pytest.approx(math.sqrt(5 / 9.81), abs=1e-9)


def test_a_run_that_ends_before_the_property_leaves_it_open() -> None:
    found = outcome(SPRING, "m.x < 2", run_until=3.0, until=50.0)
    assert isinstance(found, Open)
    assert found.until == 3.0
    assert isinstance(outcome(SPRING, "m.x < 2", run_until=3.0), Kept)


@pytest.mark.parametrize("stop", [stop for stop in Stop if stop is not Stop.HORIZON])
def test_a_run_that_did_not_reach_its_horizon_keeps_nothing_at_its_end(stop: Stop) -> None:
    """Its last instant may be incomplete; what it has broken is broken all the same."""
    whole = sample(SPRING, 3.0)
    cut = replace(_told(whole), stop=stop)
    assert stop.ending is not Ending.REACHED
    assert isinstance(became(cut, claimed("m.x < 2", 2.9), {}), Kept)
    for until in (3.0, None):
        assert isinstance(became(cut, claimed("m.x < 2", until), {}), Open)
        assert isinstance(became(cut, claimed("m.x > -0.5", until), {}), Broken)


def _told(run: Run) -> Run:
    """The same, with nothing left to be read."""
    return Run(automaton=run.automaton, parts=run.parts, events=run.events, stop=run.stop)


COUNTER = """
automaton counter {
  int n = 0 in [0, 9]
  bool even = true
  real x = 0
  clock c
  location go { x' = 1  invariant c <= 1 }
  initial go
  edge go -> go { when c >= 1  do n := n + 1, even := not even, c := 0 }
}
"""


@pytest.mark.parametrize("solver", ["reference", "native"])
@pytest.mark.parametrize(
    ("formula", "time"),
    [("not (n == 3)", 3.0), ("n < 4", 4.0), ("even or n < 3", 3.0), ("not even or n == 0", 2.0)],
)
def test_what_is_exact_is_missed_without_doubt(formula: str, time: float, solver: str) -> None:
    found = became(counted(solver), claimed(formula), {})
    assert isinstance(found, Broken)
    assert found.time == pytest.approx(time, abs=1e-9)
    assert found.leeway == -math.inf
    assert not found.marginal


@pytest.mark.parametrize("solver", ["reference", "native"])
def test_what_was_integrated_is_missed_by_little_with_doubt(solver: str) -> None:
    """At the end, after 5 s, x is 5."""
    for missed, marginal in ((1e-10, True), (1e-8, False)):
        found = became(counted(solver), claimed(f"n < 9 and x < 5 - {missed}"), {})
        assert isinstance(found, Broken)
        assert found.worst.margin == pytest.approx(-missed, rel=1e-3)
        assert found.marginal == marginal


def counted(solver: str) -> Run:
    return simulate(parse_model(COUNTER).automaton(), until=5.0, options=Options(solver=solver))
