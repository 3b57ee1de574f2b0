import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.automaton.interface import State, Visit
from dyverse.automaton.node import ComputationNode, Known, NodePlace, walk
from dyverse.automaton.sweeping import Sweeper
from dyverse.automaton.written.writing import Assignments, node
from dyverse.errors import ModelError

NAMES = ("x", "y")


def linear(tolerance: float = 1e-13, max_sweeps: int = 200) -> ComputationNode:
    """Gauss and Seidel for 4u + w = x, u + 3w = y, with u, w left in x, y."""
    miss = "abs(4*u + w - x) + abs(u + 3*w - y)"
    return node(
        "linear",
        local="u w",
        entrance={"u": 0, "w": 0},
        steps={"first": {"u": "(x - w)/4"}, "second": {"w": "(y - u)/3"}},
        residual=miss,
        converged=f"{miss} <= {tolerance}",
        exit={"x": "u", "y": "w"},
        max_sweeps=max_sweeps,
    )


def visit(what: ComputationNode, x: float, y: float) -> Visit:
    return Sweeper(what, NAMES, {"a": 2.0}).visit(State(1.0, what.at("en"), np.array([x, y])))


def test_places_are_numbered_from_entrance_to_exit() -> None:
    assert [str(place) for place in linear().places()] == [
        "linear.en",
        "linear.1",
        "linear.2",
        "linear.3",
        "linear.ex",
    ]


def test_every_place_but_the_exit_has_an_edge_inside() -> None:
    edges = [edge for place in linear().places() for edge in linear().outgoing(place.place)]
    assert [edge.step.name for edge in edges] == [
        "initial guess",
        "first",
        "second",
        "repeat",
        "converged",
    ]
    assert {edge.target for edge in edges} == set(linear().places()) - {linear().at("en")}


def test_a_visit_ends_at_the_exit_with_the_answer() -> None:
    found = visit(linear(), 9.0, 5.0)
    assert found.failure is None
    assert found.after.location == NodePlace("linear", "ex")
    assert found.after.values == pytest.approx([2.0, 1.0])
    assert found.before.values == pytest.approx([9.0, 5.0])
    assert float(found.result["u"]) == pytest.approx(2.0)
    assert found.residual <= 1e-13


@settings(max_examples=50, deadline=None)
@given(x=st.floats(-100, 100), y=st.floats(-100, 100))
def test_walking_edge_by_edge_gives_what_a_visit_gives(x: float, y: float) -> None:
    what = linear(tolerance=1e-9)
    fast = visit(what, x, y)
    path = list(walk(what, {"x": x, "y": y, "a": 2.0, "t": 1.0}))
    place, numbers = path[-1]
    assert place == fast.after.location
    assert [numbers["x"], numbers["y"]] == pytest.approx(fast.after.values.tolist(), abs=1e-12)
    assert sum(place.place == what.test for place, _ in path) == fast.sweeps


def test_too_few_sweeps_are_a_named_outcome() -> None:
    what = linear(max_sweeps=3)
    found = visit(what, 9.0, 5.0)
    assert found.failure is not None
    assert "node 'linear' did not converge in 3 sweeps: residual" in found.failure
    path = list(walk(what, {"x": 9.0, "y": 5.0}))
    assert path[-1][0] == what.at(what.test)
    assert sum(place.place == "1" for place, _ in path) == 3


def test_divergence_is_noticed_at_once() -> None:
    steps: dict[str, Assignments] = {"square": {"u": "u*u"}}
    away = node("away", local="u", entrance={"u": "x"}, steps=steps, converged="u < 0")
    found = visit(away, 10.0, 0.0)
    assert found.failure == "node 'away' diverged: u is not finite after 9 sweeps"
    assert math.isnan(found.residual)


def heron(known: Known) -> Known:
    return {"u": (known["u"] + known["a"] / known["u"]) / 2}


def test_a_step_may_be_a_python_function() -> None:
    root = node(
        "root",
        local="u",
        entrance={"u": "x"},
        steps={"heron": heron, "copy": {"y": "u"}},
        converged="abs(u*u - a) <= 1e-14",
        exit={"x": "u"},
    )
    found = visit(root, 1.0, 0.0)
    assert found.after.values == pytest.approx([math.sqrt(2), math.sqrt(2)])
    *_, (_, numbers) = walk(root, {"x": 1.0, "y": 0.0, "a": 2.0})
    assert [numbers["x"], numbers["y"]] == found.after.values.tolist()
    assert pickle.loads(pickle.dumps(root)) == root


def test_a_function_may_return_only_variables() -> None:
    stray = node(
        "stray", local="guess", entrance={"guess": 0}, steps={"one": _stray}, converged="true"
    )
    with pytest.raises(ModelError, match=r"returned 'gues', which is no .*did you mean 'guess'"):
        visit(stray, 0.0, 0.0)


def _stray(_: Known) -> Known:
    return {"gues": 1.0}
