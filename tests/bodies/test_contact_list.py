"""The contact list: the same as two by two, and made when it is asked for."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dyverse.bodies.build import box, contact, contact_all, no_contact, plane, sphere, world
from dyverse.bodies.gather import Part
from dyverse.bodies.pairs import TouchingPair, ends, neighbours, touching_pairs
from dyverse.bodies.scene import scene
from dyverse.bodies.shapes import faces, meetings
from dyverse.bodies.world import Body, World
from dyverse.generation.automaton import generate
from dyverse.native.model import native_model, number_list


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Balls of two sizes, boxes, planes, fixed and moving, with rules of their own for some."""
    parts: list[Part] = [plane("floor", normal=(0, 1, 0))]
    for i in range(draw(st.integers(0, 4))):
        size, held = draw(st.sampled_from([0.1, 0.2])), draw(st.booleans())
        parts.append(sphere(f"b{i}", radius=size, mass=1, position=(i, 1, 0), fixed=held))
    if draw(st.booleans()):
        parts.append(box("crate", size=(0.1, 0.2, 0.3), mass=1, position=(0, 3, 0)))
    parts.insert(
        draw(st.integers(0, len(parts))), plane("wall", normal=(1, 0, 0), position=(-9, 0, 0))
    )
    bodies = sorted((part for part in parts if isinstance(part, Body)), key=lambda b: b.name)
    every = [(a.name, b.name) for a, b in combinations(bodies, 2) if not (a.fixed and b.fixed)]
    for a, b in draw(st.lists(st.sampled_from(every), max_size=3, unique=True)) if every else []:
        own = contact(b, a, restitution=0.5, friction=draw(st.sampled_from([0.1, 0.2])))
        parts.append(draw(st.sampled_from([own, no_contact(a, b)])))
    parts += draw(st.sampled_from([[], [contact_all(restitution=0.9, friction=0.0)]]))
    return world(*parts)


def two_by_two(made: World) -> list[TouchingPair]:
    return [
        TouchingPair(two.a, two.b, two.law, two.offers, met)
        for two in neighbours(made)
        for met in meetings(faces(two.a.shape), faces(two.b.shape))
    ]


@given(made=worlds())
def test_the_list_is_that_of_every_two_bodies(made: World) -> None:
    listed, expected = touching_pairs(made), two_by_two(made)
    assert list(listed) == expected
    assert [listed[i] for i in range(len(listed))] == expected
    assert listed[1:3] == tuple(expected[1:3])
    assert [pair.name for pair in scene(made).contacts] == [pair.name for pair in expected]


@given(made=worlds())
def test_columns_say_what_the_contacts_say(made: World) -> None:
    found = scene(made)
    index = {body.name: i for i, body in enumerate(found.bodies)}
    expected = [[index[end] for end in pair.ends] for pair in found.contacts]
    assert ends(found.contacts).tolist() == expected
    named = found.contacts.column(sort.restitution for sort in found.contacts.sorts)
    assert named.tolist() == [pair.restitution for pair in found.contacts]


def test_a_list_of_many_contacts_is_short() -> None:
    balls = [sphere(f"b{i}", radius=0.1, mass=1, position=(i, 1, 0)) for i in range(200)]
    listed = touching_pairs(world(plane("floor", normal=(0, 1, 0)), *balls))
    assert len(listed) == 200 * 199 // 2 + 200
    assert len(listed.sorts) == 2
    assert repr(listed) == "<20100 contacts of 2 sorts>"


def test_equal_worlds_have_equal_lists() -> None:
    def made(friction: float) -> World:
        balls = [sphere(f"b{i}", radius=0.1, mass=1, position=(i, 1, 0)) for i in range(3)]
        return world(*balls, contact_all(friction=friction))

    assert scene(made(0.1)).contacts == scene(made(0.1)).contacts
    assert scene(made(0.1)).contacts != scene(made(0.2)).contacts
    assert scene(made(0.1)).contacts == tuple(scene(made(0.1)).contacts)
    assert scene(made(0.1)).contacts != 3


def test_numbers_for_the_runtime_are_those_of_the_contacts_one_by_one() -> None:
    crate = box("crate", size=(0.1, 0.2, 0.3), mass=1, position=(0, 3, 0))
    ball = sphere("ball", radius=0.1, mass=1, position=(1, 1, 0))
    rules = [contact("floor", "ball", restitution=0.25, friction=0.5), contact_all(friction=0.75)]
    automaton = generate(world(plane("floor", normal=(0, 1, 0)), crate, ball, *rules))
    model = native_model(automaton.world, automaton.scene)
    numbers, pairs = model.numbers(automaton.scene), automaton.scene.contacts
    assert numbers.tolist() == number_list(automaton.scene)
    own = [
        getattr(pair, name) for name in ("restitution", "tangential_restitution") for pair in pairs
    ]
    frictions = [pair.friction.value for pair in pairs]  # type: ignore[union-attr]
    np.testing.assert_array_equal(numbers[-3 * len(pairs) :], own + frictions)
