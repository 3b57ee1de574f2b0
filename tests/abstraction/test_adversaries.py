"""Nothing that is claimed of the long run may be wrong; see `adversaries`."""

import pytest

from dyverse.abstraction.evidence.classify import classify
from dyverse.simulation.simulate import Options
from tests.abstraction.adversaries import ADVERSARIES, Adversary, judged

EVERY = 3  # where there is no time for all


def ranked() -> list[object]:
    """One of three always, the others where there is time."""
    long = [() if i % EVERY == 0 else pytest.mark.long for i in range(len(ADVERSARIES))]
    return [pytest.param(a, marks=m, id=a.name) for a, m in zip(ADVERSARIES, long, strict=True)]


@pytest.mark.parametrize("case", ranked())
def test_no_claim_is_wrong(case: Adversary) -> None:
    verdict, _ = classify(case.make(), until=case.until, options=Options(solver="native"))
    found = judged(case, verdict)
    assert found == "right" or (found == "undecided" and not case.must), str(verdict)


def test_there_are_enough_of_each_truth() -> None:
    truths = [case.truth for case in ADVERSARIES]
    assert len({case.name for case in ADVERSARIES}) == len(ADVERSARIES) >= 100
    assert all(truths.count(truth) >= 5 for truth in ("converges", "repeats", "escapes", "none"))
