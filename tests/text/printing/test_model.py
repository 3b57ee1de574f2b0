from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dyverse.text.parse import parse
from dyverse.text.printing.model import model_text
from dyverse.text.syntax.drawings import (
    DRAWINGS,
    DrawingEntry,
    DrawingPart,
    SceneStatement,
)
from dyverse.text.syntax.elements import PartEntry, Quoted
from dyverse.text.syntax.statements import (
    BODY_ENTRIES,
    CONTACT_ENTRIES,
    JOINT_ENTRIES,
    JOINTS,
    PART_ENTRIES,
    SPRING_ENTRIES,
    BodyStatement,
    ContactStatement,
    Definition,
    Entry,
    ImpactStatement,
    InputStatement,
    Joining,
    JointStatement,
    LoadStatement,
    Model,
    Name,
    Offering,
    ParameterStatement,
    PropertyStatement,
    Row,
    SettingStatement,
    SpringStatement,
)
from tests.expr.strategies import formulas, requirements, terms

Kind = Literal["force", "torque"]

names = st.sampled_from(["a", "ball1", "mass", "_x", "sphere", "radius"]).map(Name)
rows = st.lists(terms, min_size=2, max_size=4).map(lambda items: Row(tuple(items)))
values = st.one_of(terms, rows)
kinds: st.SearchStrategy[Kind] = st.sampled_from(["force", "torque"])


def blocks(words: tuple[str, ...]) -> st.SearchStrategy[tuple[Entry, ...]]:
    full = st.builds(Entry, st.sampled_from([w for w in words if w != "fixed"]), values)
    entry = st.one_of(full, st.just(Entry("fixed"))) if "fixed" in words else full
    return st.lists(entry, max_size=4).map(tuple)


drawn = st.one_of(
    st.builds(DrawingEntry, st.sampled_from(["at", "size", "turn", "radius", "digits"]), values),
    st.builds(DrawingEntry, st.just("show"), formulas),
    st.builds(DrawingEntry, st.just("colour"), names),
    st.builds(DrawingEntry, st.just("say"), st.sampled_from(["", "a body # {"]).map(Quoted)),
    st.builds(DrawingEntry, st.just("value"), values, st.none() | st.tuples(values, values)),
)
scenes = st.lists(
    st.builds(DrawingPart, st.sampled_from(DRAWINGS), st.lists(drawn, max_size=4).map(tuple)),
    max_size=3,
).map(lambda parts: SceneStatement(tuple(parts)))

parts = st.lists(
    st.builds(PartEntry, names, blocks(("sphere", "ellipsoid", *PART_ENTRIES))), max_size=2
).map(tuple)

models = st.lists(
    st.one_of(
        scenes,
        st.builds(
            ParameterStatement, names, values, st.one_of(st.none(), st.tuples(values, values))
        ),
        st.builds(SettingStatement, st.sampled_from(["gravity", "horizon"]), values),
        st.builds(ImpactStatement, names),
        st.builds(BodyStatement, names, blocks(("sphere", "plane", *BODY_ENTRIES)), parts),
        st.lists(st.builds(Definition, names, st.none() | values), min_size=1, max_size=3)
        .map(tuple)
        .map(InputStatement),
        st.builds(LoadStatement, kinds, names, values, st.none() | rows),
        st.builds(SpringStatement, st.just("spring"), names, names | rows, blocks(SPRING_ENTRIES)),
        st.builds(SpringStatement, st.just("damper"), names, names | rows, blocks(("damping",))),
        st.builds(
            JointStatement,
            names,
            st.builds(Joining, st.sampled_from(JOINTS).map(Name), names, names | rows).map(
                lambda joins: (joins,)
            ),
            blocks(tuple(word for word in JOINT_ENTRIES if word != "limits")),
        ),
        st.builds(
            ContactStatement,
            st.none() | st.tuples(names, names),
            blocks(CONTACT_ENTRIES),
            st.lists(
                st.builds(Offering, names, st.none() | names | st.just(Name("impact"))), max_size=3
            ).map(tuple),
            st.lists(formulas, max_size=2).map(tuple),
        ),
        st.builds(ContactStatement, st.none() | st.tuples(names, names), st.none()),
        st.builds(PropertyStatement, names, requirements, st.none() | values),
    ),
    max_size=4,
).map(lambda statements: Model(tuple(statements)))


@given(models)
def test_a_printed_model_parses_back(model: Model) -> None:
    assert parse(model_text(model)) == model


@pytest.mark.parametrize(
    "text",
    [
        "parameter K = 2 in [1, 3]",
        "gravity (0, -9.81, 0)",
        "impact sequence",
        "body ball { sphere radius 0.5  mass 1  position (0, 3, 0)  fixed }",
        "body floor { plane normal (0, 1, 0) }",
        "input u1 = -K * (ball2.x - ball1.x), u2",
        "force ball2 (u1, u2, u3)",
        "spring ball1 (0, 0, 0) { stiffness 10  length 1 }",
        "contact ball1 ball2 { restitution 0.8  friction 0.3 + 0.2 * exp(-slip_speed) }",
        "contact ball1 ball2 { restitution 0  offers hit  offers grip on stick }",
        "contact all off",
        "property p: always ball.y > 0 and gap[a,b] >= 0 until 2",
        "horizon 2",
    ],
)
def test_text_in_normal_form_prints_as_it_is(text: str) -> None:
    assert model_text(parse(text)) == text + "\n"
