"""Balls that fly from event to event by formulas: the run is the same as by steps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dyverse.automaton.interface import Array
from dyverse.bodies.build import contact_all, force, no_contact, plane, sphere, world
from dyverse.bodies.gather import Part
from dyverse.bodies.world import World
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.native import engine as native_engine
from dyverse.native.compile import FLAGS
from dyverse.native.engine import Options, prepared, simulate_native
from dyverse.native.library import Engine
from dyverse.native.model import native_model
from dyverse.native.running import Code
from tests.native.comparing import first_difference
from tests.native.sanitizing import QUICK, assert_clean
from tests.native.test_room import TIGHT

FLY = "-DDV_ALWAYS=0"  # however few contacts there are
STEP = "-DDV_ALWAYS=1000000"
CLOSES = 3  # rates that are looked at when a contact closes
BOX = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]


def gas(
    *more: Part,
    balls: int = 12,
    seed: int = 1,
    restitution: float = 1.0,
    friction: float = 0.0,
    gravity: float = 0.0,
    walls: bool = True,
) -> World:
    """Balls of different sizes and weights that fly about in a box, and whatever else is there."""
    rng, side = np.random.default_rng(seed), int(np.ceil(balls ** (1 / 3)))
    parts: list[Part] = []
    for i in range(balls):
        x, y, z = (0.5 * (k + 1) for k in (i % side, i // side % side, i // side**2))
        radius, mass = rng.uniform(0.05, 0.15), rng.uniform(0.5, 2.0)
        velocity = tuple(rng.normal(size=3))
        position = (x, y, z)
        parts.append(
            sphere(f"b{i}", radius=radius, mass=mass, position=position, velocity=velocity)
        )
    for number, normal in enumerate(BOX if walls else []):
        place = tuple(0.5 * (side + 1) if entry < 0 else 0.0 for entry in normal)
        parts.append(plane(f"w{number}", normal=normal, position=place))
    law = contact_all(restitution=restitution, friction=friction)
    return world(*parts, *more, law, gravity=(0, -gravity, 0))


def on_the_floor(speed: float, spin: float) -> Part:
    """A ball that lies there, glides or rolls."""
    place, velocity = (0.15, 0.1, 0.2), (speed, 0, 0.0)
    return sphere("low", radius=0.1, mass=1, position=place, velocity=velocity, spin=(0, 0, spin))


def begun(automaton: RigidBodyAutomaton, how: str = FLY) -> Engine:
    """An engine of its own; it pauses as seldom as it can."""
    model = native_model(automaton.world, automaton.scene, (*FLAGS, how))
    return prepared(model, automaton, automaton.start(), Options())


def run(engine: Engine, until: float) -> Code:
    """All the way to ``until``, or why not."""
    while (code := engine.run(until)) is Code.PAUSED:
        pass
    return code


def story(automaton: RigidBodyAutomaton, how: str, until: float) -> tuple[Array, Array, Array]:
    """Times, kinds and contacts of the first events, and the last state."""
    engine, room = begun(automaton, how), 400
    times, kinds = np.zeros(room), np.zeros(room, dtype=np.int32)
    contacts = np.zeros((room, 2), dtype=np.int32)
    engine.record_events(times, kinds, contacts)
    assert run(engine, until) is Code.HORIZON
    count = engine.counts["events"]
    assert 5 < count <= room
    assert (engine.counts["rates"] <= CLOSES) == (how == FLY)  # no step was made, or all were
    return times[:count], np.column_stack([kinds, contacts])[:count].astype(float), engine.x


@pytest.mark.parametrize(
    "model",
    [
        gas(),
        gas(friction=0.3),
        gas(restitution=0.9, gravity=9.81),
        gas(sphere("post", radius=0.3, position=(0.7, 0.7, 0.2), fixed=True), balls=8),
        gas(sphere("post", radius=0.3, position=(0.7, 0.2, 0.7), fixed=True), balls=8, gravity=2),
        gas(force("b0", (0.5, -1, 0.2)), force("b3", (0, 2, 0)), gravity=0.5),
        gas(no_contact("b0", "b1"), no_contact("b2", "w3")),
        gas(on_the_floor(0, 0), restitution=0.9, friction=0.3, gravity=9.81),
        gas(on_the_floor(0.4, 0), restitution=0.9, gravity=9.81),
        gas(on_the_floor(0.3, -3.0), restitution=0.9, friction=0.3, gravity=9.81),
    ],
    ids=[
        *("elastic", "friction", "gravity", "post", "post with gravity", "forces", "exceptions"),
        *("lying", "gliding", "rolling"),
    ],
)
def test_a_gas_flies_as_it_would_by_steps(model: World) -> None:
    automaton, until = generate(model), 0.9
    times, what, x = story(automaton, FLY, until)
    others, as_well, y = story(automaton, STEP, until)
    assert what.tolist() == as_well.tolist()
    assert times == pytest.approx(others, abs=1e-9)
    assert x == pytest.approx(y, abs=1e-6)  # balls part exponentially


@given(seed=st.integers(0, 1000))
def test_energy_is_kept_in_a_box_and_momentum_without(seed: int) -> None:
    box, free = (generate(gas(seed=seed, walls=walls)) for walls in (True, False))
    for automaton, conserved in ((box, _energy), (free, _energy), (free, _momentum)):
        engine = begun(automaton)
        before = conserved(automaton, engine.x)
        assert run(engine, 1.0) is Code.HORIZON
        assert conserved(automaton, engine.x) == pytest.approx(before, rel=1e-11, abs=1e-11)


def _masses(automaton: RigidBodyAutomaton) -> Array:
    return 1 / np.array([body.inverse_mass for body in automaton.scene.moving])


def _energy(automaton: RigidBodyAutomaton, x: Array) -> Array:
    v = x.reshape(2, -1, 6)[1]
    return np.array((_masses(automaton) * v**2).sum())


def _momentum(automaton: RigidBodyAutomaton, x: Array) -> Array:
    v = x.reshape(2, -1, 6)[1]
    return np.asarray((_masses(automaton) * v)[:, :3].sum(axis=0))


def test_a_run_in_pieces_is_the_same_to_the_last_digit() -> None:
    """Looking at bodies does not move them; nor does saving them and going back."""
    automaton = generate(gas(gravity=1.0, friction=0.2))
    whole, pieces, copy = (begun(automaton) for _ in range(3))
    run(whole, 1.5)
    for until in np.linspace(0.01, 1.5, 40).tolist():
        assert run(pieces, until) is Code.HORIZON
        copy.restore(pieces.save())
        assert copy.x.tolist() == pieces.x.tolist()
        pieces, copy = copy, pieces
    assert pieces.counts["events"] == whole.counts["events"] > 10
    assert pieces.x.tolist() == whole.x.tolist()


@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_pieces_are_the_same_while_a_ball_rolls(friction: float) -> None:
    automaton = generate(gas(on_the_floor(0.3, -3.0), gravity=9.81, friction=friction))
    whole, pieces, copy = (begun(automaton) for _ in range(3))
    run(whole, 0.8)
    for until in np.linspace(0.01, 0.8, 30).tolist():
        assert run(pieces, until) is Code.HORIZON
        copy.restore(pieces.save())
        assert copy.x.tolist() == pieces.x.tolist()
        pieces, copy = copy, pieces
    assert pieces.counts["events"] == whole.counts["events"] > 10
    assert pieces.x.tolist() == whole.x.tolist()
    assert whole.counts["rates"] <= CLOSES


@pytest.mark.parametrize("spin", [0.0, 9.0])
def test_a_slip_ends_while_others_fly(spin: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ball that slides goes along a parabola, too; steps find when it begins to roll."""
    model = gas(on_the_floor(0.4, spin), friction=0.1, gravity=9.81)
    runs = []
    for how in (FLY, STEP):
        _compile_with(monkeypatch, how)
        runs.append(simulate_native(generate(model), until=0.8))
    assert "stick" in {event.kind for event in runs[0].events}
    assert first_difference(*runs, tolerance=1e-7) is None


def test_event_by_event_the_run_is_the_same() -> None:
    automaton = generate(gas())
    whole, stepped = begun(automaton), begun(automaton)
    run(whole, 1.0)
    assert stepped.event_update() is Code.OK
    while (code := stepped.step(1.0)) is not Code.HORIZON:
        assert code is Code.EVENT
        assert stepped.event_update() is Code.OK
    assert stepped.x.tolist() == whole.x.tolist()


def test_what_is_written_of_flights_is_read_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arcs, visits and events; and a run that goes on from the end of another."""
    automaton, runs = [generate(gas(gravity=1.0, restitution=0.9)) for _ in range(2)], []
    for made, how in zip(automaton, (FLY, STEP), strict=True):
        _compile_with(monkeypatch, how)
        first = simulate_native(made, until=0.4)
        runs.append((first, simulate_native(made, first.end, until=0.9)))
    for ours, theirs in zip(*runs, strict=True):
        assert len(ours.events) > 3
        assert first_difference(ours, theirs, tolerance=1e-9) is None
        assert len(ours.parts) == len(theirs.parts)
        for arc, other in zip(ours.arcs, theirs.arcs, strict=True):
            assert arc.times[[0, -1]] == pytest.approx(other.times[[0, -1]], abs=1e-9)
            assert arc.states[[0, -1]] == pytest.approx(other.states[[0, -1]], abs=1e-7)


def test_rows_are_written_as_often_as_balls_need_them() -> None:
    """Eight or so in the flight of each; that others meet meanwhile does not make them more."""
    automaton = generate(gas(balls=60))
    run = simulate_native(automaton, until=1.5)
    rows = sum(len(arc.times) - 1 for arc in run.arcs)
    flights = 2 * len(run.events) / 60  # of a ball, on average
    assert len(run.events) > 60
    assert 4 * flights < rows < 3 * len(run.events)
    assert max(len(arc.times) for arc in run.arcs) <= 9


def _compile_with(monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    flags = (*FLAGS, how)
    monkeypatch.setattr(native_engine, "native_model", lambda w, s: native_model(w, s, flags))


def test_balls_come_down_and_stay_as_they_would_by_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounces that end, contacts that close and open: there steps go on."""
    model = gas(balls=4, gravity=9.81, restitution=0.5, friction=0.3)
    runs = []
    for how in (FLY, STEP):
        _compile_with(monkeypatch, how)
        runs.append(simulate_native(generate(model), until=1.5))
    assert {"impact", "accumulation"} <= {event.kind for event in runs[0].events}
    assert first_difference(*runs, tolerance=1e-7) is None


def test_what_happens_at_once_is_one_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ball between two others, a ball into a corner and, far away, two by themselves."""
    _compile_with(monkeypatch, FLY)
    balls = [
        sphere("cue", radius=0.1, mass=1, position=(-1, 0, 0), velocity=(1, 0, 0)),
        sphere("left", radius=0.1, mass=1, position=(0, 0.11, 0)),
        sphere("right", radius=0.1, mass=1, position=(0, -0.11, 0)),
        sphere("one", radius=0.1, mass=1, position=(50, 0, 0), velocity=(1, 0, 0)),
        sphere("two", radius=0.1, mass=1, position=(51.1, 0, 0)),
        sphere("third", radius=0.1, mass=1, position=(30, 31, 0), velocity=(-1, -1, 0)),
    ]
    # the cue meets both when its centre is √(0.2² - 0.11²) before theirs
    wait = 1 - (0.2**2 - 0.11**2) ** 0.5
    walls = [
        plane("floor", normal=(0, 1, 0), position=(0, 30.9 - wait, 0)),
        plane("side", normal=(1, 0, 0), position=(29.9 - wait, 0, 0)),
    ]
    off = [
        no_contact(ball, wall) for ball in ("cue", "left", "right") for wall in ("floor", "side")
    ]
    off += [no_contact(ball, "floor") for ball in ("one", "two")]
    run = simulate_native(generate(world(*balls, *walls, *off, contact_all())), until=1.0)
    met = [(e.time, e.contacts) for e in run.events]
    at_once = ("cue-left", "cue-right", "third-floor", "third-side")
    assert [contacts for _, contacts in met] == [at_once, ("one-two",)]
    assert met[0][0] == pytest.approx(wait, abs=1e-12)
    assert run.arcs[0].times[-1] == run.arcs[1].times[0] == met[0][0]


def test_a_near_miss_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two balls pass each other at half a nanometre; formulas leave it to steps to say so."""
    _compile_with(monkeypatch, FLY)
    balls = [
        sphere("a", radius=0.1, mass=1, position=(0, 0, 0), velocity=(1, 0, 0)),
        sphere("b", radius=0.1, mass=1, position=(1, 0.2 + 5e-10, 0)),
    ]
    run = simulate_native(generate(world(*balls, contact_all())), until=2.0)
    assert [event.kind for event in run.events] == ["graze"]
    assert run.events[0].time == pytest.approx(1.0, abs=1e-6)


def test_no_two_balls_overlap_however_many_they_are() -> None:
    automaton = generate(gas(balls=60, gravity=3.0, restitution=0.95))
    engine = begun(automaton)
    for until in np.linspace(0.05, 1.0, 20).tolist():
        assert run(engine, until) is Code.HORIZON
        assert automaton.dynamics.contacts.approach(engine.x)[0].min() > -1e-9
    assert engine.counts["events"] > 60


SCRIPT = """
from dyverse.generation.automaton import generate
from tests.native import test_flights as flights
flights.FLAGS = {flags!r}
for settings in ({{}}, {{"friction": 0.3, "gravity": 9.81, "restitution": 0.5}}):
    engine = flights.begun(generate(flights.gas(**settings)))
    engine.keep_log()
    flights.run(engine, 0.5)
    engine.restore(engine.save())
    flights.run(engine, 1.0)
print("clean")
"""


def test_nothing_is_found_by_the_sanitizers(tmp_path: Path) -> None:
    assert_clean(SCRIPT.format(flags=(*QUICK, TIGHT)), tmp_path)
