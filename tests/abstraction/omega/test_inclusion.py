from itertools import product

import pytest
from benchmarks.omega import pair
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.abstraction.language.word import Lasso, Word
from dyverse.abstraction.omega import inclusion
from dyverse.abstraction.omega.automata import BuchiAutomaton
from dyverse.abstraction.omega.decide import accepts, are_equivalent, counterexample, is_included
from dyverse.abstraction.omega.inclusion import rejected
from dyverse.abstraction.omega.lts import Lts, Step
from tests.abstraction.machines import machine
from tests.abstraction.strategies import ALPHABET, buchi_automata, lassos_up_to

LASSOS = lassos_up_to(4)
LIMIT = 20_000


def renamed(automaton: BuchiAutomaton, prefix: str) -> BuchiAutomaton:
    lts = automaton.lts
    return BuchiAutomaton(
        Lts(
            tuple(prefix + q for q in lts.locations),
            lts.alphabet,
            tuple(Step(prefix + s.source, s.letter, prefix + s.target) for s in lts.steps),
            tuple(prefix + q for q in lts.initial),
        ),
        frozenset(prefix + q for q in automaton.accepting),
    )


def sum_of(one: BuchiAutomaton, two: BuchiAutomaton) -> BuchiAutomaton:
    """Both side by side: the union of the languages."""
    a, b = renamed(one, "1"), renamed(two, "2")
    return BuchiAutomaton(
        Lts(
            a.lts.locations + b.lts.locations,
            ALPHABET,
            a.lts.steps + b.lts.steps,
            a.lts.initial + b.lts.initial,
        ),
        a.accepting | b.accepting,
    )


def product_of(one: BuchiAutomaton, two: BuchiAutomaton) -> BuchiAutomaton:
    """Both at once, waiting for the first and for the second in turn: the intersection."""

    def turn(now: str, a: str, b: str) -> str:
        if now == "1":
            return "2" if a in one.accepting else "1"
        return "1" if b in two.accepting else "2"

    names = ["-".join(n) for n in product(one.lts.locations, two.lts.locations, "12")]
    steps = [
        Step("-".join((s.source, t.source, now)), s.letter, "-".join((s.target, t.target, then)))
        for s, t, now in product(one.lts.steps, two.lts.steps, "12")
        if s.letter == t.letter
        for then in [turn(now, s.source, t.source)]
    ]
    starts = ["-".join((a, b, "1")) for a, b in product(one.lts.initial, two.lts.initial)]
    accepting = frozenset(n for n in names if n.split("-")[0] in one.accepting and n[-1] == "1")
    return BuchiAutomaton(
        Lts(tuple(names), ALPHABET, tuple(dict.fromkeys(steps)), tuple(starts)), accepting
    )


@settings(max_examples=100, deadline=None)
@given(buchi_automata(4), buchi_automata(4))
def test_inclusion_agrees_with_all_lassos_up_to_four(
    one: BuchiAutomaton, two: BuchiAutomaton
) -> None:
    found = counterexample(one, two)
    if found is None:
        assert not [w for w in LASSOS if accepts(one, w) and not accepts(two, w)]
    else:
        assert accepts(one, found)
        assert not accepts(two, found)


@settings(max_examples=60, deadline=None)
@given(buchi_automata(4), buchi_automata(4))
def test_the_laws_of_sums_and_products_hold(one: BuchiAutomaton, two: BuchiAutomaton) -> None:
    both, either = product_of(one, two), sum_of(one, two)
    assert is_included(one, one)
    assert is_included(one, either)
    assert is_included(both, one)
    assert is_included(both, two)
    assert are_equivalent(either, sum_of(two, one))
    assert are_equivalent(both, product_of(two, one))
    assert is_included(either, both) == are_equivalent(one, two)


@pytest.mark.parametrize("density", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("size", [4, 8, 12])
def test_jumps_change_no_answer(size: int, density: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without them the search is the plain product with the deterministic automaton."""
    for seed in range(20):
        one, two = map(machine, pair(size, density, seed))
        monkeypatch.setattr(inclusion, "CANDIDATES", 100)
        found = rejected(one, two, limit=LIMIT)
        monkeypatch.setattr(inclusion, "CANDIDATES", 0)
        plain = rejected(one, two, limit=LIMIT)
        assert (found is None) == (plain is None), seed
        assert found is None or (one.accepts(found) and not two.accepts(found))


def test_a_jump_leads_to_the_same_ranks_and_to_nothing_more() -> None:
    """Else the events after it would not be those of the runs before it."""
    ranks = set()
    for seed in range(10):
        search = inclusion._Search(*map(machine, pair(12, 1.5, seed)))
        search.expand(2000)
        for edge in (edge for edges in search._edges for edge in edges if edge.jump):
            (_, before), (_, after) = search.nodes[edge.source], search.nodes[edge.target]
            ahead, _ = search._larger.step(before, edge.letter)
            assert ahead[1] == after[1]
            assert all(not less & ~more for less, more in zip(after[0], ahead[0], strict=True))
            ranks.add(after[1])
    assert max(map(len, ranks)) > 2


def test_jumps_that_show_a_word_not_rejected_are_taken_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It happens, so the tests above are tests of it; and the answer is right all the same."""
    taken = []
    take_back = inclusion._Search._take_back

    def counted(search: inclusion._Search, jumps: set[inclusion.Edge]) -> None:
        taken.append(len(jumps))
        take_back(search, jumps)

    monkeypatch.setattr(inclusion._Search, "_take_back", counted)
    answers = set()
    for seed in range(200):
        one, two = pair(6, 1.5, seed)
        before = len(taken)
        found = rejected(machine(one), machine(two), limit=LIMIT)
        answers |= {found is None} if len(taken) > before else set()
    assert answers == {True, False}


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([1.0, 1.5, 2.0]))
def test_no_letter_of_a_counterexample_can_be_left_out(seed: int, density: float) -> None:
    one, two = pair(8, density, seed)
    found = counterexample(one, two)
    if isinstance(found, Lasso):
        shorter = [Lasso(prefix, found.cycle) for prefix in _without_one(found.prefix)]
        shorter += [Lasso(found.prefix, cycle) for cycle in _without_one(found.cycle) if cycle]
        assert not [w for w in shorter if accepts(one, w) and not accepts(two, w)]


def _without_one(word: Word) -> list[Word]:
    return [word[:place] + word[place + 1 :] for place in range(len(word))]
