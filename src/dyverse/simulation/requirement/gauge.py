"""Reading the atoms of a requirement at many states: how deep inside each a state is."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from dyverse.automaton.guard.robustness import UNDEFINED, margin_of
from dyverse.automaton.interface import Array
from dyverse.expr.term import Term, children
from dyverse.expr.value import value
from dyverse.simulation.requirement.exactness import IsExact
from dyverse.simulation.requirement.temporal import Planned


class Gauge:
    """Reads all atoms of a plan."""

    def __init__(self, planned: Planned, is_exact: IsExact) -> None:
        self.atoms = planned.atoms
        self.exact = np.array([is_exact(one) for one in planned.comparisons], dtype=bool)

    def __call__(self, known: Mapping[str, float]) -> Array:
        """The margin of every atom where signals have these values."""
        margins = [margin_of(value(atom.depth, known), atom.sense) for atom in self.atoms]
        return np.clip(margins, -UNDEFINED, UNDEFINED)

    def sizes(self, known: Mapping[str, float]) -> Array:
        """The largest number in each atom: its margin is rounded to a share of that."""
        return np.array([_size(atom.depth, known) for atom in self.atoms])


def _size(term: Term, known: Mapping[str, float]) -> float:
    amount = abs(value(term, known))
    own = amount if math.isfinite(amount) else 0.0
    return max([own, *(_size(child, known) for child in children(term))])
