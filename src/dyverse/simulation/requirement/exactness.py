"""Which signals of a run are exact, and how closely the others are known.

Numbers of parts, truths, locations, contact modes, events and parameters have no error. What time
brings about has one: it was integrated, and events on its way were located. However tight the
tolerance, no guard is read more closely than to a margin, and what guards decide is known no
better.
"""

from __future__ import annotations

from collections.abc import Callable

from dyverse.automaton.interface import HybridAutomaton
from dyverse.bodies.signals import MODES, is_event
from dyverse.expr.formula import Compare, formula_symbols
from dyverse.generation.parts import parts_of

IsExact = Callable[[Compare], bool]
_MODES = tuple(f"{mode}[" for mode in MODES)


def exact_comparisons(automaton: HybridAutomaton) -> IsExact:
    """Says of a comparison whether all its signals are exact."""
    names = _names(automaton)

    def is_exact(comparison: Compare) -> bool:
        used = (symbol.name for symbol in formula_symbols(comparison))
        return all(name in names or name.startswith(_MODES) or is_event(name) for name in used)

    return is_exact


def _names(automaton: HybridAutomaton) -> frozenset[str]:
    parts = parts_of(automaton)
    names = set() if parts.bodies is None else set(parts.bodies.scene.values)
    if parts.network is not None:
        names.difference_update(parts.network.variables)
        names.update(v.name for v in parts.network.shared if not v.is_continuous)
        names.update(f"{name}.{place}" for name, place in parts.places())
    written = parts.written or parts.network
    return frozenset(names.union(name for name, _ in written.parameters) if written else names)


def resolution(automaton: HybridAutomaton) -> float:
    """How closely guards are read, in the units of the signals: no signal is known better."""
    parts = parts_of(automaton)
    found = [own.margin for own in (parts.written, parts.network) if own is not None]
    if parts.bodies is not None:
        own = parts.bodies.tolerances
        found += [own.gap, own.speed, own.acceleration]
    return max(found, default=0.0)
