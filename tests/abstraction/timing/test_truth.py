import pytest
from hypothesis import given
from hypothesis import strategies as st

from dyverse.abstraction.timing.truth import TooOpen, holds_by, narrowed, truth, ways
from dyverse.expr.formula import Not
from dyverse.expr.value import holds
from dyverse.text.parse import parse_formula

BOX = {"x": (1.0, 3.0), "y": (2.0, 2.0)}
TEXTS = ["x < y", "x <= 3", "x*y >= 2 and x != 5", "x == y or y > 1", "not (x > 2 and y < 3)"]
points = st.tuples(st.floats(-2, 2), st.floats(-2, 2))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x <= 3", True),
        ("x < 3", None),
        ("x > 3", False),
        ("x >= 1 and y == 2", True),
        ("x == y", None),
        ("x != y or x == y", None),  # no two comparisons are put together
        ("y != 2", False),
        ("x > 4 or y >= 2", True),
        ("not x > 0", False),
    ],
)
def test_truth_over_a_box(text: str, expected: bool | None) -> None:
    formula = parse_formula(text)
    assert truth(formula, BOX) is expected
    assert truth(Not(formula), BOX) is (None if expected is None else not expected)


@given(st.sampled_from(TEXTS), points, points, st.floats(0, 1), st.floats(0, 1))
def test_a_point_of_a_box_agrees_with_what_is_said_of_the_box(
    text: str, a: tuple[float, float], b: tuple[float, float], s: float, t: float
) -> None:
    formula = parse_formula(text)
    pairs = zip(("x", "y"), a, b, strict=True)
    box = {name: (min(p, q), max(p, q)) for name, p, q in pairs}
    point = {
        name: min(high, max(low, low + (high - low) * share))
        for (name, (low, high)), share in zip(box.items(), (s, t), strict=True)
    }
    known = holds(formula, point)
    assert truth(formula, box) in (known, None)
    assert any(holds_by(formula, facts) == known for facts in ways([formula], box))
    cut = narrowed(formula, box)
    if known:
        assert cut is not None
        assert all(cut[name][0] <= point[name] <= cut[name][1] for name in point)


def test_a_comparison_and_its_negation_are_one_question() -> None:
    guards = [parse_formula("x < 2"), parse_formula("x >= 2")]
    found = [[holds_by(guard, facts) for guard in guards] for facts in ways(guards, BOX)]
    assert sorted(found) == [[False, True], [True, False]]


def test_too_many_open_questions_are_not_tried() -> None:
    with pytest.raises(TooOpen):
        list(ways([parse_formula(f"x < {1 + n / 10}") for n in range(1, 15)], BOX))


def test_narrowing_cuts_at_the_boundary_and_keeps_it() -> None:
    cut = narrowed(parse_formula("x > y and 5 >= x"), BOX)
    assert cut == {"x": (2.0, 3.0), "y": (2.0, 2.0)}
    assert narrowed(parse_formula("x == 2.5"), BOX) == {"x": (2.5, 2.5), "y": (2.0, 2.0)}
    assert narrowed(parse_formula("x > 3"), BOX) == {"x": (3.0, 3.0), "y": (2.0, 2.0)}
    assert narrowed(parse_formula("x >= 3.5"), BOX) is None
