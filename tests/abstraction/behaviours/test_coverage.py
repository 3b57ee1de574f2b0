from hypothesis import given, settings

from dyverse.abstraction.behaviours.behaviour import Cycle, derive
from dyverse.abstraction.behaviours.coverage import coverage, coverage_text
from dyverse.abstraction.behaviours.discontinuous import BEHAVIOURS, CROSSINGS, discontinuous_lts
from dyverse.abstraction.behaviours.splitting import refine
from dyverse.abstraction.omega.decide import accepts
from dyverse.abstraction.omega.infinity import simple_cycles
from dyverse.abstraction.omega.lts import Lts, infinity_set
from tests.abstraction.strategies import systems

REFINED = refine(discontinuous_lts(rules="paper"), BEHAVIOURS)
REPORT = coverage(REFINED, complete=discontinuous_lts())


def test_nineteen_infinity_sets_and_three_names() -> None:
    assert len(REPORT.visited) == 19
    assert len(REPORT.unnamed) == 16
    named = [item.names for item in REPORT.visited if item.names]
    assert named == [("slip+ for ever",), ("slip- for ever",), ("alternating",)]


def test_examples_visit_what_they_stand_for() -> None:
    for item in REPORT.visited:
        assert infinity_set(REFINED.lts, item.example) == item.locations


def test_words_may_stop_where_no_behaviour_has_a_name() -> None:
    assert [(item.location, item.example) for item in REPORT.stopped] == [
        ("q4", ("c",)),
        ("q5", ("b",)),
    ]


def test_missing_crossings_and_the_words_that_run_into_them() -> None:
    assert tuple(item.missing for item in REPORT.blocked) == CROSSINGS
    assert [item.example for item in REPORT.blocked] == [("b", "d"), ("c", "d")]


def test_the_default_rules_block_nothing() -> None:
    refined = refine(discontinuous_lts(), BEHAVIOURS)
    assert coverage(refined, complete=discontinuous_lts()).blocked == ()


def test_the_report_reads() -> None:
    text = coverage_text(REPORT)
    assert text.startswith("19 infinity sets, 3 with a name\n")
    assert "  {q3 q5} (ba)^ω: unclassified\n" in text
    assert "words that stop in q4 are unclassified, e.g. c\n" in text
    assert "no step q1 –c→ q4: a run can be stuck after bd\n" in text


@settings(max_examples=60, deadline=None)
@given(systems(deterministic=True))
def test_an_example_has_just_the_names_whose_languages_have_it(system: Lts) -> None:
    cycles = [Cycle(walk, f"walk {n}") for n, walk in enumerate(list(simple_cycles(system))[:3])]
    refined = refine(system, cycles)
    for item in coverage(refined).visited:
        assert infinity_set(refined.lts, item.example) == item.locations
        named = [str(c) for c in cycles if accepts(derive(system, c), item.example)]
        assert list(item.names) == named
