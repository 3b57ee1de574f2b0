"""Journals: what was put is there again, a torn line is not, other work is refused."""

from pathlib import Path

import pytest

from dyverse.campaign.campaign import Campaign
from dyverse.campaign.crew import Alone
from dyverse.campaign.journal import Journal
from dyverse.errors import ModelError


def test_what_was_put_survives(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "journal.jsonl"
    with Journal(path, "work") as journal:
        journal.put("1.0", {"points": [1.5, float("inf")]})
    with Journal(path, "work") as journal:
        assert journal.get("1.0") == {"points": [1.5, float("inf")]}
        assert journal.get("1.1") is None
        assert len(journal) == 1


def test_a_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path, "work") as journal:
        journal.put("1.0", 1)
        journal.put("1.1", 2)
    path.write_text(path.read_text()[:-5])
    with Journal(path, "work") as journal:
        assert (journal.get("1.0"), journal.get("1.1")) == (1, None)
        journal.put("1.1", 3)
    with Journal(path, "work") as journal:
        assert journal.get("1.1") == 3


def test_a_journal_of_other_work_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path, "work") as journal:
        journal.put("1.0", 1)
    before = path.read_text()
    with pytest.raises(ModelError, match="other work"), Journal(path, "something else"):
        pass
    assert path.read_text() == before


@pytest.mark.parametrize("text", ["not a journal\nat all\n", "[1, 2]\n"])
def test_another_file_is_refused_and_kept(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(ModelError, match="is not a journal"), Journal(path, "work"):
        pass
    assert path.read_text() == text


def test_without_a_path_it_is_only_in_memory() -> None:
    with Journal(None, "work") as journal:
        journal.put("1.0", 1)
        assert journal.get("1.0") == 1
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
