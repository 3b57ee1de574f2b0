"""The benchmark of proofs says what it ought to; how long anything takes is not tested."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from benchmarks.prove import PROBLEMS, markdown, row, solved

from dyverse.generation.model import parse_model

STICKS = next(problem for problem in PROBLEMS if problem.name == "stick-or-slide")


def test_all_problems_are_about_contact_and_leave_something_open() -> None:
    assert len(PROBLEMS) >= 20
    for problem in PROBLEMS:
        model = parse_model(problem.text)
        assert problem.claim in [claim.name for claim in model.properties]
        assert problem.ranges
        assert len(model.world.bodies) > 1


def test_a_problem_is_proved_and_checked(tmp_path: Path) -> None:
    result = solved(STICKS, tmp_path)
    assert result.checked.safe == Fraction(1)
    assert row(result).startswith("| stick-or-slide | mu ∈ [0.4, 0.6] | 100 % | 0 % | 0 % | 1 |")
    page = "\n".join(markdown([result]))
    assert row(result) in page
    assert "Do not edit" in page


def test_a_box_beyond_a_known_border_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="both sides of the border"):
        solved(replace(STICKS, border=0.5), tmp_path)
