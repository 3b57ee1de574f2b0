"""What callers in Python give is refused in words where nothing can be done with it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dyverse
from dyverse.bodies import build
from dyverse.errors import ArgumentError, DyverseError
from dyverse.given import check_kind, check_time, number_problem

BALL = """
parameter e = 0.5 in [0.2, 0.8]
gravity (0, -9.81, 0)
body ball { sphere radius 0.1  mass 1  position (0, 1.1, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution e }
property up: always ball.y > 0 until 1
"""
# What is given has the wrong type on purpose, so that types are not asked.
MODEL: Any = dyverse.parse_model(BALL)
AUTOMATON: Any = MODEL.automaton()
LAMP: Any = dyverse.parse_model("automaton lamp { real x  location on { x' = 1 }  initial on }")
D: Any = dyverse
B: Any = build


def session() -> Any:
    return dyverse.open_session(MODEL)


def run() -> Any:
    return dyverse.simulate(AUTOMATON, until=0.1)


WRONG: list[tuple[str, Callable[[], object]]] = [
    ("expected text, found None", lambda: D.parse_model(None)),
    ("expected text, found b'x'", lambda: D.parse_world(b"x")),
    ("the name of an example, found 3", lambda: D.example_text(3)),
    ("a world, found a Model; a model has", lambda: D.generate(MODEL)),
    ("no rules 'new'; there are paper, complete", lambda: D.generate(MODEL.world, rules="new")),
    ("cannot set 'e' to 'x': not a number", lambda: D.generate(MODEL.world, {"e": "x"})),
    ("cannot set 'e' to None: not a number", lambda: MODEL.automaton({"e": None})),
    ("cannot set 'x' to '1': not a number", lambda: LAMP.automaton({"x": "1"})),
    ("an automaton, found a Model; a model makes", lambda: D.simulate(MODEL, until=1)),
    ("an automaton, found a World", lambda: D.simulate(MODEL.world, until=1)),
    ("'until' is nan; it must be a finite", lambda: D.simulate(AUTOMATON, until=math.nan)),
    ("'until' is inf; it must be a finite", lambda: D.simulate(AUTOMATON, until=math.inf)),
    ("'until' is '3'; it must be a finite", lambda: D.simulate(AUTOMATON, until="3")),
    ("a state to start from, found {}", lambda: D.simulate(AUTOMATON, {}, until=1)),
    (
        "has 1 values, and the automaton 12",
        lambda: D.simulate(AUTOMATON, LAMP.automaton().start(), until=1),
    ),
    ("expected Options, found 3", lambda: D.simulate(AUTOMATON, until=1, options=3)),
    ("a model or an automaton, found a World", lambda: D.open_session(MODEL.world)),
    ("unknown solver 'new'", lambda: D.open_session(MODEL, solver="new")),
    ("to advance to is nan", lambda: session().advance(math.nan)),
    ("length of a tick is nan", lambda: session().tick(math.nan)),
    ("to look to is 'x'", lambda: session().next_event("x")),
    ("how far to look ahead is nan", lambda: session().ahead(math.nan)),
    ("cannot put 'ball.y' to nan: not a finite", lambda: session().place({"ball.y": math.nan})),
    ("cannot put 'ball.y' to 'z': not a number", lambda: session().place({"ball.y": "z"})),
    ("an edge, found 3", lambda: session().take(3)),
    ("a snapshot, found 3", lambda: session().restore(3)),
    ("time of a state is nan", lambda: run().at(math.nan)),
    ("the name of a signal, found 3", lambda: run().signal(3)),
    ("a run, found 3", lambda: D.sensitivities(3, ["e"])),
    ("a world or its automaton, found a Model", lambda: D.simulate_many(MODEL, [], until=1)),
    ("settings, found 3", lambda: D.simulate_many(AUTOMATON, 3, until=1)),
    ("set 'e' to 'x': not a", lambda: D.simulate_many(AUTOMATON, [{"e": "x"}], until=1)),
    ("'until' is nan", lambda: D.simulate_many(AUTOMATON, [{}], until=math.nan)),
    ("a model or a world, found 3", lambda: D.ask(3)),
    ("range of 'e' is 3; give two numbers", lambda: D.ask(MODEL, ranges={"e": 3})),
    ("range of 'e' is \\('a', 'b'\\)", lambda: D.ask(MODEL, ranges={"e": ("a", "b")})),
    ("a question, found a World; ask", lambda: D.falsify(MODEL.world)),
    ("a world, found a Model; that of", lambda: D.world_text(MODEL)),
    ("a part of a world, found \\[\\]; parts follow", lambda: B.world([])),
    ("number or a term, not None", lambda: B.sphere("b", radius=None, mass=1)),
    ("three components .*, found 9.81", lambda: B.world(gravity=9.81)),
    ("three components .*, found None", lambda: B.sphere("b", radius=1, mass=1, position=None)),
    ("limits of 'e' are a lower and", lambda: B.parameter("e", 1, limits=3)),
    ("limits of 'u' are a lower and", lambda: B.port("u", limits=(0, 1, 2))),
    ("a condition, found None", lambda: B.always("p", None)),
    ("a requirement, found None", lambda: B.requires("p", None)),
    ("3 is not a name", lambda: B.world(B.sphere(3, radius=1, mass=1))),
]


@pytest.mark.parametrize(("words", "call"), WRONG, ids=[words for words, _ in WRONG])
def test_what_cannot_be_is_refused_in_words(words: str, call: Callable[[], object]) -> None:
    with pytest.raises(DyverseError, match=words):
        call()


def test_whoever_expects_errors_of_python_catches_ours() -> None:
    for kind in (TypeError, ValueError):
        with pytest.raises(kind):
            check_time("soon", "'until'")


def test_numbers_of_numpy_are_numbers() -> None:
    for number in (2, True, np.float32(2), np.int64(2), np.array(2.0)):
        assert number_problem(number) == ""
        check_time(number, "'until'")
    assert number_problem(10**400) == "too large"
    place = np.array([0.0, 1.0, 0.0])
    made = build.world(build.sphere("b", radius=np.float64(1), mass=1, position=place))  # type: ignore[arg-type]
    assert made == build.world(build.sphere("b", radius=1, mass=1, position=(0, 1, 0)))


def test_a_long_thing_is_called_by_its_kind() -> None:
    with pytest.raises(ArgumentError, match=r"expected a number, found a list$"):
        check_kind(list(range(100)), int, "a number")
