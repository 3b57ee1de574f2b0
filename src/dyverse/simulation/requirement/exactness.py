"""Which signals of a run are exact, and how closely the others are known.

Numbers of parts, truths, locations, contact modes, events and parameters have no error. What time
brings about has one: it was integrated, and events on its way were located. However tight the
tolerance, no guard is read more closely than to a margin, and what guards decide is known no
better.
"""

from __future__ import annotations

from collections.abc import Callable

from dyverse.automaton.interface import HybridAutomaton
from dyverse.automaton.network.network import Network
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.bodies.signals import MODES, is_event
from dyverse.expr.formula import Compare, formula_symbols
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.coupled.automaton import CoupledAutomaton

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
    match automaton:
        case RigidBodyAutomaton():
            return frozenset(automaton.scene.values)
        case WrittenAutomaton():
            return frozenset(name for name, _ in automaton.parameters)
        case Network():
            whole = (v.name for v in automaton.shared if not v.is_continuous)
            places = (f"{c.name}.{p.name}" for c in automaton.components for p in c.places)
            return frozenset((*whole, *places, *(name for name, _ in automaton.parameters)))
        case CoupledAutomaton():
            moving = frozenset(automaton.network.variables)
            return (_names(automaton.rigid) - moving) | _names(automaton.network)
        case _:
            return frozenset()


def resolution(automaton: HybridAutomaton) -> float:
    """How closely guards are read, in the units of the signals: no signal is known better."""
    match automaton:
        case RigidBodyAutomaton(tolerances=found):
            return max(found.gap, found.speed, found.acceleration)
        case WrittenAutomaton(margin=margin) | Network(margin=margin):
            return margin
        case CoupledAutomaton():
            return max(resolution(automaton.rigid), resolution(automaton.network))
        case _:
            return 0.0
