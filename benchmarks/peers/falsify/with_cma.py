# mypy: ignore-errors
# (it runs where its peer is installed; mypy runs where it is not)
"""cma: the reference implementation of CMA-ES, with restarts of growing populations.

It needs two unknowns or more, so one that is alone gets one without effect beside it.
"""

from __future__ import annotations

from contextlib import suppress

import cma
import numpy as np

from benchmarks.peers.falsify.search import Counted, Ended, Search, run
from benchmarks.peers.falsify.task import ALONE
from dyverse.falsification.question import Question

SPREAD = 0.3  # of the ranges, as its documentation advises
RESTARTS = 9
OPTIONS = {"bounds": [0, 1], "verbose": -9, "verb_log": 0, "verb_disp": 0}


def search(question: Question, seed: int) -> Search:
    """Only the budget ends it, or a violation: behind all restarts it begins again."""
    margin, draw = Counted(question, ALONE), np.random.default_rng(seed)
    count = len(question.unknowns)

    def amount(shares):
        return margin(question.low + np.clip(shares[:count], 0, 1) * question.width)

    with suppress(Ended):
        for attempt in range(ALONE):
            start = draw.uniform(size=max(2, count))
            options = {**OPTIONS, "seed": 1 + ALONE * seed + attempt}
            cma.fmin2(amount, start, SPREAD, options, restarts=RESTARTS)
    return margin.search


if __name__ == "__main__":
    run(cma.__version__, {"cma": search})
