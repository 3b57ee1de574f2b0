"""Who looks at rates between two times sees the same state as before, and changes nothing."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from dyverse.text.examples import example_text
from tests.exporters.c.building import in_c, shared
from tests.exporters.c.test_interface import OK, Interface
from tests.exporters.c.test_slopes import LEG

# Its steps are short before it jumps, and as long as it likes behind.
SLOWER = """
automaton a {
  real x = 0
  real c = 0
  location fast { x' = sin(200*c)  c' = 1  invariant c <= 1 }
  location slow { x' = -0.01*x  c' = 1 }
  initial fast
  edge fast -> slow { when c >= 1 }
}
system a
horizon 3
"""
TEXTS = {"leg": LEG, "slower": SLOWER}
EXAMPLES = ("four-bar", "racket")


@pytest.mark.parametrize("name", [*TEXTS, *EXAMPLES])
def test_rates_are_read_without_a_trace(name: str, tmp_path: Path) -> None:
    """Steps grow by more than was proposed where the order changes, and where a stretch begins."""
    _, made = in_c(TEXTS.get(name) or example_text(name))
    library = shared(made, tmp_path)
    plain = Interface(library, made)
    assert plain.call("begin", ctypes.c_double(0.0)) == OK
    assert plain.advance(made.horizon) == OK, plain.message
    for parts in (24, 101):
        watched = Interface(library, made)
        assert watched.call("begin", ctypes.c_double(0.0)) == OK
        for part in range(1, parts + 1):
            assert watched.advance(made.horizon * part / parts) == OK
            seen = watched.x
            watched.numbers("derivatives", len(seen))
            assert watched.x == seen
        assert watched.x == plain.x
