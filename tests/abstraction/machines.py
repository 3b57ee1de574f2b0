"""Random machines, and what they mean."""

from __future__ import annotations

from hypothesis import strategies as st

from dyverse.abstraction.omega.automata import BuchiAutomaton, recogniser
from dyverse.abstraction.omega.machine import Machine, compiled
from tests.abstraction.strategies import ALPHABET, buchi_automata


def machine(automaton: BuchiAutomaton) -> Machine:
    """The automaton compiled for infinite words."""
    return compiled(recogniser(automaton), ALPHABET, infinite=True)


def machines(size: int = 4) -> st.SearchStrategy[Machine]:
    """Machines of a few states."""
    return buchi_automata(size).map(machine)
