from collections.abc import Mapping
from pathlib import Path

import pytest

from dyverse.expr.term import Number
from dyverse.expr.value import value
from dyverse.generation.model import Model, model_of, parse_model
from dyverse.text.literals import with_literals
from dyverse.text.parse import parse

BALL = "body ball {{ sphere radius {radius}  mass {mass}  position (0, {height}, 0) }}\n"
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*/model.drbt"))


def taken_out(text: str) -> tuple[Model, Mapping[str, str]]:
    tree, names = with_literals(parse(text), text)
    return model_of(tree, text), names


def test_a_literal_becomes_a_parameter_with_its_decimal() -> None:
    model, names = taken_out(BALL.format(radius="0.10", mass="3", height="1e1"))
    assert dict(names) == {"literal_0_1": "0.1", "literal_3": "3", "literal_1E1": "1E+1"}
    (body,) = model.world.bodies
    assert body.mass is not None
    assert value(body.mass, model.values({})) == 3


def test_a_decimal_keeps_digits_that_a_float_has_not() -> None:
    _, names = taken_out(BALL.format(radius="0.1000000000000000000001", mass="1", height="-0.3"))
    assert set(names.values()) == {"0.1000000000000000000001", "0.3"}


def test_nothing_is_worked_out_in_floats() -> None:
    """A third is 1/3 of the model, not the float next to it; π is no float either."""
    model, names = taken_out(
        "parameter a = 1/3\nparameter b = pi/2\n" + BALL.format(radius="1", mass="1", height="0")
    )
    assert set(names.values()) == {"3", "pi", "2"}
    assert model.values({})["a"] == 1 / 3


def test_literal_exponents_and_limits_stay() -> None:
    text = "parameter a = 1 in [0.1, 1.2]\nparameter b = -a^-2 + a^0.5\n"
    _, names = taken_out(text + BALL.format(radius="1", mass="1", height="0"))
    assert not names


def test_priorities_stay() -> None:
    """They are no quantities: as names of parameters they would count for nothing."""
    model, names = taken_out(
        "channel c { priority 3 }\n"
        "automaton a { location l  initial l  edge l -> l { when t >= 5  priority 2 } }\n"
    )
    assert model.described is not None
    assert [edge.priority for edge in model.described.components[0].edges] == [2]
    assert [channel.priority for channel in model.described.channels] == [3]
    assert set(names.values()) == {"5"}


def test_names_that_are_taken_are_left_alone() -> None:
    text = "parameter literal_3 = 1\n" + BALL.format(radius="1", mass="3", height="literal_3")
    _, names = taken_out(text)
    assert dict(names) == {"literal___3": "3"}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.parent.name))
def test_numbers_of_an_example_are_the_same(path: Path) -> None:
    """To whoever computes in floats nothing changes."""
    text = path.read_text(encoding="utf-8")
    model, names = taken_out(text)
    own = parse_model(text).values({})
    found = model.values({})
    assert {name: found[name] for name in own} == own
    assert all(isinstance(found[name], float) for name in names)
    assert Number(found[next(iter(names))]) != Number(0.0)
