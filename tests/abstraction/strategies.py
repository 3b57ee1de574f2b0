"""Random letters, words, lassos, expressions, transition systems and automata, all small."""

from itertools import product

from hypothesis import strategies as st

from dyverse.abstraction.language.expression import (
    EMPTY,
    EPSILON,
    Concat,
    Expression,
    Letter,
    Omega,
    Star,
    Union,
)
from dyverse.abstraction.language.word import Lasso, Word
from dyverse.abstraction.omega.automata import (
    BuchiAutomaton,
    FiniteAutomaton,
    GeneralisedMullerAutomaton,
    MullerAutomaton,
)
from dyverse.abstraction.omega.lts import Lts, Step

ALPHABET = ("a", "b")
NAMES = ("a", "b", "q12", "bounce", "ω", "ε", "(", "a b", "1")


def words_up_to(length: int, letters: tuple[str, ...] = ALPHABET) -> list[Word]:
    """Every word of at most ``length`` letters."""
    return [word for n in range(length + 1) for word in product(letters, repeat=n)]


def lassos_up_to(length: int, letters: tuple[str, ...] = ALPHABET) -> list[Lasso]:
    """Every lasso with prefix and cycle of at most ``length`` letters."""
    words = words_up_to(length, letters)
    return [Lasso(prefix, cycle) for prefix in words for cycle in words if cycle]


def _letters(names: tuple[str, ...]) -> st.SearchStrategy[Expression]:
    return st.sampled_from(names).map(Letter)


def _larger(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    parts = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(st.builds(Union, parts), st.builds(Concat, parts), st.builds(Star, inner))


def regular(names: tuple[str, ...] = ALPHABET, *, leaves: int = 6) -> st.SearchStrategy[Expression]:
    """Expressions for finite words."""
    rest: tuple[Expression, ...] = (EPSILON, EMPTY)
    smallest = st.one_of(_letters(names), st.sampled_from(rest))
    return st.recursive(smallest, _larger, max_leaves=leaves)


@st.composite
def expressions(draw: st.DrawFn, names: tuple[str, ...] = ALPHABET, leaves: int = 4) -> Expression:
    """Expressions for finite and infinite words."""
    finite = regular(names, leaves=leaves)
    ends = st.one_of(finite, st.builds(Omega, finite))
    then = st.builds(lambda first, last: Concat((first, last)), finite, ends)
    parts = draw(st.lists(st.one_of(ends, then), min_size=1, max_size=2))
    whole = Union(tuple(parts)) if len(parts) > 1 else parts[0]
    return Concat((draw(finite), whole)) if draw(st.booleans()) else whole


@st.composite
def systems(draw: st.DrawFn, size: int = 4, deterministic: bool = False) -> Lts:
    """Transition systems over two letters."""
    places = tuple(f"q{n}" for n in range(1, draw(st.integers(1, size)) + 1))
    if deterministic:
        moves = [(place, letter) for place in places for letter in ALPHABET]
        ends = st.one_of(st.none(), st.sampled_from(places))
        found = [(move, draw(ends)) for move in moves]
        steps = tuple(Step(*move, end) for move, end in found if end is not None)
    else:
        every = [Step(*step) for step in product(places, ALPHABET, places)]
        steps = tuple(draw(st.lists(st.sampled_from(every), max_size=8, unique=True)))
    return Lts(places, ALPHABET, steps, (draw(st.sampled_from(places)),))


def _subsets(lts: Lts) -> st.SearchStrategy[frozenset[str]]:
    return st.frozensets(st.sampled_from(lts.locations))


@st.composite
def finite_automata(draw: st.DrawFn) -> FiniteAutomaton:
    lts = draw(systems())
    return FiniteAutomaton(lts, draw(_subsets(lts)))


@st.composite
def buchi_automata(draw: st.DrawFn, size: int = 3) -> BuchiAutomaton:
    lts = draw(systems(size))
    return BuchiAutomaton(lts, draw(_subsets(lts)))


@st.composite
def muller_automata(draw: st.DrawFn, deterministic: bool = False) -> MullerAutomaton:
    lts = draw(systems(3, deterministic))
    return MullerAutomaton(lts, draw(st.frozensets(_subsets(lts), max_size=3)))


@st.composite
def generalised(draw: st.DrawFn) -> GeneralisedMullerAutomaton:
    muller = draw(muller_automata(deterministic=True))
    return GeneralisedMullerAutomaton(muller.lts, draw(_subsets(muller.lts)), muller.family)
