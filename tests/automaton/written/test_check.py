import re

import pytest

from dyverse.automaton.node import NodePlace
from dyverse.automaton.written.writing import automaton, edge, location, node
from dyverse.automaton.written.written import WrittenAutomaton, WrittenEdge, WrittenLocation
from dyverse.errors import ModelError


def build(
    *,
    variables: str = "temp clock",
    rates: dict[str, str | float] | None = None,
    invariant: str = "true",
    edges: list[WrittenEdge] | None = None,
    locations: list[WrittenLocation] | None = None,
    initial: tuple[str, dict[str, float]] = ("on", {}),
    high: float = 22.0,
) -> WrittenAutomaton:
    """A right automaton, unless told otherwise."""
    return automaton(
        name="heater",
        variables=variables,
        parameters={"high": high},
        locations=locations or [location("on", rates or {}, invariant=invariant), location("off")],
        edges=edges or [],
        initial=initial,
    )


def complaint(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text))


def test_unknown_locations_are_named_with_the_nearest() -> None:
    with pytest.raises(ModelError, match=complaint("unknown location 'of'; did you mean 'off'?")):
        build(edges=[edge("on", "of")])
    with pytest.raises(ModelError, match=complaint("edge onn -> off: unknown location 'onn'")):
        build(edges=[edge("onn", "off")])
    with pytest.raises(ModelError, match="initial: unknown location 'start'"):
        build(initial=("start", {}))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tmp > 1", "unknown name 'tmp'; did you mean 'temp'?"),
        ("sine(temp) > 1", "unknown function 'sine'"),
        ("max(temp) > 1", "max takes 2 arguments, not 1"),
        ("not (temp < 1 and hihg > 2)", "unknown name 'hihg'; did you mean 'high'?"),
    ],
)
def test_terms_are_checked_in_guards_and_invariants(text: str, message: str) -> None:
    with pytest.raises(ModelError, match=complaint(f"heater: location 'on': {message}")):
        build(invariant=text)
    with pytest.raises(ModelError, match=complaint(f"heater: edge on -> off: {message}")):
        build(edges=[edge("on", "off", text)])


def test_only_variables_are_assigned() -> None:
    with pytest.raises(ModelError, match="unknown variable 'tempp'; did you mean 'temp'"):
        build(rates={"tempp": 1})
    with pytest.raises(ModelError, match="edge on -> off: unknown variable 'high'"):
        build(edges=[edge("on", "off", "true", {"high": "temp"})])
    with pytest.raises(ModelError, match="initial: unknown variable 'clok'; did you mean 'clock'"):
        build(initial=("on", {"clok": 1.0}))


def test_names_are_used_once() -> None:
    with pytest.raises(ModelError, match="name 'temp' is used twice"):
        build(variables="temp temp")
    with pytest.raises(ModelError, match="name 'high' is used twice"):
        build(variables="temp clock high")
    with pytest.raises(ModelError, match="name 't' is used twice"):
        build(variables="temp clock t")
    with pytest.raises(ModelError, match="location or node 'on' is used twice"):
        build(locations=[location("on"), location("on")])


def test_numbers_are_finite() -> None:
    with pytest.raises(ModelError, match="parameter: 'high' is inf"):
        build(high=float("inf"))
    with pytest.raises(ModelError, match="initial: 'temp' is nan"):
        build(initial=("on", {"temp": float("nan")}))


def test_all_problems_are_reported_together() -> None:
    with pytest.raises(ModelError) as caught:
        build(rates={"x": "y"}, edges=[edge("on", "nowhere")], initial=("moon", {}))
    assert len(caught.value.problems) == 4


def test_nodes_are_checked_inside() -> None:
    wrong = node(
        "wrong",
        local="guess temp",
        steps={"one": {"gess": "guess"}, "two": {}},
        converged="gues > 0",
        residual="r",
        exit={"guess": 1},
        max_sweeps=0,
    )
    with pytest.raises(ModelError) as caught:
        automaton(variables="temp", locations=[location("on")], nodes=[wrong], initial=("on", {}))
    assert [problem.message for problem in caught.value.problems] == [
        "node 'wrong': no edge leaves it",
        "node 'wrong': max_sweeps must be at least 1, not 0",
        "node 'wrong': name 'temp' is used twice",
        "node 'wrong': local variable 'guess' has no initial guess",
        "node 'wrong': local variable 'temp' has no initial guess",
        "node 'wrong', step 'one': unknown variable 'gess'; did you mean 'guess'?",
        "node 'wrong', step 'two': give either assignments or a function",
        "node 'wrong', converged: unknown name 'gues'; did you mean 'guess'?",
        "node 'wrong', residual: unknown name 'r'",
        "node 'wrong', exit: unknown variable 'guess'",
    ]


def test_edges_meet_nodes_at_entrance_and_exit_only() -> None:
    inside = WrittenEdge(source="on", target=NodePlace("nod", "1"))
    with pytest.raises(ModelError, match=r"unknown node 'nod'\n.*at 'en' .* at 'ex', not at '1'"):
        build(edges=[inside])
