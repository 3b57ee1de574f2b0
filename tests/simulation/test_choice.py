"""Who chooses, and when: an enabled edge may wait as long as time may pass."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dyverse.automaton.interface import Edge, State
from dyverse.automaton.network.component import Channel, Place, Variable
from dyverse.automaton.network.network import Network
from dyverse.automaton.network.writing import component, edge, network, place
from dyverse.automaton.run import Run, Stop
from dyverse.automaton.written.writing import automaton, location
from dyverse.automaton.written.writing import edge as written_edge
from dyverse.errors import ModelError, SolverError
from dyverse.simulation.choice import (
    Ask,
    Choice,
    First,
    Latest,
    Priority,
    Seeded,
    parse_choice,
)
from dyverse.simulation.simulate import Options, simulate

C = Variable("c", "clock")
N = Variable("n", "int")
SOLVERS = ("reference", "native")


def window(invariant: str = "c <= 5") -> Network:
    """An edge that may be taken from 1 s to 3 s."""
    leaving = edge("a", "b", "c >= 1 and c <= 3", action="go")
    places = [place("a", invariant=invariant), place("b")]
    return network(component("one", places, leaving), shared=(C,))


class Diary:
    """Waits whenever it may, and writes down when it was asked."""

    def __init__(self, *answers: int | None) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[float, int, bool]] = []

    def __call__(self, state: State, edges: tuple[Edge, ...], may_wait: bool) -> int | None:
        self.asked.append((round(state.time, 9), len(edges), may_wait))
        answer = self.answers.pop(0) if self.answers else None
        return answer if answer is not None or may_wait else 0


def run(made: Network, choice: Choice, solver: str = "reference", tick: float | None = None) -> Run:
    return simulate(made, until=10.0, options=Options(solver=solver, choice=choice, tick=tick))


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("choice", "time"), [(Priority(), 1.0), (Latest(), 3.0), (Seeded(5), 1.0)], ids=str
)
def test_an_edge_is_taken_at_once_or_as_late_as_can_be(
    choice: Choice, time: float, solver: str
) -> None:
    assert run(window(), choice, solver).times("go") == pytest.approx([time])


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("then", [Priority(), Latest()], ids=str)
def test_one_edge_first_and_then_by_the_rule(then: Priority | Latest, solver: str) -> None:
    """Of two ways at 1 s the second is taken, where by order the first would be."""
    ways = [edge("a", "a", "c >= 1 and n < 3", {"n": "n + 1"}, action=name) for name in "pq"]
    made = network(component("one", [place("a", invariant="c <= 2")], *ways), shared=(C, N))
    start = simulate(made, until=1.0, options=Options(choice=Latest())).end
    now = replace(start, memory=None)
    second = made.enabled(now)[1]
    options = Options(solver=solver, choice=First(second, then))
    told = [event.kind for event in simulate(made, now, until=1.0, options=options).events]
    assert told == (["q", "p", "p"] if then == Priority() else ["q"])


@pytest.mark.parametrize("solver", SOLVERS)
def test_who_waits_is_asked_again_when_a_guard_ends_and_loses_the_edge(solver: str) -> None:
    diary = Diary()
    ended = run(window(), Ask(diary), solver)
    assert diary.asked == [(1.0, 1, True), (3.0, 1, True)]
    assert ended.stop is Stop.TIMELOCK
    assert ended.end.time == pytest.approx(5.0)
    assert ended.events == ()


@pytest.mark.parametrize("solver", SOLVERS)
def test_at_the_end_of_an_invariant_the_last_edge_must_be_taken(solver: str) -> None:
    """There is no choice: one edge, and no time; so nobody is asked."""
    diary = Diary()
    ended = run(window("c <= 3"), Ask(diary), solver)
    assert diary.asked == [(1.0, 1, True)]
    assert ended.times("go") == pytest.approx([3.0])
    assert ended.events[0].remark == "one"
    assert run(window("c <= 2"), Latest(), solver).times("go") == pytest.approx([2.0])


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_answer_may_come_later(solver: str) -> None:
    diary = Diary(None, 0)
    taken = run(window(), Ask(diary), solver)
    assert taken.times("go") == pytest.approx([3.0])
    assert taken.events[0].remark == "one; 1 of 1 as asked"


def hurry(*, urgent: bool = False) -> Network:
    return network(
        component("one", "a b", edge("a", "b", "c >= 1", sync="go!", urgent=urgent)),
        component("two", "p q", edge("p", "q", "c >= 2", sync="go?")),
        shared=(C,),
    )


def urgent_channel() -> Network:
    return network(*hurry().components, shared=(C,), channels=(Channel("go", urgent=True),))


def placed(mark: Place) -> Network:
    return network(
        component(
            "one",
            [place("x"), mark, place("b")],
            edge("x", "a", "c >= 2"),
            edge("a", "b", sync="go!"),
        ),
        component("two", "p q", edge("p", "q", sync="go?")),
        shared=(C,),
    )


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    "made",
    [
        hurry(urgent=True),
        urgent_channel(),
        placed(place("a", urgent=True)),
        placed(place("a", committed=True)),
    ],
    ids=["edge", "channel", "urgent", "committed"],
)
def test_what_is_urgent_does_not_wait(made: Network, solver: str) -> None:
    diary = Diary(*[0] * 9)
    found = run(made, Ask(diary), solver)
    assert found.times("go") == pytest.approx([2.0])
    assert all(time == 2.0 for time, _, _ in diary.asked)
    assert run(made, Seeded(1, wait=1.0), solver).times("go") in ([pytest.approx(2.0)], [])


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_partner_that_comes_or_goes_is_a_reason_to_ask(solver: str) -> None:
    made = network(
        component("s", "a b", edge("a", "b", "c >= 1", sync="go!")),
        component("r1", "p q", edge("p", "q", "c >= 2", sync="go?")),
        component("r2", "p q", edge("p", "q", "c >= 3 and c <= 4", sync="go?")),
        shared=(C,),
    )
    diary = Diary()
    run(made, Ask(diary), solver)
    assert diary.asked == [(2.0, 1, True), (3.0, 2, True), (4.0, 2, True)]


@pytest.mark.parametrize("solver", SOLVERS)
def test_with_ticks_one_may_wait_for_the_next(solver: str) -> None:
    """An invariant that ends at 3 s lets no tick pass from 2.8 s on."""
    diary = Diary()
    late = run(window("c <= 3"), Ask(diary), solver, tick=0.4)
    assert diary.asked == [(t, 1, True) for t in (1.2, 1.6, 2.0, 2.4)]
    assert late.times("go") == pytest.approx([2.8])
    assert run(window(), Latest(), solver, tick=0.4).times("go") == pytest.approx([2.8])


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_hand_written_automaton_waits_too(solver: str) -> None:
    made = automaton(
        variables="x",
        locations=[location("a", {"x": 1}, invariant="x <= 3"), location("b")],
        edges=[
            written_edge("a", "b", "x >= 1 and x <= 2", action="early"),
            written_edge("a", "b", "x >= 2.5", action="late"),
        ],
        initial=("a", {}),
    )
    diary = Diary()
    options = Options(solver=solver, choice=Ask(diary))
    assert simulate(made, until=5.0, options=options).times("late") == pytest.approx([3.0])
    assert diary.asked == [(1.0, 1, True), (2.0, 1, True), (2.5, 1, True)]


def test_draws_wait_as_often_as_they_should() -> None:
    """The edge is taken at 1 s unless the draw waits: 3 of 10; then again at 3 s."""
    made = window("c <= 3")
    times = [run(made, Seeded(seed, wait=0.3)).times("go")[0] for seed in range(200)]
    late = sum(time == pytest.approx(3.0) for time in times)
    assert all(time == pytest.approx(1.0) or time == pytest.approx(3.0) for time in times)
    assert 40 <= late <= 80
    assert times[:20] == [run(made, Seeded(seed, wait=0.3)).times("go")[0] for seed in range(20)]


def test_a_function_of_two_arguments_is_asked_only_among_several() -> None:
    asked: list[int] = []

    def first(state: State, edges: tuple[Edge, ...]) -> int:
        asked.append(len(edges))
        return 0

    assert run(window(), Ask(first)).times("go") == pytest.approx([1.0])
    assert asked == []


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_answer_that_cannot_be_is_an_error(solver: str) -> None:
    with pytest.raises(SolverError, match="edge 7 was chosen, but there are only 1"):
        run(window(), Ask(Diary(7)), solver)
    fork = network(component("one", [place("a", urgent=True), place("b")], *[edge("a", "b")] * 2))

    def never(state: State, edges: tuple[Edge, ...], may_wait: bool) -> int | None:
        assert not may_wait
        return None

    with pytest.raises(SolverError, match="no time may pass here"):
        run(fork, Ask(never), solver)


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("priority", Priority()),
        ("latest", Latest()),
        ("seed:7", Seeded(7)),
        ("seed:7:0.25", Seeded(7, 0.25)),
    ],
)
def test_a_choice_is_read_from_text(text: str, choice: Choice) -> None:
    assert parse_choice(text, Diary()) == choice


@pytest.mark.parametrize("text", ["luck", "seed", "seed:x", "seed:1:2", "seed:1:x", "latest:1"])
def test_other_text_is_no_choice(text: str) -> None:
    with pytest.raises(ModelError, match="is no way to choose"):
        parse_choice(text, Diary())


def test_a_probability_lies_between_0_and_1() -> None:
    with pytest.raises(SolverError, match="between 0 and 1"):
        Seeded(1, wait=1.5)
