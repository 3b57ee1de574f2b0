"""Drafts of proofs: runs at all points of a grid, made into the legs that a certificate claims.

Everything here is computed in floats and proves nothing. A draft that cannot be made says why
(`Undrafted`): then the box has to be divided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import casadi as ca
import numpy as np
from scipy.linalg import expm

from dyverse.automaton.guard.robustness import fold
from dyverse.automaton.interface import Array
from dyverse.automaton.network.moves import Move
from dyverse.certificate.automata import Here, key_of
from dyverse.certificate.bodies import Bodies, ImpactLaw
from dyverse.certificate.file import (
    Broken,
    Change,
    End,
    Graze,
    Impact,
    Jump,
    Leg,
    Modes,
    Rest,
    Then,
)
from dyverse.certificate.jumping import assignment
from dyverse.certificate.place import Place
from dyverse.certificate.rest import is_rolling
from dyverse.certificate.system import System
from dyverse.enclosure.front import Step
from dyverse.enclosure.program import Program, program
from dyverse.expr.symbolic import SX
from dyverse.proving.blows import impulses_of, kicked
from dyverse.proving.course import DEGREE, Course, Undrafted
from dyverse.proving.floats import run
from dyverse.proving.grid import Grid
from dyverse.proving.pacing import SPAN, Pacing
from dyverse.proving.reduction import struck
from dyverse.proving.skeleton import Happening

LONGER = 1e-3  # of its last leg, by which a proof goes beyond the end
EARLIER = 1e-3  # of a step, by which a proof of failure stays before its end
ROUNDS = 5
ROOM = 1.5  # for states while impacts accumulate, as multiple of what they may need
NEARLY_NOTHING = 1e-30
BEFORE, AFTER = 1.1, 8.0  # how long a graze is followed, in the time that its least gap takes
SHORTEST = 1e-6  # time that it is followed (s)
NOISE = 1e-12  # of margins
CLOSER = 2  # times that a property is looked at, the second time where it is clearest
BETWEEN = "border: between two outcomes of an impact"
LOOKED_AT = np.linspace(-1.0, 1.0, 17)


class Draft:
    """One draft: the states of all runs of a grid, carried from leg to leg."""

    def __init__(
        self,
        system: System,
        grid: Grid,
        values: Array,
        span: float = SPAN,
        *,
        divides: bool = False,
    ) -> None:
        self._system, self._grid, self._values = system, grid, values
        self._pacing = Pacing(values, span)
        self._may_divide = divides  # whether an impact may have several outcomes
        self.forks: list[int] = []  # the numbers of these impacts, among all that happens
        self._never = False  # whether the last one has its outcome in no run
        self._states = run(system.start, values)[0]
        until, fixed = system.question.until, system.claim.fixed
        own = run(system.until, values)[0][0] if until is None or fixed else float(until)
        self._end = np.broadcast_to(own, len(grid))
        self._clock = 0.0  # when the last thing happened in the run by which a draft is made (s)
        self._here: Here | None = None
        if system.automata is not None:
            self._here = system.automata.start(lambda start: self._whole([start])[0])
        self._late = 0.0  # how much earlier than said runs may be where impacts accumulated (s)
        self._fine = 0.0  # how long the next step is (s), if that matters
        self._count = 0  # of what has happened
        self._kept = True  # whether no run has broken the property so far

    @property
    def until(self) -> float:
        """How far the run goes by which a draft is made."""
        return float(self._end.max())

    @property
    def _bodies(self) -> Bodies:
        assert self._system.bodies is not None
        return self._system.bodies

    def influence(self) -> Array:
        """How much each unknown moves the last states that are known, (unknowns,)."""
        coefficients = self._grid.coefficients(self._states)
        sizes = np.abs(coefficients[:, self._grid.linear])
        return np.asarray((sizes / (1e-12 + np.abs(self._states).max(axis=1)[:, None])).sum(axis=0))

    def begin(self, states: Array, here: Here | None) -> None:
        """Begin elsewhere: (states,), the same in all runs."""
        self._states, self._here = np.repeat(states[:, None], len(self._grid), axis=1), here

    @property
    def states(self) -> Array:
        """The last states that are known, (states, runs)."""
        return self._states

    @property
    def here(self) -> Here | None:
        """Where the automata are."""
        return self._here

    def towards(self, place: Place, closing: str, time: float) -> tuple[Step, ...]:
        """The steps to where a signal comes to zero, at about this time."""
        courses, _ = self._stretch(place, Happening((), time, closing))
        self._states, self._clock = courses[-1].end, time
        return self._steps(place, courses)

    def legs(self, happenings: Iterable[Happening]) -> Iterator[Leg]:
        """The legs of a proof of safety, or, where all runs break the property, of that."""
        for self._count, happening in enumerate(happenings):
            place, modes = (
                self._system.place(happening.modes, self._here),
                self._modes(happening.modes),
            )
            if happening.move is not None and happening.time <= self._clock:
                yield Leg(modes, (), self._jump(place, happening.move, ""))
                continue
            if happening.closing and happening.time <= self._clock:
                raise Undrafted("unsupported: bodies and automata act on each other at once")
            if happening.grazes:
                yield self._graze(place, happening, modes)
                continue
            courses, closing = self._stretch(place, happening)
            for k, course in enumerate(courses):
                if (time := self._broken(place, course)) is not None:
                    steps = self._steps(place, courses[: k + 1])
                    yield Leg(modes, steps, Broken(time))
                    return
            self._states, self._clock = courses[-1].end, happening.time
            if closing is None and not self._kept:
                raise Undrafted("border: some runs break the property, others do not")
            before, steps = self._states, self._steps(place, courses)
            yield Leg(modes, steps, self._then(place, happening, closing))
            if self._never:
                return
            if happening.rests:
                yield Leg(self._modes(()), (), self._rest(happening, before))

    def _modes(self, contacts: Modes) -> Modes:
        """The location of a leg."""
        automata = self._system.automata
        if automata is None or self._here is None:
            return contacts
        return (*contacts, *automata.pairs(self._here))

    def _stretch(self, place: Place, happening: Happening) -> tuple[list[Course], str | None]:
        """The steps to where a signal comes to zero, and which one, or to the end."""
        start = self._states[-1]
        if happening.closing is None and happening.move is None:
            beyond = start.max() + np.ptp(start) + 1e-6  # runs may begin after the end
            length = np.maximum(self._end, beyond) + self._late - start
            length *= 1 + LONGER
        else:
            length = np.full(len(start), happening.time - start.mean())
        head = self._head(place, length)
        length = length - sum(2 * c.pace for c in head)
        courses, pace = self._pacing.paced(place, self._states, length, head)
        if happening.closing is None and happening.move is None:
            return [*courses, self._next(place, courses, pace)], None
        closing = happening.closing or self._met(place, happening, courses, pace)
        return [*courses, self._pacing.last(place, closing, self._after(courses), pace)], closing

    def _met(self, place: Place, happening: Happening, courses: list[Course], pace: Array) -> str:
        """The atom of a jump's guards that is met at about this time."""
        automata, move = self._system.automata, happening.move
        assert automata is not None
        assert move is not None
        key, end = key_of(automata.trigger(move)), self._next(place, courses, pace).end
        late: dict[str, float] = {}
        for name in place.atoms:
            if name.startswith(f"{key}, "):
                value, rate = (self._at(place.derivative(name, k), end)[0] for k in (0, 1))
                if (rate < 0).all():
                    late[name] = float(np.median(np.abs(value / rate)))
        if not late:
            raise Undrafted("grazing: a guard is not surely met")
        return min(late, key=lambda name: late[name])

    def _jump(self, place: Place, move: Move, closing: str) -> Jump:
        """All runs after a jump of automata."""
        automata, frame = self._system.automata, self._system.frame
        assert automata is not None
        assert self._here is not None
        changes = automata.changes(move, place.table)
        whole = [name for name in changes if name in automata.whole]
        numbers = self._whole([changes[name] for name in whole], self._states)
        law = assignment(frame, changes)
        self._here = automata.after(self._here, move, dict(zip(whole, numbers, strict=True)))
        nothing = np.zeros((0, len(self._grid)))
        self._states = run(law.after, self._states, self._values, nothing)[0]
        edges = tuple(half.number for half in move.halves)
        return Jump(closing, edges, tuple(map(self._polynomial, self._states)))

    def _whole(self, expressions: list[SX], states: Array | None = None) -> list[int]:
        """Whole numbers, as they are in the first run."""
        frame = self._system.frame
        state = np.zeros((frame.state.numel(), len(self._grid))) if states is None else states
        column = ca.vertcat(ca.SX(0, 1), *expressions)
        found = run(program([frame.state, frame.values], [column]), state, self._values)[0]
        return [round(float(row[0])) for row in found]

    def _head(self, place: Place, length: Array) -> list[Course]:
        """Short steps after a graze, each twice as long as the one before: much is unknown then."""
        found: list[Course] = []
        time, self._fine = self._fine, 0.0
        left = float(length.min())
        while time and 3 * time < left:
            found.append(self._next(place, found, np.full_like(length, time / 2)))
            left, time = left - time, 2 * time
        return found

    def _next(self, place: Place, courses: list[Course], pace: Array) -> Course:
        return self._pacing.step(place, self._after(courses), pace)

    def _after(self, courses: Sequence[Course]) -> Array:
        """Where runs are after some steps."""
        return courses[-1].end if courses else self._states

    def _at(self, program: Program, states: Array) -> Array:
        return self._pacing.at(program, states)

    def _broken(self, place: Place, course: Course) -> float | None:
        """When all runs of a step break the property at once, if they do: where it is clearest."""
        start, pace = course.start[-1], course.pace
        last = float(((self._end - start) / pace).min()) - 1 - EARLIER
        if last <= -1:
            return None
        last = min(last, 1 - EARLIER)  # where a step ends something else may happen
        times = np.append(LOOKED_AT[last > LOOKED_AT], last)
        best, clearest = np.inf, -1.0
        for _ in range(CLOSER):
            margins = self._margins(place, course.at(times))
            self._kept &= bool((margins >= -NOISE).all())
            worst = margins.max(axis=1)
            k = int(worst.argmin())
            if worst[k] < best:
                best, clearest = float(worst[k]), float(times[k])
            near = times[max(k - 1, 0)], times[min(k + 1, len(times) - 1)]
            times = np.linspace(*near, len(LOOKED_AT))
        return clearest if best < -NOISE else None

    def _margins(self, place: Place, states: Array) -> Array:
        """How deep inside the property states are, (times, runs)."""
        conditions = place.conditions[True]
        depths, claim = self._at(conditions.depths, states), conditions.listed[-1]
        atoms = iter([depths[i] for i, _ in claim.atoms])
        found: Array = fold(
            claim.formula, lambda _: next(atoms), np.minimum.reduce, np.maximum.reduce
        )
        return found

    def _then(self, place: Place, happening: Happening, closing: str | None) -> Then:
        if closing is None:
            return End()
        if happening.move is not None:
            return self._jump(place, happening.move, closing)
        if not happening.pattern:
            return Change(closing)
        law = struck(self._bodies, happening.pattern)
        guess = np.array(happening.impulses)[list(law.moving)]
        impulses = impulses_of(law, guess, self._states, self._values)
        signs, (self._states, *_) = (
            run(law.signs, self._states, self._values, impulses)[0],
            run(law.law.after, self._states, self._values, impulses),
        )
        if not (signs[:-1] > 0).all():
            if not self._divides(law):
                raise Undrafted(BETWEEN)
            self.forks.append(self._count)
            self._never = bool((signs[:-1] < 0).all(axis=1).any())
        listed = zip(law.moving, map(self._polynomial, impulses), strict=True)
        after = tuple(map(self._polynomial, self._states))
        return Impact(closing, happening.pattern, tuple(listed), after)

    def _divides(self, law: ImpactLaw) -> bool:
        """Whether each outcome of an impact may be followed on its own."""
        return self._may_divide and len(law.pattern) == 1 and law.is_plane

    def _rest(self, happening: Happening, before: Array) -> Rest:
        """Where states are when impacts have accumulated, and how far they may be from there."""
        assert happening.closing is not None
        place = self._system.place((), self._here)
        ((contact, word),) = happening.pattern
        law = struck(self._bodies, ((contact, "stick"),))
        after, nothing = self._states, np.zeros((len(law.moving), len(self._grid)))
        fast, slow, fall = (
            self._at(place.derivative(happening.closing, order), states)[0]
            for states, order in ((before, 1), (after, 1), (after, 2))
        )
        if not ((fall < 0).all() and (slow < -fast).all()):
            raise Undrafted("too wide: impacts do not surely accumulate")
        speeds = slow / (1 + slow / fast)
        time = -2 * speeds / fall
        G, mu = run(self._bodies.shape((contact,)), after, self._values)
        rolls = is_rolling(self._bodies, place, contact, word == "stick")
        mu = mu[0] * (not rolls)
        weights = np.array([np.ones_like(mu) if i == 0 else mu for i in law.moving])
        kicks = run(law.law.slopes, after, self._values, nothing)[3]
        kicks = np.abs(kicks.reshape(len(law.moving), len(after), -1)) * weights[:, None, :]
        kicked = kicks.sum(axis=0) * (1 - slow / fast) * speeds / G[0]
        rates = np.abs(self._at(place.field.rate, after))
        slopes = np.abs(self._at(place.field.jacobian, after))
        slopes = slopes.reshape(len(after), len(after), -1)  # listed column by column
        reach = np.full(len(after), NEARLY_NOTHING)
        for _ in range(ROUNDS):
            ways = time * (rates + np.einsum("jir,j->ir", slopes, reach)) + kicked
            reach = ROOM * ways.max(axis=1) + NEARLY_NOTHING
        halted = impulses_of(law, np.zeros(len(law.moving)), before, self._values) / (
            1 - slow / fast
        )
        self._states = run(law.law.after, before, self._values, halted)[0]
        self._states[-1] += time / 2
        self._late += float(2 * reach[-1])
        polynomials = tuple(map(self._polynomial, self._states))
        return Rest(contact, law.moving, tuple(reach.tolist()), polynomials)

    def _graze(self, place: Place, happening: Happening, modes: Modes) -> Leg:
        """Free flight past where a gap is least; how much a light impact there would change."""
        gap, length = happening.closing, np.full(len(self._grid), happening.time)
        assert gap is not None
        length = length - self._states[-1]
        for _ in range(ROUNDS):
            courses, pace = self._pacing.paced(place, self._states, length)
            end = self._next(place, courses, pace).end
            depth, rate, bend = (self._at(place.derivative(gap, k), end)[0] for k in range(3))
            if not (bend > 0).all():
                raise Undrafted("grazing: a gap has no least value")
            length = length - rate / bend
        wait = BEFORE * np.sqrt(2 * max(0.0, -float(depth.min())) / bend.min()) + SHORTEST
        if not (length > 2 * wait).all():
            raise Undrafted("too wide: a graze lasts too long")
        courses, pace = self._pacing.paced(place, self._states, length - wait)
        courses = [*courses, self._next(place, courses, pace)]
        window = self._next(place, courses, np.full_like(pace, (1 + AFTER) * wait / 2))
        speed = -self._at(place.derivative(gap, 1), courses[-1].end)[0].min()
        ((contact, _),) = happening.pattern
        found = [
            kicked(self._bodies, contact, states, self._values, speed)
            for states in (window.start, window.end)
        ]
        moving, kicks = found[0][0], np.maximum(found[0][1], found[1][1])
        slopes = np.abs(self._at(place.field.jacobian, window.start))
        slopes = slopes.reshape(len(kicks), len(kicks), -1).max(axis=2).T
        grown = expm(slopes * (1 + AFTER) * wait) @ kicks
        reach = tuple((ROOM * grown + NEARLY_NOTHING).tolist())
        steps = self._steps(place, [*courses, window])
        self._states, self._clock = window.end, float(window.end[-1].mean())
        self._fine = wait
        return Leg(modes, steps, Graze(contact, moving, reach))

    def _steps(self, place: Place, courses: Iterable[Course]) -> tuple[Step, ...]:
        return tuple(self._step(place, course) for course in courses)

    def _step(self, place: Place, course: Course) -> Step:
        states = self._grid.coefficients(course.powers(place.field.rate, self._values))
        listed = tuple(tuple(rows.ravel().tolist()) for rows in states)
        return Step(DEGREE, self._polynomial(course.pace), listed)

    def _polynomial(self, numbers: Array) -> tuple[float, ...]:
        return tuple(self._grid.coefficients(numbers).tolist())
