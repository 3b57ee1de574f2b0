"""Errors say where, what, and what to do, and travel between processes."""

from __future__ import annotations

import pickle

from dyverse.errors import ModelError, ParseError, Problem, Span, did_you_mean


def error() -> ParseError:
    problems = [Problem("unknown body 'flor'", Span(1, 14, 18)), Problem("no mass")]
    return ParseError(problems, source="contact ball flor", file="ball.drbt")


def test_a_problem_is_shown_with_its_place_and_a_caret() -> None:
    place, line, caret = error().sentence(error().problems[0]).splitlines()
    assert place == "ball.drbt:1:14: unknown body 'flor'"
    assert line == "  contact ball flor"
    assert caret == "               ^^^^"


def test_all_problems_are_in_the_text_of_the_error() -> None:
    assert "unknown body" in str(error())
    assert "ball.drbt: no mass" in str(error())


def test_an_error_survives_pickling() -> None:
    copy = pickle.loads(pickle.dumps(error()))
    assert isinstance(copy, ParseError)
    assert isinstance(copy, ModelError)
    assert str(copy) == str(error())
    assert copy.problems == error().problems


def test_a_close_name_is_suggested() -> None:
    assert did_you_mean("flor", ["ball", "floor"]) == "; did you mean 'floor'?"
    assert did_you_mean("xyz", ["ball", "floor"]) == ""
