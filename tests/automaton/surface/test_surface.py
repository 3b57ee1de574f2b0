"""Surfaces of any relative degree: who crosses, who slides, who is pushed off."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from dyverse.automaton.interface import Array
from dyverse.automaton.run import Run, Stop
from dyverse.automaton.surface.composed import composed_automaton
from dyverse.automaton.surface.discontinuous import DiscontinuousSystem, discontinuous_automaton
from dyverse.automaton.surface.surface import Rates, along, normal_of
from dyverse.automaton.written.writing import assignments, term
from dyverse.automaton.written.written import Start
from dyverse.errors import ModelError
from dyverse.expr.printing import term_text
from dyverse.expr.term import Term
from dyverse.expr.value import value
from dyverse.simulation.simulate import Options, simulate


def relay(
    chain: str, force: str, start: dict[str, float], place: str = "slip_plus", **more: object
) -> DiscontinuousSystem:
    """Integrators one after the other, the last under ``force`` - sign(s), and s the first."""
    names = chain.split()
    rates = dict(zip(names, (*names[1:], ""), strict=True))
    given = {
        "variables": tuple(names),
        "surface": term(names[0]),
        "above": assignments({**rates, names[-1]: f"{force} - 1"}),
        "below": assignments({**rates, names[-1]: f"{force} + 1"}),
        "initial": Start(place, tuple(start.items())),
    }
    return DiscontinuousSystem(**(given | more))  # type: ignore[arg-type]


def followed(system: DiscontinuousSystem, until: float) -> Run:
    return simulate(discontinuous_automaton(system), until=until, options=Options(solver="native"))


def word(run: Run) -> str:
    return "".join(event.kind for event in run.events)


@pytest.mark.parametrize(("chain", "degree"), [("x", 1), ("x v", 2), ("x v a", 3), ("x v a j", 4)])
def test_the_degree_is_the_number_of_integrators(chain: str, degree: int) -> None:
    system = relay(chain, "-2*x", {})
    assert system.normal.degree == degree
    assert value(system.equivalent_control, {"x": 0.1}) == pytest.approx(-0.2)


def test_the_degree_depends_on_the_numbers() -> None:
    """s' = v - k sign(s): the relay acts on s' unless k is zero."""
    for k, degree in ((1e-9, 1), (0.0, 2)):
        above, below = (
            assignments({"x": f"v {side} k", "v": f"0 {side} 1"}) for side in ("-", "+")
        )
        assert normal_of(term("x"), above, below, {"k": k}).degree == degree


def test_the_sliding_field_keeps_all_derivatives_that_are_zero() -> None:
    system = relay("x v", "-y", {}, variables=("x", "v", "y"))
    rates = {
        rate.target: value(rate.value, {"x": 0, "v": 0, "y": 0.4}) for rate in system.rates["stick"]
    }
    assert rates["v"] == pytest.approx(0)
    assert rates["x"] == 0


def test_a_double_integrator_goes_round_for_ever() -> None:
    """x'' = -sign(x) from (1, 0): a quarter takes √2, and nothing is lost."""
    run = followed(relay("x v", "0", {"x": 1.0}), 4 * 2**0.5)
    assert word(run) == "cdbd"
    assert run.final == pytest.approx({"x": 1, "v": 0}, abs=1e-5)


@pytest.mark.parametrize(
    "force", ["-0.3*v", "0.3*v", "0.2*v + 0.5", "x - 0.4*v - 0.3", "v*(1 + x) - v^2"]
)
def test_one_round_changes_the_speed_as_the_theory_says(force: str) -> None:
    """From (0, w): w + 2/3 w² (g₋/n₋² - g₊/n₊²), with a remainder of third order."""
    system = relay("x v", force, {})
    known = {"x": 0.0, "v": 0.0}
    sides = ((system.normal.below, system.below), (system.normal.above, system.above))
    below, above = (_curve(side, rates, known) for side, rates in sides)
    errors = [_round(system, w) - (w + 2 / 3 * w**2 * (below - above)) for w in (0.04, 0.02)]
    assert abs(errors[0]) < 10 * 0.04**3
    assert errors[1] == pytest.approx(errors[0] / 8, rel=0.2, abs=1e-7)


def _curve(side: Term, rates: Rates, known: dict[str, float]) -> float:
    """The third derivative of s by the square of the second, along one field."""
    return value(along(side, rates), known) / value(side, known) ** 2


def _round(system: DiscontinuousSystem, speed: float) -> float:
    """The speed with which a run from (0, w) is back above the surface, without a band."""
    state = np.array([0.0, speed])
    for rates, direction in ((system.above, -1), (system.below, 1)):
        state = _half(rates, direction, state)
    return float(state[1])


def _half(rates: Rates, direction: int, state: Array) -> Array:
    def rate(_: float, x: Array) -> list[float]:
        return [value(r.value, dict(zip("xv", x.tolist(), strict=True))) for r in rates]

    def crossing(_: float, x: Array) -> float:
        return float(x[0])

    crossing.terminal, crossing.direction = True, direction  # type: ignore[attr-defined]
    found = solve_ivp(rate, (0, 1), state, events=crossing, rtol=1e-11, atol=1e-14, max_step=1e-2)
    assert found.y_events is not None
    return np.asarray(found.y_events[0][0])


def test_a_damped_oscillation_about_the_surface_ends_on_it() -> None:
    run = followed(relay("x v", "-0.5*v", {"x": 1.0}), 60)
    assert run.end.location == "stick"
    assert run.final == {"x": 0, "v": 0}


@pytest.mark.parametrize("force", ["0", "0.2*v"])
def test_one_that_does_not_die_out_never_sticks(force: str) -> None:
    run = followed(relay("x v", force, {"x": 1e-3}), 20)
    assert "a" not in word(run)


def test_both_variables_are_set_onto_a_surface_of_degree_two() -> None:
    above, below = (assignments({"x": "v - y", "v": f"-v {n} 1", "y": "-y"}) for n in "-+")
    system = relay("x v", "0", {}, variables=("x", "v", "y"), above=above, below=below)
    edge = next(edge for edge in discontinuous_automaton(system).edges if edge.action == "a")
    after = {a.target: value(a.value, {"x": 1e-7, "v": 0.5001, "y": 0.5}) for a in edge.reset}
    assert after == pytest.approx({"x": 0, "v": 0.5})


def test_a_relay_of_degree_three_is_never_held() -> None:
    """G(s) = 1/(s (s² + s + 2)): it oscillates with about the period 2π/√2."""
    automaton = discontinuous_automaton(relay("x v a", "-a - 2*v", {"x": 1.0}))
    assert all(edge.target != "stick" for edge in automaton.edges)
    run = simulate(automaton, until=60, options=Options(solver="native"))
    ups = [event.time for event in run.events if event.kind == "b"]
    assert ups[-1] - ups[-2] == pytest.approx(2 * 3.14159 / 2**0.5, rel=0.01)


def outwards(place: str, x: float) -> DiscontinuousSystem:
    """x' = sign(x) - x/10: both sides push off."""
    return DiscontinuousSystem(
        variables=("x",),
        surface=term("x"),
        above=assignments({"x": "1 - x/10"}),
        below=assignments({"x": "-1 - x/10"}),
        initial=Start(place, (("x", x),)),
    )


def test_a_surface_that_repels_does_not_hold() -> None:
    assert followed(outwards("slip_plus", 1e-7), 5).end.location == "slip_plus"
    assert word(followed(outwards("slip_minus", -1e-7), 5)) == ""
    assert followed(outwards("stick", 0.0), 5).stop == Stop.TIMELOCK  # anything may happen


def test_nor_does_it_if_its_control_is_given() -> None:
    given = replace(outwards("slip_plus", 1e-7), control=term("x/10"))
    assert followed(given, 5).end.location == "slip_plus"
    assert followed(replace(given, initial=Start("stick")), 5).stop == Stop.TIMELOCK


def test_it_crosses_where_both_sides_point_upwards_whichever_is_faster() -> None:
    for faster, slower in (("2", "1"), ("1", "2")):
        system = DiscontinuousSystem(
            variables=("x",),
            surface=term("x"),
            above=assignments({"x": faster}),
            below=assignments({"x": slower}),
            initial=Start("slip_minus", (("x", -1.0),)),
        )
        assert word(followed(system, 2)) == "bd"
        assert word(followed(_upside_down(system), 2)) == "cd"


def _upside_down(system: DiscontinuousSystem) -> DiscontinuousSystem:
    above, below = (
        assignments({"x": f"-({term_text(rates[0].value)})"})
        for rates in (system.below, system.above)
    )
    return replace(system, above=above, below=below, initial=Start("slip_plus", (("x", 1.0),)))


def test_a_higher_derivative_must_not_need_another_system() -> None:
    one = relay("x v", "-w", {}, name="one")
    other = relay("y w", "-x", {}, name="other")
    with pytest.raises(ModelError, match="depends on 'w' of another system"):
        composed_automaton([one, other])
