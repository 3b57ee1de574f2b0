"""One joint as C knows it, against the equations of the whole world."""

from __future__ import annotations

import numpy as np
import pytest

from dyverse.automaton.interface import Array
from dyverse.contact.pair.kinematics import BODY
from dyverse.expr.rotation import matrix
from dyverse.generation.automaton import generate
from dyverse.generation.model import parse_model
from dyverse.mechanics.joint.single import condition_count, joint_rows
from dyverse.mechanics.turning import normalised

KINDS = {
    "revolute": "revolute a b  at (0.2, 1, 0)  axis (1, 2, 3)  angle 0.3",
    "prismatic": "prismatic a b  axis (3, 1, 2)  length 0.4",
    "spherical": "spherical a b  at (1, 1, 1)",
    "weld": "weld a b",
    "distance": "distance a b  from (0.3, 0, 0)  to (1, 0.2, 0)",
}
WORLD = """contact all off
body a { box size (0.2, 0.3, 0.4)  mass 1  rotation (0.1, 0.2, 0.3) }
body b { box size (0.4, 0.1, 0.2)  mass 2  position (1, 0, 0)  rotation (1, 0.5, 0) }
joint it { __ }
"""


def random_state(start: Array) -> Array:
    return np.asarray(start + 0.3 * np.random.default_rng(3).normal(size=len(start)))


@pytest.mark.parametrize("kind", KINDS)
def test_a_single_joint_asks_for_what_the_world_asks_for(kind: str) -> None:
    """c, β and W of both, at a state where the joint does not even fit."""
    automaton = generate(parse_model(WORLD.replace("__", KINDS[kind])).world)
    dynamics, values = automaton.dynamics, random_state(automaton.start().values)
    normalised(dynamics.layout, values)
    assert dynamics.joints is not None
    joined = dynamics.joints.at(values)
    bodies = dynamics.contacts.bodies(values)
    fit = automaton.scene.held[0].fitting.numbers
    value, bias, J = (np.asarray(part) for part in joint_rows(kind)(*bodies, fit))
    count = condition_count(kind)
    assert value[:count, 0] == pytest.approx(joined.error, abs=1e-12)
    assert bias[:count, 0] == pytest.approx(joined.bias, abs=1e-11)
    for i, own in enumerate(bodies):  # spins are those of the world there
        J[6 * i + 3 : 6 * i + 6] = np.array(matrix(own[BODY:])).T @ J[6 * i + 3 : 6 * i + 6]
    assert J[:, :count] == pytest.approx(joined.W, abs=1e-12)


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
def test_the_coordinate_comes_behind_the_conditions(kind: str) -> None:
    automaton = generate(parse_model(WORLD.replace("__", KINDS[kind])).world)
    dynamics, values = automaton.dynamics, automaton.start().values.copy()
    values[dynamics.layout.v] = np.random.default_rng(1).normal(size=12)
    fit = automaton.scene.held[0].fitting.numbers
    bodies = dynamics.contacts.bodies(values)
    value, _, J = (np.asarray(part) for part in joint_rows(kind)(*bodies, fit))
    known = dict(zip(dynamics.layout.derived, dynamics.derived(values), strict=True))
    assert value[-1, 0] == pytest.approx(0.3 if kind == "revolute" else 0.4)
    speeds = np.concatenate([own[3:BODY] for own in bodies])
    assert J[:, -1] @ speeds == pytest.approx(known["it.rate"])
