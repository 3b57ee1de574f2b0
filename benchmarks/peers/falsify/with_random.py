"""Random search: uniform points, a batch at a time."""

from __future__ import annotations

import time

import numpy as np

from benchmarks.peers.falsify.search import Search, run
from benchmarks.peers.falsify.task import BATCH, MANY
from dyverse.falsification.question import Question, probe


def search(question: Question, seed: int) -> Search:
    """Runs are counted up to the point that breaks the property, time to the end of its batch."""
    generator, began = np.random.default_rng(seed), time.process_time()
    for first in range(0, MANY, BATCH):
        size = (min(BATCH, MANY - first), len(question.unknowns))
        points = generator.uniform(question.low, question.high, size)
        broken = np.flatnonzero(probe(question, points).margins < 0)
        if len(broken):
            return Search(first + int(broken[0]) + 1, time.process_time() - began, True)
    return Search(MANY, time.process_time() - began, False)


if __name__ == "__main__":
    run(np.__version__, {"random search": search})
