import pytest
from hypothesis import given, settings

from dyverse.abstraction.language.expression import Expression
from dyverse.abstraction.language.parse import parse_expression
from dyverse.abstraction.language.printing import expression_text
from dyverse.abstraction.language.word import Lasso, Word, lasso
from dyverse.abstraction.omega.automata import (
    BuchiAutomaton,
    FiniteAutomaton,
    GeneralisedMullerAutomaton,
    MullerAutomaton,
    buchi_automaton,
    finite_automaton,
    generalised_muller_automaton,
    muller_automaton,
    recogniser,
)
from dyverse.abstraction.omega.decide import accepts
from dyverse.abstraction.omega.derivatives import derivatives
from dyverse.abstraction.omega.lts import infinity_set, lts
from dyverse.errors import ModelError
from tests.abstraction.meaning import contains
from tests.abstraction.strategies import (
    expressions,
    finite_automata,
    generalised,
    lassos_up_to,
    muller_automata,
    words_up_to,
)

WORDS, LASSOS = words_up_to(4), lassos_up_to(3)
BOTH: tuple[Word | Lasso, ...] = (*WORDS, *LASSOS)


@settings(max_examples=40, deadline=None)
@given(expressions(leaves=5))
def test_expressions_accept_what_they_mean(expression: Expression) -> None:
    for word in BOTH[::2]:
        assert accepts(expression, word) == contains(expression, word), word


@settings(max_examples=15, deadline=None)
@given(expressions())
def test_every_kind_of_automaton_can_be_built(expression: Expression) -> None:
    for word in WORDS[:15]:
        wanted = contains(expression, word)
        assert accepts(finite_automaton(expression), word) == wanted
        assert accepts(generalised_muller_automaton(expression), word) == wanted
        assert not accepts(muller_automaton(expression), word)
    for endless in LASSOS[::7]:
        wanted = contains(expression, endless)
        assert accepts(buchi_automaton(expression), endless) == wanted
        assert accepts(muller_automaton(expression), endless) == wanted
        assert accepts(generalised_muller_automaton(expression), endless) == wanted
        assert not accepts(finite_automaton(expression), endless)


@settings(max_examples=40, deadline=None)
@given(muller_automata(deterministic=True))
def test_muller_acceptance_is_by_the_infinity_set(automaton: MullerAutomaton) -> None:
    for word in LASSOS[::3]:
        wanted = infinity_set(automaton.lts, word) in automaton.family
        assert accepts(automaton, word) == wanted, word


@settings(max_examples=30, deadline=None)
@given(generalised())
def test_a_generalised_automaton_is_the_sum_of_two(automaton: GeneralisedMullerAutomaton) -> None:
    finite = FiniteAutomaton(automaton.lts, automaton.accepting)
    infinite = MullerAutomaton(automaton.lts, automaton.family)
    for word in WORDS[:15]:
        assert accepts(automaton, word) == accepts(finite, word)
    for endless in LASSOS[::5]:
        assert accepts(automaton, endless) == accepts(infinite, endless)


@settings(deadline=None)
@given(finite_automata())
def test_a_finite_word_is_accepted_where_it_may_lead(automaton: FiniteAutomaton) -> None:
    for word in WORDS[:15]:
        here = frozenset(automaton.lts.initial)
        for letter in word:
            here = automaton.lts.after(here, letter)
        assert accepts(automaton, word) == bool(here & automaton.accepting)


def test_derivatives_are_what_is_left() -> None:
    left = derivatives(parse_expression("[(b+c)(ε+d)a]*(bda)^ω"), "b")
    assert sorted(map(expression_text, left)) == ["(ε+d)a[(b+c)(ε+d)a]*(bda)^ω", "da(bda)^ω"]


def test_a_word_completed_may_be_gone_on_with() -> None:
    """(ab*)^ω needs infinitely many a, though b alone keeps its words complete."""
    made = buchi_automaton(parse_expression("(ab*)^ω"))
    assert accepts(made, lasso("", "abb"))
    assert accepts(made, lasso("abb", "a"))
    assert not accepts(made, lasso("a", "b"))


def test_acceptance_speaks_of_known_locations() -> None:
    system = lts("on x off", initial="on")
    for make in (FiniteAutomaton, BuchiAutomaton):
        with pytest.raises(ModelError, match="unknown location 'of'; did you mean 'off'"):
            make(system, frozenset({"of"}))
    with pytest.raises(ModelError, match="unknown location 'of'"):
        MullerAutomaton(system, frozenset({frozenset({"on", "of"})}))


def test_letters_outside_the_alphabet_are_never_read() -> None:
    expression = parse_expression("a*+a^ω")
    assert not accepts(expression, ("a", "z"))
    assert not accepts(expression, lasso("z", "a"))
    assert not accepts(expression, lasso("a", "z"))
    assert recogniser(expression).lts.alphabet == ("a",)
