"""dyverse: the whole verdict with its replayed witnesses, and the first violation it saw."""

from __future__ import annotations

import time

import dyverse
from benchmarks.peers.falsify.search import Search, answer, asked
from benchmarks.peers.measure import say
from dyverse.falsification.falsify import falsify
from dyverse.falsification.question import Question
from dyverse.falsification.search.shooting import Progress
from dyverse.falsification.verdict import Unsafe


def searched(question: Question, seed: int) -> tuple[Search, Search]:
    """The search up to its verdict, and the same up to the round that saw a violation."""
    seen: list[Search] = []

    def tell(progress: Progress) -> None:
        seen.append(Search(progress.runs, time.process_time() - began, progress.least_margin < 0))

    began = time.process_time()
    verdict = falsify(question, seed=seed, tell=tell)
    seconds = time.process_time() - began
    whole = Search(verdict.covered.runs, seconds, isinstance(verdict, Unsafe))
    return whole, next((search for search in seen if search.found), seen[-1])


def main() -> None:
    name, question, seeds = asked()
    wholes, firsts = zip(*(searched(question, seed) for seed in seeds), strict=True)
    say(
        answer("dyverse", dyverse.__version__, name, list(wholes)),
        answer("dyverse, without replay", dyverse.__version__, name, list(firsts)),
    )


if __name__ == "__main__":
    main()
