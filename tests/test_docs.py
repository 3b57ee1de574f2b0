"""The pages build without a warning, and what they show works: commands, snippets, tables, links.

Page by page in one folder: blocks that begin with ``# NAME.drbt`` are saved, then the commands of
``console`` blocks and the ``python`` blocks run in the order of the page.
"""

import dataclasses
import importlib.util
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from dyverse.cli.main import app
from dyverse.contact.law.solve import Options as LawOptions
from dyverse.flow.events import Detection
from dyverse.flow.follow import Options as FollowOptions
from dyverse.flow.step import Accuracy
from dyverse.generation.tolerances import Tolerances

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
GENERATED = {"_build", "examples"}
HAND_WRITTEN = [
    path for path in sorted(DOCS.rglob("*.md")) if path.relative_to(DOCS).parts[0] not in GENERATED
]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *HAND_WRITTEN]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


def blocks(page: Path) -> list[tuple[str, str]]:
    """The fenced blocks of a page: language and text."""
    return BLOCK.findall(page.read_text("utf-8"))


def shows_something(page: Path) -> bool:
    return any(language in ("console", "python") for language, _ in blocks(page))


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def test_the_docs_build_without_a_warning(tmp_path: Path) -> None:
    if importlib.util.find_spec("sphinx") is None:
        pytest.skip("sphinx is not installed; `make setup` brings it")
    options = ["--fail-on-warning", "--keep-going", "--quiet", "-d", str(tmp_path / "doctrees")]
    command = [sys.executable, "-m", "sphinx", *options, str(DOCS), str(tmp_path / "html")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "html" / "index.html").is_file()
    assert list(foreign_parts(tmp_path / "html")) == []  # also formulas: pages are read offline


def foreign_parts(folder: Path) -> Iterator[str]:
    """Scripts, styles, fonts and pictures that pages would fetch from somewhere else."""
    loads = (
        r'<(?:script|img)[^>]*\ssrc="https?:',
        r'<link[^>]*\shref="https?:',
        r"url\(\W?https?:",
    )
    part = re.compile(f'(?:{"|".join(loads)})[^")]*')
    for page in [*folder.rglob("*.html"), *folder.rglob("*.css")]:
        yield from part.findall(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", [page for page in PAGES if shows_something(page)], ids=name)
def test_what_a_page_shows_works(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    for language, text in blocks(page):
        if model := re.match(r"(?:#|<!--) (\w+\.(?:drbt|urdf))\b", text):
            Path(model[1]).write_text(text, "utf-8")
        if language == "console":
            check_commands(text)
        if language == "python":
            exec(compile(text, name(page), "exec"), namespace)


def check_commands(text: str) -> None:
    """Run each line ``$ dyverse …``; what the page shows below it is printed by the command."""
    parts = re.split(r"^\$ ", text, flags=re.M)
    assert not parts[0], "a console block begins with a command"
    for part in parts[1:]:
        line, _, shown = part.partition("\n")
        wanted = re.search(r"# exit code (\d+)", line)
        program, *arguments = shlex.split(line, comments=True)
        assert program == "dyverse", line
        result = CliRunner().invoke(app, arguments, prog_name="dyverse")
        assert result.exit_code == (int(wanted[1]) if wanted else 0), (line, result.output)
        printed = {squeezed(row) for row in result.output.splitlines()}
        for row in filter(None, map(squeezed, shown.splitlines())):
            assert row in printed, (line, row)


def squeezed(row: str) -> str:
    """A row of output without its layout; nothing if it is a rule or says that rows are missing."""
    words = " ".join(row.split())
    return "" if set(words) <= {"─", "…"} else words


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_to_files(page: Path) -> None:
    prose = BLOCK.sub("", page.read_text("utf-8"))
    for target in re.findall(r"\]\(([^)\s#]+)(?:#\S*)?\)", prose):
        path = (page.parent / target).resolve()
        gallery = path.is_relative_to(DOCS / "examples")  # written, and checked, by the build
        assert "://" in target or gallery or path.is_file(), target


def table(page: Path, heading: str) -> dict[str, str]:
    """The first two columns of the table below ``heading``; names come in backquotes."""
    section = page.read_text("utf-8").partition(heading)[2].partition("\n## ")[0]
    assert section, heading
    return dict(re.findall(r"^\| `([^`]+)` \| ([^|]+?) \|", section, re.M))


OPTIONS: list[tuple[str, object]] = [
    ("`dyverse.generation.tolerances.Tolerances`", Tolerances()),
    ("`dyverse.flow.events.Detection`", Detection()),
    ("`dyverse.flow.step.Accuracy`", Accuracy()),
    ("`dyverse.flow.follow.Options`", FollowOptions()),
    ("`dyverse.contact.law.solve.Options`", LawOptions()),
]


@pytest.mark.parametrize(("heading", "options"), OPTIONS, ids=lambda part: str(part)[:40])
def test_tolerances_are_as_shown(heading: str, options: object) -> None:
    shown = table(DOCS / "reference/tolerances.md", heading)
    assert shown
    for option, default in shown.items():
        assert getattr(options, option) == float(default), option


def test_all_tolerances_of_guards_and_events_are_shown() -> None:
    for heading, options in OPTIONS[:3]:
        assert dataclasses.is_dataclass(options)
        fields = {item.name for item in dataclasses.fields(options)}
        assert set(table(DOCS / "reference/tolerances.md", heading)) == fields


def commands() -> Iterator[tuple[str, list[str]]]:
    """Each command with its long options."""
    group: Callable[..., object] = get_command(app)
    for command in getattr(group, "commands").values():  # noqa: B009 - typer types it loosely
        options = [word for option in command.params for word in option.opts if word[:2] == "--"]
        yield command.name, [word for word in options if word != "--help"]


def test_the_command_line_page_has_every_command_and_option() -> None:
    page = (DOCS / "reference/command-line.md").read_text("utf-8")
    documented = re.findall(r"^## dyverse (\w+)$", page, re.M)
    assert documented == [command for command, _ in commands()]
    for command, options in commands():
        section = page.partition(f"## dyverse {command}\n")[2].partition("\n## ")[0]
        shown = re.findall(r"^\| `(--[\w-]+)", section, re.M)
        assert sorted(shown) == sorted(options), command


def test_the_readme_lists_every_command() -> None:
    listed = re.findall(r"^\| `dyverse (\w+)", (ROOT / "README.md").read_text("utf-8"), re.M)
    assert listed == [command for command, _ in commands()]


def test_the_first_page_names_every_command() -> None:
    named = re.findall(r"#dyverse-(\w+)\)", (DOCS / "index.md").read_text("utf-8"))
    assert named == [command for command, _ in commands()]


def test_the_install_page_has_every_extra_and_what_it_brings() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needs = {"none": project["dependencies"], **project["optional-dependencies"]}
    page = (DOCS / "howto/install.md").read_text("utf-8")
    rows = re.findall(r"^\| `?(\w+)`? \| (.+?) \|", page, re.M)[1:]
    assert {extra: brings.lower().split(", ") for extra, brings in rows} == {
        extra: [re.split(r"[<>=]", need)[0] for need in found] for extra, found in needs.items()
    }
