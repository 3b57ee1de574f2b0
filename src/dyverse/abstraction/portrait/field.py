"""The vector field of one location: in numbers, with its Jacobian, and over boxes.

In comes a hand-written automaton and the name of a location. A field may keep some linear functions
of the state constant: in stick the speed does not change, on a surface s(x) = c·x neither does s.
A run then never leaves its *leaf* C x = constant, and whether an equilibrium attracts is asked
within the leaf. Over boxes, rates and derivatives come as intervals and matrices of balls.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np
from flint import arb_mat
from scipy.linalg import null_space

from dyverse.automaton.guard.robustness import leaves, normal, robustness, staying
from dyverse.automaton.interface import Array, Location
from dyverse.automaton.written.written import WrittenAutomaton, WrittenLocation
from dyverse.enclosure.continuity import may_jump
from dyverse.enclosure.interval import LINE, Interval, enclosure
from dyverse.enclosure.matrix import balls
from dyverse.expr.buffered import Buffered, buffered, column
from dyverse.expr.derivative import derivative
from dyverse.expr.formula import TRUE, Formula
from dyverse.expr.polynomial import Polynomial, TooLongError, cancels, numerators
from dyverse.expr.symbolic import symbolic
from dyverse.expr.term import Number, Term, symbols

Box = tuple[Interval, ...]  # one interval per variable
PHASE = "t modulo the period"  # a variable of forced systems, see `forced`
PERIOD = "period of t"  # a parameter of them
STROBE = "t modulo the period := 0"  # the letter of the edges that set the phase back
Matrix = Array


@dataclass(frozen=True)
class LocationField:
    """dx/dt = f(x) in one location, where the invariant holds and no guard does."""

    automaton: WrittenAutomaton
    location: str

    @cached_property
    def place(self) -> WrittenLocation:
        """The location itself."""
        return next(item for item in self.automaton.locations if item.name == self.location)

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The rate of each variable."""
        rates = {rate.target: rate.value for rate in self.place.rates}
        return tuple(rates.get(name, Number(0.0)) for name in self.automaton.variables)

    @cached_property
    def guards(self) -> tuple[Formula, ...]:
        """What ends the stay, once it holds."""
        edges = (edge for edge in self.automaton.edges if edge.source == self.location)
        return tuple(edge.guard for edge in edges if edge.action != STROBE)

    @cached_property
    def phase(self) -> int | None:
        """Which variable is the phase of a forced system, if it is one."""
        names = self.automaton.variables
        return names.index(PHASE) if PHASE in names else None

    @cached_property
    def depths(self) -> tuple[Term, ...]:
        """The depths of all atoms: of the invariant, then of each guard."""
        return tuple(
            staying(leaf, margin=self.automaton.margin).depth
            for formula in (self.place.invariant, *self.guards)
            for leaf in leaves(normal(formula))
        )

    @cached_property
    def is_autonomous(self) -> bool:
        """Whether rates, invariant and guards are the same at all times."""
        return all(symbol.name != "t" for term in self._all for symbol in symbols(term))

    @property
    def size(self) -> int:
        """The number of variables."""
        return len(self.automaton.variables)

    def rate(self, values: Array) -> Array:
        """f(x)."""
        return self._compiled(values)[0].copy()

    def jacobian(self, values: Array) -> Matrix:
        """∂f/∂x."""
        return self._compiled(values)[1].reshape((self.size, self.size), order="F").copy()

    def depth(self, values: Array) -> Array:
        """The depth of each atom."""
        return self._compiled(values)[2].copy()

    def rate_over(self, box: Box) -> tuple[Interval, ...]:
        """Bounds of f on ``box``."""
        known = self._known(box)
        return tuple(enclosure(term, known) for term in self.terms)

    def slope_over(self, box: Box) -> arb_mat:
        """Bounds of ∂f/∂x on ``box``; none where f may jump."""
        return self._over(self.terms, self._slopes, box)

    def depth_over(self, box: Box) -> tuple[Interval, ...]:
        """Bounds of the depths on ``box``."""
        known = self._known(box)
        return tuple(enclosure(depth, known) for depth in self.depths)

    def depth_slope_over(self, box: Box) -> arb_mat:
        """Bounds of the gradients of the depths, one per row; none where one may jump."""
        return self._over(self.depths, self._depth_slopes, box)

    @cached_property
    def constants(self) -> Matrix:
        """C: the linear functions that the flow keeps, one per row; often none.

        They are read off the coefficients of the rates, so that a rate of 1e-12 is a rate.
        """
        try:
            rates = numerators(self.terms, dict(self.automaton.parameters))
        except TooLongError:
            return np.eye(self.size)[[term == Number(0.0) for term in self.terms]]
        frozen = np.eye(self.size)[[not rate for rate in rates]]
        found = _tidied(frozen, _cancelling(rates))
        return found[[cancels(rates, row) for row in found.tolist()]]

    @cached_property
    def tangent(self) -> Matrix:
        """T: an orthonormal basis of the leaf, one vector per column."""
        if not len(self.constants):
            return np.eye(self.size)
        basis = null_space(self.constants)
        return np.where(np.abs(basis) < 1e-15, 0.0, basis)

    def _over(
        self, terms: tuple[Term, ...], slopes: tuple[tuple[Term, ...], ...], box: Box
    ) -> arb_mat:
        known = self._known(box)
        rows = [
            [LINE] * self.size
            if may_jump(term, known)
            else [enclosure(slope, known) for slope in row]
            for term, row in zip(terms, slopes, strict=True)
        ]
        return balls(rows, self.size)

    def _known(self, box: Box) -> dict[str, Interval]:
        known = {name: (number, number) for name, number in self.automaton.parameters}
        return known | dict(zip(self.automaton.variables, box, strict=True))

    @cached_property
    def _slopes(self) -> tuple[tuple[Term, ...], ...]:
        names = self.automaton.variables
        return tuple(tuple(derivative(term, name) for name in names) for term in self.terms)

    @cached_property
    def _depth_slopes(self) -> tuple[tuple[Term, ...], ...]:
        names = self.automaton.variables
        return tuple(tuple(derivative(depth, name) for name in names) for depth in self.depths)

    @property
    def _all(self) -> tuple[Term, ...]:
        return self.terms + self.depths

    @cached_property
    def _compiled(self) -> Buffered:
        x = ca.SX.sym("x", self.size)
        known = {name: ca.SX(number) for name, number in self.automaton.parameters}
        known |= {name: x[i] for i, name in enumerate(self.automaton.variables)} | {"t": ca.SX(0)}
        field = column([symbolic(term, known) for term in self.terms])
        depths = column([symbolic(depth, known) for depth in self.depths])
        return buffered([x], [field, ca.jacobian(field, x), depths])


class Fields:
    """The fields of an automaton by location, each compiled when it is first asked for."""

    def __init__(self, automaton: WrittenAutomaton) -> None:
        self.automaton = automaton
        self._known: dict[Location, LocationField] = {}

    def __getitem__(self, location: Location) -> LocationField:
        if location not in self._known:
            self._known[location] = LocationField(self.automaton, str(location))
        return self._known[location]

    @cached_property
    def moving(self) -> tuple[int, ...]:
        """The variables that change at all; the others are numbers written as variables."""
        names = self.automaton.variables
        reset = {a.target for edge in self.automaton.edges for a in edge.reset}
        unit = np.eye(len(names))
        kept = [self[place.name].constants for place in self.automaton.locations]
        return tuple(
            n
            for n, name in enumerate(names)
            if name in reset or not all((rows == unit[n]).all(axis=1).any() for rows in kept)
        )


def stays(field: LocationField, values: Array) -> bool:
    """Whether a run at rest at ``values`` stays: the invariant holds and no guard, with room."""
    known = dict(field.automaton.parameters) | {"t": 0.0}
    known |= dict(zip(field.automaton.variables, values.tolist(), strict=True))
    margin = field.automaton.margin
    inside = field.place.invariant == TRUE or robustness(field.place.invariant, known) > margin
    return inside and all(robustness(guard, known) < -margin for guard in field.guards)


def _cancelling(rates: list[Polynomial]) -> Matrix:
    """Sums of the rates that are zero: rows of factors."""
    monomials = dict.fromkeys(monomial for rate in rates for monomial in rate)
    table = np.array([[float(rate.get(m, 0)) for rate in rates] for m in monomials])
    if not len(table):
        return np.eye(len(rates))
    table /= np.abs(table).max(axis=1)[:, None]  # what is slow counts as much as what is fast
    return np.asarray(null_space(table, rcond=1e-12).T)


def _tidied(frozen: Matrix, kept: Matrix) -> Matrix:
    """The frozen variables as they are, and what else is kept, orthonormal to them."""
    if len(kept) <= len(frozen):
        return frozen
    rest = kept - kept @ frozen.T @ frozen
    _, sizes, rows = np.linalg.svd(rest, full_matrices=False)
    return np.vstack((frozen, rows[sizes > 1e-9 * max(sizes.max(), 1e-300)]))
