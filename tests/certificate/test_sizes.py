"""The page about certificates says how much code has to be believed."""

import ast
import re
from pathlib import Path

import pytest

import dyverse

PACKAGE = Path(dyverse.__file__).parent
PAGE = PACKAGE.parents[1] / "docs" / "reference" / "certificate.md"
ROWS = dict(re.findall(r"^\| `(\w+/\w+\.py)` \| (\d+) \|", PAGE.read_text("utf-8"), re.MULTILINE))


def lines_of_code(path: Path) -> int:
    """Lines without comments, docstrings, imports and empty ones."""
    text = path.read_text("utf-8")
    left_out: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        words = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if words or isinstance(node, ast.Import | ast.ImportFrom):
            assert isinstance(node, ast.stmt)
            left_out |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = [(i, line.strip()) for i, line in enumerate(text.splitlines(), start=1)]
    return sum(line != "" and line[0] != "#" and i not in left_out for i, line in lines)


def test_every_file_of_the_checker_is_named() -> None:
    names = {f"certificate/{path.name}" for path in (PACKAGE / "certificate").glob("*.py")}
    assert names - {"certificate/__init__.py"} <= ROWS.keys()


@pytest.mark.parametrize("name", ROWS)
def test_lines_are_counted(name: str) -> None:
    """To about a tenth: the page is not written anew for every line."""
    found = lines_of_code(PACKAGE / name)
    assert abs(found - int(ROWS[name])) <= max(5, 0.1 * found)
