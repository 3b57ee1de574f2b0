from hypothesis import given, settings

from dyverse.abstraction.language.word import Lasso, Word
from dyverse.abstraction.omega.machine import Machine
from dyverse.abstraction.omega.similarity import reduced
from dyverse.abstraction.omega.slices import Determined, Slices, union
from tests.abstraction.machines import machines
from tests.abstraction.strategies import lassos_up_to

LASSOS = lassos_up_to(4)[::5]


def read(made: Determined, here: Slices, word: Word) -> tuple[Slices, list[int]]:
    events = []
    for letter in word:
        here, event = made.step(here, made.machine.letters.index(letter))
        events.append(event)
    return here, events


def accepted(made: Determined, lasso: Lasso) -> bool:
    """Whether the least event of the only run, from where it repeats itself, is a good one."""
    here, _ = read(made, made.start, lasso.prefix)
    seen: list[Slices] = []
    lists: list[list[int]] = []
    while here not in seen:
        seen.append(here)
        here, events = read(made, here, lasso.cycle)
        lists.append(events)
    again = lists[seen.index(here) :]
    return min(event for events in again for event in events) % 2 == 1


@settings(max_examples=80, deadline=None)
@given(machines())
def test_the_deterministic_automaton_accepts_the_same(machine: Machine) -> None:
    plain = Determined(machine, [1 << n for n in range(machine.size)])
    smaller = Determined(*reduced(machine, infinite=True))
    for lasso in LASSOS:
        wanted = machine.accepts(lasso)
        assert accepted(plain, lasso) == wanted, lasso
        assert accepted(smaller, lasso) == wanted, lasso


@settings(max_examples=40, deadline=None)
@given(machines())
def test_slices_are_disjoint_and_hold_what_a_word_leads_to(machine: Machine) -> None:
    made = Determined(machine, [1 << n for n in range(machine.size)])
    for lasso in LASSOS[:60]:
        here, _ = read(made, made.start, lasso.prefix + lasso.cycle)
        states = machine.start
        for letter in lasso.prefix + lasso.cycle:
            states = machine.image(machine.letters.index(letter), states)
        assert union(here) == states == sum(here[0])
        assert sorted(here[1]) == list(range(len(here[0])))
