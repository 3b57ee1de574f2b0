"""Many runs at once: the same as one by one, whatever the number of workers."""

from __future__ import annotations

import numpy as np
import pytest

from dyverse.automaton.run import Stop
from dyverse.bodies.build import always, contact_all, plane, sphere, world
from dyverse.generation.automaton import generate
from dyverse.native.engine import simulate_native
from dyverse.native.many import simulate_many
from tests import scenes

K = np.linspace(1, 3, 9)


def test_every_run_is_what_it_is_alone() -> None:
    many = simulate_many(scenes.interception_game(), {"K": K}, until=2)
    for i, gain in enumerate(K):
        alone = simulate_native(generate(scenes.interception_game(), {"K": gain}), until=2)
        assert many.final[i].tolist() == alone.end.values.tolist()
        assert many.counts[i] == len(alone.events)
        kept = many.event_times[i][: many.counts[i]]
        assert kept.tolist() == [event.time for event in alone.events]
    assert set(many.stops) == {Stop.HORIZON}


def test_the_number_of_workers_does_not_matter() -> None:
    results = [
        simulate_many(scenes.interception_game(), {"K": K}, until=2, workers=n) for n in (1, 2, 3)
    ]
    for other in results[1:]:
        assert other.final.tobytes() == results[0].final.tobytes()
        assert other.event_times.tobytes() == results[0].event_times.tobytes()


def test_starts_and_masses_may_differ() -> None:
    rows = [{"ball1.vx": 1.0}, {"ball1.vx": 0.5, "K": 1.2}]
    many = simulate_many(scenes.interception_game(), rows, until=2)
    for i, row in enumerate(rows):
        alone = simulate_native(generate(scenes.interception_game(), row), until=2)
        assert many.final[i].tolist() == alone.end.values.tolist()


def test_the_least_depth_of_a_property() -> None:
    """A ball thrown up at v from the floor: it stays below 1 m by 1 - v²/2g - 0.1."""
    model = world(
        sphere("ball", radius=0.1, mass=1, position=(0, 0.1, 0)),
        plane("floor", normal=(0, 1, 0)),
        contact_all(restitution=0.5),
        always("low", "ball.y < 1"),
        gravity=scenes.DOWN,
    )
    speeds = np.array([1.0, 4.0, 5.0])
    many = simulate_many(model, {"ball.vy": speeds}, until=0.6)
    assert many.properties == ("low",)
    top = np.array([0.1 + v**2 / 2 / scenes.G for v in speeds])
    assert many.least[:, 0] == pytest.approx(1 - top, abs=2e-2)  # sampled, not located
