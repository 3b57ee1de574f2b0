"""scipy: `dual_annealing` with its local search, as it is by default."""

from __future__ import annotations

from contextlib import suppress

import scipy
from scipy.optimize import dual_annealing

from benchmarks.peers.falsify.search import Counted, Ended, Search, run
from benchmarks.peers.falsify.task import ALONE
from dyverse.falsification.question import Question


def search(question: Question, seed: int) -> Search:
    """Only the budget ends it, or a violation."""
    margin = Counted(question, ALONE)
    bounds = list(zip(question.low, question.high, strict=True))
    with suppress(Ended):
        dual_annealing(margin, bounds, rng=seed, maxfun=ALONE, maxiter=ALONE)
    return margin.search


if __name__ == "__main__":
    run(scipy.__version__, {"scipy dual_annealing": search})
