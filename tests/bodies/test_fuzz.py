"""Whatever the text, `parse_world` gives a world or an error with places inside the text."""

import random
import re

import pytest

from dyverse.bodies.placed import Scene
from dyverse.bodies.read import parse_world
from dyverse.bodies.scene import scene
from dyverse.errors import ModelError
from dyverse.text.syntax.drawings import SCENE_WORDS
from dyverse.text.syntax.statements import ENTRIES, MEASURES, RESERVED
from tests.bodies.models import MODELS

LINES = [line for text in MODELS.values() for line in re.split(r"\n(?=\S)", text) if line.strip()]
TOKENS = [*RESERVED, *ENTRIES, *MEASURES, *"(){}[],:=+-*/^<>.#", "<=", "==", "//", "\n"]
TOKENS += [*SCENE_WORDS, '"']
TOKENS += ["ball1", "ball1.x", "floor", "t", "K", "pi", "0", "1", "-1", "1e400", "1/0", "sin(", "é"]
STRANGE = "\0\t\r\v\x1c\x85\u2028\u0301\ud800éµ漢😀\ufeff'\"\\$@!?;~%&|"
ROUNDS = 25
INPUTS = 420  # per round: more than 10,000 in all


def delete(text: str, pick: random.Random) -> str:
    start = pick.randrange(len(text) + 1)
    return text[:start] + text[start + pick.choice([1, 2, 5, 20]) :]


def insert_character(text: str, pick: random.Random) -> str:
    at = pick.randrange(len(text) + 1)
    return text[:at] + pick.choice(STRANGE + text) + text[at:]


def insert_token(text: str, pick: random.Random) -> str:
    at = pick.randrange(len(text) + 1)
    return f"{text[:at]} {pick.choice(TOKENS)} {text[at:]}"


def change_token(text: str, pick: random.Random) -> str:
    words = re.split(r"(\W)", text)
    words[pick.randrange(len(words))] = pick.choice(TOKENS)
    return "".join(words)


def swap_tokens(text: str, pick: random.Random) -> str:
    words = re.split(r"(\W)", text)
    i, j = pick.randrange(len(words)), pick.randrange(len(words))
    words[i], words[j] = words[j], words[i]
    return "".join(words)


def truncate(text: str, pick: random.Random) -> str:
    return text[: pick.randrange(len(text) + 1)]


def nest(text: str, pick: random.Random) -> str:
    at, depth = pick.randrange(len(text) + 1), pick.choice([3, 100, 300, 3000])
    return (
        text[:at]
        + pick.choice(["(", "-", "sin(", "not ", "1+", "2^", "{", "["]) * depth
        + text[at:]
    )


def repeat(text: str, pick: random.Random) -> str:
    start = pick.randrange(len(text) + 1)
    end = start + pick.randrange(30)
    return text[:end] + text[start:end] + text[end:]


CHANGES = [delete, insert_character, insert_token, change_token, swap_tokens, truncate, repeat]


def fuzzed(pick: random.Random) -> str:
    text = "\n".join(pick.choices(LINES, k=pick.randrange(1, 5)))
    for _ in range(pick.choice([0, 1, 1, 2, 3, 10])):
        text = (nest if pick.random() < 0.02 else pick.choice(CHANGES))(text, pick)
    return text


def check_places(error: ModelError, text: str) -> None:
    lines = text.splitlines() or [""]
    assert error.problems
    assert str(error)
    for problem in error.problems:
        assert problem.span is not None, problem
        assert 1 <= problem.span.line <= len(lines), problem
        assert 1 <= problem.span.column <= len(lines[problem.span.line - 1]) + 1, problem
        assert problem.span.column < problem.span.end, problem


def checked_outcome(text: str) -> str:
    try:
        world = parse_world(text)
    except ModelError as error:
        check_places(error, text)
        return "error"
    assert isinstance(scene(world), Scene)
    return "world"


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_any_text_gives_a_world_or_an_error_with_places(seed: int) -> None:
    pick = random.Random(seed)
    outcomes = [checked_outcome(fuzzed(pick)) for _ in range(INPUTS)]
    assert outcomes.count("world") > INPUTS // 100
    assert outcomes.count("error") > INPUTS // 2


def test_random_characters_give_an_error_with_places() -> None:
    pick = random.Random(1)
    letters = STRANGE + "".join(TOKENS)
    texts = ["".join(pick.choices(letters, k=pick.randrange(40))) for _ in range(500)]
    assert [checked_outcome(text) for text in texts].count("error") > 450


@pytest.mark.parametrize("text", MODELS.values(), ids=MODELS)
def test_every_beginning_of_a_model(text: str) -> None:
    for end in range(0, len(text), 7):
        checked_outcome(text[:end])
