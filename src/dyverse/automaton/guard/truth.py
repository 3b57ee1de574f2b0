"""How a formula is read at one point of a flow: right after it, at it, or for this instant only.

A guard is read *from now on*: it holds here if it would hold right after, were time to pass. At the
boundary of an atom (within the margin) the first rate along the flow that is not zero decides, so
``x < 0`` is taken at x = 0 if x falls there and ``x >= 0`` is not. Of two guards that negate each
other exactly one is enabled, and a ball that has just bounced off ``y <= 0`` does not bounce again
before it has left the floor. A hop lower than `HOP` counts as none, so that jumps which accumulate
end as jumps without end in one instant.

An equality ``a == b`` that time is about to break holds for an *instant* alone, and what is joined
to it by *and* is read at the point itself. So are guards that time has just brought a run to; which
these are is said in `dyverse.automaton.guard.arrival`. Guards over clocks of models that come from
UPPAAL are always read at the point: see `dyverse.automaton.network.timed`.
"""

from __future__ import annotations

from typing import NamedTuple

from dyverse.automaton.guard.robustness import Sense

HOP = 1e-12  # in the units of the signal: a boundary left for less than this is not left,
TOUCH = 1e-13  # and one that is missed by less than this is met


class Reading(NamedTuple):
    """Whether a formula holds, in three senses."""

    after: bool  # it would hold right after, were time to pass
    here: bool  # it holds at the point itself, up to the margin
    instant: bool  # it holds at the point, by something that time is about to break

    @property
    def holds(self) -> bool:
        """Whether a guard that reads so may be taken."""
        return self.after or self.instant

    @property
    def touches(self) -> bool:
        """Whether it holds only at the point: a run has come to it, or is leaving it."""
        return self.here and not self.holds


def read(sense: Sense, depth: float, first: float, second: float, *, margin: float) -> Reading:
    """An atom with this depth and these rates of it."""
    near = abs(depth) <= margin
    if sense == "reached":
        stays = near and first == 0 == second
        return Reading(stays, near, near and not stays)
    if not near:
        return Reading(depth > 0, depth > 0, instant=False)
    turns = first * second < 0 and first * first <= 2 * abs(second) * HOP
    slope = second if first == 0 or turns else first
    if sense == "strict":
        return Reading(slope > 0, here=False, instant=False)
    return Reading(slope >= 0, here=True, instant=sense == "closed" and slope < 0)


def every(parts: list[Reading]) -> Reading:
    """All of them at once."""
    here = all(part.here for part in parts)
    instant = here and any(part.instant for part in parts)
    return Reading(all(part.after for part in parts), here, instant)


def some(parts: list[Reading]) -> Reading:
    """Any of them."""
    after, here = any(part.after for part in parts), any(part.here for part in parts)
    return Reading(after, here, any(part.instant for part in parts))
