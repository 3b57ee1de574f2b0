"""A run told to people: its events, how it ended, its properties and the last state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dyverse.automaton.endings import WORDS
from dyverse.automaton.guard.robustness import shown
from dyverse.automaton.interface import Event
from dyverse.automaton.run import Run, Stop
from dyverse.bodies.describe import claim_text
from dyverse.bodies.world import AXES, COORDINATES
from dyverse.cli.terminal.tables import print_line, print_table
from dyverse.simulation.requirement.properties import Broken, Kept, Open, Outcome

ENDS = 12  # events shown of a long list at its start and at its end
MOST_BODIES, MOST_VARIABLES = 10, 20
SPEEDS = tuple(f"v{axis}" for axis in AXES)


def tell(run: Run, outcomes: Sequence[Outcome], *, all_events: bool) -> None:
    """Print everything worth knowing about ``run``."""
    _tell_events(run.events, whole=all_events)
    _tell_end(run)
    for outcome in outcomes:
        _tell_outcome(outcome)
    _tell_last(run)


def _tell_events(events: Sequence[Event], *, whole: bool) -> None:
    if not events:
        print_line("no events")
        return
    rows = [_row(event) for event in events]
    if not whole and len(rows) > 2 * ENDS + 1:
        left_out = len(rows) - 2 * ENDS
        middle = ("…", f"{left_out} more", "(--all-events shows them)", "", "")
        rows = [*rows[:ENDS], middle, *rows[-ENDS:]]
    headings = ("time (s)", "event", "contacts", "location", "remark")
    title = f"{len(events)} event{'s' if len(events) > 1 else ''}"
    print_table(headings, rows, title=title, numbers=(0,))


def _row(event: Event) -> tuple[str, ...]:
    source, target = str(event.source), str(event.target)
    where = target if source == target else f"{source} → {target}"
    return (f"{event.time:.9g}", event.kind, ", ".join(event.contacts), where, event.remark)


def _tell_end(run: Run) -> None:
    time = run.end.time if run.parts else 0.0
    fine = run.stop in (Stop.HORIZON, Stop.INTERRUPTED, Stop.MAX_EVENTS)  # these were asked for
    why = WORDS[run.stop] + (f": {run.message}" if run.message and not fine else "")
    print_line(f"stopped at t = {time:.9g} s: {why}", "" if fine else "bold red")


def _tell_outcome(outcome: Outcome) -> None:
    claim = f"property {outcome.claim.name}: {claim_text(outcome.claim)}"
    match outcome:
        case Kept(until=until):
            print_line(f"{claim}: held on this run, to t = {until:.6g} s", "green")
        case Broken(time=time, leeway=leeway, marginal=marginal):
            doubt = (
                f", by {abs(shown(leeway)):.2g}: less than can be told apart" if marginal else ""
            )
            print_line(f"{claim}: violated at t = {time:.9g} s{doubt}", "bold red")
        case Open(until=until):
            print_line(f"{claim}: open; not violated by t = {until:.6g} s, the end of this run")


def _tell_last(run: Run) -> None:
    """Places and velocities of the bodies and the variables of automata at the end, if few."""
    final = run.final if run.parts else {}
    bodies = _bodies(final)
    if 0 < len(bodies) <= MOST_BODIES:
        parts = (*AXES, *SPEEDS)
        rows = [(body, *(f"{final[f'{body}.{part}']:.6g}" for part in parts)) for body in bodies]
        headings = ("body", *(f"{a} (m)" for a in AXES), *(f"{v} (m/s)" for v in SPEEDS))
        print_table(headings, rows, title="at the end", numbers=range(1, 7))
    others = [name for name in final if name.rpartition(".")[0] not in bodies]
    if 0 < len(others) <= MOST_VARIABLES:
        values = [(name, f"{final[name]:.6g}") for name in others]
        print_table(("variable", "at the end"), values, numbers=(1,))


def _bodies(final: Mapping[str, float]) -> list[str]:
    names = [name.removesuffix(".vx") for name in final if name.endswith(".vx")]
    return [name for name in names if all(f"{name}.{c}" in final for c in COORDINATES)]
