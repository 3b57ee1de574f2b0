"""An automaton with unknown numbers as the algorithms see it: expressions at named states.

A `Point` is the state x⁽ⁱ⁾ of every trajectory of a set at once: a real variable that holds the
continuous state and the time. The encoding turns terms and formulas over the automaton's signals
into expressions and clauses over such points, and vector fields into integrators.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca

from dyverse.automaton.guard.robustness import normal
from dyverse.automaton.interface import Edge, HybridAutomaton, Location
from dyverse.automaton.symbolic import SymbolicAutomaton
from dyverse.automaton.written.symbolic import SymbolicWritten
from dyverse.bodies.check.resistance import resistance_place
from dyverse.contact.impacts import NEWTON
from dyverse.errors import ModelError, Problem
from dyverse.expr.formula import FALSE, TRUE, Formula, Not, both, compare, either
from dyverse.expr.requirement import Plain, plain
from dyverse.expr.symbolic import SX, symbolic
from dyverse.expr.term import Number, Term
from dyverse.falsification.paper.integrate import integrator
from dyverse.falsification.question import Question
from dyverse.falsification.satisfy.clauses import Clauses, Translation
from dyverse.falsification.satisfy.cnf import MX, Cnf, Definition, Variable, real
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.parts import parts_of
from dyverse.generation.symbolic.bodies import SymbolicBodies


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How finely to look."""

    steps: int = 40  # in the time of the question: dt_d is its length over this
    hidden: int = 1  # integration steps in each
    error: float = 1e-4  # of a merged step; trajectories that may err more keep their steps
    margin: float = 1e-6  # by which strict relations are closed
    sweep_tolerance: float = 1e-5  # m/s or m/s²: what contact forces may miss their laws by
    sweeps: int = 50  # at most, in one computation node
    spread: int = 4  # trajectories sought at each root, to start later searches from


DEFAULTS = Options()


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """The state and time of all trajectories of a set at one place of their path."""

    state: Variable  # (x, t)
    memory: MX  # what a flow remembers of its start


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Root:
    """The set of trajectories that come to ``location`` by ``path``, in a formula.

    All of them are at ``point`` when they come; none comes before the time ``earliest``.
    """

    location: Location
    formula: Cnf
    point: Point
    earliest: float
    path: tuple[Edge, ...] = ()


class Encoding:
    """The expressions of one question's automaton; functions are made once and kept."""

    def __init__(self, question: Question, options: Options = DEFAULTS) -> None:
        self.question, self.options = question, options
        self.automaton, self.symbols = symbolic_automaton(question)
        self.bodies = parts_of(self.automaton).bodies
        self.unknowns = real("p", question.low, question.high, size=len(question.unknowns))
        self.until = question.until
        self.step = self.until / options.steps  # dt_d
        self._functions: dict[tuple[Location, Term], ca.Function] = {}
        self._integrators: dict[tuple[Location, int], ca.Function] = {}
        self._translations: dict[tuple[Location, Point], Translation] = {}
        self._signals: dict[Location, Mapping[str, SX]] = {}
        self._made = 0

    def start(self) -> Root:
        """Init: the start as a function of the unknowns."""
        symbols = self.symbols
        first = ca.Function("start", [symbols.values], [ca.densify(symbols.start())])
        value = ca.vertcat(first(self.unknowns.symbol), 0)
        begun = Cnf((), (self.unknowns,))
        formula, point = self.next_point(begun, value, self.no_memory, "x = Init(p)")
        location = self.automaton.start().location
        formula = formula.also(self.clauses(self.pending, location, point))
        return Root(location=location, formula=formula, point=point, earliest=0.0)

    def next_point(self, formula: Cnf, value: MX, memory: MX, text: str) -> tuple[Cnf, Point]:
        """A new state that is defined by ``value``."""
        self._made += 1
        state = real(f"x{self._made}", size=self.symbols.state.numel() + 1)
        return formula.also([(Definition(state, value, text),)], [state]), Point(state, memory)

    def elastic(self, longest: float) -> Variable:
        """The length of a step that may be anything from nothing to ``longest``."""
        self._made += 1
        return real(f"h{self._made}", 0.0, longest)

    @property
    def no_memory(self) -> MX:
        """Nothing to remember."""
        return ca.MX.zeros(self.symbols.memory.numel())

    def moved(self, location: Location, point: Point, length: MX, *, steps: int) -> tuple[MX, MX]:
        """ODE(f_s, x, τ) in some hidden steps, and the square of what it errs by."""
        key = location, steps * self.options.hidden
        if key not in self._integrators:
            self._integrators[key] = integrator(self._rate(location), key[1])
        given = ca.vertcat(self.unknowns.symbol, point.memory)
        end, error = self._integrators[key](point.state.symbol, given, length)
        return end, error

    def _rate(self, location: Location) -> ca.Function:
        symbols = self.symbols
        rate = ca.vertcat(symbols.rate(location), 1)
        state = ca.vertcat(symbols.state, symbols.time)
        given = ca.vertcat(symbols.values, symbols.memory)
        return ca.Function("rate", [state, given], [ca.densify(rate)])

    def clauses(self, formula: Formula, location: Location, point: Point) -> Clauses:
        """A formula over the signals of ``location``, at ``point``."""
        return self.translation(location, point).clauses(formula)

    def translation(self, location: Location, point: Point) -> Translation:
        """What turns formulas into clauses there; equal comparisons are one literal."""
        key = location, point
        if key not in self._translations:
            self._translations[key] = Translation(
                lambda term: self.express(term, location, point), margin=self.options.margin
            )
        return self._translations[key]

    def express(self, term: Term, location: Location, point: Point) -> MX:
        """A term over the signals of ``location``, at ``point``."""
        key = location, term
        if key not in self._functions:
            self._functions[key] = self.function(symbolic(term, self.signals(location)))
        return self._functions[key](*self.at(point))

    def rate_of(self, term: Term, location: Location, point: Point) -> MX:
        """The rate of a term along the flow of ``location``, at ``point``."""
        symbols = self.symbols
        expression = symbolic(term, self.signals(location))
        rate = ca.jtimes(expression, symbols.state, symbols.rate(location))
        rate += ca.jacobian(expression, symbols.time)
        return self.function(rate)(*self.at(point))

    def signals(self, location: Location) -> Mapping[str, SX]:
        """Every name that formulas of ``location`` may use."""
        if location not in self._signals:
            self._signals[location] = self.symbols.signals(location)
        return self._signals[location]

    def function(self, expression: SX) -> ca.Function:
        """An expression of the automaton's symbols, to be called with what holds `at` a point."""
        symbols = self.symbols
        arguments = [symbols.time, symbols.state, symbols.values, symbols.memory]
        return ca.Function("value", arguments, [ca.densify(expression)])

    def at(self, point: Point) -> tuple[MX, MX, MX, MX]:
        """Time, state, settings and memory at ``point``: what functions are called with."""
        symbol, size = point.state.symbol, self.symbols.state.numel()
        return symbol[size], symbol[:size], self.unknowns.symbol, point.memory

    def edges(self, location: Location) -> tuple[Edge, ...]:
        """The edges that can be taken at all."""
        edges = self.automaton.outgoing(location)
        return tuple(edge for edge in edges if normal(edge.guard) != FALSE)

    def domain(self, location: Location) -> Formula:
        """Where time passes: in the domain and, since edges are urgent, in no guard."""
        domain = self.automaton.domain(location)
        if self.bodies:
            return domain  # which excludes the guards already
        return both(domain, *(Not(edge.guard) for edge in self.edges(location)))

    @property
    def smooth(self) -> tuple[str, ...]:
        """The contacts without friction."""
        return self.bodies.skeleton.smooth if self.bodies else ()

    @property
    def unsafe(self) -> Formula:
        """Where a trajectory breaks the property in passing, if what it waits for is pending."""
        claim = self._claim
        match claim.kind:
            case "always":
                return Not(claim.formula)
            case "eventually":
                return FALSE
            case "before":
                return both(Not(claim.formula), self.pending)

    @property
    def pending(self) -> Formula:
        """Where what the property waits for is still to come; where it has come, all is well."""
        claim = self._claim
        match claim.kind:
            case "always":
                return TRUE
            case "eventually":
                return Not(claim.formula)
            case "before":
                return Not(claim.goal or TRUE)

    @property
    def _claim(self) -> Plain:
        """The property, which is plain: another one is refused before."""
        found = plain(self.question.system.claim.requirement)
        assert found is not None
        return found

    @property
    def in_time(self) -> Formula:
        """While the property is asked for."""
        return both(*(compare("t", "<=", end) for end in self._ends))

    @property
    def at_end(self) -> Formula:
        """Where the property ends: what is pending then has not happened."""
        return both(self.in_time, either(*(compare("t", "==", end) for end in self._ends)))

    @property
    def _ends(self) -> tuple[Term, ...]:
        """The end of the question, and that of the property, which may depend on unknowns."""
        own = self.question.system.claim.until
        horizon = Number(self.question.until)
        return (horizon,) if own is None or own == horizon else (horizon, own)


def symbolic_automaton(question: Question) -> tuple[HybridAutomaton, SymbolicAutomaton]:
    """The automaton at the model's own numbers, and with its unknowns left open."""
    if plain(question.system.claim.requirement) is None:
        message = "the published method takes always, eventually and before a condition alone"
        raise ModelError([Problem(message, question.system.claim.span)])
    settings = question.at(question.nominal)
    automaton = question.system.automaton(settings)
    names = tuple(unknown.name for unknown in question.unknowns)
    parts = parts_of(automaton)
    if bodies := parts.only_bodies:
        _refuse_other_impacts(bodies)
        _refuse_conditions(bodies)
        _refuse_resistance(bodies)
        return bodies, SymbolicBodies(bodies.world, settings, names)
    if parts.written is not None:
        return automaton, SymbolicWritten(parts.written, names)
    message = "the published method needs rigid bodies or one hand-written automaton"
    raise ModelError([Problem(message)])


def _refuse_other_impacts(automaton: RigidBodyAutomaton) -> None:
    """The clauses of a node are Newton's law at all of its contacts at once."""
    dynamics = automaton.dynamics
    law, one = dynamics.impact, len(dynamics.contacts) == 1
    alone = one and (law.is_newton_alone or dynamics.is_frictionless(0))
    if law is not NEWTON and not alone:
        why = "the published method solves impacts at all contacts at once"
        raise ModelError([Problem(f"{why}; write 'impact newton', or take another method")])


def _refuse_conditions(automaton: RigidBodyAutomaton) -> None:
    """The clauses of a location know no contacts that come and go."""
    if automaton.dynamics.switched.any():
        why = "the published method knows no contacts under a condition"
        raise ModelError([Problem(f"{why}; leave out 'when', or take another method")])


def _refuse_resistance(automaton: RigidBodyAutomaton) -> None:
    """Its clauses know forces at a contact, and no moments."""
    if automaton.dynamics.contacts.follows.any():
        why = "the published method knows no rolling or spinning resistance"
        place = resistance_place(automaton.world)
        raise ModelError([Problem(f"{why}; leave it out, or take another method", place)])
