"""Models with choices: drawn in C as `simulate` draws them, by the same seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dyverse.automaton.interface import Array
from dyverse.bodies.world import World
from dyverse.exporters.c.model import Exported, exported
from dyverse.generation.model import Model
from dyverse.simulation.choice import Choice, Priority, Seeded
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate
from dyverse.text.examples import example_text
from tests.exporters.c.building import in_c, program, table
from tests.uppaal.sample_models import written

WALK = """
automaton walk {
  clock c
  int left, up, right
  location on { invariant c <= 0.1 }
  initial on
  edge on -> on { when c >= 0.1  do c := 0, left := left + 1 }
  edge on -> on { when c >= 0.1  do c := 0, up := up + 1 }
  edge on -> on { when c >= 0.1  do c := 0, right := right + 1 }
}
automaton other {
  clock c
  int odd, even
  location on { invariant c <= 0.3 }
  initial on
  edge on -> on { when c >= 0.3  do c := 0, odd := odd + walk.left }
  edge on -> on { when c >= 0.3  do c := 0, even := even + walk.up }
}
system walk || other
"""
UNTIL = 20.0
SEEDS = (0, 7, 2**31 - 1, 2**40 + 3)


def _end(model: Model, choice: Choice) -> Array:
    options = Options(solver="native", choice=choice)
    return simulate(model.automaton(), until=UNTIL, options=options).end.values


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> tuple[Model, Exported, Path]:
    """Two automata that choose, and the program of them."""
    model, found = in_c(WALK)
    return model, found, program(found, tmp_path_factory.mktemp("walk"))


def test_a_seed_draws_the_run_that_simulate_draws(walk: tuple[Model, Exported, Path]) -> None:
    model, _, run = walk
    ends = []
    for seed in SEEDS:
        rows = table(run, repr(UNTIL), "0.7", f"seed={seed}").rows
        ends.append(rows[-1, 1:].tolist())
        assert ends[-1] == pytest.approx(_end(model, Seeded(seed)), abs=1e-9)
    assert len({tuple(np.round(end, 3)) for end in ends}) == len(SEEDS)


def test_without_a_seed_the_first_in_order_is_taken(walk: tuple[Model, Exported, Path]) -> None:
    model, found, run = walk
    last = table(run, repr(UNTIL), repr(UNTIL)).rows[-1, 1:]
    assert last == pytest.approx(_end(model, Priority()), abs=1e-9)
    assert found.settings[-1].name == "seed"


@pytest.mark.parametrize("seed", ["1.5", "-2", "1e17", "nan"])
def test_seeds_that_are_none_are_refused(walk: tuple[Model, Exported, Path], seed: str) -> None:
    made = table(walk[2], "1", f"seed={seed}")
    assert made.code == 1
    assert "seed" in made.said


def test_branches_are_drawn_by_their_weights(tmp_path: Path) -> None:
    text = """
    clock x; int few, many;
    process P() {
        state a { x <= 1 };
        branchpoint B;
        init a;
        trans a -> B { guard x >= 1; assign x = 0; },
            B -> a { assign few = few + 1; probability 1; },
            B -> a { assign many = many + 1; probability 5; };
    }
    system P;
    """
    network = written(text).network
    found = exported("model", network, world=World())
    last = table(program(found, tmp_path), "200.5", "200.5", "seed=1").rows[-1, 1:]
    ours = simulate(network, until=200.5, options=Options(solver="native", choice=Seeded(1)))
    assert last == pytest.approx(ours.end.values, abs=1e-9)
    assert ours.final["many"] > 3 * ours.final["few"] > 0


@pytest.mark.parametrize(("name", "has"), [("bouncing-ball", False), ("gear", True)])
def test_only_models_with_choices_have_a_seed(name: str, has: bool) -> None:
    names = [setting.name for setting in in_c(example_text(name))[1].settings]
    assert ("seed" in names) == has


def test_a_seed_is_called_otherwise_where_the_name_is_taken() -> None:
    text = WALK.replace("0.3", "seed").replace(
        "automaton walk", "parameter seed = 0.3\nautomaton walk"
    )
    names = [setting.name for setting in in_c(text)[1].settings]
    assert names == ["seed", "seed_"]
