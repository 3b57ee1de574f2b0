"""Proofs of small models, their certificates, and what becomes of claims that are false."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from flint import arb

from dyverse.certificate.check import check, is_cover, verdict
from dyverse.certificate.file import Box, Broken, Certificate, End, Impact, Leg, Question, Unproved
from dyverse.certificate.system import System
from dyverse.certificate.walk import Walk
from dyverse.enclosure.front import Step
from dyverse.enclosure.program import Undecided
from dyverse.errors import ModelError
from dyverse.generation.model import parse_model
from dyverse.proving.asking import ask
from dyverse.proving.prove import Answer, Limits, prove
from dyverse.proving.reduction import reduced
from dyverse.proving.task import Task, ends
from dyverse.proving.writing import plain, write_certificate
from dyverse.simulation.simulate import Options, simulate

EXAMPLES = Path(__file__).parents[2] / "examples"
GAME = (EXAMPLES / "interception-game" / "model.drbt").read_text(encoding="utf-8")
CEILING = (EXAMPLES / "ceiling" / "model.drbt").read_text(encoding="utf-8")


def asked(text: str, claim: str, low: float, high: float, name: str = "K") -> Question:
    return reduced(ask(text, claim, ranges={name: (low, high)}, settings={}))


def proved(question: Question, finest: int = 10) -> tuple[Answer, list[Box]]:
    """The answer, and every box with its proof."""
    kept: list[Box] = []
    answer = prove(question, limits=Limits(finest=finest), keep=lambda box: kept.append(box))
    return answer, kept


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> tuple[Question, Box, Path]:
    """The interception game for K in [1.8, 1.82]: one box, three impacts with friction."""
    question = asked(GAME, "caught", 1.8, 1.82)
    answer, kept = proved(question)
    assert answer.verdict == "safe"
    path = tmp_path_factory.mktemp("proofs") / "game.gz"
    write_certificate(path, question, kept)
    (box,) = Certificate(path).boxes()
    return question, box, path


def test_the_game_is_safe_where_simulations_are(game: tuple[Question, Box, Path]) -> None:
    found = check(game[2])
    assert [found.safe, found.unsafe, found.open] == [Fraction(1), Fraction(0), Fraction(0)]


@pytest.mark.parametrize(("low", "high"), [(1.0, 1.05), (1.2, 1.25), (2.9, 3.0)])
def test_the_game_is_unsafe_where_simulations_are(low: float, high: float) -> None:
    answer, _ = proved(asked(GAME, "caught", low, high), 4)
    assert answer.share("unsafe") > Fraction(9, 10)
    assert answer.verdict == "unsafe"
    assert answer.share("safe") == 0


def test_a_border_is_enclosed() -> None:
    """A ball thrown at a ceiling: e² (v² + 2 g h) = 2 g · ceiling decides, e = 0.7998…"""
    border = np.sqrt(2 * 9.81 * 1.2 / (4**2 + 2 * 9.81))
    answer, _ = proved(asked(CEILING, "under", 0.5, 0.9, "e"), 12)
    assert answer.share("open") <= Fraction(4, 2**12)
    for box in answer.boxes:
        low, high = ends(answer.question, box.halves)[0]
        if box.verdict == "safe":
            assert high <= border
        if box.verdict == "unsafe":
            assert low >= border
    assert answer.verdict == "unsafe"


def states_at(walk: Walk, share: float, times: np.ndarray) -> list[list[arb]]:
    """Balls around the states of one run at some times, from the tubes of a walk."""
    found = []
    for time in times:
        for tube in walk.tubes:
            start, length = (tube.models.over(tube.path[-1], [arb(s), arb(share)]) for s in (-1, 1))
            place = 2 * (time - float(start.mid())) / float((length - start).mid()) - 1
            if abs(place) <= 1:
                rows = zip(tube.path, tube.spread, strict=True)
                point = [arb(place), arb(share)]
                found.append([tube.models.over(p, point) + arb(0, w) for p, w in rows])
                break
    return found


@pytest.mark.parametrize("seed", range(10))
def test_runs_stay_in_their_enclosure(game: tuple[Question, Box, Path], seed: int) -> None:
    question, box, _ = game
    share = float(np.random.default_rng(seed).uniform(-1, 1))
    walk = Walk(System(question), box)
    assert walk.verdict() == "safe"
    automaton = parse_model(GAME).automaton({"K": 1.81 + 0.01 * share})
    run = simulate(automaton, until=2.0, options=Options(solver="native"))
    times = np.random.default_rng(seed).uniform(0, 2, size=40)
    index = [automaton.variables.index(name) for name in question.states]
    for time, balls in zip(times, states_at(walk, share, times), strict=True):
        state = run.at(float(time)).values[index]
        assert all((b + arb(0, 1e-5)).contains(arb(x)) for b, x in zip(balls, state, strict=False))


def shifted(box: Box, leg: int, step: int, state: int, by: float) -> Box:
    """A box whose proof says something else about one state in one step."""
    legs = list(box.legs)
    steps = list(legs[leg].steps)
    states = list(steps[step].states)
    states[state] = (states[state][0] + by, *states[state][1:])
    steps[step] = replace(steps[step], states=tuple(states))
    legs[leg] = replace(legs[leg], steps=tuple(steps))
    return replace(box, legs=tuple(legs))


def test_small_changes_do_no_harm(game: tuple[Question, Box, Path]) -> None:
    """Nothing of a proof is believed: a polynomial that is a little off proves the same."""
    question, box, _ = game
    assert verdict(System(question), shifted(box, 0, 0, 0, 1e-9)) == "safe"


def without(box: Box, leg: int) -> Box:
    return replace(box, legs=(*box.legs[:leg], *box.legs[leg + 1 :]))


def other_pattern(box: Box, word: str) -> Box:
    legs = list(box.legs)
    then = legs[0].then
    assert isinstance(then, Impact)
    pattern = tuple((contact, word) for contact, _ in then.pattern)
    legs[0] = replace(legs[0], then=replace(then, pattern=pattern))
    return replace(box, legs=tuple(legs))


def other_end(box: Box, end: End | Broken) -> Box:
    return replace(box, legs=(*box.legs[:-1], replace(box.legs[-1], then=end)))


def slower(box: Box, share: float) -> Box:
    """Time passes more slowly than it says in the first step."""
    first = box.legs[0].steps[0]
    pace = tuple(share * number for number in first.pace)
    steps = (replace(first, pace=pace), *box.legs[0].steps[1:])
    return replace(box, legs=(replace(box.legs[0], steps=steps), *box.legs[1:]))


WRONG: dict[str, Callable[[Box], Box]] = {
    "a state elsewhere": lambda box: shifted(box, 1, 0, 1, 0.3),
    "a start elsewhere": lambda box: shifted(box, 0, 0, 0, 0.5),
    "no first impact": lambda box: without(box, 0),
    "one impact less": lambda box: without(box, 1),
    "an end too early": lambda box: other_end(replace(box, legs=box.legs[:3]), End()),
    "a violation that is none": lambda box: other_end(box, Broken(0.5)),
    "no end": lambda box: replace(box, legs=box.legs[:2]),
    "the wrong side of friction": lambda box: other_pattern(box, "slip+"),
    "friction on its rim": lambda box: other_pattern(box, "slip"),
    "no contact": lambda box: other_pattern(box, "separated"),
    "an outcome that is not there": lambda box: other_pattern(box, "glue"),
    "a slow clock": lambda box: slower(box, 0.9),
    "a clock that stands still": lambda box: slower(box, 0.0),
    "another box": lambda box: replace(box, halves=(5,)),
    "degrees of another box": lambda box: replace(box, degrees=(8, 1)),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_weakened_proof_is_refused(game: tuple[Question, Box, Path], name: str) -> None:
    question, box, _ = game
    with pytest.raises((Unproved, Undecided)):
        verdict(System(question), WRONG[name](box))


def test_a_proof_for_other_numbers_is_refused(game: tuple[Question, Box, Path]) -> None:
    """The same legs for K in [1.8, 1.9], for another restitution, for another gravity."""
    question, box, _ = game
    wider = replace(question, unknowns=(("K", "1.8", "1.9"),))
    fewer = tuple(name for name in question.states if name != "ball1.wz")
    for other in (
        wider,
        replace(question, text=GAME.replace("restitution 0.8", "restitution 0.81")),
        replace(question, text=GAME.replace("-9.81", "-9.82")),
        replace(question, text=GAME.replace("ball1.y > 0", "ball1.y > 0.5")),
        replace(question, until="3"),
        replace(question, still=(*question.still, "ball1.wz"), states=fewer),
    ):
        with pytest.raises((Unproved, Undecided, ModelError)):
            verdict(System(other), box)


def test_a_state_that_matters_cannot_be_left_out(game: tuple[Question, Box, Path]) -> None:
    question, box, _ = game
    fewer = System(replace(question, states=question.states[:-1]))
    with pytest.raises(Unproved, match="not as many states"):
        verdict(fewer, box)
    with pytest.raises(Undecided, match="unknown parts"):
        verdict(fewer, replace(box, legs=tuple(map(forgetful, box.legs))))


def forgetful(leg: Leg) -> Leg:
    """A leg without the last state before the time."""
    steps = tuple(replace(s, states=(*s.states[:-2], s.states[-1])) for s in leg.steps)
    then = leg.then
    if isinstance(then, Impact):
        then = replace(then, after=(*then.after[:-2], then.after[-1]))
    return replace(leg, steps=steps, then=then)


@pytest.mark.parametrize("name", ["ball1.y", "ball2.y", "ball1.vx", "ball2.x", "ball1.wz"])
@pytest.mark.parametrize("side", [-1, 1])
def test_false_claims_are_never_proved(name: str, side: int) -> None:
    """A bound that the run at K = 1.75 breaks by a millionth of a metre is proved nowhere near."""
    automaton = parse_model(GAME).automaton({"K": 1.75})
    run = simulate(automaton, until=2.0, options=Options(solver="native"))
    reached = side * float((side * run.signal(name)[1]).max())
    claim = f"{name} {'<' if side > 0 else '>'} {reached - side * 1e-6!r}"
    text = GAME.replace("ball1.y > 0", claim)
    answer, _ = proved(asked(text, "caught", 1.7499, 1.7501), 3)
    for box in answer.boxes:
        low, high = ends(answer.question, box.halves)[0]
        assert box.verdict != "safe" or not low <= 1.75 <= high


@pytest.mark.parametrize(
    ("boxes", "fine"),
    [
        ([()], True),
        ([(0,), (1,)], True),
        ([(0,), (1, 2), (1, 3)], True),
        ([(0, 2), (0, 3), (1,)], True),
        ([], False),
        ([(0,)], False),
        ([(0,), (1,), (1,)], False),
        ([(), (0,)], False),
        ([(0,), (1,), ()], False),
        ([(0,), (3,)], False),
        ([(0,), (1, 2)], False),
    ],
)
def test_boxes_must_make_up_the_ranges(boxes: list[tuple[int, ...]], fine: bool) -> None:
    assert is_cover(boxes) is fine


def test_a_certificate_without_a_box_is_refused(game: tuple[Question, Box, Path]) -> None:
    question, box, path = game
    part = path.parent / "part.gz"
    write_certificate(part, question, [plain(replace(box, halves=(0,)))])
    with pytest.raises(ModelError, match=r"not proved|make up"):
        check(part)


@pytest.mark.parametrize("degrees", [(2,), (100_000_000,), (8, 8), ()])
def test_polynomials_of_other_degrees_are_refused(
    game: tuple[Question, Box, Path], degrees: tuple[int, ...]
) -> None:
    question, box, path = game
    other = path.parent / "other.gz"
    write_certificate(other, question, [plain(replace(box, degrees=degrees))])
    with pytest.raises(ModelError, match=r"not proved|not a certificate"):
        check(other)


def test_open_boxes_are_told_as_open(game: tuple[Question, Box, Path]) -> None:
    question, _, path = game
    whole = path.parent / "open.gz"
    write_certificate(whole, question, [plain(Box((), why="time"))])
    assert check(whole).open == 1


def test_a_task_says_which_unknown_to_halve() -> None:
    ranges = {"h": (1.0, 1.0001), "e": (0.5, 0.9)}
    question = reduced(ask(CEILING, "under", ranges=ranges, settings={"v": 4.0}))
    found = Task(question, keep=False)([])
    assert found["split"] == 1
    assert "border" in found["why"]


GROWTH = """\
parameter a = 1
parameter b = 1
automaton growth { real x  location on { x' = a - b*x }  initial on }
system growth
property claim: always growth.x < 0.5 until 1
"""


@pytest.mark.parametrize(("a", "word"), [(0.5, "safe"), (1.0, "unsafe")])
def test_a_range_may_be_a_single_number(a: float, word: str) -> None:
    """x = a(1 - exp(-bt))/b; nothing is to be halved along a number."""
    ranges = {"a": (a, a), "b": (0.75, 1.0)}
    answer, _ = proved(reduced(ask(GROWTH, "claim", ranges=ranges, settings={})))
    assert [(box.halves, box.verdict) for box in answer.boxes] == [((), word)]


def test_nothing_is_halved_if_all_ranges_are_single_numbers() -> None:
    border = 0.5 / (1 - np.exp(-1.0))
    ranges = {"a": (border, border), "b": (1.0, 1.0)}
    answer, _ = proved(reduced(ask(GROWTH, "claim", ranges=ranges, settings={})))
    assert [(box.halves, box.verdict) for box in answer.boxes] == [((), "open")]
    assert answer.looked_at == 1


def test_the_unknown_that_is_halved_has_a_width() -> None:
    ranges = {"a": (1.0, 1.0), "b": (0.5, 3.0)}
    found = Task(reduced(ask(GROWTH, "claim", ranges=ranges, settings={})), keep=False)([])
    assert found["split"] == 1


def test_steps_of_a_proof_have_all_states(game: tuple[Question, Box, Path]) -> None:
    question, box, _ = game
    step = box.legs[0].steps[0]
    assert isinstance(step, Step)
    assert len(step.states) == len(question.states) + 1
    assert isinstance(box.legs[0], Leg)
    assert isinstance(box.legs[-1].then, End)


def test_what_cannot_be_enclosed_yet_is_given_up_soon() -> None:
    """Two balls that hit the floor at once, however small the boxes are."""
    text = """\
parameter k = 0.01 in [0.01, 0.02]
gravity (0, -9.81, 0)
body floor { plane normal (0, 1, 0) }
body a { sphere radius 0.1  mass 1  position (0, 1, 0) }
body b { sphere radius 0.1  mass 1  position (1, 1, 0) }
contact all { restitution 0.5 }
property up: always a.y > k until 0.6
"""
    answer, _ = proved(asked(text, "up", 0.01, 0.02, name="k"))
    assert answer.verdict == "open"
    assert answer.looked_at == 31
    assert all(box.why.startswith("unsupported") for box in answer.boxes)


BOUNCING = """\
parameter k = 0.5
gravity (0, -9.81, 0)
body floor { plane normal (0, 1, 0) }
body b { sphere radius 0.1  mass 1  position (0, k, 0)  velocity (1, 0, 0) }
contact b floor { restitution 0.5 }
property up: always b.y > 0.05 until 0.6
"""


def test_a_speed_that_matters_to_nobody_is_not_followed() -> None:
    """Without friction nothing depends on how fast the ball goes sideways."""
    question = asked(BOUNCING, "up", 0.4, 0.6, name="k")
    assert question.states == ("b.y", "b.vy")
    assert proved(question)[0].verdict == "safe"


def test_a_law_of_impact_that_cannot_be_enclosed_is_named() -> None:
    text = f"impact poisson\n{BOUNCING}".replace("0.5 }", "0.5  friction 0.3 }")
    answer, _ = proved(asked(text, "up", 0.4, 0.6, name="k"))
    assert "unsupported: impact poisson" in answer.boxes[0].why


def test_who_has_no_time_says_what_was_hard_before() -> None:
    question = asked(BOUNCING.replace("until", "and b.y < k until"), "up", 0.4, 0.6, name="k")
    answer = prove(question, limits=Limits(seconds=0.0))
    assert answer.boxes[0].why == "time: there was none left"
    times = iter([0.0, 0.0, 0.0, *[999.0] * 9])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dyverse.proving.prove.time.monotonic", lambda: next(times, 999.0))
        answer = prove(question, limits=Limits(seconds=600.0))
    assert answer.boxes[0].why.startswith("time: there was none left; ")
