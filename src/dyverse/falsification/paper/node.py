"""Algorithm 4, *ExploreCompNode*: all trajectories of a root through a computation node.

One sweep of SORPROX is added in clauses; as long as a solution exists whose forces have not
converged, another one follows. Then the velocities are reset, and it is asked whether anything is
unsafe and which edges lead on.  [navarro2018] supplement §5

Departures: forces have converged where the complementarity residual is small at *every* contact, so
that a solution that has not converged misses it at *some* contact (the supplement prints *and*, and
tests the last change); the friction on the rim has the sign that opposes slip.
"""

from __future__ import annotations

import casadi as ca

from dyverse.automaton.guard.robustness import normal
from dyverse.automaton.interface import Edge
from dyverse.expr.formula import FALSE, Not
from dyverse.falsification.paper.contacts import exit_names, headings, node_names
from dyverse.falsification.paper.encoding import Encoding, Point, Root
from dyverse.falsification.paper.explore import Search, candidate
from dyverse.falsification.paper.inquiry import Inquiry
from dyverse.falsification.paper.sweep import Names, express, jump, not_converged, sweep
from dyverse.falsification.satisfy.clauses import Clauses, Translation, some
from dyverse.falsification.satisfy.cnf import Boolean, Cnf
from dyverse.falsification.satisfy.satisfy import Satisfied
from dyverse.generation.skeleton.location import ENTRANCE, EXIT, FREE_FLIGHT, Modes, Node
from dyverse.generation.skeleton.places import ForceNode


def explore_comp_node(encoding: Encoding, inquiry: Inquiry, root: Root) -> Search:
    """Algorithm 4: yields what looks unsafe after the reset, returns the roots that follow."""
    assert encoding.bodies is not None
    assert isinstance(root.location, Node)
    node = encoding.bodies.skeleton.node(root.location.kind, root.location.contacts)
    formula, known = _forces(encoding, inquiry, root, node)
    formula, known = jump(node, node.steps(str(node.last))[1:], formula, known)
    formula, point = _after(encoding, root, node, formula, known)
    if node.kind == "impact" and normal(encoding.unsafe) != FALSE:
        unsafe = formula.also(encoding.clauses(encoding.unsafe, FREE_FLIGHT, point))
        answer = inquiry.satisfy(unsafe, "unsafe", node.name, root.earliest)
        if isinstance(answer, Satisfied):
            yield candidate(encoding, answer.solution, point, root.path)
    return _exits(encoding, inquiry, root, node, formula, known, point)


def _forces(encoding: Encoding, inquiry: Inquiry, root: Root, node: ForceNode) -> tuple[Cnf, Names]:
    """The initial guess, and sweeps until no solution is left that has not converged."""
    formula, known = node_names(encoding, node, root.formula, root.point)
    formula, known = jump(node, node.steps(ENTRANCE), formula, known)
    smooth, tolerance = encoding.smooth, encoding.options.sweep_tolerance
    for _ in range(encoding.options.sweeps):
        formula, known = sweep(node, formula, known, smooth=smooth)
        doubt = formula.also(not_converged(node, known, tolerance, smooth=smooth))
        answer = inquiry.satisfy(doubt, "converged", node.name, root.earliest)
        if not isinstance(answer, Satisfied):
            break
    return formula, known


def _after(
    encoding: Encoding, root: Root, node: ForceNode, formula: Cnf, known: Names
) -> tuple[Cnf, Point]:
    """The state at the exit: an impact changes the velocities, a contact node does not."""
    if node.kind == "contact":
        return formula, root.point
    before = root.point.state.symbol
    size = encoding.symbols.state.numel() // 2
    speeds = [known[name] for name in encoding.symbols.variables[size:]]
    value = ca.vertcat(before[:size], *speeds, before[-1])
    return encoding.next_point(formula, value, encoding.no_memory, "q' = q' + M⁻¹ W λ")


def _exits(
    encoding: Encoding,
    inquiry: Inquiry,
    root: Root,
    node: ForceNode,
    formula: Cnf,
    known: Names,
    point: Point,
) -> list[Root]:
    """One root for each edge that some trajectory takes from the exit."""
    read = _reader(encoding, node, known, point)
    left = {Boolean(str(edge)): edge for edge in encoding.edges(node.at(EXIT))}
    found: list[Root] = []
    outside: Clauses = ()
    while left:
        guards = ((name, read.clauses(edge.guard)) for name, edge in left.items())
        asked = formula.also(some(guards)).also(outside)
        answer = inquiry.satisfy(asked, "exits", node.name, root.earliest)
        if not isinstance(answer, Satisfied):
            break
        edge = left.pop(next(name for name in left if name in answer.chosen))
        outside += read.clauses(Not(edge.guard))
        found.append(
            _root(encoding, root, edge, formula.also(read.clauses(edge.guard)), known, point)
        )
    return found


def _reader(encoding: Encoding, node: ForceNode, known: Names, point: Point) -> Translation:
    """How the guards of the exit are read: with the velocities, or the accelerations, found."""
    if node.kind == "impact":
        return encoding.translation(FREE_FLIGHT, point)
    names = exit_names(encoding, node, known, point)
    return Translation(lambda term: express(term, names), encoding.options.margin)


def _root(
    encoding: Encoding, root: Root, edge: Edge, formula: Cnf, known: Names, point: Point
) -> Root:
    memory = encoding.no_memory
    if isinstance(edge.target, Modes) and edge.target.having("trans"):
        memory = headings(encoding, edge.target, known, point)
    return Root(
        location=edge.target,
        formula=formula,
        point=Point(point.state, memory),
        earliest=root.earliest,
        path=(*root.path, edge),
    )
