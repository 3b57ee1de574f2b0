"""Reading one formula at many states: how deep inside it a state is, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from dyverse.automaton.robustness import (
    fold,
    leaves,
    margin_of,
    normal,
    staying,
    strongest,
    weakest,
)
from dyverse.expr.formula import Formula
from dyverse.expr.value import value
from dyverse.simulation.exactness import IsExact


class Reading(NamedTuple):
    """The margin of a formula, whose sign is its truth, and the leeway of that truth.

    The *leeway* is what signals with an error would have to be off by for the other truth: the
    margin with exact comparisons beyond doubt. It has the sign of the margin.
    """

    margin: float
    leeway: float


class Gauge:
    """Reads one formula."""

    def __init__(self, formula: Formula, is_exact: IsExact) -> None:
        self._formula = normal(formula)
        comparisons = leaves(self._formula)
        self._atoms = [staying(comparison, margin=0.0) for comparison in comparisons]
        self._exact = [is_exact(comparison) for comparison in comparisons]

    def __call__(self, known: Mapping[str, float]) -> Reading:
        """The formula where signals have these values."""
        margins = [margin_of(value(atom.depth, known), atom.sense) for atom in self._atoms]
        sure = [
            (math.inf if margin >= 0 else -math.inf) if exact else margin
            for margin, exact in zip(margins, self._exact, strict=True)
        ]
        return Reading(self._joined(margins), self._joined(sure))

    def _joined(self, margins: list[float]) -> float:
        in_order = iter(margins)
        return fold(self._formula, lambda _: next(in_order), weakest, strongest)
