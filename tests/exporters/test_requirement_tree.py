"""Requirements as trees, with what decides."""

import pytest
from hypothesis import given

from dyverse.exporters.requirement_tree import MARK, requirement_lines
from dyverse.expr.formula import Compare
from dyverse.expr.requirement import Requirement
from dyverse.simulation.requirement.temporal import planned
from dyverse.text.parse import parse_formula, parse_requirement
from tests.expr.strategies import UNKNOWN, requirements

NESTED = "always (x > 1 implies eventually[0, 2] (y < 3 and not z > 5))"
TREE = """\
always
  implies
    x > 1
    eventually[0, 2]
      and
        y < 3
        not
          z > 5"""


def test_each_part_has_a_line() -> None:
    assert "\n".join(requirement_lines(parse_requirement(NESTED))) == TREE


@pytest.mark.parametrize(
    ("decides", "line"), [("y < 3", "y < 3"), ("x <= 1", "x > 1"), ("z <= 5", "z > 5")]
)
def test_what_decides_is_marked_also_under_a_negation(decides: str, line: str) -> None:
    found = parse_formula(decides)
    assert isinstance(found, Compare)
    lines = list(requirement_lines(parse_requirement(NESTED), found, "here"))
    assert [one.strip() for one in lines if MARK in one] == [f"{line}   {MARK}here"]


@given(requirements)
def test_whatever_can_decide_is_marked(requirement: Requirement) -> None:
    """The evaluator's own comparisons, which are those of the negation where there is one."""
    for decides in planned(requirement, dict.fromkeys(UNKNOWN, 1.0)).comparisons:
        assert any(MARK in line for line in requirement_lines(requirement, decides))
    assert not any(MARK in line for line in requirement_lines(requirement))
