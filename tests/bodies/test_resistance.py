"""Rolling and spinning resistance in text and in Python: words, names, and what is refused."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from dyverse import ModelError, parse_world, world_text
from dyverse.bodies.build import contact, plane, sphere, world
from dyverse.cli.main import app
from dyverse.generation.automaton import generate

BALL = "body ball { sphere radius 1  mass 1  position (0, 2, 0) }\n"
FLOOR = "body floor { plane normal (0, 1, 0) }\n"
PROPERTY = "property low: always ball.y < 3 until 1\n"


def text(law: str, before: str = "", first: str = BALL, second: str = FLOOR) -> str:
    return f"{before}{first}{second}contact ball floor {{ {law} }}\n"


def test_text_and_python_make_the_same_world_and_print_it_back() -> None:
    read = parse_world(text("friction 0.3  rolling 2 mm  spinning 0.001"))
    made = world(
        sphere("ball", radius=1, mass=1, position=(0, 2, 0)),
        plane("floor", normal=(0, 1, 0)),
        contact("ball", "floor", friction=0.3, rolling=0.002, spinning=0.001),
    )
    assert read == made
    assert parse_world(world_text(made)) == made
    assert "rolling 0.002  spinning 0.001" in world_text(made)


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        (BALL, FLOOR, ("ball-floor", "ball.rolling-floor", "ball.spinning-floor")),
        (FLOOR, BALL, ("floor-ball", "floor-ball.rolling", "floor-ball.spinning")),
    ],
)
def test_contacts_are_named_at_what_is_no_plane(
    first: str, second: str, names: tuple[str, ...]
) -> None:
    read = parse_world(text("rolling 0.1  spinning 0.1", first=first, second=second))
    assert generate(read).contacts == names


def test_a_coefficient_of_zero_is_none() -> None:
    assert generate(parse_world(text("rolling 0"))).contacts == ("ball-floor",)


def test_words_may_still_be_names() -> None:
    read = parse_world("parameter rolling = 0.1\n" + text("rolling rolling"))
    assert len(generate(read).contacts) == 2


@pytest.mark.parametrize(
    ("law", "before", "message"),
    [
        ("rolling -1", "", r":3:30: rolling is -1 m; it must be 0 or more"),
        ("spinning slip_speed", "", r":3:31: 'slip_speed' alone is for 'friction' entries only"),
        ("rolling 3 kg", "", r":3:30: 'rolling' is in m, not in kg"),
        ("rolling (1, 2)", "", r":3:31: rolling needs a single number"),
        (
            "rolling 1",
            "impact newton without collision\n",
            r":4:30: an impact without collision is not known where something resists turning",
        ),
    ],
)
def test_mistakes_are_found_where_they_are(law: str, before: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        parse_world(text(law, before))


def test_a_part_that_is_called_like_a_resistance_is_one_name_too_many() -> None:
    parts = "part rolling { sphere radius 1 }"
    named = f"body ball {{ mass 1  inertia 1  position (0, 2, 0)  {parts} }}\n"
    other = "part head { sphere radius 1  at (3, 0, 0) }"
    both = f"body ball {{ mass 1  inertia 1  position (0, 2, 0)  {parts}  {other} }}\n"
    assert parse_world(text("rolling 1", first=named))
    assert parse_world(text("rolling 1", first=both))
    twins = both.replace("head", "rolling_rolling")
    with pytest.raises(ModelError, match=r"two contacts are called 'ball.rolling_rolling-floor'"):
        parse_world(text("rolling 1", first=twins))


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["prove"], "m.drbt:3:30: rolling and spinning resistance cannot be proved about yet"),
        (
            ["falsify", "--method", "paper", "--range", "ball.vy=0:1"],
            "m.drbt:3:30: the published method knows no rolling or spinning resistance",
        ),
    ],
)
def test_commands_that_do_not_know_it_say_so(
    command: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.drbt").write_text(text("rolling 1") + PROPERTY)
    found = CliRunner().invoke(app, [command[0], "m.drbt", *command[1:]])
    assert found.exit_code == 2
    assert message in found.stderr
