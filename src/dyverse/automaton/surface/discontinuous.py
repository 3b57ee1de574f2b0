"""Systems with a surface of discontinuity as hybrid automata. [carter2011] Fig. 2

In come two vector fields f₊ and f₋ that meet on s(x) = 0, read as |s| ≤ δ; out goes a hand-written
automaton with five locations: slip on either side, stick on the surface, and the transitions from
stick to slip. Its edges have the letters

- ``a``: |s| ≤ δ and the surface holds the run, onto the surface: s := 0
- ``b``: |s| ≤ δ and the run is drawn upwards
- ``c``: |s| ≤ δ and it is drawn downwards
- ``d``: s > δ, or s < -δ on the other side.

Which of these it is follows from the fields on both sides (`dyverse.automaton.surface.surface`), or
from the equivalent control u if it is given: |u| ≤ 1, u > 1 and u < -1.

The paper has no edges across the surface: a run that reaches the band in slip⁺ and is drawn
downwards has nowhere to go. The rules ``complete`` add them, ``paper`` leave them out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from dyverse.automaton.interface import Assignment
from dyverse.automaton.network.component import Component, NetworkEdge, Place
from dyverse.automaton.surface.surface import (
    Meeting,
    Normal,
    Rates,
    meeting,
    meeting_by_control,
    normal_of,
)
from dyverse.automaton.written.written import Start, WrittenAutomaton, WrittenEdge, WrittenLocation
from dyverse.errors import ModelError, Problem, did_you_mean
from dyverse.expr.derivative import derivative, product, quotient, total
from dyverse.expr.formula import FALSE, Compare, Formula, both
from dyverse.expr.polynomial import is_same
from dyverse.expr.rewrite import rewritten
from dyverse.expr.term import Call, Number, Symbol, Term, negate, symbols
from dyverse.expr.value import value

Rules = Literal["complete", "paper"]

SLIP_PLUS, SLIP_MINUS, STICK = "slip_plus", "slip_minus", "stick"  # q1, q2, q3 of the paper
TRANS_MINUS, TRANS_PLUS = "trans_minus", "trans_plus"  # q4, q5
LOCATIONS = (SLIP_PLUS, SLIP_MINUS, STICK, TRANS_MINUS, TRANS_PLUS)
CROSSINGS = (
    (SLIP_PLUS, TRANS_MINUS),
    (SLIP_MINUS, TRANS_PLUS),
    (TRANS_PLUS, TRANS_MINUS),
    (TRANS_MINUS, TRANS_PLUS),
)
WIDTH = Number(1e-6)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscontinuousSystem:
    """Two vector fields and the surface between them: a value, checked when built.

    What is left out follows from the fields: the control and the sliding field from staying on the
    surface, the fields of the transitions from their side.
    """

    name: str = "system"
    variables: tuple[str, ...]
    parameters: tuple[tuple[str, float], ...] = ()
    limits: tuple[tuple[str, tuple[float, float]], ...] = ()  # of some parameters
    surface: Term  # s
    width: Term = WIDTH  # δ
    along: str = ""  # the variable that the reset s := 0 changes; left out, one that s names
    above: Rates  # f₊, where s > 0
    below: Rates  # f₋, where s < 0
    sliding: Rates | None = None  # on the surface
    rising: Rates | None = None  # from the surface to above
    falling: Rates | None = None  # from the surface to below
    control: Term | None = None  # u
    period: Term | None = None  # after which what depends on t repeats (s)
    initial: Start

    def __post_init__(self) -> None:
        if problems := [Problem(message) for message in _problems(self)]:
            raise ModelError(problems, file=self.name)

    @property
    def moved(self) -> str:
        """The variable that the reset changes."""
        named = [symbol.name for symbol in symbols(self.surface)]
        return self.along or next(name for name in self.variables if name in named)

    @property
    def normal(self) -> Normal:
        """How s changes on both sides."""
        return normal_of(self.surface, self.above, self.below, dict(self.parameters))

    @property
    def equivalent_control(self) -> Term:
        """u, with which the first derivative of s that depends on it is zero, if not given."""
        return self.normal.control if self.control is None else self.control

    @property
    def meeting(self) -> Meeting:
        """What happens in the band about the surface."""
        if self.control is not None:
            return meeting_by_control(self.control, self.normal, dict(self.parameters))
        return meeting(self.normal, self.above, self.below, self.width)

    @property
    def rates(self) -> dict[str, Rates]:
        """The vector field of each location."""
        return {
            SLIP_PLUS: self.above,
            SLIP_MINUS: self.below,
            STICK: self._sliding() if self.sliding is None else self.sliding,
            TRANS_MINUS: self.below if self.falling is None else self.falling,
            TRANS_PLUS: self.above if self.rising is None else self.rising,
        }

    def _sliding(self) -> Rates:
        control = self.equivalent_control
        return tuple(
            Assignment(name, _between(_rate(self.above, name), _rate(self.below, name), control))
            for name in self.variables
            if _rate(self.above, name) != Number(0.0) or _rate(self.below, name) != Number(0.0)
        )


def discontinuous_automaton(
    system: DiscontinuousSystem, *, rules: Rules = "complete"
) -> WrittenAutomaton:
    """The hybrid automaton of one surface of discontinuity. [carter2011] Fig. 2"""
    return WrittenAutomaton(
        name=system.name,
        variables=system.variables,
        parameters=system.parameters,
        locations=locations_of(system),
        edges=tuple(edges_of(system, rules)),
        initial=system.initial,
        period=period_of(system),
    )


def surface_component(system: DiscontinuousSystem) -> Component:
    """The same as one automaton of a network, without numbers; edges are in the same order.

    Beside the surface |s| is s or -s, as the invariant says, so that rates are smooth there.
    """
    sides = {SLIP_PLUS: system.surface, SLIP_MINUS: negate(system.surface)}
    places = (
        Place(name=p.name, rates=_beside(p, system, sides.get(p.name)), invariant=p.invariant)
        for p in locations_of(system)
    )
    edges = (
        NetworkEdge(
            source=str(e.source), target=str(e.target), guard=e.guard, reset=e.reset, name=e.action
        )
        for e in edges_of(system, "complete")
    )
    return Component(
        name=system.name,
        places=tuple(places),
        edges=tuple(edges),
        initial=system.initial.location,
    )


def _beside(place: WrittenLocation, system: DiscontinuousSystem, side: Term | None) -> Rates:
    if side is None:
        return place.rates
    size, known = Call("abs", (system.surface,)), side
    return tuple(
        replace(rate, value=rewritten(rate.value, lambda term: known if term == size else term))
        for rate in place.rates
    )


def period_of(system: DiscontinuousSystem) -> float | None:
    """The period as a number."""
    return None if system.period is None else value(system.period, dict(system.parameters))


def ruled(automaton: WrittenAutomaton, rules: Rules) -> WrittenAutomaton:
    """The automaton of a system with surfaces, by other rules; any other one as it is."""
    places = {part for place in automaton.locations for part in place.name.split(",")}
    if rules == "complete" or places != set(LOCATIONS):
        return automaton
    return replace(automaton, edges=tuple(e for e in automaton.edges if not _crosses(e)))


def _crosses(edge: WrittenEdge) -> bool:
    """Whether an edge leads across a surface; a name has a part for each of several."""
    moves = zip(str(edge.source).split(","), str(edge.target).split(","), strict=True)
    return any(move in CROSSINGS for move in moves)


def locations_of(system: DiscontinuousSystem) -> tuple[WrittenLocation, ...]:
    """The five locations; Dom is the side of the surface, or the band around it and the way."""
    meets, band, zero = system.meeting, _band(system), Number(0.0)
    domains = {
        SLIP_PLUS: Compare(">=", system.surface, zero),
        SLIP_MINUS: Compare("<=", system.surface, zero),
        STICK: both(band, meets.slides),
        TRANS_MINUS: both(band, meets.falling),
        TRANS_PLUS: both(band, meets.rising),
    }
    rates = system.rates
    return tuple(WrittenLocation(name, rates[name], domains[name]) for name in LOCATIONS)


def edges_of(system: DiscontinuousSystem, rules: Rules) -> Iterator[WrittenEdge]:
    """The edges, with the letters a, b, c, d as actions."""
    s, width, meets, band = system.surface, system.width, system.meeting, _band(system)
    for source in (SLIP_PLUS, SLIP_MINUS, TRANS_MINUS, TRANS_PLUS):
        if meets.onto != FALSE:
            onto = tuple(_onto(system))
            yield _edge(source, STICK, "a", both(band, meets.onto), reset=onto)
    yield _edge(STICK, TRANS_PLUS, "b", both(band, meets.off_up))
    yield _edge(STICK, TRANS_MINUS, "c", both(band, meets.off_down))
    yield _edge(TRANS_PLUS, SLIP_PLUS, "d", Compare(">", s, width))
    yield _edge(TRANS_MINUS, SLIP_MINUS, "d", Compare("<", s, product(-1.0, width)))
    if rules == "complete":
        yield _edge(SLIP_PLUS, TRANS_MINUS, "c", both(band, meets.down))
        yield _edge(SLIP_MINUS, TRANS_PLUS, "b", both(band, meets.up))
        if meets.turns:
            yield _edge(TRANS_PLUS, TRANS_MINUS, "c", both(band, meets.down))
            yield _edge(TRANS_MINUS, TRANS_PLUS, "b", both(band, meets.up))


def _band(system: DiscontinuousSystem) -> Formula:
    s, width = system.surface, system.width
    return both(Compare("<=", s, width), Compare(">=", s, product(-1.0, width)))


def _edge(source: str, target: str, letter: str, guard: Formula, reset: Rates = ()) -> WrittenEdge:
    return WrittenEdge(source=source, target=target, guard=guard, reset=reset, action=letter)


def _onto(system: DiscontinuousSystem) -> Iterator[Assignment]:
    """Set s := 0 by one Newton step in one variable: exact where s is affine, else to O(δ²).

    On a surface of relative degree 2, s := 0 and s' := 0 by one step in two variables.
    """
    first, zeros = system.moved, (system.surface, *system.normal.shared)
    if system.control is not None or len(zeros) == 1:
        yield _newton(first, system.surface, derivative(system.surface, first))
        return
    s, speed = zeros[:2]
    for second in system.variables:
        (a, b), (c, d) = ([derivative(z, name) for name in (first, second)] for z in (s, speed))
        det = total(product(a, d), product(-1.0, b, c))
        if second != first and not is_same(det, Number(0.0), dict(system.parameters)):
            yield _newton(first, total(product(s, d), product(-1.0, b, speed)), det)
            yield _newton(second, total(product(a, speed), product(-1.0, c, s)), det)
            return


def _newton(name: str, above: Term, below: Term) -> Assignment:
    if quotient(above, below) == Symbol(name):
        return Assignment(name, Number(0.0))
    return Assignment(name, total(Symbol(name), product(-1.0, quotient(above, below))))


def _rate(rates: Rates, name: str) -> Term:
    return next((rate.value for rate in rates if rate.target == name), Number(0.0))


def _between(up: Term, down: Term, control: Term) -> Term:
    """``((f₊ + f₋) + u (f₊ - f₋))/2``"""
    if up == down:
        return up
    return product(0.5, total(up, down, product(control, total(up, product(-1.0, down)))))


def _problems(system: DiscontinuousSystem) -> Iterator[str]:
    variables, named = system.variables, [symbol.name for symbol in symbols(system.surface)]
    if not any(name in variables for name in named):
        yield "the surface depends on no variable"
    elif system.along and system.along not in named:
        hint = did_you_mean(system.along, named)
        yield f"the surface does not depend on {system.along!r}, which the reset changes{hint}"
    elif system.along and system.along not in variables:
        yield f"{system.along!r}, which the reset changes, is not a variable"
    if isinstance(system.width, Number) and not system.width.value > 0:
        yield f"the width of the surface must be positive, not {system.width.value:g}"
    known = dict(system.parameters)
    for name, (low, high) in system.limits:
        if name not in known:
            yield f"limits of an unknown parameter {name!r}{did_you_mean(name, known)}"
        elif not low <= known[name] <= high:
            yield f"parameter {name!r} is {known[name]:g}, outside its limits [{low:g}, {high:g}]"
