"""Slopes: exact ones agree with differences of runs, and take no runs of their own."""

from dataclasses import replace

import numpy as np
import pytest

from dyverse.automaton.guard.branches import violations
from dyverse.falsification.search import slopes as module
from dyverse.falsification.search.depths import Reader
from dyverse.falsification.search.descent import look
from dyverse.falsification.search.slopes import slopes
from dyverse.falsification.system import formula_of
from tests.falsification.models import BOUNCE, asked
from tests.falsification.recorded import Recorded

# The limit is a constant of the property that is made of an unknown.
MADE = BOUNCE.replace("parameter limit = 0.6", "parameter limit = 0.4*e + 0.1*v^2")


@pytest.mark.parametrize("text", [BOUNCE, MADE, "example:window", "example:four-unknowns"])
def test_exact_slopes_agree_with_differences(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    question = asked(text)
    reader = Reader(violations(formula_of(question.system.claim)))
    here = look(question, reader, question.nominal, 1)
    exact = slopes(question, reader, here.point, here.here)
    monkeypatch.setattr(module, "_exact", lambda *_: None)
    differences = slopes(question, reader, here.point, here.here)
    assert np.abs(exact.by_unknown).max() > 0.01
    assert exact.by_unknown == pytest.approx(differences.by_unknown, abs=1e-5)
    assert exact.ends_by_unknown == pytest.approx(differences.ends_by_unknown, abs=1e-5)


def test_exact_slopes_make_no_runs() -> None:
    question = asked("example:four-unknowns")
    counted = Recorded(question.system)
    recorded = replace(question, system=counted)
    reader = Reader(violations(formula_of(question.system.claim)))
    here = look(question, reader, question.nominal, 1)
    slopes(recorded, reader, here.point, here.here)
    assert not counted.runs
