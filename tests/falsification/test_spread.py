"""Points that fill a box."""

import signal

import pytest

from dyverse.falsification.spread import spread


def test_ctrl_c_waits_for_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def interrupted(unknowns: int, *, seed: int) -> None:
        signal.raise_signal(signal.SIGINT)
        made.append((unknowns, seed))

    monkeypatch.setattr("scipy.stats.qmc.Sobol", interrupted)
    with pytest.raises(KeyboardInterrupt):
        spread(3, seed=1)
    assert made == [(3, 1)]
