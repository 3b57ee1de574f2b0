"""Files with words changed at random are models, or have problems with a place; never a crash."""

import random
import re

import pytest

from dyverse.errors import ModelError
from dyverse.uppaal.files.reading import parse_document
from dyverse.uppaal.loading.load import model_of
from tests.uppaal.sample_models import ALL

TEXTS = [path.read_text("utf-8") for path in ALL]
WORD = re.compile(r"(\w+|[^\w\s])")
WORDS = [word for text in TEXTS for word in WORD.findall(text)]


def mutated(text: str, draw: random.Random) -> str:
    parts = WORD.split(text)
    for _ in range(draw.randint(1, 3)):
        i, j = draw.randrange(len(parts)), draw.randrange(len(parts))
        match draw.randrange(4):
            case 0:
                parts[i] = draw.choice(WORDS)
            case 1:
                parts[i] = ""
            case 2:
                parts[i] += draw.choice(WORDS)
            case _:
                parts[i], parts[j] = parts[j], parts[i]
    return "".join(parts)


@pytest.mark.parametrize("seed", range(4))
def test_changed_files_run_or_have_problems_with_words(seed: int) -> None:
    draw = random.Random(seed)
    outcomes = set()
    for _ in range(60):
        try:
            model_of(parse_document(mutated(draw.choice(TEXTS), draw)))
            outcomes.add("runs")
        except ModelError as error:
            outcomes.add("refused" if all(p.message for p in error.problems) else "unexplained")
    assert outcomes == {"runs", "refused"}
