"""Flows enclosed: where a whole box of states may be during a step, and where at its end.

In come the rates of some variables, out go boxes that surely hold every solution. The solution is
a Taylor polynomial whose coefficients are derivatives along the flow, enclosed over the box at the
start; the remainder is enclosed over a box that no solution leaves during the step, found as by
Picard [moore2009]. Where the derivatives end by themselves (constant rates, constant acceleration)
the polynomial is the solution.

Solutions of one equation for one variable never pass each other, so such a variable is followed
from both ends of its interval, and its interval grows no wider than it must.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from dyverse.enclosure.boxes import Box, hull, inflated, within
from dyverse.enclosure.continuity import BROKEN
from dyverse.enclosure.interval import Interval, enclosure
from dyverse.expr.derivative import derivative, product, total
from dyverse.expr.formula import Compare
from dyverse.expr.term import Call, Number, Symbol, Term, children, symbols

ORDER = 12  # of the Taylor polynomial
LARGEST = 600  # parts of a derivative; longer ones end the polynomial earlier
PICARD = 12  # tries to find a box that no solution leaves
REMAINDER = 1e-13  # relative, the most that one step may add
KINKED = ("abs", "max", "min")  # continuous, but with no derivative somewhere


@dataclass(frozen=True, slots=True)
class Series:
    """A variable's derivatives along the flow, each as a term; ``ends`` if the next is zero."""

    terms: tuple[Term, ...]
    ends: bool
    alone: bool  # its rate depends on no moving variable but itself


@dataclass(frozen=True, slots=True)
class Step:
    """Where solutions may be during a step, and at its end."""

    during: Box
    end: Box


class Motion:
    """The flow of one location, ready to be followed."""

    def __init__(self, rates: Mapping[str, Term]) -> None:
        self.rates = {name: rate for name, rate in rates.items() if rate != Number(0.0)}
        self.breaks = any(_calls(rate, BROKEN, self.rates) for rate in self.rates.values())
        self._series = {name: _series(name, self.rates) for name in self.rates}

    def is_continuous(self, comparison: Compare) -> bool:
        """Whether both sides change continuously with time."""
        return not any(_calls(t, BROKEN, self.rates) for t in (comparison.left, comparison.right))

    def step(self, box: Box, length: float) -> Step | None:
        """``length`` (s) of the flow from ``box``; nothing if the step is too long to enclose."""
        around = self._around(box, length)
        if around is None:
            return None
        end, during = dict(box), dict(box)
        for name, series in self._series.items():
            rest = _remainder(series, around, (length, length))
            if not rest[1] - rest[0] <= REMAINDER * (1 + abs(box[name][0]) + abs(box[name][1])):
                return None
            end[name] = _solution(name, series, box, around, (length, length))
            during[name] = _solution(name, series, box, around, (0.0, length))
        ways = {name: enclosure(rate, during) for name, rate in self.rates.items()}
        for name, way in ways.items():
            during[name], end[name] = (_one_way(box[name], x[name], way) for x in (during, end))
        return Step(during, end)

    def _around(self, box: Box, length: float) -> Box | None:
        """A box that no solution from ``box`` leaves within ``length``."""
        if all(series.ends for series in self._series.values()):
            return box  # the polynomial is the solution, wherever it goes
        guess = dict(box)
        for _ in range(PICARD):
            new = dict(box)
            for name, rate in self.rates.items():
                known = {"x": box[name], "f": enclosure(rate, guess), "h": (0.0, length)}
                new[name] = enclosure(_PICARD, known)
                if not (self._series[name].ends or all(map(math.isfinite, new[name]))):
                    return None
            if all(within(new[name], guess[name]) for name in self.rates):
                return new
            guess = {name: inflated(hull(guess[name], new[name]), 0.1) for name in box}
        return None


_PICARD: Term = Symbol("x") + Symbol("f") * Symbol("h")


def _series(name: str, rates: Mapping[str, Term]) -> Series:
    """The derivatives of a variable, until they are zero or grow too long."""
    read = {symbol.name for symbol in symbols(rates[name])} & set(rates)
    terms = [rates[name]]
    while len(terms) < ORDER and not _calls(terms[-1], KINKED, rates):
        following = total(
            *(product(derivative(terms[-1], other), rate) for other, rate in rates.items())
        )
        if following == Number(0.0):
            return Series(tuple(terms), ends=True, alone=read <= {name})
        if _size(following) > LARGEST:
            break
        terms.append(following)
    return Series(tuple(terms), ends=False, alone=read <= {name})


def _calls(term: Term, functions: tuple[str, ...], moving: Mapping[str, Term]) -> bool:
    """Whether one of ``functions`` is applied to something that moves."""
    own = isinstance(term, Call) and term.function in functions
    if own and any(symbol.name in moving for symbol in symbols(term)):
        return True
    return any(_calls(child, functions, moving) for child in children(term))


def _size(term: Term) -> int:
    return 1 + sum(map(_size, children(term)))


def _one_way(start: Interval, later: Interval, rate: Interval) -> Interval:
    """What only rises is never below its start, what only falls never above; but for rounding."""
    low = max(later[0], start[0]) if rate[0] >= 0 else later[0]
    return low, min(later[1], start[1]) if rate[1] <= 0 else later[1]


def _remainder(series: Series, around: Box, at: Interval) -> Interval:
    """The part of the last derivative, which may be anything that it is on the way."""
    if series.ends:
        return 0.0, 0.0
    known = {"c": enclosure(series.terms[-1], around), "h": at}
    return enclosure(_last(len(series.terms)), known)


@cache
def _last(order: int) -> Term:
    return Symbol("c") * Symbol("h") ** order / float(math.factorial(order))


def _ends(box: Box, name: str) -> list[Box]:
    low, high = box[name]
    return [{**box, name: (end, end)} for end in dict.fromkeys((low, high))]


def _solution(name: str, series: Series, box: Box, around: Box, at: Interval) -> Interval:
    """Where a variable is at some times."""
    rest = _remainder(series, around, at)
    starts = _ends(box, name) if series.alone else [box]
    return hull(*(_polynomial(name, series, start, rest, at) for start in starts))


def _polynomial(name: str, series: Series, start: Box, rest: Interval, at: Interval) -> Interval:
    """The Taylor polynomial at some times, with its remainder."""
    terms = series.terms if series.ends else series.terms[:-1]
    known = {f"c{k}": enclosure(term, start) for k, term in enumerate(terms, 1)}
    return enclosure(_horner(len(terms)), {**known, "c0": start[name], "h": at, "rest": rest})


@cache
def _horner(order: int) -> Term:
    """``c0 + h (c1 + h/2 (c2 + h/3 (…))) + rest``."""
    found: Term = Symbol(f"c{order}")
    for k in range(order - 1, -1, -1):
        found = Symbol(f"c{k}") + Symbol("h") / float(k + 1) * found
    return found + Symbol("rest")
