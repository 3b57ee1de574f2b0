"""What is wrong with the names and intervals of a requirement, each at its place."""

import pytest

from dyverse.bodies.build import always, plane, requires, sphere, world
from dyverse.errors import ModelError
from dyverse.expr import requirement as stl
from dyverse.expr.formula import compare
from dyverse.generation.model import parse_model

MODEL = """body ball { sphere radius 0.1  mass 1  position (0, 1, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { offers hit }
parameter T = 2
automaton a {
  location l { }
  initial l
  edge l -> l { sync hit? }
  edge l -> l { when t > 9  action ring }
}
system a
"""


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("always impact[ball,flor]", 20, "unknown body 'flor' in 'impact"),
        ("always impackt[ball,floor] > 0", 20, "did you mean 'impact'"),
        ("always count(ball.y) < 3", 20, "unknown function 'count'; events can be counted"),
        ("always count(gap[ball,floor]) < 3", 20, "only events can be counted"),
        ("always action[hot]", 20, "no edge has the action 'hot'; did you mean 'hit'"),
        ("always event[hit]", 20, "is an action of automata"),
        ("always count(impact[ball,floor])", 20, "found a number"),
        ("always ball.y", 20, "found a number"),
        ("always[2, 1] ball.y > 0", 20, "the interval [2, 1] is upside down"),
        ("always[-1, 1] ball.y > 0", 20, "the interval [-1, 1] begins before now"),
        ("always[0, 1/0] ball.y > 0", 20, "is not finite"),
        ("eventually[0, ball.y] ball.y > 0", 27, "an interval must be constant"),
        ("ball.y > 0 until[0, S] ball.x > 0", 33, "unknown name 'S'"),
    ],
)
def test_a_problem_is_told_where_it_is(text: str, column: int, message: str) -> None:
    with pytest.raises(ModelError) as caught:
        parse_model(f"{MODEL}property p: {text}\n")
    (problem,) = caught.value.problems
    assert message in problem.message
    assert problem.span is not None
    assert (problem.span.line, problem.span.column) == (12, column)


@pytest.mark.parametrize(
    "text",
    [
        "always impact[floor,ball] implies eventually[0, T] closed[ball,floor]",
        "always count(impact[floor,ball]) + count(slip[ball,floor]) < 3",
        "always action[hit] implies not once[0.1, T/2] action[ring]",
        "not (a.l since ball.y > 1) until[0, 2*T] ball.y < 0.5",
    ],
)
def test_a_requirement_may_speak_of_all_that_there_is(text: str) -> None:
    assert parse_model(f"{MODEL}property p: {text} until T\n").properties


def test_events_name_their_bodies_in_the_order_of_the_world() -> None:
    (claim,) = parse_model(f"{MODEL}property p: always count(impact[floor,ball]) < 3\n").properties
    assert claim.requirement == stl.always(compare("count(impact[ball,floor])", "<", 3))


def test_text_and_python_make_the_same_requirement() -> None:
    parts = (
        sphere("ball", radius=0.1, mass=1, position=(0, 1, 0)),
        plane("floor", normal=(0, 1, 0)),
    )
    low = compare("ball.y", "<", 0.5)
    tree = stl.always(stl.implies(low, stl.eventually(compare("ball.y", ">", 0.5), 0, 1)))
    text = "always ball.y < 0.5 implies eventually[0, 1] ball.y > 0.5"
    assert world(*parts, requires("p", tree, until=3)) == world(
        *parts, requires("p", text, until=3)
    )
    assert world(*parts, requires("p", "always ball.y < 0.5")) == world(*parts, always("p", low))
