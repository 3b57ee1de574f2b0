"""Imports point one way: the package is the data flow (see docs/decisions)."""

import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "dyverse"
CONSUMERS = "falsification abstraction animation exporters uppaal"  # none knows another
LEVELS = (
    "dot errors interrupts | expr | enclosure | text | automaton bodies | contact | generation |"
    f"native | flow | simulation | campaign | {CONSUMERS} | cli"
)
LEVEL = {name: i for i, row in enumerate(LEVELS.split("|")) for name in row.split()}
FILES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.glob("*/**/*.py"))


@pytest.mark.parametrize("path", FILES, ids=str)
def test_imports_point_one_way(path: Path) -> None:
    here = path.parts[0]
    text = (PACKAGE / path).read_text()
    assert not re.search(r"^\s*from \.", text, re.MULTILINE), "imports are absolute"
    for there in re.findall(r"^\s*(?:from|import) dyverse\.?(\w*)", text, re.MULTILINE):
        assert there == here or LEVEL.get(there, 99) < LEVEL[here], (here, there)
