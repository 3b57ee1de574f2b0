"""Witnesses: replayed, measured by a second road; near and deep ones; marginal ones labelled."""

import numpy as np
import pytest

from dyverse import Options, generate, simulate
from dyverse.falsification.falsify import falsify
from dyverse.falsification.verdict import Unsafe, Witness
from dyverse.falsification.witness import deepest, nearest, replay
from tests.falsification.models import BOUNCE, FLIGHT, G, asked, peak, world


def test_a_witness_fails_when_the_closed_form_says() -> None:
    """The ball rises with e √(v² + 2g/2) and passes 0.6 m on the way up."""
    witness = replay(asked(BOUNCE), np.array([0.9, 3.0]))
    assert witness is not None
    down = (9 + G) ** 0.5
    fall, up = (down - 3) / G, 0.9 * down
    assert witness.time == pytest.approx(fall + (up - (up**2 - 2 * G * 0.6) ** 0.5) / G, abs=1e-8)
    assert witness.worst_time == pytest.approx(fall + up / G, abs=1e-6)
    assert witness.margin == pytest.approx(0.6 - peak(0.9, 3), abs=1e-9)
    assert not witness.marginal


def test_a_point_that_keeps_the_property_is_no_witness() -> None:
    assert replay(asked(BOUNCE), np.array([0.5, 1.0])) is None


@pytest.mark.parametrize("K", [1.0, 2.02, 3.0])
def test_a_witness_agrees_with_another_solver(K: float) -> None:
    pytest.importorskip("sksundae")
    witness = replay(asked("example:interception-game"), np.array([K]))
    assert witness is not None
    automaton = generate(world("example:interception-game"), {"K": K})
    run = simulate(automaton, until=2, options=Options(solver="cvode"))
    assert run.times("impact") == pytest.approx(witness.run.times("impact"), abs=1e-7)
    assert run.at(witness.time).values[1] == pytest.approx(0, abs=1e-6)  # ball1.y
    assert run.at(witness.worst_time).values[1] == pytest.approx(witness.margin, abs=1e-6)


def e_of(height: float, v: float) -> float:
    return float((height / peak(1.0, v)) ** 0.5)


@pytest.mark.parametrize(("beyond", "marginal"), [(1e-11, True), (1e-6, False)])
def test_a_witness_next_to_the_boundary_is_marginal(beyond: float, marginal: bool) -> None:
    witness = replay(asked(BOUNCE), np.array([e_of(0.6 + beyond, 3.0), 3.0]))
    assert witness is not None
    assert witness.margin == pytest.approx(-beyond, rel=0.5)
    assert witness.marginal == marginal


def change(witness: Witness) -> float:
    """How far a witness of `BOUNCE` is from the model's own numbers, in widths of the ranges."""
    e, v = witness.settings["e"], witness.settings["v"]
    return float(np.hypot((e - 0.7) / 0.4, (v - 2) / 2))


def test_the_nearest_variant_is_nearer_and_the_deepest_deeper() -> None:
    verdict = falsify(asked(BOUNCE))
    assert isinstance(verdict, Unsafe)
    near, deep = verdict.nearest, verdict.deepest
    assert near is not None
    assert deep is not None
    for one in (near, deep):  # both really break it
        e, v = one.settings["e"], one.settings["v"]
        assert one.margin == pytest.approx(0.6 - peak(e, v), abs=1e-8)
        assert one.margin < 0
    assert change(near) < change(verdict.witness)
    assert deep.margin == pytest.approx(0.6 - peak(0.9, 3), abs=1e-8)


def test_the_nearest_variant_changes_one_number_if_one_is_enough() -> None:
    """With v = 2 the ball reaches 0.6 m from e = 0.9231 on, not in the range; with e = 0.9 in v."""
    near = nearest(asked(BOUNCE, ranges={"e": (0.5, 0.95)}), np.array([0.95, 3.0]))
    assert near is not None
    changed = [near.settings["e"] != 0.7, near.settings["v"] != 2]
    assert changed == [True, False]
    assert near.settings["e"] == pytest.approx(e_of(0.6, 2.0), abs=0.01)
    assert near.settings["e"] > e_of(0.6, 2.0)


@pytest.mark.parametrize("w", [1e-3, 1e-5])
def test_the_nearest_variant_finds_the_near_edge_of_a_thin_window(w: float) -> None:
    """The model's own speed is 1.2; the window ends 1.4 w above its middle: see its README."""
    question, middle = asked("example:window", settings={"w": w}), 0.96717125
    near = nearest(question, np.array([middle]))
    assert near is not None
    assert middle < near.settings["v"] < middle + 1.4 * w
    assert near.margin < 0


def test_the_own_point_is_the_nearest_if_it_breaks_the_property() -> None:
    question = asked(BOUNCE, ranges={"e": (0.88, 0.9), "v": (2.9, 3.0)})
    near = nearest(question, np.array([0.9, 3.0]))
    assert near is not None
    assert near.settings == {"e": 0.88, "v": 2.9}


def test_the_deepest_variant_goes_on_from_a_violation() -> None:
    deep = deepest(asked(BOUNCE), np.array([0.85, 2.9]))
    assert deep is not None
    assert deep.settings == pytest.approx({"e": 0.9, "v": 3.0}, abs=1e-9)


def test_a_property_may_end_where_a_parameter_without_range_says() -> None:
    """The ball passes 1 m at 0.276 s for v = 5, and an earlier end hides that."""
    text = FLIGHT.replace("until 2", "until 2*T") + "parameter T = 1\n"
    witness = replay(asked(text), np.array([5.0]))
    assert witness is not None
    assert witness.time == pytest.approx((5 - 5**0.5) / 10, abs=1e-8)
    assert replay(asked(text, settings={"T": 0.1}), np.array([5.0])) is None
