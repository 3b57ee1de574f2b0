"""``dyverse abstract`` for bodies: what one run of theirs shows, and nothing of all runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dyverse.abstraction.evidence.returning import NotSeen, Returns, Seen, instants, returning
from dyverse.abstraction.survey.returns import seen_answer
from dyverse.automaton.interface import HybridAutomaton
from dyverse.cli.terminal.reported import print_json
from dyverse.cli.terminal.tables import print_line
from dyverse.cli.work.lasting import Prover, line
from dyverse.errors import ModelError, Problem
from dyverse.generation.parts import parts_of
from dyverse.simulation.simulate import Options, simulate

BAD, UNDECIDED = 1, 3  # exit codes
OPTIONS = Options(solver="native")
NAMES = "rest, 'orbit of N', unclassified and undecided"


def is_of_bodies(automaton: HybridAutomaton) -> bool:
    """Whether the long run is looked for in one run alone."""
    return parts_of(automaton).bodies is not None


def refuse(options: Mapping[str, object], name: str) -> None:
    """Refuse options for which a written automaton is needed."""
    if given := [option for option, value in options.items() if value]:
        message = (
            "bodies have no written automaton: what they do is seen in one run, "
            "without languages of others"
        )
        raise ModelError([Problem(message)], file=f"{name}, {given[0]}")


def check_bad(texts: tuple[str, ...]) -> tuple[str, ...]:
    """The behaviours of ``--bad``, as they are called here."""
    for text in texts:
        number = text.removeprefix("orbit of ")
        if text not in ("rest", "undecided", "unclassified") and not number.isdigit():
            raise ModelError([Problem(f"bodies do {NAMES}, not {text!r}")], file="--bad")
    return texts


def abstract_bodies(
    automaton: HybridAutomaton,
    until: float,
    bad: tuple[str, ...],
    prover: Prover | None = None,
    *,
    as_json: bool,
) -> int:
    """Follow the bodies, say what they come to, and what of it is proved; the exit code."""
    run = simulate(automaton, until=until, options=OPTIONS)
    seen = returning(run)
    alphabet = sorted(set(instants(run).letters))
    result: dict[str, Any] = {
        "locations": sorted({str(arc.location) for arc in run.arcs}),
        "alphabet": alphabet,
        "languages": {seen.name: seen.word},
        **seen_answer(seen),
        "bad": [name for name in check_bad(bad) if name == seen.name],
    }
    if prover is not None:
        prover.tell_bodies(run, seen, result)
    if as_json:
        print_json(result)
    else:
        _tell(seen, result)
    if result["bad"]:
        return BAD
    return UNDECIDED if isinstance(seen, NotSeen) and not seen.over else 0


def _tell(seen: Seen, result: dict[str, Any]) -> None:
    print_line(f"{len(result['alphabet'])} letters: {'; '.join(result['alphabet'])}")
    style = "bold red" if result["bad"] else "bold yellow" if isinstance(seen, NotSeen) else "bold"
    print_line(f"the run: {seen.name}, word {_short(seen.word)}", style)
    sure = f" ({result['certainty']})" if result["certainty"] else ""
    print_line(f"  it {seen}{sure}")
    if "proof" in result:
        print_line(f"  {line(result)}", "green" if result["proof"]["proved"] else "yellow")
    elif isinstance(seen, Returns):
        print_line("  that is what this run does; of runs from elsewhere it says nothing")


def _short(word: str) -> str:
    return word if len(word) <= 100 else f"{word[:50]}…{word[-45:]}"
