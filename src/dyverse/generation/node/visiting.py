"""Passing through a computation node on numbers: impacts and contact forces.

The node's places, guards and resets are in `dyverse.generation.skeleton.places`; walking through
them one by one gives the same forces, and a test says so. Here the sweeps run on arrays, contacts
that share no body are solved apart, and the fallback of `dyverse.contact.law.solve` may step in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array, State, Visit
from dyverse.contact.law.impact import ImpactSolution
from dyverse.contact.law.lcp import paradoxical
from dyverse.contact.law.problem import (
    ContactProblem,
    Inconsistent,
    NotConverged,
    Solved,
    contact_problem,
    scale,
)
from dyverse.contact.law.sequence import Endless
from dyverse.contact.law.solve import Options, solve
from dyverse.generation.balance.balance import contact_balance
from dyverse.generation.balance.distribution import Distribution
from dyverse.generation.naming import hit_of
from dyverse.generation.node.jamming import JAMS, jam
from dyverse.generation.skeleton.location import Node
from dyverse.generation.tolerances import Tolerances
from dyverse.mechanics.contacts import HEAP
from dyverse.mechanics.dynamics import (
    NO_FORCE,
    Closed,
    Dynamics,
    correction,
    held_rows,
    led,
    local_forces,
    world_forces,
)

Indices = NDArray[np.intp]
Answer = ImpactSolution | Solved | NotConverged | Inconsistent | Endless
ABOUT = 1.1  # times a speed: less is about the same
PASSABLE = 1e3  # times the tolerance of accelerations: forces are taken if no others are found
ROUNDING = 1e-13  # share of the largest below which a constraint is redundant for sure
LONGER = (
    4.0  # times longer, from one to the next, are the ways that slips of a heap are let go in vain
)
LOOSER = 9  # so often
LOOSEST = 1e5  # times more that forces of a heap may leave of accelerations then
JAMMED = "impact without collision"
SLOW = 1e-2  # m/s: only rebounds slower than this are asked whether they are the last


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Found:
    """Impulses or forces of all contacts of a node, put together from its islands."""

    forces: Array
    sweeps: int = 0
    residual: float = 0.0
    method: str = "sorprox"
    failure: str | None = None
    remarks: tuple[str, ...] = ()
    lost: tuple[int, ...] = ()  # places of contacts of islands for which none were found


def visit_impact(dynamics: Dynamics, tolerances: Tolerances, state: State) -> Visit:
    """Impulses at all contacts of the node, and the velocities after them.

    [navarro2018] §3.7: q̇ := q̇ + M⁻¹(W_N Λ_N + W_T Λ_T), by the world's law of impact. Contacts that
    touch and part stand by, for the impact may push them together.
    """
    node = _node(state)
    contacts = touching(dynamics, tolerances, node.contacts, state.values)
    closed = dynamics.close(contacts, state.values)
    part = np.arange(len(contacts)) < len(node.contacts)
    pairs = [dynamics.contacts.pairs[c] for c in contacts]
    e_N = np.array([pair.restitution for pair in pairs])
    e_T = np.array([pair.tangential_restitution for pair in pairs])
    if not dynamics.impact.keeps:
        e_N, e_T = part * e_N, part * e_T
    found = _struck(dynamics, tolerances, closed, e_N, e_T)
    values = state.values.copy()
    normals = 3 * np.flatnonzero(part)  # what touches within the tolerance now touches
    dynamics.shift(values, -correction(closed, normals, closed.gap[part]))
    values[dynamics.layout.v] += closed.MW @ found.forces.ravel()
    rest = _at_rest(dynamics, tolerances, closed, part, e_N, state.time, values)
    after = State(state.time, replace(node, place="ex"), rest.values, rest.held)
    names = dynamics.contacts.names
    rested = tuple(names[c] for c, ends in zip(contacts, rest.rested, strict=True) if ends)
    visit = _visit(dynamics, state, after, closed, found)
    return replace(visit, accumulates=rest.accumulates, rested=rested)


def touching(
    dynamics: Dynamics, tolerances: Tolerances, names: tuple[str, ...], values: Array
) -> tuple[int, ...]:
    """The contacts ``names`` of an impact node, and behind them bystanders: they touch and part."""
    own = tuple(dynamics.contacts.index[name] for name in names)
    gap, _ = dynamics.contacts.approach(values)
    others = np.flatnonzero(gap <= tolerances.gap).tolist()
    return (*own, *(contact for contact in others if contact not in own))


def _struck(
    dynamics: Dynamics, tolerances: Tolerances, closed: Closed, e_N: Array, e_T: Array
) -> Found:
    """Impulses by the law of impact, where some contact of an island approaches."""
    struck, rubs = approach(closed), ~closed.follows

    def island(members: Indices, matrix: Array) -> Answer:
        contacts = tuple(closed.contacts[k] for k in members.tolist())
        return dynamics.impact.solve(
            matrix,
            struck[members],
            e_N[members],
            e_T[members],
            lambda slips: rubs[members] * dynamics.frictions(contacts, slips),
            noise=tolerances.speed,
        )

    hit = np.asarray(struck[:, 0] < -tolerances.speed)
    found = _by_islands(dynamics, closed, closed.delassus, island, involved=hit)
    one = dynamics.impact.is_one or found.failure
    return found if one else replace(found, method=dynamics.impact.name)


def approach(closed: Closed) -> Array:
    """γ as an impact meets it, (n, 3): nothing resists turning in no time."""
    return np.where(closed.follows[:, None], 0.0, closed.speed)


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """The state after an impact, and which contacts bounced their last."""

    values: Array
    rested: NDArray[np.bool_]
    accumulates: float | None = None  # when (s)
    held: Mapping[str, Array] = field(default_factory=dict)  # forces that drive contacts together


def _at_rest(
    dynamics: Dynamics,
    tolerances: Tolerances,
    closed: Closed,
    part: NDArray[np.bool_],
    e: Array,
    time: float,
    values: Array,
) -> Rest:
    """The Zeno guard: contacts whose bouncing is over keep no normal speed; when it is over.

    A contact that parts with speed v against an acceleration a that drives it back bounces to
    v²/2a, and its impacts accumulate after 2v/(a(1 - e)). Below the tolerated height it is at rest.
    (Without having closed before it has hardly parted, and without restitution it hits once:
    nothing accumulates.) The forces that drive it back are handed on to the contact node, and those
    that stand do not begin to slip.
    ``closed`` is before the impact.
    """
    speed = dynamics.close(closed.contacts, values).speed[:, 0]
    parts = part & (speed > tolerances.speed) & (speed < SLOW)
    slow = np.flatnonzero(parts | (speed <= tolerances.speed))
    none = Rest(values, np.zeros_like(part))
    while parts[slow].any():
        after = dynamics.close(tuple(closed.contacts[k] for k in slow.tolist()), values)
        forces = contact_forces(dynamics, tolerances, after, time, values, {}).forces
        drive = (forces[:, 0] * np.diag(after.delassus)[0::3])[after.leader]
        last = _last_heights(dynamics, tolerances, after)
        rests = ~parts[slow] | (speed[slow] ** 2 <= 2 * drive * last)
        if rests.all():
            break
        slow = slow[rests]  # who leaves carries nothing
    else:
        return none
    settled = _without(dynamics, after, _standing_rows(dynamics, tolerances, after), values)
    ends = parts[slow] & (closed.speed[slow, 0] < -tolerances.speed) & (e[slow] > 0)
    none.rested[slow] = ends
    sure = ends & (e[slow] < 1)
    waits = 2 * speed[slow][sure] / (drive[sure] * (1 - e[slow][sure]))
    accumulates = time + float(waits.max(initial=0.0)) if ends.any() else None
    held = world_forces(after, forces, dynamics.contacts.names)
    return Rest(settled, none.rested, accumulates, held)


def _last_heights(dynamics: Dynamics, tolerances: Tolerances, closed: Closed) -> Array:
    """How high (m) a bounce may be after which a contact has come to rest.

    The cluster rule: of contacts that share bodies and lose energy at impacts, each sets the others
    bouncing again, so a bounce is the last one if it is no higher than what counts as touching; in
    a heap, than what is unseen there.
    """
    crowded = {
        contact
        for group in dynamics.contacts.islands(closed.contacts)
        for contact in group
        if len(set(dynamics.contacts.leader[list(group)].tolist())) > 1
        and dynamics.contacts.pairs[contact].restitution < 1
    }
    clusters = np.array([contact in crowded for contact in closed.contacts])
    unseen = tolerances.unseen(dynamics.contacts.company(closed.contacts))
    return np.where(clusters, np.maximum(unseen, tolerances.gap), tolerances.rest)


def _standing_rows(dynamics: Dynamics, tolerances: Tolerances, closed: Closed) -> Indices:
    """Components of γ that are taken out at rest: normals, and slip where friction can hold it."""
    smooth = np.array([dynamics.is_frictionless(contact) for contact in closed.contacts])
    return held_rows(~smooth & (closed.slip_speed <= tolerances.standstill))


def visit_contact(dynamics: Dynamics, tolerances: Tolerances, state: State) -> Visit:
    """Forces at all contacts of the node at once; they are held for the location that follows.

    Contacts that the forces before have parted are held too, without force, until the next impact.
    """
    node = _node(state)
    contacts = tuple(dynamics.contacts.index[name] for name in node.contacts)
    values = _at_standstill(dynamics, tolerances, contacts, state.values)
    closed = dynamics.close(contacts, values)
    found = contact_forces(dynamics, tolerances, closed, state.time, values, state.held)
    jams = _jamming(dynamics, tolerances, closed, found)
    if jams.any():
        before, values = state.values, _jammed(dynamics, closed, jams, values)
        closed = dynamics.close(contacts, values)
        found = contact_forces(dynamics, tolerances, closed, state.time, values, state.held)
        if found.failure is None:
            found = replace(found, method="shock", remarks=(JAMMED,))
        else:
            values = before
    halts = _halting(dynamics, tolerances, closed, state.time, values, found)
    if halts.any():
        values = _halted(dynamics, tolerances, closed, halts, values)
        closed = dynamics.close(contacts, values)
        found = contact_forces(dynamics, tolerances, closed, state.time, values, state.held)
    names = dynamics.contacts.names
    struck = {names[c] for c, one in zip(contacts, jams, strict=True) if one}
    if _lost_in_heaps(dynamics, closed, found).any():
        heap = _through_jams(dynamics, tolerances, closed, values, found, state)
        closed, values, found, struck = heap
    held = world_forces(closed, found.forces, names)
    parted = {name: NO_FORCE for name in state.held if name not in held}
    left = _names(dynamics, closed)
    after = State(state.time, Node("contact", left, "ex"), values, parted | held)
    visit = _visit(dynamics, state, after, closed, found)
    shocked = found.method == "shock"
    return replace(visit, rested=tuple(n for n in left if n in struck)) if shocked else visit


def _lost_in_heaps(dynamics: Dynamics, closed: Closed, found: Found) -> NDArray[np.bool_]:
    """Which contacts are of heaps for which no forces were found, (n,)."""
    company = dynamics.contacts.company(closed.contacts)
    return np.asarray(np.isin(np.arange(len(company)), found.lost) & (company >= HEAP))


def _through_jams(
    dynamics: Dynamics,
    tolerances: Tolerances,
    closed: Closed,
    values: Array,
    found: Found,
    state: State,
) -> tuple[Closed, Array, Found, set[str]]:
    """Where a heap has no forces: it jams until there are some; those parted by it are left out.

    Contacts that touch and part take part too: pushed together by it, they would be next in the
    same instant, and so for ever.

    The last are the contacts that took an impulse; see `dyverse.generation.node.jamming`.
    """
    struck = set[str]()
    for _ in range(JAMS):
        if not _lost_in_heaps(dynamics, closed, found).any():
            break
        around = touching(dynamics, tolerances, _names(dynamics, closed), values)
        closed = dynamics.close(around, values)
        pushed = _heaps_jammed(dynamics, tolerances, closed, values, found, state.time)
        struck |= set(hit_of(dict(zip(_names(dynamics, closed), pushed, strict=True))))
        values = values.copy()
        values[dynamics.layout.v] += closed.MW @ pushed.ravel()
        speed = dynamics.close(closed.contacts, values).speed[:, 0]
        stays = np.flatnonzero(speed <= tolerances.speed).tolist()
        contacts = tuple(sorted(closed.contacts[k] for k in stays))
        values = _at_standstill(dynamics, tolerances, contacts, values)
        closed = dynamics.close(contacts, values)
        found = contact_forces(dynamics, tolerances, closed, state.time, values, state.held)
        if not pushed.any():
            break
    closed, values, found = _slowed(dynamics, tolerances, closed, values, found, state)
    if struck and found.failure is None:
        found = replace(found, method="shock", remarks=(JAMMED,))
    return closed, values, found, struck


def _slowed(
    dynamics: Dynamics,
    tolerances: Tolerances,
    closed: Closed,
    values: Array,
    found: Found,
    state: State,
) -> tuple[Closed, Array, Found]:
    """Where a heap has no forces and does not jam: slower slips end, until there are forces.

    First those that go four times the way that is not followed in a heap, then 16 times, and so on;
    and so many times more may forces leave of accelerations.
    """
    company = _rubbing_company(dynamics, closed.contacts)
    for turn in range(LOOSER):
        lost = _lost_in_heaps(dynamics, closed, found)
        if not lost.any():
            break
        free = closed.W.T @ dynamics.free_acceleration(state.time, values) + closed.bias
        drive = np.full(len(company), LONGER ** (turn + 1) * np.abs(free[0::3]).max(initial=0.0))
        slip = closed.slip_speed
        halts = lost & (slip > tolerances.standstill) & (slip <= tolerances.brief(drive, company))
        if halts.any():
            values = _halted(dynamics, tolerances, closed, halts, values)
            closed = dynamics.close(closed.contacts, values)
        found = contact_forces(
            dynamics,
            tolerances,
            closed,
            state.time,
            values,
            state.held,
            looser=min(LONGER ** (turn + 1), LOOSEST),
        )
    return closed, values, found


def _heaps_jammed(
    dynamics: Dynamics,
    tolerances: Tolerances,
    closed: Closed,
    values: Array,
    found: Found,
    time: float,
) -> Array:
    """Impulses by which the islands of heaps without forces jam, none elsewhere, (n, 3)."""
    pushed = np.zeros((len(closed.contacts), 3))
    free = closed.W.T @ dynamics.free_acceleration(time, values) + closed.bias
    drives = np.where(closed.follows[:, None], 0.0, free.reshape(-1, 3))
    speed, mu = approach(closed), dynamics.frictions(closed.contacts, closed.slip_speed)
    company = dynamics.contacts.company(closed.contacts)
    for members in dynamics.contacts.places(closed.contacts):
        if not np.isin(members, found.lost).any() or company[members[0]] < HEAP:
            continue
        rows = (3 * members[:, None] + np.arange(3)).ravel()
        G, rubs = closed.delassus[np.ix_(rows, rows)], ~closed.follows[members] * mu[members]
        impulses = jam(G, speed[members], drives[members], rubs, tolerances)
        if impulses is not None:
            pushed[members] = impulses
    return pushed


def _names(dynamics: Dynamics, closed: Closed) -> tuple[str, ...]:
    return tuple(dynamics.contacts.names[contact] for contact in closed.contacts)


def _jamming(
    dynamics: Dynamics, tolerances: Tolerances, closed: Closed, found: Found
) -> NDArray[np.bool_]:
    """Which contacts jam where there are no forces, if the model lets them, (n,).

    All of an island in which one slips in Painlevé's way, if impulses that stop them obey the laws:
    an impact without collision, [genot1999].
    """
    jams = np.zeros(len(closed.contacts), dtype=bool)
    if found.method != "inconsistent" or not dynamics.without_collision:
        return jams
    mu, sliding = rubbing(dynamics, tolerances, closed)
    for members in dynamics.contacts.places(closed.contacts):
        rows = (3 * members[:, None] + np.arange(3)).ravel()
        G, speed = closed.delassus[np.ix_(rows, rows)], closed.speed[members]
        problem = contact_problem(G, speed, mu[members], sliding=sliding[members])
        jams[members] = paradoxical(problem).any() and _obeys(stopping(G, speed), mu[members])
    return jams


def stopping(matrix: Array, speed: Array) -> Array:
    """Impulses, the least ones, that stop contacts with these speeds, (n, 3) each."""
    return np.asarray(-np.linalg.lstsq(matrix, speed.ravel(), rcond=1e-10)[0].reshape(-1, 3))


def _obeys(impulses: Array, mu: Array) -> bool:
    """Whether impulses push, and friction is not too large."""
    rubs = np.hypot(impulses[:, 1], impulses[:, 2])
    return bool((rubs <= mu * impulses[:, 0] * (1 + 1e-9)).all())


def _jammed(dynamics: Dynamics, closed: Closed, jams: NDArray[np.bool_], values: Array) -> Array:
    """``values`` with the contacts that jam at a standstill."""
    still = values.copy()
    for members in dynamics.contacts.places(closed.contacts):
        if jams[members].any():
            rows = (3 * members[:, None] + np.arange(3)).ravel()
            G = closed.delassus[np.ix_(rows, rows)]
            impulses = stopping(G, closed.speed[members])
            still[dynamics.layout.v] += closed.MW[:, rows] @ impulses.ravel()
    return still


def _halting(
    dynamics: Dynamics,
    tolerances: Tolerances,
    closed: Closed,
    time: float,
    values: Array,
    found: Found,
) -> NDArray[np.bool_]:
    """The rule of brief slip: which contacts slip so briefly from now on that it is over, (n,).

    Where bodies are piled up, under the forces ``found``: see `Tolerances.brief`. If none are found
    along the slips there are, those halt that what drives contacts together could stop as briefly.
    """
    company = _rubbing_company(dynamics, closed.contacts)
    if not tolerances.unseen(company).any():
        return np.zeros(len(company), dtype=bool)
    slip, rest = closed.slip_speed, tolerances.standstill
    if found.failure is not None:
        free = closed.W.T @ dynamics.free_acceleration(time, values) + closed.bias
        drive = np.full(len(slip), np.abs(free[0::3]).max(initial=0.0))
        return np.asarray((slip > rest) & (slip <= tolerances.brief(drive, company)))
    gains = _slip_gains(dynamics, closed, time, values, found.forces)
    brief = tolerances.brief(tolerances.acceleration - gains, company)
    return np.asarray((slip > rest) & (brief > 0) & (slip <= ABOUT * (rest + brief)))


def _rubbing_company(dynamics: Dynamics, contacts: tuple[int, ...]) -> NDArray[np.intp]:
    """How many bodies share contacts with those that rub: where many do, brief slips are none."""
    smooth = np.array([dynamics.is_frictionless(contact) for contact in contacts], dtype=bool)
    return np.asarray(dynamics.contacts.company(contacts) * ~smooth)


def _slip_gains(
    dynamics: Dynamics, closed: Closed, time: float, values: Array, forces: Array
) -> Array:
    """How fast slips gain speed (m/s²) under forces, none where there is no slip, (n,)."""
    second = dynamics.accelerations(closed, forces, dynamics.free_acceleration(time, values))
    slip = np.maximum(closed.slip_speed, np.finfo(float).tiny)
    return np.asarray(np.sum(closed.speed[:, 1:] * second[:, 1:], axis=1) / slip)


def _at_standstill(
    dynamics: Dynamics, tolerances: Tolerances, contacts: tuple[int, ...], values: Array
) -> Array:
    """``values`` without the speeds of closed contacts that count as none, along normal and slip.

    Where contacts share a load, even these would ask for accelerations that no force can give; and
    taken out later, when forces are known, they would turn the slip of others.
    """
    closed = dynamics.close(contacts, values)
    resting = closed.slip_speed <= tolerances.standstill
    return _without(dynamics, closed, held_rows(resting), values)


def _halted(
    dynamics: Dynamics,
    tolerances: Tolerances,
    closed: Closed,
    halts: NDArray[np.bool_],
    values: Array,
) -> Array:
    """``values`` without the slip of contacts that halt.

    It can be more than counts as none, so those that touch and part are not pushed together by it.
    """
    names = tuple(dynamics.contacts.names[contact] for contact in closed.contacts)
    around = dynamics.close(touching(dynamics, tolerances, names, values), values)
    own = len(closed.contacts)
    stands, slow = np.zeros(len(around.gap), dtype=bool), around.speed[:, 0] <= tolerances.speed
    stands[:own] = halts | (closed.slip_speed <= tolerances.standstill)
    slow[:own] = True
    rows = held_rows(stands)
    return _without(dynamics, around, rows[slow[rows // 3]], values)


def _without(dynamics: Dynamics, closed: Closed, rows: Indices, values: Array) -> Array:
    """``values`` without some components of γ, changed by as little as the masses allow.

    There are velocities without them, so that constraints nearly redundant can be met as well.
    """
    still = values.copy()
    speeds = closed.speed.ravel()[rows]
    still[dynamics.layout.v] -= correction(closed, rows, speeds, ROUNDING)
    return still


def contact_forces(
    dynamics: Dynamics,
    tolerances: Tolerances,
    closed: Closed,
    time: float,
    values: Array,
    start: Mapping[str, Array],
    *,
    looser: float = 1.0,
) -> Found:
    """Signorini and Coulomb on the acceleration level, with the direction of slip given.

    Who can stay at rest, stays: if there are forces that keep all contacts of an island closed, and
    those at rest sticking, the smallest of them are taken; only if not, others are looked for, from
    those at ``start`` (world axes): of several answers, nodes of one instant give the same. Those
    of heaps may leave so many times more of accelerations as is ``looser``.
    """
    guess = local_forces(closed, start, dynamics.contacts.names)
    acceleration = dynamics.free_acceleration(time, values)
    free = closed.W.T @ acceleration + closed.bias
    mu, sliding = rubbing(dynamics, tolerances, closed)
    kept, stays = _kept(dynamics, tolerances, closed, acceleration, sliding)
    company = dynamics.contacts.company(closed.contacts)

    def island(members: Indices, matrix: Array) -> Answer:
        c = free.reshape(-1, 3)[members].ravel()
        if stays[members].all():
            return Solved(forces=kept[members], sweeps=0, residual=0.0, method="balance")
        problem = ContactProblem(
            matrix=matrix,
            free=c,
            friction=mu[members],
            sliding=sliding[members],
            granted=np.zeros(len(members)),
        )
        unit = tolerances.acceleration / scale(problem)
        times = looser if company[members[0]] >= HEAP else 1.0
        options = Options(acceptable=unit / 8, passable=times * PASSABLE * unit)
        return solve(problem, start=guess[members], options=options)

    G = led(closed, closed.delassus)
    return _by_islands(dynamics, closed, G, island, involved=free[0::3] < 0)


def _kept(
    dynamics: Dynamics, tolerances: Tolerances, closed: Closed, free: Array, sliding: Array
) -> tuple[Array, NDArray[np.bool_]]:
    """Forces that keep the contacts as they are, (n, 3), and which contacts they keep so."""
    smooth = np.array([dynamics.is_frictionless(contact) for contact in closed.contacts])
    sticking = np.isnan(sliding[:, 0]) & ~smooth
    distribution = Distribution(dynamics, closed.contacts, tolerances.acceleration)
    ways = np.where(np.isnan(sliding), 0.0, sliding)
    balance = contact_balance(dynamics, closed, free, sticking, ways)
    motion = distribution.least(distribution.motion(balance))
    return motion.forces, distribution.stays(motion)


def found_accelerations(
    dynamics: Dynamics, tolerances: Tolerances, closed: Closed, state: State
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """At the exit of a contact node: how fast contacts part, and begin to slip, (n,) each.

    Who stays at rest does not begin to slip, whatever rounding leaves of its acceleration; nor who
    has friction to spare that could do more: where no forces are right to the last digit, the
    larger of both is the truth. The last says who slips, but briefly so far, and gains speed: it is
    still beginning to.
    """
    forces = local_forces(closed, state.held, dynamics.contacts.names)
    free = dynamics.free_acceleration(state.time, state.values)
    second = dynamics.accelerations(closed, forces, free)
    away = np.hypot(second[:, 1], second[:, 2])
    least = tolerances.acceleration / 2
    if (away > least).any():
        _, sliding = rubbing(dynamics, tolerances, closed)
        stays = _kept(dynamics, tolerances, closed, free, sliding)[1]
        away = np.where(stays & np.isnan(sliding[:, 0]), 0.0, away)
        away = np.where(away > _spared(dynamics, closed, forces), away, 0.0)
    gains = _slip_gains(dynamics, closed, state.time, state.values, forces)
    company = _rubbing_company(dynamics, closed.contacts)
    brief = closed.slip_speed <= tolerances.standstill + tolerances.brief(gains, company)
    return second[:, 0], away, brief & (gains > least) & (tolerances.unseen(company) > 0)


def _spared(dynamics: Dynamics, closed: Closed, forces: Array) -> Array:
    """The acceleration along its surface that each contact's friction has to spare, (n,)."""
    mu = dynamics.frictions(closed.contacts, np.zeros(len(closed.contacts)))
    spare = mu * forces[:, 0] - np.hypot(forces[:, 1], forces[:, 2])
    return np.asarray(spare * np.diag(closed.delassus)[1::3])


def rubbing(dynamics: Dynamics, tolerances: Tolerances, closed: Closed) -> tuple[Array, Array]:
    """μ of each contact, and the direction of those that slip (n, 2), not a number for others."""
    slips = closed.slip_speed
    slipping = slips > tolerances.standstill
    mu = dynamics.frictions(closed.contacts, np.where(slipping, slips, 0.0))
    sliding = np.full((len(slips), 2), np.nan)
    sliding[slipping] = closed.speed[slipping, 1:] / slips[slipping, None]
    return mu, sliding


def _by_islands(
    dynamics: Dynamics,
    closed: Closed,
    G: Array,
    solver: Callable[[Indices, Array], Answer],
    involved: NDArray[np.bool_],
) -> Found:
    """Solve each group of contacts that share bodies; groups with nothing to do keep zero."""
    found = Found(forces=np.zeros((len(closed.contacts), 3)))
    place = {contact: k for k, contact in enumerate(closed.contacts)}
    for group in dynamics.contacts.islands(closed.contacts):
        members = np.array([place[c] for c in group])
        if not involved[members].any():
            continue
        rows = (3 * members[:, None] + np.arange(3)).ravel()
        answer = solver(members, G[np.ix_(rows, rows)])
        names = [dynamics.contacts.names[c] for c in group]
        found = _joined(found, members, answer, names)
    return found


def _joined(found: Found, members: Indices, answer: Answer, names: list[str]) -> Found:
    forces = found.forces.copy()
    method: str
    failure: str | None
    match answer:
        case Inconsistent(contacts=worst, why=why):
            failure = f"no contact forces at {', '.join(names[j] for j in worst)}: {why}"
            lost = (*found.lost, *members.tolist())
            return replace(found, failure=failure, method="inconsistent", lost=lost)
        case ImpactSolution(impulses=part) | Solved(forces=part):
            method, failure = answer.method, found.failure
        case NotConverged(forces=part):
            method, failure = "not converged", _did_not_converge(answer, names)
        case Endless(forces=part):
            method, failure = "not converged", _did_not_end(answer, names)
    forces[members] = part
    remarks = found.remarks
    if isinstance(answer, ImpactSolution):
        remarks += scaled(answer.restitution_scale)
    failed = isinstance(answer, NotConverged | Endless)
    return Found(
        forces=forces,
        sweeps=max(found.sweeps, answer.sweeps),
        residual=max(found.residual, answer.residual),
        method=method if answer.sweeps >= found.sweeps else found.method,
        failure=failure,
        remarks=remarks,
        lost=(*found.lost, *(members.tolist() if failed else ())),
    )


def scaled(share: float) -> tuple[str, ...]:
    """What is said of an impact of whose restitution only a share could be granted."""
    return (f"restitution scaled by {share:.6g} to keep energy",) if share < 1 else ()


def _did_not_converge(answer: NotConverged, names: list[str]) -> str:
    where = ", ".join(names[j] for j in answer.worst)
    effort = f"residual {answer.residual:.1e} after {answer.sweeps} sweeps"
    return f"contact forces at {where} did not converge: {effort}"


def _did_not_end(answer: Endless, names: list[str]) -> str:
    where = ", ".join(names[j] for j in answer.still)
    effort = f"after {answer.sweeps} impacts they still approach by up to {answer.speed:.1e} m/s"
    return f"the sequence of impacts at {where} did not end: {effort}"


def _node(state: State) -> Node:
    assert isinstance(state.location, Node)
    return state.location


def _visit(dynamics: Dynamics, before: State, after: State, closed: Closed, found: Found) -> Visit:
    return Visit(
        before=before,
        after=after,
        sweeps=found.sweeps,
        residual=found.residual,
        method=found.method,
        failure=found.failure,
        contacts=_node(before).contacts,
        result=world_forces(closed, found.forces, dynamics.contacts.names),
        remarks=found.remarks,
    )
