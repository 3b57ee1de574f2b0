"""Reading depths along runs: between samples too, and the same however they are read."""

import numpy as np
import pytest

from dyverse import Run
from dyverse.automaton.guard.branches import violations
from dyverse.falsification.question import probe
from dyverse.falsification.search.depths import Reader
from dyverse.falsification.search.slopes import run_at
from dyverse.falsification.system import formula_of
from dyverse.simulation.requirement.properties import outcome
from tests.falsification.models import BOUNCE, FLIGHT, asked, peak


def reader(text: str) -> tuple[Reader, Run]:
    question = asked(text)
    return Reader(violations(formula_of(question.system.claim))), run_at(question, question.nominal)


def test_the_peak_of_a_flight_is_found_between_samples() -> None:
    """y = v t - 5 t²: 0.45 m at 0.3 s for v = 3 m/s."""
    read, run = reader(FLIGHT)
    margin, time = read.lowest(run, run.arcs[0], 2.0)
    assert margin == pytest.approx(1 - 0.45, abs=1e-10)
    assert time == pytest.approx(0.3, abs=1e-5)


def test_what_comes_after_the_end_does_not_count() -> None:
    read, run = reader(FLIGHT.replace("ball.y <= 1", "ball.y >= -1"))
    early, _ = read.lowest(run, run.arcs[0], 0.1)
    assert early == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("height", ["ball.y - 0.1", "gap[ball,floor]"])
def test_compiled_and_observed_depths_agree(height: str) -> None:
    read, run = reader(BOUNCE.replace("ball.y - 0.1", height))
    assert read.is_plain(run.automaton) == ("gap" not in height)
    assert read.lowest(run, run.arcs[1], 0.8)[0] == pytest.approx(0.6 - peak(0.7, 2), abs=1e-9)


def test_the_reader_the_engine_and_the_simulator_see_the_same_margin() -> None:
    question = asked(BOUNCE)
    read = Reader(violations(formula_of(question.system.claim)))
    for point in np.array([[0.5, 1.0], [0.83, 2.9], [0.9, 3.0]]):
        run = run_at(question, point)
        ours = min(read.lowest(run, arc, question.until) for arc in run.arcs)[0]
        assert ours == pytest.approx(float(probe(question, point[None]).margins[0]), abs=1e-8)
        theirs = outcome(run, question.system.claim, question.at(point)).worst
        assert ours == pytest.approx(theirs.margin, abs=1e-8)
