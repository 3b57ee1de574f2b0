"""CONTRIBUTING names every package, and every folder in it."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "dyverse"
NAMES = re.compile(r"`(\w+)`")


def rows() -> dict[str, str]:
    """What the table of the layout says of each package."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    cells = (row.split("|")[1:3] for row in text.splitlines() if row.startswith("| `"))
    return {name: said for packages, said in cells for name in NAMES.findall(packages)}


def folders(package: Path) -> set[str]:
    """The folders with Python or C in them."""
    return {path.name for path in package.glob("[!_]*/") if any(path.glob("*.[pc]*"))}


def test_every_package_has_a_row() -> None:
    modules = {path.stem for path in PACKAGE.glob("[!_]*.py")}
    assert set(rows()) == folders(PACKAGE) | modules


def test_every_folder_of_a_package_is_named_in_its_row() -> None:
    for package, said in rows().items():
        assert set(NAMES.findall(said)) == folders(PACKAGE / package), package
