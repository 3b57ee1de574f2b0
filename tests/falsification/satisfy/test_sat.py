"""The solver of clauses: what it answers, and how it goes."""

from __future__ import annotations

import sys
from types import FrameType

from dyverse.falsification.satisfy.sat import Cadical


def test_what_is_assumed_is_forgotten_and_what_is_added_stays() -> None:
    solver = Cadical()
    solver.add([1, 2])
    assert solver.solve([-1, -2]) is None
    assert solver.solve([-1]) == frozenset({-1, 2})
    solver.add([-2])
    assert solver.solve([-1]) is None
    assert solver.solve([]) == frozenset({1, -2})


def test_no_python_runs_when_a_solver_goes() -> None:
    """A Ctrl-C that comes while a destructor runs is printed and forgotten."""
    solvers, called = [Cadical()], list[str]()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        solvers.clear()
    finally:
        sys.setprofile(None)
    assert not called
