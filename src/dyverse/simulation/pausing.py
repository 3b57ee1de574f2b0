"""A stretch of time that is left in its middle, and goes on: to look, or on other sides."""

from __future__ import annotations

from dyverse.automaton.guard.waiting import left_behind
from dyverse.automaton.interface import Flow, HybridAutomaton, Keeps
from dyverse.automaton.memory import Stretch
from dyverse.automaton.offering import offers
from dyverse.automaton.run import Arc
from dyverse.flow.follow import Followed
from dyverse.simulation.masked import MaskedFlow


def stretch_of(
    automaton: HybridAutomaton, arc: Arc, flow: Flow, followed: Followed, *, waiting: bool
) -> Stretch:
    """What goes on at the end of ``arc``, which was followed along ``flow``."""
    before = arc.start.stretch
    return Stretch(
        since=float(arc.times[0]) if before is None else before.since,
        resting=followed.resting,
        behind=left_behind(automaton, arc),
        kept=flow.kept if offers(flow, Keeps) else {},
        holding=flow.turned if isinstance(flow, MaskedFlow) and waiting else None,
    )
