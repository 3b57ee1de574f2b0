"""How long does it take to list the whole automaton of four balls, and how much memory?

The peer is networkx holding the same nodes and edges: with the locations themselves as nodes, and
with plain integers, which is the least that it can do.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
from itertools import combinations
from pathlib import Path

import networkx as nx

from benchmarks.table import Requirement, Table, best
from dyverse.contact.graph import CompleteGraph, ContactGraph, FeasibleGraph
from dyverse.generation.skeleton.location import ENTRANCE, EXIT, Modes
from dyverse.generation.skeleton.places import ForceNode
from dyverse.generation.skeleton.rules import RuleSet
from dyverse.generation.skeleton.skeleton import RigidEdge, Skeleton

Everything = tuple[list[Modes], list[ForceNode], list[RigidEdge]]

CASES: tuple[tuple[str, RuleSet], ...] = (
    ("complete", "paper"),
    ("complete", "complete"),
    ("feasible", "complete"),
)
MEBIBYTE = 2**20


def measure(quick: bool) -> Table:
    """Time and memory, against networkx."""
    balls, repeat = (3, 2) if quick else (4, 5)
    before, peak, peer = (_peak(balls, what) for what in ("nothing", "lists", "networkx"))
    rows = [_row(balls, graph, rules, repeat) for graph, rules in CASES]
    return Table(
        question=f"listing every location, node and edge of {balls} balls, against networkx",
        columns=(
            "graph",
            "rules",
            "locations",
            "nodes",
            "edges",
            "dyverse s",
            "networkx s",
            "ratio",
            "networkx, integers s",
            "ratio to integers",
        ),
        rows=tuple(rows),
        requirements=(
            Requirement(text="time over networkx, same objects", value=_worst(rows, 7), limit=3.0),
            Requirement(text="peak memory of dyverse, MiB", value=peak, limit=1e9 / MEBIBYTE),
        ),
        remarks=(
            f"resident memory of a fresh process at its peak: {before:.0f} MiB after the imports, "
            f"{peak:.0f} MiB with all in lists, {peer:.0f} MiB with all in networkx as well",
            f"times are the best of up to {repeat}",
        ),
    )


def skeleton(balls: int, graph: str, rules: RuleSet) -> Skeleton:
    """The automaton of some balls, each of which may touch each other."""
    names = [f"ball{i}" for i in range(1, balls + 1)]
    contacts = tuple(f"{a}-{b}" for a, b in combinations(names, 2))
    known: ContactGraph = (CompleteGraph if graph == "complete" else FeasibleGraph)(contacts)
    return Skeleton(contacts, known, rules)


def everything(known: Skeleton) -> Everything:
    """All locations, nodes and edges."""
    return list(known.locations()), list(known.nodes()), list(known.edges())


def as_networkx(found: Everything) -> nx.DiGraph:
    """The same in networkx, with the locations and the ends of the nodes as its nodes."""
    graph = nx.DiGraph()
    graph.add_nodes_from(found[0])
    graph.add_nodes_from(node.at(place) for node in found[1] for place in (ENTRANCE, EXIT))
    graph.add_edges_from((edge.source, edge.target) for edge in found[2])
    return graph


def _row(balls: int, graph: str, rules: RuleSet, repeat: int) -> tuple[str | int | float, ...]:
    known = skeleton(balls, graph, rules)
    found = everything(known)
    numbers: dict[object, int] = {}
    pairs = [
        tuple(numbers.setdefault(end, len(numbers)) for end in (e.source, e.target))
        for e in found[2]
    ]
    own = best(lambda: everything(known), repeat)
    peer = best(lambda: as_networkx(found), repeat)
    least = best(lambda: nx.DiGraph(pairs), repeat)
    sizes = (len(found[0]), len(found[1]), len(found[2]))
    return (graph, rules, *sizes, own, peer, own / peer, least, own / least)


def _worst(rows: list[tuple[str | int | float, ...]], column: int) -> float:
    return max(float(row[column]) for row in rows)


def _peak(balls: int, what: str) -> float:
    """The most memory (MiB) that a process of its own takes."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_hold, (balls, what))


def _hold(balls: int, what: str) -> float:
    held: list[object] = []
    if what != "nothing":
        found = everything(skeleton(balls, "complete", "complete"))
        held = [found, as_networkx(found) if what == "networkx" else None]
    peak = _high_water()
    del held
    return peak


def _high_water() -> float:
    """The largest resident memory of this process so far, MiB.

    On Linux the process's own record; what `resource` says there begins with the parent's memory.
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(s for s in status.read_text("utf-8").splitlines() if s.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / MEBIBYTE if sys.platform == "darwin" else most / 1024
