"""Sets of equilibria against what is known of them, point by point."""

import numpy as np
import pytest

from dyverse.abstraction.evidence.continuum import continuum
from dyverse.abstraction.portrait.field import Box, LocationField, stays
from dyverse.abstraction.survey.attractors import scattered
from dyverse.abstraction.survey.survey import survey
from dyverse.automaton.surface.discontinuous import DiscontinuousSystem, discontinuous_automaton
from dyverse.automaton.written.writing import assignments, automaton, location, term
from dyverse.automaton.written.written import Start, WrittenAutomaton
from dyverse.expr.value import holds
from dyverse.simulation.simulate import Options
from tests.abstraction.adversaries import block
from tests.abstraction.systems import drilling, flow

BOX: Box = ((-3.0, 3.0), (-2.0, 2.0))


def test_friction_holds_a_block_between_two_ends() -> None:
    found = continuum(LocationField(block(3.2), "stick"), BOX, np.zeros(2))
    assert found is not None
    assert found.free == ("x",)
    assert found.bounds[0] == pytest.approx((-0.5, 0.5), abs=1e-5)
    assert found.bounds[1] == (0, 0)
    assert found.width <= 1e-6
    assert str(found) == "a continuum of equilibria in stick, along x"


def test_inside_its_bounds_every_point_is_an_equilibrium_and_outside_none() -> None:
    """The second road: point by point."""
    field = LocationField(block(3.2), "stick")
    found = continuum(field, BOX, np.zeros(2))
    assert found is not None
    for x in np.linspace(-1.01, 0.97, 41):
        inside = found.bounds[0][0] < x < found.bounds[0][1]
        assert stays(field, np.array([x, 0.0])) == inside
        assert field.rate(np.array([x, 0.0])).tolist() == [0, 0]


def test_an_epidemic_is_over_where_nobody_is_infected() -> None:
    found = continuum(flow(s="-s*i", i="s*i - 0.5*i", invariant="s >= 0"), BOX, np.ones(2))
    assert found is not None
    assert found.free == ("s",)
    assert found.bounds[0] == pytest.approx((0, 3), abs=1e-4)
    assert found.bounds[1] == (0, 0)


def test_two_rates_that_are_one_leave_a_curve() -> None:
    """x' = 1 - x² - y² and z' = 0 · …: a circle in the plane of x and y."""
    field = flow(x="1 - x^2 - y^2", y="0*x")
    assert continuum(field, BOX, np.array([0.0, 0.5])) is None  # y stands still: two points
    circle = flow(x="1 - x^2 - y^2", y="2 - 2*x^2 - 2*y^2")
    assert continuum(circle, BOX, np.zeros(2)) is None  # x - y/2 is kept: two points on each leaf


@pytest.mark.parametrize(
    ("rates", "why"), [({"x": "y", "y": "-x"}, "one point"), ({"x": "1", "y": "x"}, "none")]
)
def test_points_are_no_continuum(rates: dict[str, str], why: str) -> None:
    assert continuum(flow(**rates), BOX, np.zeros(2)) is None, why


def test_guards_cut_a_set_short() -> None:
    found = continuum(flow(x="0*y", y="-y*x", leave="x >= 1"), BOX, np.array([0.0, 0.0]))
    assert found is None or found.free == ("y",)
    field = flow(x="-x*y", y="-x", leave="y >= 1")
    found = continuum(field, BOX, np.zeros(2))
    assert found is not None
    assert found.free == ("y",)
    assert found.bounds[1] == pytest.approx((-2, 1), abs=1e-4)


def test_a_run_into_a_set_has_its_behaviour() -> None:
    found = survey(block(3.2), until=60, options=Options(solver="native"))
    assert [str(held) for held in found.sets] == ["a continuum of equilibria in stick, along x"]
    assert str(found.behaviour) == "equilibrium in stick"
    assert found.points == ()


def test_a_band_is_not_a_continuum() -> None:
    """On the surface of a double integrator |x| ≤ 1e-6 counts as 0: that is one point."""
    above, below = (assignments({"x": "v", "v": f"-v {sign} 1"}) for sign in "-+")
    model = discontinuous_automaton(
        DiscontinuousSystem(
            variables=("x", "v"),
            surface=term("x"),
            above=above,
            below=below,
            initial=Start("slip_plus", (("x", 1.0),)),
        )
    )
    found = survey(model, until=60, options=Options(solver="native"))
    assert found.sets == ()
    assert [point.location for point in found.points] == ["stick"]
    assert str(found.behaviour) == "equilibrium in stick"


@pytest.mark.parametrize("model", [block(1.0), drilling(6000, 55_000)], ids=["block", "drill"])
def test_random_places_are_where_locations_can_be(model: WrittenAutomaton) -> None:
    box = ((-3.0, 3.0),) * len(model.variables)
    found = list(scattered(model, box, 20))
    assert len(found) == 20
    for state in found:
        assert holds(model.domain(state.location), model.observe(state))


def test_the_limit_of_a_run_is_found_wherever_it_is() -> None:
    """It grows from 1 to a million: far outside the box around the run, when that is sure."""
    model = automaton(
        variables="x y",
        locations=[location("on", {"x": "x*(1 - x/1e6)", "y": "-y"})],
        initial=("on", {"x": 1, "y": 1}),
    )
    found = survey(model, until=100, options=Options(solver="native"))
    assert found.behaviour is not None
    assert any(point.values[0] == pytest.approx(1e6) for point in found.points)
