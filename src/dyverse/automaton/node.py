"""Computation nodes: any iterative algorithm as places, guards and resets.

The papers have nodes that find impulses and contact forces, and name others, such as the synaptic
currents of a neuronal network. Here a node is a value that anyone can write down: an entrance with
the initial guess, the steps of one sweep, a test of convergence, and an exit with the result. For n
steps the places are ``en``, ``1`` … ``n+1``, ``ex``, as in the nodes of rigid bodies:

- en → 1: the initial guess;
- k → k+1: step k of a sweep;
- n+1 → 1 while the test fails, n+1 → ex when it holds, with the reset that brings the result out.

A run passes through in no time. Going along these edges one by one (`walk`) and the fast way
through (`dyverse.automaton.sweeping`) give the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from dyverse.automaton.interface import Assignment
from dyverse.expr.formula import TRUE, Formula, Not
from dyverse.expr.term import Term
from dyverse.expr.value import holds, value

ENTRANCE = "en"
EXIT = "ex"

Known = Mapping[str, float]
StepFunction = Callable[[Known], Known]


@dataclass(frozen=True, slots=True)
class NodePlace:
    """A place in the computation node ``node``: entrance ``en``, step ``1`` …, exit ``ex``."""

    node: str
    place: str

    def __str__(self) -> str:
        return f"{self.node}.{self.place}"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a sweep: ``assignments`` that happen at once, or a ``function`` beyond terms.

    The function is given every name (variables, parameters, local variables, ``t``) with its number
    and returns new numbers for some variables or local variables. Give it a name at the top of a
    module, and the automaton can be sent to other processes.
    """

    name: str
    assignments: tuple[Assignment, ...] = ()
    function: StepFunction | None = None

    def changes(self, known: Known) -> dict[str, float]:
        """The new numbers."""
        if self.function is not None:
            return dict(self.function(known))
        return assigned(self.assignments, known)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeEdge:
    """A jump inside a node; its ``step`` is the reset, or a function where no reset can say it."""

    source: NodePlace
    target: NodePlace
    guard: Formula
    step: Step

    @property
    def reset(self) -> tuple[Assignment, ...]:
        """What it changes; empty where the step is a function."""
        return self.step.assignments


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputationNode:
    """An iterative algorithm: sweep over ``steps`` until ``converged``.

    ``local`` variables exist only inside the node; the entrance gives each its first value. Steps
    and exit may assign the automaton's variables. A visit reports ``residual`` as the error.
    """

    name: str
    steps: tuple[Step, ...]
    converged: Formula
    local: tuple[str, ...] = ()
    entrance: tuple[Assignment, ...] = ()
    exit: tuple[Assignment, ...] = ()
    residual: Term | None = None
    max_sweeps: int = 1000

    @property
    def test(self) -> str:
        """The place of the convergence test, n + 1."""
        return str(len(self.steps) + 1)

    def at(self, place: str) -> NodePlace:
        """The location at ``place``."""
        return NodePlace(self.name, place)

    def places(self) -> tuple[NodePlace, ...]:
        """Entrance, steps, test, exit."""
        numbers = range(1, len(self.steps) + 2)
        return tuple(map(self.at, (ENTRANCE, *map(str, numbers), EXIT)))

    def outgoing(self, place: str) -> tuple[NodeEdge, ...]:
        """The edges from ``place`` to other places of this node; from the exit there is none."""
        if place == EXIT:
            return ()
        if place == ENTRANCE:
            return (self._edge(place, "1", Step("initial guess", self.entrance)),)
        if place == self.test:
            return (
                self._edge(place, "1", Step("repeat"), Not(self.converged)),
                self._edge(place, EXIT, Step("converged", self.exit), self.converged),
            )
        return (self._edge(place, str(int(place) + 1), self.steps[int(place) - 1]),)

    def _edge(self, source: str, target: str, step: Step, guard: Formula = TRUE) -> NodeEdge:
        return NodeEdge(source=self.at(source), target=self.at(target), guard=guard, step=step)


def assigned(assignments: tuple[Assignment, ...], known: Known) -> dict[str, float]:
    """The new numbers of ``assignments``; all happen at once, from the numbers before."""
    return {assignment.target: value(assignment.value, known) for assignment in assignments}


def walk(node: ComputationNode, known: Known) -> Iterator[tuple[NodePlace, dict[str, float]]]:
    """Go through ``node`` edge by edge, by guards and resets alone.

    Yields each place with all numbers there, from the entrance to the exit, or to the test that
    failed after ``max_sweeps`` sweeps.
    """
    place, numbers, sweeps = ENTRANCE, dict(known), 0
    yield node.at(place), numbers
    while place != EXIT:
        edge = next(e for e in node.outgoing(place) if holds(e.guard, numbers))
        sweeps += place == node.test
        if edge.target.place != EXIT and sweeps == node.max_sweeps:
            return
        numbers = numbers | edge.step.changes(numbers)
        place = edge.target.place
        yield edge.target, numbers
