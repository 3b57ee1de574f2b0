from __future__ import annotations

import pytest

from dyverse.generation.skeleton.names import SIGNALS, signal, signal_name, signal_parts


def test_signals_are_written_with_their_bodies() -> None:
    assert signal_name("gap", "ball1-ball2") == "gap[ball1,ball2]"
    assert signal("gap", "ball1-floor").name == "gap[ball1,floor]"


@pytest.mark.parametrize("quantity", SIGNALS)
def test_names_can_be_taken_apart_again(quantity: str) -> None:
    assert signal_parts(signal_name(quantity, "ball1-floor")) == (quantity, "ball1-floor")
