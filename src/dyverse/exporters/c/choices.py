"""What an exported model has to choose among, and the seed that it draws by.

As in `dyverse.simulation.choice`: without a seed the first enabled edge in order is taken, with one
it is drawn, and the same seed draws the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container

from dyverse.automaton.interface import HybridAutomaton
from dyverse.exporters.c.quantities import Quantity, Role, free_name
from dyverse.generation.parts import parts_of
from dyverse.native.automata.sheet import Sheet

NAME = "seed"
SAYS = "draws among enabled edges by this seed; -1: takes the first in order"
LAST = 2.0**31 - 1  # the largest integer of FMI 2.0


def seed(sheet: Sheet | None, taken: Container[str]) -> tuple[Quantity, ...]:
    """The setting for the seed, if there can be something to choose."""
    if sheet is None or not _has_choices(sheet):
        return ()
    name = free_name(NAME, taken)
    return (Quantity(name=name, value=-1.0, low=-1.0, high=LAST, kind=Role.SEED, says=SAYS),)


def _has_choices(sheet: Sheet) -> bool:
    """Whether two edges could be enabled at once: of one place, or of two automata."""
    jumping = [item for item in sheet.components if item.edges]
    leaving = (Counter(edge.source for edge in item.edges) for item in jumping)
    return len(jumping) > 1 or any(count > 1 for found in leaving for count in found.values())


def weights(automaton: HybridAutomaton) -> tuple[float, ...]:
    """How often each edge is drawn, against others; nothing if all are drawn equally often."""
    network = parts_of(automaton).only_network
    if network is None or not network.is_weighted:
        return ()
    return tuple(edge.weight for item in network.components for edge in item.edges)
