"""The benchmark of proofs says what it ought to; how long anything takes is not tested."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from benchmarks.prove import PROBLEMS, main, markdown, place, row, solved

from benchmarks import prove
from dyverse.generation.model import parse_model

STICKS = next(problem for problem in PROBLEMS if problem.name == "stick-or-slide")


def test_problems_leave_something_open_and_twenty_are_about_contact() -> None:
    models = [parse_model(problem.text) for problem in PROBLEMS]
    assert sum(len(model.world.bodies) > 1 for model in models) >= 20
    for problem, model in zip(PROBLEMS, models, strict=True):
        assert problem.claim in [claim.name for claim in model.properties]
        assert problem.ranges


def test_a_problem_is_proved_and_checked(tmp_path: Path) -> None:
    result = solved(STICKS, tmp_path)
    assert result.checked.safe == Fraction(1)
    assert row(result).startswith("| stick-or-slide | mu ∈ [0.4, 0.6] | 100 % | 0 % | 0 % | 1 |")
    page = "\n".join(markdown([row(result)]))
    assert row(result) in page
    assert "Do not edit" in page


def test_a_row_takes_the_place_of_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "PROVE.md"
    monkeypatch.setattr(prove, "MARKDOWN", page)
    other = f"{place(PROBLEMS[0])} | 1 % | 2 % | 97 % | 1 | 0.1 | 0.1 | 1 | nothing |"
    old = f"{place(STICKS)} | 1 % | 2 % | 97 % | 1 | 0.1 | 0.1 | 1 | nothing |"
    page.write_text("\n".join(markdown([other, old])), encoding="utf-8")
    main([STICKS.name])
    written = page.read_text(encoding="utf-8")
    assert other in written
    assert old not in written
    assert f"{place(STICKS)} | 100 %" in written


def test_a_box_beyond_a_known_border_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="both sides of the border"):
        solved(replace(STICKS, border=0.5), tmp_path)
