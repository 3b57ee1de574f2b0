"""Many runs at once: the same as one by one, whatever the number of workers."""

from __future__ import annotations

import numpy as np
import pytest

from dyverse.automaton.run import Run, Stop
from dyverse.bodies.build import contact_all, parameter, plane, sphere, world
from dyverse.bodies.world import World
from dyverse.errors import ModelError
from dyverse.generation.automaton import generate
from dyverse.native.engine import Options, simulate_native
from dyverse.native.many import KINDS, Many, simulate_many
from tests import scenes

K = np.linspace(1, 3, 9)


def rubbing() -> World:
    """Three balls that roll and hit: events at one contact and at two."""
    balls = [
        sphere(f"b{i}", radius=0.1, mass=1, position=(0.35 * i, 0.1, 0), velocity=(v, 0, 0))
        for i, v in enumerate((2.0, 0.0, 0.0))
    ]
    floor = plane("floor", normal=(0, 1, 0))
    law = contact_all(restitution="e", friction=0.2)
    return world(parameter("e", 0.5), *balls, floor, law, gravity=scenes.DOWN)


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
        assert other.paths.tolist() == results[0].paths.tolist()


def test_starts_and_masses_may_differ() -> None:
    rows = [{"ball1.vx": 1.0}, {"ball1.vx": 0.5, "K": 1.2}, {}]
    many = simulate_many(scenes.interception_game(), rows, until=2)
    for i, row in enumerate(rows):
        alone = simulate_native(generate(scenes.interception_game(), row), until=2)
        assert many.final[i].tolist() == alone.end.values.tolist()


def test_settings_of_the_automaton_hold_unless_a_row_has_its_own() -> None:
    base = generate(scenes.interception_game(), {"K": 1.2, "ball1.vx": 0.7})
    many = simulate_many(base, {"K": [1.5, 2.0]}, until=2)
    for i, gain in enumerate((1.5, 2.0)):
        settings = {"K": gain, "ball1.vx": 0.7}
        alone = simulate_native(generate(scenes.interception_game(), settings), until=2)
        assert many.final[i].tolist() == alone.end.values.tolist()


def kinds_and_contacts(run: Run) -> list[tuple[str, str, int]]:
    return [(event.kind, event.contacts[0], len(event.contacts)) for event in run.events]


def kept(many: Many, run: int) -> list[tuple[str, str, int]]:
    count = int(many.counts[run])
    return [
        (KINDS[kind], many.contacts[first], amount)
        for kind, (first, amount) in zip(
            many.event_kinds[run, :count].tolist(),
            many.event_contacts[run, :count].tolist(),
            strict=True,
        )
    ]


def test_events_name_their_first_contact_and_how_many_there_are() -> None:
    many = simulate_many(rubbing(), {"e": [0.0, 0.5, 1.0]}, until=0.6, events=200)
    for i, e in enumerate((0.0, 0.5, 1.0)):
        alone = simulate_native(generate(rubbing(), {"e": e}), until=0.6)
        assert kept(many, i) == kinds_and_contacts(alone)
    assert any(amount > 1 for _, _, amount in kept(many, 0))


def test_runs_have_one_path_number_if_their_events_are_the_same() -> None:
    """Grouped by number and grouped by the story that the run itself tells."""
    restitution = np.linspace(0, 1, 30)
    many = simulate_many(rubbing(), {"e": restitution}, until=0.1)
    stories = []
    for e in restitution.tolist():
        run = simulate_native(generate(rubbing(), {"e": e}), until=0.1)
        stories.append(tuple((v.kind, v.contacts, v.source, v.target) for v in run.events))
    numbers = many.paths.tolist()
    assert [numbers.index(n) for n in numbers] == [stories.index(s) for s in stories]
    assert 1 < len(set(numbers)) < len(numbers)


def test_a_path_in_words() -> None:
    many = simulate_many(scenes.drop(), {"ball.vy": [0.0]}, until=6, events=1)
    assert many.path(0) == "impact ball-floor, …"


def test_progress_counts_the_runs_and_may_stop_them() -> None:
    seen: list[tuple[int, int]] = []

    def stop_soon(done: int, total: int) -> bool:
        seen.append((done, total))
        return False

    gains = {"K": np.linspace(1, 3, 40)}
    short = Options(progress=lambda time, events: True)  # pauses after every step
    many = simulate_many(
        scenes.interception_game(), gains, until=2, workers=1, options=short, progress=stop_soon
    )
    assert seen == [(10, 40)]
    assert set(many.stops[:10]) == {Stop.HORIZON}
    assert Stop.INTERRUPTED in many.stops


def test_progress_reaches_the_end() -> None:
    seen: list[int] = []

    def count(done: int, total: int) -> bool:
        seen.append(done)
        return True

    simulate_many(scenes.drop(), {"ball.vy": np.zeros(9)}, until=1, workers=2, progress=count)
    assert seen[-1] == 9
    assert seen == sorted(seen)


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"ball.y": [1.0, 0.05, 2.0]}, r"run 1 \(ball.y = 0.05\): bodies 'ball' and 'floor' over"),
        ({"m": [1.0, 2.0, -3.0]}, r"run 2 \(m = -3\): the mass of body 'ball' is -3"),
        ({"m": [1.0, np.nan]}, r"run 1 \(m = nan\): cannot set 'm' to nan"),
        ({"e": [0.5, 1.5]}, r"run 1 \(e = 1.5\): restitution is 1.5"),
        ({"mu": [0.5, -0.1]}, r"run 1 \(mu = -0.1\): friction is -0.1"),
        ({"M": [1.0]}, r"run 0 \(M = 1\): cannot set 'M': unknown name; did you mean 'm'"),
    ],
)
def test_a_row_that_cannot_be_is_named(settings: dict[str, list[float]], complaint: str) -> None:
    model = world(
        parameter("m", 1),
        parameter("e", 0.5),
        parameter("mu", 0.1),
        sphere("ball", radius=0.1, mass="m", position=(0, 1, 0)),
        plane("floor", normal=(0, 1, 0)),
        contact_all(restitution="e", friction="mu"),
    )
    with pytest.raises(ModelError, match=complaint):
        simulate_many(model, settings, until=1)
