"""Errors say where, what, and what to do, and travel between processes."""

from __future__ import annotations

import pickle

import hypothesis.strategies as st
import pytest
from hypothesis import given

from dyverse.errors import (
    FAR,
    ModelError,
    ParseError,
    Problem,
    Span,
    _slips,
    did_you_mean,
    visible,
)


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


@given(st.text())
def test_what_is_shown_can_be_printed(text: str) -> None:
    assert all(c.isprintable() or c == "\n" for c in visible(text))
    assert visible(visible(text)) == visible(text)
    if all(c.isprintable() or c == "\n" for c in text):
        assert visible(text) == text


def test_nothing_of_a_model_or_its_name_is_obeyed_by_a_terminal() -> None:
    problem = Problem("unknown name 'a\x9b1m'", Span(1, 7, 8))
    wrong = ModelError([problem], source="\x1b[2J\tx\u202ey", file="a\x1b]0;b\x07.drbt")
    place, line, caret = str(wrong).split("\n")
    assert place == r"a\x1b]0;b\x07.drbt:1:7: unknown name 'a\x9b1m'"
    assert line == "  ?[2J x?y"
    assert caret.index("^") == 2 + 6


def test_a_very_long_name_is_cut() -> None:
    wrong = ModelError([Problem(f"unknown name {'a' * 1_000_000!r}; did you mean 'b'?")])
    assert len(str(wrong)) < 1000
    assert str(wrong).endswith("did you mean 'b'?")


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("flor", "floor"),
        ("bal", "ball"),
        ("velocitty", "velocity"),
        ("hihg", "high"),
        ("sipl", "slip"),
        ("BALL", "ball"),
        ("k", "K"),
        ("lo", "low"),
        ("restituton_coeficient", "restitution_coefficient"),
        ("param", "parameter"),
        ("pos", "position"),
    ],
)
def test_a_near_name_is_suggested(name: str, known: str) -> None:
    assert did_you_mean(name, ["zz", known, "zzz"]) == f"; did you mean {known!r}?"


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("until", "function"),
        ("friction", "function"),
        ("floor", "force"),
        ("for", "before"),
        ("speed", "sphere"),
        ("a", "b"),
        ("x1", "x2"),
        ("po", "position"),
        ("", "a"),
        ("zeppelin", "ball"),
    ],
)
def test_a_name_that_is_not_near_is_not_suggested(name: str, known: str) -> None:
    assert did_you_mean(name, [known]) == ""


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_slips_are_counted_as_by_definition(a: str, b: str) -> None:
    """The recursion of the optimal string alignment distance, without any short cut."""

    def slips(i: int, j: int) -> int:
        if not (i and j):
            return i + j
        ways = [slips(i - 1, j) + 1, slips(i, j - 1) + 1]
        ways.append(slips(i - 1, j - 1) + (a[i - 1] != b[j - 1]))
        if i > 1 and j > 1 and a[i - 2 : i] == b[j - 2 : j][::-1]:
            ways.append(slips(i - 2, j - 2) + 1)
        return min(ways)

    exact = slips(len(a), len(b))
    for most in (1, 2, 3):
        assert _slips(a, b, most) == (exact if exact <= most else FAR)
