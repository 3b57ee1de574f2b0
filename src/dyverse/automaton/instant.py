"""The jumps of one instant, and what is told of them.

When time may pass again they are events, all of them. A run can also end on the way: in jumps
without end, in an assignment that must not be. Then those are told that were taken.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dyverse.automaton.interface import Event, HybridAutomaton, Jump, State, Visit


@dataclass(slots=True, eq=False)
class Instant:
    """What was done since time has last passed, in the order in which it was done."""

    before: State
    visits: list[Visit] = field(default_factory=list)
    jumps: list[Jump] = field(default_factory=list)

    def events(self, automaton: HybridAutomaton, after: State) -> tuple[Event, ...]:
        """What happened, now that time may pass again in ``after``."""
        return automaton.events(self.before, tuple(self.visits), after, tuple(self.jumps))

    def so_far(self, automaton: HybridAutomaton) -> tuple[Event, ...]:
        """What happened up to the last location that is no computation node."""
        jumps = list(self.jumps)
        while jumps and not automaton.is_dynamical(jumps[-1].after.location):
            jumps.pop()
        if not jumps:
            return ()
        passed = sum(not automaton.is_dynamical(jump.after.location) for jump in jumps)
        return Instant(self.before, self.visits[:passed], jumps).events(automaton, jumps[-1].after)
