"""What people write who do not know the language yet, and what they are told, word for word."""

from pathlib import Path

import pytest

from dyverse.errors import ModelError
from dyverse.generation.model import parse_model

FILE = Path(__file__).with_name("newcomers.txt")
INVISIBLE = "body ball { sphere radius 0.5  mass 1 \u200b}"


def cases() -> list[tuple[str, str]]:
    """Texts, and what is said to each."""
    _, *parts = FILE.read_text(encoding="utf-8").split("---\n")
    found = (part.rpartition("=> ") for part in parts)
    return [(text, told.strip()) for text, _, told in found]


def told(text: str) -> str:
    """The first problem of a text, with its place."""
    with pytest.raises(ModelError) as caught:
        parse_model(text)
    first = caught.value.problems[0]
    assert first.span is not None
    return f"{first.span.line}:{first.span.column}: {first.message}"


@pytest.mark.parametrize(("text", "expected"), cases(), ids=[case[0].strip() for case in cases()])
def test_a_newcomer_is_told_what_to_write(text: str, expected: str) -> None:
    assert told(text) == expected


def test_there_are_many_cases() -> None:
    assert len(cases()) > 150


def test_a_habit_is_told_once() -> None:
    text = "gravity (0, -9.81, 0);\nbody ball { sphere radius 1; mass 1; };\nhorizon 3;\n"
    with pytest.raises(ModelError) as caught:
        parse_model(text)
    (problem,) = caught.value.problems
    assert problem.message.endswith("follow each other without it, here and 4 times more")


def test_characters_that_cannot_be_seen() -> None:
    expected = r"1:39: unexpected '\u200b'; take out this character, which cannot be seen"
    assert told(INVISIBLE) == expected
    assert told("\ufeffbody ball { mas 1 }") == "1:13: unexpected 'mas'; did you mean 'mass'?"
    assert parse_model("body\u00a0ball { sphere radius 1\u00a0mass 1 }").world.bodies
