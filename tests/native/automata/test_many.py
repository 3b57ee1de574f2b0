"""Many runs of one automaton at once: the same as one by one, whatever the number of workers."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dyverse.automaton.guard.robustness import NOTHING, UNDEFINED
from dyverse.automaton.run import Stop
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.bodies.world import Property
from dyverse.errors import ModelError
from dyverse.expr.formula import Formula
from dyverse.expr.requirement import always
from dyverse.falsification.system import Bounds, probed, system
from dyverse.generation.model import parse_model
from dyverse.native.automata.many import simulate_many_automata
from dyverse.native.automata.options import Options
from dyverse.simulation.requirement.properties import outcome
from dyverse.simulation.simulate import simulate
from dyverse.text.examples import example_text
from dyverse.text.parse import parse_formula
from tests.catalogue import bouncing_ball, thermostat

HEIGHTS, BOUNCE = np.linspace(2, 12, 11), np.linspace(0.75, 0.95, 11)


def test_every_run_is_what_the_reference_engine_says() -> None:
    many = simulate_many_automata(bouncing_ball(), {"y": HEIGHTS, "e": BOUNCE}, until=3.0)
    for i, (height, e) in enumerate(zip(HEIGHTS.tolist(), BOUNCE.tolist(), strict=True)):
        alone = simulate(bouncing_ball(height=height, e=e), until=3.0)
        assert many.final[i] == pytest.approx(alone.end.values, abs=1e-8)
        assert many.counts[i] == len(alone.events)
        assert [kind for _, kind in many.events(i)] == [event.kind for event in alone.events]
        times = [event.time for event in alone.events]
        assert [time for time, _ in many.events(i)] == pytest.approx(times, abs=1e-9)
    assert set(many.stops) == {Stop.HORIZON}
    assert many.location(0) == "fall"
    assert many.column("y").tolist() == many.final[:, 0].tolist()


def test_the_number_of_workers_does_not_matter() -> None:
    results = [
        simulate_many_automata(thermostat(), {"k": BOUNCE}, until=60.0, workers=n)
        for n in (1, 2, 3)
    ]
    for other in results[1:]:
        assert other.final.tobytes() == results[0].final.tobytes()
        assert other.paths.tolist() == results[0].paths.tolist()


def test_rows_may_set_different_names() -> None:
    rows = [{"T": 19.0}, {"k": 0.2, "high": 21.0}, {}]
    many = simulate_many_automata(thermostat(), rows, until=1.0)
    late = 1 - math.log(10 / 9) / 0.2  # s, since it reached 21 and began to cool
    closed = [30 - 11 * math.exp(-0.1), 10 + 11 * math.exp(-0.2 * late), 30 - 10 * math.exp(-0.1)]
    assert many.column("T") == pytest.approx(closed, abs=1e-8)


def test_paths_are_equal_for_equal_events() -> None:
    many = simulate_many_automata(bouncing_ball(), {"y": HEIGHTS}, until=3.0)
    counts, paths = many.counts.tolist(), many.paths.tolist()
    assert [paths.index(p) for p in paths] == [counts.index(c) for c in counts]
    assert 1 < len(set(paths)) < len(paths)


def test_the_least_margin_is_found_between_samples() -> None:
    """y >= 5 fails at √(2(h - 5)/g) and is least at the impact; v <= 6 is least after it."""
    formulas: list[Formula] = [parse_formula("y >= 5"), parse_formula("v <= 6")]
    many = simulate_many_automata(bouncing_ball(), {"y": HEIGHTS[4:]}, until=2.0, watched=formulas)
    for i, height in enumerate(HEIGHTS[4:].tolist()):
        impact, speed = math.sqrt(2 * height / 9.81), 0.8 * math.sqrt(2 * 9.81 * height)
        assert many.least[i] == pytest.approx([-5.0, 6 - speed], abs=1e-8)
        assert many.least_at[i] == pytest.approx([impact, impact], abs=1e-9)
        assert many.failed_at[i, 0] == pytest.approx(math.sqrt(2 * (height - 5) / 9.81), abs=1e-9)


def test_margins_agree_with_those_of_a_run() -> None:
    formula = parse_formula("T*T >= 330 or T >= 19 + sin(t)")
    claim = Property(name="p", requirement=always(formula))
    many = simulate_many_automata(thermostat(), {"k": BOUNCE / 4}, until=30.0, watched=[formula])
    for i, k in enumerate((BOUNCE / 4).tolist()):
        alone = simulate(_with(k), until=30.0)
        assert many.least[i, 0] == pytest.approx(outcome(alone, claim, {}).worst.margin, abs=1e-6)


def _with(k: float) -> WrittenAutomaton:
    base = thermostat()
    return replace(base, parameters=tuple((dict(base.parameters) | {"k": k}).items()))


@pytest.mark.parametrize(
    ("text", "margin"),
    [
        ("y >= 0", 0.0),
        ("y > 0", -NOTHING),
        ("not (y == 0)", -NOTHING),
        ("1/y > 0", -UNDEFINED),
        ("y == 0 or 1/y > 0", 0.0),
    ],
)
def test_at_its_bound_a_formula_is_read_as_in_python(text: str, margin: float) -> None:
    """A ball that begins on the floor and does not move."""
    lying = {"y": [0.0], "g": [0.0]}
    many = simulate_many_automata(bouncing_ball(), lying, until=1.0, watched=[parse_formula(text)])
    assert many.least[0, 0] == margin
    assert math.isnan(many.failed_at[0, 0]) == (margin == 0)


def test_a_formula_is_watched_until_its_own_end() -> None:
    ends = np.array([[0.5], [9.0]])
    many = simulate_many_automata(
        bouncing_ball(), [{}, {}], until=2.0, watched=[parse_formula("y >= 9")], ends=ends
    )
    assert many.least[:, 0] == pytest.approx([1 - 9.81 / 8, -9.0], abs=1e-8)


def test_progress_may_stop_the_runs() -> None:
    many = simulate_many_automata(
        thermostat(),
        {"k": np.linspace(0.1, 0.2, 40)},
        until=50.0,
        workers=1,
        options=Options(progress=lambda time, events: True),
        progress=lambda done, total: False,
    )
    assert Stop.INTERRUPTED in many.stops
    assert set(many.stops[:10]) == {Stop.HORIZON}


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [({"K": [1.0]}, "no parameter or variable 'K'; did you mean 'k'"), ({"k": [np.nan]}, "nan")],
)
def test_a_setting_that_cannot_be_is_refused(
    settings: dict[str, list[float]], complaint: str
) -> None:
    with pytest.raises(ModelError, match=complaint):
        simulate_many_automata(thermostat(), settings, until=1.0)


@pytest.mark.parametrize(
    ("name", "ranges", "until"),
    [
        ("thermostat", {"k": (0.05, 0.2), "T": (19, 21), "high": (21, 23)}, 20.0),
        ("two-tanks", {"inflow": (0.5, 1.5), "left.level": (0.5, 1)}, 4.0),
        ("bouncing-ball-floor", {"ball.y": (10, 30), "ball.e": (0.6, 0.9)}, 14.0),
        ("gear", {"pause": (0.1, 1)}, 15.0),
    ],
)
def test_the_falsifier_sees_the_same_by_both_engines(
    name: str, ranges: dict[str, tuple[float, float]], until: float
) -> None:
    model = parse_model(example_text(name))
    subject = system(model, model.properties[0])
    draw = np.random.default_rng(1)
    columns = {key: draw.uniform(*limits, 6) for key, limits in ranges.items()}
    bounds = Bounds(until, 100_000, math.inf)
    ours, theirs = subject.probe(columns, bounds), probed(subject, columns, bounds)
    assert ours.margins == pytest.approx(theirs.margins, abs=1e-8)
    assert ours.events.tolist() == theirs.events.tolist()
    assert ours.decided.tolist() == theirs.decided.tolist()
    assert ours.stops == theirs.stops
    groups = [[paths.index(p) for p in paths] for paths in (ours.paths, theirs.paths)]
    assert groups[0] == groups[1]
