"""Random terms, formulas and requirements in the form that the parser gives."""

from fractions import Fraction

from hypothesis import strategies as st

from dyverse.expr.choice import where
from dyverse.expr.formula import FALSE, TRUE, And, Compare, Formula, Not, Or, Relation
from dyverse.expr.requirement import (
    Interval,
    Order,
    Ordered,
    Quantified,
    Quantifier,
    Requirement,
    as_formula,
    implies,
    joined,
)
from dyverse.expr.term import ARITHMETIC, FUNCTIONS, Binary, Call, Number, Symbol, Term, negate

NAMES = ("K", "mass", "t", "ball1.vx", "floor.y", "gap[ball1,floor]", "pi", "since", "once")
EVENTS = ("impact[ball1,floor]", "count(slip[ball1,floor])", "action[hit]")
UNKNOWN = tuple(name for name in (*NAMES, *EVENTS) if name != "pi")

numbers = st.floats(allow_nan=False, allow_infinity=False).map(Number)
names = st.sampled_from((*NAMES, *EVENTS)).map(Symbol)


def _larger(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    return st.one_of(
        inner.map(negate),
        st.builds(Binary, st.sampled_from("+-*/^"), inner, inner),
        st.sampled_from(sorted(FUNCTIONS)).flatmap(lambda name: _call(name, inner)),
        st.builds(where, _tests(inner), inner, inner),
    )


def _tests(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Formula]:
    """Conditions of choices."""
    relations: list[Relation] = ["<", "<=", "==", ">=", ">", "!="]
    compared = st.builds(Compare, st.sampled_from(relations), inner, inner)
    return st.one_of(
        compared,
        st.builds(Not, compared),
        st.tuples(compared, compared).map(And),
        st.tuples(compared, compared).map(Or),
        st.just(TRUE),
    )


def _call(name: str, inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    return st.tuples(*[inner] * FUNCTIONS[name]).map(lambda arguments: Call(name, arguments))


terms: st.SearchStrategy[Term] = st.recursive(st.one_of(numbers, names), _larger, max_leaves=12)


def _joined(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    parts = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(st.builds(And, parts), st.builds(Or, parts), st.builds(Not, inner))


comparisons = st.builds(Compare, st.sampled_from(["<", "<=", "==", ">=", ">", "!="]), terms, terms)
formulas: st.SearchStrategy[Formula] = st.recursive(
    st.one_of(comparisons, st.just(TRUE), st.just(FALSE)), _joined, max_leaves=6
)

intervals = st.builds(Interval, terms, terms)


def _timed(inner: st.SearchStrategy[Requirement]) -> st.SearchStrategy[Requirement]:
    words: list[Quantifier] = ["always", "eventually", "historically", "once"]
    orders: list[Order] = ["since", "before"]
    return st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: joined("and", *parts)),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: joined("or", *parts)),
        inner.map(lambda part: joined("not", part)),
        st.builds(implies, inner, inner),
        st.builds(Quantified, st.sampled_from(words), inner, st.none() | intervals),
        st.builds(Ordered, st.just("until"), inner, inner, intervals),
        st.builds(Ordered, st.sampled_from(orders), inner, inner, st.none() | intervals),
    )


requirements: st.SearchStrategy[Requirement] = st.recursive(formulas, _timed, max_leaves=6).filter(
    lambda requirement: as_formula(requirement) is None
)

plain_terms: st.SearchStrategy[Term] = st.recursive(
    st.one_of(st.floats(-100, 100).map(Number), st.sampled_from("xy").map(Symbol)),
    lambda inner: st.one_of(
        st.builds(Binary, st.sampled_from("+-*/"), inner, inner),
        st.builds(lambda base, n: base**n, inner, st.integers(-3, 5)),
    ),
    max_leaves=8,
)


def exact_value(term: Term, known: dict[str, Fraction]) -> Fraction:
    """The value of a term with +, -, *, / and whole powers, in fractions."""
    match term:
        case Number(value=number):
            return Fraction(number)
        case Symbol(name=name):
            return known[name]
        case Binary(operator="^", left=left, right=Number(value=power)):
            return exact_value(left, known) ** int(power)
        case Binary(operator=sign, left=left, right=right):
            return Fraction(ARITHMETIC[sign](exact_value(left, known), exact_value(right, known)))
        case _:
            raise AssertionError(term)
