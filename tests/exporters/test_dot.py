from __future__ import annotations

import re
from itertools import combinations

import pytest

from dyverse.contact.graph import CompleteGraph
from dyverse.errors import ExportError
from dyverse.exporters.dot import dot
from dyverse.generation.skeleton.skeleton import Skeleton

STRING = r'"(?:[^"\\]|\\.)*"'
NODE = re.compile(rf"({STRING}) \[shape=(ellipse|box)(, label={STRING})?\];")
EDGE = re.compile(rf"({STRING}) -> ({STRING}) \[label={STRING}\];")
FRAME = re.compile(rf"digraph automaton {{|rankdir=LR;|subgraph cluster_\d+ {{|label={STRING};|}}")


def balls(number: int) -> Skeleton:
    contacts = tuple(f"ball{a}-ball{b}" for a, b in combinations(range(1, number + 1), 2))
    return Skeleton(contacts, CompleteGraph(contacts), "paper")


def parsed(text: str) -> tuple[list[str], list[tuple[str, str]]]:
    """Nodes and edges; every line must be one of the few statements that are used."""
    nodes, edges, depth = [], [], 0
    for line in map(str.strip, text.splitlines()):
        depth += line.endswith("{") - (line == "}")
        if node := NODE.fullmatch(line):
            nodes.append(node[1])
        elif edge := EDGE.fullmatch(line):
            edges.append((edge[1], edge[2]))
        else:
            assert FRAME.fullmatch(line), line
    assert depth == 0
    return nodes, edges


@pytest.mark.parametrize(("number", "nodes", "edges"), [(1, 1, 0), (2, 6, 11), (3, 78, 524)])
def test_drawing_has_every_node_and_edge(number: int, nodes: int, edges: int) -> None:
    drawn, arrows = parsed(dot(balls(number)))
    assert (len(set(drawn)), len(arrows)) == (nodes, edges)
    assert {end for arrow in arrows for end in arrow} <= set(drawn)


@pytest.mark.parametrize("guards", [False, True])
def test_drawing_with_the_inside_of_the_nodes(guards: bool) -> None:
    drawn, arrows = parsed(dot(balls(2), inside=True, guards=guards))
    assert len(set(drawn)) == 4 + 2 * 7
    assert len(arrows) == 11 + 9 + 10
    assert {end for arrow in arrows for end in arrow} <= set(drawn)


def test_large_automata_are_refused() -> None:
    with pytest.raises(ExportError, match="231284 edges, too many to draw"):
        dot(balls(4))
