"""What bodies do in the long run: gaits, bounces that double their period, rest."""

from __future__ import annotations

import numpy as np
import pytest

from dyverse import Options, example_text, parse_model, simulate
from dyverse.abstraction.evidence.returning import (
    Instants,
    NotSeen,
    Rests,
    Returns,
    Seen,
    returning,
)

DROPPED = """
gravity (0, -9.81, 0)
body ball { sphere radius 0.1  mass 1  position (0, 1, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution 0.5 }
"""


def seen(text: str, until: float, **settings: float) -> Seen:
    automaton = parse_model(text).automaton(settings)
    return returning(simulate(automaton, until=until, options=Options(solver="native")))


def test_a_rimless_wheel_comes_to_its_gait() -> None:
    """N = 8, γ = 0.08, J = 0.2: a step of 0.838635 s; speeds come nearer by (ω⁺/ω⁻)² each."""
    found = seen(example_text("rimless-wheel"), 20)
    assert isinstance(found, Returns)
    assert found.name == "orbit of 1"
    assert found.cycle == ("impact wheel-ground, release wheel-ground",)
    assert found.period == pytest.approx(0.838635, abs=2e-6)
    assert found.factor == pytest.approx(0.755922**2, rel=1e-3)


def test_a_compass_walker_puts_one_foot_before_the_other() -> None:
    found = seen(example_text("compass-walker"), 8)
    assert isinstance(found, Returns)
    assert len(found.cycle) == 2
    assert found.period == pytest.approx(2 * 0.734347, abs=1e-4)


def test_a_woodpecker_hops_down_its_pole() -> None:
    """The sleeve sticks, slips and lets go, the beak hits, and the sleeve does, twice."""
    found = seen(example_text("woodpecker"), 3)
    assert isinstance(found, Returns)
    assert found.name == "orbit of 6"
    assert found.period == pytest.approx(0.130747525, abs=1e-8)


@pytest.mark.parametrize(("push", "bounces"), [(1.3, 1), (1.55, 2), (1.68, 4)])
def test_bounces_on_a_table_double_their_period(push: float, bounces: int) -> None:
    """Once per period of the table, until (A ω²/g)² = (π/3)² + (10/9)² = 1.527²."""
    found = seen(example_text("vibrating-table"), 30, push=push)
    assert isinstance(found, Returns)
    assert found.name == f"orbit of {bounces}"
    assert found.period == pytest.approx(bounces * 2 * np.pi / 60, abs=1e-9)
    assert found.word == "('impact ball-table')^ω"


@pytest.mark.parametrize("push", [1.515, 1.52, 1.524, 1.529, 1.665])
def test_next_to_a_doubling_nothing_wrong_is_said(push: float) -> None:
    """Every other bounce is nearer to itself than to the next for long, on both sides."""
    found = seen(example_text("vibrating-table"), 30, push=push)
    right = {1.529: "orbit of 2", 1.665: "orbit of 4"}.get(push, "orbit of 1")
    assert found.name in ("undecided", right)


def test_a_ball_comes_to_rest() -> None:
    found = seen(DROPPED, 5)
    assert isinstance(found, Rests)
    assert found.location.startswith("{ball-floor: ")


def test_too_short_a_run_shows_nothing() -> None:
    found = seen(example_text("rimless-wheel"), 2)
    assert isinstance(found, NotSeen)
    assert found.name == "undecided"


def test_rounds_are_compared_from_the_end() -> None:
    times = np.cumsum([1.0, 2.0] * 6)
    rows = np.array([[1.0], [2.0]] * 6)
    found = Instants(times, ("a", "b") * 6, rows)
    assert found.distances(1) == []
    assert found.distances(2) == pytest.approx([0, 0, 0], abs=1e-12)
    assert found.is_apart(1, 2)
