"""Graphs in DOT, the language of Graphviz, line by line.

Whoever draws something says which nodes, arrows and clusters it has; how they are written is here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def digraph(name: str, lines: Iterable[str]) -> Iterator[str]:
    """A drawing from left to right; ``name`` is a word, or quoted."""
    yield f"digraph {name} {{"
    yield "  rankdir=LR;"
    yield from (f"  {line}" for line in lines)
    yield "}"


def cluster(number: int, label: str, lines: Iterable[str]) -> Iterator[str]:
    """A part of a drawing with a frame around it."""
    yield f"subgraph cluster_{number} {{"
    yield f"  {title(label)}"
    yield from (f"  {line}" for line in lines)
    yield "}"


def title(text: str) -> str:
    """What is written below a drawing or a cluster."""
    return f"label={quoted(text)};"


def node(name: str, shape: str, *, label: str | None = None, rims: int = 1) -> str:
    """A node that shows its name, or ``label``."""
    shown = "" if label is None else f", label={quoted(label)}"
    rim = "" if rims == 1 else f", peripheries={rims}"
    return f"{quoted(name)} [shape={shape}{shown}{rim}];"


def arrow(source: str, target: str, label: str | None = None) -> str:
    """An arrow between two nodes, by their names."""
    shown = "" if label is None else f" [label={quoted(label)}]"
    return f"{quoted(source)} -> {quoted(target)}{shown};"


def quoted(text: str) -> str:
    """``text`` as a DOT string: in double quotes, with quotes and backslashes escaped."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
