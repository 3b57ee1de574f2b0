"""The page about the protocol names every request that the stage knows, and all that it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "animator-protocol.md").read_text("utf-8")
SOURCES = ROOT / "src" / "dyverse" / "animation"
HEARD = "".join((SOURCES / name).read_text("utf-8") for name in ("stage.py", "hands.py"))
REQUESTS = sorted(set(re.findall(r'^ +case "(\w+)"', HEARD, re.M)) | {"falsify", "map", "prove"})
SAID = sorted(
    {
        word
        for file in SOURCES.glob("**/*.py")
        for word in re.findall(r'"say": "(\w+)"', file.read_text())
    }
)


@pytest.mark.parametrize("word", [*REQUESTS, *SAID])
def test_the_page_names(word: str) -> None:
    assert f"`{word}`" in PAGE


def test_there_is_something_to_name() -> None:
    assert len(REQUESTS) > 20
    assert len(SAID) > 8
