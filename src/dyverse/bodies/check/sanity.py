"""What can be wrong with the numbers of a world: not finite, not positive, out of bounds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

import numpy as np

from dyverse.bodies.amounts import (
    LEAST,
    Known,
    amount_problem,
    number,
    short_text,
    span_of,
    unless_finite,
    unless_positive,
    unless_vector,
)
from dyverse.bodies.check.joints import joint_number_problems
from dyverse.bodies.check.planar import facing_problems, leaving_problems
from dyverse.bodies.pairs import Rules
from dyverse.bodies.values import known_values
from dyverse.bodies.world import Body, Law, Parameter, World
from dyverse.errors import Problem, Span
from dyverse.expr.printing import interval_text
from dyverse.expr.requirement import Interval, intervals
from dyverse.expr.switching import Separator
from dyverse.expr.term import Term

ROUNDING = 1e-9  # share of moments of inertia that may come from rounding
MOST_UNLIKE = 1e9  # the factor between the masses of two bodies that may touch
SOME_TIMES = (0.0, 0.3, 1.7)  # s, where motions are looked at
SLIP_SPEEDS = (0.0, 1e-3, 0.01, 0.1, 1.0, 10.0, 100.0)  # m/s, where friction is looked at


def number_problems(world: World, settings: Known) -> Iterator[Problem]:
    """Every number that cannot be; terms with unknown names are passed over."""
    known = known_values(world, settings)
    for parameter in world.parameters:
        yield from _parameter(parameter, known, own=not settings)
    for port in world.inputs:
        if port.limits is not None:
            yield from _range(port.name, port.limits, known, port.span)
    yield from unless_vector(world.gravity, "gravity", known)
    for body in world.bodies:
        yield from _body(body, known)
    yield from facing_problems(world, known)
    for spring in world.springs:
        for word in ("stiffness", "length", "damping"):
            yield from unless_finite(getattr(spring, word), word, known, spring.span)
        if not isinstance(spring.other, str):
            yield from unless_vector(spring.other, "the end of the spring", known)
    for joint in world.joints:
        yield from joint_number_problems(joint, known)
    for rule in world.contacts:
        if rule.law is not None:
            yield from _law(rule.law, known, rule.span)
    yield from _unlike(world, known)
    yield from time_problems(world, known)


def time_problems(world: World, known: Known) -> Iterator[Problem]:
    """Ends and intervals that cannot be."""
    ends = [("horizon", world.horizon)] + [("until", p.until) for p in world.properties]
    for word, term in ends:
        if term is not None:
            yield from unless_positive(term, word, known, None)
    for claim in world.properties:
        for interval in intervals(claim.requirement):
            yield from _interval(interval, known, claim.span)


def _interval(interval: Interval, known: Known, span: Span | None) -> Iterator[Problem]:
    low, high = number(interval.low, known), number(interval.high, known)
    if low is None or high is None:
        return
    text, place = interval_text(interval), span_of(interval.low, span)
    if not (math.isfinite(low) and math.isfinite(high)):
        yield Problem(f"the interval {text} is not finite; without one it is all the time", place)
    elif low < 0:
        past = "what was is said by 'once', 'historically' and 'since'"
        yield Problem(f"the interval {text} begins before now; {past}", place)
    elif low > high:
        yield Problem(f"the interval {text} is upside down; write the earlier time first", place)


def _parameter(parameter: Parameter, known: Known, *, own: bool) -> Iterator[Problem]:
    """``own`` says that the parameters have the model's own values; others may leave the range."""
    name, at, limits = parameter.name, known.get(parameter.name), parameter.limits
    if at is not None and not math.isfinite(at):
        yield Problem(
            f"parameter {name!r} is not a finite number", span_of(parameter.value, parameter.span)
        )
    if limits is None or not own:
        return
    wrong = list(_range(name, limits, known, parameter.span))
    yield from wrong
    low, high = (number(bound, known) for bound in limits)
    if wrong or low is None or high is None or at is None:
        return
    if not low <= at <= high:
        text = f"[{short_text(low)}, {short_text(high)}]"
        message = f"the value {short_text(at)} of {name!r} lies outside its range {text}"
        yield Problem(message, span_of(parameter.value, parameter.span))


def _range(
    name: str, limits: tuple[Term, Term], known: Known, span: Span | None
) -> Iterator[Problem]:
    """What is wrong with a range, whatever it is of."""
    low, high = (number(bound, known) for bound in limits)
    if low is None or high is None:
        return
    place, text = span_of(limits[0], span), f"[{short_text(low)}, {short_text(high)}]"
    if not math.isfinite(low) or not math.isfinite(high):
        yield Problem(f"the range of {name!r} is not finite", place)
    elif low > high:
        swapped = f"[{short_text(high)}, {short_text(low)}]"
        yield Problem(f"the range {text} of {name!r} is upside down; write {swapped}", place)


def _body(body: Body, known: Known) -> Iterator[Problem]:
    owner = f" of body {body.name!r}"
    yield from body.shape.problems(owner, known, body.span)
    amounts = {"mass": body.mass} if body.density is None else {"density": body.density}
    masses = ((word, term) for word, term in amounts.items() if term is not None)
    for word, term in (*masses, *(("inertia", moment) for moment in body.moments)):
        yield from unless_positive(term, f"the {word}{owner}", known, body.span)
    yield from _tensor(body, owner, known)
    for vector in body.driven[not body.moves :] if body.driven else ():
        yield from unless_vector(vector, f"the motion{owner}", {**known, "t": 0.0})
    for vector in body.turned or ():
        yield from unless_vector(vector, f"the turning{owner}", {**known, "t": 0.0})
    yield from _dragging(body, owner, known)
    for word in ("position", "rotation", "velocity", "spin"):
        yield from unless_vector(getattr(body, word), f"the {word}{owner}", known)
    yield from leaving_problems(body, known)


def _dragging(body: Body, owner: str, known: Known) -> Iterator[Problem]:
    """A surface that runs out of itself."""
    if body.drags is None or not body.shape.never_moves:
        return
    for time in SOME_TIMES:
        at = {**known, "t": time}
        runs, normal = ([number(x, at) for x in v] for v in (body.drags, body.shape.numbers))
        pairs = [(a, b) for a, b in zip(runs, normal, strict=True) if a is not None and b]
        if abs(sum(a * b for a, b in pairs)) > ROUNDING * sum(abs(a * b) for a, b in pairs):
            message = f"the surface{owner} drags out of itself; its velocity must be along it"
            yield Problem(message, span_of(body.drags[0], body.span))
            return


def _tensor(body: Body, owner: str, known: Known) -> Iterator[Problem]:
    """Moments of inertia that no distribution of mass has."""
    if not isinstance(body.inertia, tuple):
        return
    numbers = [number(term, known) for term in body.inertia]
    found = [amount for amount in numbers if amount is not None and not amount_problem(amount)]
    if len(found) < len(numbers) or min(found[:3]) <= 0:
        return
    place = span_of(body.inertia[0], body.span)
    small, middle, large = _principal(found)
    if small <= 0:
        yield Problem(f"the inertia{owner} is not positive about every axis", place)
    elif large > (small + middle) * (1 + ROUNDING):
        sizes = f"{short_text(large)} > {short_text(small)} + {short_text(middle)}"
        most = "no moment about a principal axis is greater than the sum of the other two"
        yield Problem(f"the inertia{owner} is that of no body: {most}, and {sizes}", place)


def _principal(numbers: list[float]) -> list[float]:
    """The moments about principal axes, the smallest first."""
    if len(numbers) == 3:
        return sorted(numbers)
    xx, yy, zz, xy, xz, yz = numbers
    found: list[float] = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).tolist()
    return found


def _unlike(world: World, known: Known) -> Iterator[Problem]:
    """Two bodies that may touch and whose masses differ too much, if there are any.

    The heavy one presses on the light one with so much that what is left of its motion, the
    difference of large forces, is behind the last digit: it would sink.
    """
    masses = [(mass, body) for body in world.bodies if (mass := _moving_mass(body, known))]
    heaviest = max((mass for mass, _ in masses), default=0.0)
    lightest = min((mass for mass, _ in masses), default=math.inf)
    light = [(mass, body) for mass, body in masses if mass * MOST_UNLIKE < heaviest]
    heavy = [(mass, body) for mass, body in masses if mass > MOST_UNLIKE * lightest]
    rules = Rules(world)
    for (m, a), (n, b) in product(light, heavy):
        if n > MOST_UNLIKE * m and rules.pair(a, b):
            message = (
                f"the masses of {a.name!r} and {b.name!r} differ by a factor of {n / m:.2g}; "
                f"bodies that touch may differ by {MOST_UNLIKE:g}: let {b.name!r} be fixed"
            )
            yield Problem(message, b.span)
            return


def _moving_mass(body: Body, known: Known) -> float:
    mass = None if body.fixed or body.mass is None else number(body.mass, known)
    is_fine = mass is not None and not amount_problem(mass) and mass >= LEAST
    return mass if mass is not None and is_fine else 0.0


def _law(law: Law, known: Known, span: Span | None) -> Iterator[Problem]:
    for word, low in (("restitution", 0.0), ("tangential_restitution", -1.0)):
        term: Term = getattr(law, word)
        e = number(term, known)
        if e is not None and not low <= e <= 1:
            message = f"{word} is {short_text(e)}; it must lie in [{short_text(low)}, 1]"
            yield Problem(message, span_of(term, span))
    yield from _jumps(law.friction, span)
    for speed in SLIP_SPEEDS:
        mu = number(law.friction, {**known, "slip_speed": speed})
        if mu is not None and not 0 <= mu < math.inf:
            where = f"at a slip speed of {speed:g} m/s"
            message = f"friction is {short_text(mu)} {where}; it must be 0 or more"
            yield Problem(message, span_of(law.friction, span))
            break
    for word, term in (("rolling", law.rolling), ("spinning", law.spinning)):
        rho = number(term, known)
        if rho is not None and not 0 <= rho < math.inf:
            message = f"{word} is {short_text(rho)} m; it must be 0 or more"
            yield Problem(message, span_of(term, span))


def _jumps(friction: Term, span: Span | None) -> Iterator[Problem]:
    """A slip would stay at a jump of friction, and have no friction there."""
    separate = Separator(lambda name: name != "slip_speed")
    separate(friction)
    for switch in separate.switches:
        if switch.jumps:
            hint = "write a steep function without a jump, such as tanh(1000*x) for sign(x)"
            message = f"friction jumps with the slip speed, in {switch.text}; {hint}"
            yield Problem(message, span_of(friction, span))
