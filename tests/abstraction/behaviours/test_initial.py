import pytest

from dyverse.abstraction.behaviours.behaviour import derive
from dyverse.abstraction.behaviours.discontinuous import BEHAVIOURS, Rules, discontinuous_lts
from dyverse.abstraction.behaviours.initial import initial_abstraction
from dyverse.abstraction.omega.decide import are_equivalent
from dyverse.abstraction.omega.lts import Step
from dyverse.automaton.written.writing import automaton, edge, location
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.bodies.read import parse_world
from dyverse.errors import ModelError
from dyverse.generation.automaton import generate
from dyverse.generation.skeleton.counts import counted
from dyverse.text.examples import example_text
from tests.catalogue import CATALOGUE, bouncing_ball, square_root, thermostat

BAND = "s <= delta and s >= -delta"


def relay(rules: Rules) -> WrittenAutomaton:
    """A mass on a belt, as a system with one surface of discontinuity, s = 0."""
    stuck = f"{BAND} and u <= 1 and u >= -1"
    pulled_up, pulled_down = f"{BAND} and u > 1", f"{BAND} and u < -1"
    edges = [
        *(edge(f"q{n}", "q3", stuck, {"s": 0}, action="a") for n in (1, 2, 4, 5)),
        edge("q3", "q5", pulled_up, action="b"),
        edge("q3", "q4", pulled_down, action="c"),
        edge("q5", "q1", "s > delta", action="d"),
        edge("q4", "q2", "s < -delta", action="d"),
    ]
    if rules == "complete":
        edges += [
            edge("q1", "q4", pulled_down, action="c"),
            edge("q2", "q5", pulled_up, action="b"),
        ]
    return automaton(
        name="relay",
        variables="s u",
        parameters={"delta": 1e-6},
        locations=[location(f"q{n}", {"u": "-s"}) for n in range(1, 6)],
        edges=edges,
        initial=("q3", {}),
    )


@pytest.mark.parametrize("rules", ["paper", "complete"])
def test_one_surface_of_discontinuity_gives_figure_3(rules: Rules) -> None:
    system = initial_abstraction(relay(rules), letters="actions").lts
    figure = discontinuous_lts(rules=rules)
    assert set(system.steps) == set(figure.steps)
    assert set(system.locations) == set(figure.locations)
    assert system.initial == figure.initial
    assert all(are_equivalent(derive(system, b), derive(figure, b)) for b in BEHAVIOURS)


def test_each_pair_of_guard_and_reset_has_a_letter() -> None:
    made = initial_abstraction(relay("paper"))
    assert made.lts.alphabet == ("a", "b", "c", "d", "e")  # the paper joins d and e
    assert {step.letter for step in made.lts.steps if step.target == "q3"} == {"a"}
    assert list(map(str, made.meanings[-2:])) == ["d: s > delta", "e: s < -delta"]


def test_letters_are_shown_with_guard_and_reset() -> None:
    made = initial_abstraction(bouncing_ball())
    assert list(map(str, made.meanings)) == ["a: y <= 0 and v < 0, v := -e * v"]
    assert made.lts.steps == (Step("fall", "a", "fall"),)


def test_actions_can_be_letters() -> None:
    made = initial_abstraction(thermostat(), letters="actions")
    assert made.lts.steps == (Step("on", "off", "off"), Step("off", "on", "on"))


def test_the_order_of_assignments_makes_no_letter() -> None:
    edges = [
        edge("p", "q", "x >= 1", {"x": 0, "y": 1}),
        edge("q", "p", "x >= 1", {"y": 1, "x": 0}),
    ]
    made = automaton(
        variables="x y",
        locations=[location("p", {"x": 1}), location("q", {"x": 1})],
        edges=edges,
        initial=("p", {}),
    )
    assert initial_abstraction(made).lts.alphabet == ("a",)


def test_a_computation_node_is_a_location() -> None:
    made = initial_abstraction(square_root())
    assert made.lts.locations == ("wait", "done", "heron")
    assert made.lts.steps == (Step("wait", "a", "heron"), Step("heron", "b", "done"))


def test_letters_do_not_run_out() -> None:
    edges = [edge("p", "p", f"x >= {n}") for n in range(60)]
    made = automaton(variables="x", locations=[location("p")], edges=edges, initial=("p", {}))
    letters = initial_abstraction(made).lts.alphabet
    assert letters[24:28] == ("y", "z", "a1", "b1")
    assert len(set(letters)) == 60


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_automaton_of_the_catalogue_has_an_abstraction(name: str) -> None:
    made = CATALOGUE[name].make()
    system = initial_abstraction(made).lts
    assert system.initial == (made.initial.location,)
    assert len(system.steps) <= len(made.edges)


@pytest.mark.parametrize(("example", "edges"), [("balls-2", 12), ("balls-3", 531)])
def test_rigid_bodies_are_enumerated(example: str, edges: int) -> None:
    """As many steps as the closed formula counts edges, and a node is one location."""
    automaton = generate(parse_world(example_text(example)))
    found = initial_abstraction(automaton, letters="pairs")
    size = counted(automaton.skeleton)
    assert len(found.lts.steps) == size.edges == edges
    nodes = size.contact_nodes + size.impact_nodes
    assert len(found.lts.locations) == size.dynamical_locations + nodes
    pairs = {(edge.guard, edge.reset) for edge in automaton.skeleton.edges()}
    assert len(found.lts.alphabet) == len(pairs)


def test_rigid_bodies_that_are_too_many_say_so() -> None:
    automaton = generate(parse_world(example_text("balls-3")))
    with pytest.raises(ModelError, match="more than 100 edges"):
        initial_abstraction(automaton, most=100)
