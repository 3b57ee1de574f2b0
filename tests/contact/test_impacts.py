"""A further law of impact is one entry: text, checks, engine and listing know it by its name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dyverse.bodies.read import parse_world
from dyverse.contact.impacts import IMPACT_LAWS, NEWTON
from dyverse.exporters.listing import listing
from dyverse.generation.automaton import generate
from dyverse.simulation.simulate import NoNativeEngineWarning, Options, simulate

TEXT = """\
gravity (0, -9.81, 0)
impact dead
body ball { sphere radius 0.1  mass 1  position (0, 1.1, 0) }
body floor { plane normal (0, 1, 0) }
"""


@pytest.fixture
def dead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Newton's law without any restitution."""

    def solve(matrix, approach, e_N, e_T, friction, *, noise):  # type: ignore[no-untyped-def]
        return NEWTON.solve(matrix, approach, 0 * e_N, 0 * e_T, friction, noise=noise)

    law = replace(
        NEWTON, name="dead", solve=solve, listed=("impact dead: all at once",), native=None
    )
    monkeypatch.setitem(IMPACT_LAWS, "dead", law)


@pytest.mark.usefixtures("dead")
def test_a_law_is_known_by_its_name() -> None:
    automaton = generate(parse_world(TEXT))
    run = simulate(automaton, until=2.0, options=Options(solver="reference"))
    assert [event.kind for event in run.events] == ["impact"]
    assert run.end.values[1] == pytest.approx(0.1)
    assert any("impact dead" in line for line in listing(automaton.skeleton, automaton.world))


@pytest.mark.usefixtures("dead")
def test_what_is_not_there_in_c_runs_in_python_and_says_so() -> None:
    automaton = generate(parse_world(TEXT))
    with pytest.warns(NoNativeEngineWarning, match="impact dead is not there in C"):
        run = simulate(automaton, until=1.0, options=Options(solver="native"))
    assert run.solver == "reference"
