"""Memory for closed contacts grows with them, and the run does not notice."""

from __future__ import annotations

import pytest

from dyverse.bodies.build import contact_all, plane, sphere, world
from dyverse.bodies.world import World
from dyverse.generation.automaton import generate
from dyverse.native import engine as native_engine
from dyverse.native.compile import FLAGS
from dyverse.native.engine import simulate_native
from dyverse.native.model import native_model
from tests import scenes

TIGHT = "-DDV_FIRST_ROOM=1"


def heap(rows: int = 3) -> World:
    """Balls side by side on the floor, and others that fall between them."""
    parts = [
        sphere(f"b{i}{j}", radius=0.1, mass=1, position=(0.2 * j + 0.1 * i, 0.1 + 0.18 * i, 0))
        for i in range(rows)
        for j in range(rows - i)
    ]
    floor = plane("floor", normal=(0, 1, 0))
    law = contact_all(restitution=0.3, friction=0.5)
    return world(*parts, floor, law, gravity=(0, -9.81, 0))


@pytest.mark.parametrize("model", [scenes.stack(6), heap()])
def test_a_run_does_not_notice_that_memory_grows(
    model: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = []
    for flags in (FLAGS, (*FLAGS, TIGHT)):
        monkeypatch.setattr(native_engine, "native_model", _compiled_with(flags))
        runs.append(simulate_native(generate(model), until=0.4))
    ours, theirs = runs
    assert max(len(event.contacts) for event in ours.events) > 1
    assert [(e.time, e.kind, e.contacts) for e in ours.events] == [
        (e.time, e.kind, e.contacts) for e in theirs.events
    ]
    assert ours.final == theirs.final


def _compiled_with(flags: tuple[str, ...]) -> object:
    return lambda world, numbers: native_model(world, numbers, flags)
