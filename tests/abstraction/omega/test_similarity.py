from dataclasses import replace
from itertools import product

from hypothesis import given, settings

from dyverse.abstraction.omega.machine import Machine, bits
from dyverse.abstraction.omega.similarity import reduced, simulated_directly, simulated_later
from tests.abstraction.machines import machines
from tests.abstraction.strategies import lassos_up_to, words_up_to

LASSOS = lassos_up_to(3)


@given(machines())
def test_direct_simulation_is_the_greatest_relation_that_answers(machine: Machine) -> None:
    pairs = {
        (one, two)
        for one, two in product(range(machine.size), repeat=2)
        if not (machine.marked >> one & 1 and not machine.marked >> two & 1)
    }
    while True:
        kept = {
            (one, two)
            for one, two in pairs
            if all(
                any((end, answer) in pairs for answer in bits(rows[two]))
                for rows in machine.moves
                for end in bits(rows[one])
            )
        }
        if kept == pairs:
            break
        pairs = kept
    above = simulated_directly(machine)
    assert pairs == {(one, two) for one, row in enumerate(above) for two in bits(row)}


@settings(max_examples=60, deadline=None)
@given(machines(), machines())
def test_what_is_simulated_with_delay_is_included(smaller: Machine, larger: Machine) -> None:
    for one, row in enumerate(simulated_later(smaller, larger)):
        for two in bits(row):
            first, second = replace(smaller, start=1 << one), replace(larger, start=1 << two)
            assert not [w for w in LASSOS if first.accepts(w) and not second.accepts(w)]


@given(machines())
def test_delay_allows_more(machine: Machine) -> None:
    direct, later = simulated_directly(machine), simulated_later(machine, machine)
    assert all(not one & ~other for one, other in zip(direct, later, strict=True))


def test_delay_allows_to_be_marked_one_step_later() -> None:
    """Two rings of two states, marked in turn: neither is ever marked with the other."""
    even = Machine(2, ("a",), ((2, 1),), 1, 1)
    odd = replace(even, marked=2)
    assert simulated_later(even, odd)[0] & 1
    never = replace(even, marked=0)
    assert simulated_later(even, never) == [0, 0]


@settings(max_examples=60, deadline=None)
@given(machines())
def test_reduction_keeps_the_language(machine: Machine) -> None:
    infinite, finite = reduced(machine, infinite=True), reduced(machine, infinite=False)
    assert max(infinite[0].size, finite[0].size) <= machine.size
    assert all(machine.accepts(word) == infinite[0].accepts(word) for word in LASSOS)
    assert all(machine.accepts(word) == finite[0].accepts(word) for word in words_up_to(5))
    for smaller, above in (infinite, finite):
        assert above == simulated_directly(smaller)
        assert all(
            not (above[b] >> a & 1) for a, row in enumerate(above) for b in bits(row & ~(1 << a))
        )
