"""Which variables the jumps of a network depend on; counters that nobody reads are left out."""

from __future__ import annotations

from dyverse.automaton.network.network import Network
from dyverse.expr.formula import formula_symbols
from dyverse.expr.term import symbols


def depended_on(network: Network) -> set[str]:
    """The names in guards and invariants, and all that rates and resets make them depend on."""
    places = [place for item in network.components for place in item.places]
    edges = [edge for item in network.components for edge in item.edges]
    formulas = [place.invariant for place in places] + [edge.guard for edge in edges]
    found = {symbol.name for formula in formulas for symbol in formula_symbols(formula)}
    changes = [a for place in places for a in place.rates] + [a for e in edges for a in e.reset]
    size = -1
    while size != len(found):
        size = len(found)
        used = (a.value for a in changes if a.target in found)
        found |= {symbol.name for value in used for symbol in symbols(value)}
    return found
