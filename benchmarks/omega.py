"""How long does it take to decide questions on random Büchi automata?

The automata are those of D. Tabakov and M. Y. Vardi, "Experimental evaluation of classical automata
constructions", LPAR 2005: for each of two letters as many steps as states times the density, drawn
without repetition among all; a third of the states accepting; one initial.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import product
from random import Random
from statistics import median

from benchmarks.table import Cell, Requirement, Table
from dyverse.abstraction.omega.automata import BuchiAutomaton
from dyverse.abstraction.omega.decide import LIMIT, are_equivalent, is_included
from dyverse.abstraction.omega.emptiness import is_empty
from dyverse.abstraction.omega.lts import Lts, Step
from dyverse.errors import SolverError

Pair = tuple[BuchiAutomaton, BuchiAutomaton]

LETTERS = ("a", "b")
SIZES, DENSITIES = (5, 10, 15, 30, 60), (1.0, 1.5, 2.0)
QUESTIONS: dict[str, Callable[[Pair], bool]] = {
    "emptiness": lambda pair: is_empty(pair[0]),
    "inclusion": lambda pair: is_included(*pair),
    "equivalence": lambda pair: are_equivalent(*pair),
}


def measure(quick: bool) -> Table:
    """Median and worst time of each question, what was answered, and what was refused."""
    sizes, count = (SIZES[:3], 10) if quick else (SIZES, 50)
    cases = list(product(sizes, DENSITIES, QUESTIONS))
    rows = [_row(size, density, question, count) for size, density, question in cases]
    wanted = cases.index((sizes[-1] if quick else 30, 1.5, "inclusion"))
    return Table(
        question="random Büchi automata: is one empty, included in another, equal to it?",
        columns=("states", "density", "question", "median ms", "worst ms", "yes", "no", "refused"),
        rows=tuple(rows),
        requirements=(
            Requirement(
                text="inclusion at density 1.5, 30 states (15 in a quick run), median ms",
                value=float(rows[wanted][3]),
                limit=1000.0,
            ),
        ),
        remarks=(
            f"{count} pairs each, two letters, a third of the states accepting; one timing each",
            f"refused: more than {LIMIT:,} cases",
        ),
    )


def random_automaton(size: int, density: float, rng: Random) -> BuchiAutomaton:
    """``size`` states and ``density`` steps per state and letter; a third of them accepting."""
    names = tuple(f"q{n}" for n in range(size))
    every = [(source, target) for source in names for target in names]
    steps = [
        Step(source, letter, target)
        for letter in LETTERS
        for source, target in rng.sample(every, round(density * size))
    ]
    accepting = frozenset(rng.sample(names, max(1, round(size / 3))))
    return BuchiAutomaton(Lts(names, LETTERS, tuple(steps), names[:1]), accepting)


def pair(size: int, density: float, seed: int) -> Pair:
    """Two random automata; the same ones for the same seed."""
    rng = Random(f"{size} {density} {seed}")
    return random_automaton(size, density, rng), random_automaton(size, density, rng)


def _row(size: int, density: float, question: str, count: int) -> tuple[Cell, ...]:
    answers, times = [], []
    for seed in range(count):
        answer, seconds = _timed(QUESTIONS[question], pair(size, density, seed))
        answers.append(answer)
        times.append(1e3 * seconds)
    counts = (answers.count("yes"), answers.count("no"), answers.count("refused"))
    return (size, density, question, median(times), max(times), *counts)


def _timed(decide: Callable[[Pair], bool], given: Pair) -> tuple[str, float]:
    start = time.perf_counter()
    try:
        answer = "yes" if decide(given) else "no"
    except SolverError:
        answer = "refused"
    return answer, time.perf_counter() - start
