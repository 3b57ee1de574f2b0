"""Algorithm 2, *ExploreDynamicalLocation*: follow all trajectories of a root through a location.

The set is lengthened by dt_d again and again. Each time it is asked (1) which guards can be entered
in the new step, one after the other; (2) whether anything stays inside the domain; (3) whether
anything is unsafe. Steps without an event are merged into one longer step, as long as no trajectory
of the set is integrated with too great an error.  [navarro2018] supplement §3

Departure: guards and the property are looked at anywhere in the new step, at a length of it that is
free between zero and dt_d, not only at its end. A trajectory that skims a guard or a thin unsafe
strip between two steps is seen.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, replace

from dyverse.automaton.guard.robustness import normal
from dyverse.automaton.interface import Edge
from dyverse.expr.formula import FALSE, TRUE, Formula, Not, both
from dyverse.falsification.paper.encoding import Encoding, Point, Root
from dyverse.falsification.paper.inquiry import Inquiry
from dyverse.falsification.paper.roots import Crossing, create_roots
from dyverse.falsification.satisfy.clauses import some
from dyverse.falsification.satisfy.cnf import MX, Boolean, Clause, Cnf, Constraint
from dyverse.falsification.satisfy.nonlinear import Feasible
from dyverse.falsification.satisfy.satisfy import Satisfied


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """Values of the unknowns and a time at which a trajectory looks unsafe; not replayed yet."""

    settings: Mapping[str, float]
    time: float
    path: tuple[Edge, ...]


Search = Generator[Candidate, None, list[Root]]


@dataclass(frozen=True, slots=True, eq=False)
class Front:
    """The set of trajectories at ``time`` after it entered the location.

    ``formula`` says how it came to ``point``. The last step of it began at ``base`` and has
    ``merged`` steps of dt_d in it: with none, there is no step that could grow.
    """

    formula: Cnf
    point: Point
    time: float
    base: tuple[Cnf, Point]
    merged: int = 0


def explore_dynamical_location(encoding: Encoding, inquiry: Inquiry, root: Root) -> Search:
    """Algorithm 2: yields what looks unsafe, returns the roots of the next locations."""
    step, crossings = encoding.step, dict[Edge, Crossing]()
    front = Front(root.formula, root.point, 0.0, (root.formula, root.point))
    while root.earliest + front.time < encoding.until - 1e-9 * step:
        probe = _probe(encoding, root, front)
        entered = _entered(encoding, inquiry, root, front, probe)
        for edge in entered:
            first = crossings.get(edge) or Crossing(edge, front.formula, front.point, front.time)
            crossings[edge] = replace(first, last=front.time + step)
        yield from _unsafe(encoding, inquiry, root, front, probe)
        ahead = _ahead(encoding, inquiry, root, front, event=bool(entered))
        if ahead is None:
            break
        front = ahead
    return create_roots(encoding, root, tuple(crossings.values()))


def _probe(encoding: Encoding, root: Root, front: Front) -> tuple[Cnf, Point]:
    """Any point of the new step, not later than the time of interest."""
    length = encoding.elastic(encoding.step)
    end, _ = encoding.moved(root.location, front.point, length.symbol, steps=1)
    began = front.formula.also(variables=[length])
    formula, point = encoding.next_point(began, end, front.point.memory, "x = ODE(f, x, [0, dt])")
    return formula.also(encoding.clauses(encoding.in_time, root.location, point)), point


def _entered(
    encoding: Encoding, inquiry: Inquiry, root: Root, front: Front, probe: tuple[Cnf, Point]
) -> list[Edge]:
    """(1) The edges whose guards can be entered in the step, found one after the other."""
    formula, point = probe
    left = {Boolean(str(edge)): edge for edge in encoding.edges(root.location)}
    found: list[Edge] = []
    while left:
        guards = ((name, at(encoding, root, point, edge.guard)) for name, edge in left.items())
        outside = (at(encoding, root, point, Not(edge.guard)) for edge in found)
        asked = formula.also(some(guards)).also(clause for part in outside for clause in part)
        time = root.earliest + front.time
        answer = inquiry.satisfy(asked, "guards", root.location, time)
        if not isinstance(answer, Satisfied):
            break
        name = next(one for one in left if one in answer.chosen)
        found.append(left.pop(name))
    return found


def at(encoding: Encoding, root: Root, point: Point, formula: Formula) -> tuple[Clause, ...]:
    """A formula of the root's location, at ``point``."""
    return encoding.clauses(formula, root.location, point)


def _unsafe(
    encoding: Encoding, inquiry: Inquiry, root: Root, front: Front, probe: tuple[Cnf, Point]
) -> Iterator[Candidate]:
    """(3) Trajectories that are unsafe in the step, while they are still inside the domain.

    Departure: the supplement knows properties that always hold. One that waits for something is
    broken in passing, and also where it ends with that still pending.
    """
    formula, point = probe
    inside = at(encoding, root, point, encoding.domain(root.location))
    ways = [encoding.unsafe]
    if encoding.pending != TRUE:
        ways.append(both(encoding.at_end, encoding.pending))
    for way in ways:
        if normal(way) == FALSE:
            continue
        asked = formula.also(inside).also(at(encoding, root, point, way))
        time = root.earliest + front.time
        answer = inquiry.satisfy(asked, "unsafe", root.location, time)
        if isinstance(answer, Satisfied):
            yield candidate(encoding, answer.solution, point, root.path)


def candidate(
    encoding: Encoding, solution: Feasible, point: Point, path: tuple[Edge, ...]
) -> Candidate:
    """The unknowns of a solution, and the time of its ``point``."""
    names = (unknown.name for unknown in encoding.question.unknowns)
    settings = dict(zip(names, solution.at(encoding.unknowns).tolist(), strict=True))
    return Candidate(settings, float(solution.at(point.state)[-1]), path)


def _ahead(
    encoding: Encoding, inquiry: Inquiry, root: Root, front: Front, *, event: bool
) -> Front | None:
    """(2) The front one step on, its last step merged with the new one if nothing happened."""
    step, merged = encoding.step, front.merged + 1
    time = root.earliest + front.time + step
    formula, point, _ = _stepped(encoding, root, (front.formula, front.point), 1)
    inside = at(encoding, root, point, both(encoding.domain(root.location), encoding.pending))
    lengthened = formula.also(inside)
    if not isinstance(inquiry.satisfy(lengthened, "domain", root.location, time), Satisfied):
        return None
    after = front.time + step
    if event or encoding.pending != TRUE:  # what is pending is looked at behind every step
        return Front(lengthened, point, after, (lengthened, point))
    longer, end, error = _stepped(encoding, root, front.base, merged)
    too_great = Constraint(1 - error / encoding.options.error**2, "<=", "error is too great")
    doubt = longer.also([(too_great,)])
    if merged > 1 and isinstance(inquiry.satisfy(doubt, "error", root.location, time), Satisfied):
        return Front(formula, point, after, (front.formula, front.point), 1)
    return Front(longer, end, after, front.base, merged)


def _stepped(
    encoding: Encoding, root: Root, begin: tuple[Cnf, Point], steps: int
) -> tuple[Cnf, Point, MX]:
    """x⁽ⁱ⁺¹⁾ = ODE(f_s, x⁽ⁱ⁾, steps dt_d), and the square of what it errs by."""
    formula, point = begin
    length = steps * encoding.step
    end, error = encoding.moved(root.location, point, length, steps=steps)
    longer, end_point = encoding.next_point(
        formula, end, point.memory, f"x = ODE(f, x, {length:g})"
    )
    return longer, end_point, error
