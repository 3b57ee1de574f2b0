"""What people are told of the last state: bodies in one table, variables of automata in another."""

from pathlib import Path

from tests.cli.conftest import Invoke

PUSHED = """\
body ball { sphere radius 0.1  mass 2 }
force ball (hand.push, 0, 0)
automaton hand { real push = 4  clock c  location l initial l  edge l -> l { when c >= 1
  do push := 0, c := -9 } }
system hand
horizon 2
"""
NAMED = """\
automaton car { real vx = 3  location l initial l }
automaton other { clock c  location l initial l }
system car || other
horizon 2
"""


def last_table(text: str) -> list[list[str]]:
    rows = [line.split() for line in text.splitlines()]
    start = next(i for i, row in enumerate(rows) if row[:2] == ["variable", "at"])
    return [row for row in rows[start + 2 :] if row]


def test_bodies_and_automata_have_a_table_each(invoke: Invoke) -> None:
    """2 m/s² for 1 s, and then 2 m/s."""
    Path("pushed.drbt").write_text(PUSHED, encoding="utf-8")
    told = invoke("simulate", "pushed.drbt").stdout
    row = next(line.split() for line in told.splitlines() if line.split()[:1] == ["ball"])
    assert row == ["ball", "3", "0", "0", "2", "0", "0"]
    assert last_table(told) == [["hand.push", "0"], ["hand.c", "-8"]]


def test_an_automaton_with_a_variable_vx_is_no_body(invoke: Invoke) -> None:
    Path("named.drbt").write_text(NAMED, encoding="utf-8")
    told = invoke("simulate", "named.drbt").stdout
    assert "body" not in told
    assert last_table(told) == [["car.vx", "3"], ["other.c", "2"]]
