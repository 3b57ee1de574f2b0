import pytest
from hypothesis import given, settings

from dyverse.abstraction.behaviours.behaviour import (
    Behaviour,
    Cycle,
    Equilibrium,
    behaviour_automaton,
    derive,
)
from dyverse.abstraction.language.printing import expression_text
from dyverse.abstraction.language.word import Lasso
from dyverse.abstraction.omega.decide import are_equivalent
from dyverse.abstraction.omega.infinity import simple_cycles
from dyverse.abstraction.omega.lts import Lts, lts
from dyverse.errors import ModelError
from tests.abstraction.meaning import contains
from tests.abstraction.strategies import lassos_up_to, systems, words_up_to

WORDS, LASSOS = words_up_to(4), lassos_up_to(3)


@settings(max_examples=25, deadline=None)
@given(systems())
def test_words_of_an_equilibrium_are_those_that_lead_there(system: Lts) -> None:
    for location in system.locations:
        derived = derive(system, Equilibrium(location))
        for word in WORDS:
            here = frozenset(system.initial)
            for letter in word:
                here = system.after(here, letter)
            assert contains(derived, word) == (location in here)


@settings(max_examples=25, deadline=None)
@given(systems(3))
def test_words_of_a_cycle_are_those_that_can_follow_it_in_the_end(system: Lts) -> None:
    for places in list(simple_cycles(system))[:3]:
        derived = derive(system, Cycle(places))
        for word in LASSOS[::3]:
            assert contains(derived, word) == follows(system, places, word), (places, word)


@settings(max_examples=25, deadline=None)
@given(systems())
def test_automata_of_behaviours_have_the_languages_derived(system: Lts) -> None:
    behaviours: list[Behaviour] = [Equilibrium(system.locations[-1])]
    behaviours += [Cycle(places) for places in simple_cycles(system)]
    for behaviour in behaviours[:4]:
        assert are_equivalent(derive(system, behaviour), behaviour_automaton(system, behaviour))


def follows(system: Lts, places: tuple[str, ...], word: Lasso) -> bool:
    """Walk the lasso long enough to reach every location; then only along the cycle, as long."""
    size = len(word.cycle) * len(places) * len(system.locations)
    here: set[tuple[str, int | None]] = {(location, None) for location in system.initial}
    letters = word.prefix + word.cycle * (2 * size)
    for count, letter in enumerate(letters):
        late = count >= len(word.prefix) + len(word.cycle) * size
        here = {there for one in here for there in _moves(system, places, one, letter, late)}
    return bool(here)


def _moves(
    system: Lts, places: tuple[str, ...], here: tuple[str, int | None], letter: str, late: bool
) -> set[tuple[str, int | None]]:
    location, at = here
    ends = system.after([location], letter)
    if at is None:
        free: set[tuple[str, int | None]] = {(end, None) for end in ends if not late}
        starts = [n for n, place in enumerate(places) if place == location]
    else:
        free, starts = set(), [at]
    following = {(n + 1) % len(places) for n in starts}
    return free | {(places[n], n) for n in following if places[n] in ends}


def test_steps_with_several_letters_are_all_followed() -> None:
    system = lts("p a q, p b q, q c p", initial="p")
    assert expression_text(derive(system, Cycle(("p", "q")))) == "[(a+b)c]^ω"


def test_a_bouncing_ball_bounces_for_ever() -> None:
    ball = lts("fall 'bounce fall".replace("'", ""), initial="fall")
    assert expression_text(derive(ball, Cycle(("fall",)))) == "'bounce'^ω"
    assert expression_text(derive(ball, Equilibrium("fall"))) == "'bounce'*"


def test_a_behaviour_out_of_reach_has_no_words() -> None:
    system = lts("p a p, q a q", initial="p")
    assert expression_text(derive(system, Cycle(("q",)))) == "∅"


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        (Equilibrium("q9"), "equilibrium in q9: unknown location 'q9'"),
        (Cycle(("q1", "q2"), "there"), "there: no step leads from 'q2' to 'q1'"),
    ],
)
def test_behaviours_the_system_cannot_have(behaviour: Equilibrium | Cycle, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        derive(lts("q1 a q2", initial="q1"), behaviour)


def test_a_cycle_has_locations() -> None:
    with pytest.raises(ModelError, match="at least one location"):
        Cycle(())
