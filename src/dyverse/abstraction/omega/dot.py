"""Transition systems and automata as Graphviz drawings.

Double circles accept finite words (or are the recurrent locations of a Büchi automaton); the sets
of a Muller family are listed below the drawing.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyverse.abstraction.omega.automata import Automaton, BuchiAutomaton, Family, States
from dyverse.abstraction.omega.hoa import accepting_of, family_of
from dyverse.abstraction.omega.lts import Lts
from dyverse.dot import arrow, digraph, node, quoted, title


def dot(drawn: Lts | Automaton, *, name: str = "automaton") -> str:
    """The drawing as DOT text; steps between the same locations share an arrow."""
    lts = drawn if isinstance(drawn, Lts) else drawn.lts
    family = Family() if isinstance(drawn, Lts) else family_of(drawn)
    return "\n".join(digraph(quoted(name), _parts(lts, _doubled(drawn), family))) + "\n"


def _doubled(drawn: Lts | Automaton) -> States:
    if isinstance(drawn, Lts):
        return States()
    return drawn.accepting if isinstance(drawn, BuchiAutomaton) else accepting_of(drawn)


def _parts(lts: Lts, doubled: States, family: Family) -> Iterator[str]:
    if sets := sorted(" ".join(sorted(states)) for states in family):
        yield title("visited for ever: " + ", ".join(f"{{{s}}}" for s in sets))
    for location in lts.locations:
        yield node(location, "doublecircle" if location in doubled else "circle")
    for n, location in enumerate(lts.initial):
        yield node(f"start {n}", "none", label="")
        yield arrow(f"start {n}", location)
    for (source, target), letters in _arrows(lts).items():
        yield arrow(source, target, ", ".join(letters))


def _arrows(lts: Lts) -> dict[tuple[str, str], list[str]]:
    arrows: dict[tuple[str, str], list[str]] = {}
    for step in lts.steps:
        arrows.setdefault((step.source, step.target), []).append(step.letter)
    return arrows
