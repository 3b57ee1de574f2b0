"""Every work cited as ``[key]`` is in docs/references.bib, and every work there is cited."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
BIBLIOGRAPHY = ROOT / "docs" / "references.bib"
CITATION = re.compile(r"(?<![\w\]])\[([a-z]+\d{4}[a-z]?)\]")
REQUIRED = {
    "article": ("journal",),
    "book": ("publisher",),
    "inproceedings": ("booktitle",),
    "misc": ("howpublished",),
}


def cited_in(folder: str, suffix: str) -> dict[str, Path]:
    """Each key cited under ``folder``, and a file that cites it."""
    paths = sorted((ROOT / folder).rglob(f"*{suffix}"))
    files = [path for path in paths if "_build" not in path.parts]
    return {key: path for path in files for key in CITATION.findall(path.read_text("utf-8"))}


def entries() -> dict[str, tuple[str, str]]:
    """The kind and the fields of each entry."""
    text = BIBLIOGRAPHY.read_text("utf-8")
    found = re.findall(r"^@(\w+)\{(\w+),\n(.*?)^\}", text, re.M | re.S)
    return {key: (kind, fields) for kind, key, fields in found}


def cited_in_package() -> dict[str, Path]:
    """In Python and in C."""
    return cited_in("src", ".py") | cited_in("src", ".c")


def test_some_works_are_cited() -> None:
    assert "navarro2018" in cited_in("src", ".py")


def test_every_work_cited_is_in_the_bibliography() -> None:
    cited = cited_in_package() | cited_in("docs", ".md") | cited_in("examples", ".md")
    missing = {key: path for key, path in cited.items() if key not in entries()}
    assert not missing


def test_every_work_in_the_bibliography_is_cited() -> None:
    assert sorted(entries().keys() - (cited_in_package() | cited_in("examples", ".md"))) == []


def test_keys_are_used_once_and_end_in_the_year() -> None:
    text = BIBLIOGRAPHY.read_text("utf-8")
    assert text.count("\n@") + text.startswith("@") == len(entries())
    for key, (_, fields) in entries().items():
        assert re.search(rf"^  year +=\ \{{{key[-4:]}\}}", fields, re.M), key


def test_entries_say_who_what_and_where() -> None:
    for key, (kind, fields) in entries().items():
        for name in ("author", "title", *REQUIRED[kind]):
            assert re.search(rf"^  {name} +=", fields, re.M), (key, name)
