from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.abstraction.behaviours.behaviour import (
    Behaviour,
    Cycle,
    Equilibrium,
    behaviour_automaton,
    derive,
)
from dyverse.abstraction.behaviours.discontinuous import BEHAVIOURS, discontinuous_lts
from dyverse.abstraction.behaviours.splitting import Refined, prove, refine
from dyverse.abstraction.language.word import lasso
from dyverse.abstraction.omega.automata import (
    GeneralisedMullerAutomaton,
    MullerAutomaton,
    recogniser,
)
from dyverse.abstraction.omega.decide import accepts, are_equivalent, distinguish
from dyverse.abstraction.omega.infinity import infinity_sets, simple_cycles
from dyverse.abstraction.omega.lts import Lts, Step, lts
from dyverse.errors import ModelError
from tests.abstraction.ranks import disjoint, included_by_ranks
from tests.abstraction.strategies import systems

PAPER = discontinuous_lts(rules="paper")
FIGURE_4 = lts(
    "q1 a q31, q2 a q32, q3 b q5, q3 c q4, q31 b q51, q31 c q4, q32 b q5, q32 c q41,"
    "q4 a q3, q41 a q3, q4 d q2, q41 d q2, q5 a q3, q51 a q3, q5 d q1, q51 d q1",
    initial="q3",
)
ACCEPTING = {
    "equilibrium in q1": {"q1"},
    "equilibrium in q2": {"q2"},
    "equilibrium in q3": {"q3", "q31", "q32"},
}
FAMILIES = {
    "slip+ for ever": {frozenset({"q1", "q31", "q51"})},
    "slip- for ever": {frozenset({"q2", "q32", "q41"})},
    "alternating": {frozenset({"q1", "q31", "q4", "q2", "q32", "q5"})},
}


@pytest.fixture(scope="module")
def figure() -> Refined:
    return refine(PAPER, BEHAVIOURS)


def test_the_nine_locations_of_figure_4_are_found(figure: Refined) -> None:
    assert len(figure.lts.locations) == 9
    assert set(figure.lts.locations) == set(FIGURE_4.locations)
    assert set(figure.lts.steps) == set(FIGURE_4.steps)
    assert figure.lts.is_deterministic


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=str)
def test_acceptance_is_as_printed(figure: Refined, behaviour: Behaviour) -> None:
    assert figure.accepting(behaviour) == ACCEPTING.get(str(behaviour), set())
    assert figure.family(behaviour) == FAMILIES.get(str(behaviour), set())


def test_all_thirty_languages_are_proved_equal(figure: Refined) -> None:
    proofs = prove(figure)
    assert len(proofs) == 30
    assert [proof for proof in proofs if proof.difference is not None] == []


@pytest.mark.parametrize("behaviour", BEHAVIOURS[3:], ids=str)
def test_infinite_languages_are_equal_by_another_road(
    figure: Refined, behaviour: Behaviour
) -> None:
    """Accepted and not derived: by ranks. Derived and not accepted: with all other sets."""
    family = figure.family(behaviour)
    derived = recogniser(derive(PAPER, behaviour))
    assert included_by_ranks(recogniser(MullerAutomaton(figure.lts, family)), derived)
    others = frozenset(infinity_sets(figure.lts)) - family
    assert disjoint(recogniser(MullerAutomaton(figure.lts, others)), derived)


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=str)
def test_runs_may_start_in_any_part_as_the_paper_has_it(
    figure: Refined, behaviour: Behaviour
) -> None:
    for location in PAPER.locations:
        parts = [part for part, whole in figure.parts if whole == location]
        made = figure.starting(*parts).automaton(behaviour)
        assert are_equivalent(made, derive(PAPER.starting(location), behaviour))


def test_without_splitting_the_acceptance_is_wrong() -> None:
    plain = MullerAutomaton(PAPER, frozenset({frozenset({"q1", "q3", "q5"})}))
    assert accepts(plain, lasso("", "babda"))
    found = distinguish(plain, derive(PAPER, BEHAVIOURS[3]))
    assert found is not None
    assert accepts(plain, found)


def test_no_two_of_the_nine_can_be_merged(figure: Refined) -> None:
    """Joining any two parts of a location makes some language wrong."""
    parts = dict(figure.parts)
    for one, two in combinations(figure.lts.locations, 2):
        if parts[one] == parts[two]:
            assert any(wrong(figure, behaviour, one, two) for behaviour in BEHAVIOURS[3:])


def wrong(figure: Refined, behaviour: Behaviour, one: str, two: str) -> bool:
    def name(location: str) -> str:
        return one if location == two else location

    steps = {Step(name(s.source), s.letter, name(s.target)) for s in figure.lts.steps}
    locations = tuple(q for q in figure.lts.locations if q != two)
    merged = Lts(locations, figure.lts.alphabet, tuple(sorted(steps)), ("q3",))
    family = frozenset(frozenset(map(name, states)) for states in figure.family(behaviour))
    return not are_equivalent(MullerAutomaton(merged, family), derive(PAPER, behaviour))


def test_good_behaviours_can_be_accepted_together(figure: Refined) -> None:
    good = figure.automaton(BEHAVIOURS[0], BEHAVIOURS[3])
    assert isinstance(good, GeneralisedMullerAutomaton)
    assert accepts(good, ("b", "d"))
    assert accepts(good, lasso("", "bda"))
    assert not accepts(good, ("b", "d", "a"))
    assert not accepts(good, lasso("", "cda"))


def test_crossing_edges_need_more_locations_and_are_proved_as_well() -> None:
    crossing = Cycle(("q1", "q4", "q2", "q5"), "crossing")
    refined = refine(discontinuous_lts(), (*BEHAVIOURS, crossing))
    assert all(proof.difference is None for proof in prove(refined))


@settings(max_examples=40, deadline=None)
@given(systems(), st.data())
def test_any_cycles_are_told_apart(system: Lts, data: st.DataObject) -> None:
    walks = closed_walks(system)
    chosen = data.draw(st.lists(st.sampled_from(walks), max_size=3, unique=True)) if walks else []
    cycles = [Cycle(walk, f"walk {n}") for n, walk in enumerate(chosen)]
    refined = refine(system, [*cycles, Equilibrium(system.locations[0])])
    assert all(proof.difference is None for proof in prove(refined))


def closed_walks(system: Lts) -> list[tuple[str, ...]]:
    """Simple cycles, and pairs of them joined where they meet."""
    simple = list(simple_cycles(system))[:4]
    joined = [
        one[one.index(place) :]
        + one[: one.index(place)]
        + two[two.index(place) :]
        + two[: two.index(place)]
        for one, two in combinations(simple, 2)
        for place in sorted(set(one) & set(two))[:1]
    ]
    return simple + joined


def composed(one: Lts, two: Lts) -> Lts:
    """Both side by side, one step at a time; for systems with two surfaces."""
    steps = [
        Step(f"{s.source} {q}", f"{s.letter}1", f"{s.target} {q}")
        for s in one.steps
        for q in two.locations
    ] + [
        Step(f"{p} {s.source}", f"{s.letter}2", f"{p} {s.target}")
        for s in two.steps
        for p in one.locations
    ]
    locations = tuple(f"{p} {q}" for p in one.locations for q in two.locations)
    letters = tuple(f"{letter}{n}" for n in (1, 2) for letter in one.alphabet)
    return Lts(locations, letters, tuple(steps), (f"{one.initial[0]} {two.initial[0]}",))


def test_two_surfaces_are_proved_without_expressions() -> None:
    system = composed(PAPER, PAPER).starting("q3 q3")
    first = Cycle(("q3 q3", "q5 q3", "q1 q3"), "first")
    second = Cycle(("q3 q3", "q3 q5", "q3 q1"), "second")
    refined = refine(system, [first, second, Equilibrium("q1 q1")])
    assert len(refined.lts.locations) == 27
    assert all(p.difference is None for p in prove(refined, derived=behaviour_automaton))


def test_two_cycles_through_the_same_locations_are_told_apart() -> None:
    system = lts("p a q, q b r, r c p, p d r, r e q, q f p", initial="p")
    there, back = Cycle(("p", "q", "r"), "there"), Cycle(("p", "r", "q"), "back")
    refined = refine(system, [there, back])
    assert len(refined.lts.locations) > 3
    assert all(proof.difference is None for proof in prove(refined))


def test_names_of_parts_avoid_those_of_locations() -> None:
    system = lts("q a q1, q1 b q, q c q", initial="q")
    refined = refine(system, [Cycle(("q", "q1"))])
    assert len(set(refined.lts.locations)) == len(refined.parts)
    assert all(proof.difference is None for proof in prove(refined))


def test_the_same_behaviour_twice_is_an_error() -> None:
    one, two = Cycle(("q3", "q5", "q1"), "one"), Cycle(("q5", "q1", "q3"), "two")
    with pytest.raises(ModelError, match="two and one are the same behaviour"):
        refine(PAPER, [one, two])
    with pytest.raises(ModelError, match="the same behaviour"):
        refine(PAPER, [Equilibrium("q1"), Equilibrium("q1", "again")])
