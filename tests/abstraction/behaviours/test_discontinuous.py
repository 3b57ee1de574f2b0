"""Table 1 of the paper, derived from the transition system and proved equal."""

import json
from pathlib import Path

import pytest

from dyverse.abstraction.behaviours.behaviour import Behaviour, derive
from dyverse.abstraction.behaviours.discontinuous import (
    BEHAVIOURS,
    CROSSINGS,
    LETTERS,
    LOCATIONS,
    discontinuous_lts,
)
from dyverse.abstraction.language.expression import Expression
from dyverse.abstraction.language.parse import parse_expression
from dyverse.abstraction.language.printing import expression_text
from dyverse.abstraction.language.word import lasso
from dyverse.abstraction.omega.automata import recogniser
from dyverse.abstraction.omega.decide import are_equivalent, distinguish, is_included
from tests.abstraction.meaning import contains
from tests.abstraction.ranks import included_by_ranks

TABLE: dict[str, dict[str, str]] = json.loads(
    (Path(__file__).parent / "table1.json").read_text("utf-8")
)["table"]
ENTRIES = [(behaviour, start) for behaviour in BEHAVIOURS for start in LOCATIONS]


def derived(behaviour: Behaviour, start: str) -> Expression:
    return derive(discontinuous_lts(rules="paper", initial=(start,)), behaviour)


def printed(behaviour: Behaviour, start: str) -> Expression:
    return parse_expression(TABLE[str(behaviour)][start], alphabet=LETTERS)


def test_the_table_has_thirty_entries() -> None:
    assert len(ENTRIES) == 30
    assert {name: set(row) for name, row in TABLE.items()} == {
        str(behaviour): set(LOCATIONS) for behaviour in BEHAVIOURS
    }


@pytest.mark.parametrize(("behaviour", "start"), ENTRIES, ids=str)
def test_the_entry_of_table_1_follows_from_the_system(behaviour: Behaviour, start: str) -> None:
    assert distinguish(derived(behaviour, start), printed(behaviour, start)) is None


@pytest.mark.parametrize(("behaviour", "start"), ENTRIES[15:], ids=str)
def test_infinite_entries_are_equal_by_ranks_too(behaviour: Behaviour, start: str) -> None:
    one, two = recogniser(derived(behaviour, start)), recogniser(printed(behaviour, start))
    assert included_by_ranks(one, two)
    assert included_by_ranks(two, one)


def test_different_entries_of_a_column_differ() -> None:
    for start in LOCATIONS:
        column = [derived(behaviour, start) for behaviour in BEHAVIOURS]
        for n, one in enumerate(column):
            assert not any(are_equivalent(one, other) for other in column[:n])


def test_expressions_come_out_as_short_as_the_paper_writes_them() -> None:
    same = [expression_text(derived(b, q)) == TABLE[str(b)][q] for b, q in ENTRIES]
    assert sum(same) == 28


def test_chatter_belongs_to_no_behaviour() -> None:
    for behaviour in BEHAVIOURS:
        assert not contains(derived(behaviour, "q3"), lasso("", "ba"))


def test_the_default_rules_let_runs_cross_the_surface() -> None:
    complete, paper = discontinuous_lts(), discontinuous_lts(rules="paper")
    assert set(complete.steps) - set(paper.steps) == set(CROSSINGS)
    assert contains(derive(complete, BEHAVIOURS[1]), tuple("bdcd"))
    assert not contains(derive(paper, BEHAVIOURS[1]), tuple("bdcd"))


def test_words_of_the_paper_are_words_of_the_default_rules() -> None:
    complete, paper = discontinuous_lts(), discontinuous_lts(rules="paper")
    for behaviour in BEHAVIOURS:
        assert is_included(derive(paper, behaviour), derive(complete, behaviour))
