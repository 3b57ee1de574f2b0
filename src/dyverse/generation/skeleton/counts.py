"""How many locations, nodes and edges an automaton has, without listing them.

All counts follow from f_n, the number of vertices of the contact combination graph with n contacts:
of all subsets of P contacts there are f_n = binomial(P, n), and then the sums have the closed forms
of docs/theory/automaton.md. They are exact integers of any length.  [navarro2018] Table 2
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from math import prod
from typing import Literal

from dyverse.contact.graph import CompleteGraph, ContactGraph, FeasibleGraph
from dyverse.contact.tied import TiedGraph
from dyverse.generation.skeleton.rules import RULES, RuleSet
from dyverse.generation.skeleton.skeleton import Skeleton

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
    return _tally(contacts, _binomials(contacts), graph, rules, exact)


def counted(skeleton: Skeleton) -> Counts:
    """The counts of one automaton: exact if geometry excludes nothing or the graph is small.

    Of a large graph that geometry prunes only the bound without pruning is known at once.
    """
    P, name = len(skeleton.contacts), graph_name(skeleton.graph)
    if isinstance(skeleton.graph, TiedGraph):
        return _tied(skeleton.graph, name, skeleton.rules)
    if not isinstance(skeleton.graph, FeasibleGraph) or skeleton.graph.feasible(skeleton.contacts):
        return counts(P, name, skeleton.rules)  # with all contacts, every subset is feasible
    sizes = _sizes(skeleton.graph)
    if sizes is None:
        return counts(P, name, skeleton.rules, exact=False)
    return _tally(P, sizes, name, skeleton.rules, True)


def graph_name(graph: ContactGraph) -> GraphName:
    """Which of the two contact combination graphs it is."""
    own = graph.graph if isinstance(graph, TiedGraph) else graph
    return "complete" if isinstance(own, CompleteGraph) else "feasible"


def _binomials(P: int) -> list[int]:
    """The row binomial(P, 0) … binomial(P, P) of Pascal's triangle, each from the one before."""
    return list(accumulate(range(P), lambda f, n: f * (P - n) // (n + 1), initial=1))


def _sizes(graph: FeasibleGraph) -> list[int] | None:
    """f_n by walking over the vertices, unless they are too many."""
    sizes = [0] * (len(graph.contacts) + 1)
    if 2 ** len(graph.contacts) > MOST_VERTICES:
        return None
    for vertex in graph.vertices():
        sizes[len(vertex)] += 1
    return sizes


def _tied(graph: TiedGraph, name: GraphName, rules: RuleSet) -> Counts:
    """The counts where contacts are closed in groups: sums over vertices of products over groups.

    Unless geometry leaves some out, Σ Π w = Π (1 + w).
    """
    whole, own = tuple(range(len(graph.sizes))), graph.graph
    pruned = isinstance(own, FeasibleGraph) and not own.feasible(own.contacts)
    few = 2 ** len(whole) <= MOST_VERTICES
    index = {contact: i for i, contact in enumerate(own.contacts)}
    walked = [[graph.sizes[index[c]] for c in v] for v in own.vertices()] if pruned and few else []

    def over(weight: Callable[[int], int]) -> int:
        """Over the vertices that are not empty."""
        if walked:
            return sum(prod(map(weight, sizes)) for sizes in walked) - 1
        return prod(1 + weight(size) for size in graph.sizes) - 1

    nodes, words = over(lambda _: 1), over(lambda g: 3**g)
    per_rule = _within_vertex(nodes, words, over(lambda g: 2**g), rules)
    if name == "complete":
        per_rule |= _complete(_grouped(graph.sizes))
    else:
        per_rule |= {
            "keep_some_contacts": over(lambda _: 2) - 2 * nodes,
            "collide": over(lambda g: 1 + 3**g) - words - nodes,
            "lose_contacts": over(lambda g: 2 * 3**g) - 2 * words,
        }
    return _counts(len(graph.contacts), nodes, words, per_rule, not pruned or few)


def _grouped(sizes: Iterable[int]) -> list[int]:
    """f_n of all unions of groups of contacts: the coefficients of Π (1 + x^size)."""
    found = [1]
    for size in sizes:
        longer = found + [0] * size
        found = [f + (longer[n - size] if n >= size else 0) for n, f in enumerate(longer)]
    return found


def _tally(
    contacts: int, sizes: Sequence[int], graph: GraphName, rules: RuleSet, exact: bool
) -> Counts:
    nodes, words = sum(sizes[1:]), _sum(sizes, 3) - 1
    per_rule = _within_vertex(nodes, words, _sum(sizes, 2) - 1, rules)
    per_rule |= _complete(sizes) if graph == "complete" else _nested(sizes)
    return _counts(contacts, nodes, words, per_rule, exact)


def _counts(contacts: int, nodes: int, words: int, per_rule: dict[str, int], exact: bool) -> Counts:
    return Counts(
        contacts=contacts,
        dynamical_locations=words + 1,
        contact_nodes=nodes,
        impact_nodes=nodes,
        edges=sum(per_rule.values()),
        per_rule={name: per_rule[name] for name in RULES},
        exact=exact,
    )


def _sum(sizes: Sequence[int], base: int) -> int:
    """Σ_n f_n baseⁿ, by Horner's rule: no power of a long number is worked out."""
    return reduce(lambda total, f: total * base + f, reversed(sizes), 0)


def _within_vertex(nodes: int, words: int, without_trans: int, rules: RuleSet) -> dict[str, int]:
    """Edges that stay at one vertex, or lead to or from free flight."""
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
    closed = [0, *sizes[1:]]  # f_n for n > 0
    up_to = list(accumulate(closed))  # Σ_{0<m≤n} f_m
    down = [f * (s - f) for f, s in zip(closed, up_to, strict=True)]
    up = [f * (up_to[-1] - s) for f, s in zip(closed, up_to, strict=True)]
    return {
        "keep_some_contacts": sum(down),
        "collide": _sum(up, 3),
        "lose_contacts": _sum(down, 3),
    }


def _nested(sizes: Sequence[int]) -> dict[str, int]:
    """Edges between vertices of which one contains the other; every subset of a vertex is one."""
    closed = [0, *sizes[1:]]  # f_n for n > 0
    one, two, three, four, six = (_sum(closed, base) for base in (1, 2, 3, 4, 6))
    return {
        "keep_some_contacts": two - 2 * one,  # Σ f_n (2ⁿ - 2)
        "collide": four - three - one,  # Σ f_n (4ⁿ - 3ⁿ - 1)
        "lose_contacts": six - 2 * three,  # Σ f_n 3ⁿ (2ⁿ - 2)
    }
