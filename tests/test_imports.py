"""Imports point one way: the package is the data flow (see docs/decisions)."""

import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "dyverse"
# None of these knows another.
CONSUMERS = "falsification proving abstraction animation exporters uppaal robots"
LEVELS = (
    "cache dot errors given interrupts | expr foreign | enclosure | text | automaton contact |"
    "bodies | mechanics | generation | certificate native | flow | simulation | session |"
    f"campaign | {CONSUMERS} | cli"
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


@pytest.mark.parametrize("package", sorted({path.parts[0] for path in FILES}))
def test_folders_of_a_package_import_each_other_one_way(package: str) -> None:
    known: dict[str, set[str]] = {}
    for path in (path for path in FILES if path.parts[0] == package and len(path.parts) > 2):
        text = (PACKAGE / path).read_text()
        found = re.findall(rf"^\s*from dyverse\.{package}\.(\w+)\.", text, re.MULTILINE)
        known.setdefault(path.parts[1], set()).update(found)
    assert not _circle({folder: others - {folder} for folder, others in known.items()})


def _circle(known: dict[str, set[str]]) -> list[str]:
    """Some that know each other in a circle, if any do."""
    try:
        TopologicalSorter(known).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []
