"""Programs are compared on the same systems, and judged by what is so; no peer is asked here."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from benchmarks.peers.ask import Asker
from benchmarks.peers.mechanisms import with_dyverse as mechanical
from benchmarks.peers.mechanisms.question import rows as side_by_side
from benchmarks.peers.mechanisms.task import MECHANISMS, WIDTH, Array, Mechanism, halved, refined
from benchmarks.peers.page import number
from benchmarks.peers.questions import QUESTIONS
from benchmarks.peers.solids import with_dyverse
from benchmarks.peers.solids.task import SOLIDS, G, Solid, judged, load, matrix, save, seen
from benchmarks.solids import SCENES

from dyverse.expr.rotation import matrix as rotation
from dyverse.simulation.simulate import simulate

ABSENT = Asker(dict.fromkeys(("MuJoCo", "Drake", "Siconos"), "there is no network"))


@pytest.mark.parametrize("solid", SOLIDS, ids=lambda solid: solid.key)
def test_peers_start_where_the_scene_does(solid: Solid) -> None:
    start = with_dyverse.made(solid).start().values
    assert SCENES[solid.key][1] == solid.until
    assert start[:3] == pytest.approx(solid.position, abs=1e-12)
    assert rotation(start[3:7].tolist()) == pytest.approx(matrix(solid.quaternion), abs=1e-12)
    assert start[7:] == pytest.approx(solid.velocity, abs=1e-12)


@pytest.mark.parametrize("solid", SOLIDS, ids=lambda solid: solid.key)
def test_peers_weigh_what_the_scene_does(solid: Solid) -> None:
    automaton = with_dyverse.made(solid)
    for spin in np.eye(3):
        x = np.array([*automaton.start().values[:10], *(5 * spin)])
        energy = automaton.observe(replace(automaton.start(), values=x))["energy"]
        assert seen(solid, x[1], x[3:7], x[7:10], x[10:])[1] == pytest.approx(energy, rel=1e-12)


def test_a_body_that_falls_keeps_its_energy_and_its_tilt() -> None:
    solid, spin, y = SOLIDS[1], np.array([1.0, 2.0, 3.0]), 0.7
    q = np.array(solid.quaternion)
    above = seen(solid, y, q, np.zeros(3), spin)
    below = seen(solid, y - 0.2, q, np.array([0, -np.sqrt(2 * G * 0.2), 0]), spin)
    assert above[:2] == pytest.approx(below[:2])
    assert below[2] - above[2] == pytest.approx(solid.mass * G * 0.2)


def test_errors_are_seen_where_they_are() -> None:
    solid = SOLIDS[0]
    truth = np.ones((solid.count + 1, 3))
    truth[300:, 2] = 0  # it rests from 3 s on
    rows = truth.copy()
    rows[50] += (0.1, -0.2, 0)
    rows[700:, 0] += 5  # far apart, when that is no matter
    rows[300:350, 2] = 1
    found = judged(solid, rows, truth)
    assert (found["tilt"], found["energy"]) == pytest.approx((0.1, 0.2))
    assert found["rest"] == pytest.approx(0.5)


def test_what_is_true_travels_between_processes(tmp_path: Path) -> None:
    path, truth = str(tmp_path / "truth"), {"a name, with blanks": np.eye(3)}
    save(path, truth)
    assert load(path)["a name, with blanks"] == pytest.approx(np.eye(3))


def test_the_table_stands_without_the_peers() -> None:
    section = QUESTIONS["solids"](ABSENT)
    assert [row[:2] for row in section.rows] == [(s.key, "dyverse native") for s in SOLIDS]
    assert all(float(row[4]) < 1e-6 and float(row[5]) < 1e-6 for row in section.rows)
    assert any("MuJoCo is not installed" in failure for failure in ABSENT.failures)


@pytest.mark.parametrize("mechanism", [m for m in MECHANISMS if len(m.lengths) < 100])
def test_mechanisms_are_put_together_as_they_are_drawn(mechanism: Mechanism) -> None:
    """The start has every hinge closed, or there would be no automaton; and bars where they are."""
    start = dict(zip(*_named(mechanism), strict=True))
    for i, (a, b) in enumerate(pairwise(mechanism.joints)):
        middle = (start[f"l{i}.x"], start[f"l{i}.y"])
        assert middle == pytest.approx(np.mean([a, b], axis=0), abs=1e-12)
        assert np.hypot(*np.subtract(b, a)) == pytest.approx(mechanism.lengths[i])


def _named(mechanism: Mechanism) -> tuple[tuple[str, ...], list[float]]:
    made = mechanical.made(mechanism)
    return made.variables, made.start().values.tolist()


def test_the_four_bar_ends_where_its_frame_does() -> None:
    four_bar = next(m for m in MECHANISMS if m.closed)
    assert four_bar.joints[-1] == pytest.approx((1.5, 0), abs=1e-12)


def test_the_arm_hits_the_floor_and_slides_on_as_before() -> None:
    """Newton's law with one contact that slides, in closed form: P = -u/(G_nn - s mu G_nt)."""
    arm = MECHANISMS[-1]
    automaton = mechanical.made(arm)
    run = simulate(automaton, until=0.5)
    (hit,) = run.times("impact")
    before, after = (
        dict(zip(automaton.variables, arc.states[row], strict=True))
        for arc, row in ((run.arcs[0], -1), (run.arcs[-1], 0))
    )
    w, found = (np.array([x["l0.sz"], x["l1.sz"]]) for x in (before, after))
    a, b = (
        arm.angles[0] + before["j0.angle"],
        arm.angles[1] + sum(before[f"j{i}.angle"] for i in (0, 1)),
    )
    (k, r), (m, n), (i, j) = arm.lengths, arm.masses, _moments(arm)
    off = n * k * r / 2 * np.cos(a - b)
    mass = np.array([[i + (m / 4 + n) * k * k, off], [off, j + n * r * r / 4]])
    normal = np.array([k * np.cos(a), r * np.cos(b)])
    along = np.array([-k * np.sin(a), arm.ball - r * np.sin(b)])
    push = np.linalg.solve(mass, normal - np.sign(along @ w) * arm.friction * along)
    assert (along @ w) * (along @ found) > 0
    assert found == pytest.approx(w - push * (normal @ w) / (normal @ push), abs=1e-8)
    assert 0.25 < hit < 0.26


def _moments(mechanism: Mechanism) -> list[float]:
    pairs = zip(mechanism.lengths, mechanism.masses, strict=True)
    return [mass * (length**2 + WIDTH**2) / 12 for length, mass in pairs]


def test_steps_are_halved_until_the_error_is_small_enough() -> None:
    def play(step: float) -> tuple[Array, float]:
        return np.array([1 + step]), 1 / step

    truth = np.array([1.0])
    found = refined(play, halved(1.0, 8), truth, 0.2)
    assert [(row["knob"], row["reached"]) for row in found] == [(1.0, False), (0.125, True)]
    (only,) = refined(play, halved(1.0, 8), truth, 2.0)
    assert only["reached"]
    never = refined(play, halved(1.0, 3), truth, 1e-9)
    assert [(row["knob"], row["reached"]) for row in never] == [(1.0, False), (0.25, False)]


def test_only_who_is_as_exact_is_compared() -> None:
    same = {"mechanism": "m", "version": "1", "knob": "k", "error": 0.0}
    answers = [
        {**same, "peer": "dyverse native", "seconds": 0.5, "reached": False},
        {**same, "peer": "dyverse native", "seconds": 1.0, "reached": True},
        {**same, "peer": "MuJoCo", "seconds": 3.0, "reached": True},
        {**same, "peer": "Drake", "seconds": 9.0, "reached": False},
    ]
    shown = [number(row[-1]) for row in side_by_side("m", answers)]
    assert shown == ["–", "1", "3", "–"]
