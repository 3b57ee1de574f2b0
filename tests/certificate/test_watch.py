import casadi as ca
import pytest
from flint import arb, arb_poly

from dyverse.automaton.guard.robustness import normal
from dyverse.certificate.file import Unproved
from dyverse.certificate.watch import Condition, Conditions, watched
from dyverse.enclosure.front import Tube
from dyverse.enclosure.program import Program, program
from dyverse.enclosure.taylor import TaylorModels
from dyverse.text.parse import parse_formula

x, t, k = ca.SX.sym("x"), ca.SX.sym("t"), ca.SX.sym("k")
STATE = [ca.vertcat(x, t), k]
MODELS = TaylorModels((3,))
LATE = arb(100)


def tube(*coefficients: float, start: float = 0.0) -> Tube:
    """A state that is a polynomial of s, with t = start + s + 1."""
    path = arb_poly(list(coefficients)), arb_poly([start + 1, 1])
    return Tube(MODELS, path, tuple(p.derivative() for p in path), (arb(1e-6), arb(0)))


def depth(expression: ca.SX) -> Program:
    return program(STATE, [expression])


ABOVE = Conditions(
    (Condition("above", normal(parse_formula("x > 0")), ((0, "strict"),)),), depth(x)
)
RATE = depth(ca.SX(1))


def look(
    tubes: list[Tube],
    conditions: Conditions = ABOVE,
    fresh: dict[int, Program] | None = None,
    closing: dict[int, Program] | None = None,
    end: arb = LATE,
) -> None:
    watched(tubes, conditions, [arb_poly([0])], fresh or {}, closing or {}, end)


def test_what_holds_on_the_whole_stretch_is_found() -> None:
    """1 - 0.9 s²: nearly zero at both ends, and halved until that is seen."""
    look([tube(1.0, 0.0, -0.9)])
    with pytest.raises(Unproved, match="above is not sure"):
        look([tube(0.89, 0.0, -0.9)])


@pytest.mark.parametrize("low", [0.0, -0.001])
def test_what_fails_in_one_point_is_not_passed_over(low: float) -> None:
    """(s - 0.3)² and a little less: the minimum is between all ends of pieces."""
    with pytest.raises(Unproved, match=r"above is not sure at 1\.[23]"):
        look([tube(0.09 + low, -0.6, 1.0)])


def test_a_signal_may_begin_at_zero_if_it_rises() -> None:
    rising = tube(1.0, 1.0)
    look([rising], fresh={0: depth(ca.SX(1))})
    with pytest.raises(Unproved):
        look([rising])
    with pytest.raises(Unproved):
        look([rising], fresh={0: depth(t - 1.5)})


def test_a_signal_that_has_risen_may_not_come_back() -> None:
    """s - s³ + …: up from zero, and down again to zero inside."""
    arch = tube(0.0, 1.0, 0.0, -1.0)
    with pytest.raises(Unproved):
        look([arch], fresh={0: depth(1 - 3 * (t - 1) ** 2)})


def test_a_signal_may_fall_to_zero_in_the_last_step_only() -> None:
    falling = tube(1.0, -1.0)
    look([tube(3.0, -1.0), falling], closing={0: depth(ca.SX(-1))})
    with pytest.raises(Unproved):
        look([falling, tube(3.0)], closing={0: depth(ca.SX(-1))})
    with pytest.raises(Unproved):
        look([falling], closing={0: depth(t - 1)})


def test_nothing_is_asked_after_the_end() -> None:
    look([tube(0.5, -1.0)], end=arb(1.2))
    with pytest.raises(Unproved):
        look([tube(0.5, -1.0)], end=arb(1.6))


@pytest.mark.parametrize(
    ("text", "fine"),
    [
        ("x > 0 and x < 3", True),
        ("x > 3 or t < 9", True),
        ("x > 3 or t > 9", False),
        ("not (x > 3)", True),
        ("x > 1 or x < 1.5", True),
        ("x >= 3 or x > 0", True),
    ],
)
def test_formulas_are_read_as_a_whole(text: str, fine: bool) -> None:
    """x goes from 0.5 to 1.5 while t goes from 0 to 2."""
    found = normal(parse_formula(text))
    depths = {"x > 0": x, "x < 3": 3 - x, "x > 3": x - 3, "t < 9": 9 - t, "t > 9": t - 9}
    depths |= {"x > 1": x - 1, "x < 1.5": 1.5 - x, "x >= 3": x - 3}
    parts = text.replace("not (x > 3)", "x <= 3").replace(" and ", " or ").split(" or ")
    depths["x <= 3"] = 3 - x
    atoms = tuple((i, "weak" if "=" in part else "strict") for i, part in enumerate(parts))
    condition = Condition("claim", found, atoms)  # type: ignore[arg-type]  # one of the senses
    conditions = Conditions((condition,), depth(ca.vertcat(*(depths[part] for part in parts))))
    if fine:
        look([tube(1.0, 0.5)], conditions)
    else:
        with pytest.raises(Unproved, match="claim"):
            look([tube(1.0, 0.5)], conditions)


def test_what_surely_fails_is_refuted() -> None:
    assert ABOVE.refutes([arb(-1, 0.5), arb(0)], [arb(0)])
    assert not ABOVE.refutes([arb(-1, 1.5), arb(0)], [arb(0)])
    assert ABOVE.refutes([arb(0), arb(0)], [arb(0)])


def test_what_is_undecided_does_not_hold() -> None:
    kinked = Conditions(ABOVE.listed, depth(2 + ca.sign(x)))
    assert kinked.failing([arb(0, 1), arb(0)], [arb(0)]) == "border: a sign is not sure"
    assert kinked.failing([arb(2, 1), arb(0)], [arb(0)]) is None


def test_what_cancels_is_seen_by_models() -> None:
    """x = t: boxes of the smallest pieces are too wide by a factor of eight."""
    steep = Conditions(ABOVE.listed, depth(1024 * (x - t) + 1 / 64))
    look([tube(1.0, 1.0)], steep)
    with pytest.raises(Unproved):
        look([tube(1.0, 1.0)], Conditions(ABOVE.listed, depth(1024 * (x - t) - 1 / 64)))
