"""What the runtime's codes mean for a run: how it ended, or that something is wrong."""

from __future__ import annotations

from dyverse.automaton.run import Stop
from dyverse.native.running import Code

INTERRUPTED = "interrupted; what was computed is kept"
STOPS = {
    Code.HORIZON: Stop.HORIZON,
    Code.MAX_EVENTS: Stop.MAX_EVENTS,
    Code.NOT_CONVERGED: Stop.NOT_CONVERGED,
    Code.INCONSISTENT: Stop.INCONSISTENT,
    Code.LIVELOCK: Stop.LIVELOCK,
    Code.DEADLOCK: Stop.DEADLOCK,
    Code.SOLVER: Stop.SOLVER,
    Code.TIMELOCK: Stop.TIMELOCK,
    Code.FAULT: Stop.FAULT,
    Code.CHATTERING: Stop.CHATTERING,
    Code.CRAWLING: Stop.CRAWLING,
}
UNFINISHED = (Code.OK, Code.PAUSED)  # what is in the rows of runs that were not to be finished
WRONG = {
    Code.UNDEFINED: "a watched signal is not a number",
    Code.TOO_MANY: "there is no memory for so many contacts closed at once",
    Code.STUCK: "a contact joins bodies that cannot move apart (G_NN = 0)",
    Code.NO_MEMORY: "there is no memory for more of the run",
}


def stop_of(code: int) -> Stop | None:
    """Why a run of many ended; None if it is an error."""
    known = STOPS | dict.fromkeys(UNFINISHED, Stop.INTERRUPTED)
    return known.get(Code(code))
