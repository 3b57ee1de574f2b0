"""Hand-written automata from text: the same values as in `written` and `node`, in fewer words.

Terms and formulas are given in the notation of the model language, assignments as a mapping::

    ball = automaton(
        variables="y v",
        parameters={"g": 9.81, "e": 0.8},
        locations=[location("fall", {"y": "v", "v": "-g"})],
        edges=[edge("fall", "fall", "y <= 0 and v < 0", {"v": "-e*v"}, action="bounce")],
        initial=("fall", {"y": 10}),
    )
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dyverse.automaton.interface import Assignment
from dyverse.automaton.node import ComputationNode, Step, StepFunction
from dyverse.automaton.written.written import Start, WrittenAutomaton, WrittenEdge, WrittenLocation
from dyverse.expr.term import Term, as_term
from dyverse.text.parse import parse_formula, parse_term

Assignments = Mapping[str, str | float]


def term(text: str | float) -> Term:
    """A term from text, or a number."""
    return parse_term(text) if isinstance(text, str) else as_term(text)


def assignments(values: Assignments) -> tuple[Assignment, ...]:
    """``{"v": "-e*v"}`` as assignments that happen at once."""
    return tuple(Assignment(target, term(text)) for target, text in values.items())


def location(
    name: str, rates: Assignments | None = None, *, invariant: str = "true"
) -> WrittenLocation:
    """A dynamical location; variables without a rate stand still."""
    return WrittenLocation(name, assignments(rates or {}), parse_formula(invariant))


def edge(
    source: str,
    target: str,
    guard: str = "true",
    reset: Assignments | None = None,
    *,
    action: str = "",
) -> WrittenEdge:
    """An edge between locations or computation nodes."""
    return WrittenEdge(
        source=source,
        target=target,
        guard=parse_formula(guard),
        reset=assignments(reset or {}),
        action=action,
    )


def node(
    name: str,
    *,
    steps: Mapping[str, Assignments | StepFunction],
    converged: str,
    entrance: Assignments | None = None,
    exit: Assignments | None = None,  # noqa: A002 - the paper's word for it
    local: str = "",
    residual: str | None = None,
    max_sweeps: int = 1000,
) -> ComputationNode:
    """A computation node; each step is a mapping of assignments or a Python function."""
    return ComputationNode(
        name=name,
        steps=tuple(_step(step_name, step) for step_name, step in steps.items()),
        converged=parse_formula(converged),
        local=tuple(local.split()),
        entrance=assignments(entrance or {}),
        exit=assignments(exit or {}),
        residual=None if residual is None else term(residual),
        max_sweeps=max_sweeps,
    )


def _step(name: str, step: Assignments | StepFunction) -> Step:
    return Step(name, assignments(step)) if isinstance(step, Mapping) else Step(name, (), step)


def automaton(
    *,
    variables: str,
    locations: Iterable[WrittenLocation],
    initial: tuple[str, Mapping[str, float]],
    edges: Iterable[WrittenEdge] = (),
    parameters: Mapping[str, float] | None = None,
    nodes: Iterable[ComputationNode] = (),
    name: str = "automaton",
    period: float | None = None,
) -> WrittenAutomaton:
    """The automaton; ``variables`` are names with spaces between them."""
    start, values = initial
    return WrittenAutomaton(
        name=name,
        variables=tuple(variables.split()),
        parameters=tuple((parameters or {}).items()),
        locations=tuple(locations),
        edges=tuple(edges),
        nodes=tuple(nodes),
        initial=Start(start, tuple(values.items())),
        period=period,
    )
