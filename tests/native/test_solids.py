"""Solids and moved bodies in C: many at once, in sessions, with properties and automata."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from dyverse.automaton.run import Run
from dyverse.bodies.read import parse_world
from dyverse.generation.automaton import generate
from dyverse.generation.model import parse_model
from dyverse.native.engine import simulate_native
from dyverse.native.many import simulate_many
from dyverse.session.session import open_session
from dyverse.simulation.sensitivity import sensitivities
from dyverse.simulation.simulate import Options, simulate
from tests.native.comparing import first_difference

SHAKEN = """
gravity (0, -9.81, 0)
parameter h = 1 in [0.8, 1.2]
parameter A = 0.02
parameter w = 0.3
body block { box size (w, 0.2, 0.25)  mass 1  position (0, h, 0)  rotation (0.1, 0.2, 0.3)
             spin (1, 2, 3) }
body ball { sphere radius 0.1  mass 1  position (0.05, h + 0.5, 0) }
body floor { plane normal (0, 1, 0)  moves (0, A*sin(20*t), 0) }
contact all { restitution 0.3  friction 0.4 }
property near: always gap[block.corner1,floor] >= 0.05 until 0.4
property slow: always block.wx <= 4
"""
ROWS = ({"h": 0.9, "w": 0.28}, {"h": 1.1}, {"A": 0.03})
NATIVE = Options(solver="native")


def test_many_runs_are_those_that_are_run_one_by_one() -> None:
    model = parse_world(SHAKEN)
    many = simulate_many(model, list(ROWS), until=0.5)
    for row, settings in enumerate(ROWS):
        run = simulate_native(generate(model, settings), until=0.5)
        assert many.final[row].tolist() == run.end.values.tolist()
        assert many.counts[row] == len(run.events)


def test_depths_of_properties_are_those_of_the_run() -> None:
    """Of a corner's gap over a moved floor, and of a spin in world axes that is no variable."""
    model = parse_world(SHAKEN)
    many = simulate_many(model, [{}], until=0.5)
    early, seen = (_seen(simulate_native(generate(model), until=end)) for end in (0.4, 0.5))
    gap = min(now["gap[block.corner1,floor]"] for now in early) - 0.05
    slow = min(4 - now["block.wx"] for now in seen)
    assert many.properties == ("near", "slow")
    assert many.least[0] == pytest.approx([gap, slow], abs=2e-3)
    assert (many.least[0] <= [gap + 1e-9, slow + 1e-9]).all()


def _seen(run: Run) -> list[Mapping[str, float]]:
    states = (arc.state(i) for arc in run.arcs for i in range(len(arc.times)))
    return [run.automaton.observe(state) for state in states]


def test_a_session_comes_back_to_the_same_bits() -> None:
    session = open_session(parse_model(SHAKEN), solver="native")
    session.advance(0.3)
    kept = session.snapshot()
    session.advance(0.5)
    first = session.state.values.tolist()
    session.restore(kept)
    session.advance(0.5)
    assert session.state.values.tolist() == first
    whole = simulate_native(generate(parse_world(SHAKEN)), until=0.5).end.values
    assert first == pytest.approx(whole, abs=1e-7)


@pytest.mark.parametrize("name", ["h", "A"])
def test_sensitivities_of_native_runs_are_differences(name: str) -> None:
    model, step = parse_world(SHAKEN), 1e-6
    automaton = generate(model)
    found = sensitivities(simulate(automaton, until=0.45, options=NATIVE), (name,)).final[:, 0]
    at = automaton.scene.values[name]
    ends = [
        simulate_native(generate(model, {name: at + d}), until=0.45).end.values
        for d in (step, -step)
    ]
    size = float(np.abs(found).max())
    assert found == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-6 * size)


COUNTED = (
    SHAKEN.replace("friction 0.4 }", "friction 0.4  offers hit }")
    + """
automaton counter {
  int n
  real x
  location idle { x' = block.qx }
  initial idle
  edge idle -> idle { do n := n + 1  sync hit? }
}
system counter
"""
)


def test_automata_hear_solids_as_in_the_reference_engine() -> None:
    made = parse_model(COUNTED).automaton()
    native, reference = (
        simulate(made, until=0.4, options=Options(solver=solver))
        for solver in ("native", "reference")
    )
    assert native.solver == "native"
    assert first_difference(native, reference) is None
    assert native.end.values == pytest.approx(reference.end.values, abs=1e-7)


def test_a_rod_that_only_turns_hits_the_floor() -> None:
    """Its middle stays where it is, so it is its reach that says a step may close the gap."""
    rod = "body rod { capsule radius 0.05 length 1  mass 1  position (0, 0.3, 0)  spin (2, 0, 0) }"
    model = parse_world(f"{rod}\nbody floor {{ plane normal (0, 1, 0) }}")
    run = simulate_native(generate(model), until=0.4)
    assert [event.kind for event in run.events] == ["impact"]
    assert run.events[0].time == pytest.approx(np.pi / 12, abs=1e-9)  # 0.3 - sin(2 t)/2 = 0.05


@pytest.mark.parametrize("solver", ["native", "reference", "cvode"])
def test_an_uneven_ball_keeps_its_spin_momentum_about_the_normal_of_a_floor(solver: str) -> None:
    """Impulses at its lowest point have no moment about the vertical through its middle."""
    lands = """
    gravity (0, -9.81, 0)
    body ball { sphere radius 0.1  mass 1  inertia (0.003, 0.004, 0.005)  rotation (0.4, 0.5, -0.6)
                position (0, 0.2, 0)  velocity (-1, 0, 0.2)  spin (-3, -2, 1) }
    body floor { plane normal (0, 1, 0) }
    contact all { restitution 0.2  friction 1 }
    """
    run = simulate(generate(parse_world(lands)), until=0.16, options=Options(solver=solver))
    assert [event.kind for event in run.events] == ["impact"]
    before, after = run.arcs[0].end, run.arcs[1].start
    spins = [
        np.array([run.automaton.observe(s)[f"ball.s{a}"] for a in "xyz"]) for s in (before, after)
    ]
    w, x, y, z = (run.automaton.observe(before)[f"ball.q{a}"] for a in "wxyz")
    up = np.array([2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)])
    momenta = [up @ ([0.003, 0.004, 0.005] * spin) for spin in spins]
    assert momenta[1] == pytest.approx(momenta[0], abs=1e-12)
    assert abs(spins[1] - spins[0]).max() > 1


@pytest.mark.parametrize(
    ("box", "motion", "law"),
    [
        ("(0.2, 0.1, 0.3)", "velocity (1, 0, 0.3)  spin (0, 3, 0)", "0.5  friction 0.3"),
        ("(0.41, 0.1, 0.38)", "velocity (1.7, 0, -0.05)  spin (0, -8, 0)", "0  friction 0.8"),
        ("(0.2, 0.1, 0.18)", "velocity (0.7, 0, 1.6)  spin (0, -0.2, 0)", "0  friction 0.3"),
        ("(0.2, 0.1, 0.18)", "velocity (0.2, 0, 0.2)", "0  friction 0.3"),
    ],
)
def test_engines_share_the_blow_of_a_box_that_lands_flat(box: str, motion: str, law: str) -> None:
    """Where it slips and yaws, what becomes of it depends on how its corners share the impulse.

    Where friction just stops it, what is told of its corners does: evenly shared, some would slip.
    """
    text = f"""
    gravity (0, -9.81, 0)
    body box {{ box size {box}  mass 1  inertia (0.017, 0.012, 0.016)  position (0, 0.1, 0)
                {motion} }}
    body floor {{ plane normal (0, 1, 0) }}
    contact box floor {{ restitution {law} }}
    """
    automaton = generate(parse_world(text))
    runs = [
        simulate(automaton, until=0.2, options=Options(solver=solver, max_events=1))
        for solver in ("native", "reference")
    ]
    after = [run.arcs[1].start.values for run in runs]
    assert after[0] == pytest.approx(after[1], abs=1e-9)
    impulses = [np.array([*run.visits[0].result.values()]) for run in runs]
    assert impulses[0] == pytest.approx(impulses[1], abs=1e-9)
    assert runs[0].events[0].contacts == runs[1].events[0].contacts
