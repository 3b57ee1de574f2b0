"""Joints in a listing, ropes and stops too: what each asks for, and what that changes elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from dyverse.bodies.describe import joint_statement
from dyverse.bodies.joint.joint import Joint
from dyverse.bodies.joint.links import joint_links
from dyverse.bodies.world import World
from dyverse.expr.printing import term_text
from dyverse.text.printing.model import statement_text

MEANING = (
    "D leads from the anchor on the first body to that on the second, rho is the turn of the",
    "second in the axes of the first since the angle was 0. With c the column of all conditions,",
    "c' = W_b v and c'' = W_b v' + beta: wherever minv_h and minv_W stand, M^-1 is replaced by",
    "P = M^-1 - M^-1 W_b pinv(W_b M^-1 W_b) W_b M^-1, and minv_h has",
    "- M^-1 W_b pinv(W_b M^-1 W_b) beta besides",
)


def joint_lines(world: World) -> Iterator[str]:
    """The section about joints, if there are any."""
    if not world.joints:
        return
    yield from ("", "Joints")
    for joint in world.joints:
        yield from (f"  {line}" for line in _joint(world, joint))
    if not all(joint.is_contact for joint in world.joints):
        yield from (f"  {line}" for line in MEANING)


def _joint(world: World, joint: Joint) -> Iterator[str]:
    yield statement_text(joint_statement(joint))
    if coordinate := joint.kind.coordinate:
        own = f"{joint.name}.{coordinate}"
        yield f"  {own}, {joint.name}.rate: what it leaves free, and the rate of that"
    if joint.kind.asks:
        yield f"  {joint.kind.asks}"
    for link in joint_links(world, joint):
        yield f"  a contact without friction, {link.name}: its gap is {_gap(joint)}"


def _gap(joint: Joint) -> str:
    if joint.gap is not None:
        return term_text(joint.gap)
    if joint.is_contact:
        return "length - norm(D)"
    return f"how far its {joint.kind.coordinate} may go on"
