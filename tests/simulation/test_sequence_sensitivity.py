"""Sensitivities through impacts one after the other: differences, and what has no derivative."""

from __future__ import annotations

from dyverse.bodies.build import contact_all, parameter, sphere, world
from dyverse.simulation.sensitivity import sensitivities
from tests.simulation.test_impact_sequence import SOLVERS, R, blow, row, run
from tests.simulation.varied import bodies, checked_sensitivities


def test_a_sequence_is_differentiated_impact_by_impact() -> None:
    """Unequal balls, three impacts in one instant, against differences."""
    names = ("m", "e", "v")
    model = world(
        parameter("m", 0.7),
        parameter("e", 0.8),
        parameter("v", 1.5),
        sphere("a", radius=R, mass=2, position=(-2 * R - 0.1, 0, 0), velocity=("v", 0, 0)),
        sphere("b", radius=R, mass="m", position=(0, 0, 0)),
        sphere("c", radius=R, mass=1.1, position=(2 * R, 0, 0)),
        contact_all(restitution="e"),
        impact="sequence",
    )
    for solver in SOLVERS[:2]:
        found = checked_sensitivities(bodies(model, 0.12, solver=solver), *names)
        assert blow(bodies(model, 0.12, solver=solver)("", 0.0)).sweeps > 1
        assert found.smooth


def test_what_a_sequence_leaves_at_rest_has_no_derivative() -> None:
    """In a cradle all but the last ball end at rest: lighter or heavier, they would hit again."""
    found = sensitivities(run(row("sequence", [0.5] * 4)), ("b0.vx",))
    assert found.smooth  # all speeds grow in proportion
    masses = [0.5, 0.5, 0.5, 0.5]
    model = row("sequence", masses)
    free = world(
        parameter("m", 0.5),
        *(
            b if b.name != "b1" else sphere("b1", radius=R, mass="m", position=(2 * R, 0, 0))
            for b in model.bodies
        ),
        contact_all(),
        impact="sequence",
    )
    said = [e.remark for e in sensitivities(run(free), ("m",)).events]
    assert any("between two outcomes of the impact" in remark for remark in said)


def test_a_tie_that_matters_has_no_derivative() -> None:
    model = world(
        sphere("a", radius=R, mass=1, position=(-0.3, 0, 0), velocity=(1, 0, 0)),
        sphere("b", radius=R, mass=2, position=(0, 0, 0)),
        sphere("c", radius=R, mass=1, position=(0.3, 0, 0), velocity=(-1, 0, 0)),
        contact_all(restitution=0.5),
        impact="sequence",
    )
    said = [e.remark for e in sensitivities(run(model), ("a.vx",)).events]
    assert any("hit at once" in remark for remark in said)
