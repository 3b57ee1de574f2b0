"""Ctrl-C: the first keeps what was computed, the second aborts."""

import signal

import pytest

from dyverse.cli.terminal import interrupts
from dyverse.cli.terminal.interrupts import Watch


def test_the_first_stops_and_the_second_aborts() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Watch(1.0, visible=False) as watch:
        assert watch(0.1, 0)
        signal.raise_signal(signal.SIGINT)
        assert not watch(0.2, 0)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert watch.interrupts == 2
    assert signal.getsignal(signal.SIGINT) is before


def test_there_is_no_bar_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(interrupts, "PATIENCE", -1.0)
    monkeypatch.setattr(interrupts, "REFRESH", -1.0)
    with Watch(1.0, visible=True) as watch:
        assert watch(0.5, 3)
    assert capsys.readouterr() == ("", "")
