"""Sensitivities through an impact: the derivative of its law in the pattern that it had.

The equations are those of `dyverse.generation.symbolic.impact`. Where a contact is just between
two patterns, where energy had to be guarded or impacts accumulate, a remark says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

import numpy as np

from dyverse.automaton.interface import Array, Visit
from dyverse.contact.impacts import POISSON
from dyverse.generation.naming import is_shock
from dyverse.generation.node.painleve import stopping
from dyverse.generation.node.standstill import touching
from dyverse.generation.node.turns import Struck, impacts_in_phases, impacts_in_turn
from dyverse.generation.skeleton.location import Node
from dyverse.generation.symbolic.impact import Granted, Outcome, pattern_of
from dyverse.generation.symbolic.poisson import Course, courses
from dyverse.generation.tolerances import Tolerances
from dyverse.mechanics.closed import NO_FORCE, local_forces
from dyverse.mechanics.dynamics import Dynamics
from dyverse.simulation.variation.rigid_model import RigidModel

BETWEEN = 1e-7  # share of the largest impulse or speed by which a pattern must hold
MANY = 2000  # impacts of a sequence that are followed, at most
OFF = 1e-6  # how far a derivative may be off what must stay as it is, relative


class Impacts:
    """The impacts of one run."""

    def __init__(
        self, dynamics: Dynamics, tolerances: Tolerances, model: RigidModel, numbers: Array
    ) -> None:
        self._dynamics, self._tolerances = dynamics, tolerances
        self._model, self._numbers = model, numbers

    def behind(self, visit: Visit, X: Array, remarks: list[str]) -> Array:
        """X behind an impact; a contact node, or an impact without impulse, changes nothing."""
        if is_shock(visit):
            return self._behind_shock(visit, X, remarks)
        if not is_impact(visit) or not any(impulse.any() for impulse in visit.result.values()):
            return X
        if visit.accumulates is not None:
            remarks.append("impacts accumulate")
        if self._dynamics.impact is POISSON:
            return self._behind_phases(visit, X, remarks)
        if not self._dynamics.impact.is_one:
            return self._behind_sequence(visit, X, remarks)
        return self._behind_one(visit, X, remarks)

    def _behind_shock(self, visit: Visit, X: Array, remarks: list[str]) -> Array:
        """X behind an impact without collision: all that jam stand still, but in heaps."""
        index = self._dynamics.contacts.index
        contacts = tuple(sorted(index[name] for name in visit.rested))
        left = self._dynamics.close(contacts, visit.after.values).speed
        if np.abs(left).max(initial=0.0) > self._tolerances.standstill:
            remarks.append("a heap jams, and how that changes is not known")
            return np.full_like(X, np.nan)
        closed = self._dynamics.close(contacts, visit.before.values)
        pattern: dict[str, Outcome] = dict.fromkeys(visit.rested, "stick")
        impulses = stopping(closed.delassus, closed.speed).ravel()
        law = self._model.impact(pattern, "none")
        found = law.derivative(visit.before.values, self._numbers, impulses)
        return found.after_by_state @ X + found.after_by_values

    def _behind_phases(self, visit: Visit, X: Array, remarks: list[str]) -> Array:
        """X behind compression and expansion, island after island."""
        remarks.extend(visit.remarks)
        for struck in impacts_in_phases(self._dynamics, self._tolerances, visit):
            found, scale = struck.phases, struck.phases.restitution_scale
            granted: Granted = "all" if scale == 1 else "part" if scale > BETWEEN else "none"
            pattern = courses(struck.names, found, struck.restitution, struck.mu)
            law = self._model.phases(pattern, granted)
            parts = [found.compression.forces.ravel(), found.expansion.forces.ravel()]
            unknowns = np.concatenate([*parts, [scale] * (granted == "part")])
            made = law.derivative(visit.before.values, self._numbers, unknowns)
            X = made.after_by_state @ X + made.after_by_values
            remarks.extend(self._between_courses(struck, pattern))
        return X

    def _between_courses(self, struck: Struck, pattern: Mapping[str, Course]) -> Iterator[str]:
        """Contacts whose friction does only just what it does."""
        found, speed = struck.phases, BETWEEN * size(struck.before)
        aim = (
            struck.after
            + found.restitution_scale * struck.tangential_restitution[:, None] * struck.before
        )
        force = BETWEEN * size(found.impulses)
        for k, name in enumerate(struck.names):
            if self._dynamics.is_frictionless(self._dynamics.contacts.index[name]):
                continue
            for outcome, impulse, slip in (
                (pattern[name].compression, found.compression.forces[k], struck.pressed[k]),
                (pattern[name].expansion, found.expansion.forces[k], aim[k]),
            ):
                spare = struck.mu[k] * impulse[0] - np.hypot(*impulse[1:])
                between = {"stick": spare <= force, "slip": np.hypot(*slip[1:]) <= speed}
                if between.get(outcome, False):
                    yield f"{name} is between two outcomes of the impact"

    def _behind_sequence(self, visit: Visit, X: Array, remarks: list[str]) -> Array:
        """X behind impact after impact, in the order that they had."""
        total: dict[str, Array] = {}
        last = visit
        for last in islice(impacts_in_turn(self._dynamics, self._tolerances, visit), MANY):
            X = self._behind_one(last, X, remarks)
            remarks.extend(self._tied(last))
            for name, impulse in last.result.items():
                total[name] = total.get(name, 0.0) + impulse
        most = max(size(impulse) for impulse in visit.result.values())
        if any(
            size(total.get(name, NO_FORCE) - impulse) > OFF * most
            for name, impulse in visit.result.items()
        ):
            remarks.append("the sequence of impacts cannot be followed")
        remarks.extend(self._still(visit, last, X))
        return X

    def _tied(self, visit: Visit) -> Iterator[str]:
        """Contacts hit at once that feel each other: a small change puts one of them first."""
        contacts = tuple(self._dynamics.contacts.index[name] for name in visit.contacts)
        G = self._dynamics.close(contacts, visit.before.values).delassus
        beside = np.kron(np.eye(len(contacts)), np.ones((3, 3)))
        if size(G * (1 - beside)) > OFF * size(G):
            yield f"{' and '.join(visit.contacts)} are hit at once, and a small change orders them"

    def _still(self, visit: Visit, last: Visit, X: Array) -> Iterator[str]:
        """Contacts left without normal speed, which a small change may let approach once more."""
        start, end = visit.before.values, last.after.values
        contacts = touching(self._dynamics, self._tolerances, visit.contacts, start)
        before, after = (self._dynamics.close(contacts, x).speed for x in (start, end))
        slow = BETWEEN * size(before) + self._tolerances.speed
        for contact, speed in zip(contacts, after[:, 0].tolist(), strict=True):
            name = self._dynamics.contacts.names[contact]
            moves = size(self._normal_speed(name, end, X)) > OFF * size(X)
            if abs(speed) <= slow and moves:
                yield f"{name} is between two outcomes of the impact"

    def _behind_one(self, visit: Visit, X: Array, remarks: list[str]) -> Array:
        """X behind an impact by Newton's law at all of its contacts."""
        remarks.extend(visit.remarks)
        blow = self._blow(visit)
        pattern = pattern_of(self._dynamics, blow.named, visit.before.values)
        part = blow.part if visit.remarks else 1.0
        granted: Granted = "all" if part == 1.0 else "part" if part > BETWEEN else "none"
        law = self._model.impact(pattern, granted)
        unknowns = blow.impulses.ravel()
        if granted == "part":
            unknowns = np.append(unknowns, part)
        found = law.derivative(visit.before.values, self._numbers, unknowns)
        after = found.after_by_state @ X + found.after_by_values
        remarks.extend(self._between(visit, blow, pattern, X, after))
        return after

    def _blow(self, visit: Visit) -> _Blow:
        contacts = tuple(self._dynamics.contacts.index[name] for name in visit.contacts)
        closed = self._dynamics.close(contacts, visit.before.values)
        impulses = local_forces(closed, visit.result, self._dynamics.contacts.names)
        after = closed.speed + (closed.delassus @ impulses.ravel()).reshape(-1, 3)
        pairs = [self._dynamics.contacts.pairs[contact] for contact in contacts]
        e = np.array([[p.restitution] + [p.tangential_restitution] * 2 for p in pairs])
        limits = self._dynamics.frictions(contacts, closed.slip_speed) * impulses[:, 0]
        return _Blow(visit.contacts, impulses, closed.speed, after, e, limits)

    def _between(
        self, visit: Visit, blow: _Blow, pattern: Mapping[str, Outcome], X: Array, after: Array
    ) -> Iterator[str]:
        """Contacts whose outcome holds only just: a small change may bring another one."""
        speed, force = size(blow.before), size(blow.impulses)
        for k, name in enumerate(visit.contacts):
            if pattern[name] == "separated":
                came = self._normal_speed(name, visit.before.values, X)
                parts = self._normal_speed(name, visit.after.values, after)
                moves = size(parts + blow.e[k, 0] * came) > OFF * size(X)
                just = moves and abs(blow.response[k, 0]) <= BETWEEN * speed
            elif self._dynamics.is_frictionless(self._dynamics.contacts.index[name]):
                just = False
            elif pattern[name] == "stick":
                just = blow.limits[k] - np.hypot(*blow.impulses[k, 1:]) <= BETWEEN * force
            else:
                just = np.hypot(*blow.response[k, 1:]) <= BETWEEN * speed
            if just:
                yield f"{name} is between two outcomes of the impact"

    def _normal_speed(self, name: str, values: Array, X: Array) -> Array:
        """How the normal speed of a contact changes."""
        rows = self._model.rows(name, values, self._numbers)
        return np.asarray(rows.moved(X, np.zeros(X.shape[1]))[1])


@dataclass(frozen=True, slots=True, eq=False)
class _Blow:
    """An impact in the frames of its contacts, all (c, 3)."""

    contacts: tuple[str, ...]
    impulses: Array
    before: Array  # γ⁻
    after: Array  # γ⁺
    e: Array
    limits: Array  # μ Λ_N, (c,)

    @property
    def named(self) -> dict[str, Array]:
        """The impulses by contact."""
        return dict(zip(self.contacts, self.impulses, strict=True))

    @property
    def response(self) -> Array:
        """ξ = γ⁺ + E γ⁻."""
        return self.after + self.part * self.e * self.before

    @property
    def part(self) -> float:
        """The share of restitution that was granted, by the contacts that were struck."""
        struck = self.impulses[:, 0] > 0
        wanted = (self.e * self.before)[struck, 0]
        size = float(wanted @ wanted)
        return float(-(self.after[struck, 0] @ wanted)) / size if size else 1.0


def is_impact(visit: Visit) -> bool:
    """Whether a visit is one to an impact node."""
    return isinstance(visit.before.location, Node) and visit.before.location.kind == "impact"


def size(array: Array) -> float:
    """The largest entry."""
    return float(np.abs(array).max(initial=0.0))
