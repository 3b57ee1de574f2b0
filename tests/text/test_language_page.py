"""The page about the language shows text that parses and errors that are really given."""

import re
from pathlib import Path

import pytest

from dyverse.bodies.read import parse_world
from dyverse.errors import ModelError
from dyverse.expr.term import FUNCTIONS
from dyverse.text.parse import parse
from dyverse.text.syntax.drawings import SCENE_WORDS
from dyverse.text.syntax.statements import ENTRIES, PIECEWISE, RESERVED

PAGE = (Path(__file__).parents[2] / "docs/reference/language.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```\n(.*?)^```", PAGE, re.M | re.S)


NAMING = [block for block in BLOCKS if re.search(r'include|hull "', block)]  # files, from a page


@pytest.mark.parametrize("block", [block for block in BLOCKS[:-2] if block not in NAMING])
def test_the_examples_parse(block: str) -> None:
    assert parse(block).statements


def test_the_first_example_is_a_whole_model() -> None:
    assert len(parse_world(BLOCKS[0]).bodies) == 2


def test_the_page_names_every_word_and_function() -> None:
    for word in (*RESERVED, *PIECEWISE, *ENTRIES, *SCENE_WORDS, *FUNCTIONS):
        assert re.search(rf"`[^`\n]*\b{word}\b", PAGE), word


def test_the_errors_are_as_shown() -> None:
    text = (
        "body floor { plane normal (0, 1, 0)  position (0, -9, 0) }\n"
        "contact ball flor { restitution 0.8 }\n\n\n\n\n"
        "body ball { sphere radius 1  mass -1 }\n"
    )
    with pytest.raises(ModelError) as caught:
        parse_world(text, file="ball.drbt")
    assert str(caught.value) + "\n" == BLOCKS[-1]
