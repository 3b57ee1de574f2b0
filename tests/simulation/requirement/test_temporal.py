"""*Eventually* and *before* along a run, against closed forms of x = cos 2t."""

import math
from typing import Literal

import pytest
from scipy.optimize import brentq

from dyverse.automaton.run import Run
from dyverse.bodies.world import Property
from dyverse.expr.requirement import Requirement, always, before, eventually
from dyverse.expr.term import as_term
from dyverse.simulation.requirement.properties import Broken, Kept, Open, Outcome
from dyverse.simulation.requirement.properties import outcome as became
from dyverse.text.parse import parse_formula, parse_requirement
from tests.exporters.sample_runs import SPRING, sample

THIRD = math.pi / 3  # when x falls to -1/2


@pytest.fixture(scope="module")
def run() -> Run:
    return sample(SPRING, 3.0)


def claimed(
    formula: str,
    *,
    kind: Literal["always", "eventually", "before"] = "eventually",
    goal: str | None = None,
    until: float = 2.0,
) -> Property:
    goals = None if goal is None else parse_formula(goal)
    first = parse_formula(formula)
    claim: Requirement = eventually(first) if kind == "eventually" else always(first)
    if goals is not None:
        claim = before(first, goals)
    return Property(name="claim", requirement=claim, until=as_term(until))


def outcome(run: Run, claim: Property) -> Outcome:
    return became(run, claim, {})


def broken_at(run: Run, claim: Property) -> float | None:
    found = outcome(run, claim)
    assert isinstance(found, Broken) == (found.worst.margin < 0)
    return found.time if isinstance(found, Broken) else None


def test_eventually_is_broken_at_the_end_if_it_never_happens(run: Run) -> None:
    assert isinstance(outcome(run, claimed("m.x < -0.5")), Kept)
    assert broken_at(run, claimed("m.x < -0.5", until=1.0)) == 1.0
    assert broken_at(run, claimed("m.x < -1.5")) == 2.0


def test_what_has_not_happened_yet_may_still_happen(run: Run) -> None:
    late = outcome(run, claimed("m.x < -1.5", until=50.0))
    assert isinstance(late, Open)
    assert late.until == 3.0
    assert late.worst.margin >= 0


def test_a_short_moment_is_enough(run: Run) -> None:
    """x is below -1 + 1e-9 for 4.5e-5 s."""
    assert isinstance(outcome(run, claimed("m.x < -1 + 1e-9")), Kept)


def test_what_is_only_just_not_reached_has_not_happened(run: Run) -> None:
    """z stays 0: neither is it ever less, nor is it ever not zero."""
    assert broken_at(run, claimed("m.z < 0")) == 2.0
    assert broken_at(run, claimed("m.z != 0")) == 2.0
    assert broken_at(run, claimed("m.z <= 0")) is None
    assert broken_at(run, claimed("m.x > -2", kind="before", goal="m.z > 0")) == 2.0


def test_what_happens_after_the_goal_does_not_count(run: Run) -> None:
    """x < 0.5 from π/6 on; x > 0.4 is lost later. In between, at 0.45, both hold by 0.05."""
    found = outcome(run, claimed("m.x > 0.4", kind="before", goal="m.x < 0.5"))
    assert isinstance(found, Kept)
    assert found.worst.margin == pytest.approx(0.05, abs=1e-8)
    assert found.worst.time == pytest.approx(math.acos(0.45) / 2, abs=1e-8)


@pytest.mark.parametrize(
    ("formula", "goal", "broken"),
    [
        ("m.x > -0.6", "m.x < -0.5", None),  # the goal comes first
        ("m.x > -0.4", "m.x < -0.5", math.acos(-0.4) / 2),  # it comes too late
        ("m.x > -2", "m.x < -1.5", 2.0),  # it never comes
        ("m.x > -0.5", "t > 1.2", THIRD),
    ],
)
def test_before(run: Run, formula: str, goal: str, broken: float | None) -> None:
    found = broken_at(run, claimed(formula, kind="before", goal=goal))
    assert found == (None if broken is None else pytest.approx(broken, abs=1e-8))


def test_what_is_lost_before_the_goal_is_lost_by_what_both_are_off_by(run: Run) -> None:
    """t <= 1 is lost before x < -1/2, at π/3; both are off by as much in between."""
    between = brentq(lambda t: -0.5 - math.cos(2 * t) - (1 - t), 1, THIRD, xtol=1e-14)
    found = outcome(run, claimed("t <= 1", kind="before", goal="m.x < -0.5"))
    assert isinstance(found, Broken)
    assert found.time == pytest.approx(1, abs=1e-9)
    assert found.worst.margin == pytest.approx(1 - between, abs=1e-8)
    assert not found.marginal


def test_the_margin_has_the_sign_of_the_answer(run: Run) -> None:
    always = became(run, claimed("m.x > -0.5", kind="always"), {}).worst
    assert always.margin == pytest.approx(-0.5, abs=1e-9)  # x = -1
    assert always.time == pytest.approx(math.pi / 2, abs=1e-4)
    assert became(run, claimed("m.x < -0.5"), {}).worst.margin == pytest.approx(0.5, abs=1e-9)
    assert became(run, claimed("m.x < -1.5"), {}).worst.margin == pytest.approx(-0.5, abs=1e-9)
    early = claimed("m.x > -0.6", kind="before", goal="m.x < -0.5")
    assert became(run, early, {}).worst.margin > 0
    late = claimed("m.x > -0.4", kind="before", goal="m.x < -0.5")
    assert became(run, late, {}).worst.margin < 0


def test_what_has_happened_has_happened_however_the_run_goes_on(run: Run) -> None:
    """The run ends at 3 s, the property at 50 s: x is below -1/2 from π/3 on."""
    found = outcome(run, claimed("m.x < -0.5", until=50.0))
    assert isinstance(found, Kept)
    assert found.worst.margin == pytest.approx(0.5, abs=1e-9)
    assert isinstance(outcome(run, claimed("m.x > -2", goal="m.x < -0.5", until=50.0)), Kept)


def test_the_comparison_that_decides_is_told(run: Run) -> None:
    """x is 2 from 3 at most, and 0 from -1 at least, at π/2."""
    decides = outcome(run, claimed("m.x < 3 and m.x >= -1", kind="always")).worst
    assert decides.decides == parse_formula("m.x >= -1")
    assert decides.time == pytest.approx(math.pi / 2, abs=1e-4)


def test_what_looks_ahead_by_windows_alone_is_over_with_them(run: Run) -> None:
    """The run ends at 3 s: with its windows, which end at 2.5 s, the requirement is decided."""
    claim = parse_requirement("always[0, 1.5] eventually[0, 1] m.x < -0.5")
    found = outcome(run, Property(name="claim", requirement=claim, until=as_term(50.0)))
    assert isinstance(found, Broken)  # from π/3 + π/3 on x is above -1/2 for longer than 1 s
    later = parse_requirement("eventually[3.2, 3.5] m.x > -2")  # behind the end of the run
    assert isinstance(outcome(run, Property(name="claim", requirement=later)), Open)
