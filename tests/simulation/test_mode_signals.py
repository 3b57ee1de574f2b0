"""Modes of contacts as signals: of a ball that slides, then rolls, on every road."""

from collections.abc import Callable

import numpy as np
import pytest

from dyverse.bodies.read import parse_world
from dyverse.errors import ModelError
from dyverse.falsification.asking import ask
from dyverse.falsification.question import probe
from dyverse.generation.automaton import generate
from dyverse.generation.symbolic.bodies import SymbolicBodies
from dyverse.simulation.simulate import simulate

TEXT = """
parameter mu = 0.3 in [0.05, 0.4]
gravity (0, -9.81, 0)
body ball {{ sphere radius 0.1  mass 1  position (0, 0.1, 0)  velocity (1, 0, 0) }}
body floor {{ plane normal (0, 1, 0) }}
contact ball floor {{ restitution 0  friction mu }}
property claim: {claim}
"""
MODES = ("closed", "sticking", "slipping")


def rolling(mu: float) -> float:
    """When the ball stops sliding: 2 v / (7 μ g)."""
    return 2 / (7 * mu * 9.81)


def test_a_ball_slides_then_rolls() -> None:
    run = simulate(generate(parse_world(TEXT.format(claim="always true"))), until=0.3)
    for time, modes in ((0.05, (1, 0, 1)), (0.2, (1, 1, 0))):
        known = run.automaton.observe(run.at(time))
        assert tuple(known[f"{mode}[ball,floor]"] for mode in MODES) == modes


@pytest.mark.parametrize(
    ("claim", "broken_if"),
    [
        ("eventually sticking[ball,floor] until 0.2", lambda mu: rolling(mu) > 0.2),
        ("always slipping[ball,floor] until 0.2", lambda mu: rolling(mu) < 0.2),
        ("always not sticking[floor,ball] until 0.2", lambda mu: rolling(mu) < 0.2),
        ("always closed[ball,floor] until 0.2", lambda mu: False),
    ],
)
def test_the_native_engine_knows_them_too(claim: str, broken_if: Callable[[float], bool]) -> None:
    question = ask(parse_world(TEXT.format(claim=claim)))
    mus = np.array([0.08, 0.12, 0.16, 0.2, 0.3])  # sliding ends at 0.2 s for μ = 0.1456
    seen = probe(question, mus[:, None])
    assert (seen.margins < 0).tolist() == [broken_if(mu) for mu in mus]


def test_as_expressions_they_are_constants_of_a_location() -> None:
    world = parse_world(TEXT.format(claim="always true"))
    run = simulate(generate(world), until=0.3)
    bodies = SymbolicBodies(world)
    for arc in run.arcs[-2:]:
        known = run.automaton.observe(arc.end)
        found = bodies.signals(arc.location)
        names = [f"{mode}[ball,floor]" for mode in MODES]
        assert [float(found[name]) for name in names] == [known[name] for name in names]


def test_other_signals_are_no_conditions() -> None:
    with pytest.raises(ModelError, match="expected a condition"):
        parse_world(TEXT.format(claim="always gap[ball,floor]"))


def test_bodies_of_a_contact_may_be_named_either_way() -> None:
    run = simulate(generate(parse_world(TEXT.format(claim="always ball.y > -1"))), until=1)
    for signal in ("gap", "normal_force", "closed"):
        one, other = (run.signal(f"{signal}[{names}]")[1] for names in ("ball,floor", "floor,ball"))
        assert np.isfinite(one).all()
        assert np.array_equal(one, other)
