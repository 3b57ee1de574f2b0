"""Rigid bodies with their numbers left open: CasADi expressions with exact derivatives.

In come a world, settings as in `dyverse.bodies.scene`, and the names of those that are to be
unknowns; out go the start, the vector field and the signals of any location, and the laws of
impact, all as expressions of the time, the state, the unknown settings and the remembered slip
directions. They agree with `dyverse.mechanics.dynamics` on numbers; a test compares them.

    bodies = SymbolicBodies(world, {"K": 2.0}, ("K", "ball1.vx"))
    field = ca.Function("f", bodies.arguments, [bodies.rate(FREE_FLIGHT)])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np

from dyverse.automaton.interface import Array, Location, State
from dyverse.bodies.scene import NO_SETTINGS, scene, symbolic_scene
from dyverse.bodies.values import setting_problems
from dyverse.bodies.world import World
from dyverse.contact.pair.kinematics import BODY, as_matrix
from dyverse.errors import ModelError
from dyverse.expr.buffered import column
from dyverse.expr.switching import Switch
from dyverse.expr.symbolic import SX, symbolic
from dyverse.expr.term import Term, symbols
from dyverse.generation.flow import RigidFlow
from dyverse.generation.signals import mode_signals
from dyverse.generation.skeleton.location import Modes
from dyverse.generation.symbolic.impact import Outcome, SymbolicImpact, impact
from dyverse.generation.symbolic.motion import Equations, Near, equations, explicit, length
from dyverse.generation.tolerances import DEFAULT, Tolerances
from dyverse.mechanics.dynamics import Dynamics, is_smooth
from dyverse.mechanics.joint.expressions import SymbolicJoints, free_speeds, symbolic_joints
from dyverse.mechanics.layout import DOF
from dyverse.mechanics.mass import free_mass, inverse_mass, kinetic
from dyverse.mechanics.system import system_of
from dyverse.mechanics.turning import coordinate_rates, rotations, variables


@dataclass(frozen=True, slots=True)
class Rows:
    """One contact: see `dyverse.contact.pair.kinematics.Pair.rows`; and its law."""

    gap: SX
    speed: SX  # γ: normal, tangent 1, tangent 2
    bias: SX  # γ̇ = Wᵀ q̈ + bias
    W: SX  # (6m, 3): generalised directions
    frame: SX  # columns normal, tangent 1, tangent 2
    restitution: SX
    tangential_restitution: SX
    friction: Term
    smooth: bool  # without friction, whatever the settings

    @property
    def slip_speed(self) -> SX:
        """‖γ_T‖."""
        return length(self.speed[1:])


class SymbolicBodies:
    """An answer to `dyverse.automaton.symbolic.SymbolicAutomaton`.

    ``unknowns`` are any names that can be set: parameters, ports, starts such as ``ball1.vx``.
    Without it they are the settings, and the parameters and ports that nothing else defines. What
    is not unknown has its value in ``settings``, or follows from the world. With ``sided``,
    functions of the loads that switch have the values that are remembered, not those written. If
    they are ``exact``, as enclosures need them, joints are taken out by speeds that they leave free
    (`dyverse.mechanics.joint.expressions`), and no rank is decided in floats.
    """

    def __init__(
        self,
        world: World,
        settings: Mapping[str, float] = NO_SETTINGS,
        unknowns: Sequence[str] | None = None,
        *,
        sided: bool = False,
        exact: bool = False,
    ) -> None:
        self.world, self._is_sided, self.is_exact = world, sided, exact
        self.scene = scene(world, settings)
        self.settings = _unknowns(world, settings) if unknowns is None else tuple(unknowns)
        if problems := list(setting_problems(world, dict.fromkeys(self.settings, 0.0))):
            raise ModelError(problems)
        self.system = system_of(world, tuple(self.scene.settings))
        self.dynamics = Dynamics(self.system, self.scene)
        self.layout, self.contacts = self.dynamics.layout, self.dynamics.contacts
        self.time, self.state = ca.SX.sym("t"), ca.SX.sym("x", len(self.layout.variables))
        self.values = ca.SX.sym("p", len(self.settings))
        # slip directions in world axes, then the values of functions that switch
        self.memory = ca.SX.sym("d", 3 * len(self.contacts) + len(self.switches))
        given = {name: ca.SX(number) for name, number in settings.items()}
        given |= {name: self.values[i] for i, name in enumerate(self.settings)}
        self.open = symbolic_scene(world, given)  # the scene in expressions
        self._rows: dict[int, Rows] = {}

    @property
    def arguments(self) -> list[SX]:
        """Time, state, settings, remembered directions: the arguments of every expression."""
        return [self.time, self.state, self.values, self.memory]

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the state's entries."""
        return self.layout.variables

    @property
    def numbers(self) -> Array:
        """The values of the unknowns in the scene."""
        known = {**self.scene.constants, **self.scene.starts, **self.scene.values}
        return np.array([known[name] for name in self.settings], dtype=np.float64)

    def start(self) -> SX:
        """x(0), of the settings alone."""
        return column(self.open.start)

    @cached_property
    def table(self) -> dict[str, SX]:
        """Variables, parameters, inputs, quantities of fixed bodies, ``t`` and ``energy``."""
        known = {**self.open.constants, **self.open.values}
        table = {name: ca.SX(value) for name, value in known.items()} | {"t": self.time}
        table |= variables(self.layout, self.state)
        if self.layout.joint_derived:
            found = self.system.joints.following(
                self.state, column(list(self.open.settings.values()))
            )
            table |= dict(zip(self.layout.joint_derived, ca.vertsplit(found[0]), strict=True))
        table |= {name: self._loads[2][i] for i, name in enumerate(self.system.inputs)}
        return table | {"energy": kinetic(self.open, self.speeds) + self._loads[1]}

    @property
    def switches(self) -> tuple[Switch, ...]:
        """Functions of the loads that switch, if the bodies are ``sided``."""
        return self.system.switches if self._is_sided else ()

    @property
    def sides(self) -> dict[str, SX]:
        """The values of these functions, by name."""
        first = 3 * len(self.contacts)
        return {switch.name: self.memory[first + i] for i, switch in enumerate(self.switches)}

    @property
    def coordinates(self) -> SX:
        """Q."""
        return self.state[self.layout.q]

    @property
    def speeds(self) -> SX:
        """V."""
        return self.state[self.layout.v]

    def delassus(self, contacts: Sequence[int], W: SX) -> SX:
        """G = Wᵀ M⁻¹ W of some contacts; along a tangent that is none the entry of the first."""
        G = W.T @ self.inverse_mass @ W
        for k, contact in enumerate(contacts):
            if self.contacts.single[contact]:
                G[3 * k + 2, 3 * k + 2] = G[3 * k + 1, 3 * k + 1]
        return G

    @cached_property
    def inverse_mass(self) -> SX:
        """M⁻¹, without what joints take."""
        return inverse_mass(self.open) if self._joined is None else self._joined.inverse_mass

    @cached_property
    def free_acceleration(self) -> SX:
        """M⁻¹ h, as far as joints allow it."""
        loads, joined = self._loads[0], self._joined
        free = free_mass(self.open) @ loads
        return free if joined is None else joined.acceleration(loads, free)

    @cached_property
    def _joined(self) -> SymbolicJoints | None:
        numbers = column(list(self.open.settings.values()))
        eliminated = free_speeds if self.is_exact else symbolic_joints
        return eliminated(self.dynamics, self.state, numbers, inverse_mass(self.open))

    def rows(self, contact: int) -> Rows:
        """The kinematics and the law of one contact."""
        if contact not in self._rows:
            self._rows[contact] = self._worked_out(contact)
        return self._rows[contact]

    def friction(self, contact: int, slip_speed: SX) -> SX:
        """μ at a slip speed."""
        return symbolic(self.rows(contact).friction, {**self.open.values, "slip_speed": slip_speed})

    def heading(self, contact: int) -> SX:
        """The remembered slip direction of a contact, in its frame, (2, 1)."""
        return self.rows(contact).frame[:, 1:].T @ self.memory[3 * contact : 3 * contact + 3]

    def remembered(self, state: State, *, tolerances: Tolerances = DEFAULT) -> Array:
        """Numbers for `memory` from the first state of an arc; zero for open contacts."""
        ahead = np.zeros((len(self.contacts), 3))
        assert isinstance(state.location, Modes)
        closed = [self.contacts.index[name] for name in state.location.contacts]
        ahead[closed] = RigidFlow(self.dynamics, state, tolerances).ahead
        return ahead.ravel()

    def equations(self, location: Modes) -> Equations:
        """(14) and (15) with the contact forces as unknowns."""
        return equations(self, location)

    def rate(self, location: Location, *, near: Near | None = None) -> SX:
        """(q̇, q̈), with the forces eliminated: see `explicit` for redundant constraints."""
        assert isinstance(location, Modes)
        found = explicit(self, location, near)
        return self.moved(found.acceleration)

    def moved(self, acceleration: SX) -> SX:
        """The rate of the state: q̇ = N(q) v, and v̇."""
        return ca.vertcat(self.shifted(self.speeds), acceleration)

    def shifted(self, speeds: SX) -> SX:
        """N(q) v: how the coordinates change at these speeds."""
        places = ca.vertsplit(self.coordinates)
        moved = coordinate_rates(self.layout, places, ca.vertsplit(speeds))
        if self.layout.joint_coordinates:
            numbers = column(list(self.open.settings.values()))
            state = ca.vertcat(self.coordinates, speeds)
            moved.append(self.system.joints.following(state, numbers)[1])
        return column(moved)

    def signals(self, location: Location, *, near: Near | None = None) -> dict[str, SX]:
        """The table and every contact's signals, named as by `RigidBodyAutomaton.observe`."""
        assert isinstance(location, Modes)
        modes = mode_signals(self.contacts.names, location)
        found = self.table | explicit(self, location, near).signals
        return found | {name: ca.SX(truth) for name, truth in modes.items()}

    def impact(self, pattern: Mapping[str, Outcome]) -> SymbolicImpact:
        """Newton's law and Coulomb's for contacts that separate, stick or slip as given."""
        return impact(self, pattern)

    @cached_property
    def _loads(self) -> tuple[SX, SX, SX]:
        """h, the energy of springs and gravity, and the inputs."""
        numbers = column(list(self.open.settings.values()))
        function, sides = self.system.written, []
        if self.switches:
            function, sides = self.system.loads, [column(list(self.sides.values()))]
        h, potential, inputs = function(self.time, self.state, numbers, *sides)
        return h, potential, inputs

    def _worked_out(self, contact: int) -> Rows:
        ends = [int(body) for body in self.contacts.ends[contact]]
        pair = self.open.contacts[contact]
        shapes = column(list(pair.numbers))
        bodies = ca.vertcat(*(self._motion(body, pair.pair.body) for body in ends))
        gap, speed, bias, transposed, frame = pair.pair.rows(bodies, shapes)
        return Rows(
            gap,
            speed,
            bias,
            self._directions(ends, transposed),
            frame,
            pair.restitution,
            pair.tangential_restitution,
            pair.friction,
            is_smooth(pair.friction),
        )

    def _motion(self, body: int, size: int) -> SX:
        """Position, velocity and spin of a body, and of a pair that takes it, its orientation."""
        placed = self.open.bodies[body]
        if body not in self.layout.moving:
            lies = placed.orientation[: size - BODY]
            return column([*placed.position, *(ca.SX(0),) * DOF, *lies])
        row = self.layout.moving.index(body)
        places, speeds = self.coordinates[self.layout.q_of[row]], self.speeds[self.layout.v_of[row]]
        if row not in self._rotations:
            lies = placed.orientation[: size - BODY]
            return column([places[:3], speeds, *lies])
        spin = self._rotations[row] @ speeds[3:]
        return ca.vertcat(places[:3], speeds[:3], spin, places[3:][: size - BODY])

    @cached_property
    def _rotations(self) -> dict[int, SX]:
        """R of moving bodies that have an orientation."""
        found = rotations(self.layout, ca.vertsplit(self.coordinates))
        return {row: as_matrix(turned) for row, turned in found.items()}

    def _directions(self, ends: list[int], transposed: SX) -> SX:
        W = ca.SX.zeros(len(self.layout.speeds), 3)
        for k, body in enumerate(ends):
            if body in self.layout.moving:
                row = self.layout.moving.index(body)
                own = transposed[DOF * k : DOF * (k + 1), :]
                if row in self._rotations:
                    own = ca.vertcat(own[:3, :], self._rotations[row].T @ own[3:, :])
                W[self.layout.v_of[row], :] = own
        return ca.sparsify(W)


def _unknowns(world: World, settings: Mapping[str, float]) -> tuple[str, ...]:
    ports = [i.name for i in world.inputs if i.formula is None]
    alone = [p.name for p in world.parameters if not symbols(p.value)]
    return tuple(dict.fromkeys([*alone, *ports, *settings]))
