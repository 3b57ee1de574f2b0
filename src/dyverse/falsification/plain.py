"""A verdict as plain data for JSON and for reports."""

from __future__ import annotations

import math
from itertools import groupby
from typing import Any, assert_never

from dyverse.automaton.guard.robustness import shown
from dyverse.automaton.interface import State, Visit
from dyverse.automaton.run import Arc, Moment, Part, Run
from dyverse.expr.printing import formula_text
from dyverse.falsification.question import Question
from dyverse.falsification.verdict import (
    Coverage,
    NotFound,
    Safe,
    Unknown,
    Unsafe,
    Verdict,
    Witness,
)
from dyverse.falsification.visited import Visited

Plain = dict[str, Any]  # JSON
WORDS = {Unsafe: "unsafe", NotFound: "not_found", Unknown: "unknown", Safe: "safe"}


def verdict_json(question: Question, verdict: Verdict) -> Plain:
    """The verdict as in the contract of the command line."""
    witness = verdict.witness if isinstance(verdict, Unsafe) else None
    answer: Plain = {
        "verdict": WORDS[type(verdict)],
        "property": question.system.claim.name,
        "witness": witness and witness_json(question, witness),
        "nearest": None,
        "deepest": None,
        "simplest": None,
        "others": [],
        "covered": coverage_json(question, verdict.covered),
        "stats": {"runs": verdict.covered.runs, "paths": verdict.covered.paths},
    }
    match verdict:
        case Unsafe(nearest=nearest, deepest=deepest, simplest=simplest, others=others):
            answer["nearest"] = nearest and witness_json(question, nearest)
            answer["deepest"] = deepest and witness_json(question, deepest)
            answer["simplest"] = simplest and witness_json(question, simplest)
            answer["others"] = [witness_json(question, other) for other in others]
        case Unknown(why=why, marginal=marginal):
            answer["why"] = why
            answer["marginal"] = marginal and witness_json(question, marginal)
        case Safe(certificate=certificate):
            answer["certificate"] = certificate
        case NotFound():
            pass
    return answer


def witness_json(question: Question, witness: Witness) -> Plain:
    """Parameters, start, path and events of a witness."""
    run = witness.run
    first = run.arcs[0].start if run.arcs else run.automaton.start()
    last = run.end if run.parts else first
    names = run.automaton.variables
    return {
        "parameters": dict(witness.settings),
        "initial": dict(zip(names, first.values.tolist(), strict=True)),
        "final": dict(zip(names, last.values.tolist(), strict=True)),
        "time": witness.time,
        "margin": shown(witness.margin) if math.isfinite(witness.margin) else None,
        "error": witness.error if math.isfinite(witness.error) else None,
        "worst_time": witness.worst_time,
        "marginal": witness.marginal,
        "decides": formula_text(witness.decides) if witness.decides else None,
        "changed": changed(question, witness),
        "path": path(run),
        "events": [
            {"time": event.time, "kind": event.kind, "contacts": list(event.contacts)}
            for event in run.events
        ],
        "until": question.until,
    }


def changed(question: Question, witness: Witness) -> list[str]:
    """The unknowns that are not as the model has them."""
    own = zip(question.unknowns, question.nominal.tolist(), strict=True)
    return [unknown.name for unknown, x in own if witness.settings[unknown.name] != x]


def path(run: Run) -> list[str]:
    """The locations and computation nodes that a run goes through, each named once per stay."""
    return [name for name, _ in groupby(map(_place, run.parts))]


def _place(part: Part) -> str:
    match part:
        case Arc(location=location) | Moment(state=State(location=location)):
            return str(location)
        case Visit(before=before):
            return str(before.location)
        case _:
            assert_never(part)


def coverage_json(question: Question, covered: Coverage) -> Plain:
    """How far the search looked, and where."""
    least = covered.least_margin
    return {
        "ranges": {u.name: [u.low, u.high] for u in question.unknowns},
        "until": question.until,
        "depth": question.depth,
        "runs": covered.runs,
        "paths": covered.paths,
        "deepest": covered.deepest,
        "least_margin": shown(least) if math.isfinite(least) else None,
        "nearest": dict(covered.nearest),
        "incomplete": covered.incomplete,
        "at_depth": covered.at_depth,
        "remarks": list(covered.remarks),
    }


def visited_json(seen: Visited) -> Plain:
    """What runs have met of the automaton, and what not."""
    return {
        "runs": seen.runs,
        "locations": {met.name: met.runs for met in seen.places},
        "edges": [
            {"edge": met.name, "guard": met.guard, "runs": met.runs, "missed": met.missed}
            for met in seen.edges
        ],
        "contacts": {name: dict(counts) for name, counts in seen.contacts},
    }
