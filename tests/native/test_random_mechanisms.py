"""Mechanisms drawn at random: all engines follow them alike, and energy never grows."""

from __future__ import annotations

import numpy as np
import pytest

from dyverse.generation.automaton import generate
from dyverse.generation.model import parse_model
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate
from tests.native.comparing import first_difference

SEEDS = [pytest.param(seed, marks=pytest.mark.long if seed >= 10 else ()) for seed in range(200)]
LIGHT = 1098  # beside a rope that a rod implies, a corner bounces ever lower
UNTIL = 0.8
CERTAIN = 8  # events: three of four mechanisms have some by then, and after many, chaos rules
KINDS = ("revolute", "revolute", "prismatic", "spherical", "weld", "distance", "rope")


def vector(random: np.random.Generator, size: float) -> tuple[float, float, float]:
    x, y, z = (round(float(part), 3) for part in random.uniform(-size, size, 3))
    return x, y, z


def mechanism(seed: int) -> str:
    """A tree of bodies on a frame, perhaps with a ring, limits, friction, a motor and a floor."""
    random = np.random.default_rng(seed)
    text = ["gravity (0, -9.81, 0)", "body frame { point  fixed  position (0, 1.5, 0) }"]
    text += ["body floor { plane normal (0, 1, 0)  position (0, -0.2, 0) }", "contact all off"]
    names, count, ring = ["frame"], int(random.integers(1, 5)), random.random() < 0.4
    for i in range(count):
        place, turn = vector(random, 0.8), vector(random, 1.0)
        size = tuple(round(float(part), 3) for part in random.uniform(0.1, 0.4, 3))
        height = round(place[1] + 1.2, 3)
        text.append(
            f"body b{i} {{ box size {size}  mass {random.uniform(0.5, 2):.3f}"
            f"  position ({place[0]}, {height}, {place[2]})  rotation {turn} }}"
        )
        held = names[int(random.integers(len(names)))]
        rubs = not ring or count < 3  # friction of a joint that a ring holds still is nothing
        text.append(joint(random, f"j{i}", held, f"b{i}", place, rubs=rubs))
        names.append(f"b{i}")
    if ring and count > 2:
        text.append(f"joint ring {{ distance {names[1]} {names[-1]} }}")
    law = f"restitution {random.uniform(0, 0.8):.2f}  friction {random.uniform(0, 0.6):.2f}"
    text.append(f"contact {names[-1]} floor {{ {law} }}")
    return "\n".join(text)


def joint(
    random: np.random.Generator,
    name: str,
    a: str,
    b: str,
    near: tuple[float, float, float],
    *,
    rubs: bool,
) -> str:
    kind = KINDS[int(random.integers(len(KINDS)))]
    at = tuple(round(part + 0.2, 3) for part in near)
    axis = (*vector(random, 1.0)[:2], 1.0)
    limits = f"limits [-{random.uniform(0.05, 0.5):.2f}, {random.uniform(0.05, 0.5):.2f}]"
    bound = round(float(random.uniform(0, 3)), 2) if rubs else 0
    entries = {
        "revolute": f"at {at}  axis {axis}  {limits}  restitution 0.4  damping 0.02",
        "prismatic": f"axis {axis}  friction {bound}  {limits}  restitution 0.3",
        "spherical": f"at {at}",
        "rope": "restitution 0.2",
    }.get(kind, "")
    return f"joint {name} {{ {kind} {a} {b}  {entries} }}"


@pytest.mark.parametrize("seed", [*SEEDS, LIGHT])
def test_engines_agree_on_a_random_mechanism(seed: int) -> None:
    automaton = generate(parse_model(mechanism(seed)).world)
    native, *others = (
        simulate(automaton, until=UNTIL, options=Options(solver=s, max_events=CERTAIN))
        for s in ("native", "reference", "cvode")
    )
    for other in others:
        assert native.stop is other.stop
        assert first_difference(native, other) is None
        assert native.end.values == pytest.approx(other.end.values, rel=1e-7, abs=1e-7)
    ends = [state for arc in native.arcs for state in (arc.start, arc.end)]
    energies = [automaton.observe(state)["energy"] for state in ends]
    assert (np.diff(energies) <= 1e-7).all()
