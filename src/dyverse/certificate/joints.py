"""What must be plain of joints, so that expressions in which they are taken out tell their motion.

Constraints of joints that others imply are left out of the expressions: those must hold by
themselves, as all do that keep bodies in the plane in which they move. A joint fits where the
bodies start, by what its places and axes mean; that a distance has its length then, and that bodies
start as fast as their joints allow, must follow from the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import casadi as ca

from dyverse.certificate.file import Unproved
from dyverse.enclosure.plain import are_same
from dyverse.expr.buffered import column
from dyverse.expr.symbolic import SX, split
from dyverse.mechanics.joint.expressions import kept_constraints

if TYPE_CHECKING:
    from dyverse.certificate.bodies import Bodies

NOTHING = ca.SX(0)


def check_joints(bodies: Bodies) -> None:
    """Refuse joints of which not enough is plain."""
    joints = bodies.symbolic.dynamics.joints
    if joints is None:
        return
    kept = {*kept_constraints(joints)}
    equations = joints.equations
    state, start = bodies.symbolic.state, bodies.symbolic.start()
    places, speeds = _errors(bodies)
    for i, owner in enumerate(equations.owners):
        joint = equations.joints[owner]
        if i not in kept and not _is_nothing(bodies, bodies.reduced(speeds[i])):
            raise Unproved(f"unsupported: {joint.name} holds what other joints hold, too")
        if not _is_nothing(bodies, ca.substitute(speeds[i], state, start)):
            raise Unproved(f"unsupported: speeds at the start do not plainly fit {joint.name}")
        own = joint.kind.word == "distance"  # all others fit by what their places mean
        if own and not _is_nothing(bodies, ca.substitute(places[i], state, start)):
            raise Unproved(f"unsupported: {joint.name} does not plainly fit at the start")


def _errors(bodies: Bodies) -> tuple[list[SX], list[SX]]:
    """By how much each constraint is out, c, and its rate ċ."""
    symbolic = bodies.symbolic
    numbers = column(list(symbolic.open.settings.values()))
    c, W, _ = symbolic.system.joints.rows(symbolic.state, numbers)
    return split(c), split(W.T @ symbolic.speeds)


def _is_nothing(bodies: Bodies, expression: SX) -> bool:
    if expression.is_zero() or are_same(expression, NOTHING):
        return True
    return not ca.depends_on(expression, bodies.symbolic.state) and bodies.is_nothing(expression)
