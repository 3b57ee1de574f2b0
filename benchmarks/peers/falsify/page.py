"""The searches of all seeds as tables: how many found it, and quartiles of runs and of time."""

from __future__ import annotations

import math
from typing import Any

from benchmarks.peers.falsify.task import HELD_OUT, PROBLEMS
from benchmarks.peers.measure import Answer
from benchmarks.peers.page import Section, number

Found = dict[str, Any]  # as read from JSON
OWN = "dyverse"
PEERS = (
    OWN,
    "dyverse, without replay",
    "scipy dual_annealing",
    "random search",
    "cma",
    "PSY-TaLiRo UniformRandom",
    "PSY-TaLiRo DualAnnealing",
)
RIVALS = ("scipy dual_annealing", "cma", "random search")


def page(found: Found) -> str:
    """The committed page: when, on what and how it was measured, then the tables."""
    answers = found["answers"]
    names = [name for name in PROBLEMS if any(a["problem"] == name for a in answers)]
    parts = [_heading(found), _promises(answers, names), _summary(found, names).markdown()]
    parts += [_section(name, _of(answers, name)).markdown() for name in names]
    return "\n\n".join(parts) + "\n"


def unmeasured(answers: list[Answer]) -> list[str]:
    """The problems and the searches of which there are no numbers, each by its name."""
    asked = {str(a[key]) for a in answers for key in ("problem", "peer")}
    return [name for name in (*PROBLEMS, *PEERS) if name not in asked]


def quartiles(answer: Answer, column: str) -> tuple[float, float, float]:
    """The first quartile, the median and the third, by nearest rank; infinite where not found."""
    cells = zip(answer[column], answer["found"], strict=True)
    values = sorted(cell if found else math.inf for cell, found in cells)
    first, middle, third = (
        values[math.ceil(share * len(values)) - 1] for share in (0.25, 0.5, 0.75)
    )
    return first, middle, third


def _heading(found: Found) -> str:
    on, seeds = found["machine"], found["seeds"]
    libraries = on["libraries"]
    versions = dict.fromkeys(f"{_program(a)} {a['version']}" for a in found["answers"])
    lines = [
        "# dyverse's falsifier beside other searches",
        "",
        "Written by `make bench-falsify`, in one run; the numbers of every seed are in "
        "`peers/falsify/results.json`. Do not edit.",
        "",
        f"- measured {found['date']} at commit {found['commit']}, in {found['minutes']} minutes",
        f"- on {on['cpu']}, {on['cores']} cores, {on['system']}, {on['python']}, "
        f"numpy {libraries['numpy']}, scipy {libraries['scipy']}; load {found['load']} before and "
        f"{on['load']} after, the machine is shared",
        f"- {', '.join(versions)}; {found['installed']}",
        f"- every search starts from {seeds} seeds; a table says how many found a violation, the "
        "median of runs and seconds, and their first and third quartile; – is not found",
        f"- budgets: {found['alone']:,} runs for searches that make one at a time, and "
        f"{found['many']:,} for random search, which makes {found['batch']} at a time; "
        "dyverse ends by itself",
        "- everyone simulates with dyverse's native engine and is given the same margin, the least "
        "over the run, located between steps; sampled states would step over the windows. A run in "
        "a call of its own costs about a millisecond more than one of a batch",
        "- runs of dyverse are all that it made, to the end of the round that saw the violation; "
        "its time includes three witnesses replayed by the reference engine at 100 times tighter "
        "tolerance (the first found, the nearest to the model's own numbers, the deepest), which "
        "no other search makes; *without replay* is up to the first violation seen",
        "- seconds are the processor's, of all threads; models are compiled before the clock "
        "starts. PSY-TaLiRo's DualAnnealing is scipy's without its local search",
    ]
    left = unmeasured(found["answers"])
    more = [*found.get("notes", ()), *found["failures"]]
    more += [f"not measured yet: {', '.join(left)}"] if left else []
    return "\n".join([*lines, *(f"- {note}" for note in more)])


def _promises(answers: list[Answer], names: list[str]) -> str:
    """What the falsifier is to keep, on the problems it was made with and on the others."""
    groups = {
        "the problems that its searches were chosen on": [n for n in names if n not in HELD_OUT],
        "problems held out": [n for n in names if n in HELD_OUT],
    }
    told = [f"- on {words}: {kept(answers, own)}" for words, own in groups.items() if own]
    return "\n".join(["## Promises", "", *told])


def kept(answers: list[Answer], names: list[str]) -> str:
    """Median runs against the best of annealing, CMA-ES and random search, and seeds that found."""
    ratios: dict[str, float] = {}
    missed = searches = 0
    for name in names:
        by = {str(a["peer"]): a for a in _of(answers, name)}
        others = [quartiles(by[peer], "runs")[1] for peer in RIVALS if peer in by]
        missed += sum(not found for found in by[OWN]["found"])
        searches += len(by[OWN]["found"])
        ratios[name] = _ratio(quartiles(by[OWN], "runs")[1], min(others, default=math.inf))
    fewer = sum(ratio <= 1 for ratio in ratios.values())
    worst = max(ratios, key=lambda name: ratios[name])
    return (
        f"fewer or equally many runs at the median than the best of {', '.join(RIVALS)} on {fewer} "
        f"of {len(names)}; at most {number(ratios[worst])} times as many (*{worst}*); not found "
        f"with {missed} of {searches} seeds"
    )


def _ratio(own: float, best: float) -> float:
    if own == math.inf:
        return math.inf
    return own / best


def _program(answer: Answer) -> str:
    """The program whose version it is."""
    name = str(answer["peer"]).partition(" ")[0].rstrip(",")
    return "numpy" if name == "random" else name


def _summary(found: Found, names: list[str]) -> Section:
    """Every search on every problem, in a few words."""
    searches = list(dict.fromkeys(str(a["peer"]) for a in found["answers"]))
    rows = []
    for name in names:
        by = {a["peer"]: a for a in _of(found["answers"], name)}
        rows.append((name, *(_short(by[s]) if s in by else "not measured" for s in searches)))
    notes = [text for name in names if (text := _ahead(name, _of(found["answers"], name)))]
    return Section(
        title="In short",
        columns=("problem", *searches),
        rows=tuple(rows),
        notes=("found · median runs · median seconds", *notes),
    )


def _short(answer: Answer) -> str:
    hits = f"{sum(answer['found'])}/{len(answer['found'])}"
    medians = (quartiles(answer, column)[1] for column in ("runs", "seconds"))
    return " · ".join([hits, *map(number, medians)])


def _ahead(name: str, answers: list[Answer]) -> str:
    """Who needs fewer runs or less time than dyverse's verdict."""
    own = next((a for a in answers if a["peer"] == OWN), None)
    others = [a for a in answers if not str(a["peer"]).startswith(OWN)]
    told = []
    for column, words in (("runs", "fewer runs"), ("seconds", "less time")):
        limit = quartiles(own, column)[1] if own else math.inf
        ahead = [a["peer"] for a in others if quartiles(a, column)[1] < limit]
        told += [f"{words}: {', '.join(ahead)}"] if ahead else []
    return f"ahead of dyverse in *{name}*, at the median: {'; '.join(told)}" if told else ""


def _section(name: str, answers: list[Answer]) -> Section:
    problem = PROBLEMS[name]
    rows = tuple(
        (
            str(a["peer"]),
            f"{sum(a['found'])} of {len(a['found'])}",
            *(_spread(a, column) for column in ("runs", "seconds")),
        )
        for a in answers
    )
    return Section(
        title=problem.title,
        columns=("search", "found", "runs: median (quartiles)", "seconds: median (quartiles)"),
        rows=rows,
        notes=(problem.about, f"`{problem.command}`"),
    )


def _spread(answer: Answer, column: str) -> str:
    first, middle, third = map(number, quartiles(answer, column))
    return middle if middle == "–" == first else f"{middle} ({first} to {third})"


def _of(answers: list[Answer], name: str) -> list[Answer]:
    return [answer for answer in answers if answer["problem"] == name]
