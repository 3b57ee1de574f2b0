"""The jumps of automata in one run: what the legs of a proof are made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dyverse.automaton.interface import Edge, HybridAutomaton
from dyverse.automaton.network.moves import Move, Places
from dyverse.automaton.run import Run
from dyverse.certificate.automata import Automata
from dyverse.generation.parts import parts_of
from dyverse.proving.skeleton import Happening


def jumps(
    automata: Automata, automaton: HybridAutomaton, run: Run, bodies: Iterable[Happening]
) -> Iterator[Happening]:
    """The stretches of a run, with the jumps of automata between what happens to the bodies.

    In one instant bodies come first. After some jumps no time passes.
    """
    moves = [(e.time, _move(automata, automaton, edge)) for e in run.events for edge in e.edges]
    for happening in bodies:
        while moves and (moves[0][0] < happening.time or happening.closing is None):
            time, move = moves.pop(0)
            yield Happening(happening.modes, time, move=move)
        yield happening


def _move(automata: Automata, automaton: HybridAutomaton, edge: Edge) -> Move:
    """A jump of the automaton that was run as one of those that are proved about."""
    if isinstance(edge, Move):
        return automata.moves.move(edge.source, (half.number for half in edge.halves))
    written = parts_of(automaton).written  # a network of one
    assert written is not None
    number = next(i for i, own in enumerate(written.edges) if own == edge)
    return automata.moves.move(Places([str(edge.source)]), [number])
