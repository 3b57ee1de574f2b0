"""The jumps of automata in one run: what the legs of a proof are made from."""

from __future__ import annotations

from collections.abc import Iterator

from dyverse.automaton.interface import Edge, HybridAutomaton
from dyverse.automaton.moves import Move, Places
from dyverse.automaton.run import Run
from dyverse.automaton.written import WrittenAutomaton
from dyverse.certificate.automata import Automata
from dyverse.proving.skeleton import Happening


def jumps(automata: Automata, automaton: HybridAutomaton, run: Run) -> Iterator[Happening]:
    """The stretches between the jumps of a run; after some of them no time passes."""
    for event in run.events:
        for edge in event.edges:
            yield Happening((), event.time, move=_move(automata, automaton, edge))
    yield Happening((), run.end.time)


def _move(automata: Automata, automaton: HybridAutomaton, edge: Edge) -> Move:
    """A jump of the automaton that was run as one of those that are proved about."""
    if isinstance(edge, Move):
        return automata.moves.move(edge.source, (half.number for half in edge.halves))
    assert isinstance(automaton, WrittenAutomaton)  # a network of one
    number = next(i for i, own in enumerate(automaton.edges) if own == edge)
    return automata.moves.move(Places([str(edge.source)]), [number])
