"""Section 7 from end to end: behaviours found, assumptions that fail, cuts, languages."""

from itertools import combinations

import numpy as np
import pytest

from dyverse.abstraction.behaviours.behaviour import Cycle, Equilibrium, derive
from dyverse.abstraction.behaviours.splitting import prove, refine
from dyverse.abstraction.evidence.classify import classify
from dyverse.abstraction.evidence.verdict import Converges, Repeats
from dyverse.abstraction.language.parse import parse_expression
from dyverse.abstraction.omega.decide import accepts, are_equivalent
from dyverse.abstraction.survey.assumptions import Track, separate, violations
from dyverse.abstraction.survey.survey import Survey, survey
from dyverse.automaton.written.writing import automaton, location
from tests.abstraction.systems import drilling, rings, van_der_pol


def check_languages(found: Survey) -> None:
    """All languages differ, and each is what a refined automaton accepts."""
    languages = [derive(found.lts, behaviour) for behaviour in found.behaviours]
    assert not any(are_equivalent(one, other) for one, other in combinations(languages, 2))
    assert all(proof.difference is None for proof in prove(refine(found.lts, found.behaviours)))


@pytest.fixture(scope="module")
def stick_slip() -> Survey:
    return survey(drilling(6000, 55_000, "paper"), until=300)


def test_the_drillstring_at_55_kn_has_two_equilibria_in_slip(stick_slip: Survey) -> None:
    (violation,) = stick_slip.violations
    assert (violation.case, violation.locations) == (1, ("slip_plus",))
    assert "several equilibria in one location" in str(violation)
    (cut,) = stick_slip.separated.cuts
    assert (cut.location, cut.variable) == ("slip_plus", "x3")
    assert 0.671 < cut.level < 3.363


def test_its_four_behaviours_have_languages_of_their_own(stick_slip: Survey) -> None:
    places = [b.location for b in stick_slip.behaviours if isinstance(b, Equilibrium)]
    assert places == ["slip_plus_1", "slip_plus_2", "stick"]
    assert isinstance(stick_slip.behaviours[-1], Cycle)
    assert stick_slip.behaviour == stick_slip.behaviours[-1]
    check_languages(stick_slip)
    slipping = parse_expression("[[b[ε+d(ef)*]+c(ε+d)]a]*(bdefa)^ω")
    assert are_equivalent(derive(stick_slip.lts, stick_slip.behaviours[-1]), slipping)


def test_the_run_of_the_cut_automaton_is_in_the_language_found(stick_slip: Survey) -> None:
    verdict, _ = classify(stick_slip.separated.automaton, until=300)
    assert isinstance(verdict, Repeats)
    accepted = [accepts(derive(stick_slip.lts, b), verdict.word) for b in stick_slip.behaviours]
    assert accepted == [False, False, False, True]


def test_where_nothing_fails_nothing_is_cut() -> None:
    found = survey(drilling(6000, 45_000, "paper"), until=300)
    assert not found.violations
    assert not found.separated.cuts
    (only,) = found.behaviours
    assert found.behaviour == only == Equilibrium("slip_plus")
    turning = parse_expression("[(b+c)(ε+d)a]*bd")
    assert are_equivalent(derive(found.lts, only), turning)
    assert isinstance(found.verdict, Converges)


def test_an_equilibrium_and_an_orbit_in_one_location_are_told_apart() -> None:
    found = survey(van_der_pol(), until=60)
    assert [violation.case for violation in found.violations] == [2]
    assert len(found.separated.cuts) == 1
    assert found.separated.left == ()
    check_languages(found)


def test_two_orbits_in_one_location_are_told_apart() -> None:
    found = survey(rings(), until=40, box=((-4.0, 4.0), (-4.0, 4.0)), starts=1)
    assert [violation.case for violation in found.violations] == [2, 3]
    assert len(found.orbits) == 2
    assert found.separated.left == ()
    check_languages(found)


def test_two_orbits_through_the_same_locations_are_told_apart() -> None:
    found = survey(rings(cut=True), until=40, box=((-4.0, 4.0), (-4.0, 4.0)), starts=1)
    assert [violation.case for violation in found.violations] == [4]
    assert found.separated.left == ()
    assert all(isinstance(behaviour, Cycle) for behaviour in found.behaviours[-2:])
    check_languages(found)


def ring(name: str, radius: float, place: str = "q", *, jumps: bool = False) -> Track:
    angles = np.linspace(0, 2 * np.pi, 200)
    rows = radius * np.column_stack((np.cos(angles), np.sin(angles)))
    return Track(name, True, ((place, rows),), jumps=jumps)


def test_three_rings_and_their_middle_need_few_cuts() -> None:
    model = automaton(variables="x y", locations=[location("q")], initial=("q", {}))
    tracks = [ring(f"ring {r}", r) for r in (1, 2, 3)]
    tracks.append(Track("middle", False, (("q", np.zeros((1, 2))),)))
    assert [violation.case for violation in violations(tracks)] == [2, 3]
    found = separate(model, tracks)
    assert found.left == ()
    assert len(found.cuts) <= 3


def test_equal_tracks_cannot_be_told_apart() -> None:
    model = automaton(variables="x y", locations=[location("q")], initial=("q", {}))
    twins = [Track(name, False, (("q", np.ones((1, 2))),)) for name in ("one", "other")]
    found = separate(model, twins)
    assert found.cuts == ()
    assert [violation.case for violation in found.left] == [1]
