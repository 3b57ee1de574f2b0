import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.bodies.build import damper, sphere, spring, world
from dyverse.bodies.describe import describe, world_text
from dyverse.bodies.read import parse_world, read
from dyverse.bodies.shape.half_space import HalfSpace
from dyverse.bodies.shape.sphere import Sphere
from dyverse.bodies.world import (
    OCCASIONS,
    Body,
    ContactRule,
    Input,
    Law,
    Load,
    Offer,
    Parameter,
    Property,
    Spring,
    World,
)
from dyverse.contact.impacts import IMPACT_LAWS
from dyverse.expr.term import Number
from dyverse.text.parse import parse
from tests.expr.strategies import formulas, requirements, terms

names = st.sampled_from(["a", "ball1", "floor", "mass"])
vectors = st.tuples(terms, terms, terms)
shapes = st.one_of(st.builds(Sphere, terms), st.builds(HalfSpace, vectors))
laws = st.builds(Law, restitution=terms, tangential_restitution=terms, friction=terms)
maybe = st.one_of(st.none(), terms)


def some(**fields: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    return st.fixed_dictionaries({}, optional=fields)


bodies = st.builds(
    lambda name, shape, rest: Body(name=name, shape=shape, **rest),
    names,
    shapes,
    some(mass=terms, inertia=terms, position=vectors, velocity=vectors, spin=vectors)
    | some(rotation=vectors, fixed=st.booleans()),
)
springs = st.builds(
    lambda body, other, rest: Spring(body=body, other=other, **rest),
    names,
    names | vectors,
    some(stiffness=terms, length=terms, damping=terms),
)
worlds = st.builds(
    World,
    parameters=st.lists(
        st.builds(Parameter, name=names, value=terms, limits=st.none() | st.tuples(terms, terms)),
        max_size=2,
    ).map(tuple),
    gravity=vectors,
    impact=st.sampled_from(list(IMPACT_LAWS)),
    bodies=st.lists(bodies, max_size=2).map(tuple),
    inputs=st.lists(st.builds(Input, name=names, formula=maybe), max_size=2).map(tuple),
    loads=st.lists(
        st.builds(
            Load,
            kind=st.sampled_from(["force", "torque"]),
            body=names,
            vector=vectors,
            at=st.none() | vectors,
        ),
        max_size=2,
    ).map(tuple),
    springs=st.lists(springs, max_size=2).map(tuple),
    contacts=st.lists(
        st.builds(
            ContactRule,
            pair=st.none() | st.tuples(names, names),
            law=st.just(Law()) | laws,
            offers=st.lists(st.builds(Offer, names, st.sampled_from(OCCASIONS))).map(tuple),
            when=st.none() | formulas,
        )
        | st.builds(ContactRule, pair=st.none() | st.tuples(names, names), law=st.none()),
        max_size=2,
    ).map(tuple),
    properties=st.lists(
        st.builds(Property, name=names, requirement=requirements, until=maybe), max_size=2
    ).map(tuple),
    horizon=maybe,
)


@settings(deadline=None)  # the first builds the parser
@given(worlds)
def test_any_world_is_read_back_from_its_text(world: World) -> None:
    assert read(describe(world)) == world
    assert read(parse(world_text(world))) == world


coordinates = st.floats(-1, 1).map(Number)
triples = st.tuples(coordinates, coordinates, coordinates)
masses = st.floats(0.1, 10).map(Number)


@st.composite
def right_worlds(draw: st.DrawFn) -> World:
    """Some balls in a row, far enough from each other, and a floor below."""
    count = draw(st.integers(1, 4))
    balls = tuple(
        Body(
            name=f"ball{i}",
            shape=Sphere(draw(masses)),
            mass=draw(masses),
            position=(Number(25.0 * i), Number(20.0), Number(0.0)),
            velocity=draw(triples),
            spin=draw(triples),
        )
        for i in range(count)
    )
    floor = Body(name="floor", shape=HalfSpace((Number(0.0), Number(1.0), Number(0.0))))
    law = Law(restitution=Number(draw(st.floats(0, 1))), friction=draw(masses))
    return World(
        gravity=draw(triples),
        impact=draw(st.sampled_from(list(IMPACT_LAWS))),
        bodies=(*balls, floor),
        contacts=(ContactRule(law=law),),
        horizon=draw(masses),
    )


@settings(deadline=None)
@given(right_worlds())
def test_a_right_world_is_parsed_back_from_its_text(world: World) -> None:
    assert parse_world(world_text(world)) == world


def test_what_a_contact_offers_is_written_and_read() -> None:
    text = (
        "body ball { sphere radius 1  mass 1  position (0, 2, 0) }\n"
        "body floor { plane normal (0, 1, 0) }\n"
        "contact ball floor { restitution 0.5  offers hit  offers hit on touch }\n"
    )
    world = parse_world(text)
    assert world.contacts[0].offers == (Offer("hit"), Offer("hit", "touch"))
    assert world_text(world) == text


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (spring("a", "b", stiffness=0, length=1), "spring a b { stiffness 0  length 1 }"),
        (spring("a", "b", stiffness=2), "spring a b { stiffness 2 }"),
        (damper("a", "b", damping=0), "damper a b { damping 0 }"),
    ],
)
def test_what_a_spring_needs_is_written_even_if_it_is_zero(made: Spring, text: str) -> None:
    balls = (sphere(n, radius=1, mass=1, position=(x, 0, 0)) for n, x in (("a", 0), ("b", 9)))
    whole = world(*balls, made)
    assert text in world_text(whole)
    assert parse_world(world_text(whole)) == whole
