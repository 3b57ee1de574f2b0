"""Tables of the parser that are kept, damaged, or not to be trusted."""

from __future__ import annotations

from pathlib import Path

import pytest
from lark import Lark

from dyverse.text.parse import made_parser

TEXT = "body ball { sphere radius 0.5  mass 1 }"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DYVERSE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def built(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often tables were worked out, from now on."""
    found: list[int] = []
    plain = Lark._build_parser

    def counted(self: Lark) -> object:
        found.append(1)
        return plain(self)

    monkeypatch.setattr(Lark, "_build_parser", counted)
    return found


def test_tables_are_made_once_and_read_then(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count = built(monkeypatch)
    first = made_parser().parse(TEXT, start="statement")
    assert len(count) == 1
    assert made_parser().parse(TEXT, start="statement") == first
    assert len(count) == 1


def test_tables_that_were_damaged_are_made_anew(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_parser()
    (file,) = folder.glob("grammar-*")
    file.write_bytes(file.read_bytes()[:1000])
    count = built(monkeypatch)
    assert made_parser().parse(TEXT, start="statement")
    assert len(count) == 1


def test_where_others_could_write_they_are_made_each_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.mkdir()
    folder.chmod(0o777)
    count = built(monkeypatch)
    for _ in range(2):
        assert made_parser().parse(TEXT, start="statement")
    assert len(count) == 2
    assert not [*folder.iterdir()]
