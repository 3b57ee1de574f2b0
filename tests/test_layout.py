"""CONTRIBUTING names every package and its folders, and what prose names is there."""

import re
from pathlib import Path

import pytest

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


PROSE = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "docs").glob("[!_]*/*.md")]
NAMED = re.compile(r"`dyverse\.([\w.]+)`")


@pytest.mark.parametrize("path", [*PROSE, *PACKAGE.rglob("*.py")], ids=lambda path: path.name)
def test_what_is_called_by_its_full_name_is_there(path: Path) -> None:
    missing = [name for name in NAMED.findall(path.read_text("utf-8")) if not exists(name)]
    assert not missing


def exists(name: str) -> bool:
    """Whether it is a folder or file of the package, or a name in one of its files."""
    place, parts = PACKAGE, name.split(".")
    while parts and (place / parts[0]).is_dir():
        place /= parts.pop(0)
    if not parts:
        return True
    if (file := place / f"{parts[0]}.py").is_file():
        parts = parts[1:]
    else:
        file = place / "__init__.py"
    return all(re.search(rf"\b{part}\b", file.read_text("utf-8")) for part in parts)
