"""On which side of its jumps a vector field is taken, and what holds on a jump itself.

In comes a field that depends on the values of some functions that switch
(`dyverse.expr.switching`); out go their values from a point on. Away from its jumps each function
has one value. Where a switching function s is zero, its rate decides. Let the value be
m = -1 … 1 between its two sides, and s' = c + B m along the field, with one row and column for each
function that is at its jump:

- s' > 0 with m = 1: the run goes to the upper side; s' < 0 with m = -1: to the lower one;
- s' = 0 with -1 <= m <= 1: it stays on the jump, which the field points to from both sides. Its
  value is then the one that keeps it there, m = -B⁻¹ c: the equivalent control of [utkin1992], for
  fields that are linear in m the solution of [filippov1988]. It *slides*, until m leaves [-1, 1].

A torque ``-c*sign(w)`` on a body at rest slides: its value is what balances the other torques.
Where a field points away from a jump on both sides, a run that begins exactly there follows what
is written, ``sign(0) = 0``, ``floor(n) = n`` and what ``if x >= 0`` chooses at zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array, State
from dyverse.automaton.memory import Flags
from dyverse.automaton.offering import offers
from dyverse.expr.switching import Kind, Switch

TOUCH = 1e-12  # a switching function this close to zero is at zero
HELD = 1e-9  # and one that rests there by what is written has left it when it is this far
ZERO = 1e-10  # share of the largest rate below which a rate is none
LINEAR = 1e-6  # the same, by which a field may differ from one that is linear in m
STILL = 1e-9  # 1/s: a function of loads on bodies that changes more slowly stays
SWEEPS = 500
MOMENT = 1e-6  # s: what does not move now has by then; what is not seen by then hardly moves,
LATER = 1e-4  # and may by then
NONE: Array = np.empty(0)
Places = NDArray[np.intp]


class Field(Protocol):
    """A vector field with some functions that switch; ``sides`` are their values."""

    @property
    def switches(self) -> Sequence[Switch]:
        """Those functions, in the order of their values."""

    def rate(self, time: float, values: Array, sides: Array) -> Array:
        """The vector field."""

    def surfaces(
        self, time: float, values: Array, sides: Array, rate: Array
    ) -> tuple[Array, Array]:
        """The switching functions, and how fast they change where the field is ``rate``."""


@runtime_checkable
class Loaded(Protocol):
    """A field of bodies: contacts may hold them still, and leave rounding errors of rates."""

    @property
    def loaded(self) -> int:
        """How many of the functions, the first ones, are of loads on bodies."""


class UndecidedError(Exception):
    """There is no side to go on, or the field is not ``linear``: the functions that jump here."""

    def __init__(self, switches: Sequence[Switch], *, linear: bool) -> None:
        self.switches, self.linear = tuple(switches), linear
        super().__init__(", ".join(switch.text for switch in switches))


class Equivalent(NamedTuple):
    """A point of a field whose functions partly slide."""

    sides: Array  # the value of each function
    rate: Array
    inner: Array  # m of those that slide


def literal(field: Field, time: float, values: Array) -> Array:
    """The value of each function as it is written."""
    count = len(field.switches)
    return _literal(field, time, values, np.zeros(count), np.zeros(count, dtype=bool))


def _literal(field: Field, time: float, values: Array, sides: Array, fixed: Flags) -> Array:
    """The same of those functions whose ``sides`` are not fixed."""
    kinds = [switch.kind for switch in field.switches]
    for _ in kinds:  # later functions may use the values of earlier ones
        found = _functions(field, time, values, sides)
        fresh = np.array([_written(kind, s) for kind, s in zip(kinds, found, strict=True)])
        fresh = np.where(fixed, sides, fresh)
        if np.array_equal(fresh, sides, equal_nan=True):
            break
        sides = fresh
    return sides


def _functions(field: Field, time: float, values: Array, sides: Array) -> Array:
    """The switching functions where others have these values."""
    known = equivalent(field, time, values, sides).sides if np.isnan(sides).any() else sides
    return field.surfaces(time, values, known, np.zeros(len(values)))[0]


def _written(kind: Kind, s: float) -> float:
    match kind:
        case Kind.SIGN:
            return float(np.sign(s))
        case Kind.FLOOR:
            return float(np.floor(s))
        case _:
            return 1.0 if s >= 0 else -1.0


def decided(field: Field, time: float, values: Array, crossed: Sequence[int] = ()) -> Array:
    """The value of each function from this point on; not a number for those that slide.

    Those in ``crossed`` are at zero, whatever rounding has made of it. A function of another that
    jumps here is looked at when that other is known: it may be far from its own jump then.
    """
    count = len(field.switches)
    leaps = np.array([switch.jumps for switch in field.switches])
    sides, fixed, sure = np.zeros(count), np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
    sure[list(crossed)] = True
    while True:
        sides = _literal(field, time, values, sides, fixed)
        found = _functions(field, time, values, sides)
        jumps = np.array([_jump(f.kind, s) for f, s in zip(field.switches, found, strict=True)])
        at = ~fixed & (sure | (np.abs(found - jumps) <= TOUCH * (1 + np.abs(jumps))))
        here = np.flatnonzero(at & leaps)
        if not here.size:
            break
        if np.isnan(sides).any():
            raise UndecidedError([field.switches[i] for i in here.tolist()], linear=False)
        follows = _followers(field, time, values, sides, here, jumps)
        if not follows[here].all():
            here = here[~follows[here]]
        sides[here] = _resolved(field, time, values, sides, here, (found - jumps)[here])
        fixed[here], sure = True, sure & ~follows
    if (bent := np.flatnonzero(at & ~leaps)).size:
        sides[bent] = _bent(field, time, values, sides, bent)
    return sides


def _followers(
    field: Field, time: float, values: Array, sides: Array, here: Places, jumps: Array
) -> Flags:
    """Which functions change where one of those ``here``, at their jumps, changes sides."""
    follows = np.zeros(len(sides), dtype=bool)
    middle, half = _ends(field, here, jumps[here])
    for i, centre, way in zip(here.tolist(), middle.tolist(), half.tolist(), strict=True):
        ends = []
        for value in (centre - way, centre + way):
            own = sides.copy()
            own[i] = value
            ends.append(_functions(field, time, values, own))
        follows |= ends[0] != ends[1]
    return follows


def _bent(field: Field, time: float, values: Array, sides: Array, here: Places) -> Array:
    """Kinks go the way their functions move; those that hardly do are looked at a moment later.

    By then they have not left zero by what is seen. One that turns back until then would be found
    to sink at once, for ever.
    """
    speeds, rate = _speeds(field, time, values, sides)
    found, pace = np.sign(speeds[here]), np.abs(speeds[here])
    found, slow = np.where(pace > 0, found, sides[here]), pace * MOMENT <= TOUCH
    if not slow.any() or np.isnan(sides).any():
        return found
    fastest, sides = float(pace[slow].max()), sides.copy()
    moment = min(TOUCH / fastest, LATER) if fastest > 0 else MOMENT
    sides[here] = found
    speeds, _ = _speeds(field, time + moment, values + moment * rate, sides)
    return np.where(slow & (speeds[here] != 0), np.sign(speeds[here]), found)


def _jump(kind: Kind, s: float) -> float:
    """Where the nearest jump of a switching function is."""
    return float(np.round(s)) if kind is Kind.FLOOR else 0.0


def _ends(field: Field, here: Places, jumps: Array) -> tuple[Array, Array]:
    """The middle between the two values of each function at its jump, and half their distance."""
    floors = np.array([field.switches[i].kind is Kind.FLOOR for i in here.tolist()])
    return np.where(floors, jumps - 0.5, 0.0), np.where(floors, 0.5, 1.0)


def _speeds(field: Field, time: float, values: Array, sides: Array) -> tuple[Array, Array]:
    """How fast the switching functions change, and the field; those that slide stay."""
    found = equivalent(field, time, values, sides)
    return field.surfaces(time, values, found.sides, found.rate)[1], found.rate


def _resolved(
    field: Field, time: float, values: Array, sides: Array, here: Places, offset: Array
) -> Array:
    """The values of the functions ``here``, which are at their jumps but for ``offset``."""
    local = _Local(field, time, values, sides, here)
    m, slides = _between(local, np.sign(offset))
    if slides.any() or len(here) > 1:
        local.check(m)
    m = np.where(slides, m, local.later(m))
    return np.where(slides, np.nan, local.middle + local.half * m)


class _Local:
    """s' = c + B m at one point, for the functions that are at their jumps there."""

    def __init__(
        self, field: Field, time: float, values: Array, sides: Array, here: Places
    ) -> None:
        self.field, self.here = field, here
        self._at, self._sides = (time, values), sides.copy()
        still = np.zeros(len(values))
        known = np.where(np.isnan(sides), 0.0, sides)
        found = field.surfaces(time, values, known, still)[0][here]
        kinds = [field.switches[i].kind for i in here.tolist()]
        jumps = np.array([_jump(kind, s) for kind, s in zip(kinds, found, strict=True)])
        self.middle, self.half = _ends(field, here, jumps)
        self.base, self.c = self._point(np.zeros(len(here)))
        columns = [self._point(one) for one in np.eye(len(here))]
        self.by = [rate - self.base for rate, _ in columns]
        self.B = np.array([speed - self.c for _, speed in columns]).reshape(len(here), -1).T
        self.scale = np.abs(self.c) + np.abs(self.B).sum(axis=1)
        self.least = STILL * (here < (field.loaded if offers(field, Loaded) else 0))
        self.zero = np.maximum(ZERO * self.scale, self.least)

    @property
    def switches(self) -> tuple[Switch, ...]:
        """The functions."""
        return tuple(self.field.switches[i] for i in self.here.tolist())

    def _point(self, m: Array, moment: float = 0.0) -> tuple[Array, Array]:
        """The field and the speeds with these values, or those a moment later."""
        time, values = self._at
        self._sides[self.here] = self.middle + self.half * m
        rate = self.field.rate(time, values, self._sides)
        if moment:
            time, values = time + moment, values + moment * rate
            rate = self.field.rate(time, values, self._sides)
        return rate, self.field.surfaces(time, values, self._sides, rate)[1][self.here]

    def later(self, m: Array) -> Array:
        """Values of functions that hardly move now, by how they move a moment later.

        One that then moves the same way whatever its value is goes that way: it has touched its
        jump and turned back, or passes it slowly.
        """
        found = m.copy()
        for i, own in enumerate(np.diag(self.B).tolist()):
            fastest = abs(self.c[i] + self.B[i] @ m - own * m[i]) + abs(own)
            if own < -self.zero[i] or fastest * MOMENT > TOUCH:
                continue
            moment = min(TOUCH / fastest, LATER) if fastest > 0 else MOMENT
            ways = {self._way(m, i, value, moment) for value in (-1.0, 1.0)}
            found[i] = next(iter(ways)) or m[i] if len(ways) == 1 else m[i]
        return found

    def _way(self, m: Array, i: int, value: float, moment: float) -> float:
        """Where function ``i`` with a value goes a moment later; zero if it hardly moves then."""
        own = m.copy()
        own[i] = value
        speed = self._point(own, moment)[1][i]
        return float(np.sign(speed)) if abs(speed) > max(TOUCH, self.least[i]) else 0.0

    def check(self, m: Array) -> None:
        """Refuse a field that is not linear in m: there is no one value that keeps it there."""
        most = np.maximum(LINEAR * self.scale, self.least)
        if not (np.abs(self._point(m)[1] - self.c - self.B @ m) <= most).all():
            raise UndecidedError(self.switches, linear=False)


def _between(local: _Local, offset: Array) -> tuple[Array, Flags]:
    """Between which values each function is, m, and which of them slide."""
    c, B, zero = local.c, local.B, local.zero
    written = np.array([0.0 if s.kind is Kind.SIGN else 1.0 for s in local.switches])
    begun = np.where(offset != 0, offset, written)
    pulls = np.diag(B) < -zero  # towards the jump from both sides
    m = np.where(pulls, 0.0, begun)
    for _ in range(SWEEPS):
        before = m.copy()
        for i in range(len(m)):
            m[i] = _one(c[i] + B[i] @ m - B[i, i] * m[i], B[i, i], zero[i], begun[i], written[i])
        if np.abs(m - before).max(initial=0.0) <= 1e-15:
            break
    slides = pulls & (np.abs(m) < 1)
    if slides.any():
        rest = c[slides] + B[np.ix_(slides, ~slides)] @ m[~slides]
        m[slides] = np.linalg.lstsq(B[np.ix_(slides, slides)], -rest, rcond=None)[0]
    speed = c + B @ m
    wrong = (np.abs(m) > 1 + ZERO) | (pulls & ~slides & (m * speed < -zero))
    wrong |= slides & (np.abs(speed) > zero)
    if wrong.any():
        raise UndecidedError(local.switches, linear=True)
    return m, slides


def _one(rest: float, own: float, zero: float, begun: float, written: float) -> float:
    """The same for one function, the others given: s' = rest + own m."""
    if own < -zero:
        return min(max(-rest / own, -1.0), 1.0)
    ends = rest - own, rest + own
    if min(ends) > zero or max(ends) < -zero:
        return 1.0 if min(ends) > zero else -1.0
    if max(map(abs, ends)) <= zero:
        return written  # it stays on the jump whatever its value is
    speed = rest + own * begun
    return begun if abs(speed) <= zero else float(np.sign(speed))


def equivalent(field: Field, time: float, values: Array, sides: Array) -> Equivalent:
    """The field where those functions that have no number as value slide."""
    here = np.flatnonzero(np.isnan(sides))
    if not here.size:
        return Equivalent(sides, field.rate(time, values, sides), np.empty(0))
    local = _Local(field, time, values, sides, here)
    m = np.linalg.lstsq(local.B, -local.c, rcond=None)[0]
    rate = local.base + sum(by * share for by, share in zip(local.by, m, strict=True))
    full = sides.copy()
    full[here] = local.middle + local.half * m
    return Equivalent(full, np.asarray(rate), m)


def values_at(field: Field, state: State) -> Array:
    """The values at a state of functions that switch: on its sides, or from this point on."""
    if not field.switches:
        return NONE
    time, values = state.time, state.values
    try:
        sides = np.array(sides_of(field, state))
        return equivalent(field, time, values, sides).sides
    except UndecidedError:
        return literal(field, time, values)


def sides_of(field: Field, state: State) -> tuple[float, ...]:
    """The sides that a state names, if it was on them in this field, or those that it decides."""
    if len(state.sides) == len(field.switches):
        return state.sides
    return tuple(decided(field, state.time, state.values).tolist())


def owners(field: Field) -> tuple[int, ...]:
    """Which function each signal belongs to: one each, but two for a floor, below and above."""
    counts = (1 + (switch.kind is Kind.FLOOR) for switch in field.switches)
    return tuple(i for i, count in enumerate(counts) for _ in range(count))


def signals(
    field: Field, time: float, values: Array, sides: Array, found: Equivalent
) -> tuple[Array, Array]:
    """The signals of all functions, positive until they switch, and their rates where known."""
    s, speed = field.surfaces(time, values, found.sides, found.rate)
    inner = iter(found.inner.tolist())
    pairs: list[tuple[float, float]] = []
    for i, switch in enumerate(field.switches):
        left = 1 - abs(next(inner)) if np.isnan(sides[i]) else np.nan
        pairs += _signals(switch.kind, sides[i], s[i], speed[i], left)
    return np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])


def _signals(
    kind: Kind, side: float, s: float, speed: float, left: float
) -> list[tuple[float, float]]:
    """Of one function; ``left`` is how far one that slides is from leaving its jump."""
    if np.isnan(side):
        return [(left, np.nan)] * (1 + (kind is Kind.FLOOR))
    if kind is Kind.FLOOR:
        return [(s - side, speed), (side + 1 - s, -speed)]
    if abs(side) < 1:  # it rests on its jump by what is written
        return [(HELD - abs(s), -float(np.sign(s)) * speed)]
    return [(side * s, side * speed)]
