"""Transition systems and automata as Graphviz drawings.

Double circles accept finite words (or are the recurrent locations of a Büchi automaton); the sets
of a Muller family are listed below the drawing.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyverse.abstraction.omega.automata import Automaton, BuchiAutomaton, Family, States
from dyverse.abstraction.omega.hoa import accepting_of, family_of
from dyverse.abstraction.omega.lts import Lts


def dot(drawn: Lts | Automaton, *, name: str = "automaton") -> str:
    """The drawing as DOT text; steps between the same locations share an arrow."""
    lts = drawn if isinstance(drawn, Lts) else drawn.lts
    family = Family() if isinstance(drawn, Lts) else family_of(drawn)
    return "\n".join(_lines(lts, _doubled(drawn), family, name)) + "\n"


def _doubled(drawn: Lts | Automaton) -> States:
    if isinstance(drawn, Lts):
        return States()
    return drawn.accepting if isinstance(drawn, BuchiAutomaton) else accepting_of(drawn)


def _lines(lts: Lts, doubled: States, family: Family, name: str) -> Iterator[str]:
    yield f"digraph {_quoted(name)} {{"
    yield "  rankdir=LR;"
    if sets := sorted(" ".join(sorted(states)) for states in family):
        yield f"  label={_quoted('visited for ever: ' + ', '.join(f'{{{s}}}' for s in sets))};"
    for location in lts.locations:
        shape = "doublecircle" if location in doubled else "circle"
        yield f"  {_quoted(location)} [shape={shape}];"
    for n, location in enumerate(lts.initial):
        yield f'  "start {n}" [shape=none, label=""];'
        yield f'  "start {n}" -> {_quoted(location)};'
    for (source, target), letters in _arrows(lts).items():
        yield f"  {_quoted(source)} -> {_quoted(target)} [label={_quoted(', '.join(letters))}];"
    yield "}"


def _arrows(lts: Lts) -> dict[tuple[str, str], list[str]]:
    arrows: dict[tuple[str, str], list[str]] = {}
    for step in lts.steps:
        arrows.setdefault((step.source, step.target), []).append(step.letter)
    return arrows


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
