"""A run as plain data for JSON: why it stopped, its events, and where everything ended up."""

from __future__ import annotations

import math
from collections.abc import Iterable

from dyverse.automaton.guard.robustness import shown
from dyverse.automaton.interface import Event, Visit
from dyverse.automaton.run import Run
from dyverse.bodies.world import Property
from dyverse.expr.printing import formula_text, requirement_text
from dyverse.expr.requirement import plain
from dyverse.simulation.requirement.properties import Broken, Kept, Outcome

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


def run_json(run: Run, outcomes: Iterable[Outcome] = ()) -> dict[str, Json]:
    """The run as a dictionary that is valid JSON: a number that is not finite becomes null."""
    end = run.end if run.parts else run.automaton.start()
    values = zip(run.automaton.variables, end.values.tolist(), strict=True)
    return {
        "stop": str(run.stop),
        "message": run.message,
        "solver": run.solver,
        "time": number(end.time),
        "location": str(end.location),
        "events": [_event(event) for event in run.events],
        "final": {name: number(amount) for name, amount in values},
        "properties": [_outcome(outcome) for outcome in outcomes],
        "nodes": [_visit(visit) for visit in run.visits],
    }


def number(amount: float) -> float | None:
    """``amount``, or nothing if JSON has no word for it."""
    return amount if math.isfinite(amount) else None


def _event(event: Event) -> Json:
    return {
        "time": number(event.time),
        "kind": event.kind,
        "contacts": list(event.contacts),
        "from": str(event.source),
        "to": str(event.target),
        "remark": event.remark,
        "accumulates": event.accumulates,
    }


def _visit(visit: Visit) -> Json:
    return {
        "time": number(visit.before.time),
        "node": str(visit.before.location),
        "sweeps": visit.sweeps,
        "residual": number(visit.residual),
        "method": visit.method,
    }


def _outcome(outcome: Outcome) -> Json:
    broken = outcome if isinstance(outcome, Broken) else None
    return {
        "name": outcome.claim.name,
        "formula": _formula(outcome.claim),
        "requirement": requirement_text(outcome.claim.requirement),
        "held": broken is None,
        "decided": isinstance(outcome, Kept | Broken),
        "violated_at": None if broken is None else broken.time,
        "marginal": broken is not None and broken.marginal,
        "margin": number(shown(outcome.worst.margin)),
        "decides": formula_text(outcome.worst.decides) if outcome.worst.decides else None,
        "checked_until": number(outcome.until),
    }


def _formula(claim: Property) -> str | None:
    """The formula of a plain property."""
    found = plain(claim.requirement)
    return None if found is None else formula_text(found.formula)
