"""Witnesses: replayed on three roads; near and deep ones; what is within the error is none."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from dyverse import Options, generate, simulate
from dyverse.automaton.interface import Array
from dyverse.falsification.asking import ask
from dyverse.falsification.falsify import falsify
from dyverse.falsification.plain import changed
from dyverse.falsification.question import Question, probe
from dyverse.falsification.search import groping
from dyverse.falsification.system import Probes
from dyverse.falsification.verdict import NotFound, Unknown, Unsafe, Witness
from dyverse.falsification.witness import (
    DEEPER,
    SEARCH,
    TIGHT,
    Marginal,
    deepest,
    nearest,
    replay,
    simplest,
)
from dyverse.flow.follow import Options as FollowOptions
from dyverse.flow.step import Accuracy
from dyverse.generation.model import Model, parse_model
from tests.falsification.models import BOUNCE, FLIGHT, G, asked, peak, world
from tests.falsification.recorded import Recorded

# It leaves the strip to the left untouched, and to the right after it has hit the post.
TWO_WAYS = """\
parameter vx = 0.1 in [-2, 2]
body ball { sphere radius 0.1  mass 1  velocity (vx, 0, 0) }
body post { sphere radius 0.1  position (0.6, 0, 0)  fixed }
contact ball post { restitution 0.9 }
property near: always ball.x > -0.5 until 1
"""


def witness_at(question: Question, *point: float) -> Witness:
    found = replay(question, np.array(point))
    assert isinstance(found, Witness)
    return found


def test_a_witness_fails_when_the_closed_form_says() -> None:
    """The ball rises with e √(v² + 2g/2) and passes 0.6 m on the way up."""
    witness = witness_at(asked(BOUNCE), 0.9, 3.0)
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
    witness = witness_at(asked("example:interception-game"), K)
    automaton = generate(world("example:interception-game"), {"K": K})
    run = simulate(automaton, until=2, options=Options(solver="cvode"))
    assert run.times("impact") == pytest.approx(witness.run.times("impact"), abs=1e-7)
    assert run.at(witness.time).values[1] == pytest.approx(0, abs=1e-6)  # ball1.y
    assert run.at(witness.worst_time).values[1] == pytest.approx(witness.margin, abs=1e-6)


def e_of(height: float, v: float) -> float:
    return float((height / peak(1.0, v)) ** 0.5)


@pytest.mark.parametrize(("beyond", "marginal"), [(1e-11, True), (1e-6, False)])
def test_next_to_the_boundary_there_is_no_witness(beyond: float, marginal: bool) -> None:
    found = replay(asked(BOUNCE), np.array([e_of(0.6 + beyond, 3.0), 3.0]))
    witness = found.witness if isinstance(found, Marginal) else found
    assert isinstance(found, Marginal) == marginal
    assert witness is not None
    assert witness.marginal == marginal
    assert witness.margin == pytest.approx(-beyond, rel=0.5)
    assert marginal == (-witness.margin < witness.error)


def test_a_verdict_within_the_error_is_unknown_and_says_so() -> None:
    e = e_of(0.6 + 1e-11, 3.0)
    verdict = falsify(asked(BOUNCE, ranges={"e": (e - 0.1, e), "v": (3.0, 3.0)}))
    assert isinstance(verdict, Unknown)
    assert "missed by 1e-11, which is within the error of 1e-09" in verdict.why
    assert f"at e = {e:.9g}, v = 3" in verdict.why
    assert verdict.marginal is not None
    assert verdict.marginal.settings == {"e": e, "v": 3.0}


def test_a_clear_violation_is_found_behind_a_marginal_one() -> None:
    """Every ball that touches the floor misses gap >= 0 by rounding; one in the window by 1 m."""
    text = BOUNCE.replace("ball.y - 0.1 <= limit", "gap[ball,floor] >= 0 and (v < 2.9 or t < 0.5)")
    verdict = falsify(asked(text))
    assert isinstance(verdict, Unsafe)
    assert verdict.witness.settings["v"] >= 2.9
    assert not verdict.witness.marginal


GROWTH = """
parameter v = 1 in [1, 1]
automaton growth {
  real x = v
  location grows { x' = x }
  initial grows
}
property p: always CLAIM until 20
"""


def grown(solver: str, accuracy: Accuracy) -> float:
    """x after 20 s, from 1."""
    model = parse_model(GROWTH.replace("CLAIM", "x > 0"))
    options = Options(solver=solver, follow=FollowOptions(accuracy=accuracy))
    return simulate(model.automaton(), until=20.0, options=options).final["x"]


@cache
def between(*, kept: str) -> Model:
    """Claims what only a run at tighter tolerance keeps, or breaks.

    x = eᵗ; both engines are off by the same, at 1e-10 by some 1e-2 of 4.85e8. The bound is halfway
    between what they say and what the reference engine says at 100 times tighter tolerance.
    """
    loose, native = grown("reference", SEARCH), grown("native", SEARCH)
    tight = grown("reference", TIGHT)
    assert abs(loose - native) < 0.01 * abs(loose - tight)
    assert abs(loose - tight) > 1e-4
    sign = "<=" if (loose > tight) == (kept == "tight") else ">="
    return parse_model(GROWTH.replace("CLAIM", f"t < 20 or x {sign} {(loose + tight) / 2!r}"))


def test_what_a_tighter_tolerance_keeps_is_not_broken() -> None:
    verdict = falsify(ask(between(kept="tight")))
    assert isinstance(verdict, Unknown)
    assert "but kept at 100 times tighter tolerance" in verdict.why


def test_what_only_a_tighter_tolerance_breaks_is_not_kept() -> None:
    """The opposite claim: the search finds nothing, and the replay of its nearest run does."""
    verdict = falsify(ask(between(kept="loose")))
    assert isinstance(verdict, Unknown)
    assert "but kept in another simulation" in verdict.why


@pytest.mark.parametrize("point", [[0.9, 3.0], [0.5, 1.0]], ids=["broken", "kept"])
def test_what_is_found_and_what_came_nearest_is_judged_on_three_roads(point: list[float]) -> None:
    question = asked(BOUNCE)
    recorded = Recorded(question.system)
    replay(replace(question, system=recorded), np.array(point))
    roads = {(solver, f"{one.relative:.3g} {one.absolute:.3g}") for one, solver in recorded.seen}
    assert roads == {
        ("native", "1e-10 1e-12"),
        ("reference", "1e-10 1e-12"),
        ("reference", "1e-12 1e-14"),
    }


def test_a_witness_is_the_run_of_the_reference_engine() -> None:
    assert witness_at(asked(BOUNCE), 0.9, 3.0).run.solver == "reference"


def test_nothing_is_found_only_if_the_nearest_run_was_judged_too() -> None:
    question = asked(BOUNCE, ranges={"e": (0.5, 0.6), "v": (1.0, 2.0)})
    recorded = Recorded(question.system)
    verdict = falsify(replace(question, system=recorded))
    assert isinstance(verdict, NotFound)
    assert len(recorded.seen) == 3


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
    near = nearest(asked(BOUNCE, ranges={"e": (0.5, 0.95)}), np.array([0.95, 3.0]), error=1e-9)
    assert near is not None
    changed = [near.settings["e"] != 0.7, near.settings["v"] != 2]
    assert changed == [True, False]
    assert near.settings["e"] == pytest.approx(e_of(0.6, 2.0), abs=0.01)
    assert near.settings["e"] > e_of(0.6, 2.0)


@pytest.mark.parametrize("w", [1e-3, 1e-5])
def test_the_nearest_variant_finds_the_near_edge_of_a_thin_window(w: float) -> None:
    """The model's own speed is 1.2; the window ends 1.4 w above its middle: see its README."""
    question, middle = asked("example:window", settings={"w": w}), 0.96717125
    near = nearest(question, np.array([middle]), error=1e-9)
    assert near is not None
    assert middle < near.settings["v"] < middle + 1.4 * w
    assert near.margin < 0


def test_the_own_point_is_the_nearest_if_it_breaks_the_property() -> None:
    question = asked(BOUNCE, ranges={"e": (0.88, 0.9), "v": (2.9, 3.0)})
    near = nearest(question, np.array([0.9, 3.0]), error=1e-9)
    assert near is not None
    assert near.settings == {"e": 0.88, "v": 2.9}


NESTED = """
parameter w = 3 in [2, 4]
automaton m {
  real x = 1, v
  location on { x' = v  v' = -w*w*x }
  initial on
}
system m
property rises: always[0, 2] (m.x < 0 implies eventually[0, 0.2] m.x > -0.5)
"""


def test_the_deepest_variant_goes_on_from_a_violation() -> None:
    deep = deepest(asked(BOUNCE), np.array([0.85, 2.9]), runs=1)
    assert deep is not None
    assert deep.settings == pytest.approx({"e": 0.9, "v": 3.0}, abs=1e-9)


def test_going_deeper_without_slopes_takes_as_many_runs_as_the_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One run of a nested requirement may take a second: the search had two of them."""
    question = ask(parse_model(NESTED))
    made: list[int] = []

    def counted(asked: Question, points: Array) -> Probes:
        made.append(len(points))
        return probe(asked, points)

    monkeypatch.setattr(groping, "probe", counted)
    for runs, most in ((2, DEEPER), (20, 20)):
        made.clear()
        assert deepest(question, question.nominal, runs=runs) is not None
        assert 0 < len(made) <= most


def test_a_property_may_end_where_a_parameter_without_range_says() -> None:
    """The ball passes 1 m at 0.276 s for v = 5, and an earlier end hides that."""
    text = FLIGHT.replace("until 2", "until 2*T") + "parameter T = 1\n"
    witness = witness_at(asked(text), 5.0)
    assert witness.time == pytest.approx((5 - 5**0.5) / 10, abs=1e-8)
    assert replay(asked(text, settings={"T": 0.1}), np.array([5.0])) is None


def test_the_simplest_leaves_what_does_not_matter_and_has_short_numbers() -> None:
    """The mass has no say; of e and v either alone is not enough, and both can be short."""
    question = asked(BOUNCE.replace("mass 1 ", "mass m ") + "parameter m = 1 in [0.5, 2]\n")
    found = simplest(question, np.array([0.8872983346, 2.9645751311, 1.7320508]), error=1e-9)
    assert found is not None
    assert found.settings == {"e": 0.9, "v": 3.0, "m": 1.0}
    assert changed(question, found) == ["e", "v"]


def test_a_short_number_stays_in_its_range() -> None:
    question = asked(BOUNCE, ranges={"e": (0.5, 0.88), "v": (1.0, 2.96)})
    found = simplest(question, np.array([0.88, 2.96]), error=1e-9)
    assert found is not None
    assert found.settings == {"e": 0.8, "v": 2.96}
    assert peak(0.8, 2.96) > 0.6 > peak(0.8, 2.9)


def test_further_witnesses_go_other_ways_and_are_apart() -> None:
    verdict = falsify(asked(TWO_WAYS), witnesses=3)
    assert isinstance(verdict, Unsafe)
    assert len(verdict.others) == 2
    every = [verdict.witness, *verdict.others]
    assert {len(one.run.times("impact")) > 0 for one in every[:2]} == {True, False}
    places = sorted(one.settings["vx"] for one in every)
    assert all(b - a > 0.1 for a, b in pairwise(places))


def test_one_witness_asks_for_no_more_runs() -> None:
    one, three = (falsify(asked(TWO_WAYS), witnesses=count) for count in (1, 3))
    assert isinstance(one, Unsafe)
    assert one.others == ()
    assert one.covered.runs < three.covered.runs
