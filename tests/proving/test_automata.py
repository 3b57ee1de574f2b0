"""Proofs about automata and networks: guards, jumps in one instant, whole numbers, choices."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from dyverse.certificate.check import check, verdict
from dyverse.certificate.file import Box, Certificate, Jump, Leg, Question, Unproved
from dyverse.certificate.system import System
from dyverse.certificate.walk import Walk
from dyverse.enclosure.program import Undecided
from dyverse.generation.model import parse_model
from dyverse.proving.asking import ask
from dyverse.proving.prove import Answer, Limits, prove
from dyverse.proving.reduction import reduced
from dyverse.proving.task import Way, _Attempt, _prepared
from dyverse.proving.writing import write_certificate
from dyverse.simulation.simulate import Options, simulate
from dyverse.text.examples import example_text

THERMOSTAT = example_text("thermostat")
BALL = example_text("bouncing-ball-floor")


def asked(
    text: str, claim: str, until: float | None = None, **ranges: tuple[float, float]
) -> Question:
    named = {name.replace("__", "."): limits for name, limits in ranges.items()}
    return reduced(ask(text, claim, ranges=named, settings={}, until=until))


def answered(question: Question, finest: int = 8) -> Answer:
    return prove(question, limits=Limits(finest=finest))


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> tuple[Question, Box]:
    """The thermostat for k in [0.1, 0.11]: four switches in 20 s."""
    question = asked(THERMOSTAT, "comfortable", k=(0.1, 0.11))
    path = tmp_path_factory.mktemp("proofs") / "thermostat.gz"
    with_proofs: list[object] = []
    assert prove(question, keep=with_proofs.append).verdict == "safe"
    write_certificate(path, question, with_proofs)
    assert check(path).safe == 1
    (box,) = Certificate(path).boxes()
    return question, box


def test_a_thermostat_keeps_its_band_in_all_of_its_range() -> None:
    answer = answered(asked(THERMOSTAT, "comfortable", k=(0.05, 0.2)))
    assert answer.verdict == "safe"


def test_a_narrower_band_is_left() -> None:
    """T' = k (30 - T) from 20: it passes 21.9 at ln(10/8.1)/k, 2.1 s for k = 0.1."""
    text = THERMOSTAT.replace("T <= high + 1e-6", "T <= 21.9")
    answer = answered(asked(text, "comfortable", k=(0.05, 0.2)))
    assert answer.share("unsafe") == 1


def test_tanks_are_served_before_time_stops() -> None:
    question = asked(example_text("two-tanks"), "served", 4.0, inflow=(0.7, 0.8))
    assert answered(question).verdict == "safe"


def test_gears_are_changed_by_whole_numbers() -> None:
    question = asked(example_text("gear"), "legal", pause=(0.3, 0.5))
    assert answered(question).verdict == "safe"


def test_a_network_has_the_border_of_its_closed_form() -> None:
    """From height h the ball hits the floor n + 1 times by s (1 + 8 (1 - 0.8ⁿ)), s = √(2h/9.8).

    The pause before the hit is 2 s 0.8ⁿ. The first one below 1 s is the seventh for h > 17.83, and
    it is heard before 14 s if s < 14/(1 + 8 (1 - 0.8⁷)), which is h < 17.91…
    """
    border = 4.9 * (14 / (1 + 8 * (1 - 0.8**7))) ** 2
    answer = answered(asked(BALL, "high", ball__y=(17.0, 19.0)), 6)
    unsafe = float(answer.share("unsafe"))
    share = (border - 17) / 2
    assert unsafe <= share <= unsafe + float(answer.share("open"))
    assert answer.share("open") < Fraction(1, 12)


def test_runs_stay_in_their_enclosure(proof: tuple[Question, Box]) -> None:
    question, box = proof
    walk = Walk(System(question), box)
    assert walk.verdict() == "safe"
    generator = np.random.default_rng(0)
    for share in generator.uniform(-1, 1, size=20).tolist():
        automaton = parse_model(THERMOSTAT).automaton({"k": 0.105 + 0.005 * share})
        run = simulate(automaton, until=20.0, options=Options(solver="native"))
        index = [automaton.variables.index(name) for name in question.states]
        seen = 0
        for tube in walk.tubes:
            for place in (-0.9, 0.1, 0.8):
                balls = [
                    tube.models.over(path, [arb(place), arb(share)]) + arb(0, spread)
                    for path, spread in zip(tube.path, tube.spread, strict=True)
                ]
                time = float(balls[-1].mid())
                if time < 20:
                    state = run.at(time).values[index]
                    near = zip(balls, state, strict=False)
                    assert all((b + arb(0, 1e-6)).contains(arb(x)) for b, x in near)
                    seen += 1
        assert seen > 10


def other(box: Box, leg: int, change: Callable[[Leg], Leg]) -> Box:
    return replace(box, legs=(*box.legs[:leg], change(box.legs[leg]), *box.legs[leg + 1 :]))


def jumping(leg: Leg, **changes: object) -> Leg:
    assert isinstance(leg.then, Jump)
    return replace(leg, then=replace(leg.then, **changes))  # type: ignore[arg-type]  # a test


WRONG: dict[str, Callable[[Box], Box]] = {
    "an edge that is not enabled": lambda box: other(box, 0, lambda x: jumping(x, edges=(1,))),
    "no edge": lambda box: other(box, 0, lambda x: jumping(x, edges=())),
    "no waiting": lambda box: other(box, 0, lambda x: jumping(replace(x, steps=()), closing="")),
    "a surface that is not there": lambda box: other(box, 0, lambda x: jumping(x, closing="x")),
    "another place": lambda box: other(
        box, 1, lambda x: replace(x, place=(("thermostat", "heat"),))
    ),
    "no second leg": lambda box: replace(box, legs=(box.legs[0], *box.legs[2:])),
    "a jump to elsewhere": lambda box: other(
        box,
        0,
        lambda x: jumping(
            x,
            after=((21.0, *x.then.after[0][1:]), *x.then.after[1:]),  # type: ignore[union-attr]
        ),
    ),
    "too few states after": lambda box: other(
        box,
        0,
        lambda x: jumping(x, after=x.then.after[1:]),  # type: ignore[union-attr]
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_damaged_proof_is_refused(proof: tuple[Question, Box], name: str) -> None:
    question, box = proof
    assert verdict(System(question), box) == "safe"
    with pytest.raises((Unproved, Undecided)):
        verdict(System(question), WRONG[name](box))


TWO = """\
automaton a {{
  real x
  location go {{ x' = 1 }}
  location one {{ x' = 1 }}
  location two {{ x' = -1 }}
  initial go
  {edges}
}}
property claim: always x < 1.5 until 2
"""


def in_two(edges: str) -> Answer:
    return answered(asked(TWO.format(edges=edges), "claim"))


def test_a_priority_decides_between_edges() -> None:
    low, high = (
        f"edge go -> {first} {{ when x >= 1  priority {n} }}"
        for first, n in (("one", 1), ("two", 2))
    )
    assert in_two(f"{low} {high}").verdict == "safe"
    assert in_two(f"{low.replace('one', 'two')} {high.replace('two', 'one')}").verdict == "unsafe"


def test_every_choice_between_edges_counts() -> None:
    """One run that breaks the property is enough to break it."""
    low, high = (f"edge go -> {place} {{ when x >= 1 }}" for place in ("one", "two"))
    assert in_two(f"{low} {high}").verdict == "unsafe"
    assert in_two(f"{high} {low}").verdict == "unsafe"
    again = "edge go -> two { when x >= 1 do x := 1.1 }"
    assert in_two(f"{high} {again}").verdict == "safe"


def test_an_equality_is_met_from_either_side() -> None:
    assert in_two("edge go -> two { when x == 1 }").verdict == "safe"


def test_strict_and_weak_guards_are_taken_at_once() -> None:
    assert in_two("edge go -> two { when x > 1 }").verdict == "safe"
    assert in_two("edge go -> two { when not x <= 1 }").verdict == "safe"


def test_a_whole_number_that_leaves_its_range_is_not_believed() -> None:
    """A run would end there."""
    edges = "int n = 0 in [0, 4] edge go -> go { when x >= 1 do x := 0, n := n + 1 }"
    text = TWO.format(edges=edges).replace("until 2", "until 3.5")
    question = asked(text, "claim")
    box = _Attempt(_prepared(question), ()).box(Way())
    assert verdict(System(question), box) == "safe"
    narrower = replace(question, text=text.replace("[0, 4]", "[0, 2]"))
    with pytest.raises(Unproved, match="n may leave its range"):
        verdict(System(narrower), box)


def test_where_no_time_may_pass_the_property_must_hold() -> None:
    """Between two jumps of one instant x is 2."""
    edges = "edge go -> one { when x >= 1 do x := 2 } edge one -> two { when x >= 2 do x := 0 }"
    assert in_two(edges).verdict == "open"
    assert in_two(edges.replace("2", "1.2")).verdict == "safe"


def test_a_bound_that_is_left_after_a_jump_is_not_met_again() -> None:
    """A ball: its guard holds at the floor, where it rises; y ≥ 0 holds there, y > 0 does not."""
    ball = """\
    automaton ball {{
      real y = 1, v
      location fly {{ y' = v  v' = -10 }}
      initial fly
      edge fly -> fly {{ when y <= 0{more}  do v := -e*v }}
    }}
    parameter e = 0.8 in [0.7, 0.8]
    property claim: always y {sign} 0 until 1.4
    """
    for more in ("", " and v <= 0"):
        text = ball.format(more=more, sign=">=")
        assert answered(asked(text, "claim", e=(0.7, 0.8))).verdict == "safe"
    assert (
        answered(asked(ball.format(more="", sign=">"), "claim", e=(0.7, 0.8)), 3).share("safe") == 0
    )
