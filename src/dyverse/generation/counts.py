"""How many locations, nodes and edges an automaton has, without listing them.

All counts follow from f_n, the number of vertices of the contact combination graph with n contacts:
of all subsets of P contacts there are f_n = binomial(P, n), and then the sums have the closed forms
of docs/theory/automaton.md. They are exact integers of any length.  [navarro2018] Table 2
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import comb
from typing import Literal

from dyverse.contact.graph import CompleteGraph, ContactGraph, FeasibleGraph
from dyverse.generation.rules import RULES, RuleSet
from dyverse.generation.skeleton import Skeleton

GraphName = Literal["complete", "feasible"]

MOST_VERTICES = 4096  # how many vertices are walked over to count what geometry leaves


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The size of an automaton; not ``exact`` means that geometry may leave fewer."""

    contacts: int
    dynamical_locations: int
    contact_nodes: int
    impact_nodes: int
    edges: int
    per_rule: dict[str, int]
    exact: bool = True


def counts(
    contacts: int, graph: GraphName = "complete", rules: RuleSet = "complete", *, exact: bool = True
) -> Counts:
    """The counts for a number of contacts, if geometry leaves out no combination of them."""
    sizes = [comb(contacts, n) for n in range(contacts + 1)]
    return _tally(contacts, sizes, graph, rules, exact)


def counted(skeleton: Skeleton) -> Counts:
    """The counts of one automaton: exact if geometry excludes nothing or the graph is small.

    Of a large graph that geometry prunes only the bound without pruning is known at once.
    """
    P, name = len(skeleton.contacts), graph_name(skeleton.graph)
    if not isinstance(skeleton.graph, FeasibleGraph) or skeleton.graph.feasible(skeleton.contacts):
        return counts(P, name, skeleton.rules)  # with all contacts, every subset is feasible
    sizes = _sizes(skeleton.graph)
    if sizes is None:
        return counts(P, name, skeleton.rules, exact=False)
    return _tally(P, sizes, name, skeleton.rules, True)


def graph_name(graph: ContactGraph) -> GraphName:
    """Which of the two contact combination graphs it is."""
    return "complete" if isinstance(graph, CompleteGraph) else "feasible"


def _sizes(graph: FeasibleGraph) -> list[int] | None:
    """f_n by walking over the vertices, unless they are too many."""
    sizes = [0] * (len(graph.contacts) + 1)
    if 2 ** len(graph.contacts) > MOST_VERTICES:
        return None
    for vertex in graph.vertices():
        sizes[len(vertex)] += 1
    return sizes


def _tally(
    contacts: int, sizes: Sequence[int], graph: GraphName, rules: RuleSet, exact: bool
) -> Counts:
    nodes = sum(sizes[1:])
    per_rule = _within_vertex(sizes, rules)
    per_rule |= _complete(sizes) if graph == "complete" else _nested(sizes)
    return Counts(
        contacts=contacts,
        dynamical_locations=_sum(sizes, 3),
        contact_nodes=nodes,
        impact_nodes=nodes,
        edges=sum(per_rule.values()),
        per_rule={name: per_rule[name] for name in RULES},
        exact=exact,
    )


def _sum(sizes: Sequence[int], base: int) -> int:
    """Σ_n f_n baseⁿ."""
    return sum(f * base**n for n, f in enumerate(sizes))


def _within_vertex(sizes: Sequence[int], rules: RuleSet) -> dict[str, int]:
    """Edges that stay at one vertex, or lead to or from free flight."""
    nodes, words, without_trans = sum(sizes) - 1, _sum(sizes, 3) - 1, _sum(sizes, 2) - 1
    return {
        "keep_contacts": nodes,
        "rebound": nodes,
        "collide_from_free": nodes,
        "lift_off": words,
        "update_forces": without_trans,
        "start_slipping": words - without_trans,
        "resume": words if rules == "complete" else words - nodes,
    }


def _complete(sizes: Sequence[int]) -> dict[str, int]:
    """Edges between vertices with N_k ≠ N_j, both not empty, every two joined."""
    fewer = [0, 0, *accumulate(sizes[1:])]  # Σ_{0<m<n} f_m
    most = sum(sizes[1:])
    pairs = [(n, f) for n, f in enumerate(sizes) if n > 0]
    return {
        "keep_some_contacts": sum(f * fewer[n] for n, f in pairs),
        "collide": sum(f * 3**n * (most - fewer[n + 1]) for n, f in pairs),
        "lose_contacts": sum(f * 3**n * fewer[n] for n, f in pairs),
    }


def _nested(sizes: Sequence[int]) -> dict[str, int]:
    """Edges between vertices of which one contains the other; every subset of a vertex is one."""
    pairs = [(n, f) for n, f in enumerate(sizes) if n > 0]
    return {
        "keep_some_contacts": sum(f * (2**n - 2) for n, f in pairs),
        "collide": sum(f * (4**n - 3**n - 1) for n, f in pairs),
        "lose_contacts": sum(f * 3**n * (2**n - 2) for n, f in pairs),
    }
