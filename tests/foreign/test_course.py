"""An FMU as a function of what it was told; and what becomes of us when it misbehaves."""

from __future__ import annotations

import math
import re
import zipfile
from pathlib import Path

import pytest

from dyverse.errors import ModelError
from dyverse.foreign import host
from dyverse.foreign.course import Course, course
from dyverse.foreign.description import description
from dyverse.foreign.process import ForeignError
from tests.foreign.making import lag

GIVEN, READ = ("der(x).in", "rate"), ("x", "calls", "warm")


def _expected(x: float, u: float, length: float, rate: float = 2.0) -> float:
    return x + (u - x) * (1 - math.exp(-rate * length))


@pytest.fixture
def made(tmp_path: Path) -> Course:
    return course(str(lag(tmp_path)), GIVEN, READ)


def test_steps_follow_what_is_told(made: Course) -> None:
    state, row = made.begin((1.0, 2.0))
    assert row == (0.0, 0.0, 0.0)
    x = 0.0
    for number, u in enumerate((1.0, 3.0, -1.0), start=1):
        state, row = made.step(state, 0.25, (u, 2.0))
        x = _expected(x, u, 0.25)
        assert row == pytest.approx((x, number, float(x > 0.5)))
        assert made.steps(state) == number


def test_another_way_from_the_same_state_is_told_from_the_beginning(made: Course) -> None:
    root, _ = made.begin((0.0, 2.0))
    one, _ = made.step(root, 0.5, (1.0, 2.0))
    two, left = made.step(one, 0.5, (1.0, 2.0))
    other, right = made.step(one, 0.5, (5.0, 2.0))
    x = _expected(0.0, 1.0, 0.5)
    assert left[0] == pytest.approx(_expected(x, 1.0, 0.5))
    assert right[0] == pytest.approx(_expected(x, 5.0, 0.5))
    assert made.step(one, 0.5, (1.0, 2.0)) == (two, left)  # from memory
    _, further = made.step(other, 0.5, (0.0, 2.0))
    assert further[:2] == pytest.approx((_expected(right[0], 0.0, 0.5), 3))


def test_a_state_that_never_was(made: Course) -> None:
    with pytest.raises(ForeignError, match="never in the state 7"):
        made.step(7, 0.1, (0.0, 1.0))


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("abort();", r"its code crashed \(SIGABRT\)"),
        ("*(volatile int *)0 = 1;", r"its code crashed \(SIGSEGV\)"),
        ("exit(7);", "its process ended with code 7"),
        ("return 3;", r"fmi2DoStep failed with status 3 \(error\)"),
    ],
)
def test_an_end_of_theirs_is_not_ours(fault: str, words: str, tmp_path: Path) -> None:
    made = course(str(lag(tmp_path, fault)), GIVEN, READ)
    state, row = made.begin((1.0, 1.0))
    for _ in range(2):
        before = row
        state, row = made.step(state, 0.5, (1.0, 1.0))
    for _ in range(2):  # it is kept in mind, too
        with pytest.raises(ForeignError, match=words):
            made.step(state, 0.5, (1.0, 1.0))
    other, values = made.begin((2.0, 1.0))  # another run begins in a new process
    assert values[0] == 0.0
    assert other != state
    assert row[0] > before[0]


def test_who_never_answers_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(host.PATIENCE, "2")
    made = course(str(lag(tmp_path, "for (;;) {}")), GIVEN, READ)
    state, _ = made.begin((1.0, 1.0))
    state, _ = made.step(state, 1.0, (1.0, 1.0))
    with pytest.raises(ForeignError, match="gave no answer for 2 s"):
        made.step(state, 1.0, (1.0, 1.0))


def test_what_it_says_of_itself_is_read_without_running_it(tmp_path: Path) -> None:
    about = description(str(lag(tmp_path, "abort();")))
    assert (about.step, about.until, about.tool) == (0.05, 2.0, "by hand")
    rate = about.signal("rate")
    assert rate is not None
    assert (rate.kind, rate.start, rate.unit, rate.causality) == ("Real", 1.0, "1/s", "parameter")
    label = about.signal("label")
    assert label is not None
    assert label.why_not == "is a String"
    assert [name.rpartition("/")[2] for name in about.libraries] == ["lag.so"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "is not an FMU"),
        ("<a", "its description cannot be read"),
        ("<!DOCTYPE a><a/>", "declares a document type"),
        ('<fmiModelDescription fmiVersion="1.0"/>', "is of FMI 1.0"),
        ('<fmiModelDescription fmiVersion="3.0"/>', "is not for Co-Simulation"),
    ],
)
def test_what_is_no_fmu(text: str | None, words: str, tmp_path: Path) -> None:
    place = tmp_path / "odd.fmu"
    place.write_text("plain text")
    if text is not None:
        with zipfile.ZipFile(place, "w") as archive:
            archive.writestr("modelDescription.xml", text)
    with pytest.raises(ModelError, match=rf"^{re.escape(str(place))}:( \w+)* {words}"):
        description(str(place))
    with pytest.raises(ModelError, match="cannot be read"):
        description(str(tmp_path / "none.fmu"))
