"""What must hold on every run of every scene, whatever the numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from dyverse.automaton.run import Run, Stop
from dyverse.bodies.build import contact_all, plane, sphere, world
from dyverse.bodies.gather import Part
from dyverse.bodies.world import Body, World
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.generation.skeleton.location import Modes, Node
from dyverse.simulation.simulate import Options, simulate
from tests import scenes
from tests.scenes import momentum

Triple = tuple[float, float, float]
QUICK = settings(max_examples=25, deadline=None)
unit = st.floats(-1, 1).map(lambda x: round(x, 3))
triples = st.tuples(unit, unit, unit)


@st.composite
def balls(draw: st.DrawFn, most: int = 3, floor: bool = True) -> list[Body]:
    """Balls above the floor that do not overlap, with any velocity and spin."""
    count = draw(st.integers(1 if floor else 2, most))
    placed: list[Body] = []
    for i in range(count):
        radius = draw(st.floats(0.1, 0.4).map(lambda x: round(x, 3)))
        place = np.array([(i - 1) * 0.9, 0.45, 0.0]) + 0.04 * np.array(draw(triples))
        placed.append(
            sphere(
                f"b{i}",
                radius=radius,
                mass=draw(st.sampled_from([0.5, 1.0, 3.0])),
                position=_triple(place),
                velocity=_triple(2 * np.array(draw(triples)) + [0.5 - 1.0 * i, 0, 0]),
                spin=_triple(5 * np.array(draw(triples))),
            )
        )
    return placed


def _triple(vector: Sequence[float] | np.ndarray[tuple[int], np.dtype[np.float64]]) -> Triple:
    x, y, z = (float(c) for c in vector)
    return x, y, z


restitutions = st.sampled_from([0.0, 0.3, 0.5, 0.8])
frictions = st.sampled_from([0.05, 0.2, 0.5])


def on_floor(parts: Sequence[Part], e: float, mu: float) -> World:
    floor = plane("floor", normal=(0, 1, 0))
    return world(*parts, floor, contact_all(restitution=e, friction=mu), gravity=scenes.DOWN)


def short(model: World, until: float = 0.7) -> tuple[RigidBodyAutomaton, Run]:
    automaton = generate(model)
    run = simulate(automaton, until=until, options=Options(max_events=60))
    assert run.stop in (Stop.HORIZON, Stop.MAX_EVENTS), (run.stop, run.message)
    return automaton, run


@QUICK
@given(balls(), restitutions, frictions)
def test_laws_of_contact_hold_at_every_recorded_state(
    parts: list[Body], e: float, mu: float
) -> None:
    """No penetration; Signorini; the friction disc; friction against slip; momentary modes."""
    automaton, run = short(on_floor(parts, e, mu))
    for state in run.states():
        signals = automaton.observe(state)
        assert isinstance(state.location, Modes)
        if _just_stopped(state.location, signals):
            continue
        for contact in automaton.contacts:
            key = f"[{contact.replace('-', ',')}]"
            assert signals["gap" + key] >= -1e-8
            assert signals["normal_force" + key] >= -1e-7
            assert signals["friction_reserve" + key] >= -1e-7 * (
                1 + signals["friction_limit" + key]
            )
        for contact in state.location.contacts:
            key = f"[{contact.replace('-', ',')}]"
            assert abs(signals["gap" + key]) <= 1e-8
            assert abs(signals["normal_acceleration" + key]) <= 1e-7


def _just_stopped(location: Modes, signals: Mapping[str, float]) -> bool:
    """The instant at which a slip ends: the law gives its friction no direction."""
    keys = (f"slip_speed[{contact.replace('-', ',')}]" for contact in location.having("slip"))
    return any(signals[key] <= 1e-8 for key in keys)


@QUICK
@given(balls(), restitutions, frictions)
def test_impacts_obey_newton_and_coulomb(parts: list[Body], e: float, mu: float) -> None:
    """Impulses push, stay in the disc, and never leave a contact closing."""
    automaton, run = short(on_floor(parts, e, mu))
    for visit in run.visits:
        assert isinstance(visit.before.location, Node)
        if visit.before.location.kind == "contact":
            continue
        for contact, impulse in visit.result.items():
            index = automaton.dynamics.contacts.index[contact]
            before = automaton.dynamics.close((index,), visit.before.values)
            after = automaton.dynamics.close((index,), visit.after.values)
            local = before.frame[0].T @ impulse
            assert local[0] >= 0
            assert math.hypot(local[1], local[2]) <= mu * local[0] * (1 + 1e-9) + 1e-12
            assert after.speed[0, 0] >= -1e-9


@QUICK
@given(balls(), restitutions, frictions)
def test_energy_never_grows(parts: list[Body], e: float, mu: float) -> None:
    """Neither through an impact with e_N ≤ 1 and e_T = 0, nor along the way with friction."""
    automaton, run = short(on_floor(parts, e, mu))
    energies = [automaton.observe(state)["energy"] for state in run.states()]
    steps = np.diff(energies)
    assert steps.max(initial=0.0) <= 1e-8 * (1 + max(map(abs, energies)))


@QUICK
@given(balls(floor=False), restitutions, frictions)
def test_momentum_is_conserved_without_external_force(
    parts: list[Body], e: float, mu: float
) -> None:
    automaton, run = short(world(*parts, contact_all(restitution=e, friction=mu)), until=2)
    before = momentum(automaton, automaton.start())
    for state in run.states():
        assert momentum(automaton, state) == pytest.approx(before, abs=1e-9)


@settings(max_examples=15, deadline=None)
@given(balls(), restitutions, frictions, st.randoms(use_true_random=False))
def test_the_order_of_bodies_does_not_matter(
    parts: list[Body], e: float, mu: float, random: object
) -> None:
    shuffled = list(parts)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    _, first = short(on_floor(parts, e, mu), until=0.4)
    _, second = short(on_floor(shuffled, e, mu), until=0.4)
    assert _compare(first, second) <= 1e-6


@settings(max_examples=15, deadline=None)
@given(balls(), restitutions, frictions, triples)
def test_a_rotation_of_the_whole_scene_does_not_matter(
    parts: list[Body], e: float, mu: float, axis: Triple
) -> None:
    turn = Rotation.from_rotvec(3 * np.array(axis))
    floor = plane("floor", normal=_triple(turn.apply([0, 1, 0])))
    turned = [_turned(body, turn) for body in parts]
    gravity = _triple(turn.apply(scenes.DOWN))
    _, first = short(on_floor(parts, e, mu), until=0.4)
    law = contact_all(restitution=e, friction=mu)
    _, second = short(world(*turned, floor, law, gravity=gravity), until=0.4)
    for body in parts:
        assert turn.apply(_place(first, body.name)) == pytest.approx(
            _place(second, body.name), abs=1e-6
        )


def _turned(body: Body, turn: Rotation) -> Body:
    def numbers(vector: object) -> Triple:
        return _triple(turn.apply([c.value for c in vector]))  # type: ignore[attr-defined]

    return sphere(
        body.name,
        radius=body.shape.numbers[0],
        mass=body.mass,
        position=numbers(body.position),
        velocity=numbers(body.velocity),
        spin=numbers(body.spin),
    )


def _place(run: Run, body: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([run.final[f"{body}.{axis}"] for axis in "xyz"])


def _compare(first: Run, second: Run) -> float:
    return max(
        abs(first.final[name] - second.final[name]) for name in first.final if ".r" not in name
    )
