"""Files are there in full or not at all."""

import os
from pathlib import Path

import pytest

from dyverse.errors import ExportError
from dyverse.exporters import atomic
from dyverse.exporters.atomic import check_writable, replacing, write_lines


def test_lines_end_up_at_the_path(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.txt", ["one", "λ"])
    assert (tmp_path / "a.txt").read_bytes() == "one\nλ\n".encode()
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_lines(tmp_path / "link", ["text"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "text\n"


def test_a_device_is_written_to_not_replaced() -> None:
    check_writable(os.devnull)
    write_lines(os.devnull, ["gone"])
    assert not Path(os.devnull).is_file()


def test_a_full_disk_is_an_export_error() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with pytest.raises(ExportError, match=r"/dev/full: cannot be written: No space left"):
        write_lines("/dev/full", ["x" * 100_000])


def test_nothing_is_left_behind_by_a_failure(tmp_path: Path) -> None:
    def interrupted() -> None:
        with replacing(tmp_path / "a.txt") as place:
            place.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not list(tmp_path.iterdir())


def test_a_file_keeps_its_mode_and_a_new_one_has_that_of_the_mask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_lines(tmp_path / "new", ["text"])
        (tmp_path / "old").write_text("text")
        (tmp_path / "old").chmod(0o606)
        write_lines(tmp_path / "old", ["another"])
    finally:
        os.umask(before)
    assert [(tmp_path / n).stat().st_mode & 0o777 for n in ("new", "old")] == [0o640, 0o606]


def test_nothing_that_lies_beside_is_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link that someone put where we write first would lead us anywhere."""
    monkeypatch.setattr(atomic, "token_hex", lambda size: "known")
    (tmp_path / "victim").write_text("precious")
    (tmp_path / ".a.known.part.txt").symlink_to(tmp_path / "victim")
    with pytest.raises(ExportError, match="File exists"):
        write_lines(tmp_path / "a.txt", ["text"])
    assert (tmp_path / "victim").read_text() == "precious"


def test_what_is_no_unicode_is_written_by_number(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.txt", ["model \udcff"])
    assert (tmp_path / "a.txt").read_text() == "model \\udcff\n"


@pytest.mark.parametrize(
    ("path", "reason"), [("", "it is a directory"), ("no/such.csv", "there is no directory")]
)
def test_what_cannot_be_written_is_refused_early(tmp_path: Path, path: str, reason: str) -> None:
    with pytest.raises(ExportError, match=reason):
        check_writable(tmp_path / path)
