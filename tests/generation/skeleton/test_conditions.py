"""A condition means the same in a guard and on numbers of many contacts."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from dyverse.expr.formula import formula_symbols
from dyverse.expr.value import holds
from dyverse.generation.skeleton import conditions
from dyverse.generation.skeleton.conditions import Condition
from dyverse.generation.skeleton.names import SIGNALS, signal_name

CONDITIONS = {n: c for n, c in vars(conditions).items() if isinstance(c, Condition)}


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_condition_holds_at_a_contact_where_it_holds_on_its_numbers(name: str) -> None:
    condition = CONDITIONS[name]
    asked = sorted({symbol.name for symbol in formula_symbols(condition.formula)})
    assert set(asked) <= set(SIGNALS)
    rows = list(product([-1.0, 0.0, 1.0], repeat=len(asked)))
    columns = dict(zip(asked, np.array(rows).T, strict=True))
    found = condition.on(columns)
    for row, truth in zip(rows, found.tolist(), strict=True):
        known = {signal_name(s, "a-b"): x for s, x in zip(asked, row, strict=True)}
        assert holds(condition.at("a-b"), known) is truth


@pytest.mark.parametrize(
    ("one", "other"),
    [("TOUCHING", "APART"), ("CLOSING", "OPEN"), ("PULLING", "PUSHING"), ("HELD", "TORN")],
)
def test_opposites_are_opposite(one: str, other: str) -> None:
    rng = np.random.default_rng(0)
    columns = {name: rng.integers(-1, 2, 500).astype(float) for name in SIGNALS}
    assert (CONDITIONS[one].on(columns) != CONDITIONS[other].on(columns)).all()
