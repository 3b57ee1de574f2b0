"""Journals: what was put is recalled, a torn line is not; other work and other files are kept."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dyverse.cache.folder import CacheWarning
from dyverse.campaign.campaign import GIVEN_UP, Campaign
from dyverse.campaign.crew import Alone
from dyverse.campaign.journal import (
    LONGEST,
    MISSING,
    Journal,
    JournalInUseError,
    forget_journal,
    own_journal,
)
from dyverse.errors import ExportError, ModelError
from tests.full_disk import limited_files

KILLED = """
import os, signal, sys
from pathlib import Path
from dyverse.campaign.journal import Journal
journal = Journal(Path(sys.argv[1]), "work").__enter__()
journal.recall("1.0", 1)
journal.put("1.0", 1, "first")
journal.put("1.1", 2, "second")
os.kill(os.getpid(), signal.SIGKILL)
"""


def journal_of(path: Path, *results: object) -> list[bytes]:
    """A journal with these results of the tasks 0, 1, 2 …, as lines."""
    with Journal(path, "work") as journal:
        assert journal.recall("1.0", 0) is MISSING
        for i, result in enumerate(results):
            journal.put(f"1.{i}", i, result)
    return path.read_bytes().splitlines(keepends=True)


def recalled(path: Path, number: int) -> list[object]:
    with Journal(path, "work") as journal:
        return [journal.recall(f"1.{i}", i) for i in range(number)]


def test_what_was_put_is_recalled(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "journal.jsonl"
    journal_of(path, {"points": [1.5, float("inf")]}, None)
    assert recalled(path, 3) == [{"points": [1.5, float("inf")]}, None, MISSING]


def test_what_was_put_survives_a_kill(tmp_path: Path) -> None:
    """Not closed, not flushed at the end of the process: killed."""
    path = tmp_path / "journal.jsonl"
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    with Journal(path, "work") as journal:
        assert journal.recall("1.0", 1) == "first"
        assert journal.recall("1.1", 2) == "second"


def test_each_result_is_in_the_file_when_put_returns(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path, "work") as journal:
        assert path.read_bytes().count(b"\n") == 1
        journal.recall("1.0", 0)
        for i in range(3):
            journal.put(f"1.{i}", i, i)
            assert path.read_bytes().count(b"\n") == i + 2


@pytest.mark.parametrize("left", [1, 5, 20])
def test_a_line_that_was_cut_off_is_left_out(tmp_path: Path, left: int) -> None:
    path = tmp_path / "journal.jsonl"
    lines = journal_of(path, "a", "b")
    path.write_bytes(b"".join(lines[:2]) + lines[2][:left])
    with Journal(path, "work") as journal:
        assert journal.recall("1.0", 0) == "a"
        assert journal.recall("1.1", 1) is MISSING
        journal.put("1.1", 1, "c")
    assert recalled(path, 3) == ["a", "c", MISSING]


@pytest.mark.parametrize("left", [0, 3])
def test_a_first_line_that_was_cut_off_is_written_again(tmp_path: Path, left: int) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(journal_of(path)[0][:left])
    journal_of(path, "a")
    assert recalled(path, 1) == ["a"]


def test_a_journal_of_other_work_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    before = journal_of(path, 1)
    with pytest.raises(ModelError, match="other work; name another"), Journal(path, "something"):
        pass
    assert path.read_bytes() == b"".join(before)


@pytest.mark.parametrize(
    "content",
    [
        b"not a journal\nat all\n",
        b"[1, 2]\n",
        b'{"name": "x"}\n',
        b"no end of line",
        b"\x00\xff\xfe" * 1000,
        b'{"work": "w',
        b"[" * 100_000 + b"\n",
    ],
)
def test_another_file_is_refused_and_kept(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(ModelError, match="is not a journal"), Journal(path, "real work"):
        pass
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("was", "now", "message"),
    [
        (b'"a"', b'"z"', "line 2 was changed"),
        (b'"1.0"', b'"1.1"', "line 2 was changed"),
        (b'"result"', b'"ruselt"', "line 2 is not one of a journal"),
        (b'{"key": "1.1"', b'\x00\xff{"key": "1.1"', "line 3 is not one of a journal"),
    ],
)
def test_a_changed_line_is_refused_and_the_file_kept(
    tmp_path: Path, was: bytes, now: bytes, message: str
) -> None:
    path = tmp_path / "journal.jsonl"
    changed = b"".join(journal_of(path, "a", "b")).replace(was, now, 1)
    path.write_bytes(changed)
    with pytest.raises(ModelError, match=f"{message}.*begin again"):
        recalled(path, 2)
    assert path.read_bytes() == changed


def test_a_result_of_another_task_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    journal_of(path, "a")
    with (
        Journal(path, "work") as journal,
        pytest.raises(ModelError, match="line 2 was changed, or is of a search with other limits"),
    ):
        journal.recall("1.0", "another task")


def test_a_line_without_end_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    journal_of(path)
    with path.open("ab") as file:
        file.truncate(file.tell() + 2 * LONGEST)  # sparse: no disk is used
    with pytest.raises(ModelError, match="line 2 is too long for a journal"):
        recalled(path, 1)


def test_only_files_can_be_journals(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/null")):
        with pytest.raises(ModelError, match="is not a file"), Journal(path, "work"):
            pass


def test_a_journal_that_cannot_be_written_is_named() -> None:
    with pytest.raises(ExportError, match="/proc/none/journal: the journal cannot be used"):
        Journal(Path("/proc/none/journal"), "work").__enter__()


def test_two_processes_do_not_write_one_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path, "work"):
        with pytest.raises(JournalInUseError, match="that is running"), Journal(path, "work"):
            pass
        forget_journal(path)
        assert path.exists()
    forget_journal(path)
    assert not path.exists()
    forget_journal(path)
    forget_journal(None)


@pytest.fixture
def ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A journal in the cache, which nobody named."""
    monkeypatch.setenv("DYVERSE_CACHE", str(tmp_path / "cache"))
    path = own_journal("work")
    assert path is not None
    return path


def test_a_journal_in_the_cache_is_begun_again_where_it_cannot_be_used(ours: Path) -> None:
    lines = journal_of(ours, "a", "b", "c")
    ours.write_bytes(b"".join([*lines[:2], b"{}\n", *lines[3:]]))
    with Journal(ours, "work") as journal:
        assert journal.recall("1.0", 0) == "a"
        assert journal.recall("1.1", 1) is journal.recall("1.2", 2) is MISSING
        journal.put("1.1", 1, "d")
    assert recalled(ours, 3) == ["a", "d", MISSING]
    with Journal(ours, "other work") as journal:
        assert journal.recall("1.0", 0) is MISSING
    assert recalled(ours, 1) == [MISSING]


def test_two_processes_may_do_the_same_without_naming_a_journal(ours: Path) -> None:
    with Journal(ours, "work") as journal, Journal(ours, "work") as second:
        assert second.recall("1.0", 0) is journal.recall("1.0", 0) is MISSING
        second.put("1.0", 0, "lost")
        journal.put("1.0", 0, "kept")
        second.remove()
    assert recalled(ours, 1) == ["kept"]


def test_a_journal_in_a_cache_that_is_full_is_done_without(ours: Path) -> None:
    ours.parent.write_text("no folder")
    with Journal(ours, "work") as journal:
        journal.put("1.0", 0, 1)
        assert journal.recall("1.0", 0) is MISSING


def test_a_disk_that_is_full_ends_the_journal_and_not_the_search(ours: Path) -> None:
    with limited_files(100), Journal(ours, "work") as journal:
        journal.recall("1.0", 0)
        with pytest.warns(CacheWarning, match="File too large; if this is interrupted"):
            journal.put("1.0", 0, "x" * 1000)
        journal.put("1.1", 1, "y")
        assert not ours.exists()


def test_a_disk_that_is_full_is_told_of_a_journal_that_was_named(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with limited_files(200), Journal(path, "work") as journal:
        journal.recall("1.0", 0)
        journal.put("1.0", 0, "a")
        with pytest.raises(ExportError, match=f"{path}: the journal cannot be used: File too"):
            journal.put("1.1", 1, "x" * 1000)
    assert recalled(path, 2) == ["a", MISSING]


def test_without_a_cache_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYVERSE_CACHE", "/dev/null/cache")
    assert own_journal("work") is None


def test_without_a_path_nothing_is_kept() -> None:
    with Journal(None, "work") as journal:
        journal.put("1.0", 0, 1)
        assert journal.recall("1.0", 0) is MISSING
        journal.remove()


def test_a_campaign_does_nothing_twice(tmp_path: Path) -> None:
    done: list[int] = []

    def work(task: int) -> int:
        done.append(task)
        return task * task

    path = tmp_path / "journal.jsonl"
    with Journal(path, "squares") as journal:
        assert Campaign(work, Alone(), journal).results([1, 2, 3]) == [1, 4, 9]
    with Journal(path, "squares") as journal:
        again = Campaign(work, Alone(), journal)
        assert again.results([1, 2, 3]) == [1, 4, 9]
        assert again.results([4]) == [16]
        assert again.recalled == 3
    assert done == [1, 2, 3, 4]


def test_a_journal_ends_where_a_task_was_given_up(tmp_path: Path) -> None:
    """What was found after it is handed on all the same, and done again next time."""
    path = tmp_path / "journal.jsonl"
    with Journal(path, "squares") as journal:
        hurried = Campaign(lambda n: GIVEN_UP if n == 2 else n * n, Alone(), journal)
        assert hurried.results([1, 2, 3]) == [1, GIVEN_UP, 9]
        assert hurried.results([4]) == [16]
    with Journal(path, "squares") as journal:
        again = Campaign(lambda n: n * n, Alone(), journal)
        assert again.results([1, 2, 3]) == [1, 4, 9]
        assert again.recalled == 1
