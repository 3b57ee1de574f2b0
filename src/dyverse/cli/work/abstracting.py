"""The work of ``dyverse abstract``: survey, derive, prove, write the files, tell the outcome."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dyverse.abstraction.behaviours.behaviour import Behaviour, behaviour_automaton, derive
from dyverse.abstraction.behaviours.initial import Abstraction, initial_abstraction, lettered
from dyverse.abstraction.behaviours.splitting import Refined, prove, refine
from dyverse.abstraction.evidence.classify import classify
from dyverse.abstraction.evidence.verdict import Undecided, verdict_name
from dyverse.abstraction.language.printing import expression_text
from dyverse.abstraction.language.word import Lasso, word_text
from dyverse.abstraction.omega.automata import Language
from dyverse.abstraction.omega.decide import accepts
from dyverse.abstraction.omega.dot import dot
from dyverse.abstraction.omega.hoa import hoa
from dyverse.abstraction.omega.lts import Lts
from dyverse.abstraction.portrait.field import Box
from dyverse.abstraction.survey.mapping import answer
from dyverse.abstraction.survey.survey import Survey, survey
from dyverse.automaton.surface.discontinuous import Rules, ruled
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.cli.arguments.behaviours import behaviour_name
from dyverse.cli.arguments.grids import parse_box
from dyverse.cli.arguments.opened import Opened, opened
from dyverse.cli.arguments.outputs import check_outputs
from dyverse.cli.arguments.settings import parse_settings
from dyverse.cli.terminal.reported import print_json, say
from dyverse.cli.terminal.tables import print_line, print_table
from dyverse.cli.work.lasting import Prover
from dyverse.cli.work.lasting import lines as proof_lines
from dyverse.cli.work.returning import abstract_bodies, is_of_bodies, refuse
from dyverse.errors import ModelError, Problem
from dyverse.exporters.atomic import write_lines
from dyverse.generation.parts import parts_of
from dyverse.simulation.simulate import Options

DEFAULT_UNTIL = 500.0  # s
BAD, UNDECIDED = 1, 3  # exit codes
OPTIONS = Options(solver="native")
LONG = 12  # locations of a system whose expressions are too long to be read
STARTS = 24  # random places in a box, unless it is said how many


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What to abstract, how, and what to write."""

    settings: tuple[str, ...] = ()
    until: float | None = None
    rules: Rules = "complete"
    box: tuple[str, ...] = ()
    starts: int | None = None
    bad: tuple[str, ...] = ()
    dot: str | None = None
    hoa: str | None = None
    prove: bool = False

    def check(self, model: str) -> None:
        """Refuse numbers that make no sense and files that cannot be written."""
        if self.until is not None and not 0 < self.until < math.inf:
            raise ModelError([Problem("must be a finite time after 0")], file="--until")
        if self.starts is not None and self.starts < 0:
            raise ModelError([Problem("must be 0 or more")], file="--starts")
        check_outputs(model, {"--dot": self.dot, "--hoa": self.hoa})

    def check_bodies(self, name: str) -> None:
        """Refuse what bodies cannot be asked for."""
        given = {"--box": self.box, "--starts": self.starts, "--dot": self.dot, "--hoa": self.hoa}
        refuse(given, name)


def abstract_model(model: str, order: Order, *, as_json: bool) -> int:
    """Abstract ``model`` and report; the answer is the exit code."""
    order.check(model)
    found = opened(model)
    settings = parse_settings(found.world, found.set(order.settings), more=found.model.settable())
    until = found.model.until(settings, DEFAULT_UNTIL) if order.until is None else order.until
    whole = found.unasked().automaton(settings)
    if is_of_bodies(whole):
        order.check_bodies(found.name)
        prover = Prover(found.source, whole, settings) if order.prove else None
        return abstract_bodies(whole, until, order.bad, prover, as_json=as_json)
    automaton = lettered(ruled(abstractable(found, settings), order.rules))
    bad = bad_names(order.bad, automaton)
    box, starts = whole_box(automaton.variables, order.box, order.starts)
    seen = survey(automaton, until=until, box=box, starts=starts, options=OPTIONS)
    made = initial_abstraction(seen.separated.automaton, letters="actions")
    refined = refine(made.lts, seen.behaviours)
    result = _answer(seen, made, refined) | _word(seen, made, until)
    result["bad"] = [name for name in bad if name in (result["behaviour"], result["whole"])]
    if order.prove:
        Prover(found.source, found.automaton(settings), settings).tell(seen, result)
    _write(refined, order)
    if as_json:
        print_json(result)
    else:
        _tell(result, proved=order.prove)
    return _exit_code(seen, result)


def bad_names(texts: tuple[str, ...], automaton: WrittenAutomaton) -> list[str]:
    """The behaviours of ``--bad``, as verdicts call them; what there is not is refused."""
    lts = initial_abstraction(automaton, letters="actions").lts
    return [behaviour_name(text, lts, option="--bad") for text in texts]


def whole_box(
    variables: tuple[str, ...], texts: tuple[str, ...], starts: int | None
) -> tuple[Box | None, int]:
    """The box of ``--box``, if there is one, and from how many random places runs are followed."""
    given = parse_box(variables, texts)
    number = (STARTS if given else 0) if starts is None else starts
    if not given:
        return None, number
    if missing := [name for name in variables if name not in given]:
        problem = f"a box needs all variables; {', '.join(missing)} is missing"
        raise ModelError([Problem(problem)], file="--box")
    return tuple(given[name] for name in variables), number


def abstractable(found: Opened, settings: Mapping[str, float]) -> WrittenAutomaton:
    """The automaton, if it is of the kind whose behaviours can be found."""
    written = parts_of(found.unasked().automaton(settings)).written
    if written and written.variables and not written.nodes:
        return written
    message = (
        "needs bodies, one automaton with real variables, or a discontinuous system; "
        "networks and computation nodes are simulated and falsified only"
    )
    raise ModelError([Problem(message)], file=found.name)


def _answer(seen: Survey, made: Abstraction, refined: Refined) -> dict[str, Any]:
    """Everything, as JSON."""
    behaviour = seen.behaviour
    proofs = prove(refined, derived=_language)
    return {
        "locations": list(made.lts.locations),
        "alphabet": list(made.lts.alphabet),
        "letters": [str(meaning) for meaning in made.meanings],
        "languages": {str(b): _expression(made.lts, b) for b in seen.behaviours},
        "proved": all(proof.difference is None for proof in proofs),
        "acceptance": {str(b): _acceptance(refined, b) for b in seen.behaviours},
        **answer(seen.verdict),
        "whole": verdict_name(seen.verdict),
        "behaviour": str(behaviour) if behaviour is not None else verdict_name(seen.verdict),
        "equilibria": [_point(seen, n) for n in range(len(seen.points))],
        "sets": [_set(seen, n) for n in range(len(seen.sets))],
        "orbits": [_orbit(seen, n) for n in range(len(seen.orbits))],
        "searched": {rest.location: rest.remark for rest in seen.found.resting},
        "shares": seen.shares,
        "box": dict(zip(seen.automaton.variables, seen.found.box, strict=True)),
        "violations": [str(violation) for violation in seen.violations],
        "cuts": [str(cut) for cut in seen.separated.cuts],
        "left": [str(violation) for violation in seen.separated.left],
    }


def _word(seen: Survey, made: Abstraction, until: float) -> dict[str, Any]:
    """The word of the run through the cut automaton, and the behaviours whose language has it."""
    automaton, verdict = seen.separated.automaton, seen.verdict
    if seen.separated.cuts:
        verdict, _ = classify(automaton, until=until, options=OPTIONS)
    word = verdict.word
    return {
        "word": str(word) if isinstance(word, Lasso) else word_text(word),
        "accepted": [str(b) for b in seen.behaviours if accepts(_language(made.lts, b), word)],
    }


def _language(lts: Lts, behaviour: Behaviour) -> Language:
    """The language of a behaviour: an expression, or an automaton where that would be long."""
    if len(lts.locations) > LONG:
        return behaviour_automaton(lts, behaviour)
    return derive(lts, behaviour)


def _expression(lts: Lts, behaviour: Behaviour) -> str | None:
    return None if len(lts.locations) > LONG else expression_text(derive(lts, behaviour))


def _acceptance(refined: Refined, behaviour: Behaviour) -> list[str] | list[list[str]]:
    """F of an equilibrium, or the Muller family of a cycle, over the refined locations."""
    family = refined.family(behaviour)
    if family:
        return [sorted(states) for states in family]
    return sorted(refined.accepting(behaviour))


def _point(seen: Survey, number: int) -> dict[str, Any]:
    point = seen.points[number]
    return {
        "behaviour": str(seen.behaviours[number]),
        "location": point.location,
        "values": dict(zip(seen.automaton.variables, point.values.tolist(), strict=True)),
        "stable": point.is_stable,
        "eigenvalues": [[value.real, value.imag] for value in point.eigenvalues],
    }


def _set(seen: Survey, number: int) -> dict[str, Any]:
    held = seen.sets[number]
    return {
        "behaviour": str(seen.behaviours[len(seen.points) + number]),
        "location": held.location,
        "along": list(held.free),
        "bounds": dict(zip(seen.automaton.variables, held.bounds, strict=True)),
    }


def _orbit(seen: Survey, number: int) -> dict[str, Any]:
    orbit = seen.orbits[number]
    return {
        "behaviour": str(seen.behaviours[len(seen.points) + len(seen.sets) + number]),
        "locations": list(orbit.locations),
        "period": orbit.period,
        "stable": orbit.is_stable,
        "multipliers": [[value.real, value.imag] for value in orbit.multipliers],
    }


def _write(refined: Refined, order: Order) -> None:
    automaton = refined.automaton()
    for path, text in ((order.dot, dot), (order.hoa, hoa)):
        if path:
            write_lines(path, text(automaton).splitlines())
            say(f"wrote {path}")


def _exit_code(seen: Survey, result: dict[str, Any]) -> int:
    if result["bad"]:
        return BAD
    return UNDECIDED if isinstance(seen.verdict, Undecided) else 0


def _tell(result: dict[str, Any], *, proved: bool) -> None:
    print_line(f"{len(result['locations'])} locations: {', '.join(result['locations'])}")
    for letter in result["letters"]:
        print_line(f"  {letter}")
    for violation in result["violations"]:
        print_line(f"assumption fails: {violation}", "yellow")
    for cut in result["cuts"]:
        print_line(f"so {cut}")
    for violation in result["left"]:
        print_line(f"still not told apart: {violation}", "bold yellow")
    _tell_behaviours(result)
    for line in proof_lines(result) if proved else ():
        print_line(line, "green" if line.startswith("proved") else "yellow")
    for name, share in result["shares"].items():
        print_line(f"{share:>4.0%} of the runs from random places: {name}")
    style = "bold yellow" if result["whole"] == "undecided" else "bold"
    if result["bad"]:
        style = "bold red"
    print_line(f"the run: {result['behaviour']}, word {_short(result['word'])}", style)
    sure = f" ({result['certainty']})" if result["certainty"] else ""
    print_line(f"  it {result['evidence']}{sure}")


def _tell_behaviours(result: dict[str, Any]) -> None:
    rows = [
        (
            entry["behaviour"],
            _where(entry),
            _kind(entry),
            result["languages"][entry["behaviour"]] or "(too long; --hoa writes the automaton)",
        )
        for entry in (*result["equilibria"], *result["sets"], *result["orbits"])
    ]
    if not rows:
        print_line("no behaviour was found")
        return
    proved = "proved equal to what the automaton accepts" if result["proved"] else "NOT proved"
    print_table(("behaviour", "where", "", "language"), rows, title=f"languages, {proved}")


def _where(entry: dict[str, Any]) -> str:
    if "period" in entry:
        return f"period {entry['period']:.6g} s"
    if "bounds" in entry:
        return ", ".join(_between(name, *ends) for name, ends in entry["bounds"].items())
    return ", ".join(f"{name} = {number:.6g}" for name, number in entry["values"].items())


def _between(name: str, low: float, high: float) -> str:
    return f"{name} = {low:.6g}" if low == high else f"{name} in [{low:.6g}, {high:.6g}]"


def _kind(entry: dict[str, Any]) -> str:
    if "bounds" in entry:
        return "a set"
    return {True: "stable", False: "unstable", None: "undecided"}[entry["stable"]]


def _short(word: str) -> str:
    return word if len(word) <= 60 else f"{word[:30]}…{word[-20:]}"
