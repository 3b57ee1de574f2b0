"""Pictures of violations: the margin is that of the property, and both moments are marked."""

import math
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from dyverse.automaton.run import Run
from dyverse.automaton.written.writing import automaton, edge, location
from dyverse.bodies.describe import claim_text
from dyverse.bodies.world import Property
from dyverse.exporters.violation import Margins, violation_figure
from dyverse.expr.requirement import Requirement, always, before, eventually
from dyverse.expr.term import Number, Symbol
from dyverse.simulation.observing import pour
from dyverse.simulation.simulate import simulate
from dyverse.text.parse import parse_formula
from tests.exporters.sample_runs import BOUNCE, sample

FORMULA = parse_formula("ball.y > 1")
LOW = Property(name="high", requirement=always(FORMULA), until=Number(2.0))
FALL = math.sqrt(2 * 2 / 9.81)  # when the ball, dropped from 3 m, is at 1 m


def drawn() -> Figure:
    run = sample(BOUNCE, 2.0)
    return violation_figure(run, LOW, {}, broken=FALL, worst=run.times("impact")[0], title="a $x_$")


def panel(drawing: Figure, name: str) -> Any:
    (axes,) = [axes for axes in drawing.axes if axes.get_label() == name]
    return axes


def test_the_margin_is_the_height_over_the_limit() -> None:
    """Until the first impact y = 3 - g t²/2, to 1e-9."""
    run = sample(BOUNCE, 2.0)
    sink = Margins(LOW, {})
    pour(run, [sink])
    (curve,) = sink.curves
    falling = curve.times < run.times("impact")[0]
    expected = 2 - 9.81 / 2 * curve.times[falling] ** 2
    assert curve.values[falling] == pytest.approx(expected, abs=1e-9)
    assert curve.times[-1] == 2.0


def test_a_property_is_followed_to_its_own_end() -> None:
    run = sample(BOUNCE, 2.0)
    sink = Margins(Property(name="p", requirement=LOW.requirement, until=Symbol("T")), {"T": 1.0})
    pour(run, [sink])
    assert sink.curves[0].times[-1] <= 1.0


def test_both_moments_are_marked_on_every_time_axis() -> None:
    drawing = drawn()
    names = {str(axes.get_label()) for axes in drawing.axes}
    assert names == {"paths", "margin", "gaps", "energy", "modes"}
    impact = sample(BOUNCE, 2.0).times("impact")[0]
    for name in names - {"paths"}:
        marked = {
            line.get_xdata()[0]
            for line in panel(drawing, name).lines
            if line.get_linestyle() in ("--", ":")
        }
        assert {FALL, impact} <= marked


def test_the_bodies_are_marked_on_their_paths() -> None:
    """When the property breaks the ball is 1 m high, and where 1 m/s and 0.1 t N take it."""
    crosses = [line for line in panel(drawn(), "paths").lines if line.get_marker() == "X"]
    assert len(crosses) == 2
    (x,), (y,) = crosses[0].get_data()
    assert y == pytest.approx(1.0, abs=1e-6)
    assert x == pytest.approx(FALL + 0.1 * FALL**3 / 6, abs=1e-6)


def test_below_zero_is_filled_for_what_must_always_hold() -> None:
    (below,) = panel(drawn(), "margin").collections
    assert below.get_datalim(panel(drawn(), "margin").transData).y1 <= 1e-9


def test_an_automaton_without_bodies_is_marked_on_its_variables() -> None:
    clock = automaton(
        variables="c",
        locations=[location("here", {"c": 1}), location("there", {"c": -1})],
        edges=[edge("here", "there", "c >= 1", action="turn")],
        initial=("here", {}),
    )
    run: Run = simulate(clock, until=2.5)
    claim = Property(name="p", requirement=always(parse_formula("c < 0.75")))
    drawing = violation_figure(run, claim, {}, broken=0.75, worst=1.0)
    assert [axes.get_label() for axes in drawing.axes] == ["paths", "margin"]
    assert 0.75 in {line.get_xdata()[0] for line in panel(drawing, "paths").lines}


@pytest.mark.parametrize(
    ("requirement", "curves", "words"),
    [
        (always(FORMULA), 1, "always ball.y > 1"),
        (eventually(FORMULA), 1, "eventually ball.y > 1"),
        (before(FORMULA, parse_formula("ball.x > 2")), 2, "always ball.y > 1 before ball.x > 2"),
    ],
)
def test_a_property_in_words_and_curves(requirement: Requirement, curves: int, words: str) -> None:
    claim = Property(name="p", requirement=requirement)
    assert claim_text(claim) == words
    run = sample(BOUNCE, 2.0)
    sink = Margins(claim, {})
    pour(run, [sink])
    assert len(sink.curves) == curves
    assert np.isfinite(sink.curves[-1].values).all()
    violation_figure(run, claim, {}, broken=1.0, worst=1.0)
