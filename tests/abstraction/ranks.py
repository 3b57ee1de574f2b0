"""Inclusion of ω-languages by complementation with ranks: a second, independent decision.

O. Kupferman, M. Y. Vardi, "Weak alternating automata are not that weak", ACM TOCL 2(3), 2001. A
word is rejected by a Büchi automaton if and only if the locations of its runs can be ranked: ranks
never rise, recurrent locations have even ranks, and every run ends in an odd one. No rank above
twice the number of locations, not recurrent, that one prefix can lead to, is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import networkx as nx

from dyverse.abstraction.omega.automata import Recogniser
from dyverse.abstraction.omega.lts import Lts

Ranked = tuple[tuple[tuple[str, int], ...], frozenset[str]]  # ranks, and who still owes an odd one


def included_by_ranks(smaller: Recogniser, larger: Recogniser) -> bool:
    """Whether no infinite word of ``smaller`` is one that ``larger`` rejects."""
    highest = 2 * width(larger)
    graph, letters = nx.DiGraph(), {*smaller.lts.alphabet, *larger.lts.alphabet}
    start: Ranked = (tuple((q, highest) for q in sorted(larger.lts.initial)), frozenset())
    queue = [(q, start) for q in smaller.lts.initial]
    seen = set(queue)
    for here in queue:
        for letter in letters:
            for end in smaller.lts.after([here[0]], letter):
                for ranked in _ranked(larger, here[1], letter):
                    graph.add_edge(here, (end, ranked))
                    if (end, ranked) not in seen:
                        seen.add((end, ranked))
                        queue.append((end, ranked))
    return not any(
        _accepting(graph, part, smaller) for part in nx.strongly_connected_components(graph)
    )


def disjoint(one: Recogniser, other: Recogniser) -> bool:
    """Whether no infinite word belongs to both, by their product."""
    graph, queue = nx.DiGraph(), list(product(one.lts.initial, other.lts.initial))
    seen = set(queue)
    for here in queue:
        for letter in one.lts.alphabet:
            ends = one.lts.after([here[0]], letter), other.lts.after([here[1]], letter)
            for there in product(*ends):
                graph.add_edge(here, there)
                if there not in seen:
                    seen.add(there)
                    queue.append(there)
    return not any(
        _cyclic(graph, part)
        and any(a in one.recurrent for a, _ in part)
        and any(b in other.recurrent for _, b in part)
        for part in nx.strongly_connected_components(graph)
    )


def _cyclic(graph: nx.DiGraph, part: set[object]) -> bool:
    return len(part) > 1 or any(graph.has_edge(node, node) for node in part)


def _accepting(graph: nx.DiGraph, part: set[tuple[str, Ranked]], smaller: Recogniser) -> bool:
    """Whether a run can stay, visit a recurrent location for ever, and owe nothing for ever."""
    recurrent = any(location in smaller.recurrent for location, _ in part)
    owing = all(owed for _, (_, owed) in part)
    return recurrent and not owing and _cyclic(graph, part)  # type: ignore[arg-type]


def _ranked(automaton: Recogniser, here: Ranked, letter: str) -> Iterator[Ranked]:
    """Every ranking that can follow: none higher than before."""
    ranks, owing = here
    bound: dict[str, int] = {}
    for location, rank in ranks:
        for end in automaton.lts.after([location], letter):
            bound[end] = min(rank, bound.get(end, rank))
    ends = sorted(bound)
    for chosen in product(*(_allowed(automaton, end, bound[end]) for end in ends)):
        even = {end for end, rank in zip(ends, chosen, strict=True) if rank % 2 == 0}
        owed = automaton.lts.after(owing, letter) & even if owing else frozenset(even)
        yield tuple(zip(ends, chosen, strict=True)), frozenset(owed)


def _allowed(automaton: Recogniser, location: str, bound: int) -> list[int]:
    return [n for n in range(bound + 1) if n % 2 == 0 or location not in automaton.recurrent]


def width(automaton: Recogniser) -> int:
    """The most locations, not recurrent, that one word can lead to."""
    return max(len(states - automaton.recurrent) for states in _subsets(automaton.lts))


def _subsets(lts: Lts) -> list[frozenset[str]]:
    found = [frozenset(lts.initial)]
    for states in found:
        for letter in lts.alphabet:
            there = lts.after(states, letter)
            if there not in found:
                found.append(there)
    return found
