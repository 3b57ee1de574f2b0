"""Numbers and starts of many runs against one scene after the other."""

from __future__ import annotations

import numpy as np
import pytest

from dyverse.bodies.build import (
    contact_all,
    define,
    force,
    parameter,
    plane,
    port,
    sphere,
    spring,
    world,
)
from dyverse.bodies.scene import scene, scene_problems
from dyverse.bodies.world import World
from dyverse.errors import ModelError
from dyverse.generation.automaton import generate
from dyverse.native.model import native_model
from dyverse.native.preparation import BLOCK, prepare


def everything() -> World:
    """Settings reach masses, radii, normals, laws, springs, places and one another."""
    return world(
        parameter("a", 1.0),
        parameter("b", "2*a + sin(a)"),
        parameter("tilt", 0.1),
        parameter("e", "0.5/b"),
        port("u"),
        sphere("one", radius="0.1*a", mass="b", position=(0, 3, 0), velocity=("a", "b", 0)),
        sphere("two", radius=0.2, mass=1, inertia="0.1*b", position=("3*a", 3, 0)),
        plane("floor", normal=("tilt", 1, 0), position=(0, "-tilt", 0)),
        spring("two", (0, "a", 0), stiffness="b", length=0.5),
        define("pull", "u*one.x"),
        force("one", ("pull", 0, 0)),
        contact_all(restitution="e", tangential_restitution="-e", friction="0.1*b"),
        gravity=(0, "-9.81*a", 0),
    )


COUNT = BLOCK + 7


def columns(seed: int) -> dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]]:
    rng = np.random.default_rng(seed)
    return {
        "a": rng.uniform(0.5, 2, COUNT),
        "tilt": rng.uniform(-0.5, 0.5, COUNT),
        "u": rng.normal(size=COUNT),
        "one.y": rng.uniform(3, 4, COUNT),
        "two.wz": rng.normal(size=COUNT),
        "floor.y": rng.uniform(-2, -1, COUNT),
    }


def test_all_rows_at_once_are_the_scenes_one_by_one() -> None:
    base, settings = generate(everything()), columns(0)
    native = native_model(base.world, base.scene)
    numbers, starts = prepare(base, native, settings).rows(0, COUNT)
    for i in range(0, COUNT, 5):
        found = scene(base.world, {name: float(column[i]) for name, column in settings.items()})
        assert numbers[i] == pytest.approx(native.numbers(found), rel=1e-15, abs=1e-15)
        assert starts[i] == pytest.approx(found.start, rel=1e-15, abs=1e-15)


def test_what_no_setting_reaches_is_the_scene_at_hand() -> None:
    base = generate(everything(), {"a": 1.3})
    native = native_model(base.world, base.scene)
    numbers, starts = prepare(base, native, {"one.vz": [0.25]}).rows(0, 1)
    assert numbers[0].tolist() == native.numbers(base.scene).tolist()
    assert starts[0][base.variables.index("one.vz")] == 0.25


@pytest.mark.parametrize("seed", range(3))
def test_rows_are_refused_exactly_where_their_scenes_are(seed: int) -> None:
    """Wild settings: overlaps, negative masses, restitution over one."""
    rng = np.random.default_rng(seed)
    base = generate(everything())
    native = native_model(base.world, base.scene)
    refused = 0
    for _ in range(40):
        row = {
            "a": float(rng.normal(0.8, 0.8)),
            "one.y": float(rng.normal(1, 1)),
            "e": float(rng.normal(0.7, 0.3)),
        }
        wrong = [problem.message for problem in scene_problems(base.world, row)]
        if wrong:
            refused += 1
            with pytest.raises(ModelError) as caught:
                prepare(base, native, [{"a": 1.0, "one.y": 3.0, "e": 0.5}, row])
            assert [p.message.split("): ")[1] for p in caught.value.problems] == wrong
            assert all(p.message.startswith("run 1 (") for p in caught.value.problems)
        else:
            assert len(prepare(base, native, [row])) == 1
    assert 0 < refused < 40
