# mypy: ignore-errors
# (it runs where its peer is installed; mypy runs where it is not)
"""PSY-TaLiRo: a black box that simulates with dyverse, and a requirement on the margin it gives.

The trace holds the least margin of the run, located between the steps: sampled states would step
over a thin violation. The requirement is checked by Banquo, the quicker of PSY-TaLiRo's monitors.
"""

from __future__ import annotations

from contextlib import suppress
from importlib.metadata import version

import numpy as np
from staliro import TestOptions, blackbox, staliro
from staliro.models import Trace
from staliro.optimizers import DualAnnealing, UniformRandom
from staliro.specifications.banquo import Banquo

from benchmarks.peers.falsify.search import Counted, Ended, Search, run
from benchmarks.peers.falsify.task import ALONE
from dyverse.falsification.question import Question

REQUIREMENT = "always (-1.0*margin <= 0.0)"  # its robustness is the margin


def searching(optimizer):
    """A search with one of its optimizers, told to stop at a negative cost."""

    def search(question: Question, seed: int) -> Search:
        margin = Counted(question, ALONE)

        @blackbox(step_size=question.until)
        def model(inputs):
            point = np.array([inputs.static[unknown.name] for unknown in question.unknowns])
            state = {"margin": margin(point)}
            return Trace({0.0: state, question.until: state})

        options = TestOptions(
            tspan=(0.0, question.until),
            static_inputs={u.name: (u.low, u.high) for u in question.unknowns},
            iterations=ALONE,
            seed=seed + 1,  # it refuses 0
        )
        with suppress(Ended):
            staliro(model, Banquo.parse_stl(REQUIREMENT), optimizer(min_cost=0.0), options)
        return margin.search

    return search


if __name__ == "__main__":
    run(
        version("psy-taliro"),
        {
            "PSY-TaLiRo UniformRandom": searching(UniformRandom),
            "PSY-TaLiRo DualAnnealing": searching(DualAnnealing),
        },
    )
