"""Points and balls at, on and inside boxes."""

import math

import pytest

from dyverse.bodies.build import box, contact, point, sphere, world
from dyverse.errors import ModelError
from dyverse.generation.automaton import generate
from dyverse.simulation.simulate import Options, simulate

G = 9.81


def test_a_point_bounces_on_a_box_as_a_small_ball_does() -> None:
    """Where it touches, the direction between nearest points is lost; that of the face is not."""
    table = box("table", size=(2, 1, 2), position=(0, -0.5, 0), rotation=(0, 0.3, 0), fixed=True)
    drop = point("drop", mass=1, position=(0.1, 0.5, 0.2), velocity=(0.3, 0, 0))
    law = contact("table", "drop", restitution=0.5, friction=0.1)
    model = world(table, drop, law, gravity=(0, -G, 0))
    run = simulate(generate(model), until=0.7, options=Options(solver="reference"))
    first = math.sqrt(2 * 0.5 / G)
    hits = [event.time for event in run.events if event.kind == "impact"]
    assert hits == pytest.approx([first, 2 * first], abs=1e-8)
    seen = run.automaton.observe(run.end)
    assert seen["drop.vx"] == pytest.approx(0.0, abs=1e-8)  # μ (1 + e) v > 0.3 m/s
    assert seen["drop.vz"] == pytest.approx(0.0, abs=1e-8)


@pytest.mark.parametrize(("radius", "depth"), [(0.0, "0.2"), (0.1, "0.3")])
def test_what_is_inside_a_box_is_found(radius: float, depth: str) -> None:
    inner = (
        sphere("inner", radius=radius, mass=1, position=(0.1, 0.3, 0))
        if radius
        else point("inner", mass=1, position=(0.1, 0.3, 0))
    )
    with pytest.raises(ModelError, match=f"overlap by {depth} m at the start"):
        generate(world(box("block", size=(2, 1, 2), mass=1), inner))
