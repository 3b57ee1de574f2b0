"""``dyverse falsify --never``: a behaviour of the long run that must not occur."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke

# A ball in a valley with two dips, pushed by u: which dip it settles in depends on u.
DIPS = """
parameter u = 0.5 in [-1, 1]
automaton ball {
  real x = 0, v
  location left { x' = v  v' = -v - 4*(x + 1)  invariant x <= 0 }
  location right { x' = v  v' = -v - 4*(x - 1)  invariant x >= 0 }
  location still { x' = v  v' = u - v  invariant t <= 1 }
  initial still
  edge still -> left { when t >= 1 and x <= 0 action l }
  edge still -> right { when t >= 1 and x > 0 action r }
  edge left -> right { when x >= 0 and v > 0 action r }
  edge right -> left { when x <= 0 and v < 0 action l }
}
horizon 40
"""


@pytest.fixture
def dips(tmp_path: Path) -> str:
    path = tmp_path / "dips.drbt"
    path.write_text(DIPS)
    return str(path)


def test_a_behaviour_that_can_occur(dips: str, invoke: Invoke) -> None:
    done = invoke("falsify", dips, "--never", "equilibrium in left", "--json")
    assert done.exit_code == 1
    answer = json.loads(done.stdout)
    assert answer["verdict"] == "unsafe"
    assert answer["witness"]["parameters"]["u"] <= 0  # at 0 it begins on the left
    assert answer["witness"]["command"].startswith("dyverse abstract")


def test_a_behaviour_that_does_not(dips: str, invoke: Invoke) -> None:
    given = ("--never", "equilibrium in left", "--range", "u=0.2:1", "--json")
    done = invoke("falsify", dips, *given)
    assert done.exit_code == 0
    assert json.loads(done.stdout)["verdict"] == "not_found"


def test_bodies_have_no_behaviours(invoke: Invoke) -> None:
    done = invoke("falsify", "example:three-balls", "--never", "equilibrium in x")
    assert done.exit_code == 2
    assert "one automaton with real variables" in done.stderr


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("equilibrium in lefd", "--never:1:16: unknown location 'lefd'; did you mean 'left'?"),
        ("rest in left", "'rest in left' is no behaviour"),
        ("left still for ever", "no edge leads from 'left' to 'still'"),
    ],
)
def test_a_behaviour_that_there_is_not_is_refused(
    dips: str, invoke: Invoke, name: str, message: str
) -> None:
    done = invoke("falsify", dips, "--never", name)
    assert done.exit_code == 2
    assert message in done.stderr
    assert name in done.stderr  # with a caret below


def test_a_cycle_may_begin_anywhere(dips: str, invoke: Invoke) -> None:
    done = invoke("falsify", dips, "--never", "right left for ever", "--range", "u=0.2:1", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["property"] == "never left right for ever"
