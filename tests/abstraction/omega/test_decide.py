from itertools import product

import pytest
from hypothesis import assume, given, settings

from dyverse.abstraction.language.expression import Concat, Expression, Omega, Star, Union
from dyverse.abstraction.language.parse import parse_expression
from dyverse.abstraction.language.word import Lasso, Word, lasso
from dyverse.abstraction.omega.automata import BuchiAutomaton, FiniteAutomaton, recogniser
from dyverse.abstraction.omega.decide import (
    accepts,
    are_equivalent,
    counterexample,
    distinguish,
    is_included,
)
from dyverse.errors import SolverError
from tests.abstraction.meaning import contains
from tests.abstraction.ranks import included_by_ranks, width
from tests.abstraction.strategies import (
    buchi_automata,
    expressions,
    finite_automata,
    lassos_up_to,
    regular,
    words_up_to,
)

WORDS, LASSOS = words_up_to(4), lassos_up_to(3)
BOTH: tuple[Word | Lasso, ...] = (*WORDS, *LASSOS)


@settings(max_examples=40, deadline=None)
@given(expressions(), expressions())
def test_expressions_differ_just_where_their_meanings_do(one: Expression, two: Expression) -> None:
    found = distinguish(one, two)
    if found is None:
        assert not [w for w in BOTH if contains(one, w) != contains(two, w)]
    else:
        assert contains(one, found) != contains(two, found)


@settings(max_examples=40, deadline=None)
@given(expressions(), expressions())
def test_inclusion_fails_just_where_meanings_do(one: Expression, two: Expression) -> None:
    found = counterexample(one, two)
    if found is None:
        assert not [w for w in BOTH if contains(one, w) and not contains(two, w)]
    else:
        assert contains(one, found)
        assert not contains(two, found)


@settings(max_examples=60, deadline=None)
@given(buchi_automata(), buchi_automata())
def test_inclusion_agrees_with_complementation_by_ranks(
    one: BuchiAutomaton, two: BuchiAutomaton
) -> None:
    found = counterexample(one, two)
    assert (found is None) == included_by_ranks(recogniser(one), recogniser(two))
    assert found is None or (accepts(one, found) and not accepts(two, found))


@settings(max_examples=20, deadline=None)
@given(regular(leaves=3), regular(leaves=3))
def test_the_laws_of_infinite_repetition_hold_by_both_roads(u: Expression, v: Expression) -> None:
    laws = (
        (Omega(Concat((u, v))), Concat((u, Omega(Concat((v, u)))))),
        (Omega(Union((u, v))), Concat((Star(Union((u, v))), Omega(Union((u, v)))))),
        (Omega(v), Omega(Concat((v, Star(v))))),
    )
    for left, right in laws:
        one, two = recogniser(left), recogniser(right)
        assume(max(width(one), width(two)) <= 2)  # ranks are many, words are not
        assert are_equivalent(left, right)
        assert included_by_ranks(one, two)
        assert included_by_ranks(two, one)


@settings(max_examples=40, deadline=None)
@given(finite_automata(), finite_automata())
def test_finite_words_up_to_the_known_bound(one: FiniteAutomaton, two: FiniteAutomaton) -> None:
    """Automata that differ do so within as many letters as there are pairs of sets: 2^4 · 2^4."""
    found = distinguish(one, two)
    sets = {(frozenset(one.lts.initial), frozenset(two.lts.initial))}
    differ = False
    for _ in range(256):
        differ |= any(bool(a & one.accepting) != bool(b & two.accepting) for a, b in sets)
        more = {
            (one.lts.after(a, letter), two.lts.after(b, letter))
            for (a, b), letter in product(sets, "ab")
        }
        if more <= sets:
            break
        sets |= more
    assert (found is not None) == differ
    assert found is None or accepts(one, found) != accepts(two, found)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("(ab)^ω", "a(ba)^ω"),
        ("(a+b)^ω", "(a*b)^ω+(a+b)*a^ω"),
        ("(a+b)*", "(a*b)*a*"),
        ("(a+ab)^ω", "a(a+ba)^ω"),
        ("(aa)^ω+a(aa)^ω", "a^ω"),
        ("ε", "∅*"),
        ("a∅", "ε^ω"),
        ("(a*b*)^ω", "(a+b)^ω"),
        ("ε+a^ω", "a^ω+∅*"),
    ],
)
def test_these_are_equal(one: str, two: str) -> None:
    assert are_equivalent(parse_expression(one), parse_expression(two))


@pytest.mark.parametrize(
    ("one", "two", "word"),
    [
        ("(a*b)^ω", "(a+b)^ω", lasso("", "a")),
        ("(aa)*", "a*", ("a",)),
        ("ε", "∅", ()),
        ("(a+b)*a^ω", "(a+b)^ω", lasso("", "b")),
        ("a(bda)^ω", "a(bdabda)^ω", None),
        ("(babda)^ω", "(bda)^ω", lasso("", "babda")),
        ("a*", "a*+b^ω", lasso("", "b")),
    ],
)
def test_these_differ_first_in(one: str, two: str, word: Lasso | tuple[str, ...] | None) -> None:
    assert distinguish(parse_expression(one), parse_expression(two)) == word


def test_inclusion_has_a_direction() -> None:
    some, more = parse_expression("(ab)^ω"), parse_expression("(a+b)^ω")
    assert is_included(some, more)
    assert not is_included(more, some)


@pytest.mark.parametrize(
    ("one", "two", "limit"),
    [
        ("(a+b)*a(a+b)(a+b)(a+b)(a+b)(a+b)", "(a+b)*a(a+b)(a+b)(a+b)(a+b)(a+b)", 10),
        ("(a+b)^ω", "(a(a+b)a*b)^ω+(a+b)*(aaab)*(a+b)a*(a^ω+b(b^ω+(ab)^ω))+(a+b)*(aab)^ω", 3),
    ],
)
def test_too_large_a_comparison_is_refused(one: str, two: str, limit: int) -> None:
    with pytest.raises(SolverError, match=f"more than {limit} cases"):
        is_included(parse_expression(one), parse_expression(two), limit=limit)
