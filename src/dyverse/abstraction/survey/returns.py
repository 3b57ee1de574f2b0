"""What bodies do at one setting of a model, as a task of a map and as JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dyverse.abstraction.evidence.returning import NotSeen, Returns, Seen, returning
from dyverse.abstraction.survey.mapping import Answer, Settings
from dyverse.automaton.interface import HybridAutomaton
from dyverse.simulation.simulate import DEFAULTS, Options, simulate


@dataclass(frozen=True, slots=True)
class ReturnWork:
    """The work at one point: make the automaton of bodies there, and look at its run."""

    make: Callable[[Settings], HybridAutomaton]
    until: float
    options: Options = DEFAULTS

    def __call__(self, settings: Settings) -> Answer:
        """The answer at ``settings``."""
        run = simulate(self.make(settings), until=self.until, options=self.options)
        return seen_answer(returning(run))


def seen_answer(seen: Seen) -> Answer:
    """What was seen, as JSON, with the keys of other verdicts."""
    found: Answer = {
        "behaviour": seen.name,
        "word": seen.word,
        "time": seen.time,
        "evidence": str(seen),
        "certainty": None if isinstance(seen, NotSeen) and not seen.over else "numerical",
    }
    if isinstance(seen, Returns):
        found |= {"period": seen.period, "factor": seen.factor, "instants": len(seen.cycle)}
    return found
