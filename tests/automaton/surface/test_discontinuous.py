import numpy as np
import pytest

from dyverse.abstraction.behaviours.discontinuous import discontinuous_lts
from dyverse.abstraction.behaviours.initial import initial_abstraction
from dyverse.abstraction.omega.lts import Step
from dyverse.automaton.interface import State
from dyverse.automaton.jump import jump
from dyverse.automaton.run import Stop
from dyverse.automaton.surface.composed import composed_automaton
from dyverse.automaton.surface.discontinuous import (
    LOCATIONS,
    DiscontinuousSystem,
    Rules,
    discontinuous_automaton,
)
from dyverse.automaton.written.writing import assignments, term
from dyverse.automaton.written.written import Start, WrittenAutomaton
from dyverse.errors import ModelError
from dyverse.expr.printing import term_text
from dyverse.expr.value import value
from dyverse.simulation.simulate import simulate
from tests.abstraction.systems import drilling, drillstring, relay

PLACES = ("q1", "q2", "q3", "q4", "q5")
FIGURE = dict(zip(LOCATIONS, PLACES, strict=True))


def lag(**changes: object) -> DiscontinuousSystem:
    """x' = 1 - 2 sign(x + 2 y), y' = -y."""
    given = {
        "variables": ("x", "y"),
        "surface": term("x + 2*y"),
        "above": assignments({"x": "-1", "y": "-y"}),
        "below": assignments({"x": "3", "y": "-y"}),
        "initial": Start("slip_plus", (("x", 1.0),)),
    }
    return DiscontinuousSystem(**(given | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("rules", ["paper", "complete"])
def test_the_automaton_is_figure_3_of_the_paper(rules: Rules) -> None:
    steps = initial_abstraction(drilling(6000, 45_000, rules), letters="actions").lts.steps
    named = {Step(FIGURE[s.source], s.letter, FIGURE[s.target]) for s in steps}
    assert named == set(discontinuous_lts(rules=rules).steps)


def test_the_control_keeps_the_state_on_the_surface() -> None:
    """∇s·f = x' + 2 y' = 0 at u = (3 - 1 - 4 y)/(3 + 1)."""
    system = lag()
    known = {"x": 0.4, "y": -0.2}
    assert value(system.equivalent_control, known) == pytest.approx((2 + 0.8) / 4)
    rates = {rate.target: value(rate.value, known) for rate in system.rates["stick"]}
    assert rates["x"] + 2 * rates["y"] == pytest.approx(0)


def test_the_control_of_a_moving_surface_counts_its_speed() -> None:
    system = lag(surface=term("x - t"))
    known = {"x": 0.0, "y": 0.0, "t": 0.0}
    assert value(system.equivalent_control, known) == pytest.approx(0)  # 1 + 2 u = 1


def test_the_derived_control_of_the_drillstring_is_the_one_given() -> None:
    given = drillstring(6000, 55_000)
    names = ("name", "variables", "parameters", "surface", "above", "below", "initial")
    derived = DiscontinuousSystem(**{name: getattr(given, name) for name in names})
    known = {**dict(given.parameters), "x1": 1.0, "x2": 5.0, "x3": 0.0}
    assert given.control is not None
    assert value(derived.equivalent_control, known) == pytest.approx(value(given.control, known))


def test_the_reset_moves_one_variable_onto_the_surface() -> None:
    system = lag(along="y")
    automaton = discontinuous_automaton(system)
    edge = next(edge for edge in automaton.edges if edge.action == "a")
    assert [assignment.target for assignment in edge.reset] == ["y"]
    after = jump(automaton, edge, State(0.0, edge.source, np.array([0.5, -0.2499])))
    assert value(system.surface, dict(zip("xy", after.values, strict=True))) == pytest.approx(0)


def test_a_surface_that_is_a_variable_is_reset_to_zero() -> None:
    edge = next(edge for edge in drilling(6000, 45_000).edges if edge.action == "a")
    assert term_text(edge.reset[0].value) == "0"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"surface": term("1")}, "depends on no variable"),
        ({"along": "z"}, "does not depend on 'z'"),
        ({"width": term("0")}, "must be positive"),
        ({"parameters": (("k", 1.0),), "limits": (("j", (0, 1)),)}, "unknown parameter 'j'"),
        ({"parameters": (("k", 2.0),), "limits": (("k", (0, 1)),)}, "outside its limits"),
    ],
)
def test_what_cannot_be_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        lag(**change)


def test_a_run_slides_along_the_surface_to_its_end() -> None:
    """From (1, 0) s falls as 1 - t; on the surface y' = -y."""
    run = simulate(discontinuous_automaton(lag(along="x")), until=3)
    assert [event.kind for event in run.events] == ["a"]
    assert run.events[0].time == pytest.approx(1 - 1e-6, abs=1e-9)
    assert run.final == pytest.approx({"x": 0, "y": 0}, abs=1e-9)


def falling(rules: Rules) -> WrittenAutomaton:
    """The string turns so fast that it passes zero: u = -1.5 in the band."""
    system = drillstring(0, 10_000)
    most = 10_000 * dict(system.parameters)["R_b"] * dict(system.parameters)["mu_s"]
    twist = -1.5 * most / dict(system.parameters)["k_t"]
    start = Start("slip_plus", (("x2", twist), ("x3", 0.01)))
    fields = {name: getattr(system, name) for name in DiscontinuousSystem.__dataclass_fields__}
    return discontinuous_automaton(DiscontinuousSystem(**{**fields, "initial": start}), rules=rules)


def test_a_run_crosses_the_surface() -> None:
    run = simulate(falling("complete"), until=0.2)
    assert [event.kind for event in run.events][:2] == ["c", "d"]
    assert run.end.location == "slip_minus"


def test_by_the_rules_of_the_paper_it_is_stuck_there() -> None:
    run = simulate(falling("paper"), until=0.2)
    assert run.stop == Stop.TIMELOCK
    assert run.events == ()


def masses(coupling: float) -> WrittenAutomaton:
    """Two masses on a belt at speed 1, a spring between them."""

    def mass(n: int, other: int) -> DiscontinuousSystem:
        pull = f"(-x{n} + k*(x{other} - x{n}))"
        return DiscontinuousSystem(
            name=f"mass{n}",
            variables=(f"x{n}", f"v{n}"),
            parameters=(("k", coupling),),
            surface=term(f"v{n} - 1"),
            along=f"v{n}",
            above=assignments({f"x{n}": f"v{n}", f"v{n}": f"{pull} - 1"}),
            below=assignments({f"x{n}": f"v{n}", f"v{n}": f"{pull} + 1"}),
            initial=Start("stick", ((f"x{n}", 0.2 * n), (f"v{n}", 1.0))),
        )

    return composed_automaton([mass(1, 2), mass(2, 1)])


def figured(location: str) -> tuple[str, ...]:
    """The locations of the figure that a location of a composition stands for."""
    return tuple(FIGURE[name] for name in location.split(","))


def test_a_composition_is_the_product() -> None:
    made = masses(0.0)
    assert len(made.locations) == 25
    assert len(made.edges) == 2 * 10 * 5
    assert {edge.action for edge in made.edges} == {f"{x}{n}" for x in "abcd" for n in (1, 2)}


def test_the_abstraction_of_a_composition_is_the_product_of_figures() -> None:
    found = {
        (figured(s.source), s.letter, figured(s.target))
        for s in initial_abstraction(masses(1.0), letters="actions").lts.steps
    }
    figure = discontinuous_lts().steps
    wanted = {((s.source, q), f"{s.letter}1", (s.target, q)) for s in figure for q in PLACES}
    wanted |= {((q, s.source), f"{s.letter}2", (q, s.target)) for s in figure for q in PLACES}
    assert found == wanted


def test_without_coupling_each_system_runs_as_if_alone() -> None:
    """Mass n sticks until x = 1 at t = 1 - 0.2 n, then is slowed by the belt's full friction."""
    run = simulate(masses(0.0), until=1.0)
    first = {event.kind: event.time for event in reversed(run.events)}
    assert first["c1"] == pytest.approx(0.8, abs=1e-9)
    assert first["c2"] == pytest.approx(0.6, abs=1e-9)
    assert run.end.location == "slip_minus,slip_minus"


def test_systems_must_not_share_variables() -> None:
    with pytest.raises(ModelError, match="variable 'x' is in 2 systems"):
        composed_automaton([lag(), lag()])


def test_systems_must_agree_on_parameters() -> None:
    one = lag(parameters=(("k", 1.0),))
    other = drillstring(6000, 45_000)
    changed = {name: getattr(other, name) for name in DiscontinuousSystem.__dataclass_fields__}
    two = DiscontinuousSystem(**{**changed, "parameters": (*other.parameters, ("k", 2.0))})
    with pytest.raises(ModelError, match="parameter 'k' is 1 in one system and 2 in another"):
        composed_automaton([one, two])


def test_a_surface_over_foreign_variables_needs_its_control() -> None:
    one = lag(surface=term("x + 2*y - x3"))
    with pytest.raises(ModelError, match="depends on 'x3' of another system"):
        composed_automaton([one, drillstring(6000, 45_000)])


def test_the_relay_slides_to_rest() -> None:
    """On s = x + v = 0 it is x' = -x."""
    run = simulate(relay(), until=12)
    assert [event.kind for event in run.events][-1] == "a"
    assert run.end.location == "stick"
    assert run.final["x"] == pytest.approx(0, abs=1e-3)
