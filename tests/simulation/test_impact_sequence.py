"""Runs by the two laws of impact: touching rows, the limit of small gaps, floors, symmetry."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.automaton.interface import Visit
from dyverse.automaton.run import Run, Stop
from dyverse.bodies.build import contact_all, plane, sphere, world
from dyverse.bodies.gather import Part
from dyverse.bodies.world import World
from dyverse.generation.automaton import generate
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options, simulate
from tests import scenes
from tests.native.comparing import first_difference

SOLVERS = ("reference", "native", "cvode")
R = 0.1


def row(
    impact: str, masses: list[float], coming: int = 1, *, e: float = 1.0, gap: float = 0.0
) -> World:
    """Balls in a row along x; the first ``coming`` of them come with 1 m/s over 0.1 m."""
    places = [(2 * R + gap) * i - 0.1 * (i < coming) for i in range(len(masses))]
    balls = [
        sphere(f"b{i}", radius=R, mass=m, position=(x, 0, 0), velocity=(float(i < coming), 0, 0))
        for i, (m, x) in enumerate(zip(masses, places, strict=True))
    ]
    return world(*balls, contact_all(restitution=e), impact=impact)


def run(model: World, until: float = 0.2, solver: str = "reference") -> Run:
    return simulate(generate(model), until=until, options=Options(solver=solver))


def speeds(found: Run, axis: str = "x") -> list[float]:
    return [value for name, value in found.final.items() if name.endswith(f".v{axis}")]


def blow(found: Run) -> Visit:
    """The last impact in which somebody was hit."""
    hit = [v for v in found.visits if "impact" in str(v.before.location)]
    return [v for v in hit if any(i.any() for i in v.result.values())][-1]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("law", "coming", "after"),
    [
        ("newton", 1, (-0.6, 0.4, 0.4, 0.4, 0.4)),
        ("sequence", 1, (0, 0, 0, 0, 1)),
        ("sequence", 2, (0, 0, 0, 1, 1)),
        ("sequence", 3, (0, 0, 1, 1, 1)),
    ],
)
def test_a_cradle_by_either_law(
    law: str, coming: int, after: tuple[float, ...], solver: str
) -> None:
    found = run(row(law, [0.5] * 5, coming), solver=solver)
    assert speeds(found) == pytest.approx(after, abs=1e-12)
    assert found.stop is Stop.HORIZON
    assert len(found.times("impact")) == 1
    hit = blow(found)
    assert (hit.method == "sequence") == (law == "sequence")
    assert set(hit.result) == {"b0-b1", "b1-b2", "b2-b3", "b3-b4"}
    assert all(np.linalg.norm(impulse) > 0.1 for impulse in hit.result.values())


@pytest.mark.parametrize("masses", [[5, 3, 2, 1], [4, 2, 1, 0.5, 0.25], [1, 1, 1, 1]])
@pytest.mark.parametrize("e", [1.0, 0.9, 0.7])
def test_touching_rows_are_the_limit_of_small_gaps(masses: list[float], e: float) -> None:
    """Gaps of 1e-6 m by Newton's law, impact after impact, end as no gap by the sequence law."""
    apart = run(row("newton", masses, e=e, gap=1e-6), 0.3, solver="native")
    touching = run(row("sequence", masses, e=e), 0.3, solver="native")
    assert len(apart.times("impact")) == blow(touching).sweeps
    assert speeds(touching) == pytest.approx(speeds(apart), abs=1e-9)


@settings(deadline=None, max_examples=15)
@given(masses=st.lists(st.floats(0.2, 5), min_size=3, max_size=3), e=st.floats(0.5, 1))
def test_so_are_any_three_balls(masses: list[float], e: float) -> None:
    """Of two contacts only one can be next. Of more, the gaps would decide by who is there first.

    With gaps, those that approach slowly may not meet in time; and if e is small, balls collapse
    until their gaps are below the tolerance, and the rest is one impact by Newton's law.
    """
    apart = run(row("newton", masses, e=e, gap=1e-4), 3.0, solver="native")
    touching = run(row("sequence", masses, e=e), 3.0, solver="native")
    assert speeds(touching) == pytest.approx(speeds(apart), abs=1e-4)


@settings(deadline=None, max_examples=15)
@given(
    masses=st.lists(st.floats(0.2, 5), min_size=3, max_size=5),
    coming=st.integers(1, 2),
    e=st.floats(0, 1),
)
def test_rows_keep_momentum_lose_energy_and_nobody_approaches(
    masses: list[float], coming: int, e: float
) -> None:
    runs = [run(row("sequence", masses, coming, e=e), 0.11, name) for name in SOLVERS[:2]]
    m = np.array(masses)
    for found in runs:
        v = np.array(speeds(found))
        assert found.stop is Stop.HORIZON
        assert m @ v == pytest.approx(m[:coming].sum(), rel=1e-9)
        assert m @ v**2 <= m[:coming].sum() * (1 + 1e-9)
        assert (np.diff(v) >= -1e-9).all()
    assert first_difference(*runs) is None


def test_a_ball_on_a_floor_is_hit_from_above() -> None:
    """Equal balls, e = 1: down, floor, up; the one that lay there stays, the other flies back."""
    balls = (
        sphere("low", radius=R, mass=1, position=(0, R, 0)),
        sphere("high", radius=R, mass=1, position=(0, 3 * R + 0.1, 0), velocity=(0, -1, 0)),
    )
    floor = plane("floor", normal=(0, 1, 0))
    for solver in SOLVERS:
        found = run(world(*balls, floor, contact_all(), impact="sequence"), 0.15, solver)
        assert blow(found).sweeps == 3
        assert np.abs(blow(found).result["low-floor"]) == pytest.approx([0, 2, 0])
        assert np.abs(blow(found).result["low-high"]) == pytest.approx([0, 2, 0])
        assert speeds(found, "y") == pytest.approx([0, 1], abs=1e-12)
        assert str(found.arcs[-1].location) == "{low-floor: slip}"


def test_balls_on_a_floor_come_to_rest_by_sequence() -> None:
    """A ball bounces on one that lies on the floor: impacts accumulate, and both rest."""
    model = world(
        sphere("low", radius=R, mass=1, position=(0, R, 0)),
        sphere("high", radius=R, mass=1, position=(0, 3 * R + 0.05, 0)),
        plane("floor", normal=(0, 1, 0)),
        contact_all(restitution=0.5),
        gravity=scenes.DOWN,
        impact="sequence",
    )
    runs = [run(model, 1.0, name) for name in SOLVERS[:2]]
    for found in runs:
        assert found.stop is Stop.HORIZON
        assert found.times("accumulation")
        assert found.final["high.y"] == pytest.approx(3 * R, abs=1e-9)
        assert dict(found.arcs[-1].location.closed).keys() == {"low-high", "low-floor"}  # type: ignore[attr-defined]
    assert first_difference(*runs) is None


def rack(impact: str, e: float = 0.9) -> World:
    """Ten balls that touch in a triangle, and a cue ball that comes along its axis."""
    places = [
        (math.sqrt(3) * R * k, R * (2 * i - k)) for k in range(4) for i in range(k + 1)
    ]  # row by row
    parts: list[Part] = [
        sphere(f"b{i}", radius=R, mass=0.2, position=(x, 0, z)) for i, (x, z) in enumerate(places)
    ]
    parts.append(
        sphere("cue", radius=R, mass=0.2, position=(-2 * R - 0.05, 0, 0), velocity=(2, 0, 0))
    )
    return world(*parts, contact_all(restitution=e), impact=impact)


@pytest.mark.parametrize("e", [1.0, 0.9])
def test_the_break_of_a_rack_is_symmetric(e: float) -> None:
    mirror = [0, 2, 1, 5, 4, 3, 9, 8, 7, 6]
    found = run(rack("sequence", e), 0.03, "native")
    assert found.stop is Stop.HORIZON
    assert len(found.times("impact")) == 1
    for i, j in enumerate(mirror):
        for axis, sign in (("x", 1), ("z", -1)):
            a, b = found.final[f"b{i}.v{axis}"], found.final[f"b{j}.v{axis}"]
            assert a == pytest.approx(sign * b, abs=1e-12)
    momentum = 0.2 * sum(speeds(found))
    assert momentum == pytest.approx(0.4)
    assert first_difference(found, run(rack("sequence", e), 0.03)) is None


def squeezed(ratio: float) -> World:
    """An elastic ball comes so many times as heavy as the one between it and a wall."""
    return world(
        plane("wall", normal=(1, 0, 0)),
        sphere("light", radius=R, mass=1, position=(R, 0, 0)),
        sphere("heavy", radius=R, mass=ratio, position=(3 * R + 0.1, 0, 0), velocity=(-1, 0, 0)),
        contact_all(),
        impact="sequence",
    )


@pytest.mark.parametrize("solver", SOLVERS[:2])
@pytest.mark.parametrize(("ratio", "impacts"), [(1, 3), (100, 31), (10_000, 314)])
def test_a_ball_squeezed_at_a_wall_counts_the_digits_of_pi(
    ratio: float, impacts: int, solver: str
) -> None:
    """Galperin's billiard: ⌊π √(M/m)⌋ impacts, and the heavy ball goes back as it came."""
    found = run(squeezed(ratio), 0.11, solver)
    assert blow(found).sweeps == impacts
    assert found.final["heavy.vx"] == pytest.approx(1, abs=0.1)
    energy = found.final["light.vx"] ** 2 + ratio * found.final["heavy.vx"] ** 2
    assert energy == pytest.approx(ratio, rel=1e-12)


@pytest.mark.parametrize("solver", SOLVERS[:2])
def test_a_sequence_without_end_is_said(solver: str) -> None:
    """31 415 impacts are more than a sequence at two contacts may have."""
    found = run(squeezed(1e8), 0.11, solver)
    assert found.stop is Stop.NOT_CONVERGED
    assert (
        "the sequence of impacts at light-heavy did not end: after 10400 impacts" in found.message
    )
    assert found.visits[-1].method == "not converged"


@pytest.mark.parametrize("solver", SOLVERS)
def test_who_touches_and_parts_is_next_with_its_own_restitution(solver: str) -> None:
    balls = [
        sphere(f"b{i}", radius=R, mass=1, position=(2 * R * i, 0, 0), velocity=(v, 0, 0))
        for i, v in enumerate((1.0, 0.0, 0.1))
    ]
    found = run(world(*balls, contact_all(), impact="sequence"), 0.1, solver)
    assert speeds(found) == pytest.approx([0, 0.1, 1], abs=1e-12)
    assert blow(found).contacts == ("b0-b1",)
    assert set(blow(found).result) == {"b0-b1", "b1-b2"}


@pytest.mark.parametrize("solver", SOLVERS)
def test_what_rounding_makes_of_a_tie_is_a_tie(solver: str) -> None:
    balls = [
        sphere(f"b{i}", radius=R, mass=1, position=(2 * R * i, 0, 0), velocity=(v, 0, 0))
        for i, v in enumerate((1.0, 0.0, -1 - 1e-13))
    ]
    found = run(world(*balls, contact_all(restitution=0.5), impact="sequence"), 0.1, solver)
    assert speeds(found) == pytest.approx([-0.5, 0, 0.5], abs=1e-12)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_contact_inside_a_row_offers_its_impact_once(solver: str) -> None:
    text = """
    impact sequence
    body a { sphere radius 0.1 mass 1 position (-0.4, 0, 0) velocity (1, 0, 0) }
    body b { sphere radius 0.1 mass 1 }
    body c { sphere radius 0.1 mass 1 position (0.2, 0, 0) }
    contact b c { restitution 1  offers hit on impact  offers gone on release }
    automaton count {
      int hits  int parted  location on  initial on
      edge on -> on { sync hit? do hits := hits + 1 }
      edge on -> on { sync gone? do parted := parted + 1 }
    }
    system count
    """
    made = parse_model(text).automaton()
    found = simulate(made, until=0.5, options=Options(solver=solver))
    assert found.solver == solver
    assert (found.final["count.hits"], found.final["count.parted"]) == (1, 1)
    assert found.final["c.vx"] == pytest.approx(1)


@settings(deadline=None, max_examples=8)
@given(
    x=st.floats(-0.1, 0.5),
    z=st.floats(-0.05, 0.05),
    e=st.sampled_from([0.0, 0.3, 0.6, 1.0]),
    mu=st.sampled_from([0.0, 0.2]),
)
def test_a_ball_thrown_on_a_row_on_a_floor_is_the_same_in_both_engines(
    x: float, z: float, e: float, mu: float
) -> None:
    row_ = [sphere(f"b{i}", radius=R, mass=1 + i, position=(2 * R * i, R, 0)) for i in range(3)]
    model = world(
        *row_,
        sphere("thrown", radius=R, mass=1, position=(x, 0.4, z), velocity=(0.3, -2, 0)),
        plane("floor", normal=(0, 1, 0)),
        contact_all(restitution=e, friction=mu),
        gravity=scenes.DOWN,
        impact="sequence",
    )
    runs = [
        simulate(generate(model), until=0.09, options=Options(solver=name, max_events=12))
        for name in SOLVERS[:2]
    ]
    assert first_difference(*runs) is None
    assert runs[0].end.values == pytest.approx(runs[1].end.values, abs=1e-7)
    before, after = (
        runs[0].automaton.observe(s)["energy"] for s in (runs[0].arcs[0].start, runs[0].end)
    )
    assert after <= before * (1 + 1e-9)
