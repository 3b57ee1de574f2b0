"""Properties along a run: first violations to closed forms, short ones not passed over."""

import math

import pytest

from dyverse.bodies.world import Property
from dyverse.expr.term import as_term
from dyverse.simulation.observing import pour
from dyverse.simulation.properties import Outcome, Watcher
from dyverse.text.parse import parse_formula
from tests.exporters.sample_runs import BOUNCE, SPRING, sample


def outcome(text: str, formula: str, *, run_until: float, until: float | None = None) -> Outcome:
    end = None if until is None else as_term(until)
    claim = Property(name="claim", formula=parse_formula(formula), until=end)
    run = sample(text, run_until)
    watcher = Watcher(claim, {})
    pour(run, [watcher])
    return watcher.outcome(run)


def test_first_violation_meets_the_closed_form() -> None:
    """x = cos 2t falls below -1/2 at t = π/3."""
    found = outcome(SPRING, "m.x > -0.5", run_until=3.0)
    assert found.violated_at == pytest.approx(math.pi / 3, abs=1e-8)
    assert not found.held


def test_a_dip_between_samples_is_found() -> None:
    """x = cos 2t is below -1 + 1e-9 for 4.5e-5 s only."""
    found = outcome(SPRING, "m.x > -1 + 1e-9", run_until=3.0)
    assert found.violated_at == pytest.approx(math.pi / 2, abs=1e-4)


def test_a_property_is_asked_for_until_its_end_only() -> None:
    held = outcome(SPRING, "m.x > -0.5", run_until=3.0, until=1.0)
    assert held.held
    assert held.checked_until == 1.0
    late = outcome(SPRING, "m.x > -0.5", run_until=3.0, until=1.05)
    assert late.violated_at == pytest.approx(math.pi / 3, abs=1e-8)


def test_a_violation_from_the_start_is_at_zero() -> None:
    assert outcome(SPRING, "m.x < 0", run_until=3.0).violated_at == 0.0


def test_a_jump_violates_at_its_instant() -> None:
    """The first impact, at √(2·2.5/9.81), turns the ball's velocity round."""
    found = outcome(BOUNCE, "ball.vy <= 0 or gap[ball,floor] > 1", run_until=2.0)
    assert found.violated_at == pytest.approx(math.sqrt(5 / 9.81), abs=1e-9)


def test_a_run_that_ends_early_is_checked_to_its_end() -> None:
    assert outcome(SPRING, "m.x < 2", run_until=3.0, until=50.0).checked_until == 3.0
