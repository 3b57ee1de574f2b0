"""Statements that are repeated: indices become parts of names, and mistakes are told once."""

from __future__ import annotations

import pytest

from dyverse import parse_model
from dyverse.errors import ParseError
from dyverse.simulation.simulate import simulate
from dyverse.text.parse import MAX_STATEMENTS, parse, parse_term
from dyverse.text.printing.model import model_text

BALLS = """
gravity (0, -9.81, 0)
repeat i in 1..3 {  # { a brace in a comment
  body ball[i] { sphere radius 0.1  mass i  position (0.5*i, 1 + i/10, 0) }
  property up[i]: always gap[ball[i], floor] >= -1e-6 and count(impact[ball[i],floor]) < 9
}
body floor { plane normal (0, 1, 0) }
contact ball[*] floor { restitution 0.5 }
contact ball[*] ball[*] off
force ball[*] (0, 0, ball[3].x)
"""
WRITTEN_OUT = """
gravity (0, -9.81, 0)
body ball_1 { sphere radius 0.1  mass 1  position (0.5*1, 1 + 1/10, 0) }
property up_1: always gap[ball_1, floor] >= -1e-6 and count(impact[ball_1,floor]) < 9
body ball_2 { sphere radius 0.1  mass 2  position (0.5*2, 1 + 2/10, 0) }
property up_2: always gap[ball_2, floor] >= -1e-6 and count(impact[ball_2,floor]) < 9
body ball_3 { sphere radius 0.1  mass 3  position (0.5*3, 1 + 3/10, 0) }
property up_3: always gap[ball_3, floor] >= -1e-6 and count(impact[ball_3,floor]) < 9
body floor { plane normal (0, 1, 0) }
contact ball_1 floor { restitution 0.5 }
contact ball_2 floor { restitution 0.5 }
contact ball_3 floor { restitution 0.5 }
contact ball_1 ball_2 off
contact ball_1 ball_3 off
contact ball_2 ball_3 off
force ball_1 (0, 0, ball_3.x)
force ball_2 (0, 0, ball_3.x)
force ball_3 (0, 0, ball_3.x)
"""
TANKS = """
repeat i in 0..2 {
  automaton tank[i](k = 1) {
    real h = i + 1
    location on { h' = -k*h }  location off
    initial on
    edge on -> off { when h <= (i + 1)/2  sync empty[i]! }
  }
  channel empty[i] { broadcast }
}
automaton count {
  int n
  location on
  initial on
  edge on -> on { sync empty[0]?  do n := n + 1 }
  edge on -> on { sync empty[2]?  do n := n + tank[2].h*0 + 10 }
}
system tank[*](2) || count
"""
NESTED = "".join(f"repeat i{n} in 1..2 {{ " for n in range(9))


def test_a_repeat_is_what_is_written_out() -> None:
    assert parse(BALLS) == parse(WRITTEN_OUT)


def test_a_repeat_is_printed_written_out() -> None:
    assert parse(model_text(parse(BALLS))) == parse(BALLS)


def test_what_is_repeated_runs() -> None:
    automaton = parse_model(BALLS).automaton()
    run = simulate(automaton, until=1.0)
    assert {"ball_1.y", "ball_2.y", "ball_3.y"} <= set(run.final)
    assert {name for event in run.events for name in event.contacts} == {
        "ball_1-floor",
        "ball_2-floor",
        "ball_3-floor",
    }


def test_automata_channels_and_instances_have_indices() -> None:
    model = parse_model(TANKS)
    assert model.described is not None
    names = [component.name for component in model.described.components]
    assert names == ["tank_0", "tank_1", "tank_2", "count"]
    run = simulate(model.automaton(), until=1.0)
    assert run.final["count.n"] == 11
    assert [run.final[f"tank_{i}.h"] for i in range(3)] == pytest.approx([0.5, 1, 1.5])


def test_repeats_inside_each_other_see_both_numbers() -> None:
    text = "repeat i in 1..3 { repeat j in i + 1..2*i { body b[i][2*j - i] { mass 10*i + j } } }"
    found = [f"{body.name.text}" for body in parse(text).statements]  # type: ignore[union-attr]
    assert found == ["b_1_3", "b_2_4", "b_2_6", "b_3_5", "b_3_7", "b_3_9"]


def test_an_index_needs_no_repeat() -> None:
    assert parse_term("ball[3].x + k[2]") == parse_term("ball_3.x + k_2")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("repeat i in 1..1000000000 { body b[i] { fixed } }", "1:1: a model may have 10,000"),
        (
            "repeat i in 1..9000 { repeat j in 1..9000 { repeat k in 1..0 { body b {} } } }",
            "1:23: a model may have 10,000",
        ),
        ("repeat i in 1..3 { body b[k] { fixed } }", "1:25: 'k' is no name of a repeat around it"),
        ("body b[i] { fixed }", "1:6: 'i' is no name of a repeat around it, and there is no"),
        ("repeat i in 1..3 { body b[i - 5] { fixed } }", "the index i - 5 is -4; it must be 0 or"),
        ("repeat i 1..3 { body b { fixed } }", "1:1: a repeat has a name, a range and a block"),
        ("repeat i in 1..n { body b { fixed } }", "1:1: in the range, 'n' is no name of a repeat"),
        ("repeat i in 1..3 { body b[i] { fixed }", "1:1: '}' is missing: this repeat has no end"),
        ("repeat i in 1..3 { jnk body b[i] {} }", "1:20: unknown statement 'jnk'"),
        ("repeat i in 1..3 { body b {} } }", "1:32: expected a statement, found '}'"),
        ("repeat i in 1..3 { body b[i] { spere radius 1 } }", "1:32: unexpected 'spere'; did you"),
        ("repeat i in 1..3 { force b[i] }", "1:31: expected a number, a name or '(', found '}'"),
        ("repeat i in 1..3 { repeat i in 1..2 { body b {} } }", "1:20: the repeat around this"),
        ("repeat t in 1..3 { body b[t] {} }", "1:1: 't' is a word of the language"),
        ("parameter i = 1\nrepeat i in 1..3 { body b[i] {} }", "2:1: the name 'i' is taken"),
        ("repeat h in 1..3 { parameter p[h] = 2 h }", "'h' is a unit here, and a name"),
        ("contact a[*] b off", "1:9: there is nothing that a[*] stands for"),
        (f"{NESTED} body b {{}} {'}' * 9}", "more than 8 repeats inside each other"),
    ],
)
def test_a_mistake_is_told_once_at_its_place(text: str, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert len(caught.value.problems) == 1
    assert message in str(caught.value)


def test_as_many_statements_as_a_model_may_have() -> None:
    text = f"repeat i in 1..{MAX_STATEMENTS} {{ horizon i }}"
    assert len(parse(text).statements) == MAX_STATEMENTS
