"""Why something is open begins with one of a few words, which the how-to explains."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KINDS = ("border", "grazing", "too wide", "time", "unsupported")
FILES = sorted((ROOT / "src" / "dyverse" / "proving").glob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_drafts_that_cannot_be_made_say_of_which_kind_that_is(path: Path) -> None:
    said = re.findall(r"raise Undrafted\(f?\"([^\"]*)", path.read_text(encoding="utf-8"))
    assert all(why.startswith(tuple(f"{kind}: " for kind in KINDS)) for why in said), said


def test_the_page_explains_every_kind() -> None:
    page = (ROOT / "docs" / "howto" / "prove.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([a-z ]+)`", page.partition("why a box is open")[2], re.M)[:5] == [
        "border",
        "grazing",
        "too wide",
        "time",
        "unsupported",
    ]
