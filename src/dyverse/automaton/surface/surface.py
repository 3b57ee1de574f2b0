"""How a run meets a surface s(x) = 0: it crosses, it slides along it, or it is pushed off.

In come two fields f₊ and f₋ and s; out go the conditions, as formulas, under which each of these
happens. They are read off the first derivative of s along the flow that differs on the two sides;
its order r is the relative degree of the surface.

- r = 1: s' = n₊ above and n₋ below. Where n₊ ≤ 0 ≤ n₋ both sides push onto the surface, and the run
  slides [filippov1988] §4; where both have one sign it crosses; where n₋ < 0 < n₊ both push it off,
  and what happens to a run on the surface is not determined: it cannot stay.
- r = 2: s' is the same on both sides, so a run with s' ≠ 0 crosses. Where s' = 0 and
  n₊ < 0 < n₋, now of s'', it goes round the point s = s' = 0 in ever the same direction. From
  s' = w it comes back, once round, with w + 2/3 w² (g₋/n₋² - g₊/n₊²) + O(w³), where g is s''' along
  each field: so it is drawn in if g₊/n₊² > g₋/n₋², exponentially and with ever shorter arcs. An
  oscillation that fits into |s| ≤ δ counts as sliding.
- r > 2: the run crosses; nothing holds it on the surface [johansson1999].

The control with which x' = ((f₊ + f₋) + u (f₊ - f₋))/2 keeps s⁽ʳ⁾ = 0 is u = (n₊ + n₋)/(n₋ - n₊).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dyverse.automaton.interface import Assignment
from dyverse.enclosure.interval import enclosure
from dyverse.expr.derivative import derivative, product, quotient, total
from dyverse.expr.formula import FALSE, Compare, Formula, Or, both
from dyverse.expr.polynomial import gathered, is_same
from dyverse.expr.term import CONSTANTS, Number, Term, symbols

Rates = tuple[Assignment, ...]
ZERO, ONE, MINUS = Number(0.0), Number(1.0), Number(-1.0)
ANYWHERE = (-1e6, 1e6)  # where it is asked whether sides part


@dataclass(frozen=True, slots=True)
class Meeting:
    """What happens in the band |s| ≤ δ, and under which condition."""

    onto: Formula  # the run begins to slide
    slides: Formula  # it may go on sliding
    up: Formula  # it crosses from below
    down: Formula  # it crosses from above
    off_up: Formula  # it ends to slide, upwards
    off_down: Formula
    rising: Formula  # it may be on its way up through the band
    falling: Formula
    turns: bool = False  # whether it can turn round in the band


@dataclass(frozen=True, slots=True)
class Normal:
    """The derivatives of s along two fields, to the first order at which they differ."""

    shared: tuple[Term, ...]  # s', s'', …, the same along both
    above: Term  # n₊
    below: Term  # n₋

    @property
    def degree(self) -> int:
        """r, the order at which they differ."""
        return len(self.shared) + 1

    @property
    def control(self) -> Term:
        """u, with which this derivative is zero."""
        difference = total(self.below, product(-1.0, self.above))
        return quotient(total(self.above, self.below), difference)


def along(term: Term, rates: Rates) -> Term:
    """∇s·f + ∂s/∂t, how fast ``term`` grows along a field."""
    parts = (product(derivative(term, rate.target), rate.value) for rate in rates)
    return total(*parts, derivative(term, "t"))


def normal_of(surface: Term, above: Rates, below: Rates, known: Mapping[str, float]) -> Normal:
    """How s changes on both sides; ``known`` are the numbers of the parameters."""
    shared: list[Term] = []
    names = {rate.target for rate in (*above, *below)}
    up, down = along(surface, above), along(surface, below)
    while is_same(up, down, known) and len(shared) < len(names):
        shared.append(up)
        up, down = along(shared[-1], above), along(shared[-1], below)
    return Normal(tuple(shared), up, down)


def meeting(normal: Normal, above: Rates, below: Rates, width: Term) -> Meeting:
    """The conditions, from the normal components on both sides."""
    return _first(normal) if normal.degree == 1 else _higher(normal, above, below, width)


def meeting_by_control(control: Term, normal: Normal, known: Mapping[str, float]) -> Meeting:
    """The conditions where the control u is given: |u| ≤ 1 holds, as far as the sides do not part.

    [carter2011] Fig. 2
    """
    up, down = Compare(">", control, ONE), Compare("<", control, MINUS)
    held = both(Compare("<=", control, ONE), Compare(">=", control, MINUS))
    if normal.degree == 1 and _may_part(normal, known):
        held = both(held, Compare("<=", normal.above, normal.below))
    rising, falling = Compare(">=", control, ONE), Compare("<=", control, MINUS)
    return Meeting(held, held, up, down, up, down, rising, falling)


def _may_part(normal: Normal, known: Mapping[str, float]) -> bool:
    """Whether n₊ > n₋ somewhere, as far as can be seen: then both sides may push it off."""
    difference = gathered(total(normal.above, product(-1.0, normal.below)), known)
    box = {symbol.name: ANYWHERE for symbol in symbols(difference) if symbol.name not in CONSTANTS}
    return enclosure(difference, box)[1] > 0


def _first(normal: Normal) -> Meeting:
    n_plus, n_minus = normal.above, normal.below
    held = both(Compare("<=", n_plus, ZERO), Compare(">=", n_minus, ZERO))
    up = both(Compare(">", n_plus, ZERO), Compare(">=", n_minus, ZERO))
    down = both(Compare("<=", n_plus, ZERO), Compare("<", n_minus, ZERO))
    rising, falling = Compare(">=", n_plus, ZERO), Compare("<=", n_minus, ZERO)
    return Meeting(held, held, up, down, up, down, rising, falling)


def _higher(normal: Normal, above: Rates, below: Rates, width: Term) -> Meeting:
    speed, leaving, thin = normal.shared[0], _first(normal), product(-1.0, width)
    still = both(Compare("<=", speed, width), Compare(">=", speed, thin))
    drawn, held = _round(normal, above, below, width) if normal.degree == 2 else (FALSE, FALSE)
    return Meeting(
        onto=drawn,
        slides=held,
        up=Compare(">", speed, ZERO),
        down=Compare("<", speed, ZERO),
        off_up=Or((Compare(">", speed, width), both(still, leaving.up))),
        off_down=Or((Compare("<", speed, thin), both(still, leaving.down))),
        rising=Compare(">=", speed, ZERO),
        falling=Compare("<=", speed, ZERO),
        turns=True,
    )


def _round(normal: Normal, above: Rates, below: Rates, width: Term) -> tuple[Formula, Formula]:
    """Where an oscillation about s = s' = 0 fits into the band and dies out, or does not grow."""
    speed, n_plus, n_minus = normal.shared[0], normal.above, normal.below
    g_plus, g_minus = along(n_plus, above), along(n_minus, below)
    gain = total(product(g_minus, n_plus**2), product(-1.0, g_plus, n_minus**2))
    small = (Compare("<=", speed**2, product(width, side)) for side in (-n_plus, n_minus))
    fits = both(*small)
    return both(fits, Compare("<", gain, ZERO)), both(fits, Compare("<=", gain, ZERO))
