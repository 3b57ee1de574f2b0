from hypothesis import given, settings

from dyverse.abstraction.language.expression import Expression
from dyverse.abstraction.language.parse import parse_expression
from dyverse.abstraction.language.word import Lasso, Word, lasso
from dyverse.abstraction.omega.automata import (
    BuchiAutomaton,
    GeneralisedMullerAutomaton,
    MullerAutomaton,
    buchi_automaton,
)
from dyverse.abstraction.omega.decide import accepts
from dyverse.abstraction.omega.emptiness import example, is_empty
from dyverse.abstraction.omega.infinity import infinity_sets
from dyverse.abstraction.omega.lts import Lts, Step, lts
from tests.abstraction.meaning import contains
from tests.abstraction.strategies import (
    buchi_automata,
    expressions,
    generalised,
    lassos_up_to,
    muller_automata,
    words_up_to,
)

LASSOS = lassos_up_to(3)
BOTH: tuple[Word | Lasso, ...] = (*words_up_to(4), *LASSOS)


@settings(max_examples=40, deadline=None)
@given(expressions())
def test_an_example_belongs_to_the_language(expression: Expression) -> None:
    found = example(expression)
    assert is_empty(expression) == (found is None)
    if found is None:
        assert not any(contains(expression, word) for word in BOTH)
    else:
        assert contains(expression, found)


@settings(max_examples=60, deadline=None)
@given(buchi_automata())
def test_three_locations_are_empty_if_no_lasso_up_to_three_is_in(automaton: BuchiAutomaton) -> None:
    """An accepted word may go to a recurrent location and back on ways that meet nothing twice."""
    found = example(automaton)
    if found is None:
        assert not any(accepts(automaton, word) for word in LASSOS)
    else:
        assert accepts(automaton, found)


@settings(max_examples=60, deadline=None)
@given(muller_automata())
def test_a_family_is_empty_if_it_has_no_infinity_set(automaton: MullerAutomaton) -> None:
    found = example(automaton)
    assert (found is not None) == bool(automaton.family & {*infinity_sets(automaton.lts)})
    assert found is None or accepts(automaton, found)


@settings(max_examples=60, deadline=None)
@given(generalised())
def test_a_sum_is_empty_if_both_parts_are(automaton: GeneralisedMullerAutomaton) -> None:
    found = example(automaton)
    parts = (
        not automaton.accepting & automaton.lts.reachable,
        is_empty(MullerAutomaton(automaton.lts, automaton.family)),
    )
    assert (found is None) == all(parts)
    assert isinstance(found, Lasso) == (parts == (True, False))
    assert found is None or accepts(automaton, found)


def test_a_recurrent_location_without_a_way_back_accepts_nothing() -> None:
    system = lts("q1 a q2, q2 b q3, q3 a q3", initial="q1")
    assert example(BuchiAutomaton(system, frozenset({"q2"}))) is None
    assert example(BuchiAutomaton(system, frozenset({"q3"}))) == lasso("ab", "a")


def test_a_lasso_goes_to_the_nearest_recurrent_location_and_back() -> None:
    assert example(buchi_automaton(parse_expression("aaab^ω+ba(ab)^ω"))) == lasso("ba", "ab")


def test_size_and_depth_are_no_limit() -> None:
    """A ring of twenty thousand locations; one pass finds that its end is met again."""
    size = 20_000
    names = tuple(f"q{n}" for n in range(size))
    steps = tuple(map(Step, names, ("a",) * size, (*names[1:], names[0])))
    found = example(BuchiAutomaton(Lts(names, ("a",), steps, names[:1]), frozenset(names[-1:])))
    assert found == lasso("", "a")
