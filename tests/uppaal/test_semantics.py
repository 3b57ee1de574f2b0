"""Runs of UPPAAL files keep to UPPAAL's rules: strict bounds, targets' invariants, order."""

import pytest

from dyverse.automaton.run import Run, Stop
from dyverse.automaton.timed import GRAIN
from dyverse.simulation.choice import Choice, Latest, Priority, Seeded
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate
from tests.uppaal.files import model, process, written

ENGINES = pytest.mark.parametrize("solver", ["reference", "native"])
CHOICES: list[Choice] = [Priority(), Latest(), *(Seeded(n, 0.5) for n in range(8)), Seeded(9)]


def ran(text: str, solver: str, until: float = 20.0, choice: Choice | None = None) -> Run:
    options = Options(solver=solver, choice=choice or Priority())
    return simulate(written(text).network, until=until, options=options)


def times(run: Run) -> list[float]:
    return [event.time for event in run.events]


@ENGINES
@pytest.mark.parametrize("tick", [None, 1.0, 0.5, 0.375])
@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_fischer_never_lets_two_in(solver: str, tick: float | None, choice: Choice) -> None:
    network = model("fischer.xta").network
    options = Options(solver=solver, choice=choice, tick=tick, max_events=300)
    run = simulate(network, until=40.0, options=options)
    assert all(str(event.target).count("critical") < 2 for event in run.events)


@ENGINES
@pytest.mark.parametrize(
    ("guard", "first"), [("x >= 3", 3.0), ("x > 3", 3 + GRAIN), ("3 < x && x < 4", 3 + GRAIN)]
)
def test_a_strict_bound_is_passed_before_it_holds(solver: str, guard: str, first: float) -> None:
    run = ran(
        process("clock x;", f"state a; init a; trans a -> a {{ guard {guard}; assign x = 0; }};"),
        solver,
    )
    assert times(run)[:3] == pytest.approx([first, 2 * first, 3 * first], abs=1e-12)


@ENGINES
def test_the_last_instant_of_a_strict_invariant_lies_before_it(solver: str) -> None:
    body = "state a { x < 3 }, b; init a; trans a -> b { };"
    assert times(ran(process("clock x;", body), solver, choice=Latest())) == pytest.approx(
        [3 - GRAIN], abs=1e-12
    )


@ENGINES
@pytest.mark.parametrize(
    ("invariant", "assign", "is_taken"),
    [
        ("y <= 2", "", False),
        ("y <= 2", "assign y = 0;", True),
        ("n < 1", "assign n = 1;", False),
        ("n < 2", "assign n = 1;", True),
        ("n < 1", "assign set(1);", False),
        ("n < 2", "assign set(1);", True),
        ("y < 3", "assign y = 3;", False),
        ("y <= n", "assign n = 3;", True),
    ],
)
def test_an_edge_whose_target_forbids_it_is_not_taken(
    solver: str, invariant: str, assign: str, is_taken: bool
) -> None:
    text = "clock x, y; int n; void set(int k) { int i; for (i = 0; i < k; i++) n++; }"
    labels = f"guard x >= 3; {assign}"
    places = f"state a {{ x <= 3 }}, b {{ {invariant} }};"
    run = ran(process(text, f"{places} init a; trans a -> b {{ {labels} }};"), solver, until=3.5)
    assert times(run) == ([3.0] if is_taken else [])
    assert is_taken or run.stop is Stop.TIMELOCK


@ENGINES
def test_the_invariants_of_others_forbid_a_jump_too(solver: str) -> None:
    text = """
    int n; clock x;
    process P() { state a, b; init a; trans a -> b { guard x >= 1; assign n = 3; }; }
    process Q() { state c { n < 3 }, d; init c; trans c -> d { guard x >= 4; }; }
    system P, Q;
    """
    run = ran(text, solver)
    assert [(e.time, str(e.target)) for e in run.events] == [(4.0, "a, d"), (4.0, "b, d")]


@ENGINES
def test_partners_decide_together_where_a_handshake_leads(solver: str) -> None:
    text = """
    chan go; clock x, y;
    process P() { state a, b { y <= 2 }; init a; trans a -> b { guard x >= 3; sync go!; }; }
    process Q() { state c, d; init c; trans c -> d { sync go?; assign y = 0; }; }
    system P, Q;
    """
    assert times(ran(text, solver, until=4.0)) == [3.0]
    assert ran(text.replace("assign y = 0;", ""), solver, until=4.0).events == ()


@ENGINES
def test_a_broadcast_does_not_leave_behind_whom_it_would_harm(solver: str) -> None:
    """The receiver is ready, so it must take part; its target forbids that, so nobody jumps."""
    text = """
    broadcast chan go; clock x, y;
    process P() { state a, b; init a; trans a -> b { guard x >= 3; sync go!; }; }
    process Q() { state c, d { y <= 2 }; init c; trans c -> d { sync go?; }; }
    system P, Q;
    """
    assert ran(text, solver, until=4.0).events == ()


@ENGINES
def test_time_stands_still_where_an_urgent_jump_is_ready_but_forbidden(solver: str) -> None:
    text = """
    urgent chan go; clock x;
    process P() { state a, b; init a; trans a -> b { sync go!; }; }
    process Q() { state c, d { x < 0 }; init c; trans c -> d { sync go?; }; }
    process R() { state e { x <= 3 }, f; init e; trans e -> f { guard x >= 3; }; }
    system P, Q, R;
    """
    run = ran(text, solver)
    assert run.stop is Stop.TIMELOCK
    assert run.end.time == 0.0
