"""Runs of UPPAAL files keep to UPPAAL's rules: strict bounds, targets' invariants, order."""

import pytest

from dyverse.automaton.network.timed import GRAIN
from dyverse.automaton.run import Run, Stop
from dyverse.simulation.choice import Choice, Latest, Priority, Seeded
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate
from tests.uppaal.sample_models import model, process, written

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


@ENGINES
def test_draws_follow_the_weights_of_branches(solver: str) -> None:
    text = """
    clock x; int heads, tails;
    process P() {
        state a { x <= 1 };
        branchpoint B;
        init a;
        trans a -> B { guard x >= 1; assign x = 0; },
            B -> a { assign heads++; probability 3; },
            B -> a { assign tails++; probability 1; };
    }
    system P;
    """
    run = ran(text, solver, until=400.5, choice=Seeded(1))
    assert run.final["heads"] + run.final["tails"] == 400
    assert 0.69 < run.final["heads"] / 400 < 0.81  # three standard deviations


@ENGINES
def test_random_numbers_come_from_a_variable(solver: str) -> None:
    declared = "clock x; double d; int n;"
    labels = "guard x >= 1; assign x = 0, d = random(6), n = fint(d);"
    body = f"state a {{ x <= 1 }}; init a; trans a -> a {{ {labels} }};"
    network = written(process(declared, body)).network
    runs = [simulate(network, until=30.0, options=Options(solver=solver)) for _ in range(2)]
    drawn = {arc.start.values[network.index["n"]] for arc in runs[0].arcs}
    assert drawn == set(range(6))
    assert runs[0].final == runs[1].final
    assert runs[0].final["random"] != 1


@ENGINES
def test_what_stands_beside_clocks_may_be_any_code(solver: str) -> None:
    """Functions with loops, integer division and elements with variable indices."""
    text = """
    const int late[3] = { 2, 5, 3 };
    int n = 5, i; clock x, y;
    int limit() { int k, s = 0; for (k = 0; k < i; k++) s += late[k]; return s; }
    process P() {
        state a { x <= n / 2 && y' == late[i] }, b { x <= limit() };
        init a;
        trans a -> b { guard x >= n / 2; assign i = 2; },
            b -> a { guard x >= limit(); assign x = 0, n = 9; };
    }
    system P;
    """
    run = ran(text, solver, until=10.0)
    assert times(run) == [2.0, 7.0, 11.0][:2]
    assert run.final["y"] == pytest.approx(2 * 2 + 5 + 3 * 3, abs=1e-9)


@ENGINES
def test_whole_arrays_and_records_are_compared_and_assigned(solver: str) -> None:
    text = """
    typedef struct { int p; bool q; } pair;
    int a[2] = { 1, 2 }, b[2]; pair r, s = { 3, true };
    process P() {
        state one, two, three, four; init one;
        trans one -> two { guard a != b && r != s; assign b = a, r = s; },
            two -> three { guard a == b and r == s; assign s.p = 4; },
            three -> four { guard r != s; };
    }
    system P;
    """
    run = ran(text, solver, until=1.0)
    assert run.end.location == ("four",)
    assert [run.final[n] for n in ("b[0]", "b[1]", "r.p", "r.q")] == [1, 2, 3, 1]


@ENGINES
def test_names_mean_what_was_declared_before_them(solver: str) -> None:
    text = """
    int n = 1, m; int global() { return n; }
    process P(int k) {
        int local() { return n; }
        int n = 5;
        int own() { return n; }
        state a, b; init a;
        trans a -> b { select n : int[7, 7];
            assign m = 1000 * n + 100 * local() + 10 * own() + global(), k++; };
    }
    Q = P(3);
    system Q;
    """
    final = ran(text, solver, until=1.0).final
    assert final["m"] == 7151
    assert final["Q.k"] == 4


@ENGINES
def test_types_and_constants_are_declared_already(solver: str) -> None:
    text = "uint8_t n = UINT8_MAX; const int big = 120000; double d; int32_t m = INT32_MAX;"
    run = ran(
        process(text, "state a, b; init a; trans a -> b { assign d = 2 * M_PI * big; };"), solver
    )
    assert run.final["d"] == pytest.approx(2 * 3.141592653589793 * 120000)
    assert (run.final["n"], run.final["m"]) == (255, 2**31 - 1)
